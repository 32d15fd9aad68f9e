//! What stops a reader is the first thing that the audit reports, at the same line; where a reader comes to
//! the end of a run, the audit has nothing against what it read. Told of hostile streams, in any chunks.

use super::contract;
use super::hostile::{INIT, RESULT, hostile_lines, hostile_streams, lines};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use stream_json::Line;
use wirelock_codegen::audit::{Audit, Finding, Level, Options};
use wirelock_runtime::framing::{
    Codec, Declaration, Decoder, Event, Policy, Predicate, Protocol, Step,
};
use wirelock_runtime::{Code, FinalLine};

/// Codes of what a reader does not look at: the order of a run, and what stands behind its end.
const OF_RUNS: &[&str] = &[
    "INIT_NOT_FIRST",
    "SEQ_NOT_MONOTONIC",
    "SESSION_ID_CHANGED",
    "TS_INVALID",
    "CAPABILITY_MISSING",
    "DUPLICATE_TERMINAL",
    "DATA_AFTER_TERMINAL",
];

/// How a reader ended.
#[derive(Debug, Clone, PartialEq)]
struct Read {
    items: usize,
    /// The code and the line; nothing, where the run is whole.
    error: Option<(Code, u64)>,
    /// Whether the hint speaks of an escape character, which the audit has a code for.
    is_ansi: bool,
    /// The line that was read last.
    line: u64,
}

impl Read {
    fn code(&self) -> &'static str {
        self.error.map_or("", |(code, _)| code.as_str())
    }
}

fn read<C: Codec>(protocol: Protocol<C>, policy: Policy, wire: &[u8], chunk: usize) -> Read {
    let mut decoder = Decoder::new(protocol, policy);
    let mut read = Read {
        items: 0,
        error: None,
        is_ansi: false,
        line: 0,
    };
    let mut chunks = wire.chunks(chunk.max(1));
    let (mut rest, mut is_finished): (&[u8], bool) = (&[], false);
    loop {
        let line = decoder.line();
        let step = match is_finished {
            true => decoder.finish(),
            false => decoder.step(&mut rest),
        };
        match step {
            Ok(Step::NeedInput) => match chunks.next() {
                Some(next) => rest = next,
                None => is_finished = true,
            },
            Ok(Step::Event(event)) => {
                read.items += 1;
                if matches!(event, Event::Terminal(_)) {
                    // The decoder counts the line that begins behind the last one.
                    read.line = line.max(decoder.line().saturating_sub(1));
                }
            }
            Ok(Step::End) => return read,
            Err(error) => {
                read.line = error.line().expect("an error of a stream has its line");
                read.error = Some((error.code(), read.line));
                read.is_ansi = error.hint().is_some_and(|hint| hint.contains("ANSI"));
                return read;
            }
        }
    }
}

/// What the two say differently of a stream.
fn fault<C: Codec>(
    audit: &Audit,
    protocol: impl Fn() -> Protocol<C>,
    policy: Policy,
    wire: &[u8],
) -> Option<String> {
    let whole = read(protocol(), policy, wire, wire.len());
    // A long wire in single bytes adds nothing that a short one does not have.
    let chunks: &[usize] = match wire.len() {
        ..2000 => &[1, 2, 3, 7, 64],
        _ => &[4093],
    };
    for chunk in chunks {
        let cut = read(protocol(), policy, wire, *chunk);
        if cut.error != whole.error || cut.items != whole.items {
            return Some(format!("chunks of {chunk} give {cut:?} and not {whole:?}"));
        }
    }
    let (findings, _) = audit.check(wire);
    let of_lines = |finding: &&Finding| {
        finding.level == Level::Error && !OF_RUNS.contains(&finding.code.as_str())
    };
    let mut told: Vec<&Finding> = findings.iter().filter(of_lines).collect();
    told.sort_by_key(|finding| finding.line);
    let first = told.first().map(|one| (one.code.as_str(), one.line));
    let agrees = match &whole.error {
        // What is behind the end is for the audit alone.
        None => first.is_none_or(|(_, line)| line > whole.line),
        // A reader counts the line that did not come, and the audit tells the last one that did.
        Some((Code::TerminalMissing | Code::Truncated, line)) => {
            first.is_some_and(|(told, at)| told == whole.code() && at <= *line)
        }
        // An envelope has to end behind the terminal item; the audit has a code of its own for what does not.
        Some((Code::ProtocolError, line)) if first.is_none() => findings
            .iter()
            .any(|finding| finding.code.as_str() == "DATA_AFTER_TERMINAL" && finding.line == *line),
        Some((code, line)) => {
            let wanted = match whole.is_ansi {
                true => "ANSI_ESCAPE",
                false => code.as_str(),
            };
            first == Some((wanted, *line))
        }
    };
    (!agrees).then(|| format!("the reader gives {whole:?}, and the audit {findings:?}"))
}

