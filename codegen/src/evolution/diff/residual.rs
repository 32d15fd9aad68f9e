//! Assertions that are compared as wholes: same keyword, same names, subschemas equal on the wire.

use super::{Differ, Place};
use crate::evolution::equal::Mode;
use crate::wire::{Residual, Subject};

impl Differ<'_> {
    pub(super) fn residual(
        &mut self,
        old: &[Residual],
        new: &[Residual],
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        let mut left: Vec<&Residual> = old.iter().collect();
        for after in new {
            let twin = left
                .iter()
                .position(|before| self.same_residual(before, after));
            if let Some(index) = twin {
                left.remove(index);
                continue;
            }
            let beside = left
                .iter()
                .position(|before| before.keyword == after.keyword && before.names == after.names);
            let subject = subject.keyword(after.keyword);
            match beside {
                // Both sides are noted as undecided already, which is all that can be said.
                Some(index) if left[index].undecided && after.undecided => {
                    left.remove(index);
                }
                // Which way a changed condition points is the prover's to say; either way some
                // document changes sides.
                Some(index) => {
                    let before = left.remove(index);
                    let message = format!("{subject} says something else than before");
                    self.claim(
                        rule_of(after.keyword, "unclaimed-change"),
                        &subject,
                        Some(&before.origin),
                        Some(&after.origin),
                        message,
                    );
                }
                None => {
                    let message = format!("{subject} is new");
                    self.claim(
                        rule_of(after.keyword, "constraint-narrowed"),
                        &subject,
                        places.0,
                        Some(&after.origin),
                        message,
                    );
                }
            }
        }
        for before in left {
            let subject = subject.keyword(before.keyword);
            let message = format!("{subject} was removed");
            self.claim(
                rule_of(before.keyword, "constraint-widened"),
                &subject,
                Some(&before.origin),
                places.1,
                message,
            );
        }
    }

    pub(super) fn same_residual(&self, old: &Residual, new: &Residual) -> bool {
        old.keyword == new.keyword
            && old.names == new.names
            && old.nodes.len() == new.nodes.len()
            && !old.undecided
            && !new.undecided
            && old
                .nodes
                .iter()
                .zip(&new.nodes)
                .all(|(before, after)| self.same(*before, *after, Mode::Wire))
    }
}

/// The rule of a keyword that has one of its own.
fn rule_of(keyword: &str, usual: &'static str) -> &'static str {
    if keyword == "format" {
        "format-changed"
    } else {
        usual
    }
}
