//! Producers as processes: a reader that leaves, and signals. The test starts itself as producer.

mod common;

use common::{TERMINAL, item, raw};
use libtest_mimic::{Arguments, Trial};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wirelock_runtime::blocking::{Cause, Producer, Written};
use wirelock_runtime::framing::Policy;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("--produce") => produce(),
        Some("--wait") => wait(),
        Some("--flood") => flood(),
        _ => {
            let trials = vec![
                trial(
                    "a_reader_that_leaves_ends_a_producer_cleanly",
                    a_reader_that_leaves,
                ),
                trial("a_signal_gives_the_run_its_terminal_item", a_signal),
                trial(
                    "a_reader_that_reads_nothing_does_not_hold_a_signal_up",
                    a_full_pipe,
                ),
            ];
            libtest_mimic::run(&Arguments::from_args(), trials).exit();
        }
    }
}

fn trial(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

/// Writes lines until nobody reads any more.
fn produce() {
    let producer = Producer::stdout(item(), Policy::default(), |item, seq| {
        *item = raw(&format!(
            r#"{{"type":"step","seq":{seq},"pad":"{:64}"}}"#,
            ""
        ));
    });
    loop {
        match producer.send(raw("{}")) {
            Ok(Written::More) => {}
            Ok(Written::Gone) => return,
            other => panic!("{other:?}"),
        }
    }
}

/// Writes a line, and its last words on a signal.
fn wait() {
    let producer = Producer::stdout(item(), Policy::default(), |_, _| {})
        .last_words(|cause| {
            assert_eq!(cause, Cause::Signal(Signal::TERM.as_raw()));
            raw(TERMINAL)
        })
        .on_signals(&[Signal::TERM.as_raw()])
        .expect("signals");
    producer.send(raw(r#"{"type":"step"}"#)).expect("sent");
    std::thread::sleep(Duration::from_secs(60));
}

/// Writes lines to a reader that reads nothing, and so hangs in a write when the signal comes.
fn flood() {
    let producer = Producer::stdout(item(), Policy::default(), |_, _| {})
        .last_words(|_| raw(TERMINAL))
        .on_signals(&[Signal::TERM.as_raw()])
        .expect("signals");
    loop {
        producer.send(raw(r#"{"type":"step"}"#)).expect("sent");
    }
}

fn start(role: &str) -> Child {
    Command::new(std::env::current_exe().expect("this test"))
        .arg(role)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a producer")
}

fn end(mut child: Child) -> (ExitStatus, String) {
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
        if start.elapsed() > Duration::from_secs(10) {
            child.kill().expect("killed");
            panic!("the producer does not end");
        }
    };
    let mut stderr = String::new();
    let mut pipe = child.stderr.take().expect("a pipe");
    pipe.read_to_string(&mut stderr).expect("text");
    (status, stderr)
}

fn a_reader_that_leaves() {
    let mut child = start("--produce");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.starts_with(r#"{"type":"step","seq":0,"#), "{first}");
    let second = lines.next().expect("a line").expect("text");
    assert!(second.starts_with(r#"{"type":"step","seq":1,"#), "{second}");
    drop(lines);
    let (status, stderr) = end(child);
    assert!(status.success(), "{status}");
    assert_eq!(stderr, "");
}

fn a_signal() {
    let mut child = start("--wait");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    lines.next().expect("a line").expect("text");
    signal(&child);
    assert_eq!(lines.next().expect("a line").expect("text"), TERMINAL);
    assert!(lines.next().is_none());
    let (status, _) = end(child);
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
}

fn a_full_pipe() {
    let mut child = start("--flood");
    let stdout = child.stdout.take();
    std::thread::sleep(Duration::from_millis(100));
    signal(&child);
    let (status, _) = end(child);
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
    drop(stdout);
}

fn signal(child: &Child) {
    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    kill_process(id.expect("an identifier"), Signal::TERM).expect("sent");
}
