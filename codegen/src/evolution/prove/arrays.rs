//! Arrays that satisfy a conjunction of array atoms.

use super::document::Model;
use super::matching::matching;
use super::solve::{Outcome, Prover};
use super::term::{Map, Shape, Term};
use std::collections::HashSet;
use std::rc::Rc;

/// Arrays longer than that are known to exist and not written down.
const MAX_LENGTH: u64 = 1_000;

#[derive(Default)]
struct Facts {
    /// What the element of an index has to satisfy, where there is one.
    at: Vec<(usize, Term)>,
    /// What the elements from an index on have to satisfy.
    from: Vec<(usize, Term)>,
    /// Some element from an index on satisfies this; elements of one group are different ones.
    wanted: Vec<Wanted>,
    /// At most that many elements satisfy this.
    at_most: Vec<(Term, u64)>,
    least: u64,
    most: Option<u64>,
    unique: bool,
    twice: bool,
}

#[derive(Clone, Copy)]
struct Wanted {
    from: usize,
    term: Term,
    group: usize,
}

/// What the elements of an array of some length have to satisfy.
type Elements = Vec<Term>;

impl Prover {
    pub(super) fn arrays(&mut self, literals: &[Term]) -> Outcome {
        let facts = match self.array_facts(literals) {
            Ok(facts) => facts,
            Err(outcome) => return outcome,
        };
        if facts.unique && facts.twice {
            return Outcome::Unsat;
        }
        let prefix = facts
            .at
            .iter()
            .map(|(index, _)| index + 1)
            .chain(facts.from.iter().map(|(from, _)| *from))
            .chain(facts.wanted.iter().map(|wanted| wanted.from))
            .max()
            .unwrap_or(0) as u64;
        if facts.most.is_some_and(|most| most < facts.least) {
            return Outcome::Unsat;
        }
        if facts.least > MAX_LENGTH {
            return self.long_array(&facts);
        }
        // An element beyond these serves nothing, and an array without it is as good.
        let needed = facts.wanted.len() as u64 + if facts.twice { 2 } else { 0 };
        let bound = facts.least.max(prefix) + needed;
        let bound = facts.most.map_or(bound, |most| most.min(bound));
        let mut unknown = None;
        for length in facts.least..=bound {
            if length > MAX_LENGTH || !self.spend(length as usize + 1) {
                return self.past_budget();
            }
            let mut elements = Elements::new();
            for index in 0..usize::try_from(length).unwrap_or(0) {
                let element = self.element(&facts, index);
                elements.push(element);
            }
            if let Some(last) = elements.last()
                && facts.least < length
                && matches!(self.solve(*last), Outcome::Unsat)
            {
                break;
            }
            match self.satisfy(&facts, elements, 0, prefix as usize) {
                found @ Outcome::Sat(_) => return found,
                Outcome::Unsat => {}
                other => unknown = Some(other),
            }
        }
        unknown.unwrap_or(Outcome::Unsat)
    }

    fn array_facts(&mut self, literals: &[Term]) -> Result<Facts, Outcome> {
        let mut facts = Facts::default();
        for (group, literal) in literals.iter().enumerate() {
            let negated = literal.is_negated();
            match self.terms.shape(*literal) {
                Shape::Item(index, term) => {
                    if negated {
                        facts.least = facts.least.max(*index as u64 + 1);
                    }
                    facts.at.push((*index, term.negated_if(negated)));
                }
                Shape::Items(from, term) if negated => facts.wanted.push(Wanted {
                    from: *from,
                    term: !*term,
                    group,
                }),
                Shape::Items(from, term) => facts.from.push((*from, *term)),
                Shape::MinItems(count) if negated => {
                    let most = count.saturating_sub(1);
                    facts.most = Some(facts.most.map_or(most, |other| other.min(most)));
                }
                Shape::MinItems(count) => facts.least = facts.least.max(*count),
                Shape::Contains(term, 1) if negated => facts.from.push((0, !*term)),
                Shape::Contains(term, count) if negated => facts.at_most.push((*term, count - 1)),
                Shape::Contains(term, count) if *count <= MAX_LENGTH => {
                    facts.least = facts.least.max(*count);
                    for _ in 0..*count {
                        facts.wanted.push(Wanted {
                            from: 0,
                            term: *term,
                            group,
                        });
                    }
                }
                Shape::Contains(..) => {
                    return Err(self.unknown(
                        "minContains",
                        "it asks for more elements than are looked at",
                    ));
                }
                Shape::Unique if negated => {
                    facts.twice = true;
                    facts.least = facts.least.max(2);
                }
                Shape::Unique => facts.unique = true,
                _ => {}
            }
        }
        Ok(facts)
    }

