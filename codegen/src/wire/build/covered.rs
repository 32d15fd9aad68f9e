//! Alternatives whose scalars others take as well: they add no document to a place.
//!
//! A place holds what its alternatives take together, in which those would be lost. What they say
//! is still read by people and programs: a retype beside a branch of anything is a retype.

use super::Builder;
use super::alternatives::Alternative;
use super::scalars::Part;
use crate::schema::TypeSet;
use crate::wire::{BooleanShape, NodeId, NumberFacts, ScalarFacts, StringFacts};

/// What the alternatives of one place take of scalars, in their order.
#[derive(Default)]
pub(super) struct Cover {
    alternatives: Vec<Taken>,
    seen: TypeSet,
    /// Whether two alternatives take scalars of one type; without, none covers another.
    overlap: bool,
}

/// What one alternative takes of scalars.
struct Taken {
    /// Its types.
    types: TypeSet,
    /// Those of the types of which it takes every value.
    whole: TypeSet,
    /// Whether it names its values, which are known values of the place.
    named: bool,
}

impl Cover {
    /// Notes one alternative more.
    pub(super) fn push(
        &mut self,
        types: TypeSet,
        boolean: Option<&BooleanShape>,
        number: Option<&Part<NumberFacts>>,
        string: Option<&Part<StringFacts>>,
    ) {
        let both = boolean.is_some_and(|shape| shape.allow_false && shape.allow_true);
        let parts = [
            (TypeSet::NULL, true),
            (TypeSet::BOOLEAN, both),
            (TypeSet::NUMBER, number.is_some_and(Part::is_whole)),
            (TypeSet::STRING, string.is_some_and(Part::is_whole)),
        ];
        let whole = parts.into_iter().filter(|(_, whole)| *whole);
        let whole = whole.fold(TypeSet::NONE, |all, (of, _)| all.union(of));
        let types = types.intersection(TypeSet::SCALARS);
        self.overlap |= self.seen.overlaps(types);
        self.seen = self.seen.union(types);
        self.alternatives.push(Taken {
            types,
            whole: whole.intersection(types),
            named: number.is_some_and(|part| part.values.is_some())
                || string.is_some_and(|part| part.values.is_some())
                || boolean.is_some() && !both,
        });
    }

    /// The alternatives, by index, that take nothing which those that are left do not take: those of
    /// few types first, and of equals the later one.
    fn covered(&self) -> Vec<usize> {
        if !self.overlap {
            return Vec::new();
        }
        let takers = |of: TypeSet| {
            let takers = self.alternatives.iter();
            takers.filter(|taken| taken.whole.overlaps(of)).count()
        };
        let mut left: Vec<(TypeSet, usize)> =
            TypeSet::SCALARS.each().map(|of| (of, takers(of))).collect();
        let mut order: Vec<usize> = (0..self.alternatives.len()).rev().collect();
        order.sort_by_key(|index| self.alternatives[*index].types.each().count());
        let mut covered = Vec::new();
        for index in order {
            let Taken {
                types,
                whole,
                named,
            } = self.alternatives[index];
            let others = |(of, takers): &(TypeSet, usize)| {
                !types.overlaps(*of) || *takers > usize::from(whole.overlaps(*of))
            };
            if named || types.is_empty() || !left.iter().all(others) {
                continue;
            }
            let own = left.iter_mut().filter(|(of, _)| whole.overlaps(*of));
            own.for_each(|(_, takers)| *takers -= 1);
            covered.push(index);
        }
        covered.sort_unstable();
        covered
    }
}

impl<F: ScalarFacts> Part<F> {
    /// Whether every value of the type is taken.
    fn is_whole(&self) -> bool {
        self.values.is_none() && self.facts == F::default()
    }
}

impl Builder<'_> {
    /// The covered alternatives of a place, each as a place of its own.
    pub(super) fn covered(&mut self, alternatives: &[Alternative], cover: &Cover) -> Vec<NodeId> {
        let covered = cover.covered().into_iter();
        covered
            .map(|index| self.scalars_of(&alternatives[index]))
            .collect()
    }
}
