//! The layers with provers that say what a test wants.

use super::sides::{Sides, document};
use super::{Answers, Refuted};
use crate::evolution::Answer;
use crate::evolution::prove::{Inclusion, Refutation};
use crate::schema::Document;
use crate::wire::{Reading, Undecided};

fn answers(old: &str, new: &str, prover: impl Fn(&Document, &Document) -> Inclusion) -> Answers {
    let sides = Sides::read(old, new);
    sides.answers(&sides.comparison(), prover)
}

fn fails(document: &str) -> Inclusion {
    Inclusion::Fails(Refutation {
        document: Ok(document.to_owned()),
        definition: None,
    })
}

fn unknown(why: &str) -> Inclusion {
    let origin = document("true").origin(document("true").root);
    Inclusion::Open(vec![Undecided {
        keyword: "pattern".to_owned(),
        origin,
        why: why.to_owned(),
    }])
}

const ANY: &str = r#"{"type": ["string", "null"]}"#;
const STRING: &str = r#"{"type": "string"}"#;

#[test]
fn equal_texts_ask_no_prover() {
    let found = answers(ANY, r#"{ "type": ["string", "null"] }"#, |_, _| {
        panic!("asked")
    });
    assert_eq!(
        (found.backward.answer, found.forward.answer),
        (Answer::Yes, Answer::Yes)
    );
}

#[test]
fn a_refutation_counts_once_it_is_confirmed() {
    let found = answers(ANY, STRING, |left, _| match left.source.text() {
        ANY => fails("null"),
        _ => Inclusion::Holds,
    });
    assert_eq!(
        (found.backward.answer, found.forward.answer),
        (Answer::No, Answer::Yes)
    );
    let Some(Refuted::By(witness)) = found.backward.refuted else {
        panic!("no witness");
    };
    assert_eq!(witness.document, "null");
    assert!(found.conflicts.is_empty(), "nothing was called growth");
}

#[test]
fn a_refutation_that_the_validator_denies_leaves_the_question_open() {
    let found = answers(ANY, STRING, |_, _| fails("\"x\""));
    for direction in [found.backward, found.forward] {
        assert_eq!(direction.answer, Answer::Unknown);
        assert!(
            direction.undecided[0].why.contains("contradict each other"),
            "{direction:?}"
        );
    }
}

#[test]
fn a_refutation_without_a_document_is_a_no_with_its_reason() {
    let found = answers(ANY, STRING, |_, _| {
        Inclusion::Fails(Refutation {
            document: Err("it has 2^60 members".to_owned()),
            definition: None,
        })
    });
    assert_eq!(found.backward.answer, Answer::No);
    assert_eq!(
        found.backward.refuted,
        Some(Refuted::Stated("it has 2^60 members".to_owned()))
    );
}

#[test]
fn an_equal_wire_answers_what_the_prover_leaves_open() {
    let respelled = r#"{"anyOf": [{"type": "null"}, {"type": "string"}]}"#;
    let found = answers(ANY, respelled, |_, _| unknown("too long"));
    assert_eq!(
        (found.backward.answer, found.forward.answer),
        (Answer::Yes, Answer::Yes)
    );
    let found = answers(ANY, STRING, |_, _| unknown("too long"));
    assert_eq!(found.backward.answer, Answer::Unknown);
    assert_eq!(found.backward.undecided[0].why, "too long");
}

/// The comparison is not wrong in this way, so it is made wrong here.
#[test]
fn an_equal_wire_that_a_document_denies_is_a_conflict() {
    let comparison = Sides::read(ANY, r#"{"title": "T", "type": ["string", "null"]}"#).comparison();
    let prover = |left: &Document, _: &Document| match left.source.text() {
        ANY => fails("null"),
        _ => Inclusion::Holds,
    };
    let found = Sides::read(ANY, STRING).answers(&comparison, prover);
    assert_eq!(found.backward.answer, Answer::No);
    assert_eq!(found.conflicts.len(), 1, "{:?}", found.conflicts);
    assert_eq!(found.conflicts[0].witness.reading, Reading::Published);
}

#[test]
fn growth_that_loses_documents_of_the_strict_reading_is_a_conflict() {
    let grown = Sides::read(
        r#"{"type": "object", "properties": {"a": {}}}"#,
        r#"{"type": "object", "properties": {"a": {}, "b": {}}}"#,
    );
    let asked = std::cell::Cell::new(0);
    let prover = |left: &Document, _: &Document| {
        asked.set(asked.get() + 1);
        match left.source.name() {
            "reading" => fails("null"),
            _ => Inclusion::Open(Vec::new()),
        }
    };
    let found = Sides::read(ANY, STRING).answers(&grown.comparison(), prover);
    // `open(new)` in `open(old)` really holds for this pair, so that claim is not confirmed.
    assert_eq!(asked.get(), 4);
    assert_eq!(found.conflicts.len(), 1, "{:?}", found.conflicts);
    assert_eq!(found.conflicts[0].witness.reading, Reading::Strict);
    assert!(found.conflicts[0].message.contains("strict reading of old"));
}

#[test]
fn definitions_of_one_side_alone_contradict_nothing() {
    let old = r#"{"$defs": {"a": {"type": "string"}}}"#;
    let new = r#"{"$defs": {"a": {"type": "string"}, "b": {"type": "null"}}}"#;
    let found = answers(old, new, |left, _| match left.source.name() {
        "reading" => panic!("both readings of `a` are the same text"),
        _ => Inclusion::Holds,
    });
    assert!(found.conflicts.is_empty());
}
