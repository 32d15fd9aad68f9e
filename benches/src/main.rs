//! CPU time of the gate's judgement of this contract, beside jsoncompat's check of the same two texts.
//!
//! Both sides start from text and end with an answer, in one process, in turn, so that a machine
//! that slows down slows both. What counts is the ratio; the times only tell its size. With
//! `--once wirelock` or `--once jsoncompat` one side judges each change once, for instruction counters.

use anyhow::{Context as _, Result, bail, ensure};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The contract, from the root of the repository.
const CONTRACT: &str = "schema/stream-json.schema.json";
/// Rounds of each pair, after one that is not counted.
const ROUNDS: usize = 15;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = CONTRACT;
    let text = std::fs::read_to_string(path).with_context(|| format!("{path} cannot be read"))?;
    match (arguments.next().as_deref(), arguments.next().as_deref()) {
        (None, _) => compare(path, &text),
        (Some("--once"), Some("wirelock")) => once(&text, wirelock),
        (Some("--once"), Some("jsoncompat")) => once(&text, jsoncompat),
        _ => bail!("the arguments are none, or `--once wirelock|jsoncompat`"),
    }
}

fn once(text: &str, judge: fn(&str, &str) -> Result<usize>) -> Result<()> {
    for (_, new) in revisions(text)? {
        std::hint::black_box(judge(text, &new)?);
    }
    Ok(())
}

fn compare(path: &str, text: &str) -> Result<()> {
    println!("CPU time of one judgement from two texts, median of {ROUNDS} rounds\n");
    println!("| change of {path} | wirelock | jsoncompat | ratio |");
    println!("|---|---|---|---|");
    for (name, new) in revisions(text)? {
        let mut ours = Vec::new();
        let mut theirs = Vec::new();
        for round in 0..=ROUNDS {
            let (left, right) = (
                cpu_time(|| wirelock(text, &new))?,
                cpu_time(|| jsoncompat(text, &new))?,
            );
            if round > 0 {
                ours.push(left);
                theirs.push(right);
            }
        }
        let (left, right) = (median(ours), median(theirs));
        let ratio = left.as_secs_f64() / right.as_secs_f64();
        println!("| {name} | {left:.2?} | {right:.2?} | {ratio:.3} |");
    }
    Ok(())
}

/// The text itself, the text with one more optional field, and the text with one field removed.
fn revisions(text: &str) -> Result<Vec<(&'static str, String)>> {
    let parse =
        || serde_json::from_str::<serde_json::Value>(text).context("the contract is no JSON");
    let members =
        |schema: &mut serde_json::Value,
         edit: &dyn Fn(&mut serde_json::Map<String, serde_json::Value>)| {
            let definitions = schema
                .get_mut("$defs")
                .and_then(serde_json::Value::as_object_mut);
            // The last definition with optional members stands for any.
            let home = definitions
                .into_iter()
                .flatten()
                .map(|(_, schema)| schema)
                .rfind(|schema| {
                    let required = schema["required"].as_array().map_or(0, Vec::len);
                    schema["properties"]
                        .as_object()
                        .is_some_and(|members| members.len() > required)
                });
            home.and_then(|schema| schema["properties"].as_object_mut())
                .map(edit)
                .context("no definition has an optional member")
        };
    let mut added = parse()?;
    members(&mut added, &|members| {
        members.insert(
            "bench_added".to_owned(),
            serde_json::json!({"type": "string", "description": "New."}),
        );
    })?;
    let mut removed = parse()?;
    members(&mut removed, &|members| {
        if let Some(last) = members.keys().next_back().cloned() {
            members.shift_remove(&last);
        }
    })?;
    Ok(vec![
        ("a field added", serde_json::to_string_pretty(&added)?),
        ("a field removed", serde_json::to_string_pretty(&removed)?),
    ])
}

fn wirelock(old: &str, new: &str) -> Result<usize> {
    use wirelock_codegen::evolution::{Revision, answer, compare, prove};
    use wirelock_codegen::{json::Source, schema::Document, wire};
    let (old, new) = (
        Document::read(Source::new("old", old))?,
        Document::read(Source::new("new", new))?,
    );
    let (old_wire, new_wire) = (wire::build(&old)?, wire::build(&new)?);
    let comparison = compare(&old_wire, &new_wire);
    ensure!(!comparison.changes.is_empty(), "the revisions differ");
    let revision = |document, wire| Revision { document, wire };
    let (old, new) = (revision(&old, &old_wire), revision(&new, &new_wire));
    let answers = answer(old, new, &comparison, prove::included);
    Ok(comparison.changes.len() + answers.conflicts.len())
}

fn jsoncompat(old: &str, new: &str) -> Result<usize> {
    use jsoncompat::{Role, SchemaDocument, check_compat};
    let document = |text: &str| -> Result<SchemaDocument> {
        Ok(SchemaDocument::from_json(&serde_json::from_str(text)?)?)
    };
    Ok(usize::from(check_compat(
        &document(old)?,
        &document(new)?,
        Role::Both,
    )?))
}

fn cpu_time<T>(run: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(
            u64::try_from(time.tv_sec).unwrap_or(0),
            u32::try_from(time.tv_nsec).unwrap_or(0),
        )
    };
    let start = now();
    std::hint::black_box(run()?);
    Ok(now() - start)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
