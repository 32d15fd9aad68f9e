//! Asks the prover, the wire diff, `jsoncompat` and the `jsonschema` crate's canonical module the same
//! questions, and holds every answer against set truth, documents and each other.
//!
//! The exit code is 1 where the project's own answers are wrong, where two checkers contradict each
//! other without an explanation, and where a kind of conflict in `conflicts.toml` is none any more. A
//! document that the independent validator confirms, and that refutes peers alone, explains itself.

mod cases;
mod checkers;
mod conflicts;
mod judge;
mod table;

use anyhow::{Context as _, Result, bail};
use cases::{Case, Set};
use checkers::CHECKERS;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use table::{Additive, Report, Run};
use wirelock_codegen::evolution::{self, Answer as Said};
use wirelock_codegen::wire;

const HELP: &str = "the arguments are
  --only SET,..      of suites, reports, corpus, crossed, random, growth
  --suite FILE       one more file laid out as the suites are; may be repeated
  --cross N          crossed pairs of suite schemas (3000)
  --random N         random pairs, and as many that grow (1000)
  --seed N           what crossed and random pairs are made from (1)
  --list CHECKER     whose unknowns and errors are listed (prover)
  --show ID          print the two schemas and all answers of one case
  --json             one JSON document instead of tables";

struct Arguments {
    only: Option<Vec<String>>,
    suites: Vec<PathBuf>,
    cross: usize,
    random: usize,
    seed: u64,
    listed: usize,
    show: Option<String>,
    json: bool,
}

fn main() -> Result<ExitCode> {
    let arguments = arguments()?;
    // Panics of peers are answers here, and their backtraces are of no use to anyone.
    std::panic::set_hook(Box::new(|_| {}));
    let mut sets = sets(&arguments)?;
    let table = conflicts::read()?;
    sets.push(table.examples());
    let corrections = table.correct(&mut sets);
    if let Some(id) = &arguments.show {
        return show(&sets, id);
    }
    let mut run = Run {
        reports: Vec::new(),
        conflicts: Vec::new(),
        faults: corrections,
    };
    for set in &sets {
        let mut times = [Duration::ZERO; CHECKERS.len()];
        let mut judged = Vec::new();
        for case in &set.cases {
            let both = judge::judge(case, &mut times);
            let found = both.iter().filter_map(|one| table.conflict(case, one));
            run.conflicts.extend(found);
            judged.extend(both);
        }
        let mut report = Report::new(&set.name, &judged, &times, arguments.listed);
        report.additive = additive(&set.cases);
        let counts = CHECKERS.iter().zip(&report.counts);
        for (_, count) in counts.filter(|(checker, _)| checker.is_ours) {
            let wrong = count.wrong_yes + count.wrong_no + count.error + count.false_witness;
            if wrong > 0 {
                run.faults.push(format!(
                    "{}: {wrong} wrong answers of the {}",
                    set.name, count.checker
                ));
            }
        }
        eprintln!("asked: {}, {} questions", set.name, judged.len());
        run.reports.push(report);
    }
    run.faults.extend(table.check(&run.conflicts));
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&run)?);
    } else {
        table::print(&run);
    }
    Ok(ExitCode::from(u8::from(!run.faults.is_empty())))
}

fn sets(arguments: &Arguments) -> Result<Vec<Set>> {
    let wanted = |name: &str| {
        let only = arguments.only.as_ref();
        only.is_none_or(|only| only.iter().any(|one| one == name))
    };
    let mut sets = Vec::new();
    let suites = if wanted("suites") || wanted("crossed") {
        cases::suites()?
    } else {
        Vec::new()
    };
    let crossed = wanted("crossed")
        .then(|| cases::crossed(&suites, arguments.cross, arguments.seed))
        .flatten();
    if wanted("suites") {
        sets.extend(suites);
    }
    for path in &arguments.suites {
        sets.push(cases::suite(path)?);
    }
    if wanted("reports") {
        sets.extend(cases::reported()?);
    }
    if wanted("corpus") {
        sets.extend(cases::reviewed()?);
    }
    sets.extend(crossed);
    for name in ["random", "growth"] {
        if wanted(name) {
            sets.push(cases::random(name, arguments.random, arguments.seed));
        }
    }
    Ok(sets)
}

/// The gate's verdict on the cases that say what it should be.
fn additive(cases: &[Case]) -> Option<Additive> {
    let mut counted = Additive::default();
    let mut any = false;
    for case in cases {
        let Some(expected) = case.additive else {
            continue;
        };
        any = true;
        let verdict = match (wire::read("old", &case.old), wire::read("new", &case.new)) {
            (Ok(old), Ok(new)) => evolution::compare(&old, &new).additive(),
            _ => Said::Unknown,
        };
        match verdict {
            Said::Unknown => counted.unknown += 1,
            answer if (answer == Said::Yes) == expected => counted.right += 1,
            _ => counted.wrong.push(case.id.clone()),
        }
    }
    any.then_some(counted)
}

fn show(sets: &[Set], id: &str) -> Result<ExitCode> {
    let id = id
        .trim_end_matches(":backward")
        .trim_end_matches(":forward");
    let case = sets
        .iter()
        .flat_map(|set| &set.cases)
        .find(|case| case.id == id)
        .with_context(|| format!("no case has the id {id}"))?;
    println!("old {}\nnew {}", case.old, case.new);
    let mut times = [Duration::ZERO; CHECKERS.len()];
    for judged in judge::judge(case, &mut times) {
        println!("\n{}: settled {:?}", judged.id, judged.settled);
        for (checker, answer) in CHECKERS.iter().zip(&judged.answers) {
            println!("  {}: {answer:?}", checker.name);
        }
        if let Some(document) = &judged.document {
            println!("  document: {document}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn arguments() -> Result<Arguments> {
    let mut found = Arguments {
        only: None,
        suites: Vec::new(),
        cross: 3000,
        random: 1000,
        seed: 1,
        listed: table::LISTED_CHECKER,
        show: None,
        json: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || {
            words
                .next()
                .with_context(|| format!("{word} needs a value"))
        };
        match word.as_str() {
            "--only" => found.only = Some(value()?.split(',').map(str::to_owned).collect()),
            "--suite" => found.suites.push(value()?.into()),
            "--cross" => found.cross = value()?.parse()?,
            "--random" => found.random = value()?.parse()?,
            "--seed" => found.seed = value()?.parse()?,
            "--list" => {
                let name = value()?;
                let at = CHECKERS.iter().position(|checker| checker.name == name);
                found.listed = at.with_context(|| format!("no checker is called {name}"))?;
            }
            "--show" => found.show = Some(value()?),
            "--json" => found.json = true,
            _ => bail!("{word} is not known; {HELP}"),
        }
    }
    Ok(found)
}
