//! Equality of the languages that patterns describe.

use super::automaton::{Automaton, MAX_AUTOMATON, automaton, representatives, start};
use super::partition::Graph;
use regex_automata::dfa::Automaton as _;
use regex_automata::util::primitives::StateID;
use std::collections::{HashMap, HashSet, VecDeque};

/// Bounds on one automaton in bytes and on the pairs of states that are looked at.
const MAX_PAIRS: usize = 200_000;
/// Transitions that all comparisons of one run may look at together, and what making one costs
/// beside looking at it.
const MAX_WORK: usize = 50_000_000;
const MAKING: usize = 8;
const TOO_MANY: &str = "there are too many patterns to compare in this schema";

/// Which patterns have one language, each pattern read once for a whole run.
#[derive(Default)]
pub(super) struct Languages {
    /// The language of each pattern that was met.
    known: HashMap<String, Result<u32, String>>,
    /// Languages by their smallest automaton, which is one for each.
    smallest: HashMap<Vec<u32>, u32>,
    work: usize,
}

impl Languages {
    /// The number of a pattern's language: equal for equal languages.
    ///
    /// # Errors
    /// See [`Languages::equal`].
    pub(super) fn id(&mut self, pattern: &str) -> Result<u32, String> {
        if let Some(known) = self.known.get(pattern) {
            return known.clone();
        }
        let id = self.read(pattern);
        self.known.insert(pattern.to_owned(), id.clone());
        id
    }

    fn read(&mut self, pattern: &str) -> Result<u32, String> {
        let automata = self.automata(&[pattern.to_owned()])?;
        let smallest = self.smallest(&automata[0])?;
        let next = u32::try_from(self.smallest.len()).unwrap_or(u32::MAX);
        Ok(*self.smallest.entry(smallest).or_insert(next))
    }

    /// Whether two conjunctions of unanchored ECMA-262 patterns admit the same strings.
    ///
    /// # Errors
    /// Why that cannot be decided: a pattern beyond regular languages, or one past the budget.
    pub(super) fn equal(&mut self, left: &[String], right: &[String]) -> Result<bool, String> {
        if left == right {
            return Ok(true);
        }
        let (left, right) = (self.automata(left)?, self.automata(right)?);
        self.products(&left, &right)
    }

    /// The automata of patterns, made within the budget.
    fn automata(&mut self, patterns: &[String]) -> Result<Vec<Automaton>, String> {
        self.spend(0)?;
        let made = automata(patterns);
        let bytes = match &made {
            Ok(automata) => automata.iter().map(Automaton::memory_usage).sum(),
            // What was refused as too large was made up to there.
            Err(_) => MAX_AUTOMATON / 8,
        };
        self.spend(bytes / std::mem::size_of::<u32>() * MAKING)?;
        made
    }

    fn spend(&mut self, work: usize) -> Result<(), String> {
        self.work = self.work.saturating_add(work);
        if self.work > MAX_WORK {
            return Err(TOO_MANY.to_owned());
        }
        Ok(())
    }

    /// The smallest automaton of a language, spelled in the order in which its states are reached:
    /// for each state whether it accepts, and the bytes at which its next state changes.
    fn smallest(&mut self, dfa: &Automaton) -> Result<Vec<u32>, String> {
        let bytes = representatives(std::iter::once(dfa));
        let first = start(dfa)?;
        let mut numbers = HashMap::from([(first, 0)]);
        let mut states = vec![first];
        let mut next: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some(state) = states.get(at).copied() {
            self.spend(bytes.len())?;
            at += 1;
            for byte in &bytes {
                let target = dfa.next_state(state, *byte);
                next.push(*numbers.entry(target).or_insert_with(|| {
                    states.push(target);
                    states.len() - 1
                }));
            }
        }
        // States are apart by what they accept, or where their next states are apart.
        let accepts: Vec<u32> = states
            .iter()
            .map(|state| u32::from(dfa.is_match_state(dfa.next_eoi_state(*state))))
            .collect();
        let mut edges = Vec::with_capacity(next.len());
        for (from, targets) in (0..).zip(next.chunks(bytes.len())) {
            let targets = targets
                .iter()
                .map(|to| u32::try_from(*to).unwrap_or(u32::MAX));
            edges.extend(targets.map(|to| (to, from)));
        }
        let mut signatures: HashMap<Vec<u32>, u32> = HashMap::new();
        let key = |classes: &[u32], at: u32| {
            let from = at as usize * bytes.len();
            let targets = next[from..from + bytes.len()].iter();
            let targets = targets.map(|target| classes[*target]);
            let signature = std::iter::once(accepts[at as usize])
                .chain(targets)
                .collect();
            let fresh = u32::try_from(signatures.len()).unwrap_or(u32::MAX);
            *signatures.entry(signature).or_insert(fresh)
        };
        let count = u32::try_from(states.len()).unwrap_or(u32::MAX);
        let blocks = Graph::new(count, edges)
            .classes(key, |states| self.spend(states * bytes.len()).ok())
            .ok_or(TOO_MANY)?;
        let mut order: HashMap<u32, u32> = HashMap::from([(blocks[0], 0)]);
        let mut queue = VecDeque::from([0]);
        let mut text = Vec::new();
        while let Some(state) = queue.pop_front() {
            text.extend([u32::MAX, accepts[state]]);
            let mut before = None;
            for (byte, from) in bytes.iter().zip(state * bytes.len()..) {
                let target = next[from];
                let fresh = u32::try_from(order.len()).unwrap_or(u32::MAX);
                let number = *order.entry(blocks[target]).or_insert_with(|| {
                    queue.push_back(target);
                    fresh
                });
                if before != Some(number) {
                    text.extend([u32::from(*byte), number]);
                    before = Some(number);
                }
            }
        }
        Ok(text)
    }

