//! The report as one HTML page: readable without scripts, filterable with, and sure of its content.

mod tree;

use super::entries::{Entry, Spot, Weight, document, entries, sides};
use super::escape::{markup, uri_path};
use super::excerpt::{self, Excerpt};
use super::{Evidence, Outcome, Report, View, summary, visible, visible_whole};
use std::collections::BTreeSet;
use tree::Tree;

const STYLE: &str = include_str!("style.css");
const FILTER: &str = include_str!("filter.js");
/// The page may run the one script whose digest this is, and load nothing at all. Text from a schema
/// that got past the escaping would still do nothing. A test holds it against the script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-ghEpeaYHCW0OSIihvhaSfDBx+ioHbzGlXJ6ybxosNWE='; base-uri 'none'; form-action 'none'";

/// The report as a page that needs no other file.
///
/// # Errors
/// None of its own; the type is that of all formats.
pub(super) fn html(report: &Report, view: &View) -> Result<String, serde_json::Error> {
    let page = Page { report, view };
    let entries = entries(report);
    let (word, class) = match report.outcome() {
        Outcome::Accepted => ("accepted", "accepted"),
        Outcome::Refused => ("refused", "refused"),
        Outcome::Undecided => ("undecided", "refused"),
    };
    let name = match report.new_name.as_str() {
        "" => "contract",
        name => name,
    };
    let name = text(name);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <title>{name}: {word}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1><code>{name}</code>: <span class=\"{class}\">{word}</span></h1>\n<p>{}</p>\n</header>\n<main>\n",
        markup(POLICY),
        text(&summary(report)),
    );
    out.push_str(&page.questions());
    if let Some(coverage) = &report.coverage {
        out.push_str(&format!(
            "<p>{} lines in {} goldens exercise {} of {} elements.</p>\n",
            coverage.lines, coverage.goldens, coverage.exercised, coverage.elements
        ));
    }
    if !entries.is_empty() {
        out.push_str("<h2>What was found</h2>\n");
        out.push_str(&filter(&entries));
        let mut tree = Tree::default();
        for entry in &entries {
            tree.add(&entry.subject, page.article(entry));
        }
        tree.write(&mut out);
    }
    if !report.notes.is_empty() {
        out.push_str("<h2>Notes</h2>\n<ul>\n");
        for note in &report.notes {
            out.push_str(&format!("<li>{}</li>\n", text(note)));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</main>\n");
    if !entries.is_empty() {
        out.push_str(&format!("<script>{FILTER}</script>\n"));
    }
    out.push_str("</body>\n</html>\n");
    Ok(out)
}

struct Page<'r> {
    report: &'r Report,
    view: &'r View,
}

impl Page<'_> {
    fn questions(&self) -> String {
        let report = self.report;
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
                "<tr><th scope=\"row\">{name}</th><td>{}</td><td>{rests}</td></tr>\n",
                answer.as_str()
            ));
        }
        out.push_str("</tbody>\n</table>\n");
        out
    }

    fn article(&self, entry: &Entry<'_>) -> String {
        let class = match entry.weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
            Weight::Note => "note",
        };
        let mut out = format!(
            "<article class=\"{class}\" data-kind=\"{kind}\">\n<h3><span class=\"kind\">{kind}</span> <code>{}</code> {}</h3>\n<p>{}</p>\n",
            text(&entry.id),
            text(&entry.subject),
            text(&entry.message),
            kind = entry.kind,
        );
        out.push_str("<dl>\n");
        let mut item = |name: &str, html: String| {
            out.push_str(&format!("<dt>{name}</dt><dd>{html}</dd>\n"));
        };
        let sources = &self.report.sources;
        if let Some(spot) = &entry.new {
            let excerpt = entry.place.and_then(|(_, new)| new);
            let excerpt =
                excerpt.and_then(|place| excerpt::of_new(sources, place, &self.report.new_name));
            item("new", format!("{}{}", self.link(spot), lines(excerpt)));
        }
        if let Some(spot) = &entry.old {
            let excerpt = entry.place.and_then(|(old, _)| old);
            let excerpt =
                excerpt.and_then(|place| excerpt::of_old(sources, place, &self.report.old_name));
            item(
                "base",
                format!("<code>{}</code>{}", text(&spot.shown()), lines(excerpt)),
            );
        }
        if let Some(witness) = entry.witness {
            let (valid, invalid) = sides(witness);
            let document = markup(&visible_whole(&document(witness)));
            item(
                "witness",
                format!("<pre>{document}</pre>is valid under {valid} and not under {invalid}"),
            );
        }
        if let Some(golden) = &entry.golden {
            item("golden", self.link(golden));
        }
        if let Some(record) = entry.covered_by {
            item("covered", format!("by decision record {}", text(record)));
        }
        if let Some(help) = &entry.help {
            item("instead", text(help));
        }
        out.push_str("</dl>\n</article>\n");
        out
    }

    fn link(&self, spot: &Spot) -> String {
        let shown = text(&spot.shown());
        let Some(links) = &self.view.links else {
            return format!("<code>{shown}</code>");
        };
        let line = spot
            .at
            .map_or(String::new(), |(line, _)| format!("#L{line}"));
        let target = format!("{}{}{line}", markup(links), uri_path(&spot.file));
        format!("<a href=\"{target}\"><code>{shown}</code></a>")
    }
}

/// The form that filters, which only a script shows.
fn filter(entries: &[Entry<'_>]) -> String {
    let mut out =
        "<form hidden role=\"search\">\n<label>Filter <input type=\"search\"></label>\n".to_owned();
    let kinds: BTreeSet<&str> = entries.iter().map(|entry| entry.kind).collect();
    for kind in kinds {
        out.push_str(&format!(
            "<label><input type=\"checkbox\" value=\"{kind}\" checked> {kind}</label>\n"
        ));
    }
    out.push_str("<output></output>\n</form>\n");
    out
}

fn evidence(evidence: &Option<Evidence>) -> String {
    match evidence {
        None => String::new(),
        Some(Evidence::Reason { why }) => text(why),
        Some(Evidence::Document(witness)) => {
            let (valid, invalid) = sides(witness);
            let document = markup(&visible_whole(&document(witness)));
            format!("<code>{document}</code> is valid under {valid} and not under {invalid}")
        }
    }
}

/// The lines of an excerpt, with the value marked.
fn lines(excerpt: Option<Excerpt>) -> String {
    let Some(excerpt) = excerpt else {
        return String::new();
    };
    let mut out = "<pre>".to_owned();
    for (line, index) in excerpt.lines.iter().zip(0..) {
        let number = u64::from(excerpt.first) + index as u64;
        let shown = match index == excerpt.marked {
            false => markup(line),
            true => format!(
                "{}<mark>{}</mark>{}",
                markup(&line[..excerpt.span.start]),
                markup(&line[excerpt.span.clone()]),
                markup(&line[excerpt.span.end..])
            ),
        };
        out.push_str(&format!("{number:>4} {shown}\n"));
    }
    out.push_str("</pre>");
    out
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
