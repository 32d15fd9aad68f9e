//! `audit`: the whole audit of a recording beside the validator crate over `serde_json::Value`.

use crate::clock::{cpu_time, median};
use crate::options::{Load, Shared};
use crate::recording;
use anyhow::{Context as _, Result, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wirelock_codegen::audit::{self, Audit, Part};
use wirelock_codegen::wire;

/// The strict audit beside the jsonschema crate, and on two threads beside one
///
/// Goes through recordings of this contract and of updates of the Agent Client Protocol (where
/// ../shared is present); the crate reads each line as a `serde_json::Value`.
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    shared: Shared,
    #[command(flatten)]
    load: Load,
    /// Go through the recordings once, without measuring, for instruction counters
    #[arg(long, value_enum, value_name = "WAY", conflicts_with_all = ["format", "rounds"])]
    once: Option<Once>,
}

/// What goes through recordings once.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Once {
    /// This project's audit
    Audit,
    /// The validator crate
    Jsonschema,
}

const CONTRACT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../schema/stream-json.schema.json"
);
/// A contract from elsewhere, which stands beside the repository on some machines only.
const OUTSIDE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../shared/corpus/schemas/acp-v1-2026-08.json"
);
/// How many bytes of lines are audited at once, as `check-stream` does it.
const BLOCK: usize = 1 << 20;

/// One way through a recording.
#[derive(Serialize)]
struct Row {
    contract: &'static str,
    way: &'static str,
    /// Milliseconds, the median of the rounds: of CPU on one core, of the clock for the command.
    ms: f64,
    mib_per_second: f64,
    /// The throughput as a multiple of the way that it is compared with.
    to: Option<(&'static str, f64)>,
}

/// A contract with its recording.
struct Subject {
    name: &'static str,
    schema: String,
    recording: Vec<u8>,
}

/// Runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<()> {
    let (mib, rounds) = (options.load.mib(), options.load.rounds(7));
    let mut rows = Vec::new();
    for subject in subjects(mib << 20)? {
        match options.once {
            Some(Once::Audit) => drop(audited(&subject.audit()?, &subject.recording)?),
            Some(Once::Jsonschema) => drop(validated(
                &validator(&subject.schema, false)?,
                &subject.recording,
            )?),
            None => {
                one_core(&subject, rounds, &mut rows)?;
                two_cores(&subject, rounds, &mut rows)?;
            }
        }
    }
    if options.shared.as_json() {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else if options.once.is_none() {
        println!("{mib} MiB, median of {rounds} rounds in turn\n");
        println!("| contract | way | time | MiB/s | throughput |");
        println!("|---|---|---|---|---|");
        for row in &rows {
            let to = row
                .to
                .map_or_else(String::new, |(way, ratio)| format!("{ratio:.2} x {way}"));
            println!(
                "| {} | {} | {:.0} ms | {:.0} | {to} |",
                row.contract, row.way, row.ms, row.mib_per_second
            );
        }
    }
    Ok(())
}

fn subjects(bytes: usize) -> Result<Vec<Subject>> {
    let mut subjects = vec![Subject {
        name: "stream_v1",
        schema: std::fs::read_to_string(CONTRACT).context("the contract cannot be read")?,
        recording: recording::of_goldens(bytes)?,
    }];
    if Path::new(OUTSIDE).is_file() {
        let schema = recording::rooted_at(Path::new(OUTSIDE), "SessionNotification")?;
        let wire = wire::read("acp", &schema)?;
        let root = wire.roots.first().context("a root")?.node;
        let recording = recording::of_samples(&wire, root, bytes)?;
        subjects.push(Subject {
            name: "ACP session updates",
            schema,
            recording,
        });
    } else {
        eprintln!("skipped: {OUTSIDE} is not there");
    }
    Ok(subjects)
}

impl Subject {
    fn audit(&self) -> Result<Audit> {
        let options = audit::Options {
            strict: true,
            many_runs: true,
            ..audit::Options::default()
        };
        Ok(Audit::new(&wire::read(self.name, &self.schema)?, &options)?)
    }
}

const AUDIT: &str = "wirelock, the strict audit";
const PUBLISHED: &str = "jsonschema over serde_json::Value";
const STRICT: &str = "jsonschema, the strict reading";
const PARSED: &str = "serde_json::Value alone, no validation";
const ONE: &str = "check-stream on one thread, wall clock";
const TWO: &str = "check-stream on two threads, wall clock";
const ONE_BUSIEST: &str = "check-stream on one thread, its CPU";
const TWO_BUSIEST: &str = "check-stream on two threads, CPU of the busier one";

fn one_core(subject: &Subject, rounds: usize, rows: &mut Vec<Row>) -> Result<()> {
    let audit = subject.audit()?;
    let wire = wire::read(subject.name, &subject.schema)?;
    let published = validator(&subject.schema, false)?;
    let strict = validator(&wire::strict_schema(&wire), true)?;
    let recording = subject.recording.as_slice();
    let ways: [(&str, &dyn Fn() -> Result<usize>); 4] = [
        (AUDIT, &|| audited(&audit, recording)),
        (PUBLISHED, &|| validated(&published, recording)),
        (STRICT, &|| validated(&strict, recording)),
        (PARSED, &|| parsed(recording)),
    ];
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for ((_, run), times) in ways.iter().zip(&mut times) {
            times.push(cpu_time(run)?);
        }
    }
    let base = median(&times[1]);
    for ((way, _), times) in ways.iter().zip(&times) {
        let time = median(times);
        let ratio = base.as_secs_f64() / time.as_secs_f64();
        let to = (*way != PUBLISHED).then_some((PUBLISHED, ratio));
        rows.push(row(subject, way, time, to));
    }
    Ok(())
}

