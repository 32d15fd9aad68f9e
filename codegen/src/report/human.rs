//! The report as text for a reader: one block a finding, as compilers print them, one line that sums up.

mod history;

use super::entries::{Entry, Spot, Weight, document, entries, sides};
use super::excerpt::{self, Excerpt};
use super::{Evidence, Finding, Outcome, Policy, Question, Report, View, visible, visible_whole};
use crate::evolution::{Answer, Level, Verdict};
use annotate_snippets::{AnnotationKind, Group, Message, Origin, Renderer, Snippet};
use std::fmt::Write as _;

pub(super) use history::history;

/// The report as text. The same report always gives the same text.
///
/// # Errors
/// None of its own; the type is that of all formats.
pub(super) fn human(report: &Report, view: &View) -> Result<String, serde_json::Error> {
    let renderer = match view.colour {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    // Excerpts are short already, and whoever reads in a file has no width.
    let renderer = renderer.term_width(WIDTH);
    let mut out = String::new();
    // Answers are told below, with what they rest on.
    let shown = entries(report)
        .into_iter()
        .filter(|entry| entry.kind != "answer");
    for (number, entry) in shown.enumerate() {
        let block = renderer.render(&[group(report, &entry, number < EXCERPTS)]);
        // A cut line stands below a place that is told apart from it, and the renderer puts a sign
        // for another file between them, which has no name.
        for line in block.lines().filter(|line| !is_nameless(line)) {
            out.push_str(line);
            out.push('\n');
        }
        out.push('\n');
    }
    for note in &report.notes {
        push(&mut out, &format!("note: {}\n", visible(note)));
    }
    out.push_str(&questions(report));
    out.push_str(&summary(report));
    out.push('\n');
    Ok(out)
}

/// Whether a line holds the sign for another file and nothing else, but for colour.
fn is_nameless(line: &str) -> bool {
    let mut rest = line;
    let mut signs = String::new();
    while let Some((before, sequence)) = rest.split_once('\u{1b}') {
        signs.push_str(before);
        rest = sequence.split_once('m').map_or("", |(_, after)| after);
    }
    signs.push_str(rest);
    signs.trim() == ":::"
}

/// How many findings are shown with their lines; each looks its place up in the whole file, and who
/// reads that many knows the file by then.
const EXCERPTS: usize = 200;
/// More than any excerpt with its label is wide.
const WIDTH: usize = 10_000;

/// One entry: its title, both places, with their lines where those are asked for, and what goes with it.
fn group<'r>(report: &'r Report, entry: &Entry<'r>, with_lines: bool) -> Group<'r> {
    let level = match entry.weight {
        Weight::Error => annotate_snippets::Level::ERROR,
        Weight::Warning => annotate_snippets::Level::WARNING,
        Weight::Note => annotate_snippets::Level::NOTE,
    };
    let title = match entry.subject.as_str() {
        subject if entry.message.contains(subject) => visible(&entry.message).into_owned(),
        subject => format!("{}: {}", visible(subject), visible(&entry.message)),
    };
    let title = level.with_name(entry.kind).primary_title(title);
    let title = match entry.kind.replace(' ', "-") == entry.id {
        true => title,
        false => title.id(entry.id.clone()),
    };
    let mut group = Group::with_title(title);
    let (old, new) = entry.place.unwrap_or((None, None));
    // What is gone has no place in the new revision; that it is about that file goes without saying.
    if let Some(spot) = &entry.new
        && (entry.place.is_none() || new.is_some())
    {
        let place = new.filter(|_| with_lines);
        let place =
            place.and_then(|place| excerpt::of_new(&report.sources, place, &report.new_name));
        group = located(group, spot, "", place);
    }
    if let Some(spot) = &entry.old {
        let place = old.filter(|_| with_lines);
        let place =
            place.and_then(|place| excerpt::of_old(&report.sources, place, &report.old_name));
        group = located(group, spot, "at the base: ", place);
    }
    let mut notes: Vec<(&str, String)> = Vec::new();
    if let Some(witness) = entry.witness {
        let (valid, invalid) = sides(witness);
        notes.push(("witness", visible_whole(&document(witness)).into_owned()));
        notes.push((
            "",
            format!("it is valid under {valid} and not under {invalid}"),
        ));
    }
    if let Some(golden) = &entry.golden {
        notes.push(("golden", visible(&golden.shown()).into_owned()));
    }
    if let Some(record) = entry.covered_by {
        notes.push(("covered", format!("by decision record {}", visible(record))));
    }
    if let Some(help) = &entry.help {
        notes.push(("instead", visible(help).into_owned()));
    }
    group.elements(notes.into_iter().map(|(name, text)| note(name, text)))
}

/// A line below the places.
fn note(name: &'static str, text: String) -> Message<'static> {
    match name {
        "" => annotate_snippets::Level::NOTE.no_name().message(text),
        name => annotate_snippets::Level::NOTE.with_name(name).message(text),
    }
}

/// Adds a place, with the lines around it where there are any.
fn located<'r>(group: Group<'r>, spot: &Spot, side: &str, excerpt: Option<Excerpt>) -> Group<'r> {
    let mut origin = Origin::path(visible(&spot.file).into_owned());
    if let Some((line, column)) = spot.at {
        origin = origin.line(size(line));
        if let Some(column) = column {
            origin = origin.char_column(size(column));
        }
    }
    let pointer = match spot.pointer.as_str() {
        "" => "the root".into(),
        pointer => visible(pointer),
    };
    let label = format!("{side}{pointer}");
    let Some(excerpt) = excerpt else {
        let group = group.element(origin);
        return match spot.pointer.as_str() {
            "" => group,
            pointer if side.is_empty() => group.element(note("at", visible(pointer).into_owned())),
            pointer => group.element(note("base", visible(pointer).into_owned())),
        };
    };
    let before: usize = excerpt.lines[..excerpt.marked]
        .iter()
        .map(|line| line.len() + 1)
        .sum();
    let span = before + excerpt.span.start..before + excerpt.span.end;
    let kind = match side {
        "" => AnnotationKind::Primary,
        _ => AnnotationKind::Context,
    };
    let marked = kind.span(span).label(label);
    let snippet = Snippet::source(excerpt.lines.join("\n"))
        .line_start(size(excerpt.first))
        .fold(false)
        .annotation(marked);
    // Of lines that are shown as they are, the snippet tells the right column itself.
    match excerpt.is_exact {
        true => group.element(snippet.path(visible(&spot.file).into_owned())),
        false => group.element(origin).element(snippet),
    }
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A line for each question, its answer and what that rests on; nothing where all of them are a
/// plain yes, which the last line says as well.
fn questions(report: &Report) -> String {
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
        &format!("additive: {}\n", report.additive.as_str()),
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
        let (name, said) = (question.as_str(), said.as_str());
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
    let (valid, invalid) = sides(witness);
    let of = match &witness.definition {
        Some(name) => format!(" of the definition {}", visible(name)),
        None => String::new(),
    };
    let document = document(witness);
    let document = visible_whole(&document);
    format!(" - this document{of} is valid under {valid} and not under {invalid}: {document}")
}

/// The last line: what happens, why, and the three answers.
pub(super) fn summary(report: &Report) -> String {
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
        .map(|level| (report.count(level), level.as_str()))
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
        report.additive.as_str(),
        report.backward.as_str(),
        report.forward.as_str(),
    );
    format!(
        "{outcome}{policy}: {what} (additive: {additive}, backward: {backward}, forward: {forward})"
    )
}

fn push(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = out.write_str(text);
}

#[cfg(test)]
mod tests;
