//! Documentation: it never constrains, and it is shown because meaning is part of the contract.

use super::{Differ, Place};
use crate::json::Literal;
use crate::wire::{Docs, Subject};

impl Differ<'_> {
    /// Compares what is documented of one element. `added` names members that are new in this
    /// change: a default that gains just those keeps its meaning.
    pub(super) fn docs(
        &mut self,
        old: &Docs,
        new: &Docs,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
        added: &[&str],
    ) {
        if !same_default(old.default.as_ref(), new.default.as_ref(), added) {
            let text = |value: &Option<Literal>| {
                value
                    .as_ref()
                    .map_or("absent".to_owned(), ToString::to_string)
            };
            let message = format!(
                "the default of {subject} was {} and is {}",
                text(&old.default),
                text(&new.default)
            );
            self.claim("default-changed", subject, places.0, places.1, message);
        }
        let dispatch = "discriminator";
        if !self.same_discriminator(old.other.get(dispatch), new.other.get(dispatch)) {
            let message = format!("the discriminator of {subject} is another");
            self.claim(
                "discriminator-changed",
                subject,
                places.0,
                places.1,
                message,
            );
        }
        let texts = [
            ("title-changed", "title", &old.title, &new.title),
            (
                "description-changed",
                "description",
                &old.description,
                &new.description,
            ),
            ("comment-changed", "$comment", &old.comment, &new.comment),
        ];
        for (rule, keyword, was, is) in texts {
            let change = match (was, is) {
                (Some(was), Some(is)) if was != is => "is another",
                (None, Some(_)) => "is new",
                (Some(_), None) => "was removed",
                _ => continue,
            };
            self.claim(
                rule,
                subject,
                places.0,
                places.1,
                format!("the {keyword} of {subject} {change}"),
            );
        }
        if old.examples != new.examples {
            self.claim(
                "examples-changed",
                subject,
                places.0,
                places.1,
                format!("the examples of {subject} are others"),
            );
        }
        if old.deprecated != new.deprecated {
            let verb = if new.deprecated {
                "is now"
            } else {
                "is no longer"
            };
            let message = format!("{subject} {verb} deprecated");
            self.claim("deprecated-changed", subject, places.0, places.1, message);
        }
        for (name, value) in &new.other {
            if name != dispatch && old.other.get(name) != Some(value) {
                let message = format!(
                    "the annotation {name:?} at {subject} is new or other; it constrains nothing"
                );
                self.claim("unknown-keyword", subject, places.0, places.1, message);
            }
        }
        for name in old.other.keys() {
            if name != dispatch && !new.other.contains_key(name) {
                let message = format!(
                    "the annotation {name:?} at {subject} was removed; it constrained nothing"
                );
                self.claim("unknown-keyword", subject, places.0, places.1, message);
            }
        }
    }
}

/// Whether a default keeps its meaning.
fn same_default(old: Option<&Literal>, new: Option<&Literal>, added: &[&str]) -> bool {
    if old == new {
        return true;
    }
    let parse =
        |value: Option<&Literal>| value.and_then(|value| crate::json::parse(value.text()).ok());
    let (Some(old), Some(new)) = (parse(old), parse(new)) else {
        return false;
    };
    let (before, after) = (old.members(), new.members());
    let kept: Vec<_> = after
        .iter()
        .filter(|member| !added.contains(&&*member.name))
        .collect();
    !before.is_empty()
        && before.len() == kept.len()
        && before.iter().zip(kept).all(|(left, right)| {
            left.name == right.name && Literal::of(&left.node) == Literal::of(&right.node)
        })
}
