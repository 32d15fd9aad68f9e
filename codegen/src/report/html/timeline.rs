//! A history as one page: how the contract grew, and every step with what was found in it.

use super::super::entries::{Entry, entries};
use super::super::{Failure, History, Judged, Outcome, Report, Size, Step, View, summary};
use super::article::Page;
use super::chart::chart;
use super::{Frame, UNCHANGED, filter, frame, outcome, refused, text};
use std::collections::BTreeSet;

/// The most entries of one step; `--against` shows them all.
const ENTRIES: usize = 100;

/// The history as a page that needs no other file.
///
/// # Errors
/// None of its own; the type is that of all formats.
pub(in super::super) fn timeline(
    history: &History,
    view: &View,
) -> Result<String, serde_json::Error> {
    let name = text(name(history));
    let mut main = String::new();
    if !history.steps.is_empty() {
        main.push_str("<h2>How it grew</h2>\n");
        growth(history, &mut main);
        main.push_str("<h2>Steps</h2>\n");
        main.push_str(&filter(&kinds(history)));
        main.push_str("<ol class=\"steps\">\n");
        let mut before = None;
        for (number, step) in history.steps.iter().enumerate() {
            write(step, number, before, view, &mut main);
            before = step.size.or(before);
        }
        main.push_str("</ol>\n");
    }
    Ok(frame(&Frame {
        title: &format!("{name}: history"),
        heading: &format!("History of <code>{name}</code>"),
        summary: &history.summary(),
        main: &main,
        has_filter: !history.steps.is_empty(),
    }))
}

/// What the newest revision that could be judged calls the schema.
fn name(history: &History) -> &str {
    let reports = history
        .steps
        .iter()
        .rev()
        .filter_map(|step| report(&step.step));
    let mut names = reports.map(|report| report.new_name.as_str());
    names.find(|name| !name.is_empty()).unwrap_or("contract")
}

fn report(judged: &Judged) -> Option<&Report> {
    match judged {
        Judged::Report(report) => Some(report),
        Judged::Failure(_) => None,
    }
}

/// What the filter can choose among.
fn kinds(history: &History) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    for step in &history.steps {
        let entries = report(&step.step).map(entries).unwrap_or_default();
        kinds.extend(entries.iter().map(|entry| entry.kind));
        if entries.is_empty() {
            kinds.insert(UNCHANGED);
        }
    }
    kinds
}

