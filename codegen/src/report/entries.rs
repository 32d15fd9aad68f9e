//! Everything a report holds, as one list of entries: what the formats that annotate have in common.

use super::{
    Conflict, Evidence, Finding, Guard, GuardKind, Outcome, Place, Policy, Problem, Question,
    Report, Side, Unknown, Witness,
};
use crate::about::About;
use crate::evolution::{Answer, Level, rules};
use crate::schema::file_of;

/// How much an entry weighs for the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It is told, and decides nothing.
    Note,
    /// It would be refused, and is not: before the lock, under a record, or by another policy.
    Warning,
    /// It keeps the change from passing.
    Error,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    /// What messages call the file.
    pub(super) file: String,
    /// Line and column in characters, from 1.
    pub(super) at: Option<(u32, Option<u32>)>,
    /// JSON Pointer; empty in files that are no schema.
    pub(super) pointer: String,
}

/// One thing that a report holds.
#[derive(Debug, Clone)]
pub(super) struct Entry<'r> {
    /// The id of the rule, or of the kind of fault.
    pub(super) id: String,
    pub(super) weight: Weight,
    /// The level of a finding, the kind of anything else.
    pub(super) kind: &'static str,
    /// The element concerned; empty where there is none.
    pub(super) subject: String,
    /// One sentence.
    pub(super) message: String,
    /// Where the new revision has it.
    pub(super) new: Option<Spot>,
    /// Where the old revision has it.
    pub(super) old: Option<Spot>,
    /// For a change: its places in both revisions, from which excerpts are taken.
    pub(super) place: Option<(Option<&'r Place>, Option<&'r Place>)>,
    /// The pointer of what it is about in the new revision, where it has no `place`.
    pub(super) about: Option<&'r str>,
    pub(super) witness: Option<&'r Witness>,
    /// The golden line that exercises it.
    pub(super) golden: Option<Spot>,
    /// The id of the decision record that covers it.
    pub(super) covered_by: Option<&'r str>,
    /// What to do.
    pub(super) help: Option<String>,
}

impl Entry<'_> {
    /// Where an annotation goes: the new revision where it has the place, since the old one is not
    /// among the files under review.
    pub(super) fn spot(&self) -> Option<&Spot> {
        self.new.as_ref()
    }

    /// Everything there is to say beside the message, a line each, as plain text.
    pub(super) fn details(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(old) = &self.old {
            lines.push(format!("base: {}", old.shown()));
        }
        if let Some(witness) = self.witness {
            lines.push(format!("witness: {}", witness_line(witness)));
        }
        if let Some(golden) = &self.golden {
            lines.push(format!("golden: {}", golden.shown()));
        }
        if let Some(record) = self.covered_by {
            lines.push(format!("covered by decision record {record}"));
        }
        if let Some(help) = &self.help {
            lines.push(format!("instead: {help}"));
        }
        lines
    }
}

impl Spot {
    /// A place of a finding, in the schema of that name.
    fn of(place: &Place, name: &str) -> Self {
        let (file, pointer) = file_of(&place.pointer, name);
        Self {
            file,
            at: Some((place.line, Some(place.column))),
            pointer: pointer.to_owned(),
        }
    }

    /// A place in a file that is no schema, or a file as a whole.
    fn in_file(file: &str, at: Option<(u32, Option<u32>)>) -> Self {
        Self {
            file: file.to_owned(),
            at,
            pointer: String::new(),
        }
    }

    /// A place of the new schema that is known by its pointer alone.
    fn pointed(report: &Report, pointer: &str, at: Option<(u32, Option<u32>)>) -> Self {
        let (file, pointer) = file_of(pointer, &report.new_name);
        Self {
            file,
            at,
            pointer: pointer.to_owned(),
        }
    }

    /// The place as compilers print it.
    pub(super) fn shown(&self) -> String {
        let mut text = self.file.clone();
        if let Some((line, column)) = self.at {
            text.push_str(&format!(":{line}"));
            if let Some(column) = column {
                text.push_str(&format!(":{column}"));
            }
        }
        text
    }
}

/// What a witness shows, with the document where it is short enough to be read.
fn witness_line(witness: &Witness) -> String {
    let (valid, invalid) = sides(witness);
    format!(
        "{} is valid under {valid} and not under {invalid}",
        document(witness)
    )
}

