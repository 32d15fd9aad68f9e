//! The report as one HTML page: readable without scripts, filterable with, and sure of its content.

mod article;
mod chart;
mod placed;
mod timeline;
mod tree;

use super::entries::{Entry, Weight, entries};
use super::escape::markup;
use super::{Outcome, Report, View, summary, visible};
use crate::wire::Wire;
use article::{Page, class, evidence};
use placed::Placed;
use std::collections::BTreeSet;
use tree::Tree;

pub(super) use timeline::timeline;

const STYLE: &str = include_str!("style.css");
const FILTER: &str = include_str!("filter.js");
/// The page may run the one script whose digest this is, and load nothing at all. Text from a schema
/// that got past the escaping would still do nothing. A test holds it against the script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-cLrmSm3VBS78qOvd816LPzfZWeO5A4Xk8vVgBEBe1RU='; base-uri 'none'; form-action 'none'";
/// A longer list of findings is folded at first.
const LISTED: usize = 40;
/// The most findings of one page; the JSON report has them all.
const FINDINGS: usize = 1_000;

/// The report as a page that needs no other file.
///
/// # Errors
/// None of its own; the type is that of all formats.
pub(super) fn html(report: &Report, view: &View) -> Result<String, serde_json::Error> {
    let page = Page {
        report,
        links: view.links.as_deref(),
        commit: None,
    };
    let all = entries(report);
    let (entries, more) = all.split_at(all.len().min(FINDINGS));
    let (word, class) = outcome(report.outcome());
    let name = match report.new_name.as_str() {
        "" => "contract",
        name => name,
    };
    let name = text(name);
    let mut main = questions(report);
    if let Some(coverage) = &report.coverage {
        main.push_str(&format!(
            "<p>{} lines in {} goldens exercise {} of {} elements.</p>\n",
            coverage.lines, coverage.goldens, coverage.exercised, coverage.elements
        ));
    }
    let placed = Placed::of(report, entries);
    if !entries.is_empty() {
        main.push_str("<h2>What was found</h2>\n");
        main.push_str(&index(entries, more));
    }
    let has_filter = placed.is_some() || !entries.is_empty();
    if has_filter {
        let mut kinds: BTreeSet<&str> = entries.iter().map(|entry| entry.kind).collect();
        if placed.is_some() {
            kinds.insert(UNCHANGED);
        }
        main.push_str(&filter(&kinds));
    }
    let beside: Vec<usize> = match &placed {
        Some(placed) => placed.beside.clone(),
        None => (0..entries.len()).collect(),
    };
    for number in beside {
        main.push_str(&page.article(&entries[number], &format!("f{number}")));
    }
    if let Some(placed) = &placed {
        catalogue(
            placed.new.wire,
            &Tree::new(&page, placed, entries),
            &mut main,
        );
    }
    if !report.notes.is_empty() {
        main.push_str("<h2>Notes</h2>\n<ul>\n");
        for note in &report.notes {
            main.push_str(&format!("<li>{}</li>\n", text(note)));
        }
        main.push_str("</ul>\n");
    }
    Ok(frame(&Frame {
        title: &format!("{name}: {word}"),
        heading: &format!("<code>{name}</code>: <span class=\"{class}\">{word}</span>"),
        summary: &summary(report),
        main: &main,
        has_filter,
    }))
}

/// What a page is made of; all but the summary is HTML already.
struct Frame<'f> {
    title: &'f str,
    heading: &'f str,
    summary: &'f str,
    main: &'f str,
    has_filter: bool,
}

fn frame(frame: &Frame<'_>) -> String {
    let script = match frame.has_filter {
        true => format!("<script>{FILTER}</script>\n"),
        false => String::new(),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n<main>\n{}</main>\n{script}</body>\n</html>\n",
        markup(POLICY),
        frame.title,
        frame.heading,
        text(frame.summary),
        frame.main,
    )
}

