//! Numbers and strings: known values, openness, and the constraints on what else is accepted.

use super::{Differ, Place};
use crate::evolution::{ElementKind, describe};
use crate::json::Literal;
use crate::maps::{HashMap, HashSet};
use crate::wire::{Known, Residual, Scalar, ScalarFacts, Subject, plain};
use std::collections::VecDeque;

/// Excluded values that the walk has explained otherwise: the known tags of a union, seen from its catch-all.
#[derive(Default, Clone, Copy)]
pub(super) struct Ignored<'i> {
    pub(super) old: &'i [Literal],
    pub(super) new: &'i [Literal],
}

/// Pairs of alternatives of one scalar type that are looked at in one place.
const MAX_LOOKS: usize = 1_000_000;

/// The facts, and apart from them what is compared as wholes.
fn less_residual<F: Comparable>(facts: &F) -> (F, Vec<Residual>) {
    let mut facts = facts.clone();
    let residual = std::mem::take(facts.residual_mut());
    (facts, residual)
}

/// What the diff needs of a scalar type's facts.
pub(super) trait Comparable: ScalarFacts + Clone + std::fmt::Debug {
    fn compare(
        differ: &mut Differ<'_>,
        old: &Self,
        new: &Self,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    );
}

impl Differ<'_> {
    pub(super) fn scalars<F: Comparable>(
        &mut self,
        old: &Scalar<F>,
        new: &Scalar<F>,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
        ignored: Ignored<'_>,
    ) {
        self.openness(old, new, subject, places);
        self.known_values(old, new, subject, places);
        if old.tails.is_empty() || new.tails.is_empty() {
            return;
        }
        // A value that one side knows and the other side's open part refuses came or went as a
        // known value, and is claimed as that.
        let less = |tails: &[F], ignored: &[Literal], known: &[Known]| -> Vec<F> {
            let known = known.iter().map(|known| &known.value);
            let told: HashSet<&Literal> = known.chain(ignored).collect();
            let mut tails = tails.to_vec();
            for tail in &mut tails {
                tail.excluded_mut().retain(|value| !told.contains(value));
            }
            tails
        };
        let (mut left, mut right) = (
            less(&old.tails, ignored.old, &new.known),
            less(&new.tails, ignored.new, &old.known),
        );
        let told = self.take_same_tails(&mut left, &mut right);
        if !told && let Some(origin) = places.1.or(places.0) {
            let why = "there are too many alternatives to compare each with each".to_owned();
            return self.undecided("anyOf", origin, why);
        }
        match (left.as_slice(), right.as_slice()) {
            ([], []) => {}
            ([before], [after]) => F::compare(self, before, after, subject, places),
            _ => {
                // Several alternatives of one scalar type are compared as wholes.
                if !left.is_empty() {
                    let message =
                        format!("{subject} lost an alternative among its scalar constraints");
                    self.claim("constraint-narrowed", subject, places.0, places.1, message);
                }
                if !right.is_empty() {
                    let message =
                        format!("{subject} has a new alternative among its scalar constraints");
                    self.claim("constraint-widened", subject, places.0, places.1, message);
                }
            }
        }
    }

    /// Takes out what stands on both sides; `false` where that would cost too much.
    fn take_same_tails<F: Comparable>(&self, left: &mut Vec<F>, right: &mut Vec<F>) -> bool {
        if let ([one], [other]) = (left.as_slice(), right.as_slice()) {
            if self.same_tail(one, other) {
                left.clear();
                right.clear();
            }
            return true;
        }
        // Most tails hold nothing as a whole, and their own facts tell which are the same.
        let plain = |facts: &F| format!("{:?}", less_residual(facts).0);
        let mut same: HashMap<String, VecDeque<usize>> = HashMap::default();
        for (index, facts) in right.iter().enumerate() {
            same.entry(plain(facts)).or_default().push_back(index);
        }
        let mut looks = 0;
        let mut taken = HashSet::default();
        left.retain(|facts| {
            let Some(twins) = same.get_mut(&plain(facts)) else {
                return true;
            };
            looks += twins.len();
            if looks > MAX_LOOKS {
                return true;
            }
            let twin = twins
                .iter()
                .position(|index| self.same_tail(facts, &right[*index]));
            taken.extend(twin.and_then(|twin| twins.remove(twin)));
            twin.is_none()
        });
        let mut index = 0;
        right.retain(|_| {
            index += 1;
            !taken.contains(&(index - 1))
        });
        looks <= MAX_LOOKS
    }

    /// Whether two tails are the same. What they hold as wholes is compared by what it says: the
    /// places that it names are those of two different graphs.
    fn same_tail<F: Comparable>(&self, old: &F, new: &F) -> bool {
        let ((one, was), (other, is)) = (less_residual(old), less_residual(new));
        one == other
            && was.len() == is.len()
            && was
                .iter()
                .all(|part| is.iter().any(|twin| self.same_residual(part, twin)))
    }

    fn openness<F>(
        &mut self,
        old: &Scalar<F>,
        new: &Scalar<F>,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        let (was, is) = (!old.tails.is_empty(), !new.tails.is_empty());
        if was && !is {
            let message = format!(
                "{subject} was open, and now takes only {}",
                describe::values(&new.known)
            );
            self.claim("enum-closed", subject, places.0, places.1, message);
        } else if !was && is {
            let message = format!(
                "{subject} took only {}, and now takes others too",
                describe::values(&old.known)
            );
            self.claim("enum-opened", subject, places.0, places.1, message);
        } else if was && old.known.is_empty() && !new.known.is_empty() {
            let message = format!(
                "{subject} had no known values, and now has {}",
                describe::values(&new.known)
            );
            self.claim(
                "known-values-introduced",
                subject,
                places.0,
                places.1,
                message,
            );
        }
    }

    fn known_values<F: Comparable>(
        &mut self,
        old: &Scalar<F>,
        new: &Scalar<F>,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        if old.known.is_empty() || (new.known.is_empty() && new.tails.is_empty()) {
            // Values that come with an enum's introduction or closing belong to that finding.
            return;
        }
        let by_value: HashMap<&Literal, &Known> = old
            .known
            .iter()
            .map(|known| (&known.value, known))
            .collect();
        for after in &new.known {
            if let Some(before) = by_value.get(&after.value) {
                let places = (Some(&before.origin), Some(&after.origin));
                self.docs(
                    &before.docs,
                    &after.docs,
                    &subject.value(&after.value),
                    places,
                    &[],
                );
            }
        }
        let values = |known: &[Known]| -> HashSet<Literal> {
            known.iter().map(|known| known.value.clone()).collect()
        };
        let (was, is) = (values(&old.known), values(&new.known));
        let removed: Vec<&Known> = old
            .known
            .iter()
            .filter(|known| !is.contains(&known.value))
            .collect();
        let mut added: Vec<&Known> = new
            .known
            .iter()
            .filter(|known| !was.contains(&known.value))
            .collect();
        let names = |known: &[&Known]| {
            known
                .iter()
                .map(|known| plain(&known.value))
                .collect::<Vec<_>>()
        };
        let pairs = super::fields::pair_names(
            &names(&removed),
            &names(&added),
            &self.candidates,
            |_, _| true,
        );
        let mut renamed = HashSet::default();
        for (from, before) in removed.iter().enumerate() {
            let subject = subject.value(&before.value);
            match pairs.get(&from) {
                Some(to) => {
                    renamed.insert(*to);
                    let after = added[*to];
                    let message = format!("the value {subject} was renamed to {}", after.value);
                    self.claim(
                        "enum-value-renamed",
                        &subject,
                        Some(&before.origin),
                        Some(&after.origin),
                        message,
                    );
                }
                None => {
                    let message = format!("the known value {subject} was removed");
                    self.claim(
                        "enum-value-removed",
                        &subject,
                        Some(&before.origin),
                        places.1,
                        message,
                    );
                }
            }
        }
        let mut index = 0;
        added.retain(|_| {
            index += 1;
            !renamed.contains(&(index - 1))
        });
        for after in added {
            let subject = subject.value(&after.value);
            let told: Vec<Option<bool>> = match new.tails.as_slice() {
                [] => Vec::new(),
                _ => old
                    .tails
                    .iter()
                    .map(|tail| tail.tells(&after.value))
                    .collect(),
            };
            let grows = told.contains(&Some(true));
            if !grows && told.contains(&None) {
                let why =
                    format!("whether the open part of the old enum took {subject} cannot be told");
                self.undecided("anyOf", &after.origin, why);
            }
            if grows || told.contains(&None) {
                let message = format!("{subject} is a new known value of an open enum");
                let element = Some(ElementKind::Value);
                self.claim_element(
                    "open-enum-value-added",
                    &subject,
                    places.0,
                    Some(&after.origin),
                    message,
                    element,
                );
            } else {
                let why = if old.tails.is_empty() {
                    "a closed enum"
                } else {
                    "an enum whose open part refused it"
                };
                let message = format!("{subject} is a new value of {why}");
                self.claim(
                    "enum-value-added",
                    &subject,
                    places.0,
                    Some(&after.origin),
                    message,
                );
            }
        }
    }
}
