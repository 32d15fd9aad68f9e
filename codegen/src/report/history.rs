//! The judgement on every step of a history: what the formats that show one have in common.

use super::{Failure, Outcome, Report};
use crate::wire::{Kind, Wire, element_keys, is_variant_element};
use serde::Serialize;
use std::collections::HashSet;

/// Every revision of a contract, oldest first.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// One step a revision.
    pub steps: Vec<Step>,
}

/// The judgement on one revision of the history.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Step {
    /// The revision.
    pub revision: String,
    /// The revision it follows.
    pub follows: Option<String>,
    /// The day of its commit, as `2026-11-30`; nothing for the work tree.
    pub day: Option<String>,
    /// What its commit says first; nothing for the work tree.
    pub title: Option<String>,
    /// What links to files of its commit begin with, as in [`View::links`](super::View::links); no part
    /// of the JSON, which names the commit.
    #[serde(skip)]
    pub links: Option<String>,
    /// How much the revision declares; nothing where it cannot be read.
    pub size: Option<Size>,
    /// The step from the one that it follows to this one.
    pub step: Judged,
    /// From this one straight to the newest: what a consumer of this revision meets today.
    pub to_newest: Option<Judged>,
}

/// A judgement, or why there is none.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Judged {
    /// The judgement.
    Report(Box<Report>),
    /// Why there is none.
    Failure(Failure),
}

/// How much a schema declares.
///
/// ```
/// use wirelock_codegen::{report::Size, wire};
/// let text = r#"{"type": "object", "properties": {"level": {"enum": ["low", "high"]}}}"#;
/// let size = Size::of(&wire::read("s.json", text).unwrap());
/// assert_eq!(size, Size { lines: 0, variants: 0, fields: 1, values: 2 });
/// assert_eq!(size.to_string(), "1 field, 2 values");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Size {
    /// Variants of the document itself: the kinds of lines of a stream.
    pub lines: usize,
    /// Variants anywhere else.
    pub variants: usize,
    /// Members.
    pub fields: usize,
    /// Known values.
    pub values: usize,
}

impl Size {
    /// Counts what a schema declares, each declaration once.
    #[must_use]
    pub fn of(wire: &Wire) -> Self {
        let roots = wire.roots.iter().map(|root| wire.node(root.node));
        let lines: HashSet<&str> = roots
            .flat_map(|node| node.objects.iter().map(move |variant| (node, variant)))
            .filter(|(node, variant)| is_variant_element(node, variant))
            .map(|(_, variant)| &*variant.origin.pointer)
            .collect();
        let mut size = Self::default();
        for (kind, pointer) in element_keys(wire) {
            *match kind {
                Kind::Field => &mut size.fields,
                Kind::Value => &mut size.values,
                Kind::Variant if lines.contains(&*pointer) => &mut size.lines,
                Kind::Variant => &mut size.variants,
            } += 1;
        }
        size
    }

    /// The counts with their names, one and several.
    #[must_use]
    pub fn counts(self) -> [(usize, &'static str, &'static str); 4] {
        [
            (self.lines, "line", "lines"),
            (self.variants, "variant", "variants"),
            (self.fields, "field", "fields"),
            (self.values, "value", "values"),
        ]
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = self.counts().into_iter().filter(|(count, ..)| *count > 0);
        let parts: Vec<String> = counts
            .map(|(count, one, several)| {
                format!("{count} {}", if count == 1 { one } else { several })
            })
            .collect();
        match parts.as_slice() {
            [] => formatter.write_str("nothing with a name"),
            parts => formatter.write_str(&parts.join(", ")),
        }
    }
}

impl Judged {
    /// What it comes to; nothing where there is no judgement.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Report(report) => Some(report.outcome()),
            Self::Failure(_) => None,
        }
    }
}

impl History {
    /// How many steps came to that.
    #[must_use]
    pub fn count(&self, outcome: Option<Outcome>) -> usize {
        let steps = self.steps.iter();
        steps.filter(|step| step.step.outcome() == outcome).count()
    }

    /// One line that sums up.
    pub(super) fn summary(&self) -> String {
        format!(
            "steps: {} accepted, {} refused, {} undecided, {} could not run",
            self.count(Some(Outcome::Accepted)),
            self.count(Some(Outcome::Refused)),
            self.count(Some(Outcome::Undecided)),
            self.count(None)
        )
    }
}
