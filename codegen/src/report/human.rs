//! The report as text for a reader: one block a change, one line that sums up.

use super::{
    Evidence, Finding, Outcome, Policy, Question, Report, Side, Witness, visible, visible_whole,
};
use crate::evolution::{Answer, Level, Verdict, rules};
use crate::schema::file_of;
use std::fmt::Write as _;

/// The report as text. The same report always gives the same text.
#[must_use]
pub fn human(report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.changes {
        block(&mut out, report, finding);
    }
    for missing in &report.missing_goldens {
        head(&mut out, "missing golden", "", &missing.subject);
        line(&mut out, "", &missing.message);
        let (file, pointer) = file_of(&missing.pointer, &report.new_name);
        line(&mut out, "at", &format!("{file}#{pointer}"));
    }
    for unknown in &report.unknown {
        head(&mut out, "unknown", &unknown.keyword, &unknown.pointer);
        line(&mut out, "", &unknown.why);
        if unknown.questions != [Question::Additive] {
            let names: Vec<_> = unknown.questions.iter().map(question_name).collect();
            line(&mut out, "open", &names.join(", "));
        }
    }
    for conflict in &report.conflicts {
        head(&mut out, "conflict", "", "");
        line(&mut out, "", &conflict.message);
        if let Some(witness) = &conflict.witness {
            show_witness(&mut out, witness);
        }
    }
    for problem in &report.problems {
        head(&mut out, "problem", &kebab(&problem.kind), "");
        line(&mut out, "", &problem.to_string());
    }
    for note in &report.notes {
        push(&mut out, &format!("note: {}\n", visible(note)));
    }
    out.push_str(&questions(report));
    out.push_str(&summary(report));
    out.push('\n');
    out
}

/// A line for each question, its answer and what that rests on; nothing where all of them are a
/// plain yes, which the last line says as well.
#[must_use]
pub fn questions(report: &Report) -> String {
    let mut out = String::new();
    let directions = [
        (
            Question::Backward,
            report.backward,
            &report.witnesses.backward,
        ),
        (Question::Forward, report.forward, &report.witnesses.forward),
    ];
    let all = [report.additive, report.backward, report.forward];
    if all.iter().all(|answer| *answer == Answer::Yes) {
        return out;
    }
    push(
        &mut out,
        &format!("additive: {}\n", answer(report.additive)),
    );
    for (question, said, evidence) in directions {
        let reason = match evidence {
            Some(evidence) => because(report, evidence),
            None if report.is_open(question) => {
                let reasons = report.unknown.iter();
                let reasons = reasons.filter(|one| one.questions.contains(&question));
                match reasons.count() {
                    1 => " - for the reason above".to_owned(),
                    count => format!(" - for the {count} reasons above"),
                }
            }
            None => String::new(),
        };
        let (name, said) = (question_name(&question), answer(said));
        push(&mut out, &format!("{name}: {said}{reason}\n"));
    }
    out
}

/// A witness stands in full once: at the change that it shows, and here where there is none.
fn because(report: &Report, evidence: &Evidence) -> String {
    let witness = match evidence {
        Evidence::Document(witness) => witness,
        Evidence::Reason { why } => return format!(" - {}", visible(why)),
    };
    let shows = |finding: &&Finding| {
        finding.witness.as_ref().is_some_and(|shown| {
            (shown.valid_under, shown.document.get())
                == (witness.valid_under, witness.document.get())
        })
    };
    if let Some(finding) = report.changes.iter().find(shows) {
        let (rule, subject) = (visible(&finding.rule), visible(&finding.subject));
        return format!(" - the witness of {rule} {subject} shows it");
    }
    let (valid, invalid) = match witness.valid_under {
        Side::Old => ("old", "new"),
        Side::New => ("new", "old"),
    };
    let of = match &witness.definition {
        Some(name) => format!(" of the definition {}", visible(name)),
        None => String::new(),
    };
    let document = document_of(witness);
    format!(" - this document{of} is valid under {valid} and not under {invalid}: {document}")
}

/// The last line: what happens, why, and the three answers.
#[must_use]
pub fn summary(report: &Report) -> String {
    let outcome = match report.outcome() {
        Outcome::Accepted => "accepted",
        Outcome::Refused => "refused",
        Outcome::Undecided => "undecided",
    };
    let policy = match report.policy {
        Policy::Additive => "",
        Policy::Backward => " by the policy backward",
        Policy::Forward => " by the policy forward",
        Policy::Full => " by the policy full",
    };
    let mut counts: Vec<String> = [Level::Breaking, Level::Additive, Level::Editorial]
        .into_iter()
        .map(|level| (report.count(level), level_name(level)))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let covered = report
        .changes
        .iter()
        .filter(|finding| finding.covered_by.is_some())
        .count();
    for (count, name) in [
        (covered, "covered"),
        (report.missing_goldens.len(), "without golden"),
        (report.unknown.len(), "unknown"),
        (report.conflicts.len(), "in conflict"),
        (report.problems.len(), "with a problem"),
    ] {
        if count > 0 {
            counts.push(format!("{count} {name}"));
        }
    }
    let what = match (counts.is_empty(), report.verdict) {
        (true, Verdict::Identical) => "no change".to_owned(),
        (true, _) => "no finding".to_owned(),
        (false, _) => counts.join(", "),
    };
    let (additive, backward, forward) = (
        answer(report.additive),
        answer(report.backward),
        answer(report.forward),
    );
    format!(
        "{outcome}{policy}: {what} (additive: {additive}, backward: {backward}, forward: {forward})"
    )
}

