//! `decode`: lines to values beside `serde_json::Value` and other readers, line by line on one core.

#[path = "../../src/clock.rs"]
#[allow(dead_code)]
mod clock;
mod first;
#[path = "../../src/options.rs"]
mod options;
mod recording;
mod tagged;
mod updates;

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clock::cpu_time;
use options::{Load, Shared};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::process::ExitCode;
use std::time::Duration;

/// Measures decoding beside other readers of JSON lines.
#[derive(Parser)]
#[command(bin_name = "cargo xtask bench", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    benchmark: Benchmark,
}

/// `cargo xtask bench` gives every benchmark its own name first.
#[derive(Subcommand)]
enum Benchmark {
    Decode(Options),
}

/// Lines to values: generated types beside serde_json::Value, serde, typify, simd-json and sonic-rs
#[derive(Args)]
struct Options {
    #[command(flatten)]
    shared: Shared,
    #[command(flatten)]
    load: Load,
    /// The one recording to decode; both where nothing is said
    #[arg(long, value_enum)]
    part: Option<Part>,
    /// Decode by this way alone, without measuring, for profilers and instruction counters
    #[arg(long, value_name = "WAY", conflicts_with = "format")]
    once: Option<String>,
}

/// A recording.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Goldens of this contract
    Stream,
    /// Updates of the Agent Client Protocol, where ../shared is present
    Updates,
}

/// Every way goes through one piece before any goes on to the next, so that a machine that slows
/// down slows all of them.
const PIECE: usize = 2 << 20;

/// The types of the second contract, which lies beside the repository.
#[cfg(outside)]
#[rustfmt::skip]
#[allow(dead_code, unused_imports, unreachable_pub, clippy::all)]
mod acp {
    include!(concat!(env!("OUT_DIR"), "/acp.rs"));
}

/// What `typify` makes of both schemas as they stand.
#[allow(dead_code, unused_imports, unreachable_pub, clippy::all, rustdoc::all)]
mod typify_stream {
    include!(concat!(env!("OUT_DIR"), "/stream_typify.rs"));
}

/// The same of the second contract.
#[cfg(outside)]
#[allow(dead_code, unused_imports, unreachable_pub, clippy::all, rustdoc::all)]
mod typify_acp {
    include!(concat!(env!("OUT_DIR"), "/acp_typify.rs"));
}

