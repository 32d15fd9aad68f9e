//! The constraints on numbers and strings that are not named: bounds, lengths, steps, patterns, formats.

use super::scalars::Comparable;
use super::{Differ, Place};
use crate::evolution::describe;
use crate::json::{Decimal, Literal};
use crate::wire::{Bound, NumberFacts, Residual, StringFacts, Subject, plain};

impl Differ<'_> {
    /// Claims that a constraint takes less than before, or more.
    fn constraint(
        &mut self,
        narrowed: bool,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
        message: String,
    ) {
        let rule = if narrowed {
            "constraint-narrowed"
        } else {
            "constraint-widened"
        };
        self.claim(rule, subject, places.0, places.1, message);
    }

    /// A limit that only ever narrows when it grows (`minLength`), or when it shrinks (`maxLength`).
    pub(super) fn limit(
        &mut self,
        name: &str,
        old: Option<u64>,
        new: Option<u64>,
        lower: bool,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        if old == new {
            return;
        }
        let rank = |limit: Option<u64>| limit.unwrap_or(if lower { 0 } else { u64::MAX });
        let narrowed = (rank(new) > rank(old)) == lower;
        let text =
            |limit: Option<u64>| limit.map_or("absent".to_owned(), |limit| limit.to_string());
        let message = format!("{name} of {subject} was {} and is {}", text(old), text(new));
        self.constraint(narrowed, subject, places, message);
    }

    fn bound(
        &mut self,
        old: Option<&Bound>,
        new: Option<&Bound>,
        lower: bool,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        if old == new {
            return;
        }
        let narrowed = match (old, new) {
            (None, _) => true,
            (_, None) => false,
            (Some(was), Some(is)) if lower => was.clone().tighter_minimum(is.clone()) == *is,
            (Some(was), Some(is)) => was.clone().tighter_maximum(is.clone()) == *is,
        };
        let message = format!(
            "{subject} was {} and is {}",
            describe::bound(old, lower),
            describe::bound(new, lower)
        );
        self.constraint(narrowed, subject, places, message);
    }

    fn excluded(
        &mut self,
        old: &[Literal],
        new: &[Literal],
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        let list = |values: &[Literal]| values.iter().map(plain).collect::<Vec<_>>().join(", ");
        // Both are sorted.
        let beyond = |one: &'_ [Literal], other: &[Literal]| -> Vec<Literal> {
            let beyond = one
                .iter()
                .filter(|value| other.binary_search(value).is_err());
            beyond.cloned().collect()
        };
        let (gained, lost) = (beyond(new, old), beyond(old, new));
        if !gained.is_empty() {
            let message = format!("{subject} no longer takes {}", list(&gained));
            self.constraint(true, subject, places, message);
        }
        if !lost.is_empty() {
            let message = format!("{subject} now takes {}", list(&lost));
            self.constraint(false, subject, places, message);
        }
    }

    fn formats(
        &mut self,
        old: &[String],
        new: &[String],
        what: &str,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        if old != new {
            let message = format!(
                "the {what} of {subject} was {} and is {}",
                joined(old),
                joined(new)
            );
            self.claim("format-changed", subject, places.0, places.1, message);
        }
    }

    fn residual_of(
        &mut self,
        old: &[Residual],
        new: &[Residual],
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        if !(old.is_empty() && new.is_empty()) {
            self.residual(old, new, subject, places);
        }
    }
}

impl Comparable for NumberFacts {
    fn compare(
        differ: &mut Differ<'_>,
        old: &Self,
        new: &Self,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        // A fraction gained or lost is a matter of types, and claimed there.
        let integer = old.integer && new.integer;
        let whole = |bound: Option<&Bound>, lower: bool| match bound {
            Some(bound) if integer => Some(bound.clone().for_integers(lower)),
            bound => bound.cloned(),
        };
        let (was, is) = (
            whole(old.minimum.as_ref(), true),
            whole(new.minimum.as_ref(), true),
        );
        differ.bound(was.as_ref(), is.as_ref(), true, subject, places);
        let (was, is) = (
            whole(old.maximum.as_ref(), false),
            whole(new.maximum.as_ref(), false),
        );
        differ.bound(was.as_ref(), is.as_ref(), false, subject, places);
        if old.multiple_of != new.multiple_of {
            let steps = |steps: &[Decimal]| {
                let steps: Vec<String> = steps.iter().map(Decimal::to_text).collect();
                joined(&steps)
            };
            let message = format!(
                "multipleOf of {subject} was {} and is {}",
                steps(&old.multiple_of),
                steps(&new.multiple_of)
            );
            // A step that lost no old one only narrows, and one that gained none only widens;
            // any other exchange of steps does both as far as can be told here.
            let within =
                |some: &[Decimal], all: &[Decimal]| some.iter().all(|step| all.contains(step));
            if !within(&new.multiple_of, &old.multiple_of) {
                differ.constraint(true, subject, places, message.clone());
            }
            if !within(&old.multiple_of, &new.multiple_of) {
                differ.constraint(false, subject, places, message);
            }
        }
        differ.formats(&old.formats, &new.formats, "format", subject, places);
        differ.excluded(&old.excluded, &new.excluded, subject, places);
        differ.residual_of(&old.residual, &new.residual, subject, places);
    }
}

impl Comparable for StringFacts {
    fn compare(
        differ: &mut Differ<'_>,
        old: &Self,
        new: &Self,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        differ.limit(
            "minLength",
            Some(old.min_length),
            Some(new.min_length),
            true,
            subject,
            places,
        );
        differ.limit(
            "maxLength",
            old.max_length,
            new.max_length,
            false,
            subject,
            places,
        );
        if old.patterns != new.patterns {
            let same = differ
                .languages
                .borrow_mut()
                .equal(&old.patterns, &new.patterns);
            // A pattern where there was none is a constraint that is new, whatever it says.
            let is_one_sided = old.patterns.is_empty() || new.patterns.is_empty();
            match same {
                Ok(true) => {}
                Err(why) if !is_one_sided => {
                    if let Some(origin) = places.1.or(places.0) {
                        differ.undecided("pattern", origin, why);
                    }
                }
                Ok(false) | Err(_) => {
                    let message = format!(
                        "the pattern of {subject} was {} and is {}",
                        joined(&old.patterns),
                        joined(&new.patterns)
                    );
                    differ.claim("pattern-changed", subject, places.0, places.1, message);
                }
            }
        }
        differ.formats(&old.formats, &new.formats, "format", subject, places);
        differ.formats(&old.content, &new.content, "encoding", subject, places);
        differ.excluded(&old.excluded, &new.excluded, subject, places);
        differ.residual_of(&old.residual, &new.residual, subject, places);
    }
}

/// Constraints that all hold, as messages tell them.
fn joined(parts: &[String]) -> String {
    if parts.is_empty() {
        return "absent".to_owned();
    }
    parts.join(" and ")
}
