//! A history as text for a reader: two or three lines a step, and what was refused in it.

use super::super::{Failure, History, Judged, Policy, Report, Step, View, visible};
use super::{push, questions, summary};

/// The history as text. The same history always gives the same text.
///
/// # Errors
/// None of its own; the type is that of all formats.
pub(in super::super) fn history(history: &History, _: &View) -> Result<String, serde_json::Error> {
    let mut out = String::new();
    for step in &history.steps {
        write(step, &mut out);
    }
    out.push_str(&history.summary());
    out.push('\n');
    Ok(out)
}

fn write(step: &Step, out: &mut String) {
    let size = step.size.map_or(String::new(), |size| format!(": {size}"));
    let said = [Some(&step.revision), step.day.as_ref(), step.title.as_ref()];
    let said: Vec<_> = said
        .into_iter()
        .flatten()
        .map(|said| visible(said))
        .collect();
    push(out, &format!("{}{size}\n", said.join(" ")));
    let follows = step.follows.as_deref().unwrap_or("nothing");
    push(
        out,
        &format!("  after {:<14}{}\n", visible(follows), line(&step.step)),
    );
    if let Judged::Report(report) = &step.step {
        findings(report, out);
    }
    if let Some(newest) = &step.to_newest {
        push(out, &format!("  to the newest       {}\n", line(newest)));
    }
}

fn findings(report: &Report, out: &mut String) {
    let changes = report.changes.iter();
    for finding in changes.filter(|finding| finding.covered_by.is_none() && !report.accepted) {
        let (rule, subject) = (visible(&finding.rule), visible(&finding.subject));
        push(out, &format!("    {rule}  {subject}\n"));
    }
    for problem in &report.problems {
        push(out, &format!("    {}\n", visible(&problem.to_string())));
    }
    if report.policy != Policy::Additive && !report.accepted {
        for line in questions(report).lines() {
            push(out, &format!("    {line}\n"));
        }
    }
}

fn line(judged: &Judged) -> String {
    match judged {
        Judged::Report(report) => summary(report),
        Judged::Failure(Failure { error, .. }) => format!("could not run: {}", visible(error)),
    }
}
