//! The reports that are written: one of two real revisions, one with hostile text in every place.

use std::sync::Arc;
use wirelock_codegen::evolution::{self, Revision, prove};
use wirelock_codegen::json::Source;
use wirelock_codegen::report::{
    Conflict, Coverage, Evidence, Failure, GoldenLine, Guard, GuardKind, History, Judged,
    MissingGolden, Problem, ProblemKind, Question, Report, Size, Sources, Step, Unknown, View,
    Wires, format_named,
};
use wirelock_codegen::schema::Document;
use wirelock_codegen::wire;

/// Text that means something to each of the formats, and to a terminal.
pub(crate) const HOSTILE: &str = "</script></pre><img src=x onerror=alert(1)>'\"&amp; ]]> --> |x| `y` [z](javascript:alert(1)) **b** @octocat #1 GH-1 https://evil.example www.evil.example ::error::x%0A {0} \u{1b}[31m\r\n\u{202e}\u{ffff}";

/// A report in the format of that name, without links.
pub(crate) fn written(format: &str, report: &Report) -> String {
    let format = format_named(format).expect("a format");
    (format.write)(report, &View::default()).expect("written")
}

/// A history in the format of that name, without links.
pub(crate) fn written_history(format: &str, history: &History) -> String {
    let format = format_named(format).expect("a format");
    let write = format.history.expect("a format of histories");
    write(history, &View::default()).expect("written")
}

/// A history of these steps, the revisions of which are called `r0`, `r1` and so on.
pub(crate) fn history(reports: Vec<Report>) -> History {
    let name = |at: usize| format!("r{at}");
    let step = |(at, report): (usize, Report)| Step {
        revision: name(at),
        follows: at.checked_sub(1).map(name),
        day: Some("2026-11-30".to_owned()),
        title: Some(format!("{HOSTILE} {at}")),
        links: None,
        size: report.wires.new.as_deref().map(Size::of),
        step: Judged::Report(Box::new(report)),
        to_newest: None,
    };
    History {
        steps: reports.into_iter().enumerate().map(step).collect(),
    }
}

/// A history with all that a step can be, each part of it hostile: judged, without a judgement, and
/// the work tree, which has no commit.
pub(crate) fn hostile_history() -> History {
    let failure = || {
        Judged::Failure(Failure {
            id: None,
            error: HOSTILE.to_owned(),
        })
    };
    let mut history = history(vec![hostile(), hostile(), hostile()]);
    history.steps[0].to_newest = Some(Judged::Report(Box::new(hostile())));
    history.steps[1].step = failure();
    history.steps[1].to_newest = Some(failure());
    history.steps[1].revision = HOSTILE.to_owned();
    history.steps[2].day = None;
    history.steps[2].title = None;
    history
}

/// A report with links and with all that it can hold, each part of it hostile.
pub(crate) fn hostile() -> Report {
    let name = serde_json::to_string(HOSTILE).expect("written");
    let old = format!(
        r#"{{"type": "object", "description": {name}, "properties": {{{name}: {{"type": "string", "enum": [{name}]}}, "size": {{"type": "integer"}}}}}}"#
    );
    let new = format!(
        r#"{{"type": "object", "description": "plain", "properties": {{"size": {{"type": "string", "const": {name}}}, "b{HOSTILE_PLAIN}": {{"title": {name}}}}}, "x-{HOSTILE_PLAIN}": {name}}}"#
    );
    let mut report = judged(&old, &new);
    report.old_name = format!("0123abc:schema/{HOSTILE}.json");
    report.new_name = format!("schema/{HOSTILE}.json");
    report.sources.old[0].0.clone_from(&report.old_name);
    report.sources.new[0].0.clone_from(&report.new_name);
    report.accepted = false;
    for finding in &mut report.changes {
        finding.covered_by = Some(HOSTILE.to_owned());
        finding.golden = Some(GoldenLine {
            file: format!("golden/{HOSTILE}"),
            line: 3,
        });
    }
    report.changes[0].covered_by = None;
    let Some(Evidence::Document(witness)) = report.witnesses.backward.clone() else {
        panic!("a witness against {:?}", report.backward);
    };
    report.witnesses.forward = Some(Evidence::Reason {
        why: HOSTILE.to_owned(),
    });
    report.changes[0].witness = Some(witness.clone());
    report.conflicts.push(Conflict {
        message: HOSTILE.to_owned(),
        witness: Some(witness),
    });
    report.guards.push(Guard {
        kind: GuardKind::RecordAdded,
        message: HOSTILE.to_owned(),
        file: format!("adr/{HOSTILE}"),
        line: Some(1),
    });
    report.problems.push(Problem {
        kind: ProblemKind::GoldenInvalid,
        message: HOSTILE.to_owned(),
        file: format!("golden/{HOSTILE}"),
        line: Some(1),
        column: Some(2),
    });
    report.missing_goldens.push(MissingGolden {
        subject: HOSTILE.to_owned(),
        pointer: format!("/{HOSTILE}"),
        message: HOSTILE.to_owned(),
    });
    report.unknown.push(Unknown {
        pointer: format!("/{HOSTILE}"),
        keyword: HOSTILE.to_owned(),
        why: HOSTILE.to_owned(),
        questions: vec![Question::Additive],
    });
    report.notes.push(HOSTILE.to_owned());
    report.coverage = Some(Coverage {
        goldens: 1,
        lines: 2,
        exercised: 3,
        elements: 4,
    });
    report
}

/// What may stand in the name of a member without any escape of JSON.
const HOSTILE_PLAIN: &str = "<b onclick=alert(1)>|`@octocat`|";

/// The report on two texts, with their sources.
pub(crate) fn judged(old: &str, new: &str) -> Report {
    let read = |name: &str, text: &str| {
        let document = Document::read(Source::new(name, text)).expect("a schema");
        let wire = wire::build(&document).expect("a wire view");
        (document, wire)
    };
    let (old_document, old_wire) = read("base.json", old);
    let (new_document, new_wire) = read("schema/new.json", new);
    let comparison = evolution::compare(&old_wire, &new_wire);
    let answers = evolution::answer(
        Revision {
            document: &old_document,
            wire: &old_wire,
        },
        Revision {
            document: &new_document,
            wire: &new_wire,
        },
        &comparison,
        prove::Search,
    );
    let mut report = Report::new(&comparison);
    report.add_answers(&answers);
    report.old_name = "base.json".to_owned();
    report.new_name = "schema/new.json".to_owned();
    report.sources = Sources {
        old: vec![("base.json".to_owned(), old.to_owned())],
        new: vec![("schema/new.json".to_owned(), new.to_owned())],
    };
    report.wires = Wires {
        old: Some(Arc::new(old_wire)),
        new: Some(Arc::new(new_wire)),
    };
    report
}
