//! `check-stream` from outside: exit codes, formats, and the same findings on any number of threads.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the command said.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn schema_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirelock"));
    command
        .arg("check-stream")
        .arg("--contract")
        .arg(schema_folder())
        .args(arguments);
    command
}

fn run_with(arguments: &[&str], input: &[u8]) -> Ran {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), input).expect("written");
    let output = command(arguments)
        .stdin(file.reopen().expect("a file"))
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran {
        code: output.status.code().expect("an exit code"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

fn run(arguments: &[&str]) -> Ran {
    run_with(arguments, b"")
}

fn golden(name: &str) -> String {
    let path = schema_folder().join("golden").join(name);
    std::fs::read_to_string(path).expect("a golden")
}

fn goldens() -> String {
    schema_folder().join("golden/*.jsonl").display().to_string()
}

fn lines(text: &str) -> Vec<serde_json::Value> {
    let parse = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(parse).collect()
}

#[test]
fn goldens_are_clean_and_a_pipe_gets_the_sum_alone() {
    let ran = run(&["--strict", &goldens()]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 1);
    assert!(
        ran.out.ends_with("15 runs: 0 errors, 0 notes\n"),
        "{}",
        ran.out
    );
    let ran = run(&["--strict", "--format", "json", &goldens()]);
    let said = lines(&ran.out);
    assert_eq!(said.len(), 1);
    assert_eq!(said[0]["summary"]["files"], 15);
    assert_eq!(said[0]["summary"]["errors"], 0);
}

#[test]
fn findings_are_objects_with_a_place_and_refuse() {
    let broken = golden("minimal-run.jsonl").replace("\"is_error\":false", "\"is_error\":0");
    let ran = run_with(&["--format", "json", "-"], broken.as_bytes());
    assert_eq!(ran.code, 1);
    let said = lines(&ran.out);
    let expected = serde_json::json!({
        "code": "STREAM_ITEM_INVALID", "level": "error", "file": "-", "line": 3,
        "message": "at /is_error: expected a boolean, found 0",
    });
    assert_eq!(said[0], expected);
    assert_eq!(said[1]["summary"]["errors"], 1);
    let human = run_with(&["-"], broken.as_bytes());
    assert!(
        human
            .out
            .starts_with("-:3: error STREAM_ITEM_INVALID: at /is_error: "),
        "{}",
        human.out
    );
}

#[test]
fn text_that_is_no_json_is_told_as_that() {
    let input = b"nothing to do\ntrying again\nfound 3 files\n";
    let ran = run_with(&["--format", "json", "-"], input);
    assert_eq!(ran.code, 1, "{}", ran.err);
    for (line, found) in lines(&ran.out).iter().zip(["nothing", "trying", "found"]) {
        assert_eq!(line["code"], "STREAM_INVALID_JSON", "{line}");
        let message = line["message"].as_str().expect("a message");
        let start = format!("at byte 0: expected a JSON value, found {found} ");
        assert!(message.starts_with(&start), "{message}");
        assert!(message.contains("(log text: "), "{message}");
    }
}

#[test]
fn text_of_the_payload_is_escaped_once() {
    let golden = golden("minimal-run.jsonl");
    for (broken, expected) in [
        (
            golden.replacen(r#""seq":0"#, r#""seq":"x\"y""#, 1),
            r#"at /seq: expected a number, found "x\"y""#,
        ),
        (
            golden.replacen(r#""seq":0"#, r#""seq":0,"a\"b":{"c":"\\"}"#, 1),
            r#"at /a"b: the contract knows no such member, found {"c":"\\"}"#,
        ),
    ] {
        let json = run_with(&["--format", "json", "-"], broken.as_bytes());
        assert_eq!(lines(&json.out)[0]["message"], expected, "{}", json.out);
        let human = run_with(&["-"], broken.as_bytes());
        assert!(human.out.contains(expected), "{}", human.out);
    }
    // What a terminal would act on is spelled out for a reader, in JSON it is a character like any.
    let broken = golden.replacen("\"seq\":0", "\"seq\":\"\u{9b}2J\"", 1);
    let human = run_with(&["-"], broken.as_bytes());
    assert!(human.out.contains("\\u{9b}2J"), "{}", human.out);
    assert!(!human.out.contains('\u{9b}'), "{}", human.out);
}

#[test]
fn notes_alone_accept() {
    let run_of = golden("minimal-run.jsonl");
    let gap = run_of.replace("\"seq\":2", "\"seq\":7");
    let ran = run_with(&["-"], gap.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("-:3: note SEQ_GAP: "), "{}", ran.out);
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_audited() {
    let ran = run(&["--format", "json", "no-such-file", &goldens()]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: no-such-file: "), "{}", ran.err);
    let summary = &lines(&ran.out)[0]["summary"];
    assert_eq!(
        (&summary["files"], &summary["unreadable"]),
        (&15.into(), &1.into())
    );
    assert_eq!(run(&["no-such-*.jsonl"]).code, 2);
    assert_eq!(run(&[]).code, 2);
    assert_eq!(run(&["--schema", "no-such-schema", "-"]).code, 2);
}

#[test]
fn large_recordings_are_cut_and_read_at_once_with_the_same_findings() {
    let one = golden("full-session.jsonl");
    let mut recording = String::new();
    let mut runs = 0;
    while recording.len() < 5 << 20 {
        // Each run is a session of its own, and every hundredth one has a line that is none.
        recording.push_str(&one.replace("\"session_id\":\"", &format!("\"session_id\":\"{runs}-")));
        runs += 1;
        if runs % 100 == 0 {
            recording.push_str("{\"seq\":\n");
        }
    }
    let arguments = |threads| ["--format", "json", "--many-runs", "--threads", threads, "-"];
    let alone = run_with(&arguments("1"), recording.as_bytes());
    let together = run_with(&arguments("3"), recording.as_bytes());
    assert_eq!(alone.code, 1);
    assert_eq!(alone.out, together.out);
    let said = lines(&alone.out);
    let numbers: Vec<u64> = said.iter().filter_map(|one| one["line"].as_u64()).collect();
    let wanted: Vec<u64> = (1..)
        .zip(recording.lines())
        .filter(|(_, line)| *line == "{\"seq\":")
        .map(|(number, _)| number)
        .collect();
    assert!(wanted.len() > 5);
    assert_eq!(numbers, wanted);
    let summary = &said[said.len() - 1]["summary"];
    assert_eq!(summary["runs"], runs);
    assert_eq!(summary["bytes"], recording.len());
}

/// Runs in one session each, again and again, until there are so many bytes.
fn recording(bytes: usize) -> Vec<u8> {
    let one = golden("full-session.jsonl");
    let mut recording = String::new();
    let mut runs = 0;
    while recording.len() < bytes {
        recording.push_str(&one.replace("\"session_id\":\"", &format!("\"session_id\":\"{runs}-")));
        runs += 1;
    }
    recording.into_bytes()
}

/// `WIRELOCK_STREAM_BYTES` asks for a longer recording, as 1000000000.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_a_recording() {
    use std::io::Write as _;
    const SLACK: u64 = 4 << 10;
    let asked = std::env::var("WIRELOCK_STREAM_BYTES").ok();
    let bytes: u64 = asked.map_or(96 << 20, |text| text.parse().expect("a number of bytes"));
    let block = recording(8 << 20);
    let mut child = command(&["--many-runs", "--threads", "2", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("started");
    let status = format!("/proc/{}/status", child.id());
    let most = || -> u64 {
        let text = std::fs::read_to_string(&status).expect("the state of the process");
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.expect("its memory").trim().trim_end_matches(" kB");
        kibibytes.parse().expect("a number")
    };
    let mut input = child.stdin.take().expect("piped");
    let (mut written, mut early) = (0, None);
    while written < bytes {
        input.write_all(&block).expect("it reads to the end");
        written += block.len() as u64;
        if written >= 24 << 20 {
            early.get_or_insert_with(most);
        }
    }
    let (early, late) = (early.expect("enough was written"), most());
    drop(input);
    assert_eq!(child.wait().expect("ended").code(), Some(0));
    println!(
        "{early} KiB after 24 MiB, {late} KiB after {} MiB",
        written >> 20
    );
    assert!(late < early + SLACK, "{early} and then {late} KiB");
}

#[test]
fn progress_is_shown_on_terminals_alone() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), recording(24 << 20)).expect("written");
    let path = file.path().display().to_string();
    let piped = run(&["--many-runs", &path]);
    assert_eq!((piped.code, piped.err.as_str()), (0, ""), "{}", piped.out);
    assert_eq!(piped.out.lines().count(), 1, "{}", piped.out);
    // What runs a command on a terminal of its own, where it is.
    let words = [
        env!("CARGO_BIN_EXE_wirelock"),
        "check-stream",
        "--contract",
        &schema_folder().display().to_string(),
        "--many-runs",
        &path,
    ]
    .map(|word| format!("'{word}'"));
    let terminal = Command::new("script")
        .args([
            "--quiet",
            "--return",
            "--command",
            &words.join(" "),
            "/dev/null",
        ])
        .stdin(Stdio::null())
        .output();
    let Ok(terminal) = terminal else {
        println!("there is no `script`, so that no terminal is tried");
        return;
    };
    let told = String::from_utf8_lossy(&terminal.stdout);
    assert!(terminal.status.success(), "{told}");
    assert!(
        told.contains("MiB of ") && told.contains(" left"),
        "{told:?}"
    );
    // It is gone at the end, where the sum stands.
    let last = told.rsplit("\u{1b}[2K").next().unwrap_or_default();
    assert_eq!(last.trim_end(), piped.out.trim_end(), "{told:?}");
}

#[test]
fn documents_are_audited_on_their_own() {
    let result = golden("minimal-run.jsonl")
        .lines()
        .last()
        .expect("a result")
        .to_owned();
    let indented = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        serde_json::to_string_pretty(&value).expect("written")
    };
    let ran = run_with(
        &["--document", "--strict", "-"],
        indented(&result).as_bytes(),
    );
    assert_eq!(ran.code, 0, "{}", ran.out);
    let wrong = indented(&result).replace("\"is_error\": false", "\"is_error\": null");
    let ran = run_with(&["--document", "--format", "json", "-"], wrong.as_bytes());
    assert_eq!(ran.code, 1);
    let said = lines(&ran.out);
    assert_eq!(said[0]["code"], "STREAM_ITEM_INVALID");
    let line = (1..)
        .zip(wrong.lines())
        .find(|(_, line)| line.contains("is_error"));
    assert_eq!(said[0]["line"], line.expect("there").0);
}

#[test]
fn schemas_without_a_contract_have_lines_and_no_runs() {
    let schema = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(
        schema.path(),
        r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#,
    )
    .expect("written");
    let path = schema.path().display().to_string();
    let ran = run_with(&["--schema", &path, "-"], b"{\"n\":1}\n{\"n\":\"x\"}\n");
    assert_eq!(ran.code, 1);
    assert!(
        ran.out
            .starts_with("-:2: error STREAM_ITEM_INVALID: at /n: "),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
}

#[test]
fn a_reader_that_has_seen_enough_changes_nothing() {
    let mut child = command(&["-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("piped");
    use std::io::Write as _;
    // More than the pipe and the buffer in front of it hold.
    for _ in 0..20_000 {
        input.write_all(b"no JSON\n").expect("it reads to the end");
    }
    drop(input);
    assert_eq!(child.wait().expect("ended").code(), Some(1));
}
