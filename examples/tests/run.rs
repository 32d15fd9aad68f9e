//! Runs the examples as a user would.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PRODUCER: &str = env!("CARGO_BIN_EXE_producer");
const TEXT: &str = "grüße \"from\" the run";

fn printed(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_run_over_a_pipe() {
    let mut producer = Command::new(PRODUCER)
        .arg(TEXT)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a producer");
    let wire = producer.stdout.take().expect("a pipe");
    let consumer = Command::new(env!("CARGO_BIN_EXE_consumer"))
        .stdin(wire)
        .output();
    assert_eq!(printed(&consumer.expect("a consumer")), format!("{TEXT}\n"));
    assert!(producer.wait().expect("ended").success());
}

#[test]
fn a_run_that_is_cut_off_is_no_run() {
    let wire = Command::new(PRODUCER)
        .arg(TEXT)
        .output()
        .expect("a producer");
    let wire = String::from_utf8(wire.stdout).expect("text");
    assert_eq!(wire.lines().count(), 3);
    for (index, line) in wire.lines().enumerate() {
        assert!(line.contains(&format!("\"seq\":{index}")), "{line}");
    }
    let cut = wire.trim_end();
    let script = "printf %s \"$1\" | \"$2\"";
    let consumer = Command::new("sh")
        .args(["-c", script, "sh", cut, env!("CARGO_BIN_EXE_consumer")])
        .output()
        .expect("a consumer");
    assert!(!consumer.status.success());
    let said = String::from_utf8_lossy(&consumer.stderr);
    assert!(said.contains("STREAM_TRUNCATED_LINE on line 3"), "{said}");
}

#[test]
fn a_supervised_child() {
    let supervisor = Command::new(env!("CARGO_BIN_EXE_supervisor"))
        .args([PRODUCER, TEXT])
        .output();
    let said = printed(&supervisor.expect("a supervisor"));
    assert_eq!(
        said,
        format!("{TEXT}\nthe process ended with exit status: 0\n")
    );
}

#[test]
fn a_supervised_child_whose_grandchild_stays() {
    let start = Instant::now();
    let script = "sleep 60 & \"$1\" \"$2\"; head -c 200000 /dev/zero >&2; exit 3";
    let supervisor = Command::new(env!("CARGO_BIN_EXE_supervisor"))
        .args(["sh", "-c", script, "sh", PRODUCER, TEXT])
        .output();
    let said = printed(&supervisor.expect("a supervisor"));
    assert!(
        said.starts_with(&format!("{TEXT}\nthe process ended with ")),
        "{said}"
    );
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_run_over_http() {
    let output = Command::new(env!("CARGO_BIN_EXE_http")).arg(TEXT).output();
    assert_eq!(printed(&output.expect("both sides")), format!("{TEXT}\n"));
}