    fn products(&mut self, left: &[Automaton], right: &[Automaton]) -> Result<bool, String> {
        let starts = |automata: &[Automaton]| -> Result<Vec<StateID>, String> {
            automata.iter().map(start).collect()
        };
        let first = (starts(left)?, starts(right)?);
        let accepts = |automata: &[Automaton], states: &[StateID]| {
            automata
                .iter()
                .zip(states)
                .all(|(dfa, state)| dfa.is_match_state(dfa.next_eoi_state(*state)))
        };
        let bytes = representatives(left.iter().chain(right));
        let mut seen = HashSet::from([first.clone()]);
        let mut queue = VecDeque::from([first]);
        while let Some((one, other)) = queue.pop_front() {
            if accepts(left, &one) != accepts(right, &other) {
                return Ok(false);
            }
            self.spend(bytes.len())?;
            for byte in &bytes {
                let step = |automata: &[Automaton], states: &[StateID]| -> Vec<StateID> {
                    automata
                        .iter()
                        .zip(states)
                        .map(|(dfa, state)| dfa.next_state(*state, *byte))
                        .collect()
                };
                let next = (step(left, &one), step(right, &other));
                if !seen.contains(&next) {
                    if seen.len() >= MAX_PAIRS {
                        return Err("the patterns are too large to compare".to_owned());
                    }
                    seen.insert(next.clone());
                    queue.push_back(next);
                }
            }
        }
        Ok(true)
    }
}

/// One automaton for each pattern; none is the set of all strings.
fn automata(patterns: &[String]) -> Result<Vec<Automaton>, String> {
    if patterns.is_empty() {
        return Ok(vec![automaton("")?]);
    }
    patterns.iter().map(|pattern| automaton(pattern)).collect()
}

#[cfg(test)]
mod tests {
    use super::Languages;

    fn check(left: &[&str], right: &[&str]) -> Result<bool, String> {
        let own = |patterns: &[&str]| {
            patterns
                .iter()
                .map(|pattern| (*pattern).to_owned())
                .collect::<Vec<_>>()
        };
        Languages::default().equal(&own(left), &own(right))
    }

    #[test]
    fn spelling_does_not_matter_and_language_does() {
        assert_eq!(check(&["^a+$"], &["^aa*$"]), Ok(true));
        assert_eq!(check(&["^[a-z]+$"], &["^[a-y]+$"]), Ok(false));
        assert_eq!(check(&[r"^\/x"], &["^/x"]), Ok(true));
        assert_eq!(check(&[], &[""]), Ok(true));
        assert_eq!(check(&["^.*$"], &[]), Ok(false), "`.` takes no line feed");
        assert_eq!(
            check(&["^a", "b$"], &["^a(.|[\\n\\r\\u2028\\u2029])*b$"]),
            Ok(true)
        );
        assert_eq!(check(&[r"^\d{3}$"], &["^[0-9][0-9][0-9]$"]), Ok(true));
        assert_eq!(check(&["a"], &["^a"]), Ok(false));
        assert!(check(&["(?=a)"], &["a"]).is_err());
    }

    /// The smallest automata and the products of automata are two ways to one answer.
    #[test]
    fn one_number_is_one_language() {
        let patterns = [
            "",
            "^",
            "$",
            "^$",
            "a",
            "^a",
            "^a$",
            "^aa*$",
            "^a+$",
            "^(a|b)*$",
            "^[ab]*$",
            "^[a-c]{1,3}$",
            "^[a-c][a-c]?[a-c]?$",
            "^(ab|ba)*a?$",
            ".",
            "^.*$",
            "é",
            "^[^é]*$",
            r"^\d+$",
            "^[0-9]{1,}$",
            r"^\s*$",
            r"^\w{2,}$",
            "^[A-Za-z0-9_][A-Za-z0-9_]+$",
            "b$",
            "(?:b)$",
        ];
        let mut languages = Languages::default();
        for one in patterns {
            for other in patterns {
                let ids = (languages.id(one), languages.id(other));
                let (left, right) = (
                    super::automata(&[one.to_owned()]).expect("small"),
                    super::automata(&[other.to_owned()]).expect("small"),
                );
                let same = languages.products(&left, &right);
                assert_eq!(Ok(ids.0 == ids.1), same, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn patterns_past_the_budget_of_a_run_are_undecided() {
        let mut languages = Languages::default();
        let answers: Vec<_> = (0..2000)
            .map(|count| languages.id(&format!("^[a-z]{{1,{}}}$", 700 + count)))
            .collect();
        assert!(answers[0].is_ok());
        assert!(
            answers[1999].is_err(),
            "the budget is for all patterns together"
        );
    }
}