/// The word for an outcome, and the class that colours it.
fn outcome(outcome: Outcome) -> (&'static str, &'static str) {
    match outcome {
        Outcome::Accepted => ("accepted", "accepted"),
        Outcome::Refused => ("refused", "refused"),
        Outcome::Undecided => ("undecided", "refused"),
    }
}

fn questions(report: &Report) -> String {
    let mut out =
        "<h2>Answers</h2>\n<table>\n<thead><tr><th>question</th><th>answer</th><th>rests on</th></tr></thead>\n<tbody>\n"
            .to_owned();
    let witnesses = &report.witnesses;
    for (name, answer, rests) in [
        ("additive", report.additive, "the changes below".to_owned()),
        ("backward", report.backward, evidence(&witnesses.backward)),
        ("forward", report.forward, evidence(&witnesses.forward)),
    ] {
        out.push_str(&format!(
            "<tr><th scope=\"row\">{name}</th><td class=\"word\">{}</td><td>{rests}</td></tr>\n",
            answer.as_str()
        ));
    }
    out.push_str("</tbody>\n</table>\n");
    out
}

/// Everything that was found as a list of links, in the order of every report.
fn index(entries: &[Entry<'_>], more: &[Entry<'_>]) -> String {
    let open = match entries.len() <= LISTED {
        true => " open",
        false => "",
    };
    let mut out = format!(
        "<details class=\"index\"{open}>\n<summary>{} in all</summary>\n<ol>\n",
        entries.len() + more.len()
    );
    for (number, entry) in entries.iter().enumerate() {
        let about = match entry.subject.as_str() {
            "" => &entry.message,
            subject => subject,
        };
        out.push_str(&format!(
            "<li class=\"{}\"><a href=\"#f{number}\"><span class=\"kind\">{}</span> <code>{}</code> {}</a></li>\n",
            class(entry.weight),
            entry.kind,
            text(&entry.id),
            text(about)
        ));
    }
    out.push_str("</ol>\n</details>\n");
    if !more.is_empty() {
        out.push_str(&format!(
            "<p class=\"more\">{} more, {} of which are refused. The page shows the first {} and marks no others; <code>--format json</code> has them all.</p>\n",
            more.len(),
            refused(more),
            entries.len()
        ));
    }
    out
}

/// How many entries decide against the change.
fn refused(entries: &[Entry<'_>]) -> usize {
    let errors = entries.iter().filter(|one| one.weight == Weight::Error);
    errors.count()
}

/// The form that filters, which only a script shows.
fn filter(kinds: &BTreeSet<&str>) -> String {
    let mut out =
        "<form hidden role=\"search\">\n<label>Filter <input type=\"search\"></label>\n".to_owned();
    for kind in kinds {
        out.push_str(&format!(
            "<label><input type=\"checkbox\" value=\"{kind}\" checked> {kind}</label>\n"
        ));
    }
    out.push_str("<output></output>\n</form>\n");
    out
}

/// What the filter calls an item without an entry.
const UNCHANGED: &str = "unchanged";

fn catalogue(wire: &Wire, tree: &Tree<'_, '_>, out: &mut String) {
    let title = match &wire.contract {
        Some(contract) => format!("Catalogue of {}", text(&contract.capability)),
        None => "Catalogue".to_owned(),
    };
    out.push_str(&format!("<h2>{title}</h2>\n"));
    let size = super::Size::of(wire).to_string();
    let bound = tree.bound().map_or(String::new(), |(shown, all)| {
        format!(
            " The page shows {shown} of {all} places, with every one that a finding above is about."
        )
    });
    out.push_str(&format!("<p>{size}.{bound}</p>\n"));
    tree.write(out);
}

/// Text from anywhere, as text.
fn text(text: &str) -> String {
    markup(&visible(text))
}

#[cfg(test)]
mod tests {
    use super::{FILTER, POLICY};

    #[test]
    fn the_script_ends_where_its_element_does() {
        assert!(!FILTER.contains("</") && !FILTER.contains("<!--"));
        assert!(POLICY.contains("'sha256-"));
    }
}