/// The revision that takes a witness, and the one that refuses it.
pub(super) fn sides(witness: &Witness) -> (&'static str, &'static str) {
    match witness.valid_under {
        Side::Old => ("old", "new"),
        Side::New => ("new", "old"),
    }
}

/// The most bytes of a witness that a reader is shown.
const MAX_WITNESS: usize = 2_000;

/// A witness is there to be tried, so it stands whole or, where it is too long to read, not at all.
pub(super) fn document(witness: &Witness) -> String {
    let text = witness.document.get();
    if text.len() <= MAX_WITNESS {
        return text.to_owned();
    }
    format!("… ({} bytes; `--format json` holds it)", text.len())
}

/// All entries of a report: what it does to its own judge, then what decides against it, within
/// that in the report's order.
pub(super) fn entries(report: &Report) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    entries.extend(answers(report));
    entries.extend(report.changes.iter().map(|one| finding(report, one)));
    for missing in &report.missing_goldens {
        // An addition and its missing golden are at one place, which the addition knows.
        let same = |finding: &&Finding| {
            let place = finding.new.as_ref();
            place.is_some_and(|place| place.pointer == missing.pointer)
        };
        let at = report.changes.iter().find(same);
        let at = at.and_then(|finding| finding.new.as_ref());
        entries.push(Entry {
            weight: weight(report),
            subject: missing.subject.clone(),
            about: Some(&missing.pointer),
            new: Some(Spot::pointed(
                report,
                &missing.pointer,
                at.map(|place| (place.line, Some(place.column))),
            )),
            // The message names the command already.
            help: None,
            ..Entry::new("missing-golden", "missing golden", &missing.message)
        });
    }
    entries.extend(report.unknown.iter().map(|one| unknown(report, one)));
    entries.extend(report.conflicts.iter().map(conflict));
    // Faults of goldens and records mostly follow from changes, which are to be seen first.
    entries.extend(report.problems.iter().map(|one| problem(report, one)));
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
    let guards = report.guards.iter().map(guard);
    guards.chain(entries).collect()
}

/// What the id of a finding stands for, be it a rule or one of [`KINDS`]; nothing for an id that is
/// none.
///
/// ```
/// use wirelock_codegen::report::about;
/// assert_eq!(about("property-removed").unwrap().summary, "A field is gone.");
/// assert!(about("conflict").is_some() && about("no-such-rule").is_none());
/// ```
#[must_use]
pub fn about(id: &str) -> Option<About> {
    if let Some(rule) = rules::find(id) {
        return Some(About {
            summary: rule.summary,
            why: rule.why,
            instead: rule.instead,
        });
    }
    let found = KINDS.binary_search_by(|(known, _)| known.cmp(&id)).ok()?;
    Some(KINDS[found].1)
}

const fn kind(
    id: &'static str,
    summary: &'static str,
    why: &'static str,
    instead: &'static str,
) -> (&'static str, About) {
    let about = About {
        summary,
        why,
        instead,
    };
    (id, about)
}

