//! Objects that satisfy a conjunction of object atoms.

use super::document::Model;
use super::matching::matching;
use super::solve::{Outcome, Prover};
use super::term::{Map, Name, Shape, Term, Terms};
use crate::schema::TypeSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Members that an object has to have beyond those that are spoken of; more are not looked at.
const MAX_MEMBERS: u64 = 500;

/// What a conjunction of literals says of the members of an object.
#[derive(Clone)]
pub(super) struct Members {
    /// What the value of a named member has to satisfy.
    named: Map<Name, Vec<Term>>,
    /// What members have to satisfy whose name satisfies the first.
    rules: Vec<(Term, Term)>,
    required: BTreeSet<Name>,
    absent: BTreeSet<Name>,
    /// Some member has such a name and such a value.
    wanted: Vec<(Term, Term)>,
    least: u64,
    most: Option<u64>,
}

/// A member with its name and its value.
type Named = (Rc<str>, Rc<Model>);

/// A member that is there and has no name of its own yet.
#[derive(Clone)]
struct Fresh {
    names: Term,
    value: Term,
}

impl Members {
    pub(super) fn of(terms: &Terms, literals: &[Term]) -> Self {
        let mut members = Self {
            named: Map::default(),
            rules: Vec::new(),
            required: BTreeSet::new(),
            absent: BTreeSet::new(),
            wanted: Vec::new(),
            least: 0,
            most: None,
        };
        for literal in literals {
            members.add(terms, *literal);
        }
        members
    }

    /// About how much it takes to copy this.
    fn size(&self) -> usize {
        self.named.len() + self.rules.len() + self.required.len() + self.absent.len()
    }

    fn add(&mut self, terms: &Terms, literal: Term) {
        let negated = literal.is_negated();
        match terms.shape(literal) {
            Shape::Required(name) if negated => {
                self.absent.insert(*name);
            }
            Shape::Required(name) => {
                self.required.insert(*name);
            }
            Shape::Property(name, value) => {
                if negated {
                    self.required.insert(*name);
                }
                self.named
                    .entry(*name)
                    .or_default()
                    .push(value.negated_if(negated));
            }
            Shape::Members(names, value) if negated => self.wanted.push((*names, !*value)),
            Shape::Members(names, value) => self.rules.push((*names, *value)),
            Shape::MinProperties(count) if negated => {
                let most = count.saturating_sub(1);
                self.most = Some(self.most.map_or(most, |other| other.min(most)));
            }
            Shape::MinProperties(count) => self.least = self.least.max(*count),
            _ => {}
        }
    }
}

impl Prover {
    pub(super) fn objects(&mut self, literals: &[Term]) -> Outcome {
        let members = Members::of(&self.terms, literals);
        if members
            .required
            .intersection(&members.absent)
            .next()
            .is_some()
        {
            return Outcome::Unsat;
        }
        if members.most.is_some_and(|most| most < members.least) {
            return Outcome::Unsat;
        }
        self.place(&members, members.wanted.len(), Vec::new())
    }

    /// Whether an alternative, an atom or a conjunction of some, can hold beside the literals as
    /// far as the members it names are concerned.
    pub(super) fn is_possible(&mut self, members: &mut Members, alternative: Term) -> bool {
        let negated = alternative.is_negated();
        match self.terms.shape(alternative).clone() {
            Shape::And(parts) if !negated => {
                parts.iter().all(|part| self.is_possible(members, *part))
            }
            Shape::Property(name, value) if negated || members.required.contains(&name) => {
                if members.absent.contains(&name) {
                    return false;
                }
                let value = value.negated_if(negated);
                self.member_is_possible(members, name, value)
            }
            Shape::Required(name) if !negated => {
                !members.absent.contains(&name)
                    && self.member_is_possible(members, name, Term::TRUE)
            }
            Shape::Required(name) => !members.required.contains(&name),
            Shape::Members(names, value) if negated => {
                let mut with = members.clone();
                with.wanted = vec![(names, !value)];
                with.required.clear();
                with.least = 0;
                !matches!(self.place(&with, 1, Vec::new()), Outcome::Unsat)
            }
            _ => true,
        }
    }

    fn member_is_possible(&mut self, members: &Members, name: Name, value: Term) -> bool {
        match self.value_of(members, name) {
            Ok(all) => {
                let goal = self.terms.and([all, value]);
                !matches!(self.solve(goal), Outcome::Unsat)
            }
            Err(_) => true,
        }
    }

    /// What the value of a named member has to satisfy.
    fn value_of(&mut self, members: &Members, name: Name) -> Result<Term, Outcome> {
        let mut all = members.named.get(&name).cloned().unwrap_or_default();
        for (names, value) in &members.rules {
            match self.name_holds(*names, name) {
                Some(true) => all.push(*value),
                Some(false) => {}
                None => return Err(self.untold(&[*names])),
            }
        }
        self.spend(all.len() + 1);
        Ok(self.terms.and(all))
    }