    fn element(&mut self, facts: &Facts, index: usize) -> Term {
        let at = facts.at.iter().filter(|(at, _)| *at == index);
        let from = facts.from.iter().filter(|(from, _)| *from <= index);
        let all: Vec<Term> = at.chain(from).map(|(_, term)| *term).collect();
        self.terms.and(all)
    }

    /// Whether there is an array too long to be written.
    fn long_array(&mut self, facts: &Facts) -> Outcome {
        let is_plain = facts.wanted.is_empty() && facts.at_most.is_empty() && !facts.unique;
        let prefix = facts
            .at
            .iter()
            .map(|(index, _)| index + 1)
            .chain(facts.from.iter().map(|(from, _)| *from))
            .max()
            .unwrap_or(0);
        // Two equal elements need two places of the tail to be sure to exist.
        let has_room = !facts.twice || facts.least >= prefix as u64 + 2;
        if !is_plain || !has_room || prefix as u64 > MAX_LENGTH {
            return self.unknown("minItems", "it asks for more elements than are looked at");
        }
        for index in 0..=prefix {
            let element = self.element(facts, index);
            match self.solve(element) {
                Outcome::Sat(_) => {}
                other => return other,
            }
        }
        Outcome::Sat(Rc::new(Model::Unwritable))
    }

    /// Gives each wanted element a place, from the `next` on. Places of the tail with equal
    /// formulas serve alike, so only the first of them is tried.
    fn satisfy(
        &mut self,
        facts: &Facts,
        elements: Elements,
        next: usize,
        prefix: usize,
    ) -> Outcome {
        self.satisfy_after(facts, elements, next, prefix, 0)
    }

    fn satisfy_after(
        &mut self,
        facts: &Facts,
        elements: Elements,
        next: usize,
        prefix: usize,
        start: usize,
    ) -> Outcome {
        if !self.spend(elements.len() + 1) {
            return self.past_budget();
        }
        let Some(wanted) = facts.wanted.get(next).copied() else {
            return self.bounded(facts, elements, 0, 0, 0);
        };
        let mut unknown = None;
        let mut tried: Vec<Term> = Vec::new();
        for index in start.max(wanted.from)..elements.len() {
            let mut with = elements.clone();
            with[index] = self.terms.and([elements[index], wanted.term]);
            if index >= prefix {
                if tried.contains(&elements[index]) {
                    continue;
                }
                tried.push(elements[index]);
            }
            match self.solve(with[index]) {
                Outcome::Unsat => continue,
                Outcome::Sat(_) => {}
                other => unknown = Some(other),
            }
            // Elements that one keyword counts are different ones; in order, so that no two
            // choices differ in the order alone.
            let same = facts
                .wanted
                .get(next + 1)
                .is_some_and(|after| after.group == wanted.group);
            let start = if same { index + 1 } else { 0 };
            match self.satisfy_after(facts, with, next + 1, prefix, start) {
                found @ Outcome::Sat(_) => return found,
                Outcome::Unsat => {}
                other => unknown = Some(other),
            }
        }
        unknown.unwrap_or(Outcome::Unsat)
    }

