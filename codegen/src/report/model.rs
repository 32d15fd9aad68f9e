//! The report: what every format shows, and what `--format json` prints as it stands.

use crate::evolution::{Answer, Change, Comparison, Level, Verdict};
use crate::wire::{Origin, Undecided};
use serde::Serialize;

/// The judgement on one pair of revisions.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The outcome in one word.
    pub verdict: Verdict,
    /// Whether the contract only grew in the ways it may.
    pub additive: Answer,
    /// Whether every document valid under the old revision is valid under the new one.
    pub backward: Answer,
    /// Whether every document valid under the new revision is valid under the old one.
    pub forward: Answer,
    /// The question that decides acceptance.
    pub policy: Policy,
    /// Whether the change may pass, with what the lock and the records say taken into account.
    pub accepted: bool,
    /// Every change, heaviest first.
    pub changes: Vec<Finding>,
    /// Additions that no new golden line exercises.
    pub missing_goldens: Vec<MissingGolden>,
    /// What could not be decided.
    pub unknown: Vec<Unknown>,
    /// Where the two ways to an answer contradict each other.
    pub conflicts: Vec<Conflict>,
    /// Faults of what goes with the schema: goldens and decision records.
    pub problems: Vec<Problem>,
    /// What a reader should know about the comparison itself. It is no finding, so it stays out of
    /// the machine formats and goes where diagnostics go.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// What messages call the schema of the old revision.
    #[serde(skip)]
    pub old_name: String,
    /// What messages call the schema of the new revision.
    #[serde(skip)]
    pub new_name: String,
}

/// The question that decides acceptance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Growth within a capability, and nothing else.
    #[default]
    Additive,
}

/// One change, with what speaks for it.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// Its weight.
    pub level: Level,
    /// One sentence: what changed, from what to what.
    pub message: String,
    /// The element concerned.
    pub subject: String,
    /// Where the old revision says it.
    pub old: Option<Place>,
    /// Where the new revision says it.
    pub new: Option<Place>,
    /// A document that the two revisions judge differently.
    pub witness: Option<Witness>,
    /// The golden line that exercises an addition.
    pub golden: Option<GoldenLine>,
    /// The id of the decision record that accounts for it.
    pub covered_by: Option<String>,
    /// At how many further places the same declarations make the same difference.
    #[serde(skip)]
    pub further_places: usize,
}

/// A place in a schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// JSON Pointer; in a further file of the schema, its path and `#` stand in front.
    pub pointer: String,
    /// Line, from 1, in that file.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A document that the two revisions judge differently.
#[derive(Debug, Clone, Serialize)]
pub struct Witness {
    /// The document.
    pub document: Box<serde_json::value::RawValue>,
    /// Under which reading of the schemas.
    pub reading: Reading,
    /// The revision that takes it.
    pub valid_under: Side,
}

/// A reading of a schema, see the project's notes on the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// What any validator says.
    Published,
    /// What is declared, and nothing beside it.
    Strict,
}

/// One of the two revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The old revision.
    Old,
    /// The new revision.
    New,
}

/// A line of a golden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GoldenLine {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// An addition that no new golden line exercises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissingGolden {
    /// The element that was added.
    pub subject: String,
    /// Where the new schema declares it.
    pub pointer: String,
    /// What is missing and which command helps.
    pub message: String,
}

/// Something that could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// JSON Pointer.
    pub pointer: String,
    /// The keyword.
    pub keyword: String,
    /// Why.
    pub why: String,
}

/// A contradiction between the two ways to an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// Which statements contradict each other.
    pub message: String,
}

/// A fault of what goes with the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What kind of fault it is.
    pub kind: ProblemKind,
    /// What is wrong and what to do.
    pub message: String,
    /// The file concerned.
    pub file: String,
    /// The line in it, from 1.
    pub line: Option<u32>,
    /// The column in it, from 1.
    pub column: Option<u32>,
}

/// The kinds of faults of goldens and records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// A cover that meets no refused finding.
    CoverUnused,
    /// A record in force that is gone.
    RecordRemoved,
    /// A record in force that reads otherwise.
    RecordAltered,
    /// A golden line of the base that is gone, out of order, or reads otherwise.
    GoldenAltered,
    /// A golden line that its schema does not accept.
    GoldenInvalid,
    /// Settings and schema that name different capabilities.
    CapabilityMismatch,
    /// A new capability that no record locks.
    CapabilityUnlocked,
    /// A superseded capability that was not kept where it stays published.
    ArchiveMissing,
}

impl Report {
    /// A report on a comparison, judged by its changes alone.
    #[must_use]
    pub fn new(comparison: &Comparison) -> Self {
        let additive = comparison.additive();
        Self {
            verdict: comparison.verdict(),
            additive,
            backward: comparison.same_documents(),
            forward: comparison.same_documents(),
            policy: Policy::default(),
            accepted: additive == Answer::Yes,
            changes: comparison.changes.iter().map(Finding::from).collect(),
            missing_goldens: Vec::new(),
            unknown: comparison.undecided.iter().map(Unknown::from).collect(),
            conflicts: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
            old_name: String::new(),
            new_name: String::new(),
        }
    }

    /// How many changes have that weight.
    #[must_use]
    pub fn count(&self, level: Level) -> usize {
        self.changes
            .iter()
            .filter(|change| change.level == level)
            .count()
    }

    /// Whether a refused finding stands that no record covers.
    #[must_use]
    pub fn has_uncovered(&self) -> bool {
        self.changes
            .iter()
            .any(|change| change.level == Level::Breaking && change.covered_by.is_none())
    }
}

impl From<&Change> for Finding {
    fn from(change: &Change) -> Self {
        Self {
            rule: change.rule.to_owned(),
            level: change.level,
            message: change.message.clone(),
            subject: change.subject.clone(),
            old: change.old.as_ref().map(Place::from),
            new: change.new.as_ref().map(Place::from),
            witness: None,
            golden: None,
            covered_by: None,
            further_places: change.further_places,
        }
    }
}

impl From<&Origin> for Place {
    fn from(origin: &Origin) -> Self {
        Self {
            pointer: origin.pointer.clone(),
            line: origin.position.line,
            column: origin.position.column,
        }
    }
}

impl From<&Undecided> for Unknown {
    fn from(undecided: &Undecided) -> Self {
        Self {
            pointer: undecided.origin.pointer.clone(),
            keyword: undecided.keyword.clone(),
            why: undecided.why.clone(),
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.file)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(formatter, ":{number}")?;
        }
        write!(formatter, ": {}", self.message)
    }
}
