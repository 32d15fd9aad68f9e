//! Strings that keep the facts of a place, patterns included.

use super::Style;
use super::random::Random;
use crate::json::Literal;
use crate::wire::{ScalarFacts as _, StringFacts, pattern};
use regex_syntax::hir::{Class, Hir, HirKind};

/// No sample is longer; a schema that asks for more is given up on.
const MAX_CHARACTERS: usize = 4096;

/// A string that keeps the facts; `None` where none was found. `hint` is what it is about.
pub(super) fn string(
    facts: &StringFacts,
    hint: &str,
    style: Style,
    random: &mut Random,
) -> Option<String> {
    (0..24)
        .filter_map(|attempt| candidate(facts, hint, style, attempt, random))
        .find(|text| keeps(text, facts))
}

/// A string that matches an unanchored pattern, longer with each attempt.
pub(super) fn matching(source: &str, attempt: u32, random: &mut Random) -> Option<String> {
    let translated = pattern::translate(source).ok()?;
    let hir = regex_automata::util::syntax::parse(&translated).ok()?;
    let mut text = String::new();
    write(&hir, attempt, random, &mut text).then_some(text)
}

fn candidate(
    facts: &StringFacts,
    hint: &str,
    style: Style,
    attempt: u32,
    random: &mut Random,
) -> Option<String> {
    let mut text = if let Some(source) = facts
        .patterns
        .get(attempt as usize % facts.patterns.len().max(1))
    {
        matching(source, attempt, random)?
    } else if let Some(sample) = facts.formats.iter().find_map(|format| formatted(format)) {
        sample.to_owned()
    } else {
        plain_text(hint, style, attempt, random)
    };
    let wanted = usize::try_from(facts.min_length)
        .ok()
        .filter(|length| *length <= MAX_CHARACTERS)?;
    let have = text.chars().count();
    if facts.formats.is_empty() {
        text.extend(std::iter::repeat_n('x', wanted.saturating_sub(have)));
    }
    if facts.patterns.is_empty() && facts.formats.is_empty() {
        let limit = facts
            .max_length
            .and_then(|max| usize::try_from(max).ok())
            .unwrap_or(usize::MAX);
        text = text.chars().take(limit).collect();
    }
    Some(text)
}

fn plain_text(hint: &str, style: Style, attempt: u32, random: &mut Random) -> String {
    const ODD: [&str; 8] = [
        "",
        " ",
        "a\"b\\c/",
        "line\nbreak\ttab",
        "\u{1}\u{7f}",
        "grün ≠ 緑",
        "\u{1F600}\u{2028}",
        "null",
    ];
    match (style, attempt) {
        (Style::Random, _) if random.once_in(2) => ODD[random.below(ODD.len())].to_owned(),
        (Style::Random, _) => format!("{hint} {}", random.below(1000)),
        (_, 0) => hint.to_owned(),
        _ => format!("{hint}{attempt}"),
    }
}

fn keeps(text: &str, facts: &StringFacts) -> bool {
    let matches = |source: &String| pattern::matches(source, text).unwrap_or(false);
    facts.accepts(&Literal::string(text)) && facts.patterns.iter().all(matches)
}

/// One valid sample of each format that JSON Schema names.
fn formatted(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2026-01-02T03:04:05Z",
        "date" => "2026-01-02",
        "time" => "03:04:05Z",
        "duration" => "PT1H",
        "email" | "idn-email" => "someone@example.com",
        "hostname" | "idn-hostname" => "host.example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "iri" => "https://example.com/a",
        "uri-reference" | "iri-reference" => "/a",
        "uri-template" => "/a/{b}",
        "uuid" => "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "json-pointer" => "/a/b",
        "relative-json-pointer" => "0/a",
        "regex" => "^a+$",
        _ => return None,
    })
}

/// Appends a text that the expression matches; false where it gave up. Expressions nest no deeper
/// than the parser's own limit, so the recursion is bounded.
fn write(hir: &Hir, attempt: u32, random: &mut Random, out: &mut String) -> bool {
    if out.len() > MAX_CHARACTERS {
        return false;
    }
    match hir.kind() {
        // Anchors and word boundaries write nothing; the caller checks the whole.
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => {
                out.push_str(text);
                true
            }
            Err(_) => false,
        },
        HirKind::Class(class) => match character(class, random) {
            Some(found) => {
                out.push(found);
                true
            }
            None => false,
        },
        HirKind::Repetition(repetition) => {
            let most = repetition
                .max
                .unwrap_or(u32::MAX)
                .min(repetition.min.saturating_add(attempt * 2));
            let spread = usize::try_from(most - repetition.min).unwrap_or(0) + 1;
            let count = repetition
                .min
                .saturating_add(u32::try_from(random.below(spread)).unwrap_or(0));
            (0..count).all(|_| write(&repetition.sub, attempt, random, out))
        }
        HirKind::Capture(capture) => write(&capture.sub, attempt, random, out),
        HirKind::Concat(parts) => parts.iter().all(|part| write(part, attempt, random, out)),
        HirKind::Alternation(parts) => {
            let first = if attempt == 0 {
                0
            } else {
                random.below(parts.len())
            };
            let start = out.len();
            (0..parts.len()).any(|at| {
                out.truncate(start);
                write(&parts[(first + at) % parts.len()], attempt, random, out)
            })
        }
    }
}

/// A character of a class, a readable one where there is one.
fn character(class: &Class, random: &mut Random) -> Option<char> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let contains = |character: char| {
        class
            .ranges()
            .iter()
            .any(|range| range.start() <= character && character <= range.end())
    };
    let readable: Vec<char> = ('a'..='z')
        .chain('0'..='9')
        .chain('A'..='Z')
        .chain(['-', '_', '.', ' '])
        .filter(|one| contains(*one))
        .collect();
    if !readable.is_empty() {
        return Some(readable[random.below(readable.len())]);
    }
    let range = class.ranges().get(random.below(class.ranges().len()))?;
    Some(range.start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_met_and_impossible_facts_are_given_up() {
        let mut random = Random::new(1);
        let with = |patterns: &[&str], min_length, max_length| StringFacts {
            patterns: patterns.iter().map(|text| (*text).to_owned()).collect(),
            min_length,
            max_length,
            ..Default::default()
        };
        for (facts, possible) in [
            (with(&["^[a-z]{2}-\\d+$"], 0, None), true),
            (with(&["^(foo|bar)+$"], 9, Some(12)), true),
            (with(&["^a", "b$"], 0, None), false),
            (with(&["(?=a)b"], 0, None), false),
            (with(&["^x{5000}$"], 0, None), false),
            (with(&[], 3, Some(4)), true),
            (with(&[], 5, Some(4)), false),
        ] {
            let text = string(&facts, "hint", Style::Random, &mut random);
            assert_eq!(text.is_some(), possible, "{facts:?} gave {text:?}");
        }
    }
}
