//! The report as a comment on a pull request: the verdict, then tables, then what they rest on.

use super::entries::{Entry, Spot, document, entries, sides};
use super::escape::{markdown_text, uri_path};
use super::{Evidence, Outcome, Report, View, Witness, summary, visible, visible_whole};
use std::fmt::Write as _;

/// What a tool looks for to replace its own comment rather than add another one.
const MARK: &str = "<!-- wirelock check-evolution -->";
/// GitHub refuses comments of more than 65,536 characters, so tables end before that.
const MAX_LENGTH: usize = 50_000;

/// The report as Markdown.
///
/// # Errors
/// None of its own; the type is that of all formats.
pub(super) fn markdown(report: &Report, view: &View) -> Result<String, serde_json::Error> {
    let mut page = Page {
        text: format!("{MARK}\n"),
        view,
        left_out: 0,
    };
    let outcome = match report.outcome() {
        Outcome::Accepted => "accepted",
        Outcome::Refused => "refused",
        Outcome::Undecided => "undecided",
    };
    let name = match report.new_name.as_str() {
        "" => "the contract".to_owned(),
        name => code(name),
    };
    page.line(&format!("### {name}: {outcome}\n"));
    // Numbers and words of this library alone.
    page.line(&format!("{}\n", summary(report)));
    let entries = entries(report);
    let (changes, others): (Vec<&Entry<'_>>, Vec<&Entry<'_>>) =
        entries.iter().partition(|entry| is_change(entry));
    page.others(&others);
    page.changes(&changes);
    page.questions(report);
    page.witnesses(&entries);
    if let Some(coverage) = &report.coverage {
        page.line(&format!(
            "{} lines in {} goldens exercise {} of {} elements.\n",
            coverage.lines, coverage.goldens, coverage.exercised, coverage.elements
        ));
    }
    for note in &report.notes {
        page.line(&format!("- {}", shown(note)));
    }
    if page.left_out > 0 {
        let count = page.left_out;
        page.line(&format!(
            "\n{count} more do not fit into a comment; `--format html` holds them all."
        ));
    }
    Ok(page.text)
}

fn is_change(entry: &Entry<'_>) -> bool {
    matches!(entry.kind, "breaking" | "additive" | "editorial")
}

struct Page<'v> {
    text: String,
    view: &'v View,
    left_out: usize,
}

impl Page<'_> {
    fn line(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{text}");
    }

    /// As [`Page::line`], where there is room for it.
    fn item(&mut self, text: &str) {
        if self.text.len() + text.len() > MAX_LENGTH {
            self.left_out += 1;
        } else {
            self.line(text);
        }
    }

    fn changes(&mut self, changes: &[&Entry<'_>]) {
        if changes.is_empty() {
            return;
        }
        self.line("| level | rule | element | change | where | shown by |");
        self.line("|---|---|---|---|---|---|");
        for entry in changes {
            let mut place = entry
                .new
                .as_ref()
                .map_or(String::new(), |new| self.link(new));
            if let Some(old) = &entry.old {
                place.push_str(&format!(", base {}", code(&old.shown())));
            }
            let mut by = Vec::new();
            by.extend(entry.golden.as_ref().map(|golden| self.link(golden)));
            by.extend(entry.witness.map(|_| "a witness".to_owned()));
            by.extend(
                entry
                    .covered_by
                    .map(|record| format!("record {}", shown(record))),
            );
            let mut message = shown(&entry.message);
            if let Some(help) = &entry.help {
                message.push_str(&format!("<br>**Instead:** {}", shown(help)));
            }
            self.item(&format!(
                "| {} | {} | {} | {message} | {place} | {} |",
                entry.kind,
                code(&entry.id),
                code(&entry.subject),
                by.join(", ")
            ));
        }
        self.line("");
    }

    fn others(&mut self, others: &[&Entry<'_>]) {
        for entry in others {
            let mut text = format!("- **{}** {}", entry.kind, code(&entry.id));
            if !entry.subject.is_empty() {
                text.push_str(&format!(" {}", code(&entry.subject)));
            }
            text.push_str(&format!(" {}", shown(&entry.message)));
            if let Some(spot) = &entry.new {
                text.push_str(&format!(", at {}", self.link(spot)));
            }
            self.item(&text);
        }
        if !others.is_empty() {
            self.line("");
        }
    }

    fn questions(&mut self, report: &Report) {
        self.line("| question | answer | rests on |");
        self.line("|---|---|---|");
        let additive = report.additive.as_str();
        self.line(&format!("| additive | {additive} | the changes |"));
        let witnesses = &report.witnesses;
        for (name, answer, evidence) in [
            ("backward", report.backward, &witnesses.backward),
            ("forward", report.forward, &witnesses.forward),
        ] {
            let rests = match evidence {
                None => String::new(),
                Some(Evidence::Reason { why }) => shown(why),
                Some(Evidence::Document(witness)) => {
                    let (valid, invalid) = sides(witness);
                    format!(
                        "{} is valid under {valid} and not under {invalid}",
                        document_in_code(witness)
                    )
                }
            };
            self.item(&format!("| {name} | {} | {rests} |", answer.as_str()));
        }
        self.line("");
    }

    fn witnesses(&mut self, entries: &[Entry<'_>]) {
        let shown: Vec<_> = entries
            .iter()
            .filter_map(|entry| Some((entry, entry.witness?)))
            .collect();
        if shown.is_empty() {
            return;
        }
        self.line("<details><summary>Witnesses</summary>\n");
        for (entry, witness) in shown {
            let (valid, invalid) = sides(witness);
            self.item(&format!(
                "- {} {}: {} is valid under {valid} and not under {invalid}",
                code(&entry.id),
                code(&entry.subject),
                document_in_code(witness)
            ));
        }
        self.line("\n</details>\n");
    }

    /// A place, as a link where it is known what links begin with.
    fn link(&self, spot: &Spot) -> String {
        let text = code(&spot.shown());
        let Some(links) = &self.view.links else {
            return text;
        };
        let line = spot
            .at
            .map_or(String::new(), |(line, _)| format!("#L{line}"));
        format!("[{text}]({links}{}{line})", uri_path(&spot.file))
    }
}

/// Text from anywhere, as text.
fn shown(text: &str) -> String {
    markdown_text(&visible(text))
}

/// Text from anywhere, in the type of code. It is no code span, since no run of backticks is sure
/// to be longer than any that the text holds.
fn code(text: &str) -> String {
    in_code(&visible(text))
}

/// A document in the type of code, with nothing left out.
fn document_in_code(witness: &Witness) -> String {
    in_code(&visible_whole(&document(witness)))
}

fn in_code(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("<code>{}</code>", markdown_text(text)),
    }
}
