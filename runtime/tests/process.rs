//! The process driver, observed from outside: who is alive when, and what holds nothing up.

mod common;

use common::item;
use std::time::{Duration, Instant};
use tokio::process::Command;
use wirelock_runtime::Code;
use wirelock_runtime::framing::{Event, Policy, Untyped};
use wirelock_runtime::process::{Process, spawn};

const ITEM: &str = r#"echo '{"type":"step"}';"#;
const TERMINAL: &str = r#"echo '{"type":"done"}';"#;

/// Far more than anything here takes, and far less than the children sleep.
const SOON: Duration = Duration::from_secs(5);

fn shell(script: &str) -> Process<Untyped> {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    spawn(command, item(), Policy::default()).expect("a child")
}

/// Whether a process runs; one that is dead and not yet waited for does not.
fn runs(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(')')
        .is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

async fn terminal(process: &mut Process<Untyped>) {
    loop {
        match process.items.next().await {
            Some(Ok(Event::Terminal(_))) => return,
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn the_exit_status_stands_beside_the_terminal_item() {
    let script = format!("{ITEM}{TERMINAL} echo warning >&2; exit 3");
    let mut process = shell(&script).grace(SOON);
    terminal(&mut process).await;
    assert!(process.items.next().await.is_none());
    let ended = process.ended().await;
    assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
    assert!(!ended.killed);
    assert_eq!(ended.stderr_text(), "warning\n");
}

#[tokio::test]
async fn a_child_that_stays_is_dead_before_the_terminal_item_is_seen() {
    let start = Instant::now();
    let mut process = shell(&format!("{TERMINAL} sleep 60"));
    let id = process.id().expect("an identifier");
    assert!(runs(id));
    terminal(&mut process).await;
    assert!(!runs(id));
    println!("the terminal item came after {:?}", start.elapsed());
    assert!(start.elapsed() < SOON);
    let ended = process.ended().await;
    assert!(ended.killed);
    assert_eq!(ended.status.expect("waited for").code(), None);
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipes_delays_nothing_and_is_dead_too() {
    let start = Instant::now();
    let mut process = shell(&format!("sleep 60 & echo $! >&2; {ITEM}{TERMINAL} exit 0"));
    terminal(&mut process).await;
    println!("the terminal item came after {:?}", start.elapsed());
    assert!(start.elapsed() < SOON);
    let ended = process.ended().await;
    assert!(start.elapsed() < SOON);
    assert_eq!(ended.status.and_then(|status| status.code()), Some(0));
    let grandchild: u32 = ended.stderr_text().trim().parse().expect("an identifier");
    gone(grandchild).await;
}

#[tokio::test]
async fn a_child_that_dies_is_noticed_though_a_grandchild_holds_the_pipe() {
    let start = Instant::now();
    let mut process = shell(&format!("sleep 60 & {ITEM} exit 7"));
    assert!(matches!(
        process.items.next().await,
        Some(Ok(Event::Item(_)))
    ));
    let error = process
        .items
        .next()
        .await
        .expect("an error")
        .expect_err("an error");
    assert_eq!(error.code(), Code::TerminalMissing);
    assert!(start.elapsed() < SOON);
    let ended = process.ended().await;
    assert_eq!(ended.status.and_then(|status| status.code()), Some(7));
}

#[tokio::test]
async fn standard_error_that_nobody_reads_holds_nothing_up() {
    let mut process = shell(&format!(
        "{ITEM} head -c 200000 /dev/zero | tr '\\0' e >&2; echo end >&2; {TERMINAL}"
    ));
    tokio::time::timeout(SOON, terminal(&mut process))
        .await
        .expect("no deadlock");
    let ended = process.ended().await;
    assert_eq!(ended.stderr_bytes, 200_004);
    // What is kept of it is bounded, and is its end.
    assert_eq!(ended.stderr.len(), 64 << 10);
    assert!(ended.stderr_text().ends_with("eend\n"));
}

#[tokio::test]
async fn dropping_the_reader_kills_the_whole_group() {
    let mut process = shell(&format!("sleep 60 & echo $! >&2; {ITEM} wait"));
    let child = process.id().expect("an identifier");
    assert!(matches!(
        process.items.next().await,
        Some(Ok(Event::Item(_)))
    ));
    let grandchild = loop {
        let text = process.ended().await.stderr_text();
        if let Ok(id) = text.trim().parse() {
            break id;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    };
    assert!(runs(child) && runs(grandchild));
    drop(process);
    gone(child).await;
    gone(grandchild).await;
}

#[tokio::test]
async fn a_deadline_kills_a_silent_child() {
    let mut process = shell(&format!("{ITEM} sleep 60"));
    let id = process.id().expect("an identifier");
    process.items = process.items.idle_within(Duration::from_millis(50));
    assert!(matches!(
        process.items.next().await,
        Some(Ok(Event::Item(_)))
    ));
    let error = process
        .items
        .next()
        .await
        .expect("an error")
        .expect_err("an error");
    assert_eq!(error.code(), Code::IdleTimeout);
    assert!(!runs(id));
}

#[tokio::test]
async fn a_slow_reader_bounds_what_a_child_writes() {
    let mut process = shell(r#"exec yes '{"type":"step"}'"#);
    let id = process.id().expect("an identifier");
    assert!(matches!(
        process.items.next().await,
        Some(Ok(Event::Item(_)))
    ));
    let written = loop {
        let before = written_by(id);
        tokio::time::sleep(Duration::from_millis(200)).await;
        if written_by(id) == before {
            break before;
        }
    };
    // What was read, which is one chunk, and the pipe of the system, each of 64 KiB; what `yes`
    // was about to write does not count.
    println!("the child has written {written} bytes");
    assert!(written <= 2 * (64 << 10), "{written}");
}

fn written_by(id: u32) -> u64 {
    let io = std::fs::read_to_string(format!("/proc/{id}/io")).expect("counters");
    let line = io.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|bytes| bytes.parse().ok()).expect("a count")
}

async fn gone(id: u32) {
    let start = Instant::now();
    while runs(id) {
        assert!(start.elapsed() < SOON, "process {id} still runs");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
