//! From the changes of a comparison to its answers.

use super::{Answer, Comparison, Level, Verdict};

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

    /// Applies the contract's own levels by rule id.
    pub fn apply_levels(&mut self, level_of: impl Fn(&str) -> Option<Level>) {
        for change in &mut self.changes {
            if let Some(level) = level_of(change.rule) {
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