/// The findings that are no change of the schema, sorted by id.
#[rustfmt::skip]
pub const KINDS: &[(&str, About)] = &[
    kind("archive-missing", "A superseded capability was not kept.", "Programs still read it.",
        "Restore its schema and goldens in the folder that is named after it."),
    kind("backward", "A document of the old revision is not one of the new.", "The policy asks for every old document to stay valid.",
        "Take back what refuses the witness."),
    kind("capability-mismatch", "Settings and schema name different capabilities.", "One lock has to hold for both.",
        "Make contract.toml and `x-contract` agree."),
    kind("capability-unlocked", "A new capability has no accepted record.", "The next change would be free of any rule.",
        "Add a record that supersedes, or restore the capability."),
    kind("conflict", "Two ways to an answer contradict each other.", "An answer that is contradicted proves nothing.",
        "Report it with both schemas: one of the two ways is at fault."),
    kind("cover-unused", "A cover meets no refused finding.", "A cover that is left over would hide a later finding.",
        "Spell it as the finding does, or remove it."),
    kind("forward", "A document of the new revision is not one of the old.", "The policy asks for every new document to have been valid before.",
        "Take back what allows the witness."),
    kind("golden-added", "A golden is new.", "Goldens are what consumers are promised.", "Review its lines."),
    kind("golden-altered", "A golden line of the base is gone, out of order, or reads otherwise.", "Goldens are what consumers were promised.",
        "Restore the line, and put new lines into new goldens or at the end."),
    kind("golden-changed", "A golden reads otherwise.", "Goldens are what consumers were promised.",
        "Check that lines were only added."),
    kind("golden-invalid", "A golden line is not one of its schema.", "A golden shows what the contract allows.",
        "Correct the line, or undo what made it invalid."),
    kind("golden-removed", "A golden is gone.", "Goldens are what consumers were promised.",
        "Restore it, or move it to the folder of the capability that was superseded."),
    kind("level-changed", "A rule has another level.", "The level decides what is refused from the next change on.",
        "Check that the reason for it holds for every change to come."),
    kind("level-lowered", "A rule's level is lowered in the change that needs it lowered.", "What allows a change and the change itself are for two reviews.",
        "Lower it in a change of its own, before this one."),
    kind("missing-golden", "An addition has no golden.", "Nothing shows that a producer can write it and that the old revision does not know it.",
        "`draft-golden` writes a candidate to review."),
    kind("record-added", "A decision record is new.", "It may cover what would be refused.", "Review what it covers, and why."),
    kind("record-altered", "A decision record in force reads otherwise.", "What was decided is history.",
        "Restore it, and decide anew in a record that supersedes it."),
    kind("record-changed", "A decision record reads otherwise.", "It may cover what would be refused.", "Review what it covers, and why."),
    kind("record-removed", "A decision record is gone.", "What was decided is history.",
        "Restore it, and decide anew in a record that supersedes it."),
    kind("record-unfinished", "A record is accepted as it was drafted.", "What is decided without a reason cannot be reviewed.",
        "Write the reason of each cover, and in the first record what is promised."),
    kind("settings-changed", "The settings of the contract read otherwise.", "They say where its parts are and what each rule weighs.",
        "Check that nothing is looked at less than before."),
    kind("undecided", "Something could not be decided.", "What is not known is never taken for a yes.",
        "Say it in keywords that can be judged, or give the file that is referred to."),
];

impl Entry<'_> {
    fn new(id: &str, kind: &'static str, message: &str) -> Self {
        Self {
            id: id.to_owned(),
            weight: Weight::Error,
            kind,
            subject: String::new(),
            message: message.to_owned(),
            new: None,
            old: None,
            place: None,
            about: None,
            witness: None,
            golden: None,
            covered_by: None,
            help: about(id).map(|about| about.instead.to_owned()),
        }
    }
}

/// How much something weighs that is refused under the lock.
fn weight(report: &Report) -> Weight {
    match report.policy {
        Policy::Additive if !report.accepted => Weight::Error,
        _ => Weight::Warning,
    }
}

/// Under a policy about documents, the answers themselves are what decides.
fn answers(report: &Report) -> Vec<Entry<'_>> {
    let asks_backward = matches!(report.policy, Policy::Backward | Policy::Full);
    let asks_forward = matches!(report.policy, Policy::Forward | Policy::Full);
    let witnesses = &report.witnesses;
    let asked = [
        (
            asks_backward,
            "backward",
            report.backward,
            &witnesses.backward,
        ),
        (asks_forward, "forward", report.forward, &witnesses.forward),
    ];
    let refused = asked
        .into_iter()
        .filter(|(asks, _, answer, _)| *asks && *answer == Answer::No);
    refused
        .map(|(_, id, _, evidence)| {
            let summary = about(id).map_or("", |about| about.summary);
            let (message, witness) = match evidence {
                Some(Evidence::Reason { why }) => (format!("{summary} {why}"), None),
                Some(Evidence::Document(witness)) => (summary.to_owned(), Some(witness)),
                None => (summary.to_owned(), None),
            };
            Entry {
                witness,
                new: whole(report),
                ..Entry::new(id, "answer", &message)
            }
        })
        .collect()
}

/// The new schema as a whole, for what has no place in it.
fn whole(report: &Report) -> Option<Spot> {
    (!report.new_name.is_empty()).then(|| Spot::in_file(&report.new_name, None))
}