/// The command as it is run, so that reading, cutting and putting in order are part of it.
fn two_cores(subject: &Subject, rounds: usize, rows: &mut Vec<Row>) -> Result<()> {
    let folder = Folder::new()?;
    let (schema, recording) = (
        folder.0.join("schema.json"),
        folder.0.join("recording.jsonl"),
    );
    std::fs::write(&schema, &subject.schema)?;
    std::fs::write(&recording, &subject.recording)?;
    let itself = std::env::current_exe()?;
    let run = |threads: &str| -> Result<Spent> {
        let start = Instant::now();
        let mut child = Command::new(&itself)
            .args([
                "check-stream",
                "--strict",
                "--many-runs",
                "--threads",
                threads,
            ])
            .arg("--schema")
            .arg(&schema)
            .arg(&recording)
            .stdout(Stdio::null())
            .spawn()?;
        let mut busiest = Duration::ZERO;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            busiest = busiest.max(busiest_thread(child.id()));
            std::thread::sleep(Duration::from_millis(2));
        };
        ensure!(status.success(), "check-stream ended with {status}");
        Ok(Spent {
            clock: start.elapsed(),
            busiest,
        })
    };
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        one.push(run("1")?);
        two.push(run("2")?);
    }
    // Other work on the machine only ever adds to the clock, so the least is the nearest; where it
    // leaves this process less than two cores, the clock says nothing, and the threads' own time does.
    let least = |spent: &[Spent]| spent.iter().map(|spent| spent.clock).min();
    let busiest = |spent: &[Spent]| {
        let all: Vec<Duration> = spent.iter().map(|spent| spent.busiest).collect();
        median(&all)
    };
    let pairs = [
        (ONE, TWO, least(&one).zip(least(&two))),
        (
            ONE_BUSIEST,
            TWO_BUSIEST,
            Some((busiest(&one), busiest(&two))),
        ),
    ];
    for (name, other, times) in pairs {
        // Not every system tells the time of threads.
        let Some((one, two)) = times.filter(|(_, two)| !two.is_zero()) else {
            continue;
        };
        rows.push(row(subject, name, one, None));
        let ratio = one.as_secs_f64() / two.as_secs_f64();
        rows.push(row(subject, other, two, Some((name, ratio))));
    }
    Ok(())
}

/// What a run of the command took.
struct Spent {
    clock: Duration,
    /// The CPU time of the thread that had most of it.
    busiest: Duration,
}

/// The most CPU time that a thread of a process has had, where the system tells.
fn busiest_thread(process: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{process}/task"));
    let times = threads
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|thread| {
            let told = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            let nanoseconds = told.split_whitespace().next()?.parse().ok()?;
            Some(Duration::from_nanos(nanoseconds))
        });
    times.max().unwrap_or_default()
}

fn row(
    subject: &Subject,
    way: &'static str,
    time: Duration,
    to: Option<(&'static str, f64)>,
) -> Row {
    let seconds = time.as_secs_f64();
    Row {
        contract: subject.name,
        way,
        ms: seconds * 1e3,
        mib_per_second: subject.recording.len() as f64 / seconds / f64::from(1 << 20),
        to,
    }
}

/// The whole audit, in blocks; nothing may be found.
fn audited(audit: &Audit, recording: &[u8]) -> Result<usize> {
    let mut rest = recording;
    let mut run = audit.recording();
    let mut found = 0;
    let mut first = true;
    while !rest.is_empty() {
        let end = match rest.get(..BLOCK) {
            Some(block) => memchr::memrchr(b'\n', block).map_or(rest.len(), |end| end + 1),
            None => rest.len(),
        };
        let (block, behind) = rest.split_at(end);
        rest = behind;
        let part = Part {
            first: std::mem::take(&mut first),
            last: rest.is_empty(),
        };
        run.add(audit.block(block, part), &mut |_| found += 1);
    }
    let totals = run.finish(&mut |_| found += 1);
    ensure!(found == 0, "{found} findings in a recording that has none");
    Ok(usize::try_from(totals.items)?)
}

fn validated(validator: &jsonschema::Validator, recording: &[u8]) -> Result<usize> {
    let mut lines = 0;
    for line in recording
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let value: serde_json::Value = serde_json::from_slice(line)?;
        ensure!(validator.is_valid(&value), "a line is not valid");
        lines += 1;
    }
    Ok(lines)
}

fn parsed(recording: &[u8]) -> Result<usize> {
    let mut lines = 0;
    for line in recording
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        std::hint::black_box(serde_json::from_slice::<serde_json::Value>(line)?);
        lines += 1;
    }
    Ok(lines)
}

fn validator(schema: &str, formats: bool) -> Result<jsonschema::Validator> {
    let schema: serde_json::Value = serde_json::from_str(schema)?;
    let options = jsonschema::options()
        .should_validate_formats(formats)
        .offline();
    Ok(options.build(&schema)?)
}

/// A folder of this process that is gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("wirelock-audit-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is the system's temporary folder's own matter.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
