//! What a reader is shown, as text that was read before it was taken for right.

use super::*;
use crate::evolution::Comparison;
use crate::report::{
    GoldenLine, MissingGolden, Place, Problem, ProblemKind, Sources, Unknown, Witness,
};
use crate::wire::Reading;

fn text(report: &Report) -> String {
    human(report, &View::default()).expect("written")
}

fn place(pointer: &str, line: u32, column: u32) -> Option<Place> {
    Some(Place {
        pointer: pointer.to_owned(),
        line,
        column,
    })
}

fn finding(level: Level, subject: &str) -> Finding {
    Finding {
        rule: "some-rule".to_owned(),
        level,
        message: format!("{subject} changed"),
        subject: subject.to_owned(),
        old: place("/a", 1, 2),
        new: None,
        witness: None,
        golden: None,
        covered_by: None,
        further_places: 0,
    }
}

fn report(changes: Vec<Finding>) -> Report {
    let mut report = Report::new(&Comparison::default());
    report.additive = if changes.is_empty() {
        Answer::Yes
    } else {
        Answer::No
    };
    report.accepted = changes.is_empty();
    report.changes = changes;
    report.old_name = "0123abc:old.json".to_owned();
    report.new_name = "new.json".to_owned();
    report
}

#[test]
fn a_finding_shows_both_places_and_what_goes_with_it() {
    let mut report = report(vec![Finding {
        rule: "property-renamed".to_owned(),
        message: "a.name was renamed to \"label\"".to_owned(),
        old: place("/properties/name", 2, 11),
        new: place("/properties/label", 3, 12),
        witness: Some(Witness {
            document: serde_json::value::RawValue::from_string("{\"name\":0}".to_owned())
                .expect("JSON"),
            reading: Reading::Published,
            valid_under: crate::report::Side::New,
            definition: None,
        }),
        ..finding(Level::Breaking, "a.name")
    }]);
    report.sources = Sources {
        old: vec![(
            "0123abc:old.json".to_owned(),
            "{\n  \"name\": {\"type\": \"string\"}\n}".to_owned(),
        )],
        new: vec![(
            "new.json".to_owned(),
            "{\n\n  \"label\": {\"type\": \"string\"}\n}".to_owned(),
        )],
    };
    assert_eq!(text(&report), EXPECTED_PLACES);
}

const EXPECTED_PLACES: &str = r#"breaking[property-renamed]: a.name was renamed to "label"
 --> new.json:3:12
  |
2 |
3 |   "label": {"type": "string"}
  |            ^^^^^^^^^^^^^^^^^^ /properties/label
  |
 ::: 0123abc:old.json:2:11
  |
