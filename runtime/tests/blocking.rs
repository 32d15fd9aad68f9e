//! The blocking driver: what is released when, and where it stops.

mod common;

use common::{Guard, ITEM, Probe, TERMINAL, envelope, item, raw};
use std::io::{self, BufReader, Read, Write};
use std::time::{Duration, Instant};
use wirelock_runtime::blocking::{Cause, ItemReader, ItemWriter, Producer, Written};
use wirelock_runtime::framing::{Event, Policy};
use wirelock_runtime::{Code, Failure};

/// A source that counts what is read of it and tells when it is dropped.
struct Watched<R> {
    source: R,
    probe: Probe,
    _guard: Guard,
}

impl<R: Read> Watched<R> {
    fn new(source: R, probe: &Probe) -> BufReader<Self> {
        BufReader::with_capacity(
            1 << 10,
            Self {
                source,
                probe: probe.clone(),
                _guard: probe.guard(),
            },
        )
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.probe.count(read);
        Ok(read)
    }
}

#[test]
fn the_source_is_dropped_before_the_terminal_item_is_seen() {
    let probe = Probe::default();
    let wire = format!("{ITEM}\n{TERMINAL}\n");
    let endless = wire.as_bytes().chain(io::repeat(b'x'));
    let mut reader = ItemReader::new(Watched::new(endless, &probe), item(), Policy::default());
    assert!(matches!(reader.next(), Some(Ok(Event::Item(_)))));
    assert!(!probe.is_dropped());
    assert!(matches!(reader.next(), Some(Ok(Event::Terminal(_)))));
    assert!(probe.is_dropped());
    assert!(reader.next().is_none());
    assert!(reader.next().is_none());
}

#[test]
fn an_error_stays_and_the_source_is_dropped_before_it() {
    let probe = Probe::default();
    let source = Watched::new(&b"oops\n{}\n"[..], &probe);
    let mut reader = ItemReader::new(source, item(), Policy::default());
    for _ in 0..3 {
        let error = reader.next().expect("an error").expect_err("an error");
        assert_eq!((error.code(), error.line()), (Code::InvalidJson, Some(1)));
        assert!(probe.is_dropped());
    }
}

#[test]
fn an_endless_line_is_read_no_further_than_the_chunk_that_crosses_the_bound() {
    let probe = Probe::default();
    let policy = Policy {
        max_frame_bytes: Some(100_000),
        ..Policy::default()
    };
    let source = Watched::new(io::repeat(b'x'), &probe);
    let mut reader = ItemReader::new(source, item(), policy);
    let error = reader.next().expect("an error").expect_err("an error");
    assert_eq!(error.code(), Code::FrameTooLarge);
    // The buffer of this source has 1 KiB, which is the size of a chunk.
    assert_eq!(probe.bytes(), 100_000_usize.next_multiple_of(1 << 10));
}

#[test]
fn the_terminal_item_of_an_envelope_waits_for_its_proof() {
    let wire = format!("{{\"type\":\"data\",\"data\":{TERMINAL}}}\n{{\"type\":\"end\"}}\n");
    let probe = Probe::default();
    let source = Watched::new(wire.as_bytes(), &probe);
    let mut reader = ItemReader::new(source, envelope(), Policy::default());
    assert!(matches!(reader.next(), Some(Ok(Event::Terminal(_)))));
    assert!(probe.is_dropped());
    assert!(reader.next().is_none());
}

#[test]
fn a_reader_that_is_told_to_stop_stops() {
    let probe = Probe::default();
    let wire = format!("{ITEM}\n{ITEM}\n");
    let source = Watched::new(wire.as_bytes(), &probe);
    let mut reader = ItemReader::new(source, item(), Policy::default());
    assert!(reader.next().is_some_and(|event| event.is_ok()));
    reader.abort();
    assert!(probe.is_dropped());
    let error = reader.next().expect("an error").expect_err("an error");
    assert_eq!((error.code(), error.line()), (Code::Aborted, Some(2)));
}

#[test]
fn a_deadline_ends_a_stream_that_never_ends() {
    let heartbeats = BufReader::new(io::repeat(b'\n'));
    let mut reader =
        ItemReader::new(heartbeats, item(), Policy::default()).within(Duration::from_millis(30));
    let start = Instant::now();
    let error = reader.next().expect("an error").expect_err("an error");
    assert_eq!(error.code(), Code::LifetimeExceeded);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_read_timeout_of_the_source_is_idleness() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let client = std::net::TcpStream::connect(address).expect("a connection");
    let (mut server, _) = listener.accept().expect("a connection");
    server.write_all(ITEM.as_bytes()).expect("sent");
    server.write_all(b"\n{").expect("sent");
    let timeout = Some(Duration::from_millis(50));
    client.set_read_timeout(timeout).expect("a timeout");
    let mut reader = ItemReader::new(BufReader::new(client), item(), Policy::default());
    assert!(reader.next().is_some_and(|event| event.is_ok()));
    let error = reader.next().expect("an error").expect_err("an error");
    assert_eq!((error.code(), error.line()), (Code::IdleTimeout, Some(2)));
}

