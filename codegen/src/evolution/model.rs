//! What a comparison yields: changes, each under a rule, and the answers that follow from them.

use crate::wire::{Origin, Undecided};
use serde::Serialize;

/// How much a change weighs; the verdict is the heaviest of a comparison.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum Level {
    /// Documentation or layout; the wire is the same.
    Editorial,
    /// Growth that the contract's rule allows; asks for a golden.
    Additive,
    /// Refused within a capability.
    Breaking,
}

/// An answer that may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum Answer {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// It could not be decided.
    Unknown,
}

/// The outcome of a comparison in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum Verdict {
    /// Nothing changed, not even documentation.
    Identical,
    /// The wire is the same; documentation or layout changed.
    Editorial,
    /// Only allowed growth.
    Additive,
    /// At least one refused change.
    Breaking,
    /// No refused change was found, but something could not be decided.
    Unknown,
}

impl Level {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Additive => "additive",
            Self::Editorial => "editorial",
        }
    }
}

impl Answer {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

impl Verdict {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Editorial => "editorial",
            Self::Additive => "additive",
            Self::Breaking => "breaking",
            Self::Unknown => "unknown",
        }
    }
}

/// What kind of declaration an addition declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ElementKind {
    /// A named member of an object.
    Field,
    /// An alternative of an object union.
    Variant,
    /// A known value of an enum.
    Value,
}

/// One difference between two revisions.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The rule's id, see [`rules`](super).
    pub rule: &'static str,
    /// Its weight, after the contract's own levels were applied.
    pub level: Level,
    /// One sentence: what changed, from what to what.
    pub message: String,
    /// The element concerned, as `result.usage.cache_read`.
    pub subject: String,
    /// Where the old revision says it.
    pub old: Option<Origin>,
    /// Where the new revision says it.
    pub new: Option<Origin>,
    /// At how many further places the same declarations make the same difference.
    pub further_places: usize,
    /// For an addition that asks for a golden: what it declares, at [`Change::new`].
    pub element: Option<ElementKind>,
}

/// All that the comparison of two wire views yields.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Every change, heaviest first, then by place in the new revision.
    pub changes: Vec<Change>,
    /// What could not be decided on either side.
    pub undecided: Vec<Undecided>,
}
