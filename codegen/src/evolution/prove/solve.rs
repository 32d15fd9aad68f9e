//! Whether some value is as a formula says: the search, its memory, and its treatment of cycles.
//!
//! A formula is split by JSON type. What is left is a conjunction of that type's atoms and of
//! disjunctions over them; the disjunctions are narrowed, then branched on, and the atoms are
//! decided by the file of their type, which asks back here about elements and members.
//!
//! Values are finite, so a smallest value that satisfies a formula has no part that has to satisfy
//! the same formula again. A formula met again inside itself therefore counts as unsatisfiable
//! there; what was concluded from that holds once the outer formula turns out unsatisfiable, and is
//! forgotten where it does not.

use super::close::{RED_ZONE, STACK};
use super::document::Model;
use super::known::{Judged, Known, Tagged};
use super::objects::Members;
use super::term::{Map, Shape, Term, Terms, undecided};
use super::text::Automata;
use crate::json::Decimal;
use crate::schema::TypeSet;
use crate::wire::Undecided;
use std::rc::Rc;

/// Steps of one proof; a step is about the cost of looking at one atom.
const MAX_STEPS: u64 = 5_000_000;
/// Alternatives past which each is looked at by itself before any is branched on.
const WIDE: usize = 8;
/// Values in values.
const MAX_DEPTH: usize = 600;

/// Whether some value satisfies a formula.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    Sat(Rc<Model>),
    Unsat,
    /// Undecided, by the number of the reason.
    Unknown(u32),
}

#[derive(Debug, Clone)]
enum Entry {
    Known(Outcome),
    /// It is being decided, at that depth.
    Open(usize),
    /// Unsatisfiable if the formula that is open at that depth is.
    Provisional(usize),
}

/// One proof, with everything it learned.
pub(super) struct Prover {
    pub(super) terms: Terms,
    pub(super) automata: Automata,
    pub(super) steps: u64,
    memory: Map<Term, Entry>,
    /// For each formula that is open: the lowest depth that something below it relied on.
    relied: Vec<usize>,
    provisional: Vec<Term>,
}

impl Prover {
    pub(super) fn new(terms: Terms) -> Self {
        Self {
            terms,
            automata: Automata::default(),
            steps: MAX_STEPS,
            memory: Map::default(),
            relied: Vec::new(),
            provisional: Vec::new(),
        }
    }

    /// Begins another proof with what was learned so far.
    ///
    /// What was unknown is forgotten, since it may have been for want of steps.
    pub(super) fn refill(&mut self) {
        self.steps = MAX_STEPS;
        let is_sure = |entry: &Entry| !matches!(entry, Entry::Known(Outcome::Unknown(_)));
        self.memory.retain(|_, entry| is_sure(entry));
    }

