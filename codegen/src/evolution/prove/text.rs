//! Strings that satisfy a conjunction of string atoms: lists, lengths, and patterns as automata.

use super::document::Model;
use super::shortest::{Trie, shortest};
use super::solve::{Outcome, Prover};
use super::term::{Map, Name, Shape, Term, Terms};
use crate::evolution::automaton::{Automaton, MAX_AUTOMATON, automaton, every};
use crate::schema::TypeSet;
use crate::wire::{Undecided, pattern};
use regex_automata::meta::Regex;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// Strings above this length are known to exist and not written down.
const MAX_WRITTEN: u64 = 10_000;

/// Patterns in the forms that answer questions, made when first asked for.
#[derive(Default)]
pub(super) struct Automata {
    matchers: Map<u32, Option<Rc<Regex>>>,
    automata: Map<u32, Result<Arc<Automaton>, String>>,
}

impl Automata {
    /// Whether a text matches a pattern; `None` where the pattern has no automaton.
    pub(super) fn matches(&mut self, terms: &Terms, number: u32, text: &str) -> Option<bool> {
        let matcher = self.matchers.entry(number).or_insert_with(|| {
            pattern::compile(&terms.patterns[number as usize].0)
                .ok()
                .map(Rc::new)
        });
        matcher.as_ref().map(|matcher| matcher.is_match(text))
    }

    /// The automaton of a pattern, and how many steps it took to make it.
    fn automaton(&mut self, terms: &Terms, number: u32) -> (Result<Arc<Automaton>, String>, usize) {
        if let Some(made) = self.automata.get(&number) {
            return (made.clone(), 0);
        }
        let made = automaton(&terms.patterns[number as usize].0).map(Arc::new);
        // One that grows past its bound takes as long as one that just keeps within it.
        let size = made
            .as_ref()
            .map_or(MAX_AUTOMATON, |dfa| dfa.memory_usage());
        self.automata.insert(number, made.clone());
        (made, size)
    }
}

#[derive(Default)]
struct Facts {
    least: u64,
    most: Option<u64>,
    patterns: Vec<(u32, bool)>,
    one_of: Option<Vec<Name>>,
    none_of: Vec<Name>,
}

impl Prover {
    pub(super) fn strings(&mut self, literals: &[Term]) -> Outcome {
        let mut facts = Facts::default();
        for literal in literals {
            let negated = literal.is_negated();
            match self.terms.shape(*literal) {
                Shape::MinLength(length) if negated => {
                    let most = length.saturating_sub(1);
                    facts.most = Some(facts.most.map_or(most, |other| other.min(most)));
                }
                Shape::MinLength(length) => facts.least = facts.least.max(*length),
                Shape::Pattern(number) => facts.patterns.push((*number, negated)),
                Shape::Strings(names) if negated => facts.none_of.extend(names.iter()),
                Shape::Strings(names) => {
                    facts.one_of = Some(match facts.one_of.take() {
                        Some(list) => list
                            .into_iter()
                            .filter(|name| names.binary_search(name).is_ok())
                            .collect(),
                        None => names.to_vec(),
                    });
                }
                _ => {}
            }
        }
        if facts.most.is_some_and(|most| most < facts.least) {
            return Outcome::Unsat;
        }
        if let Some(list) = facts.one_of.take() {
            return self.one_of_strings(literals, &list);
        }
        facts.none_of.sort_unstable();
        facts.none_of.dedup();
        if facts.patterns.is_empty() {
            return self.by_length(&facts);
        }
        self.by_patterns(&facts)
    }

    fn one_of_strings(&mut self, literals: &[Term], list: &[Name]) -> Outcome {
        let mut unsure = false;
        for name in list {
            let value = Model::String(self.terms.text(*name).clone());
            let mut answer = Some(true);
            for literal in literals {
                match self.holds(*literal, &value) {
                    Some(true) => {}
                    Some(false) => {
                        answer = Some(false);
                        break;
                    }
                    None => answer = None,
                }
            }
            match answer {
                Some(true) => return Outcome::Sat(Rc::new(value)),
                Some(false) => {}
                None => unsure = true,
            }
        }
        if unsure {
            return self.untold(literals);
        }
        Outcome::Unsat
    }

