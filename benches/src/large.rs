//! Large real pairs, each checker in a process of its own, in turn.

use crate::checkers::CHECKERS;
use crate::child::{Ended, Outcome, ask};
use crate::judge::shared;
use crate::table::{Cell, Row, Table};
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The Agent Client Protocol: two neighbouring revisions, and its first to its second version.
pub(crate) fn protocols(table: &mut Table, limit: u64) -> Result<()> {
    for (subject, old, new) in [
        (
            "ACP v1 2025-11 to 2026-08",
            "acp-v1-2025-11",
            "acp-v1-2026-08",
        ),
        ("ACP v1 to v2", "acp-v1-2026-08", "acp-v2-2026-08"),
    ] {
        pair(table, "acp", subject, [old, new], 5, limit)?;
    }
    Ok(())
}

/// Vega-Lite: wide, deep, recursive, and megabytes.
pub(crate) fn charts(table: &mut Table, limit: u64) -> Result<()> {
    let subject = "vega-lite 5.23 to 6.1";
    pair(
        table,
        "vega",
        subject,
        ["vega-lite-5.23.0", "vega-lite-6.1.0"],
        1,
        limit,
    )
}

fn pair(
    table: &mut Table,
    part: &'static str,
    subject: &str,
    names: [&str; 2],
    rounds: usize,
    limit: u64,
) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("wirelock-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut files: Vec<PathBuf> = Vec::new();
    for name in names {
        let path = shared().join(format!("corpus/schemas/{name}.json"));
        if !path.is_file() {
            table.skip(format!("{subject}: {} is not present", path.display()));
            return Ok(());
        }
        files.push(ported(&path, &folder)?);
    }
    let mut outcomes: Vec<Vec<Outcome>> = CHECKERS.iter().map(|_| Vec::new()).collect();
    let mut ends: Vec<Option<String>> = vec![None; CHECKERS.len()];
    let mut stopped = vec![false; CHECKERS.len()];
    for _ in 0..rounds {
        for (at, (checker, _)) in CHECKERS.iter().enumerate() {
            // Who failed once fails again, and takes the whole limit for it.
            if ends[at].is_some() {
                continue;
            }
            match ask(checker, &files[0], &files[1], Duration::from_secs(limit))? {
                Ended::Answered(outcome) => outcomes[at].push(outcome),
                Ended::OutOfTime => {
                    stopped[at] = true;
                    ends[at] = Some(format!("not within {limit} s of CPU"));
                }
                Ended::Failed(why) => ends[at] = Some(why),
            }
        }
    }
    std::fs::remove_dir_all(&folder)?;
    let cells = CHECKERS
        .iter()
        .zip(outcomes)
        .zip(ends.into_iter().zip(stopped));
    let cells = cells.map(|(((checker, _), mut outcomes), (end, stopped))| {
        outcomes.sort_by(|left, right| left.cpu_us.total_cmp(&right.cpu_us));
        let middle = outcomes.len() / 2;
        let middle = outcomes.into_iter().nth(middle);
        Cell {
            checker: (*checker).to_owned(),
            cpu_us: middle.as_ref().map(|outcome| outcome.cpu_us),
            over_us: stopped.then_some(1e6 * limit as f64),
            peak_mib: middle.as_ref().and_then(|outcome| outcome.peak_mib),
            said: end.or_else(|| middle.map(|outcome| outcome.said)),
            ..Cell::default()
        }
    });
    table
        .rows
        .push(Row::beside(part, subject.to_owned(), cells.collect()));
    Ok(())
}

/// A copy that every checker takes: one of them knows the newest dialect alone, and no reference that
/// is not a strict URI. All are given the same text.
fn ported(path: &Path, folder: &Path) -> Result<PathBuf> {
    let text = std::fs::read_to_string(path)?;
    let mut schema: Value =
        serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    if let Some(members) = schema.as_object_mut() {
        let newest = json!("https://json-schema.org/draft/2020-12/schema");
        members.insert("$schema".to_owned(), newest);
    }
    encode(&mut schema);
    let to = folder.join(path.file_name().unwrap_or_default());
    std::fs::write(&to, schema.to_string())?;
    Ok(to)
}

/// Percent-encodes in references what a URI has no room for.
fn encode(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(encode),
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "$ref" => {
                        *text = text
                            .replace('<', "%3C")
                            .replace('>', "%3E")
                            .replace('"', "%22")
                            .replace('|', "%7C")
                            .replace('[', "%5B")
                            .replace(']', "%5D")
                            .replace('{', "%7B")
                            .replace('}', "%7D")
                            .replace(' ', "%20");
                    }
                    value => encode(value),
                }
            }
        }
        _ => {}
    }
}