    /// Decides for each element and each upper bound of a count whether the element is one of the
    /// counted; those that are not must not satisfy what is counted.
    fn bounded(
        &mut self,
        facts: &Facts,
        elements: Elements,
        bound: usize,
        index: usize,
        counted: u64,
    ) -> Outcome {
        if !self.spend(elements.len() / 4 + 1) {
            return self.past_budget();
        }
        let Some((term, most)) = facts.at_most.get(bound).copied() else {
            return self.choose(facts, &elements);
        };
        if index == elements.len() {
            return self.bounded(facts, elements, bound + 1, 0, 0);
        }
        let mut unknown = None;
        let mut with = elements.clone();
        with[index] = self.terms.and([elements[index], !term]);
        match self.solve(with[index]) {
            Outcome::Unsat => {}
            possible => {
                if matches!(possible, Outcome::Unknown(_)) {
                    unknown = Some(possible);
                }
                match self.bounded(facts, with, bound, index + 1, counted) {
                    found @ Outcome::Sat(_) => return found,
                    Outcome::Unsat => {}
                    other => unknown = Some(other),
                }
            }
        }
        if counted < most {
            match self.bounded(facts, elements, bound, index + 1, counted + 1) {
                found @ Outcome::Sat(_) => return found,
                Outcome::Unsat => {}
                other => unknown = Some(other),
            }
        }
        unknown.unwrap_or(Outcome::Unsat)
    }

    /// Chooses a value for each element.
    fn choose(&mut self, facts: &Facts, elements: &[Term]) -> Outcome {
        let mut models = Vec::new();
        let mut unknown = None;
        for element in elements {
            match self.solve(*element) {
                Outcome::Sat(model) => models.push(model),
                Outcome::Unsat => return Outcome::Unsat,
                other => unknown = Some(other),
            }
        }
        if let Some(unknown) = unknown {
            return unknown;
        }
        if facts.twice {
            return self.choose_twice(elements, models);
        }
        if facts.unique {
            return self.choose_unique(elements, &models);
        }
        Outcome::Sat(Rc::new(Model::Array(models)))
    }

    /// Two of the elements are equal.
    fn choose_twice(&mut self, elements: &[Term], models: Vec<Rc<Model>>) -> Outcome {
        let mut unknown = None;
        for one in 0..elements.len() {
            for other in 0..one {
                let both = self.terms.and([elements[one], elements[other]]);
                match self.solve(both) {
                    Outcome::Sat(model) => {
                        let mut models = models;
                        models[one] = model.clone();
                        models[other] = model;
                        return Outcome::Sat(Rc::new(Model::Array(models)));
                    }
                    Outcome::Unsat => {}
                    other => unknown = Some(other),
                }
            }
        }
        unknown.unwrap_or(Outcome::Unsat)
    }

    /// All elements are different: a matching of elements and values. An element with as many
    /// possible values as there are elements always finds one that is free.
    fn choose_unique(&mut self, elements: &[Term], models: &[Rc<Model>]) -> Outcome {
        let distinct: HashSet<&Rc<Model>> = models.iter().collect();
        if distinct.len() == models.len() && models.iter().all(|model| model.is_written()) {
            return Outcome::Sat(Rc::new(Model::Array(models.to_vec())));
        }
        let mut known: Map<Term, Rc<Vec<Rc<Model>>>> = Map::default();
        let mut values = Vec::new();
        for element in elements {
            let found = match known.get(element) {
                Some(found) => found.clone(),
                None => match self.values(*element, elements.len()) {
                    Ok(found) => Rc::new(found),
                    Err(outcome) => return outcome,
                },
            };
            known.insert(*element, found.clone());
            values.push(found);
        }
        match matching(&values, Rc::clone) {
            Some(chosen) => {
                let chosen = chosen
                    .into_iter()
                    .zip(values)
                    .map(|(at, list)| list[at].clone());
                Outcome::Sat(Rc::new(Model::Array(chosen.collect())))
            }
            None => Outcome::Unsat,
        }
    }
}
