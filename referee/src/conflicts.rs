//! Conflicts between checkers, and the table that explains each.

use crate::cases::Set;
use crate::checkers::{Answer, CHECKERS};
use crate::judge::Judged;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The explained conflicts, beside this package's manifest.
const TABLE: &str = "conflicts.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    #[serde(default)]
    conflict: Vec<Row>,
    #[serde(default)]
    truth: Vec<Correction>,
}

/// What a case says of a set and is not so.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Correction {
    id: String,
    holds: bool,
    why: String,
}

/// Reads the table, which is checked in.
pub(crate) fn read() -> Result<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

impl Table {
    /// Puts right what the cases say; what is wrong with the corrections comes back.
    pub(crate) fn correct(&self, sets: &mut [Set]) -> Vec<String> {
        let mut faults = Vec::new();
        for row in &self.truth {
            if row.why.trim().is_empty() {
                faults.push(format!("{}: a correction without a reason", row.id));
            }
            let found = row.id.rsplit_once(':').and_then(|(id, direction)| {
                let mut cases = sets.iter_mut().flat_map(|set| &mut set.cases);
                let case = cases.find(|case| case.id == id)?;
                Some(&mut case.truth[usize::from(direction == "forward")])
            });
            // A set that was left out has nothing to put right.
            let Some(truth) = found else { continue };
            if truth.replace(row.holds) == Some(row.holds) {
                faults.push(format!("{}: the correction changes nothing", row.id));
            }
        }
        faults
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    /// Whether the inclusion holds: `yes` or `no`.
    right: Right,
    why: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Right {
    Yes,
    No,
}

/// Two checkers said the opposite of each other.
#[derive(Serialize)]
pub(crate) struct Conflict {
    pub(crate) id: String,
    pub(crate) yes: Vec<&'static str>,
    pub(crate) no: Vec<&'static str>,
    pub(crate) document: Option<String>,
}

/// The conflict in one direction of a case, where there is one.
pub(crate) fn conflict(judged: &Judged) -> Option<Conflict> {
    let who = |wanted: fn(&Answer) -> bool| -> Vec<&'static str> {
        CHECKERS
            .iter()
            .zip(&judged.answers)
            .filter(|(_, answer)| wanted(answer))
            .map(|(checker, _)| checker.name)
            .collect()
    };
    let yes = who(|answer| matches!(answer, Answer::Yes));
    let no = who(|answer| matches!(answer, Answer::No(_)));
    (!yes.is_empty() && !no.is_empty()).then(|| Conflict {
        id: judged.id.clone(),
        yes,
        no,
        document: judged.document.clone(),
    })
}

/// What is wrong with the table, given what was asked: each line is one fault.
///
/// `asked` holds the ids that were asked, so that a row of a set that was left out is not stale.
pub(crate) fn check(
    table: &Table,
    conflicts: &[Conflict],
    asked: &BTreeMap<String, Option<bool>>,
) -> Vec<String> {
    let mut faults = Vec::new();
    let mut rows: BTreeMap<&str, &Row> = BTreeMap::new();
    for row in &table.conflict {
        if rows.insert(&row.id, row).is_some() {
            faults.push(format!("{}: two rows in {TABLE}", row.id));
        }
        if row.why.trim().is_empty() {
            faults.push(format!("{}: a row in {TABLE} without a reason", row.id));
        }
        let expected = Some(row.right == Right::Yes);
        match asked.get(&row.id) {
            Some(settled) if settled.is_some() && *settled != expected => {
                faults.push(format!(
                    "{}: the row in {TABLE} names the wrong side",
                    row.id
                ));
            }
            Some(_) if !conflicts.iter().any(|one| one.id == row.id) => {
                faults.push(format!(
                    "{}: nobody disagrees any more, so its row in {TABLE} goes",
                    row.id
                ));
            }
            _ => {}
        }
    }
    for conflict in conflicts {
        if !rows.contains_key(conflict.id.as_str()) {
            faults.push(format!(
                "{}: {} says yes and {} says no, and no row in {TABLE} says who is right{}",
                conflict.id,
                conflict.yes.join(", "),
                conflict.no.join(", "),
                conflict.document.as_ref().map_or_else(
                    || "; no document is known".to_owned(),
                    |document| format!("; refuted by {}", crate::table::shortened(document))
                ),
            ));
        }
    }
    faults
}
