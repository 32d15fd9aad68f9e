//! What the types promise, one test for each promise.

use stream_json::{Block, Code, Encode, Json, Line, ResultSubtype, RunResult, SessionId, from_str};

fn read(text: &str) -> Result<Line, stream_json::Error> {
    from_str(text)
}

fn session() -> SessionId {
    "s".parse().expect("a session")
}

#[test]
fn tags_may_stand_anywhere() {
    let text = r#"{"seq":3,"message":{"content":[{"text":"hi","extension":{"type":"odd"},"type":"text"}],"role":"assistant"},"session_id":"s","type":"assistant"}"#;
    let Ok(Line::Assistant(line)) = read(text) else {
        panic!("no assistant line")
    };
    assert!(matches!(line.message.content.as_slice(), [Block::Text(block)] if block.text == "hi"));
    let text = r#"{"subtype":"route","seq":1,"route":{"target":"primary"},"session_id":"s","type":"system"}"#;
    assert!(matches!(read(text), Ok(Line::SystemRoute(_))));
    // The canonical form has them first.
    assert!(
        read(text)
            .expect("a line")
            .to_json()
            .starts_with(r#"{"type":"system","subtype":"route","session_id":"s","seq":1,"#)
    );
}

#[test]
fn a_member_stands_once() {
    for text in [
        r#"{"type":"user","type":"user","session_id":"s","seq":1,"message":{"role":"user","content":[]}}"#,
        r#"{"type":"user","session_id":"s","seq":1,"seq":1,"message":{"role":"user","content":[]}}"#,
        r#"{"type":"user","session_id":"s","seq":1,"new":1,"n\u0065w":2,"message":{"role":"user","content":[]}}"#,
        r#"{"type":"future","session_id":"s","seq":1,"new":1,"new":2}"#,
    ] {
        assert_eq!(
            read(text).map_err(|error| error.code()),
            Err(Code::InvalidJson),
            "{text}"
        );
    }
    // Free-form parts are kept as they were written.
    let free = r#"{"type":"user","session_id":"s","seq":1,"extension":{"a":1,"a":2},"message":{"role":"user","content":[]}}"#;
    assert_eq!(read(free).expect("a line").to_json(), free);
}

#[test]
fn a_known_type_with_a_wrong_shape_is_refused_with_its_place() {
    for (text, path, expected) in [
        (
            r#"{"type":"user","session_id":"s","seq":"1"}"#,
            "/seq",
            "an integer from 0 of 64 bits",
        ),
        (
            r#"{"type":"user","session_id":"s","seq":9007199254740992}"#,
            "/seq",
            "an integer from 0 to 9007199254740991",
        ),
        (
            r#"{"type":"user","session_id":"","seq":1}"#,
            "/session_id",
            "a string that fits (shorter than 1 characters)",
        ),
        (
            r#"{"type":"result","session_id":"s","seq":1,"subtype":"success"}"#,
            "",
            "the member `is_error`",
        ),
        (
            r#"{"type":"system","session_id":"s","seq":1}"#,
            "",
            "the member `subtype`",
        ),
        (
            r#"{"type":"assistant","session_id":"s","seq":1,"message":{"role":"assistant","content":[{"type":"tool_use","id":7}]}}"#,
            "/message/content/0/id",
            "a string",
        ),
        (
            r#"{"type":"assistant","session_id":"s","seq":1,"message":{"role":"assistant","content":null}}"#,
            "/message/content",
            "an array",
        ),
        (
            r#"{"type":"assistant","session_id":"s","seq":1,"message":"x"}"#,
            "/message",
            "an object",
        ),
        (
            r#"{"type":"result","session_id":"s","seq":1,"model_usage":{"a/b":{"input_tokens":1}}}"#,
            "/model_usage/a~1b",
            "the member `output_tokens`",
        ),
        (
            r#"{"type":5,"session_id":"s","seq":1}"#,
            "/type",
            "a string",
        ),
        ("[]", "", "an object"),
    ] {
        let error = read(text).expect_err(text).on_line(12);
        assert_eq!(
            (
                error.code(),
                error.path().as_str(),
                error.expected(),
                error.line()
            ),
            (Code::ItemInvalid, path, expected, Some(12)),
            "{text}"
        );
        assert!(error.to_string().contains("line 12"), "{error}");
    }
}

#[test]
fn broken_json_is_refused_as_such() {
    let ok = r#"{"type":"future","session_id":"s","seq":1,"x":"#;
    for tail in [
        "}",
        "1",
        "1}x",
        "01}",
        "\"a\u{1b}\"}",
        "\"\\ud800\"}",
        "[1,]}",
        "{\"a\" 1}}",
        "nul}",
        "1.}",
        "\"\\x\"}",
        "tru",
    ] {
        let text = format!("{ok}{tail}");
        assert_eq!(
            read(&text).map_err(|error| error.code()),
            Err(Code::InvalidJson),
            "{text}"
        );
    }
    let deep = format!("{ok}{}{}}}", "[".repeat(127), "]".repeat(127));
    assert_eq!(
        read(&deep).map_err(|error| error.code()),
        Err(Code::InvalidJson)
    );
    let fits = format!("{ok}{}{}}}", "[".repeat(126), "]".repeat(126));
    assert!(read(&fits).is_ok());
    let bytes = b"{\"type\":\"future\",\"session_id\":\"s\",\"seq\":1,\"x\":\"\xFF\"}";
    let broken: Result<Line, _> = stream_json::from_slice(bytes);
    assert_eq!(
        broken.map_err(|error| (error.code(), error.offset())),
        Err((Code::InvalidUtf8, Some(47)))
    );
}

#[test]
fn absent_null_and_empty_are_three_things() {
    let head = r#"{"type":"user","session_id":"s","seq":1,"#;
    let tail = r#""message":{"role":"user","content":[]}"#;
    let line = |extra: &str| match read(&format!("{head}{extra}{tail}}}")) {
        Ok(Line::User(line)) => line.extension.map(|json| json.to_json()),
        other => panic!("{other:?}"),
    };
    assert_eq!(line(""), None);
    assert_eq!(line(r#""extension":null,"#).as_deref(), Some("null"));
    assert_eq!(line(r#""extension":{},"#).as_deref(), Some("{}"));
    for members in [
        "",
        r#","running_ids":[]"#,
        r#","running_ids":["a"],"finished_ids":[]"#,
    ] {
        let text = format!(
            r#"{{"type":"system","subtype":"background_tasks_changed","session_id":"s","seq":1{members}}}"#
        );
        assert_eq!(read(&text).expect("a line").to_json(), text);
    }
    assert!(read(r#"{"type":"system","subtype":"background_tasks_changed","session_id":"s","seq":1,"running_ids":null}"#).is_err());
}

#[test]
fn unknown_parts_are_kept_in_order_and_in_full() {
    let text = r#"{"type":"system","subtype":"future","session_id":"s","seq":1,"b":1.50,"a":"A"}"#;
    let Ok(Line::Unknown(line)) = read(text) else {
        panic!("not unknown")
    };
    assert_eq!((line.r#type(), line.subtype()), ("system", Some("future")));
    assert_eq!(
        line.extra.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        ["b", "a"]
    );
    assert_eq!(
        line.to_json(),
        r#"{"type":"system","subtype":"future","session_id":"s","seq":1,"b":1.50,"a":"A"}"#
    );
    // Below an unknown type, `subtype` is a member like any other, whatever it holds.
    let text = r#"{"type":"future","session_id":"s","seq":1,"x":1,"subtype":[1]}"#;
    let Ok(Line::Unknown(line)) = read(text) else {
        panic!("not unknown")
    };
    assert_eq!((line.r#type(), line.subtype()), ("future", None));
    assert_eq!(line.to_json(), text);
}

#[test]
fn integers_are_read_by_value_and_numbers_keep_their_text() {
    let text = r#"{"type":"result","subtype":"success","session_id":"s","seq":1.0,"is_error":false,"num_turns":2e0,"total_cost_usd":0.10}"#;
    let Ok(Line::Result(line)) = read(text) else {
        panic!("no result")
    };
    assert_eq!((line.seq, line.num_turns), (1, Some(2)));
    assert_eq!(
        line.total_cost_usd.as_ref().map(|cost| cost.as_str()),
        Some("0.10")
    );
    assert!(
        line.to_json()
            .ends_with(r#""num_turns":2,"total_cost_usd":0.10}"#)
    );
}

#[test]
fn a_line_that_is_built_writes_what_a_reader_reads() {
    let mut result = RunResult::new(session(), 4, ResultSubtype::from("paused"), false);
    result
        .extra
        .insert("note", Json::from_str(r#"{ "a" : [1, 2] }"#).expect("JSON"));
    result.extra.insert("seq", Json::null());
    let line = Line::from(result);
    // An undeclared member cannot stand in for a declared one.
    let text = r#"{"type":"result","session_id":"s","seq":4,"subtype":"paused","is_error":false,"note":{"a":[1,2]}}"#;
    assert_eq!(line.to_json(), text);
    let back = read(text).expect("a line");
    let Line::Result(result) = &back else {
        panic!("no result")
    };
    assert!(matches!(&result.subtype, ResultSubtype::Unknown(value) if value.as_str() == "paused"));
    assert!("".parse::<SessionId>().is_err());
}