    /// Takes steps off the budget; false where it is used up.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps as u64);
        self.steps > 0
    }

    pub(super) fn unknown(&mut self, keyword: &str, why: &str) -> Outcome {
        self.unknown_at(undecided(keyword, why))
    }

    pub(super) fn unknown_at(&mut self, reason: Undecided) -> Outcome {
        Outcome::Unknown(self.terms.reason(reason))
    }

    pub(super) fn past_budget(&mut self) -> Outcome {
        self.unknown(
            "(budget)",
            "the comparison takes more steps than are allowed",
        )
    }

    /// Whether some value satisfies the formula; small values are looked for first.
    pub(super) fn solve(&mut self, goal: Term) -> Outcome {
        let mut unknown = None;
        for kind in super::term::KINDS {
            let typed = self.terms.typed(goal, kind);
            let outcome = match typed {
                Term::FALSE => continue,
                Term::TRUE => return Outcome::Sat(Rc::new(simplest(kind))),
                typed => self.remembered(typed, kind),
            };
            match outcome {
                Outcome::Sat(_) => return outcome,
                Outcome::Unsat => {}
                Outcome::Unknown(_) => unknown = Some(outcome),
            }
        }
        unknown.unwrap_or(Outcome::Unsat)
    }

    /// Up to `count` different values that satisfy a formula.
    pub(super) fn values(&mut self, goal: Term, count: usize) -> Result<Vec<Rc<Model>>, Outcome> {
        let mut found = Vec::new();
        let mut rest = goal;
        while found.len() < count {
            if self.terms.is_exhausted() || !self.spend(found.len() + 1) {
                return Err(self.past_budget());
            }
            match self.solve(rest) {
                Outcome::Unsat => break,
                Outcome::Sat(model) if !model.is_written() => {
                    return Err(self.unknown(
                        "uniqueItems",
                        "values too large to write are not told apart",
                    ));
                }
                Outcome::Sat(model) => {
                    let other = !self.terms.model(&model);
                    rest = self.terms.and([rest, other]);
                    found.push(model);
                }
                unknown @ Outcome::Unknown(_) => return Err(unknown),
            }
        }
        Ok(found)
    }

    fn remembered(&mut self, goal: Term, kind: TypeSet) -> Outcome {
        let depth = self.relied.len();
        match self.memory.get(&goal) {
            Some(Entry::Known(outcome)) => return outcome.clone(),
            Some(Entry::Open(at) | Entry::Provisional(at)) => {
                let at = *at;
                if let Some(relied) = self.relied.last_mut() {
                    *relied = at.min(*relied);
                }
                return Outcome::Unsat;
            }
            None => {}
        }
        if depth >= MAX_DEPTH {
            return self.unknown(
                "(budget)",
                "values would have to be nested deeper than is looked at",
            );
        }
        self.memory.insert(goal, Entry::Open(depth));
        self.relied.push(usize::MAX);
        let learned = self.provisional.len();
        let outcome = stacker::maybe_grow(RED_ZONE, STACK, || {
            let mut known = Known::default();
            if known.assume(&self.terms, goal) {
                self.search(kind, known)
            } else {
                Outcome::Unsat
            }
        });
        let relied = self.relied.pop().unwrap_or(usize::MAX);
        let is_unsat = matches!(outcome, Outcome::Unsat);
        if is_unsat && relied < depth {
            // It stands on a formula further out that is still open.
            if let Some(outer) = self.relied.last_mut() {
                *outer = relied.min(*outer);
            }
            self.memory.insert(goal, Entry::Provisional(relied));
            self.provisional.push(goal);
            // What stood on this formula now stands on what this one stands on.
            for learned in &self.provisional[learned..] {
                if let Some(Entry::Provisional(at)) = self.memory.get_mut(learned) {
                    *at = relied.min(*at);
                }
            }
            return outcome;
        }
        for learned in self.provisional.drain(learned..) {
            if is_unsat {
                self.memory.insert(learned, Entry::Known(Outcome::Unsat));
            } else {
                self.memory.remove(&learned);
            }
        }
        if !is_unsat
            && relied < depth
            && let Some(outer) = self.relied.last_mut()
        {
            *outer = relied.min(*outer);
        }
        // An answer that is not sure may be another in another place, but is still not sure.
        self.memory.insert(goal, Entry::Known(outcome.clone()));
        outcome
    }

    /// Decides a conjunction of literals and disjunctions of one type.
    fn search(&mut self, kind: TypeSet, mut known: Known) -> Outcome {
        // A disjunction is narrowed, tried on a value, sorted and copied.
        if !self.spend(known.literals.len() + 4 * known.pending.len() + 1) {
            return self.past_budget();
        }
        let mut looked_ahead = false;
        loop {
            if !self.narrow(&mut known) {
                return Outcome::Unsat;
            }
            let outcome = self.transparent(kind, &known.literals);
            let satisfied = match &outcome {
                Outcome::Unsat => return outcome,
                Outcome::Sat(model) => {
                    let mut pending = known.pending.iter();
                    pending.all(|pending| self.holds(*pending, model) == Some(true))
                }
                Outcome::Unknown(_) => known.pending.is_empty(),
            };
            // Beside a formula that nothing is known of this holds as well: what is left is not
            // impossible, so no branch tells more.
            if satisfied {
                return self.beside_opaque(&known.literals, outcome);
            }
            // Alternatives that no value of the literals allows are dropped before any branching.
            let is_wide = |pending: &Term| self.terms.alternatives(*pending).len() > WIDE;
            let pays = known.pending.len() > 1 || known.pending.iter().any(is_wide);
            if looked_ahead || !pays || kind != TypeSet::OBJECT {
                break;
            }
            looked_ahead = true;
            match self.look_ahead(&mut known) {
                Ahead::Impossible => return Outcome::Unsat,
                Ahead::Same => break,
                Ahead::Narrower => {}
            }
        }
        self.branch(kind, &known)
    }

    /// Drops what the literals decide; false where they leave a disjunction nothing.
    fn narrow(&mut self, known: &mut Known) -> bool {
        loop {
            let mut changed = false;
            let pending = std::mem::take(&mut known.pending);
            for disjunction in pending {
                match known.judge(&self.terms, disjunction) {
                    Judged::True => changed = true,
                    Judged::False => return false,
                    Judged::One(only) => {
                        changed = true;
                        if !known.assume(&self.terms, only) {
                            return false;
                        }
                    }
                    Judged::Open => known.pending.push(disjunction),
                }
            }
            if !changed {
                return true;
            }
            if !self.spend(known.pending.len() + 1) {
                return true;
            }
        }
    }

    /// Asks of each alternative by itself whether the literals allow it.
    fn look_ahead(&mut self, known: &mut Known) -> Ahead {
        let mut members = Members::of(&self.terms, &known.literals);
        let mut changed = false;
        let mut pending = std::mem::take(&mut known.pending);
        pending.sort_by_key(|disjunction| self.terms.alternatives(*disjunction).len());
        for disjunction in pending {
            let alternatives = self.terms.alternatives(disjunction);
            let mut parts = alternatives.iter();
            let is_whole = parts.all(|part| self.terms.is_conjunction(!*part));
            if is_whole || !self.spend(4 * alternatives.len()) {
                known.pending.push(disjunction);
                continue;
            }
            let mut left = Vec::new();
            for part in alternatives.iter() {
                let alternative = !*part;
                if known.set.contains(part) {
                    continue;
                }
                if self.is_possible(&mut members, alternative) {
                    left.push(alternative);
                }
            }
            match left.as_slice() {
                [] => return Ahead::Impossible,
                [only] => {
                    changed = true;
                    if !known.assume(&self.terms, *only) {
                        return Ahead::Impossible;
                    }
                    members = Members::of(&self.terms, &known.literals);
                }
                _ if left.len() < alternatives.len() => {
                    let narrower = self.terms.or(left);
                    if !known.assume(&self.terms, narrower) {
                        return Ahead::Impossible;
                    }
                }
                _ => known.pending.push(disjunction),
            }
        }
        if changed {
            Ahead::Narrower
        } else {
            Ahead::Same
        }
    }

    fn branch(&mut self, kind: TypeSet, known: &Known) -> Outcome {
        // Alternatives that are whole conjunctions say most; the fewest of them first.
        let choice = known
            .pending
            .iter()
            .enumerate()
            .min_by_key(|(_, disjunction)| {
                let alternatives = self.terms.alternatives(**disjunction);
                let whole = alternatives
                    .iter()
                    .all(|part| self.terms.is_conjunction(!*part));
                (!whole, alternatives.len())
            });
        let Some((chosen, _)) = choice else {
            return self.theory(kind, &known.literals);
        };
        let alternatives = self.terms.alternatives(known.pending[chosen]);
        let others: Vec<Term> = known
            .pending
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != chosen)
            .map(|(_, pending)| *pending)
            .collect();
        let tagged = Tagged::of(&self.terms, &others);
        // Beside a formula that nothing is known of no value is found, and one alternative that is
        // not impossible settles that nothing is.
        let is_opaque = |literal: &Term| matches!(self.terms.shape(*literal), Shape::Opaque(..));
        let is_hopeless = known.literals.iter().any(is_opaque);
        let mut unknown = None;
        let mut refused: Vec<Term> = Vec::new();
        for part in alternatives.iter() {
            let alternative = !*part;
            if known.set.contains(part) {
                continue;
            }
            let mut here = known.clone_literals();
            let assumed = here.assume(&self.terms, alternative)
                // What was tried before and failed need not be tried again beside others.
                && refused.iter().all(|refused| here.assume(&self.terms, !*refused));
            if !assumed {
                continue;
            }
            // They are in the set of what is taken for true already.
            here.pending.extend(tagged.relevant(&here, &self.terms));
            here.pending.sort_unstable();
            here.pending.dedup();
            match self.search(kind, here) {
                found @ Outcome::Sat(_) => return found,
                Outcome::Unsat if self.terms.is_atom(alternative) => refused.push(alternative),
                Outcome::Unsat => {}
                other @ Outcome::Unknown(_) if is_hopeless => return other,
                other @ Outcome::Unknown(_) => unknown = Some(other),
            }
            if self.steps == 0 {
                return self.past_budget();
            }
        }
        unknown.unwrap_or(Outcome::Unsat)
    }

    /// Decides a conjunction of literals of one type.
    pub(super) fn theory(&mut self, kind: TypeSet, literals: &[Term]) -> Outcome {
        let outcome = self.transparent(kind, literals);
        self.beside_opaque(literals, outcome)
    }

    /// No value is known to satisfy a formula that nothing is known of.
    fn beside_opaque(&self, literals: &[Term], outcome: Outcome) -> Outcome {
        let opaque = literals
            .iter()
            .find_map(|literal| match self.terms.shape(*literal) {
                Shape::Opaque(number, _) => Some(*number),
                _ => None,
            });
        match (opaque, outcome) {
            (Some(number), Outcome::Sat(_)) => Outcome::Unknown(number),
            (_, outcome) => outcome,
        }
    }

    /// Decides a conjunction of literals of one type, but for those that nothing is known of.
    fn transparent(&mut self, kind: TypeSet, literals: &[Term]) -> Outcome {
        match kind {
            TypeSet::NUMBER => self.numbers(literals),
            TypeSet::STRING => self.strings(literals),
            TypeSet::ARRAY => self.arrays(literals),
            TypeSet::OBJECT => self.objects(literals),
            TypeSet::BOOLEAN => {
                let value = literals.iter().find_map(|literal| {
                    matches!(self.terms.shape(*literal), Shape::IsTrue)
                        .then(|| !literal.is_negated())
                });
                Outcome::Sat(Rc::new(Model::Boolean(value.unwrap_or(false))))
            }
            _ => Outcome::Sat(Rc::new(simplest(kind))),
        }
    }
}