#[test]
fn a_writer_asks_its_source_for_nothing_behind_the_terminal_item() {
    let probe = Probe::default();
    let guard = probe.guard();
    let mut given = 0;
    let source = std::iter::from_fn(move || {
        let _ = &guard;
        given += 1;
        assert!(given <= 2, "asked for an item behind the terminal one");
        Some(raw(if given == 1 { ITEM } else { TERMINAL }))
    });
    let mut wire = Vec::new();
    let mut writer = ItemWriter::new(&mut wire, item(), Policy::default());
    assert_eq!(writer.write_all(source), Ok(Written::Done));
    assert!(probe.is_dropped());
    let late = writer.write(&raw(ITEM)).expect_err("nothing follows");
    assert_eq!(late.code(), Code::ProtocolError);
    assert_eq!(wire, format!("{ITEM}\n{TERMINAL}\n").as_bytes());
}

#[test]
fn a_source_without_terminal_item_is_a_failure_that_envelopes_tell() {
    for (contract, tells) in [(item(), false), (envelope(), true)] {
        let mut wire = Vec::new();
        let mut writer = ItemWriter::new(&mut wire, contract, Policy::default());
        let error = writer.write_all([raw(ITEM)]).expect_err("no terminal item");
        assert_eq!(error.code(), Code::TerminalMissing);
        let wire = String::from_utf8(wire).expect("text");
        assert_eq!(wire.contains("STREAM_TERMINAL_MISSING"), tells, "{wire}");
    }
}

#[test]
fn a_failure_is_told_in_envelopes_alone() {
    let failure = Failure::new("QUOTA")
        .with_message("used up")
        .with_hint("wait");
    let mut wire = Vec::new();
    let mut writer = ItemWriter::new(&mut wire, envelope(), Policy::default());
    assert_eq!(writer.write(&raw(ITEM)), Ok(Written::More));
    assert_eq!(writer.fail(&failure), Ok(Written::Done));
    let mut reader = ItemReader::new(&wire[..], envelope(), Policy::default());
    assert!(reader.next().is_some_and(|event| event.is_ok()));
    let error = reader.next().expect("an error").expect_err("an error");
    assert_eq!(
        error.detail(),
        &wirelock_runtime::Detail::Remote(failure.clone())
    );

    let mut wire = Vec::new();
    let mut writer = ItemWriter::new(&mut wire, item(), Policy::default());
    assert_eq!(writer.write(&raw(ITEM)), Ok(Written::More));
    assert_eq!(writer.fail(&failure), Ok(Written::Done));
    assert_eq!(wire, format!("{ITEM}\n").as_bytes());
}

#[test]
fn an_item_over_the_bound_is_a_failure_of_the_producer() {
    let policy = Policy {
        max_frame_bytes: Some(ITEM.len() as u64),
        ..Policy::default()
    };
    let mut wire = Vec::new();
    let mut writer = ItemWriter::new(&mut wire, item(), policy);
    assert_eq!(writer.write(&raw(ITEM)), Ok(Written::More));
    let error = writer
        .write(&raw(r#"{"type":"steps"}"#))
        .expect_err("too large");
    assert_eq!(error.code(), Code::FrameTooLarge);
    assert!(writer.is_over());
    assert_eq!(wire, format!("{ITEM}\n").as_bytes());
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let (reader, writer) = io::pipe().expect("a pipe");
    let mut writer = ItemWriter::new(writer, item(), Policy::default());
    assert_eq!(writer.write(&raw(ITEM)), Ok(Written::More));
    drop(reader);
    assert_eq!(writer.write(&raw(ITEM)), Ok(Written::Gone));
    assert_eq!(writer.write(&raw(TERMINAL)), Ok(Written::Gone));
}

#[test]
fn a_producer_that_panics_still_ends_its_run() {
    let (mut reader, writer) = io::pipe().expect("a pipe");
    let thread = std::thread::spawn(move || {
        let producer =
            Producer::new(writer, item(), Policy::default(), |_, _| {}).last_words(|cause| {
                assert_eq!(cause, Cause::Panic);
                raw(TERMINAL)
            });
        producer.send(raw(ITEM)).expect("sent");
        // Quiet, as this panic is wanted.
        std::panic::resume_unwind(Box::new("wanted"));
    });
    assert!(thread.join().is_err());
    let mut wire = String::new();
    reader.read_to_string(&mut wire).expect("a wire");
    assert_eq!(wire, format!("{ITEM}\n{TERMINAL}\n"));
}
