//! Automata of patterns: how they are made, within what bounds, and how they are walked.

use crate::maps::HashMap;
use crate::wire::pattern::translate;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, MatchKind, util};
use std::sync::{Arc, LazyLock};

/// A deterministic automaton over the bytes of UTF-8.
pub(super) type Automaton = dense::DFA<Vec<u32>>;

/// The bound on one automaton in bytes.
pub(super) const MAX_AUTOMATON: usize = 4 << 20;

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

/// The automaton of all strings, made once.
///
/// # Errors
/// Those of [`automaton`].
pub(super) fn every() -> Result<Arc<Automaton>, String> {
    static EVERY: LazyLock<Result<Arc<Automaton>, String>> =
        LazyLock::new(|| automaton("").map(Arc::new));
    EVERY.clone()
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
                .determinize_size_limit(Some(MAX_AUTOMATON / 4)),
        )
        .build(whole)
        .map_err(|_| ())
}

/// The state that an automaton starts in.
pub(super) fn start(dfa: &Automaton) -> Result<StateID, String> {
    let config = util::start::Config::new().anchored(Anchored::Yes);
    dfa.start_state(&config).map_err(|error| error.to_string())
}

/// One byte for each class of bytes that no automaton tells apart: the first one, as classes are
/// ranges.
pub(super) fn representatives<'d>(automata: impl Iterator<Item = &'d Automaton>) -> Vec<u8> {
    one_of_each(automata, |_| None, 0..=u8::MAX)
}

/// One byte for each class of bytes that neither an automaton nor `apart` tells apart, letters and
/// digits before others.
pub(super) fn legible<'d>(
    automata: impl Iterator<Item = &'d Automaton>,
    apart: impl Fn(u8) -> Option<u8>,
) -> Vec<u8> {
    // Where characters beyond ASCII are asked for, an accented letter is better than a control.
    let accented = [0xC3, 0xA9];
    let legible = (b'a'..=b'z')
        .chain(b'0'..=b'9')
        .chain(b'A'..=b'Z')
        .chain(b' '..=b'~')
        .chain(accented);
    one_of_each(automata, apart, legible.chain(0..=u8::MAX))
}

fn one_of_each<'d>(
    automata: impl Iterator<Item = &'d Automaton>,
    apart: impl Fn(u8) -> Option<u8>,
    bytes: impl Iterator<Item = u8>,
) -> Vec<u8> {
    // The class of each byte, refined by one automaton after the other.
    let mut class: [usize; 256] = [0; 256];
    let mut count = 1;
    let mut refine = |of: &dyn Fn(u8) -> usize| {
        let mut numbers: HashMap<(usize, usize), usize> = HashMap::default();
        for byte in 0..=u8::MAX {
            let class = &mut class[usize::from(byte)];
            let next = numbers.len();
            *class = *numbers.entry((*class, of(byte))).or_insert(next);
        }
        count = numbers.len();
    };
    for dfa in automata {
        let classes = dfa.byte_classes();
        refine(&|byte| usize::from(classes.get(byte)));
    }
    refine(&|byte| apart(byte).map_or(256, usize::from));
    let mut seen = vec![false; count];
    let is_new = |byte: &u8| !std::mem::replace(&mut seen[class[usize::from(*byte)]], true);
    bytes.filter(is_new).collect()
}