enum Ahead {
    Impossible,
    Narrower,
    Same,
}

impl Terms {
    /// The parts of the conjunction that a disjunction negates: its alternatives, each negated.
    pub(super) fn alternatives(&self, disjunction: Term) -> Rc<[Term]> {
        match self.shape(disjunction) {
            Shape::And(parts) => parts.clone(),
            _ => Rc::from([!disjunction]),
        }
    }

    pub(super) fn is_conjunction(&self, term: Term) -> bool {
        matches!(self.shape(term), Shape::And(_)) && !term.is_negated()
    }

    pub(super) fn is_atom(&self, term: Term) -> bool {
        !matches!(self.shape(term), Shape::And(_))
    }

    /// Exactly this value.
    pub(super) fn model(&mut self, model: &Model) -> Term {
        match model {
            Model::Null => self.types(TypeSet::NULL),
            Model::Boolean(value) => {
                let is_true = self.atom(Shape::IsTrue);
                let kind = self.types(TypeSet::BOOLEAN);
                self.and([is_true.negated_if(!value), kind])
            }
            Model::Number(number) => self.numbers(vec![number.clone()]),
            Model::String(text) => {
                let name = self.name(text);
                self.strings(vec![name])
            }
            Model::Array(elements) => {
                let parts = elements.iter().map(|element| self.model(element)).collect();
                self.array_of(parts)
            }
            Model::Object(members) => {
                let parts: Vec<(&str, Term)> = members
                    .iter()
                    .map(|(name, value)| (&**name, self.model(value)))
                    .collect();
                self.object_of(parts)
            }
            Model::Unwritable => Term::FALSE,
        }
    }
}

/// The value of a type that nobody asked anything of.
fn simplest(kind: TypeSet) -> Model {
    match kind {
        TypeSet::BOOLEAN => Model::Boolean(false),
        TypeSet::NUMBER => Model::Number(Decimal::zero()),
        TypeSet::STRING => Model::String("".into()),
        TypeSet::ARRAY => Model::Array(Vec::new()),
        TypeSet::OBJECT => Model::Object(Vec::new()),
        _ => Model::Null,
    }
}
