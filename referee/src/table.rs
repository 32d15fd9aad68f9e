//! Counting, and the two ways of telling what was counted.

use crate::checkers::{Answer, CHECKERS, PROVER};
use crate::conflicts::Conflict;
use crate::judge::{Grade, Judged};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// How many single answers of one set are listed.
const LISTED: usize = 60;

/// What one checker did over one set.
#[derive(Default, Serialize)]
pub(crate) struct Count {
    pub(crate) checker: &'static str,
    pub(crate) right: usize,
    pub(crate) wrong_yes: usize,
    pub(crate) wrong_no: usize,
    pub(crate) unproved: usize,
    pub(crate) unknown: usize,
    pub(crate) error: usize,
    pub(crate) false_witness: usize,
    pub(crate) milliseconds: u128,
}

/// One set, counted.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) set: String,
    pub(crate) questions: usize,
    pub(crate) counts: Vec<Count>,
    /// Single answers that somebody has to look at.
    pub(crate) listed: Vec<String>,
    /// The gate's verdict beside what the rule of growth says.
    pub(crate) additive: Option<Additive>,
    /// Cases whose given truth a document contradicts.
    pub(crate) false_truth: Vec<String>,
}

/// The gate's own verdict over a set that says what the rule of growth says.
#[derive(Default, Serialize)]
pub(crate) struct Additive {
    pub(crate) right: usize,
    pub(crate) unknown: usize,
    pub(crate) wrong: Vec<String>,
}

/// Everything of one run.
#[derive(Serialize)]
pub(crate) struct Run {
    pub(crate) reports: Vec<Report>,
    pub(crate) conflicts: Vec<Conflict>,
    pub(crate) faults: Vec<String>,
}

impl Report {
    pub(crate) fn new(set: &str, judged: &[Judged], times: &[Duration], listed: usize) -> Self {
        let mut counts: Vec<Count> = CHECKERS
            .iter()
            .zip(times)
            .map(|(checker, time)| Count {
                checker: checker.name,
                milliseconds: time.as_millis(),
                ..Count::default()
            })
            .collect();
        for one in judged {
            for (count, grade) in counts.iter_mut().zip(&one.grades) {
                *match grade {
                    Grade::Right => &mut count.right,
                    Grade::WrongYes => &mut count.wrong_yes,
                    Grade::WrongNo => &mut count.wrong_no,
                    Grade::Unproved => &mut count.unproved,
                    Grade::Unknown => &mut count.unknown,
                    Grade::Error => &mut count.error,
                } += 1;
            }
            for (who, _) in &one.false_witnesses {
                counts[*who].false_witness += 1;
            }
        }
        let false_truth = judged.iter().filter(|one| one.false_truth);
        Self {
            set: set.to_owned(),
            questions: judged.len(),
            counts,
            listed: list(judged, listed),
            additive: None,
            false_truth: false_truth.map(|one| one.id.clone()).collect(),
        }
    }
}

/// Every wrong answer of anyone, and what the listed checker left open.
fn list(judged: &[Judged], listed: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut open = Vec::new();
    for one in judged {
        for (who, (answer, grade)) in one.answers.iter().zip(&one.grades).enumerate() {
            let name = CHECKERS[who].name;
            let shown = one
                .document
                .as_deref()
                .map_or_else(String::new, |document| {
                    format!(", refuted by {}", shortened(document))
                });
            match (grade, answer) {
                (Grade::WrongYes, _) => wrong.push(format!("wrong yes: {name} {}{shown}", one.id)),
                (Grade::WrongNo, _) => wrong.push(format!("wrong no: {name} {}", one.id)),
                (Grade::Error, Answer::Error(why)) if who == listed => {
                    open.push(format!("error: {name} {}: {}", one.id, shortened(why)));
                }
                (Grade::Unknown, Answer::Unknown(why)) if who == listed => {
                    open.push(format!("unknown: {name} {}: {}", one.id, shortened(why)));
                }
                _ => {}
            }
        }
        for (who, text) in &one.false_witnesses {
            wrong.push(format!(
                "false witness: {} {}: {}",
                CHECKERS[*who].name,
                one.id,
                shortened(text)
            ));
        }
    }
    let left = open.len().saturating_sub(LISTED);
    open.truncate(LISTED);
    if left > 0 {
        open.push(format!("... and {left} more"));
    }
    wrong.extend(open);
    wrong
}

/// The tables of a run, for a reader.
pub(crate) fn print(run: &Run) {
    for report in &run.reports {
        println!("\n## {}: {} questions\n", report.set, report.questions);
        println!(
            "| checker | right | wrong yes | wrong no | unproved | unknown | error | false witness | time |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        for count in &report.counts {
            println!(
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} ms |",
                count.checker,
                count.right,
                count.wrong_yes,
                count.wrong_no,
                count.unproved,
                count.unknown,
                count.error,
                count.false_witness,
                count.milliseconds
            );
        }
        if let Some(additive) = &report.additive {
            println!(
                "\nadditive: {} right, {} unknown, {} wrong {}",
                additive.right,
                additive.unknown,
                additive.wrong.len(),
                additive.wrong.join(" ")
            );
        }
        if !report.listed.is_empty() {
            println!();
        }
        for line in &report.listed {
            println!("- {line}");
        }
        for id in &report.false_truth {
            println!("- the truth that came with {id} is contradicted by a document");
        }
    }
    let mut explained: BTreeMap<&str, Vec<&Conflict>> = BTreeMap::new();
    for conflict in &run.conflicts {
        let kind = conflict.explained.as_deref().unwrap_or("not explained");
        explained.entry(kind).or_default().push(conflict);
    }
    println!("\n{} conflicts", run.conflicts.len());
    for (kind, conflicts) in &explained {
        println!("\n{kind}: {}\n", conflicts.len());
        for one in conflicts.iter().take(LISTED) {
            let (yes, no) = (one.yes.join(", "), one.no.join(", "));
            let document = one.document.as_deref().map(shortened);
            let document = document.map_or_else(String::new, |text| format!(": {text}"));
            println!("- {}: {yes} says yes, {no} says no{document}", one.id);
        }
    }
    if !run.faults.is_empty() {
        println!("\nfaults:\n");
    }
    for fault in &run.faults {
        println!("- {fault}");
    }
}

/// The start of a text that may be megabytes.
pub(crate) fn shortened(text: &str) -> String {
    const KEPT: usize = 200;
    let flat = text.replace('\n', " ");
    match flat.char_indices().nth(KEPT) {
        Some((at, _)) => format!("{}...", &flat[..at]),
        None => flat,
    }
}

/// The checker whose open answers are listed unless another is asked for.
pub(crate) const LISTED_CHECKER: usize = PROVER;
