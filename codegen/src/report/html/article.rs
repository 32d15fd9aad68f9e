//! One entry of a report as an article: its places with their lines, its witness and its golden.

use super::super::entries::{Entry, Spot, Weight, document, sides};
use super::super::escape::{markup, uri_path};
use super::super::excerpt::{self, Excerpt};
use super::super::{Evidence, Report, visible_whole};
use super::text;

/// What articles are written with.
pub(super) struct Page<'r> {
    pub(super) report: &'r Report,
    /// What links to files of the new revision begin with, where that is known.
    pub(super) links: Option<&'r str>,
    /// The commit whose files those are; messages put it in front of their names, as git does.
    pub(super) commit: Option<&'r str>,
}

impl Page<'_> {
    /// An entry; `id` is what links lead to.
    pub(super) fn article(&self, entry: &Entry<'_>, id: &str) -> String {
        let mut out = format!(
            "<article id=\"{id}\" class=\"{}\" data-kind=\"{kind}\">\n<h3><span class=\"kind\">{kind}</span> <code>{}</code> {}</h3>\n<p>{}</p>\n",
            class(entry.weight),
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
        let Some(links) = self.links else {
            return format!("<code>{shown}</code>");
        };
        let line = spot
            .at
            .map_or(String::new(), |(line, _)| format!("#L{line}"));
        let own = self.commit.and_then(|commit| {
            let file = spot.file.strip_prefix(commit)?;
            file.strip_prefix(':')
        });
        let file = uri_path(own.unwrap_or(&spot.file));
        let target = format!("{}{file}{line}", markup(links));
        format!("<a href=\"{target}\"><code>{shown}</code></a>")
    }
}

/// The class that says what an entry weighs.
pub(super) fn class(weight: Weight) -> &'static str {
    match weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
        Weight::Note => "note",
    }
}

/// What an answer rests on.
pub(super) fn evidence(evidence: &Option<Evidence>) -> String {
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
