//! Recordings in a few lines each, and all that is reported of them.

use super::{contract, findings};
use wirelock_codegen::audit::{Audit, Options};
use wirelock_runtime::FinalLine;

const INIT: &str = r#"{"type":"system","session_id":"s","seq":0,"subtype":"init","cwd":"/w","milk_version":"1","agent":{"name":"a","provider":"p"},"capabilities":["stream_v1"]}"#;

fn text(session: &str, seq: u32) -> String {
    format!(
        r#"{{"type":"assistant","session_id":"{session}","seq":{seq},"message":{{"role":"assistant","content":[{{"type":"text","text":"t"}}]}}}}"#
    )
}

fn result(session: &str, seq: u32) -> String {
    format!(
        r#"{{"type":"result","session_id":"{session}","seq":{seq},"subtype":"success","is_error":false}}"#
    )
}

fn init(session: &str) -> String {
    INIT.replace("\"s\"", &format!("\"{session}\""))
}

fn lines(lines: &[&str]) -> Vec<u8> {
    lines
        .iter()
        .flat_map(|line| [*line, "\n"])
        .collect::<String>()
        .into_bytes()
}

fn told(options: &Options, recording: &[&str]) -> Vec<String> {
    findings(&contract(options), &lines(recording))
}

fn plain(recording: &[&str]) -> Vec<String> {
    told(&Options::default(), recording)
}

#[test]
fn a_whole_run_has_no_findings() {
    assert_eq!(plain(&[INIT, &text("s", 1), &result("s", 2)]), [""; 0]);
}

#[test]
fn order_and_completion_of_a_run() {
    assert_eq!(
        plain(&[&text("s", 0), &result("s", 1)]),
        ["INIT_NOT_FIRST@1"]
    );
    assert_eq!(plain(&[INIT, &text("s", 1)]), ["STREAM_TERMINAL_MISSING@2"]);
    assert_eq!(
        plain(&[INIT, &result("s", 1), &text("s", 2), &text("s", 3)]),
        ["DATA_AFTER_TERMINAL@3"]
    );
    assert_eq!(
        plain(&[INIT, &result("s", 1), &text("s", 2), &result("s", 3)]),
        ["DUPLICATE_TERMINAL@4"]
    );
    assert_eq!(
        plain(&[INIT, &result("s", 1), &result("s", 2), &text("s", 3)]),
        ["DUPLICATE_TERMINAL@3", "DATA_AFTER_TERMINAL@4"]
    );
    assert_eq!(plain(&[]), ["STREAM_TERMINAL_MISSING@1"]);
}

#[test]
fn sequence_numbers() {
    assert_eq!(
        plain(&[INIT, &text("s", 4), &result("s", 5)]),
        ["SEQ_GAP@2 (note)"]
    );
    assert_eq!(
        plain(&[INIT, &text("s", 0), &result("s", 1)]),
        ["SEQ_NOT_MONOTONIC@2"]
    );
    // What follows on an unreadable line follows on nothing.
    assert_eq!(
        plain(&[INIT, &text("s", 1), "log", &text("s", 9), &result("s", 10)]),
        ["STREAM_INVALID_JSON@3"]
    );
}

#[test]
fn an_unreadable_first_line_may_have_been_the_right_one() {
    assert_eq!(
        plain(&["log", &text("s", 3), &result("s", 4)]),
        ["STREAM_INVALID_JSON@1"]
    );
    assert_eq!(
        plain(&["log", INIT, &text("s", 3), &result("s", 4)]),
        ["STREAM_INVALID_JSON@1", "SEQ_GAP@3 (note)"]
    );
}

#[test]
fn sessions_are_one_run_each_where_that_is_declared() {
    let recording = [
        init("a"),
        result("a", 1),
        init("b"),
        text("b", 1),
        init("c"),
        result("c", 1),
    ];
    let recording = recording.each_ref().map(String::as_str);
    let many = Options {
        many_runs: true,
        ..Options::default()
    };
    assert_eq!(told(&many, &recording), ["STREAM_TERMINAL_MISSING@4"]);
    let (_, totals) = contract(&many).check(&lines(&recording));
    assert_eq!((totals.runs, totals.items, totals.lines), (3, 6, 6));
    let one = plain(&[&init("a"), &text("b", 1), &result("b", 2)]);
    assert_eq!(one, ["SESSION_ID_CHANGED@2"]);
}

