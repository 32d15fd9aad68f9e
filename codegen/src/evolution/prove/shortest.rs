//! The shortest string in a combination of regular languages.

use crate::evolution::automaton::{Automaton, legible, start};
use regex_automata::dfa::Automaton as _;
use regex_automata::util::primitives::StateID;
use std::collections::HashSet;
use std::rc::Rc;

/// Combined states that one search looks at.
const MAX_STATES: usize = 200_000;

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
    let first: Result<Vec<StateID>, String> = automata.iter().map(|(dfa, _)| start(dfa)).collect();
    let bytes = legible(automata.iter().map(|(dfa, _)| &**dfa));
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
                if seen.len() >= MAX_STATES || *steps == 0 {
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