fn block(out: &mut String, report: &Report, finding: &Finding) {
    head(
        out,
        level_name(finding.level),
        &finding.rule,
        &finding.subject,
    );
    line(out, "", &finding.message);
    for (label, name, place) in [
        ("base", &report.old_name, &finding.old),
        ("new", &report.new_name, &finding.new),
    ] {
        if let Some(place) = place {
            let (file, pointer) = file_of(&place.pointer, name);
            line(
                out,
                label,
                &format!("{file}:{}:{} {pointer}", place.line, place.column),
            );
        }
    }
    match finding.further_places {
        0 => {}
        1 => line(out, "also", "at one further place"),
        count => line(out, "also", &format!("at {count} further places")),
    }
    if let Some(witness) = &finding.witness {
        show_witness(out, witness);
    }
    if let Some(golden) = &finding.golden {
        line(out, "golden", &format!("{}:{}", golden.file, golden.line));
    }
    match &finding.covered_by {
        Some(record) => line(out, "covered", &format!("by decision record {record}")),
        // What is refused says what to do about it; the rest needs no advice.
        None if finding.level == Level::Breaking => {
            if let Some(rule) = rules::find(&finding.rule) {
                line(out, "instead", rule.instead);
            }
        }
        None => {}
    }
}

/// The most bytes of a witness that a reader is shown.
const MAX_WITNESS: usize = 2_000;

/// A witness is there to be tried, so it stands whole or, where it is too long to read, not at all.
fn document_of(witness: &Witness) -> String {
    let text = witness.document.get();
    if text.len() <= MAX_WITNESS {
        return visible_whole(text).into_owned();
    }
    format!("… ({} bytes; `--format json` holds it)", text.len())
}

fn show_witness(out: &mut String, witness: &Witness) {
    let document = document_of(witness);
    let side = match witness.valid_under {
        Side::Old => "old",
        Side::New => "new",
    };
    push(out, &format!("  witness {document}\n"));
    line(out, "", &format!("is valid under {side} alone"));
}

fn head(out: &mut String, kind: &str, rule: &str, subject: &str) {
    let parts = [kind, rule, subject].map(visible);
    let parts: Vec<&str> = parts
        .iter()
        .map(AsRef::as_ref)
        .filter(|part| !part.is_empty())
        .collect();
    push(out, &format!("{}\n", parts.join("  ")));
}

fn line(out: &mut String, label: &str, text: &str) {
    push(out, &format!("  {label:<8}{}\n", visible(text)));
}

fn push(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = out.write_str(text);
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Breaking => "breaking",
        Level::Additive => "additive",
        Level::Editorial => "editorial",
    }
}

fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Unknown => "unknown",
    }
}

fn question_name(question: &Question) -> &'static str {
    match question {
        Question::Additive => "additive",
        Question::Backward => "backward",
        Question::Forward => "forward",
    }
}

fn kebab(kind: &super::ProblemKind) -> String {
    // The name that the machine formats give it is the name people search for.
    serde_json::to_string(kind)
        .map(|text| text.trim_matches('"').to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::Comparison;
    use crate::report::{GoldenLine, MissingGolden, Place, Problem, ProblemKind, Unknown};

    fn finding(level: Level, subject: &str) -> Finding {
        Finding {
            rule: "some-rule".to_owned(),
            level,
            message: "It changed.".to_owned(),
            subject: subject.to_owned(),
            old: Some(Place {
                pointer: "/a".to_owned(),
                line: 1,
                column: 2,
            }),
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
        report.changes = changes;
        report
    }

    #[test]
    fn each_finding_is_a_block_and_the_last_line_sums_up() {
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
            new: Some(Place {
                pointer: "/b".to_owned(),
                line: 5,
                column: 6,
            }),
            ..finding(Level::Additive, "a.c")
        };
        let mut report = report(vec![covered, proved]);
        report.old_name = "old.json".to_owned();
        report.new_name = "new.json".to_owned();
        report.missing_goldens.push(MissingGolden {
            subject: "a.d".to_owned(),
            pointer: "/d".to_owned(),
            message: "None.".to_owned(),
        });
        report.problems.push(Problem {
            kind: ProblemKind::CoverUnused,
            message: "Left over.".to_owned(),
            file: "adr/0002-x.md".to_owned(),
            line: Some(7),
            column: Some(10),
        });
        report.notes.push("said so".to_owned());
        report.accepted = false;
        let expected = "\
breaking  some-rule  a.b
          It changed.
  base    old.json:1:2 /a
  also    at 3 further places
  covered by decision record 0002
additive  some-rule  a.c
          It changed.
  new     new.json:5:6 /b
  golden  golden/x.jsonl:4
missing golden  a.d
          None.
  at      new.json#/d
problem  cover-unused
          adr/0002-x.md:7:10: Left over.
note: said so
additive: no
backward: yes
forward: yes
refused: 1 breaking, 1 additive, 1 covered, 1 without golden, 1 with a problem (additive: no, backward: yes, forward: yes)
";
        assert_eq!(human(&report), expected);
    }

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
            human(&doubtful).ends_with(
                "undecided: 1 unknown (additive: unknown, backward: yes, forward: yes)\n"
            )
        );
        assert!(human(&report(Vec::new())).starts_with("accepted: no change"));
    }

    #[test]
    fn nothing_from_a_schema_reaches_the_terminal_raw() {
        let hostile = "\u{1b}]0;x\u{7}\u{202e}\n";
        let mut report = report(vec![Finding {
            message: hostile.to_owned(),
            ..finding(Level::Breaking, hostile)
        }]);
        report.old_name = hostile.to_owned();
        let text = human(&report);
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
        assert_eq!(
            text.lines().count(),
            7,
            "no line is broken by a schema's text: {text:?}"
        );
    }
}