#[test]
fn what_the_contract_does_not_know() {
    let unknown_type = r#"{"type":"news","session_id":"s","seq":1,"x":{"y":1}}"#;
    let unknown_subtype = r#"{"type":"system","session_id":"s","seq":2,"subtype":"news"}"#;
    let unknown_value =
        r#"{"type":"system","session_id":"s","seq":3,"subtype":"state","session_state":"asleep"}"#;
    let unknown_field =
        r#"{"type":"system","session_id":"s","seq":4,"subtype":"memory","op":"get","more":[1]}"#;
    let known = r#"{"type":"system","session_id":"s","seq":5,"subtype":"memory","op":"get","extension":{"more":[1]}}"#;
    let recording = [
        INIT,
        unknown_type,
        unknown_subtype,
        unknown_value,
        unknown_field,
        known,
        &result("s", 6),
    ];
    let expected = [
        "UNKNOWN_TYPE@2",
        "UNKNOWN_TYPE@3",
        "UNKNOWN_VALUE@4",
        "UNKNOWN_FIELD@5",
    ];
    let strict = Options {
        strict: true,
        ..Options::default()
    };
    assert_eq!(told(&strict, &recording), expected);
    let notes = expected.map(|one| format!("{one} (note)"));
    assert_eq!(plain(&recording), notes);
    let (all, _) = contract(&strict).check(&lines(&recording));
    assert_eq!(
        all[3].message,
        "at /more: the contract knows no such member, found [1]"
    );
    assert_eq!(
        all[2].message,
        "at /session_state: the contract knows no such value, found \"asleep\""
    );
}

#[test]
fn a_line_of_many_unknown_parts_is_told_in_bounds() {
    let members: String = (0..100_000).map(|n| format!(",\"m{n}\":{n}")).collect();
    let line = text("s", 1).replace("\"seq\":1", &format!("\"seq\":1{members}"));
    let recording = lines(&[INIT, &line, &result("s", 2)]);
    for strict in [false, true] {
        let options = Options {
            strict,
            ..Options::default()
        };
        let (all, _) = contract(&options).check(&recording);
        assert_eq!(all.len(), 101);
        assert_eq!(
            all[99].message,
            "at /m99: the contract knows no such member, found 99"
        );
        assert_eq!(all[100].message, "the item has 99900 more such places");
        assert!(all.iter().all(|one| one.line == 2
            && one.code == wirelock_codegen::audit::Code::UnknownField
            && (one.level == wirelock_codegen::audit::Level::Error) == strict));
    }
}

#[test]
fn capabilities() {
    let delta = r#"{"type":"stream_event","session_id":"s","seq":1,"event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"t"}}}"#;
    let end = result("s", 2);
    assert_eq!(
        plain(&[INIT, delta, &end]),
        ["CAPABILITY_UNADVERTISED@2 (note)"]
    );
    let advertised = INIT.replace("[\"stream_v1\"]", "[\"stream_v1\",\"partial_messages_v1\"]");
    assert_eq!(plain(&[&advertised, delta, &end]), [""; 0]);
    let other = INIT.replace("[\"stream_v1\"]", "[\"partial_messages_v1\"]");
    let found = plain(&[&other, delta, &end]);
    assert!(
        found.contains(&"CAPABILITY_MISSING@1".to_owned()),
        "{found:?}"
    );
}

#[test]
fn times_are_rfc_3339_in_every_reading() {
    let dated = |time: &str| INIT.replace("\"seq\":0", &format!("\"seq\":0,\"ts\":{time}"));
    let end = result("s", 1);
    for strict in [false, true] {
        let options = Options {
            strict,
            ..Options::default()
        };
        let good = dated("\"2026-01-02T03:04:05.5+01:00\"");
        assert_eq!(told(&options, &[&good, &end]), [""; 0]);
        let bad = dated("\"yesterday\"");
        assert_eq!(told(&options, &[&bad, &end]), ["TS_INVALID@1"]);
    }
}

#[test]
fn numbers_are_read_by_value_and_their_spelling_is_noted() {
    let loose =
        r#"{"type":"result","session_id":"s","seq":1.0,"subtype":"success","is_error":false}"#;
    assert_eq!(plain(&[INIT, loose]), [""; 0]);
    let strict = Options {
        strict: true,
        ..Options::default()
    };
    assert_eq!(told(&strict, &[INIT, loose]), ["INTEGER_SPELLING@2 (note)"]);
    let high = loose.replace("1.0", "9007199254740992");
    assert_eq!(plain(&[INIT, &high])[0], "STREAM_ITEM_INVALID@2");
}