1 | {
2 |   "name": {"type": "string"}
  |           ------------------ at the base: /properties/name
  |
  = witness: {"name":0}
  = it is valid under new and not under old
  = instead: Keep the old field and add the new one beside it.

additive: no
backward: yes
forward: yes
refused: 1 breaking (additive: no, backward: yes, forward: yes)
"#;

#[test]
fn a_line_that_is_cut_stands_below_its_place_and_nothing_between() {
    let long = |name: &str| format!("{{\"{}\": 1, \"{name}\": 2}}", "x".repeat(300));
    let mut report = report(vec![Finding {
        old: place("/b", 1, 315),
        new: place("/c", 1, 315),
        ..finding(Level::Breaking, "a.b")
    }]);
    report.sources = Sources {
        old: vec![("0123abc:old.json".to_owned(), long("b"))],
        new: vec![("new.json".to_owned(), long("c"))],
    };
    for colour in [false, true] {
        let view = View {
            colour,
            ..View::default()
        };
        let text = human(&report, &view).expect("written");
        let origins = text.lines().filter(|line| line.contains(":::"));
        let origins: Vec<&str> = origins.collect();
        assert_eq!(origins.len(), 1, "{text}");
        assert!(origins[0].contains("0123abc:old.json:1:315"), "{text}");
        assert!(text.contains("new.json:1:315"), "{text}");
        assert_eq!(text.matches('…').count(), 2, "{text}");
    }
}

#[test]
fn each_entry_is_a_block_and_the_last_line_sums_up() {
    let covered = Finding {
        covered_by: Some("0002".to_owned()),
        further_places: 3,
        ..finding(Level::Breaking, "a.b")
    };
    let proved = Finding {
        golden: Some(GoldenLine {
            file: "golden/x.jsonl".to_owned(),
            line: 4,
        }),
        old: None,
        new: place("/b", 5, 6),
        ..finding(Level::Additive, "a.c")
    };
    let mut report = report(vec![covered, proved]);
    report.missing_goldens.push(MissingGolden {
        subject: "a.d".to_owned(),
        pointer: "/d".to_owned(),
        message: "no golden line".to_owned(),
    });
    report.problems.push(Problem {
        kind: ProblemKind::CoverUnused,
        message: "the cover is left over".to_owned(),
        file: "adr/0002-x.md".to_owned(),
        line: Some(7),
        column: Some(10),
    });
    report.notes.push("said so".to_owned());
    assert_eq!(text(&report), EXPECTED_BLOCKS);
}

const EXPECTED_BLOCKS: &str = r#"missing golden: a.d: no golden line
--> new.json
 = at: /d

problem[cover-unused]: the cover is left over
--> adr/0002-x.md:7:10

breaking[some-rule]: a.b changed (and at 3 further places)
--> 0123abc:old.json:1:2
 = base: /a
 = covered: by decision record 0002

additive[some-rule]: a.c changed
--> new.json:5:6
 = at: /b
 = golden: golden/x.jsonl:4

note: said so
additive: no
backward: yes
forward: yes
refused: 1 breaking, 1 additive, 1 covered, 1 without golden, 1 with a problem (additive: no, backward: yes, forward: yes)
"#;

#[test]
fn a_doubt_is_no_acceptance() {
    let unknown = Unknown {
        pointer: "/x".to_owned(),
        keyword: "$dynamicRef".to_owned(),
        why: "open".to_owned(),
        questions: vec![Question::Additive],
    };
    let mut doubtful = report(Vec::new());
    doubtful.unknown.push(unknown);
    doubtful.additive = Answer::Unknown;
    doubtful.accepted = false;
    assert!(
        text(&doubtful)
            .ends_with("undecided: 1 unknown (additive: unknown, backward: yes, forward: yes)\n")
    );
    assert!(text(&report(Vec::new())).starts_with("accepted: no change"));
}

#[test]
fn only_a_terminal_gets_escape_sequences_and_none_from_a_schema() {
    let hostile = "\u{1b}]0;x\u{7}\u{202e}\n";
    let mut report = report(vec![Finding {
        message: hostile.to_owned(),
        ..finding(Level::Breaking, hostile)
    }]);
    report.old_name = hostile.to_owned();
    report.sources.old = vec![(hostile.to_owned(), hostile.to_owned())];
    let plain = text(&report);
    assert!(
        !plain.contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{plain:?}"
    );
    let colour = View {
        colour: true,
        ..View::default()
    };
    let coloured = human(&report, &colour).expect("written");
    assert!(coloured.contains("\u{1b}["));
    // Every sequence is one of colour, and what is left is what a file gets.
    let mut pieces = coloured.split("\u{1b}[");
    let mut stripped = pieces.next().expect("a piece").to_owned();
    for piece in pieces {
        let (sequence, rest) = piece.split_once('m').expect("a colour");
        assert!(
            sequence
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b';'),
            "{sequence:?}"
        );
        stripped.push_str(rest);
    }
    assert_eq!(stripped, plain);
}

#[test]
fn of_very_many_findings_the_last_are_told_without_their_lines() {
    let changes = (0..EXCERPTS + 5)
        .map(|number| finding(Level::Breaking, &format!("f{number}")))
        .collect();
    let mut report = report(changes);
    report.sources = Sources {
        old: vec![("0123abc:old.json".to_owned(), "{\"a\": 1}\n".to_owned())],
        new: Vec::new(),
    };
    let text = text(&report);
    assert_eq!(text.matches("{\"a\": 1}").count(), EXCERPTS);
    assert_eq!(text.matches("some-rule").count(), EXCERPTS + 5);
    assert_eq!(text.matches("0123abc:old.json:1:2").count(), EXCERPTS + 5);
}
