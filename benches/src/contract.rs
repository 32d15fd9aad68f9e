//! The contract of this repository: a field more, and a field less.

use crate::checkers::{CHECKERS, Judge};
use crate::clock::{cpu_time, median};
use crate::table::{Cell, Row, Table, micros, words};
use anyhow::{Context as _, Result};
use std::time::Duration;

/// The contract, from this package's manifest.
const CONTRACT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../schema/stream-json.schema.json"
);
/// Rounds of each pair, after one that is not counted.
const ROUNDS: usize = 15;

/// Judges each change once, for instruction counters.
pub(crate) fn once(judge: Judge) -> Result<()> {
    let text = text()?;
    for (_, new) in revisions(&text)? {
        std::hint::black_box(judge(&text, &new)?);
    }
    Ok(())
}

/// Measures each change, the checkers in turn.
pub(crate) fn measure(table: &mut Table) -> Result<()> {
    let text = text()?;
    for (name, new) in revisions(&text)? {
        let mut times: [Vec<Duration>; CHECKERS.len()] = Default::default();
        let mut said: [Option<String>; CHECKERS.len()] = Default::default();
        for round in 0..=ROUNDS {
            for (at, (_, judge)) in CHECKERS.iter().enumerate() {
                let time = cpu_time(|| {
                    said[at] = Some(words(judge(&text, &new)?));
                    Ok(())
                })?;
                if round > 0 {
                    times[at].push(time);
                }
            }
        }
        let cells = CHECKERS.iter().zip(times).zip(said);
        let cells = cells.map(|(((checker, _), times), said)| Cell {
            checker: (*checker).to_owned(),
            cpu_us: Some(micros(median(&times))),
            said,
            ..Cell::default()
        });
        let subject = format!("stream_v1, {name}");
        table
            .rows
            .push(Row::beside("contract", subject, cells.collect()));
    }
    Ok(())
}

fn text() -> Result<String> {
    std::fs::read_to_string(CONTRACT).context("the contract cannot be read")
}

/// The text with one more optional field, and the text with one field removed.
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
