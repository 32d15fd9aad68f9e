//! The shortest string in a combination of regular languages, less some strings.

use super::term::Map;
use crate::evolution::automaton::{Automaton, legible, start};
use regex_automata::dfa::Automaton as _;
use regex_automata::util::primitives::StateID;
use std::collections::HashSet;
use std::sync::Arc;

/// Combined states that one search looks at.
const MAX_STATES: usize = 200_000;
/// States of single automata in those.
const MAX_PARTS: usize = 2_000_000;

/// Some strings as a tree of their bytes.
pub(super) struct Trie {
    next: Map<(u32, u8), u32>,
    ends: Vec<bool>,
    bytes: [bool; 256],
}

/// What is no beginning of any of the strings.
const OUTSIDE: u32 = u32::MAX;

impl Trie {
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut trie = Self {
            next: Map::default(),
            ends: vec![false],
            bytes: [false; 256],
        };
        for text in texts {
            let mut at = 0;
            for byte in text.bytes() {
                trie.bytes[usize::from(byte)] = true;
                let fresh = u32::try_from(trie.ends.len()).unwrap_or(OUTSIDE);
                at = *trie.next.entry((at, byte)).or_insert(fresh);
                if at == fresh {
                    trie.ends.push(false);
                }
            }
            trie.ends[at as usize] = true;
        }
        trie
    }

    fn step(&self, at: u32, byte: u8) -> u32 {
        self.next.get(&(at, byte)).copied().unwrap_or(OUTSIDE)
    }

    fn is_end(&self, at: u32) -> bool {
        self.ends.get(at as usize).copied().unwrap_or(false)
    }

    /// Bytes that have to be tried one by one: those of the strings.
    fn own(&self, byte: u8) -> Option<u8> {
        self.bytes[usize::from(byte)].then_some(byte)
    }
}

/// The shortest string that all the automata accept, or refuse where they are negated, with a
/// length in characters between the given ones, and none of those excluded; `None` where there is
/// none.
///
/// # Errors
/// Where the search is past its budget; the bytes that are tried take steps.
pub(super) fn shortest(
    automata: &[(Arc<Automaton>, bool)],
    excluded: &Trie,
    (least, most): (u64, Option<u64>),
    steps: &mut u64,
) -> Result<Option<String>, String> {
    let first: Result<Vec<StateID>, String> = automata.iter().map(|(dfa, _)| start(dfa)).collect();
    let bytes = legible(automata.iter().map(|(dfa, _)| &**dfa), |byte| {
        excluded.own(byte)
    });
    // Beyond the least length, and with no greatest one, the length says nothing more.
    let counted = |length: u64| {
        if most.is_none() {
            length.min(least)
        } else {
            length
        }
    };
    let accepted = |states: &[StateID], beginning: u32, length: u64| {
        length >= least
            && !excluded.is_end(beginning)
            && automata.iter().zip(states).all(|((dfa, negated), state)| {
                dfa.is_match_state(dfa.next_eoi_state(*state)) != *negated
            })
    };
    let cost = (bytes.len() * automata.len() / 16 + 1) as u64;
    let limit = MAX_STATES.min(MAX_PARTS / automata.len().max(1));
    // The way to each state: the one before it and the byte between.
    let mut way: Vec<(usize, u8)> = vec![(0, 0)];
    let mut states = vec![(first?, 0, 0_u64)];
    let mut seen: HashSet<(Vec<StateID>, u32, u64)> = HashSet::from([states[0].clone()]);
    let mut at = 0;
    while let Some((here, beginning, length)) = states.get(at).cloned() {
        if accepted(&here, beginning, length) {
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
        *steps = steps.saturating_sub(cost);
        for byte in &bytes {
            let is_continuation = byte & 0xC0 == 0x80;
            let length = counted(length + u64::from(!is_continuation));
            if most.is_some_and(|most| length > most) {
                continue;
            }
            let mut next = Vec::with_capacity(here.len());
            let is_dead = automata.iter().zip(&here).any(|((dfa, negated), state)| {
                let state = dfa.next_state(*state, *byte);
                next.push(state);
                dfa.is_dead_state(state) && !negated
            });
            if is_dead {
                continue;
            }
            let next = (next, excluded.step(beginning, *byte), length);
            if !seen.contains(&next) {
                if seen.len() >= limit || *steps == 0 {
                    return Err("the patterns are too large to compare".to_owned());
                }
                seen.insert(next.clone());
                states.push(next);
                way.push((at, *byte));
            }
        }
        at += 1;
    }
    Ok(None)
}
