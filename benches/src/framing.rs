//! `framing`: bytes to frames beside what does a part of it, and its cost at chunks of one byte.

use crate::clock::{cpu_time, median};
use crate::options::{Load, Shared};
use anyhow::{Result, ensure};
use bytes::BytesMut;
use clap::Args;
use serde::Serialize;
use std::io::{BufRead, BufReader};
use std::time::Duration;
use tokio_util::codec::{Decoder as _, LinesCodec};
use wirelock_runtime::FinalLine;
use wirelock_runtime::framing::Lines;

/// Frames of 64 KiB chunks beside a memchr count of line feeds, tokio-util and read_until
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    shared: Shared,
    #[command(flatten)]
    load: Load,
}

/// How many bytes come at once.
const CHUNK: usize = 64 << 10;

/// One way through a recording.
#[derive(Serialize)]
struct Row {
    recording: String,
    way: &'static str,
    /// Milliseconds of CPU, the median of the rounds.
    cpu_ms: f64,
    gib_per_second: f64,
    /// A multiple of the memchr count in the same run.
    to_memchr: Option<f64>,
}

/// A name, and what counts the lines.
type Way = (&'static str, fn(&[u8]) -> Result<usize>);

const WAYS: [Way; 4] = [
    ("memchr count of line feeds, no UTF-8", count),
    ("wirelock", stepped),
    ("BufRead::read_until, no UTF-8", read_until),
    ("tokio-util LinesCodec", codec),
];

/// Runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<()> {
    let (mib, rounds) = (options.load.mib(), options.load.rounds(15));
    let mut rows = Vec::new();
    for (name, length, text) in [
        ("deltas, 200 bytes a line", 200, "x"),
        ("messages, 1 KiB a line", 1 << 10, "x"),
        ("messages, 1 KiB a line, no ASCII", 1 << 10, "é€"),
        ("documents, 16 KiB a line", 16 << 10, "x"),
    ] {
        beside(name, &recording(mib << 20, length, text), rounds, &mut rows)?;
    }
    let growth = single_bytes(rounds.min(5), &mut rows)?;
    if options.shared.as_json() {
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(());
    }
    println!("CPU time of {mib} MiB, median of {rounds} rounds in turn\n");
    println!("| recording | way | CPU | GiB/s | x memchr |");
    println!("|---|---|---|---|---|");
    for row in &rows {
        let ratio = row
            .to_memchr
            .map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        println!(
            "| {} | {} | {:.2} ms | {:.2} | {ratio} |",
            row.recording, row.way, row.cpu_ms, row.gib_per_second
        );
    }
    println!("\na line 16 times as long takes {growth:.1} times as long at chunks of one byte");
    Ok(())
}

/// Every way through one recording, in turn.
fn beside(name: &str, wire: &[u8], rounds: usize, rows: &mut Vec<Row>) -> Result<()> {
    let expected = count(wire)?;
    let mut times = vec![Vec::new(); WAYS.len()];
    for _ in 0..rounds {
        for ((way, run), times) in WAYS.iter().zip(&mut times) {
            let mut lines = 0;
            times.push(cpu_time(|| {
                lines = run(wire)?;
                Ok(())
            })?);
            ensure!(lines == expected, "{way}: {lines} lines of {expected}");
        }
    }
    let base = median(&times[0]);
    for ((way, _), times) in WAYS.iter().zip(&times) {
        let time = median(times);
        rows.push(row(name.to_owned(), way, wire.len(), time, Some(base)));
    }
    Ok(())
}

/// Frames at chunks of one byte, for one line of 64 KiB and for one of 1 MiB; how many times as
/// long the second one takes.
fn single_bytes(rounds: usize, rows: &mut Vec<Row>) -> Result<f64> {
    let mut times = Vec::new();
    for length in [64 << 10, 1 << 20] {
        let wire = recording(length, length, "x");
        let mut taken = Vec::new();
        for _ in 0..rounds.max(1) {
            taken.push(cpu_time(|| {
                let mut lines = Lines::new(16 << 20, FinalLine::Allow);
                let mut count = 0;
                for byte in wire.chunks(1) {
                    count += usize::from(lines.next(&mut &*byte)?.is_some());
                }
                Ok(count)
            })?);
        }
        let time = median(&taken);
        let name = format!("one line of {} KiB", length >> 10);
        rows.push(row(
            name,
            "wirelock, chunks of one byte",
            wire.len(),
            time,
            None,
        ));
        times.push(time.as_secs_f64());
    }
    Ok(times[1] / times[0])
}

fn row(
    recording: String,
    way: &'static str,
    bytes: usize,
    time: Duration,
    base: Option<Duration>,
) -> Row {
    let seconds = time.as_secs_f64();
    Row {
        recording,
        way,
        cpu_ms: seconds * 1e3,
        gib_per_second: bytes as f64 / seconds / f64::from(1 << 30),
        to_memchr: base.map(|base| seconds / base.as_secs_f64()),
    }
}

/// Lines of about that length, the last one whole.
fn recording(bytes: usize, length: usize, text: &str) -> Vec<u8> {
    let mut wire = Vec::with_capacity(bytes + length);
    let mut number = 0;
    while wire.len() < bytes {
        // Lengths vary a little, so that nothing is learnt by heart.
        let length = length - length / 8 + (number * 37) % (length / 4);
        let head = format!(r#"{{"type":"step","seq":{number},"text":""#);
        let pad = length.saturating_sub(head.len() + 3) / text.len();
        wire.extend_from_slice(head.as_bytes());
        wire.extend_from_slice(text.repeat(pad).as_bytes());
        wire.extend_from_slice(b"\"}\n");
        number += 1;
    }
    wire
}

fn count(wire: &[u8]) -> Result<usize> {
    let count = |chunk| memchr::memchr_iter(b'\n', chunk).count();
    Ok(wire.chunks(CHUNK).map(count).sum())
}

fn stepped(wire: &[u8]) -> Result<usize> {
    let mut lines = Lines::new(16 << 20, FinalLine::Allow);
    let mut count = 0;
    for mut chunk in wire.chunks(CHUNK) {
        while let Some(frame) = lines.next(&mut chunk)? {
            std::hint::black_box(&frame);
            count += 1;
        }
    }
    Ok(count)
}

fn read_until(wire: &[u8]) -> Result<usize> {
    let mut reader = BufReader::with_capacity(CHUNK, wire);
    let (mut line, mut count) = (Vec::new(), 0);
    while reader.read_until(b'\n', &mut line)? > 0 {
        std::hint::black_box(&line);
        line.clear();
        count += 1;
    }
    Ok(count)
}

fn codec(wire: &[u8]) -> Result<usize> {
    let mut codec = LinesCodec::new_with_max_length(16 << 20);
    let (mut buffer, mut count) = (BytesMut::with_capacity(2 * CHUNK), 0);
    for chunk in wire.chunks(CHUNK) {
        buffer.extend_from_slice(chunk);
        while let Some(line) = codec.decode(&mut buffer)? {
            std::hint::black_box(&line);
            count += 1;
        }
    }
    Ok(count)
}