    /// Names what kept a string from being told: an unknown formula, or a pattern that no automaton
    /// has.
    pub(super) fn untold(&mut self, formulas: &[Term]) -> Outcome {
        let mut seen: HashSet<Term> = HashSet::new();
        let mut next = formulas.to_vec();
        while let Some(formula) = next.pop() {
            if !seen.insert(formula.bare()) {
                continue;
            }
            match self.terms.shape(formula) {
                Shape::And(parts) => next.extend(parts.iter()),
                Shape::Reference(_) => next.push(self.terms.typed(formula, TypeSet::STRING)),
                Shape::Opaque(number, _) => return Outcome::Unknown(*number),
                Shape::Pattern(number) => {
                    let number = *number;
                    let text = &self.terms.patterns[number as usize].0;
                    if let Err(error) = pattern::compile(text) {
                        let why = format!("the pattern {text:?} cannot be compared: {error}");
                        return self.pattern_unknown(number, why);
                    }
                }
                _ => {}
            }
        }
        self.unknown("pattern", "a string could not be matched")
    }

    fn pattern_unknown(&mut self, number: u32, why: String) -> Outcome {
        let origin = self.terms.patterns[number as usize].1.clone();
        let keyword = "pattern".to_owned();
        self.unknown_at(Undecided {
            keyword,
            origin,
            why,
        })
    }

    /// Strings of some length, other than a few: there are enough of them unless only the empty
    /// one is short enough.
    fn by_length(&mut self, facts: &Facts) -> Outcome {
        let taken = |prover: &Self, text: &str| {
            prover
                .terms
                .known_name(text)
                .is_some_and(|name| facts.none_of.binary_search(&name).is_ok())
        };
        if facts.least == 0 && !taken(self, "") {
            return Outcome::Sat(Rc::new(Model::String("".into())));
        }
        let length = facts.least.max(1);
        if facts.most.is_some_and(|most| most < length) {
            return Outcome::Unsat;
        }
        if length > MAX_WRITTEN {
            return Outcome::Sat(Rc::new(Model::Unwritable));
        }
        let filler = "a".repeat(usize::try_from(length - 1).unwrap_or(0));
        let letters = (b'a'..=b'z').chain(b'0'..=b'9').map(char::from);
        // Far more characters than any list has strings.
        for letter in letters
            .chain('\u{100}'..'\u{d000}')
            .chain('\u{10000}'..char::MAX)
        {
            let text = format!("{filler}{letter}");
            if !taken(self, &text) {
                return Outcome::Sat(Rc::new(Model::String(text.into())));
            }
        }
        self.unknown("enum", "a list excludes more strings than are tried")
    }

    fn by_patterns(&mut self, facts: &Facts) -> Outcome {
        let mut automata = Vec::new();
        for (number, negated) in &facts.patterns {
            if self.steps == 0 {
                return self.past_budget();
            }
            let (made, cost) = self.automata.automaton(&self.terms, *number);
            self.spend(cost);
            match made {
                Ok(automaton) => automata.push((automaton, *negated)),
                Err(why) => return self.pattern_unknown(*number, why),
            }
        }
        match every() {
            Ok(every) => automata.push((every, false)),
            Err(why) => return self.unknown("pattern", &why),
        }
        self.spend(facts.none_of.len());
        let excluded = Trie::of(facts.none_of.iter().map(|name| &**self.terms.text(*name)));
        let lengths = (facts.least, facts.most);
        match shortest(&automata, &excluded, lengths, &mut self.steps) {
            Ok(Some(text)) => Outcome::Sat(Rc::new(Model::String(text.into()))),
            Ok(None) => Outcome::Unsat,
            Err(why) => self.pattern_unknown(facts.patterns[0].0, why),
        }
    }
}