    /// Gives each member that has to exist a place: a name that is spoken of, a place that another
    /// one has already, or a fresh name. `left` counts the wanted members without a place.
    fn place(&mut self, members: &Members, left: usize, fresh: Vec<Fresh>) -> Outcome {
        if !self.spend(members.size() / 4 + fresh.len() + 1) {
            return self.past_budget();
        }
        let Some(next) = left.checked_sub(1) else {
            return self.fill(members, fresh);
        };
        let (names, value) = members.wanted[next];
        let mut unknown = None;
        // A name that nobody speaks of leaves the most freedom, so it is tried first, unless the
        // number of members is bounded from above.
        let mut with = fresh.clone();
        with.push(Fresh { names, value });
        let can_grow = members
            .most
            .is_none_or(|most| (members.required.len() + with.len()) as u64 <= most);
        if can_grow {
            match self.place(members, next, with) {
                found @ Outcome::Sat(_) => return found,
                Outcome::Unsat => {}
                other => unknown = Some(other),
            }
        }
        for index in 0..fresh.len() {
            let mut with = fresh.clone();
            with[index] = Fresh {
                names: self.terms.and([with[index].names, names]),
                value: self.terms.and([with[index].value, value]),
            };
            match self.place(members, next, with) {
                found @ Outcome::Sat(_) => return found,
                Outcome::Unsat => {}
                other => unknown = Some(other),
            }
        }
        for name in self.spoken_of(members) {
            if members.absent.contains(&name) {
                continue;
            }
            match self.name_holds(names, name) {
                Some(true) => {}
                Some(false) => continue,
                None => {
                    unknown = Some(self.untold(&[names]));
                    continue;
                }
            }
            let mut with = members.clone();
            with.required.insert(name);
            with.named.entry(name).or_default().push(value);
            match self.place(&with, next, fresh.clone()) {
                found @ Outcome::Sat(_) => return found,
                Outcome::Unsat => {}
                other => unknown = Some(other),
            }
        }
        unknown.unwrap_or(Outcome::Unsat)
    }