#[test]
fn bad_lines_do_not_end_the_audit() {
    let twice = r#"{"type":"result","type":"result","session_id":"s","seq":1}"#;
    let recording = [
        INIT,
        "{\"type\":",
        "\u{1b}[0m{}",
        "\u{1b}[1m{}",
        twice,
        "{\"a\":1} {\"a\":2}",
        &result("s", 2),
    ];
    let expected = [
        "STREAM_INVALID_JSON@2",
        "ANSI_ESCAPE@3",
        "ANSI_ESCAPE@4 (note)",
        "STREAM_INVALID_JSON@5",
        "STREAM_INVALID_JSON@6",
    ];
    assert_eq!(plain(&recording), expected);
    let mut bytes = lines(&[INIT]);
    bytes.extend(b"{\"a\":\"\xff\"}\n");
    bytes.extend(lines(&[&result("s", 2)]));
    assert_eq!(
        findings(&contract(&Options::default()), &bytes),
        ["STREAM_INVALID_UTF8@2"]
    );
}

#[test]
fn frames_have_their_bound_and_the_caller_has_the_first_word() {
    let options = Options {
        max_frame_bytes: Some(INIT.len() as u64),
        ..Options::default()
    };
    let long = text("s", 1).replace("\"t\"", &format!("\"{}\"", "t".repeat(300)));
    assert_eq!(
        told(&options, &[INIT, &long, &result("s", 2)]),
        ["STREAM_FRAME_TOO_LARGE@2"]
    );
}

#[test]
fn a_last_line_without_its_end() {
    let mut bytes = lines(&[INIT, &result("s", 1)]);
    bytes.pop();
    let audit = contract(&Options::default());
    assert_eq!(findings(&audit, &bytes), ["STREAM_TRUNCATED_LINE@2"]);
    let allow = Options {
        final_line: Some(FinalLine::Allow),
        ..Options::default()
    };
    assert_eq!(findings(&contract(&allow), &bytes), [""; 0]);
    assert_eq!(audit.check(&bytes).1.lines, 2);
    bytes.truncate(bytes.len() - 4);
    let found = findings(&audit, &bytes);
    assert_eq!(
        found,
        ["STREAM_TRUNCATED_LINE@2", "STREAM_TERMINAL_MISSING@2"]
    );
}

#[test]
fn documents_are_the_terminal_item_over_several_lines() {
    let strict = Options {
        strict: true,
        ..Options::default()
    };
    let audit = contract(&strict);
    let told = |text: &str| -> Vec<String> {
        audit
            .check_document(text.as_bytes())
            .0
            .iter()
            .map(super::told)
            .collect()
    };
    let good = "{\n  \"type\": \"result\",\n  \"session_id\": \"s\",\n  \"seq\": 3,\n  \"subtype\": \"success\",\n  \"is_error\": false\n}\n";
    assert_eq!(told(good), [""; 0]);
    assert_eq!(told(&good.replace("false", "0")), ["STREAM_ITEM_INVALID@6"]);
    assert_eq!(
        told(&good.replace("\"success\"", "\"won\"")),
        ["UNKNOWN_VALUE@5"]
    );
    assert_eq!(
        told(&good.replace("\"seq\"", "\"more\": {},\n \"ts\": \"now\",\n \"seq\"")),
        ["TS_INVALID@1", "UNKNOWN_FIELD@4"]
    );
    assert_eq!(told(INIT), ["STREAM_TERMINAL_MISSING@1"]);
    assert_eq!(told(&good[..40]), ["STREAM_INVALID_JSON@3"]);
}

const ENVELOPE: &str = r#"{
    "x-contract": {"capability": "v1", "framing": "envelope", "terminal": {"kind": "complete"}},
    "type": "object", "required": ["kind"],
    "properties": {"kind": {"type": "string"}, "text": {"type": "string"}}
}"#;

#[test]
fn envelopes() {
    let wire = wirelock_codegen::wire::read("envelope", ENVELOPE).expect("a schema");
    let audit = Audit::new(&wire, &Options::default()).expect("a contract");
    let told = |recording: &[&str]| findings(&audit, &lines(recording));
    let (line, last) = (
        r#"{"type":"data","data":{"kind":"line"}}"#,
        r#"{"type":"data","data":{"kind":"complete"}}"#,
    );
    let end = r#"{"type":"end"}"#;
    assert_eq!(told(&[line, "", last, end]), [""; 0]);
    assert_eq!(told(&[line, last]), ["STREAM_TRUNCATED@2"]);
    assert_eq!(told(&[line, end]), ["STREAM_TERMINAL_MISSING@2"]);
    assert_eq!(told(&[last, end, line]), ["DATA_AFTER_TERMINAL@3"]);
    assert_eq!(
        told(&[line, r#"{"type":"ping"}"#, last, end]),
        ["STREAM_PROTOCOL_ERROR@2"]
    );
    assert_eq!(
        told(&[r#"{"type":"data","data":{"kind":7}}"#, last, end]),
        ["STREAM_ITEM_INVALID@1"]
    );
    let failed = r#"{"type":"error","error":{"code":"QUOTA"}}"#;
    assert_eq!(told(&[line, failed]), ["STREAM_REMOTE_ERROR@2"]);
}
