//! From the changes of a comparison to its answers.

use super::{Answer, Comparison, Level, Verdict};

/// The one rule that speaks of generated names and not of the wire.
const API_RULE: &str = "generated-api-changed";

impl Comparison {
    /// The heaviest change decides; what could not be decided is never taken for a yes.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.changes.iter().map(|change| change.level).max() {
            Some(Level::Breaking) => Verdict::Breaking,
            _ if !self.undecided.is_empty() => Verdict::Unknown,
            Some(Level::Additive) => Verdict::Additive,
            Some(Level::Editorial) => Verdict::Editorial,
            None => Verdict::Identical,
        }
    }

    /// Whether the change keeps the rule of growth.
    #[must_use]
    pub fn additive(&self) -> Answer {
        match self.verdict() {
            Verdict::Breaking => Answer::No,
            Verdict::Unknown => Answer::Unknown,
            Verdict::Identical | Verdict::Editorial | Verdict::Additive => Answer::Yes,
        }
    }

    /// Whether every document of the one revision is one of the other, in both directions: known
    /// where the wire is the same, and left open otherwise.
    #[must_use]
    pub fn same_documents(&self) -> Answer {
        // A name in Rust moves no document.
        let wire = self.changes.iter().filter(|change| change.rule != API_RULE);
        let is_same = wire.map(|change| change.level).max() <= Some(Level::Editorial);
        match is_same && self.undecided.is_empty() && !self.relevelled {
            true => Answer::Yes,
            false => Answer::Unknown,
        }
    }

    /// Applies the contract's own levels by rule id.
    pub fn apply_levels(&mut self, level_of: impl Fn(&str) -> Option<Level>) {
        for change in &mut self.changes {
            if let Some(level) = level_of(change.rule) {
                self.relevelled |= level != change.level;
                change.level = level;
            }
        }
        self.sort();
    }

    pub(super) fn sort(&mut self) {
        let place = |change: &super::Change| {
            let origin = change.new.as_ref().or(change.old.as_ref());
            origin.map(|origin| (origin.position, origin.pointer.clone()))
        };
        self.changes.sort_by(|left, right| {
            right
                .level
                .cmp(&left.level)
                .then_with(|| place(left).cmp(&place(right)))
                .then_with(|| left.rule.cmp(right.rule))
        });
    }
}
