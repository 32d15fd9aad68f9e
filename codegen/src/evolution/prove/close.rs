//! Definitions that say the same become one, and those that do not lead to themselves go in place.
//!
//! Two definitions are equal where their formulas are, references taken up to that same equality:
//! the coarsest partition is found by refinement over hashes, and then checked, formula by formula,
//! so that no collision of hashes can make two schemas equal.

use super::term::{Map, Name, Shape, Term, Terms, undecided};
use crate::schema::TypeSet;
use std::hash::{BuildHasher as _, Hash, Hasher as _};
use std::rc::Rc;

/// Formulas that are hashed, all rounds of the refinement together.
const MAX_WORK: usize = 5_000_000;
/// Corrections of what the hashes said, before definitions are taken as they stand.
const MAX_ROUNDS: usize = 10;
/// Branches of one `oneOf` that are compared with each other.
const MAX_BRANCHES: usize = 2_000;
/// Pairs of such branches that are not told apart at a glance.
const MAX_PAIRS: usize = 20_000;

/// How far the parts of a formula are looked into for what tells it apart.
const GLANCE: usize = 4;

impl Terms {
    /// Rewrites formulas and the bodies that their references lead to.
    pub(super) fn close(&mut self, roots: &[Term]) -> Vec<Term> {
        if self.bodies.is_empty() && !self.has_at_most_one {
            return roots.to_vec();
        }
        let cyclic = self.cyclic();
        let raw = self.bodies.clone();
        let alone: Vec<usize> = (0..raw.len()).collect();
        let mut classes = self.classes(&cyclic).unwrap_or_else(|| alone.clone());
        let mut rounds = 0;
        loop {
            let mut rewriting = Rewriting {
                raw: &raw,
                cyclic: &cyclic,
                classes: &classes,
                done: Map::default(),
            };
            let bodies: Vec<Term> = (0..raw.len())
                .map(|slot| {
                    if cyclic[slot] {
                        rewriting.rewrite(self, raw[slot])
                    } else {
                        Term::TRUE
                    }
                })
                .collect();
            let strange: Vec<usize> = (0..raw.len())
                .filter(|slot| cyclic[*slot] && bodies[*slot] != bodies[classes[*slot]])
                .collect();
            if strange.is_empty() {
                let roots = roots
                    .iter()
                    .map(|root| rewriting.rewrite(self, *root))
                    .collect();
                self.bodies = bodies;
                return roots;
            }
            rounds += 1;
            if rounds > MAX_ROUNDS {
                classes.clone_from(&alone);
            }
            for slot in strange {
                classes[slot] = slot;
            }
        }
    }

