//! What a report makes of answers, with provers that say what a test wants.

use crate::evolution::answers::sides::{Sides, document};
use crate::evolution::prove::{Inclusion, Refutation};
use crate::evolution::{self, Answer};
use crate::report::{Evidence, Outcome, Policy, Question, Report, View, format_named, json};
use crate::schema::Document;
use crate::wire::{self, Undecided};

/// A report as a reader gets it.
fn human(report: &Report) -> String {
    let format = format_named("human").expect("a format");
    (format.write)(report, &View::default()).expect("written")
}

/// A report on two schemas, with what a prover says backward and forward.
fn report(old: &str, new: &str, backward: &Inclusion, forward: &Inclusion) -> Report {
    let sides = Sides::read(old, new);
    let comparison = sides.comparison();
    let prover = |left: &Document, right: &Document| {
        let asked = (left.source.text(), right.source.text());
        if asked == (old, new) {
            backward.clone()
        } else if asked == (new, old) {
            forward.clone()
        } else {
            Inclusion::Open(Vec::new())
        }
    };
    let mut report = Report::new(&comparison);
    report.add_answers(&sides.answers(&comparison, prover));
    report
}

fn fails(document: Result<&str, &str>) -> Inclusion {
    Inclusion::Fails(Refutation {
        document: document.map(str::to_owned).map_err(str::to_owned),
        definition: None,
    })
}

const BEFORE: &str =
    r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#;
const AFTER: &str = r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "string"}}}"#;

#[test]
fn a_witness_stands_at_the_change_it_shows() {
    let backward = fails(Ok(r#"{"b": "x"}"#));
    let forward = fails(Ok(r#"{"b": 1}"#));
    let mut found = report(BEFORE, AFTER, &backward, &forward);
    let rules: Vec<(&str, bool)> = found
        .changes
        .iter()
        .map(|finding| (finding.rule.as_str(), finding.witness.is_some()))
        .collect();
    assert_eq!(rules, [("type-changed", true), ("property-added", false)]);
    // The other direction has its document at the top, and the change holds one.
    found.settle(Policy::Full);
    let text = human(&found);
    for line in [
        "= witness: {\"b\":\"\"}\n",
        "= it is valid under old and not under new\n",
        "\nbackward: no - the witness of type-changed b shows it\n",
        "\nforward: no - this document is valid under new and not under old: {\"b\":0}\n",
        "\nrefused by the policy full: 1 breaking, 1 additive (additive: no, backward: no, forward: no)\n",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    let written = json(&found).expect("written");
    let expected = r#""witnesses":{"backward":{"document":{"b":""},"reading":"published","valid_under":"old"},"forward":{"document":{"b":0},"reading":"published","valid_under":"new"}}"#;
    assert!(written.contains(expected), "{written}");
}

#[test]
fn an_addition_carries_the_document_that_shows_it() {
    let backward = fails(Ok(r#"{"b": "x", "c": 1}"#));
    let after = r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}, "d": {}}}"#;
    let found = report(BEFORE, after, &backward, &Inclusion::Holds);
    let shown = |subject: &str| {
        let mut findings = found.changes.iter();
        let finding = findings.find(|finding| finding.subject == subject);
        finding.expect(subject).witness.is_some()
    };
    assert!(shown("c") && !shown("d"));
    assert_eq!((found.backward, found.forward), (Answer::No, Answer::Yes));
    assert_eq!(found.outcome(), Outcome::Accepted, "growth is the policy");
}

#[test]
fn a_no_without_a_document_has_its_reason() {
    let mut found = report(BEFORE, AFTER, &fails(Err("too large")), &Inclusion::Holds);
    found.settle(Policy::Backward);
    assert!(
        matches!(&found.witnesses.backward, Some(Evidence::Reason { why }) if why == "too large")
    );
    assert!(human(&found).contains("\nbackward: no - too large\n"));
    assert!(
        json(&found)
            .expect("written")
            .contains(r#""backward":{"why":"too large"}"#)
    );
}

#[test]
fn each_policy_asks_its_own_question() {
    let no = fails(Ok(r#"{"b": "x"}"#));
    let (yes, open) = (Inclusion::Holds, Inclusion::Open(Vec::new()));
    let outcome = |backward, forward, policy| {
        let mut found = report(BEFORE, AFTER, backward, forward);
        found.settle(policy);
        found.outcome()
    };
    for (backward, forward, policy, expected) in [
        (&yes, &open, Policy::Additive, Outcome::Refused),
        (&yes, &open, Policy::Backward, Outcome::Accepted),
        (&no, &yes, Policy::Backward, Outcome::Refused),
        (&no, &yes, Policy::Forward, Outcome::Accepted),
        (&yes, &open, Policy::Forward, Outcome::Undecided),
        (&yes, &yes, Policy::Full, Outcome::Accepted),
        (&yes, &open, Policy::Full, Outcome::Undecided),
        (&no, &open, Policy::Full, Outcome::Refused),
    ] {
        assert_eq!(
            outcome(backward, forward, policy),
            expected,
            "{backward:?} {forward:?} {policy:?}"
        );
    }
}

#[test]
fn what_keeps_several_questions_open_is_told_once() {
    let undecided = Undecided {
        keyword: "pattern".to_owned(),
        origin: document("true").origin(document("true").root),
        why: "too long".to_owned(),
    };
    let open = Inclusion::Open(vec![undecided]);
    let found = report(BEFORE, AFTER, &open, &open);
    assert_eq!(found.unknown.len(), 1);
    assert_eq!(
        found.unknown[0].questions,
        [Question::Backward, Question::Forward]
    );
    assert!(!found.is_open(Question::Additive));
    let text = human(&found);
    assert!(
        text.contains(": too long (open: backward, forward)\n"),
        "{text}"
    );
    assert!(
        text.contains("\nbackward: unknown - for the reason above\n"),
        "{text}"
    );
}

#[test]
fn a_conflict_is_refused_whatever_the_policy() {
    let titled = BEFORE.replacen('{', r#"{"title": "T","#, 1);
    // The validator has to agree with the prover, so the answers are made up here.
    let mut answers = evolution::Answers::same();
    let changed = report(
        BEFORE,
        AFTER,
        &fails(Ok(r#"{"b": "x"}"#)),
        &Inclusion::Holds,
    );
    assert!(changed.conflicts.is_empty());
    let judges = (document(BEFORE), document(AFTER));
    let witness = evolution::witness::confirm(
        (
            &evolution::witness::Judge::new(&judges.0),
            &evolution::witness::Judge::new(&judges.1),
        ),
        (wire::Reading::Published, evolution::Side::Old),
        (r#"{"b": "x"}"#, None),
    )
    .expect("a witness");
    answers.conflicts.push(evolution::Contradiction {
        message: "one says this, the other that".to_owned(),
        witness,
    });
    let comparison = Sides::read(BEFORE, &titled).comparison();
    for policy in [
        Policy::Additive,
        Policy::Backward,
        Policy::Forward,
        Policy::Full,
    ] {
        let mut found = Report::new(&comparison);
        found.add_answers(&answers);
        assert!(!found.accepted);
        found.settle(policy);
        assert_eq!((found.accepted, found.outcome()), (false, Outcome::Refused));
        let text = human(&found);
        for line in [
            "conflict: one says this, the other that\n",
            "= witness: {\"b\":\"\"}\n",
        ] {
            assert!(text.contains(line), "{line:?} in {text}");
        }
    }
}
