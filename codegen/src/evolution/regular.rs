//! Equality of the languages that patterns describe.

use crate::wire::pattern::translate;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

/// A deterministic automaton over the bytes of UTF-8.
pub(super) type Automaton = dense::DFA<Vec<u32>>;

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
    let start = |automata: &[Automaton]| -> Result<Vec<StateID>, String> {
        let config = start::Config::new().anchored(Anchored::Yes);
        automata
            .iter()
            .map(|dfa| dfa.start_state(&config).map_err(|error| error.to_string()))
            .collect()
    };
    let first = (start(&left)?, start(&right)?);
    let accepts = |automata: &[Automaton], states: &[StateID]| {
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
            let step = |automata: &[Automaton], states: &[StateID]| -> Vec<StateID> {
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

/// One byte for each class of bytes that no automaton tells apart, the most legible of its class.
fn representatives<'d>(automata: impl Iterator<Item = &'d Automaton>) -> Vec<u8> {
    let classes: Vec<_> = automata.map(|dfa| dfa.byte_classes()).collect();
    let mut seen = HashSet::new();
    let legible = (b'a'..=b'z')
        .chain(b'0'..=b'9')
        .chain(b'A'..=b'Z')
        .chain(b' '..=b'~');
    legible
        .chain(0..=u8::MAX)
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

/// One automaton for each pattern; none is the set of all strings.
fn automata(patterns: &[String]) -> Result<Vec<Automaton>, String> {
    if patterns.is_empty() {
        return Ok(vec![automaton("")?]);
    }
    patterns.iter().map(|pattern| automaton(pattern)).collect()
}

/// An automaton that accepts the whole strings an unanchored ECMA-262 pattern matches in.
///
/// # Errors
/// Why there is none: a pattern beyond regular languages, or one past the budget.
pub(super) fn automaton(pattern: &str) -> Result<Automaton, String> {
    let inner = translate(pattern)
        .map_err(|error| format!("the pattern {pattern:?} cannot be compared: {error}"))?;
    // `.` in Unicode mode keeps the language within valid UTF-8, as strings are.
    let whole = format!(r"\A(?s:.)*(?:{inner})(?s:.)*\z");
    build(&whole).map_err(|()| format!("the pattern {pattern:?} is too large to compare"))
}

/// An automaton that accepts some strings alone.
///
/// # Errors
/// Where they are too many.
pub(super) fn literals<'t>(texts: impl Iterator<Item = &'t str>) -> Result<Automaton, String> {
    let texts: Vec<String> = texts.map(regex_syntax::escape).collect();
    build(&format!(r"\A(?:{})\z", texts.join("|")))
        .map_err(|()| "a list of strings is too long to compare with a pattern".to_owned())
}

fn build(whole: &str) -> Result<Automaton, ()> {
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
        .build(whole)
        .map_err(|_| ())
}

/// The shortest string that all the automata accept, or refuse where they are negated, with a
/// length in characters between the given ones; `None` where there is none.
///
/// # Errors
/// Where the search is past its budget; every state looked at is a step.
pub(super) fn shortest(
    automata: &[(Rc<Automaton>, bool)],
    least: u64,
    most: Option<u64>,
    steps: &mut u64,
) -> Result<Option<String>, String> {
    let config = start::Config::new().anchored(Anchored::Yes);
    let first: Result<Vec<StateID>, String> = automata
        .iter()
        .map(|(dfa, _)| dfa.start_state(&config).map_err(|error| error.to_string()))
        .collect();
    let bytes = representatives(automata.iter().map(|(dfa, _)| &**dfa));
    // Beyond the least length, and with no greatest one, the length says nothing more.
    let counted = |length: u64| {
        if most.is_none() {
            length.min(least)
        } else {
            length
        }
    };
    let accepted = |states: &[StateID], length: u64| {
        length >= least
            && automata.iter().zip(states).all(|((dfa, negated), state)| {
                dfa.is_match_state(dfa.next_eoi_state(*state)) != *negated
            })
    };
    let is_dead = |states: &[StateID]| {
        automata
            .iter()
            .zip(states)
            .any(|((dfa, negated), state)| dfa.is_dead_state(*state) && !negated)
    };
    // The way to each state: the one before it and the byte between.
    let mut way: Vec<(usize, u8)> = vec![(0, 0)];
    let mut states = vec![(first?, 0_u64)];
    let mut seen: HashSet<(Vec<StateID>, u64)> = HashSet::from([states[0].clone()]);
    let mut at = 0;
    while let Some((here, length)) = states.get(at).cloned() {
        if accepted(&here, length) {
            let mut text = Vec::new();
            let mut back = at;
            while back > 0 {
                text.push(way[back].1);
                back = way[back].0;
            }
            text.reverse();
            return String::from_utf8(text)
                .map(Some)
                .map_err(|_| "an automaton accepts what is no text".to_owned());
        }
        for byte in &bytes {
            let is_continuation = byte & 0xC0 == 0x80;
            let length = counted(length + u64::from(!is_continuation));
            if most.is_some_and(|most| length > most) {
                continue;
            }
            let next: Vec<StateID> = automata
                .iter()
                .zip(&here)
                .map(|((dfa, _), state)| dfa.next_state(*state, *byte))
                .collect();
            if is_dead(&next) {
                continue;
            }
            let next = (next, length);
            if !seen.contains(&next) {
                if seen.len() >= MAX_PAIRS || *steps == 0 {
                    return Err("the patterns are too large to compare".to_owned());
                }
                *steps -= 1;
                seen.insert(next.clone());
                states.push(next);
                way.push((at, *byte));
            }
        }
        at += 1;
    }
    Ok(None)
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
