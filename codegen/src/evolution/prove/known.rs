//! What a search takes for true, and what follows from it at a glance.

use super::term::{Map, Name, Shape, Term, Terms};
use crate::maps::HashSet;
use crate::seen::Seen;
use std::rc::Rc;

pub(super) enum Judged {
    True,
    False,
    One(Term),
    Open,
}

/// What a search took for true: literals, and disjunctions that are still open.
#[derive(Default)]
pub(super) struct Known {
    pub(super) literals: Vec<Term>,
    pub(super) set: Seen<Term>,
    /// The strings that a member is one of, where a literal says so.
    strings: Map<Name, Rc<[Name]>>,
    pub(super) pending: Vec<Term>,
}

impl Known {
    pub(super) fn clone_literals(&self) -> Self {
        Self {
            literals: self.literals.clone(),
            set: self.set.clone(),
            strings: self.strings.clone(),
            pending: Vec::new(),
        }
    }

    /// Takes a formula for true; false where that contradicts a literal.
    pub(super) fn assume(&mut self, terms: &Terms, term: Term) -> bool {
        match (terms.shape(term), term.is_negated()) {
            (Shape::True, negated) => !negated,
            (Shape::And(parts), false) => {
                let parts = parts.clone();
                parts.iter().all(|part| self.assume(terms, *part))
            }
            (Shape::And(_), true) => {
                if self.set.insert(&term) {
                    self.pending.push(term);
                }
                !self.set.contains(&!term)
            }
            (shape, negated) => {
                if self.set.contains(&!term) {
                    return false;
                }
                if self.set.insert(&term) {
                    self.literals.push(term);
                    if let (Shape::Property(name, value), false) = (shape, negated)
                        && let Some(strings) = terms.only_strings(*value)
                    {
                        self.strings.insert(*name, strings);
                    }
                }
                true
            }
        }
    }

    /// What the literals say of a disjunction at a glance.
    pub(super) fn judge(&self, terms: &Terms, disjunction: Term) -> Judged {
        let mut open = None;
        let parts = terms.alternatives(disjunction);
        for part in parts.iter() {
            match self.glance(terms, !*part) {
                Some(true) => return Judged::True,
                Some(false) => {}
                None if open.is_none() => open = Some(!*part),
                None => return self.judge_rest(terms, disjunction),
            }
        }
        open.map_or(Judged::False, Judged::One)
    }

    /// With two alternatives open, only one that is true decides anything.
    fn judge_rest(&self, terms: &Terms, disjunction: Term) -> Judged {
        let parts = terms.alternatives(disjunction);
        let is_true = |part: &Term| self.glance(terms, !*part) == Some(true);
        if parts.len() <= 64 && parts.iter().any(is_true) {
            return Judged::True;
        }
        Judged::Open
    }

    fn glance(&self, terms: &Terms, term: Term) -> Option<bool> {
        if self.set.contains(&term) {
            return Some(true);
        }
        if self.set.contains(&!term) {
            return Some(false);
        }
        match (terms.shape(term), term.is_negated()) {
            (Shape::And(parts), false) => {
                let mut all = Some(true);
                for part in parts.iter() {
                    match self.glance(terms, *part) {
                        Some(false) => return Some(false),
                        None => all = None,
                        Some(true) => {}
                    }
                }
                all
            }
            (Shape::Property(name, value), negated) => {
                let here = self.strings.get(name)?;
                let there = terms.only_strings(*value)?;
                let shared = here
                    .iter()
                    .filter(|value| there.binary_search(value).is_ok())
                    .count();
                // It may refuse some of its strings for another reason, a length say.
                if shared == here.len() && terms.is_list_of_strings(*value) {
                    return Some(!negated);
                }
                let required = terms
                    .known_required(*name)
                    .is_some_and(|term| self.set.contains(&term));
                (shared == 0 && required).then_some(negated)
            }
            _ => None,
        }
    }
}

/// Disjunctions by the tag that most of them need to have another value, so that one value of the
/// tag leads to those few that are not settled by it.
pub(super) struct Tagged {
    tag: Option<Name>,
    by_value: Map<Name, Vec<Term>>,
    others: Vec<Term>,
}

impl Tagged {
    pub(super) fn of(terms: &Terms, disjunctions: &[Term]) -> Self {
        let mut tagged = Self {
            tag: None,
            by_value: Map::default(),
            others: Vec::new(),
        };
        if disjunctions.len() < 8 {
            tagged.others = disjunctions.to_vec();
            return tagged;
        }
        // The negation of a variant: each of its parts may be what fails.
        let tags = |disjunction: Term| -> Vec<(Name, Rc<[Name]>)> {
            let parts = terms.alternatives(disjunction);
            let required: HashSet<Name> = parts
                .iter()
                .filter_map(|part| match terms.shape(*part) {
                    Shape::Required(name) if !part.is_negated() => Some(*name),
                    _ => None,
                })
                .collect();
            parts
                .iter()
                .filter_map(|part| match terms.shape(*part) {
                    Shape::Property(name, value)
                        if !part.is_negated() && required.contains(name) =>
                    {
                        terms.only_strings(*value).map(|strings| (*name, strings))
                    }
                    _ => None,
                })
                .collect()
        };
        let all: Vec<_> = disjunctions.iter().map(|each| tags(*each)).collect();
        let mut counts: Map<Name, usize> = Map::default();
        for (name, _) in all.iter().flatten() {
            *counts.entry(*name).or_default() += 1;
        }
        tagged.tag = counts
            .into_iter()
            .max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)))
            .map(|(name, _)| name);
        for (disjunction, tags) in disjunctions.iter().zip(all) {
            match tags.into_iter().find(|(name, _)| Some(*name) == tagged.tag) {
                Some((_, strings)) => {
                    for value in strings.iter() {
                        tagged
                            .by_value
                            .entry(*value)
                            .or_default()
                            .push(*disjunction);
                    }
                }
                None => tagged.others.push(*disjunction),
            }
        }
        tagged
    }

    /// The disjunctions that a branch does not settle by its tag.
    pub(super) fn relevant(
        &self,
        known: &Known,
        terms: &Terms,
    ) -> impl Iterator<Item = Term> + use<> {
        let mut found = self.others.clone();
        let values = self.tag.filter(|tag| {
            terms
                .known_required(*tag)
                .is_some_and(|term| known.set.contains(&term))
        });
        match values.and_then(|tag| known.strings.get(&tag)) {
            Some(values) => {
                for value in values.iter() {
                    found.extend(self.by_value.get(value).into_iter().flatten());
                }
            }
            None => found.extend(self.by_value.values().flatten()),
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter()
    }
}