    /// The names that some literal says something of by themselves.
    fn spoken_of(&self, members: &Members) -> Vec<Name> {
        let mut names: Vec<Name> = members
            .named
            .keys()
            .chain(&members.required)
            .chain(&members.absent)
            .copied()
            .collect();
        // Names that only a rule tells apart from others, as `additionalProperties` does.
        for (names_of, _) in &members.rules {
            self.names_in(*names_of, &mut names);
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    fn names_in(&self, term: Term, names: &mut Vec<Name>) {
        match self.terms.shape(term) {
            Shape::Strings(strings) => names.extend(strings.iter()),
            Shape::And(parts) => parts.iter().for_each(|part| self.names_in(*part, names)),
            _ => {}
        }
    }

    /// Makes the object, with as many further members as it has to have.
    fn fill(&mut self, members: &Members, mut fresh: Vec<Fresh>) -> Outcome {
        let mut present: Vec<(Rc<str>, Rc<Model>)> = Vec::new();
        let mut unknown = None;
        for name in &members.required {
            let goal = match self.value_of(members, *name) {
                Ok(goal) => goal,
                Err(outcome) => {
                    unknown = Some(outcome);
                    continue;
                }
            };
            match self.solve(goal) {
                Outcome::Sat(model) => present.push((self.terms.text(*name).clone(), model)),
                Outcome::Unsat => return Outcome::Unsat,
                other => unknown = Some(other),
            }
        }
        let have = (members.required.len() + fresh.len()) as u64;
        if members.most.is_some_and(|most| have > most) {
            return Outcome::Unsat;
        }
        let missing = members.least.saturating_sub(have);
        let spoken = if fresh.is_empty() && missing == 0 {
            Vec::new()
        } else {
            self.spoken_of(members)
        };
        if missing > MAX_MEMBERS {
            let why = "it asks for more members than are looked at";
            return unknown.unwrap_or_else(|| self.unknown("minProperties", why));
        }
        let mut missing = usize::try_from(missing).unwrap_or(0);
        for name in &spoken {
            if missing == 0 {
                break;
            }
            if members.required.contains(name) || members.absent.contains(name) {
                continue;
            }
            let goal = match self.value_of(members, *name) {
                Ok(goal) => goal,
                Err(outcome) => {
                    unknown = Some(outcome);
                    continue;
                }
            };
            match self.solve(goal) {
                Outcome::Sat(model) => {
                    present.push((self.terms.text(*name).clone(), model));
                    missing -= 1;
                }
                Outcome::Unsat => {}
                other => unknown = Some(other),
            }
        }
        let fillers = missing;
        for _ in 0..fillers {
            fresh.push(Fresh {
                names: Term::TRUE,
                value: Term::TRUE,
            });
        }
        if let Some(unknown) = unknown {
            return unknown;
        }
        if fresh.is_empty() {
            present.sort_by(|(left, _), (right, _)| left.cmp(right));
            return Outcome::Sat(Rc::new(Model::Object(present)));
        }
        let beside = if spoken.is_empty() {
            Term::TRUE
        } else {
            let strings = self.terms.strings(spoken);
            !strings
        };
        self.name_fresh(members, &fresh, beside, present)
    }

    /// Finds a name of its own for each member that has none, and a value that the rules allow
    /// under that name. A member with as many names to choose from as there are members always
    /// finds one that is free, so more than those are not looked for.
    fn name_fresh(
        &mut self,
        members: &Members,
        fresh: &[Fresh],
        beside: Term,
        mut present: Vec<(Rc<str>, Rc<Model>)>,
    ) -> Outcome {
        let string = self.terms.types(TypeSet::STRING);
        let mut unknown = None;
        let mut known: Map<(Term, Term), Rc<Vec<Named>>> = Map::default();
        let mut lists: Vec<Rc<Vec<Named>>> = Vec::new();
        for member in fresh {
            let key = (member.names, member.value);
            let list = match known.get(&key) {
                Some(list) => list.clone(),
                None => {
                    let names = self.terms.and([member.names, beside, string]);
                    let count = fresh.len();
                    let list = self.named(&members.rules, names, member.value, count, &mut unknown);
                    Rc::new(list)
                }
            };
            known.insert(key, list.clone());
            lists.push(list);
        }
        match matching(&lists, |(name, _)| name.clone()) {
            Some(chosen) => {
                present.extend(
                    chosen
                        .into_iter()
                        .zip(lists)
                        .map(|(at, list)| list[at].clone()),
                );
                present.sort_by(|(left, _), (right, _)| left.cmp(right));
                Outcome::Sat(Rc::new(Model::Object(present)))
            }
            None => unknown.unwrap_or(Outcome::Unsat),
        }
    }

    /// Up to `count` names for a member, each with a value that the rules allow there.
    ///
    /// A name is looked for without the rules. Where those about it leave no value, so do they for
    /// every name that all of them are about, and those names are looked past; most rules are never
    /// asked. All names were found, or nothing is missing, where `unknown` stays empty.
    fn named(
        &mut self,
        rules: &[(Term, Term)],
        mut names: Term,
        value: Term,
        count: usize,
        unknown: &mut Option<Outcome>,
    ) -> Vec<Named> {
        let mut found: Vec<Named> = Vec::new();
        while found.len() < count {
            if self.terms.is_exhausted() || !self.spend(rules.len() / 8 + found.len() + 1) {
                *unknown = Some(self.past_budget());
                break;
            }
            let name = match self.solve(names) {
                Outcome::Unsat => break,
                Outcome::Sat(model) => match &*model {
                    Model::String(name) => name.clone(),
                    _ => {
                        let why = "names too large to write are not told apart";
                        *unknown = Some(self.unknown("propertyNames", why));
                        break;
                    }
                },
                other => {
                    *unknown = Some(other);
                    break;
                }
            };
            let about = match self.about(rules, &name) {
                Ok(about) => about,
                Err(outcome) => {
                    *unknown = Some(outcome);
                    break;
                }
            };
            let allowed = about.iter().map(|(_, allowed)| *allowed);
            let goal = self.terms.and(allowed.chain([value]));
            let other = match self.solve(goal) {
                Outcome::Sat(model) => {
                    found.push((name.clone(), model));
                    self.terms.model(&Model::String(name))
                }
                Outcome::Unsat => self.forbidding(about, value),
                other => {
                    *unknown = Some(other);
                    let names = about.iter().map(|(names, _)| *names);
                    self.terms.and(names)
                }
            };
            names = self.terms.and([names, !other]);
        }
        found
    }

    /// The rules that are about a name.
    fn about(
        &mut self,
        rules: &[(Term, Term)],
        name: &Rc<str>,
    ) -> Result<Vec<(Term, Term)>, Outcome> {
        let mut about = Vec::new();
        let model = Model::String(name.clone());
        for rule in rules {
            match self.holds(rule.0, &model) {
                Some(true) => about.push(*rule),
                Some(false) => {}
                None => return Err(self.untold(&[rule.0])),
            }
        }
        Ok(about)
    }

    /// The names that are forbidden by as few rules as suffice, out of some that leave no value.
    fn forbidding(&mut self, mut about: Vec<(Term, Term)>, value: Term) -> Term {
        let mut at = 0;
        while at < about.len() {
            let others = about.iter().enumerate();
            let others = others.filter(|(index, _)| *index != at);
            let goal: Vec<Term> = others.map(|(_, (_, allowed))| *allowed).collect();
            let goal = self.terms.and(goal.into_iter().chain([value]));
            if matches!(self.solve(goal), Outcome::Unsat) {
                about.remove(at);
            } else {
                at += 1;
            }
        }
        self.terms.and(about.into_iter().map(|(names, _)| names))
    }
}
