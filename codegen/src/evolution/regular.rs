//! Equality of the languages that patterns describe.

use crate::wire::pattern::translate;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use std::collections::{HashSet, VecDeque};

/// Bounds on one automaton in bytes and on the pairs of states that are looked at.
const MAX_AUTOMATON: usize = 4 << 20;
const MAX_PAIRS: usize = 200_000;

/// Whether two conjunctions of unanchored ECMA-262 patterns admit the same strings.
///
/// # Errors
/// Why that cannot be decided: a pattern beyond regular languages, or one past the budget.
pub(super) fn equal(left: &[String], right: &[String]) -> Result<bool, String> {
    let left = automata(left)?;
    let right = automata(right)?;
    let start = |automata: &[dense::DFA<Vec<u32>>]| -> Result<Vec<StateID>, String> {
        let config = start::Config::new().anchored(Anchored::Yes);
        automata
            .iter()
            .map(|dfa| dfa.start_state(&config).map_err(|error| error.to_string()))
            .collect()
    };
    let first = (start(&left)?, start(&right)?);
    let accepts = |automata: &[dense::DFA<Vec<u32>>], states: &[StateID]| {
        automata
            .iter()
            .zip(states)
            .all(|(dfa, state)| dfa.is_match_state(dfa.next_eoi_state(*state)))
    };
    let bytes = representatives(left.iter().chain(&right));
    let mut seen = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    while let Some((one, other)) = queue.pop_front() {
        if accepts(&left, &one) != accepts(&right, &other) {
            return Ok(false);
        }
        for byte in &bytes {
            let step = |automata: &[dense::DFA<Vec<u32>>], states: &[StateID]| -> Vec<StateID> {
                automata
                    .iter()
                    .zip(states)
                    .map(|(dfa, state)| dfa.next_state(*state, *byte))
                    .collect()
            };
            let next = (step(&left, &one), step(&right, &other));
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

/// One byte for each class of bytes that no automaton tells apart.
fn representatives<'d>(automata: impl Iterator<Item = &'d dense::DFA<Vec<u32>>>) -> Vec<u8> {
    let classes: Vec<_> = automata.map(|dfa| dfa.byte_classes()).collect();
    let mut seen = HashSet::new();
    (0..=u8::MAX)
        .filter(|byte| {
            seen.insert(
                classes
                    .iter()
                    .map(|class| class.get(*byte))
                    .collect::<Vec<u8>>(),
            )
        })
        .collect()
}

/// One automaton for each pattern that accepts whole strings; none is the set of all strings.
fn automata(patterns: &[String]) -> Result<Vec<dense::DFA<Vec<u32>>>, String> {
    let every = [String::new()];
    let patterns = if patterns.is_empty() {
        &every
    } else {
        patterns
    };
    let build = |pattern: &String| {
        let inner = translate(pattern)
            .map_err(|error| format!("the pattern {pattern:?} cannot be compared: {error}"))?;
        // `.` in Unicode mode keeps both languages within valid UTF-8, as strings are.
        let whole = format!(r"\A(?s:.)*(?:{inner})(?s:.)*\z");
        dense::Builder::new()
            // Repetitions of repetitions multiply, and schemas are untrusted.
            .thompson(thompson::Config::new().nfa_size_limit(Some(MAX_AUTOMATON)))
            .configure(
                dense::Config::new()
                    .start_kind(StartKind::Anchored)
                    .match_kind(MatchKind::All)
                    .dfa_size_limit(Some(MAX_AUTOMATON))
                    .determinize_size_limit(Some(MAX_AUTOMATON)),
            )
            .build(&whole)
            .map_err(|_| format!("the pattern {pattern:?} is too large to compare"))
    };
    patterns.iter().map(build).collect()
}

#[cfg(test)]
mod tests {
    use super::equal;

    fn check(left: &[&str], right: &[&str]) -> Result<bool, String> {
        let own = |patterns: &[&str]| {
            patterns
                .iter()
                .map(|pattern| (*pattern).to_owned())
                .collect::<Vec<_>>()
        };
        equal(&own(left), &own(right))
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
}
