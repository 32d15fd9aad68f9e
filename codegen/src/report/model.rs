//! The report: what every format shows, and what `--format json` prints as it stands.

use crate::evolution::{Answer, Change, Level, Verdict};
use crate::wire::{Origin, Wire};
use serde::Serialize;
use std::sync::Arc;

pub use crate::evolution::Side;
pub use crate::wire::Reading;

/// The judgement on one pair of revisions.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Report {
    /// What names the pair that is judged, as its line of `--pairs` says it; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "serde_json::Value"))]
    pub id: Option<Box<serde_json::value::RawValue>>,
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
    /// What the change does to the settings, levels, records and goldens that judge it.
    pub guards: Vec<Guard>,
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
    /// What each *no* about sets of documents rests on.
    pub witnesses: Witnesses,
    /// What the goldens of the new revision exercise; nothing where they were not looked at.
    pub coverage: Option<Coverage>,
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
    /// The texts that places lead into, where excerpts of them may be shown.
    #[serde(skip)]
    pub sources: Sources,
    /// What both revisions declare, for the formats that show the whole of it. Nothing is made of
    /// them before such a format is written.
    #[serde(skip)]
    pub wires: Wires,
}

/// The wire views of both revisions, where the report may show more of them than what changed.
#[derive(Debug, Clone, Default)]
pub struct Wires {
    /// Of the old revision.
    pub old: Option<Arc<Wire>>,
    /// Of the new one.
    pub new: Option<Arc<Wire>>,
}

/// The files of both revisions: what messages call each, and its text.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Of the old revision.
    pub old: Vec<(String, String)>,
    /// Of the new one.
    pub new: Vec<(String, String)>,
}

/// Why there is no judgement.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Failure {
    /// What names the pair, as its line of `--pairs` says it, and `null` where that could not be
    /// read; absent in a history.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "serde_json::Value"))]
    pub id: Option<Box<serde_json::value::RawValue>>,
    /// What could not be read or run, where, and what to do.
    pub error: String,
}

/// What goldens exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// How many goldens there are.
    pub goldens: usize,
    /// How many lines they hold.
    pub lines: usize,
    /// How many elements of the schema stand in one of them.
    pub exercised: usize,
    /// How many elements the schema has.
    pub elements: usize,
}

/// The question that decides acceptance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemars", schemars(transform = crate::open_set::open))]
pub enum Policy {
    /// Growth within a capability, and nothing else.
    #[default]
    Additive,
    /// Every old document stays valid.
    Backward,
    /// Every new document was valid before.
    Forward,
    /// Both of these: the same documents are valid.
    Full,
}

/// One of the three questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemars", schemars(transform = crate::open_set::open))]
pub enum Question {
    /// Whether the contract only grew in the ways it may.
    Additive,
    /// Whether every document valid under the old revision is valid under the new one.
    Backward,
    /// Whether every document valid under the new revision is valid under the old one.
    Forward,
}

/// What a report comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The change may pass.
    Accepted,
    /// It may not.
    Refused,
    /// That cannot be told.
    Undecided,
}

/// A change of something that decides what is refused. It is no fault, and a reader sees it first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Guard {
    /// What changed.
    pub kind: GuardKind,
    /// One sentence: what changed, from what to what.
    pub message: String,
    /// The file concerned.
    pub file: String,
    /// The line in it, from 1.
    pub line: Option<u32>,
}

/// The kinds of changes of what judges a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schemars", schemars(transform = crate::open_set::open))]
pub enum GuardKind {
    /// `contract.toml` reads otherwise.
    SettingsChanged,
    /// A rule has another level.
    LevelChanged,
    /// A decision record is new.
    RecordAdded,
    /// A decision record reads otherwise.
    RecordChanged,
    /// A decision record is gone.
    RecordRemoved,
    /// A golden is new.
    GoldenAdded,
    /// A golden reads otherwise.
    GoldenChanged,
    /// A golden is gone.
    GoldenRemoved,
}

/// One change, with what speaks for it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Witness {
    /// The document.
    pub document: Box<serde_json::value::RawValue>,
    /// Under which reading of the schemas.
    pub reading: Reading,
    /// The revision that takes it.
    pub valid_under: Side,
    /// The definition it is a document of, where the schemas have no root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
}

/// What the answers about sets of documents rest on where they are a *no*.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Witnesses {
    /// Against `backward`.
    pub backward: Option<Evidence>,
    /// Against `forward`.
    pub forward: Option<Evidence>,
}

/// What a *no* rests on.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Evidence {
    /// A document.
    Document(Witness),
    /// A reason, where no document can be shown.
    Reason {
        /// Why there is none.
        why: String,
    },
}

/// A line of a golden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct GoldenLine {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// An addition that no new golden line exercises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Unknown {
    /// JSON Pointer.
    pub pointer: String,
    /// The keyword.
    pub keyword: String,
    /// Why.
    pub why: String,
    /// The questions that it keeps open.
    pub questions: Vec<Question>,
}

/// A contradiction between the two ways to an answer.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Conflict {
    /// Which statements contradict each other.
    pub message: String,
    /// The document that shows it.
    pub witness: Option<Witness>,
}

/// A fault of what goes with the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schemars", schemars(transform = crate::open_set::open))]
pub enum ProblemKind {
    /// A cover that meets no refused finding.
    CoverUnused,
    /// A record in force that is gone.
    RecordRemoved,
    /// A record in force that reads otherwise.
    RecordAltered,
    /// A record that is accepted although the text of its draft is left as it was.
    RecordUnfinished,
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
    /// A rule whose level is lowered in the change that needs it lowered.
    LevelLowered,
}

impl GuardKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::SettingsChanged,
        Self::LevelChanged,
        Self::RecordAdded,
        Self::RecordChanged,
        Self::RecordRemoved,
        Self::GoldenAdded,
        Self::GoldenChanged,
        Self::GoldenRemoved,
    ];

    /// The name that the machine formats give it, and that people search for.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SettingsChanged => "settings-changed",
            Self::LevelChanged => "level-changed",
            Self::RecordAdded => "record-added",
            Self::RecordChanged => "record-changed",
            Self::RecordRemoved => "record-removed",
            Self::GoldenAdded => "golden-added",
            Self::GoldenChanged => "golden-changed",
            Self::GoldenRemoved => "golden-removed",
        }
    }
}

impl ProblemKind {
    /// The name that the machine formats give it, and that people search for.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CoverUnused => "cover-unused",
            Self::RecordRemoved => "record-removed",
            Self::RecordAltered => "record-altered",
            Self::RecordUnfinished => "record-unfinished",
            Self::GoldenAltered => "golden-altered",
            Self::GoldenInvalid => "golden-invalid",
            Self::CapabilityMismatch => "capability-mismatch",
            Self::CapabilityUnlocked => "capability-unlocked",
            Self::ArchiveMissing => "archive-missing",
            Self::LevelLowered => "level-lowered",
        }
    }
}

impl Question {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Additive => "additive",
            Self::Backward => "backward",
            Self::Forward => "forward",
        }
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
            pointer: origin.pointer.to_string(),
            line: origin.position.line,
            column: origin.position.column,
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
