//! Small pairs: every pair of the suites and of the reported cases, both directions.

use crate::checkers::CHECKERS;
use crate::clock::{cpu_time, median, quantile};
use crate::judge::shared;
use crate::table::{Cell, Row, Table, micros};
use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::time::Duration;

/// Rounds of each pair, after one that is not counted.
const ROUNDS: usize = 7;

#[derive(Deserialize)]
struct Pair<'a> {
    #[serde(borrow, alias = "old_2020")]
    old: &'a RawValue,
    #[serde(borrow, alias = "new_2020")]
    new: &'a RawValue,
}

/// Measures each file that is there.
pub(crate) fn measure(table: &mut Table) -> Result<()> {
    for name in [
        "suites/jsoncompat.jsonl",
        "suites/karapace.jsonl",
        "cases/evolution/pairs.jsonl",
    ] {
        let path = shared().join(name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            table.skip(format!("{} is not present", path.display()));
            continue;
        };
        let mut times: Vec<Vec<Duration>> = vec![Vec::new(); CHECKERS.len()];
        let mut count = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let pair: Pair<'_> = serde_json::from_str(line).context(name)?;
            count += 1;
            for (all, time) in times.iter_mut().zip(rounds(pair.old.get(), pair.new.get())) {
                all.extend(time);
            }
        }
        let cells = CHECKERS
            .iter()
            .zip(&times)
            .map(|((checker, _), times)| Cell {
                checker: (*checker).to_owned(),
                cpu_us: Some(micros(median(times))),
                p95_us: Some(micros(quantile(times, 95))),
                said: Some(format!("{} of {count} pairs judged", times.len())),
                ..Cell::default()
            });
        let cells = cells.collect();
        table
            .rows
            .push(Row::beside("small", name.to_owned(), cells));
    }
    Ok(())
}

/// The median of each checker's rounds, in turn; nothing where it cannot judge the pair.
fn rounds(old: &str, new: &str) -> Vec<Option<Duration>> {
    let mut times: Vec<Option<Vec<Duration>>> = vec![Some(Vec::new()); CHECKERS.len()];
    for round in 0..=ROUNDS {
        for ((_, judge), times) in CHECKERS.iter().zip(&mut times) {
            let Some(list) = times else { continue };
            match cpu_time(|| judge(old, new)) {
                Ok(time) if round > 0 => list.push(time),
                Ok(_) => {}
                Err(_) => *times = None,
            }
        }
    }
    times
        .into_iter()
        .map(|times| times.map(|times| median(&times)))
        .collect()
}