/// Charts of what is counted, then the counts themselves.
fn growth(history: &History, out: &mut String) {
    let sizes: Vec<Option<Size>> = history.steps.iter().map(|step| step.size).collect();
    // What no revision has would be a column of zeros.
    let columns: Vec<usize> = (0..Size::default().counts().len())
        .filter(|at| sizes.iter().flatten().any(|size| size.counts()[*at].0 > 0))
        .collect();
    out.push_str("<div class=\"charts\">\n");
    for column in &columns {
        chart(history, *column, out);
    }
    out.push_str("</div>\n<table class=\"growth\">\n<thead><tr><th>revision</th>");
    for column in &columns {
        let (_, _, name) = Size::default().counts()[*column];
        out.push_str(&format!("<th class=\"number\">{name}</th>"));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let mut before: Option<Size> = None;
    for (number, step) in history.steps.iter().enumerate() {
        let (word, class) = word(&step.step);
        out.push_str(&format!(
            "<tr><th scope=\"row\"><a href=\"#s{number}\"><code>{}</code></a> <span class=\"{class}\">{word}</span></th>",
            text(&step.revision)
        ));
        for column in &columns {
            let cell = step.size.map_or("-".to_owned(), |size| {
                let count = size.counts()[*column].0;
                match before.map(|before| difference(before.counts()[*column].0, count)) {
                    Some(Some(by)) => format!("{count} <small>{by}</small>"),
                    _ => count.to_string(),
                }
            });
            out.push_str(&format!("<td class=\"number\">{cell}</td>"));
        }
        out.push_str("</tr>\n");
        before = step.size.or(before);
    }
    out.push_str("</tbody>\n</table>\n");
}

/// `+3` or `-1`; nothing where two counts are equal.
fn difference(before: usize, now: usize) -> Option<String> {
    match now.cmp(&before) {
        std::cmp::Ordering::Less => Some(format!("-{}", before - now)),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(format!("+{}", now - before)),
    }
}

fn word(judged: &Judged) -> (&'static str, &'static str) {
    judged
        .outcome()
        .map_or(("could not run", "refused"), outcome)
}

fn write(step: &Step, number: usize, before: Option<Size>, view: &View, out: &mut String) {
    let (word, class) = word(&step.step);
    // An empty `time` is no valid HTML, and the work tree has no day.
    let day = step
        .day
        .as_deref()
        .map_or(String::new(), |day| format!("<time>{}</time> ", text(day)));
    let follows = step.follows.as_deref().unwrap_or("nothing");
    out.push_str(&format!(
        "<li id=\"s{number}\" class=\"{class}\">\n<h3><code>{}</code> {} <span class=\"{class}\">{word}</span></h3>\n<p>{}after <code>{}</code>",
        text(&step.revision),
        text(step.title.as_deref().unwrap_or_default()),
        day,
        text(follows)
    ));
    if let Some(grown) = grown(before, step.size) {
        out.push_str(&format!(": {grown}"));
    }
    out.push_str("</p>\n");
    match &step.step {
        Judged::Failure(Failure { error, .. }) => {
            out.push_str(&format!("<p class=\"refused\">{}</p>\n", text(error)));
        }
        Judged::Report(report) => {
            // The work tree is the one revision that has no commit of its own.
            let (links, commit) = match &step.links {
                Some(links) => (Some(links.as_str()), Some(step.revision.as_str())),
                None => (view.links.as_deref().filter(|_| step.day.is_none()), None),
            };
            let page = Page {
                report,
                links,
                commit,
            };
            findings(&page, number, out);
        }
    }
    if let Some(newest) = &step.to_newest {
        let line = match newest {
            Judged::Report(report) => summary(report),
            Judged::Failure(Failure { error, .. }) => format!("could not run: {error}"),
        };
        out.push_str(&format!("<p>To the newest: {}</p>\n", text(&line)));
    }
    out.push_str("</li>\n");
}

/// What a revision has more and less than the one before; all that it has where it is the first.
fn grown(before: Option<Size>, now: Option<Size>) -> Option<String> {
    let now = now?;
    let Some(before) = before else {
        return Some(now.to_string());
    };
    let counts = before.counts().into_iter().zip(now.counts());
    let parts: Vec<String> = counts
        .filter_map(|((before, ..), (now, one, several))| {
            let name = if before.abs_diff(now) == 1 {
                one
            } else {
                several
            };
            Some(format!("{} {name}", difference(before, now)?))
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What was found in a step: in sight where it was refused, folded where it was not.
fn findings(page: &Page<'_>, number: usize, out: &mut String) {
    let report = page.report;
    let entries = entries(report);
    let line = text(&summary(report));
    if entries.is_empty() {
        out.push_str(&format!("<p>{line}</p>\n"));
        return;
    }
    let open = match report.outcome() {
        Outcome::Accepted => "",
        Outcome::Refused | Outcome::Undecided => " open",
    };
    out.push_str(&format!("<details{open}>\n<summary>{line}</summary>\n"));
    for (entry, index) in entries.iter().take(ENTRIES).zip(0..) {
        out.push_str(&page.article(entry, &format!("s{number}f{index}")));
    }
    if let Some(more) = entries.get(ENTRIES..).filter(|more| !more.is_empty()) {
        out.push_str(&format!("<p class=\"more\">{}</p>\n", left_out(more)));
    }
    out.push_str("</details>\n");
}

/// How many entries are not shown, and how many of them decide.
fn left_out(more: &[Entry<'_>]) -> String {
    format!(
        "{} more, {} of which are refused; <code>--against</code> shows them all",
        more.len(),
        refused(more)
    )
}