#[test]
fn the_audit_reports_what_stops_a_reader() {
    const BOUND: usize = 1 << 16;
    let policies = [None, Some(FinalLine::Allow)].map(|final_line| {
        [None, Some(BOUND as u64)].map(|max_frame_bytes| {
            let policy = Policy {
                final_line,
                max_frame_bytes,
                ..Policy::default()
            };
            let audit = contract(&Options {
                final_line,
                max_frame_bytes,
                ..Options::default()
            });
            (policy, audit)
        })
    });
    let [[usual, bounded], [allowing, bounded_allowing]] = &policies;
    let (mut faults, mut tried, mut told) = (Vec::new(), 0, String::new());
    let mut agree = |name: &str, (policy, audit): &(Policy, Audit), wire: &[u8]| {
        tried += 1;
        let read = read(Protocol::of::<Line>(), *policy, wire, wire.len());
        if let Some(fault) = fault(audit, Protocol::of::<Line>, *policy, wire) {
            let fault: String = fault.chars().take(1000).collect();
            faults.push(format!("{name} ({:?}): {fault}", policy.final_line));
        }
        match read.error {
            Some((code, line)) => format!("{code}@{line}"),
            None => format!("{} items", read.items),
        }
    };
    for (name, line) in hostile_lines() {
        let outcome = agree(&name, usual, &lines(&[INIT, &line, RESULT]));
        let _ = writeln!(told, "{}: {outcome}", name.escape_debug());
        if line.len() < 2000 {
            let first = lines(&[&line, INIT, RESULT]);
            agree(&format!("{name}, first"), usual, &first);
            let last = [&*lines(&[INIT]), &*line].concat();
            agree(&format!("{name}, last"), usual, &last);
            agree(&format!("{name}, last"), allowing, &last);
        }
    }
    for (name, wire) in hostile_streams(BOUND) {
        let outcome = agree(&name, bounded, &wire);
        let allowing = agree(&name, bounded_allowing, &wire);
        let _ = writeln!(
            told,
            "{name}: {outcome}, where the last line needs no end {allowing}"
        );
    }
    assert!(tried > 1000, "{tried} streams");
    assert!(
        faults.is_empty(),
        "{} of {tried}:\n{}",
        faults.len(),
        faults.join("\n")
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit/hostile.txt");
    if std::env::var_os("WIRELOCK_BLESS").is_some() {
        std::fs::write(&path, &told).expect("written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differ = |(told, expected): &(&str, &str)| told != expected;
    let first = told.lines().zip(expected.lines()).find(differ);
    assert!(
        told == expected,
        "what streams come to differs from {}, first in {first:?}; run the test once with WIRELOCK_BLESS=1 and read the difference",
        path.display()
    );
}

/// The audit of a fixture's contract: what its reads declare, as a schema says it.
fn audit_of(spec: &Value) -> Option<Audit> {
    let envelope = spec["framing"] == "envelope";
    if !(envelope || spec["framing"] == "item") || spec["terminal"].is_null() {
        return None;
    }
    // What a caller asks beyond a contract, and noise, are not asked of an audit.
    if ["noise", "stop", "without", "shape"]
        .iter()
        .any(|name| !spec[*name].is_null())
    {
        return None;
    }
    let schema = serde_json::json!({
        "x-contract": {"capability": "v1", "framing": spec["framing"], "terminal": spec["terminal"]},
        "properties": {"declared": true},
    });
    let wire = wirelock_codegen::wire::read("fixture", &schema.to_string()).expect("a schema");
    let options = Options {
        max_frame_bytes: spec["max_frame_bytes"].as_u64(),
        final_line: Some(match spec["final_line"].as_str() {
            Some("require-newline") => FinalLine::RequireNewline,
            _ => FinalLine::Allow,
        }),
        ..Options::default()
    };
    Some(Audit::new(&wire, &options).expect("a contract"))
}

#[test]
fn the_audit_reports_what_stops_a_reader_of_the_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("stream");
    let (mut faults, mut tried) = (Vec::new(), 0);
    for entry in std::fs::read_dir(folder).expect("the fixtures") {
        let folder = entry.expect("a folder").path();
        let wire = std::fs::read(folder.join("wire.jsonl")).expect("a wire");
        let text = std::fs::read_to_string(folder.join("expected.json")).expect("what is expected");
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        for spec in expected["reads"].as_array().expect("a list of reads") {
            let Some(audit) = audit_of(spec) else {
                continue;
            };
            let protocol = || {
                let terminal = Predicate::members(&spec["terminal"].to_string()).expect("members");
                let declaration = match spec["framing"] == "envelope" {
                    true => Declaration::envelope(),
                    false => Declaration::item(),
                };
                declaration.terminal(terminal).declare().expect("a proof")
            };
            let policy = Policy {
                max_frame_bytes: spec["max_frame_bytes"].as_u64(),
                final_line: match spec["final_line"].as_str() {
                    Some("require-newline") => Some(FinalLine::RequireNewline),
                    _ => Some(FinalLine::Allow),
                },
                ..Policy::default()
            };
            tried += 1;
            if let Some(fault) = fault(&audit, protocol, policy, &wire) {
                faults.push(format!("{}: {fault}", folder.display()));
            }
        }
    }
    assert!(tried > 40, "{tried} reads");
    assert!(
        faults.is_empty(),
        "{} of {tried}:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