fn finding<'r>(report: &'r Report, finding: &'r Finding) -> Entry<'r> {
    let golden = finding.golden.as_ref();
    let golden = golden.map(|golden| Spot::in_file(&golden.file, Some((golden.line, None))));
    let new = finding.new.as_ref();
    let old = finding.old.as_ref();
    let is_refused = finding.level == Level::Breaking && finding.covered_by.is_none();
    let mut message = finding.message.clone();
    match finding.further_places {
        0 => {}
        1 => message.push_str(" (and at one further place)"),
        count => message.push_str(&format!(" (and at {count} further places)")),
    }
    let entry = Entry::new(&finding.rule, finding.level.as_str(), &message);
    Entry {
        weight: match finding.level {
            Level::Breaking if is_refused => weight(report),
            Level::Breaking => Weight::Warning,
            Level::Additive | Level::Editorial => Weight::Note,
        },
        subject: finding.subject.clone(),
        new: new
            .map(|place| Spot::of(place, &report.new_name))
            .or_else(|| whole(report)),
        old: old.map(|place| Spot::of(place, &report.old_name)),
        place: Some((old, new)),
        witness: finding.witness.as_ref(),
        golden,
        covered_by: finding.covered_by.as_deref(),
        // What is refused says what to do about it; the rest needs no advice.
        help: entry.help.filter(|_| is_refused),
        ..entry
    }
}

fn unknown<'r>(report: &'r Report, unknown: &'r Unknown) -> Entry<'r> {
    let names: Vec<&str> = unknown.questions.iter().map(|one| one.as_str()).collect();
    let decides = match report.policy {
        Policy::Additive => unknown.questions.contains(&Question::Additive),
        Policy::Backward => unknown.questions.contains(&Question::Backward),
        Policy::Forward => unknown.questions.contains(&Question::Forward),
        Policy::Full => unknown.questions != [Question::Additive],
    };
    let is_accepted = report.outcome() == Outcome::Accepted;
    let message = format!("{} (open: {})", unknown.why, names.join(", "));
    Entry {
        weight: match decides {
            true if !is_accepted => Weight::Error,
            true => Weight::Warning,
            false => Weight::Note,
        },
        subject: unknown.keyword.clone(),
        about: Some(&unknown.pointer),
        new: Some(Spot::pointed(report, &unknown.pointer, None)),
        ..Entry::new("undecided", "unknown", &message)
    }
}

fn conflict(conflict: &Conflict) -> Entry<'_> {
    Entry {
        witness: conflict.witness.as_ref(),
        ..Entry::new("conflict", "conflict", &conflict.message)
    }
}

fn guard(guard: &Guard) -> Entry<'_> {
    Entry {
        weight: match guard.kind {
            // The contract grows by these.
            GuardKind::GoldenAdded | GuardKind::RecordAdded => Weight::Note,
            _ => Weight::Warning,
        },
        new: Some(Spot::in_file(
            &guard.file,
            guard.line.map(|line| (line, None)),
        )),
        help: None,
        ..Entry::new(guard.kind.as_str(), "guard", &guard.message)
    }
}

fn problem<'r>(report: &Report, problem: &'r Problem) -> Entry<'r> {
    Entry {
        weight: weight(report),
        new: Some(Spot::in_file(
            &problem.file,
            problem.line.map(|line| (line, problem.column)),
        )),
        // The message of a problem says what to do already.
        help: None,
        ..Entry::new(problem.kind.as_str(), "problem", &problem.message)
    }
}

#[cfg(test)]
mod tests {
    use super::{KINDS, about};
    use crate::report::ProblemKind;

    #[test]
    fn every_kind_of_entry_is_explained_and_no_kind_takes_the_id_of_a_rule() {
        assert!(KINDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (id, ..) in KINDS {
            assert_eq!(crate::evolution::rules::find(id), None, "{id}");
        }
        for kind in [
            ProblemKind::CoverUnused,
            ProblemKind::RecordRemoved,
            ProblemKind::RecordAltered,
            ProblemKind::RecordUnfinished,
            ProblemKind::GoldenAltered,
            ProblemKind::GoldenInvalid,
            ProblemKind::CapabilityMismatch,
            ProblemKind::CapabilityUnlocked,
            ProblemKind::ArchiveMissing,
            ProblemKind::LevelLowered,
        ] {
            assert!(about(kind.as_str()).is_some(), "{kind:?}");
            let written = serde_json::to_string(&kind).expect("written");
            assert_eq!(written, format!("\"{}\"", kind.as_str()));
        }
        for kind in super::GuardKind::ALL {
            assert!(about(kind.as_str()).is_some(), "{kind:?}");
            let written = serde_json::to_string(&kind).expect("written");
            assert_eq!(written, format!("\"{}\"", kind.as_str()));
        }
        assert!(about("property-removed").is_some() && about("nothing").is_none());
    }
}