    /// The slots that a formula refers to.
    fn references(&self, from: Term) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = crate::maps::HashSet::default();
        let mut stack = vec![from.bare()];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Shape::Reference(slot) = self.shape(term) {
                found.push(*slot as usize);
            }
            self.each_part(term, &mut |part| stack.push(part.bare()));
        }
        found
    }

    /// Calls for each formula that a formula is made of.
    fn each_part(&self, term: Term, call: &mut dyn FnMut(Term)) {
        match self.shape(term) {
            Shape::And(parts) | Shape::AtMostOne(parts) | Shape::Opaque(_, parts) => {
                parts.iter().for_each(|part| call(*part))
            }
            Shape::Item(_, part)
            | Shape::Items(_, part)
            | Shape::Contains(part, _)
            | Shape::Property(_, part) => call(*part),
            Shape::Members(names, value) => {
                call(*names);
                call(*value);
            }
            _ => {}
        }
    }

    /// Which definitions lead to themselves: those that are left when all others are taken away
    /// whose references are all away already.
    fn cyclic(&self) -> Vec<bool> {
        let count = self.bodies.len();
        let outgoing: Vec<Vec<usize>> = self
            .bodies
            .iter()
            .map(|body| self.references(*body))
            .collect();
        let mut incoming = vec![Vec::new(); count];
        let mut open: Vec<usize> = outgoing.iter().map(Vec::len).collect();
        for (from, targets) in outgoing.iter().enumerate() {
            for target in targets {
                incoming[*target].push(from);
            }
        }
        let mut cyclic = vec![true; count];
        let mut ready: Vec<usize> = (0..count).filter(|slot| open[*slot] == 0).collect();
        while let Some(slot) = ready.pop() {
            cyclic[slot] = false;
            for from in &incoming[slot] {
                open[*from] -= 1;
                if open[*from] == 0 {
                    ready.push(*from);
                }
            }
        }
        cyclic
    }

    /// For each definition the first one of its class; `None` where they are too many to tell.
    ///
    /// One that does not lead to itself is hashed wherever a reference leads to it, so the rounds
    /// of the refinement are for the others alone.
    fn classes(&self, cyclic: &[bool]) -> Option<Vec<usize>> {
        let count = self.bodies.len();
        if !cyclic.contains(&true) {
            return None;
        }
        let mut hashes = vec![0_u64; count];
        let mut classes = 0;
        let mut work = 0;
        loop {
            work += self.len();
            if work > MAX_WORK {
                return None;
            }
            let mut memo = vec![None; self.len()];
            let next: Vec<u64> = (0..count)
                .map(|slot| match cyclic[slot] {
                    true => self.hash(self.bodies[slot], (&hashes, cyclic), &mut memo),
                    false => 0,
                })
                .collect();
            let distinct: crate::maps::HashSet<u64> = next.iter().copied().collect();
            hashes = next;
            if distinct.len() == classes {
                break;
            }
            classes = distinct.len();
        }
        let mut first = Map::default();
        let class = |slot: usize| match cyclic[slot] {
            true => *first.entry(hashes[slot]).or_insert(slot),
            false => slot,
        };
        Some((0..count).map(class).collect())
    }

    /// The hash of a formula, its references hashed as given. Parts of a conjunction are summed,
    /// since their order is that of handles, which says nothing.
    fn hash(&self, term: Term, slots: (&[u64], &[bool]), memo: &mut [Option<u64>]) -> u64 {
        let turned = |hash: u64| if term.is_negated() { !hash } else { hash };
        if let Some(hash) = memo[term.index()] {
            return turned(hash);
        }
        let state = foldhash::fast::FixedState::default();
        let mut hasher = state.build_hasher();
        let shape = self.shape(term);
        std::mem::discriminant(shape).hash(&mut hasher);
        let mut sum = 0_u64;
        stacker::maybe_grow(RED_ZONE, STACK, || {
            self.each_part(term, &mut |part| {
                let hash = self.hash(part, slots, memo);
                sum = sum.wrapping_add(state.hash_one(hash));
            });
        });
        match shape {
            Shape::Reference(slot) if slots.1[*slot as usize] => {
                slots.0[*slot as usize].hash(&mut hasher);
            }
            Shape::Reference(slot) => {
                let body = self.bodies[*slot as usize];
                let hash = stacker::maybe_grow(RED_ZONE, STACK, || self.hash(body, slots, memo));
                hash.hash(&mut hasher);
            }
            Shape::And(_) | Shape::AtMostOne(_) => sum.hash(&mut hasher),
            Shape::Opaque(number, _) => (number, sum).hash(&mut hasher),
            Shape::Item(index, _) | Shape::Items(index, _) => (index, sum).hash(&mut hasher),
            Shape::Contains(_, count) => (count, sum).hash(&mut hasher),
            Shape::Property(name, _) => (name, sum).hash(&mut hasher),
            Shape::Members(names, value) => {
                // A sum would not tell the names from the value.
                let (names, value) = (
                    self.hash(*names, slots, memo),
                    self.hash(*value, slots, memo),
                );
                (names, value).hash(&mut hasher);
            }
            shape => shape.hash(&mut hasher),
        }
        let hash = hasher.finish();
        memo[term.index()] = Some(hash);
        turned(hash)
    }

    /// Tells of each pair of formulas, by index, whether a glance shows that no value takes both.
    pub(super) fn told_apart(&self, branches: &[Term]) -> impl Fn(usize, usize) -> bool + use<> {
        let facts: Vec<Facts> = branches.iter().map(|branch| self.glance(*branch)).collect();
        move |one, other| facts[one].excludes(&facts[other])
    }

    /// Whether a member that all the formulas require tells every two of them apart.
    fn told_by_one_tag(&self, branches: &[Term]) -> bool {
        let facts: Vec<Facts> = branches.iter().map(|branch| self.glance(*branch)).collect();
        let Some(first) = facts.first() else {
            return true;
        };
        first.tags.iter().any(|(name, _)| {
            let mut seen = crate::maps::HashSet::default();
            facts.iter().all(|facts| {
                facts.types == TypeSet::OBJECT
                    && facts
                        .tag(*name)
                        .is_some_and(|values| values.iter().all(|value| seen.insert(*value)))
            })
        })
    }

    fn glance(&self, term: Term) -> Facts {
        let mut facts = Facts {
            types: TypeSet::ALL,
            tags: Vec::new(),
        };
        let (mut required, mut values) = (Vec::new(), Vec::new());
        self.glance_at(term, GLANCE, &mut facts, &mut required, &mut values);
        facts.tags = values;
        facts.tags.retain(|(name, _)| required.contains(name));
        facts
    }

    fn glance_at(
        &self,
        term: Term,
        depth: usize,
        facts: &mut Facts,
        required: &mut Vec<Name>,
        values: &mut Vec<(Name, Rc<[Name]>)>,
    ) {
        facts.types = facts.types.intersection(self.mask(term));
        if depth == 0 || term.is_negated() {
            return;
        }
        match self.shape(term) {
            Shape::And(parts) => {
                for part in parts.iter() {
                    self.glance_at(*part, depth - 1, facts, required, values);
                }
            }
            Shape::Reference(slot) => {
                let body = self.bodies[*slot as usize];
                self.glance_at(body, depth - 1, facts, required, values);
            }
            Shape::Required(name) => required.push(*name),
            Shape::Property(name, value) => {
                if let Some(strings) = self.only_strings(*value) {
                    values.push((*name, strings));
                }
            }
            _ => {}
        }
    }

    /// Whether a formula takes all of its strings, with nothing else said about them.
    pub(super) fn is_list_of_strings(&self, term: Term) -> bool {
        let Shape::And(parts) = self.shape(term) else {
            return false;
        };
        let is_list = |part: &Term| {
            matches!(self.shape(*part), Shape::Strings(_) | Shape::Types(_)) && !part.is_negated()
        };
        let lists = parts
            .iter()
            .filter(|part| matches!(self.shape(**part), Shape::Strings(_)));
        !term.is_negated() && parts.iter().all(is_list) && lists.count() == 1
    }

    /// The strings among which all are that a formula takes, where a glance shows some.
    pub(super) fn only_strings(&self, term: Term) -> Option<Rc<[Name]>> {
        if term.is_negated() {
            return None;
        }
        match self.shape(term) {
            Shape::And(parts) if self.mask(term) == TypeSet::STRING => {
                parts.iter().find_map(|part| match self.shape(*part) {
                    Shape::Strings(strings) if !part.is_negated() => Some(strings.clone()),
                    _ => None,
                })
            }
            _ => None,
        }
    }
}