/// A name, and what decodes every line of a piece and counts them. Some peers write into what they
/// read, so that each gets a copy of its own; copying is not measured.
type Way = (&'static str, fn(&mut [u8]) -> Result<usize>);

/// What all others are multiples of.
const BASE: Way = ("serde_json::Value", |piece| {
    each(piece, |line| {
        serde_json::from_slice::<serde_json::Value>(line).map(drop)
    })
});

/// What is the same for every contract: values of no type, and limits that decode nothing.
const UNTYPED: [Way; 3] = [
    ("sonic-rs Value", |piece| {
        each(piece, |line| {
            sonic_rs::from_slice::<sonic_rs::Value>(line).map(drop)
        })
    }),
    ("limit: serde_json IgnoredAny, no UTF-8", |piece| {
        each(piece, |line| {
            serde_json::from_slice::<IgnoredAny>(line).map(drop)
        })
    }),
    ("limit: memchr line count", |piece| {
        Ok(memchr::memchr_iter(b'\n', piece).count())
    }),
];

const STREAM: &[Way] = &[
    ("generated, owned", |piece| {
        each(piece, |line| {
            stream_json::from_slice::<stream_json::Line>(line).map(drop)
        })
    }),
    ("generated, borrowed", |piece| {
        each(piece, |line| {
            stream_json::from_slice::<stream_json::borrowed::Line<'_>>(line).map(drop)
        })
    }),
    ("generated, peek", |piece| {
        each(piece, |line| {
            stream_json::from_slice::<stream_json::borrowed::LinePeek<'_>>(line).map(drop)
        })
    }),
    ("serde tag and flatten, owned", |piece| {
        each(piece, |line| {
            serde_json::from_slice::<tagged::Line>(line).map(drop)
        })
    }),
    ("typify as it is", |piece| {
        each(piece, |line| {
            serde_json::from_slice::<typify_stream::Line>(line).map(drop)
        })
    }),
    ("serde_json, tags first, Cow and RawValue", |piece| {
        each(piece, |line| {
            serde_json::from_slice::<first::Line<'_, &RawValue>>(line).map(drop)
        })
    }),
    ("simd-json, tags first, Cow", |piece| {
        let mut buffers = simd_json::Buffers::default();
        each_mut(piece, |line| {
            type Line<'a> = first::Line<'a, simd_json::BorrowedValue<'a>>;
            simd_json::serde::from_slice_with_buffers::<Line<'_>>(line, &mut buffers).map(drop)
        })
    }),
    ("sonic-rs, tags first, Cow and LazyValue", |piece| {
        each(piece, |line| {
            sonic_rs::from_slice::<first::Line<'_, sonic_rs::LazyValue<'_>>>(line).map(drop)
        })
    }),
];

#[cfg(outside)]
const UPDATES: &[Way] = &[
    ("generated, owned", |piece| {
        each(piece, |line| {
            wirelock_runtime::from_slice::<acp::SessionNotification>(line).map(drop)
        })
    }),
    ("generated, borrowed", |piece| {
        each(piece, |line| {
            wirelock_runtime::from_slice::<acp::borrowed::SessionNotification<'_>>(line).map(drop)
        })
    }),
    ("generated, peek", |piece| {
        each(piece, |line| {
            wirelock_runtime::from_slice::<acp::borrowed::SessionNotificationPeek<'_>>(line)
                .map(drop)
        })
    }),
    ("typify as it is", |piece| {
        each(piece, |line| {
            serde_json::from_slice::<typify_acp::Update>(line).map(drop)
        })
    }),
    ("serde_json, tags first, Cow and RawValue", |piece| {
        each(piece, |line| {
            serde_json::from_slice::<updates::Notification<'_, &RawValue>>(line).map(drop)
        })
    }),
    ("simd-json, tags first, Cow", |piece| {
        let mut buffers = simd_json::Buffers::default();
        each_mut(piece, |line| {
            type Line<'a> = updates::Notification<'a, simd_json::BorrowedValue<'a>>;
            simd_json::serde::from_slice_with_buffers::<Line<'_>>(line, &mut buffers).map(drop)
        })
    }),
    ("sonic-rs, tags first, Cow and LazyValue", |piece| {
        each(piece, |line| {
            sonic_rs::from_slice::<updates::Notification<'_, sonic_rs::LazyValue<'_>>>(line)
                .map(drop)
        })
    }),
];

/// One way through one recording.
#[derive(Serialize)]
struct Row {
    recording: &'static str,
    way: &'static str,
    /// How many times as fast as the base, the median over pieces and rounds.
    ratio: f64,
    /// Nanoseconds of CPU for one line, the median.
    ns_per_line: f64,
    mib_per_second: f64,
}

/// What one run gives.
#[derive(Serialize)]
struct Report {
    mib: usize,
    rounds: usize,
    /// The core that the run was bound to.
    pinned_to: Option<usize>,
    rows: Vec<Row>,
    /// What was left out, and why.
    skipped: Vec<String>,
}

fn main() -> ExitCode {
    options::main(|cli: Cli| {
        let Benchmark::Decode(options) = cli.benchmark;
        run(&options)?;
        Ok(ExitCode::SUCCESS)
    })
}

fn run(options: &Options) -> Result<()> {
    let (mib, rounds) = (options.load.mib(), options.load.rounds(3));
    let once = options.once.as_deref();
    let mut report = Report {
        mib,
        rounds,
        pinned_to: pin(),
        rows: Vec::new(),
        skipped: Vec::new(),
    };
    if options.part != Some(Part::Updates) {
        beside(
            "stream_v1",
            &recording::stream(mib << 20)?,
            STREAM,
            once,
            &mut report,
        )?;
    }
    if options.part != Some(Part::Stream) {
        second(mib, once, &mut report)?;
    }
    if once.is_some() {
        return Ok(());
    }
    if options.shared.as_json() {
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(());
    }
    let pinned = report
        .pinned_to
        .map_or_else(|| "not pinned".to_owned(), |core| format!("on core {core}"));
    println!(
        "CPU time of decoding {mib} MiB line by line, medians over pieces and {rounds} rounds, {pinned}\n"
    );
    println!("| recording | way | x serde_json::Value | ns/line | MiB/s |");
    println!("|---|---|---|---|---|");
    for row in &report.rows {
        println!(
            "| {} | {} | {:.2} | {:.0} | {:.0} |",
            row.recording, row.way, row.ratio, row.ns_per_line, row.mib_per_second
        );
    }
    for why in &report.skipped {
        println!("\nnot present: {why}");
    }
    Ok(())
}

#[cfg(outside)]
fn second(mib: usize, once: Option<&str>, report: &mut Report) -> Result<()> {
    beside(
        "ACP session updates",
        &recording::updates(mib << 20)?,
        UPDATES,
        once,
        report,
    )
}

#[cfg(not(outside))]
fn second(_: usize, _: Option<&str>, report: &mut Report) -> Result<()> {
    report
        .skipped
        .push("ACP session updates: its schema does not lie beside the repository".to_owned());
    Ok(())
}

/// Every way through one recording, piece by piece and in turn.
fn beside(
    name: &'static str,
    wire: &[u8],
    ways: &[Way],
    once: Option<&str>,
    report: &mut Report,
) -> Result<()> {
    let ways: Vec<Way> = std::iter::once(BASE)
        .chain(ways.iter().copied())
        .chain(UNTYPED)
        .collect();
    if let Some(once) = once {
        let way = ways.iter().find(|(way, _)| *way == once);
        let (_, run) = way.with_context(|| format!("{once}: there is no such way"))?;
        for _ in 0..report.rounds {
            for piece in pieces(wire) {
                run(&mut piece.to_vec())?;
            }
        }
        return Ok(());
    }
    // By way: the ratio to the base and the time for a line, of each piece in each round.
    let mut figures: Vec<Vec<(f64, f64)>> = vec![Vec::new(); ways.len()];
    let mut copy = Vec::new();
    for round in 0..report.rounds {
        for (number, piece) in pieces(wire).enumerate() {
            let expected = memchr::memchr_iter(b'\n', piece).count();
            let mut times = vec![Duration::ZERO; ways.len()];
            for turn in 0..ways.len() {
                // Whoever comes first differs, so that nobody always has the warmest caches.
                let at = (turn + round + number) % ways.len();
                let (way, run) = ways[at];
                copy.clear();
                copy.extend_from_slice(piece);
                let mut lines = 0;
                times[at] = cpu_time(|| {
                    lines = run(&mut copy).with_context(|| way.to_owned())?;
                    Ok(())
                })?;
                ensure!(lines == expected, "{way}: {lines} lines of {expected}");
            }
            for (time, figures) in times.iter().zip(&mut figures) {
                let seconds = time.as_secs_f64().max(1e-9);
                figures.push((
                    times[0].as_secs_f64() / seconds,
                    seconds * 1e9 / expected as f64,
                ));
            }
        }
    }
    let lines = memchr::memchr_iter(b'\n', wire).count();
    for ((way, _), figures) in ways.iter().zip(&figures) {
        let ns_per_line = median(figures.iter().map(|figures| figures.1));
        report.rows.push(Row {
            recording: name,
            way,
            ratio: median(figures.iter().map(|figures| figures.0)),
            ns_per_line,
            mib_per_second: wire.len() as f64 / lines as f64 / ns_per_line * 1e9
                / f64::from(1 << 20),
        });
    }
    Ok(())
}

/// Whole lines, a piece of them at a time.
fn pieces(mut wire: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        if wire.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', wire.get(PIECE..).unwrap_or_default());
        let (piece, rest) = wire.split_at(end.map_or(wire.len(), |end| PIECE + end + 1));
        wire = rest;
        Some(piece)
    })
}

/// Calls back for every line.
fn each<'a, E: Into<anyhow::Error>>(
    piece: &'a mut [u8],
    mut decode: impl FnMut(&'a [u8]) -> Result<(), E>,
) -> Result<usize> {
    each_mut(piece, |line| decode(line))
}

fn each_mut<'a, E: Into<anyhow::Error>>(
    mut piece: &'a mut [u8],
    mut decode: impl FnMut(&'a mut [u8]) -> Result<(), E>,
) -> Result<usize> {
    let mut count = 0;
    while let Some(end) = memchr::memchr(b'\n', piece) {
        let (line, rest) = piece.split_at_mut(end + 1);
        count += 1;
        let shown = |error: E| anyhow!(error.into()).context(format!("line {count}"));
        decode(&mut line[..end]).map_err(shown)?;
        piece = rest;
    }
    Ok(count)
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

/// Binds this process to the core it runs on, where the system lets it.
#[cfg(target_os = "linux")]
fn pin() -> Option<usize> {
    let core = rustix::thread::sched_getcpu();
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(core);
    rustix::thread::sched_setaffinity(None, &cores)
        .ok()
        .map(|()| core)
}

#[cfg(not(target_os = "linux"))]
fn pin() -> Option<usize> {
    None
}