/// Stack kept free, and how much is added where it runs short; recursions follow definitions, of
/// which a document can hold a long chain.
pub(super) const RED_ZONE: usize = 128 << 10;
pub(super) const STACK: usize = 4 << 20;

/// What a glance at a formula shows: types, and required members that are one of some strings.
struct Facts {
    types: TypeSet,
    tags: Vec<(Name, Rc<[Name]>)>,
}

impl Facts {
    fn tag(&self, name: Name) -> Option<&Rc<[Name]>> {
        self.tags
            .iter()
            .find(|(tag, _)| *tag == name)
            .map(|(_, values)| values)
    }

    fn excludes(&self, other: &Self) -> bool {
        let types = self.types.intersection(other.types);
        let object = types == TypeSet::OBJECT;
        types.is_empty()
            || (object
                && self.tags.iter().any(|(name, values)| {
                    other
                        .tag(*name)
                        .is_some_and(|others| !values.iter().any(|value| others.contains(value)))
                }))
    }
}

struct Rewriting<'r> {
    raw: &'r [Term],
    cyclic: &'r [bool],
    classes: &'r [usize],
    done: Map<Term, Term>,
}

impl Rewriting<'_> {
    fn rewrite(&mut self, terms: &mut Terms, term: Term) -> Term {
        let bare = term.bare();
        if let Some(known) = self.done.get(&bare) {
            return known.negated_if(term.is_negated());
        }
        let result = stacker::maybe_grow(RED_ZONE, STACK, || self.parts(terms, bare));
        self.done.insert(bare, result);
        result.negated_if(term.is_negated())
    }

    fn parts(&mut self, terms: &mut Terms, term: Term) -> Term {
        match terms.shape(term).clone() {
            Shape::And(parts) => {
                let parts: Vec<Term> = parts
                    .iter()
                    .map(|part| self.rewrite(terms, *part))
                    .collect();
                terms.and(parts)
            }
            Shape::AtMostOne(branches) => {
                if terms.told_by_one_tag(&branches) {
                    return Term::TRUE;
                }
                let apart = terms.told_apart(&branches);
                let new: Vec<Term> = branches
                    .iter()
                    .map(|branch| self.rewrite(terms, *branch))
                    .collect();
                let too_many = |terms: &mut Terms, mut new: Vec<Term>| {
                    new.sort_unstable();
                    let why = "too many branches would have to be compared with each other";
                    terms.opaque(undecided("oneOf", why), new)
                };
                if branches.len() > MAX_BRANCHES {
                    return too_many(terms, new);
                }
                let mut pairs = Vec::new();
                for one in 0..new.len() {
                    for other in 0..one {
                        if !apart(other, one) {
                            pairs.push(!terms.and([new[one], new[other]]));
                        }
                    }
                    if pairs.len() > MAX_PAIRS {
                        return too_many(terms, new);
                    }
                }
                terms.and(pairs)
            }
            Shape::Reference(slot) => {
                let slot = slot as usize;
                if self.cyclic[slot] {
                    let class = u32::try_from(self.classes[slot]).unwrap_or(u32::MAX);
                    terms.atom(Shape::Reference(class))
                } else {
                    self.rewrite(terms, self.raw[slot])
                }
            }
            Shape::Item(index, part) => {
                let part = self.rewrite(terms, part);
                terms.atom(Shape::Item(index, part))
            }
            Shape::Items(from, part) => {
                let part = self.rewrite(terms, part);
                terms.atom(Shape::Items(from, part))
            }
            Shape::Contains(part, count) => {
                let part = self.rewrite(terms, part);
                terms.atom(Shape::Contains(part, count))
            }
            Shape::Property(name, part) => {
                let part = self.rewrite(terms, part);
                terms.atom(Shape::Property(name, part))
            }
            Shape::Members(names, value) => {
                let (names, value) = (self.rewrite(terms, names), self.rewrite(terms, value));
                terms.atom(Shape::Members(names, value))
            }
            Shape::Opaque(number, about) => {
                let about = about.iter().map(|part| self.rewrite(terms, *part));
                let about: Vec<Term> = about.collect();
                terms.atom(Shape::Opaque(number, about.into()))
            }
            _ => term,
        }
    }
}
