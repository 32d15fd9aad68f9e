//! The report as JUnit XML: one test for the outcome, and one for each entry.

use super::entries::{Entry, Weight, entries};
use super::escape::markup;
use super::{Outcome, Report, View, summary, visible, visible_whole};

/// The report as a JUnit document.
///
/// An entry that keeps the change from passing is a failure, one that cannot be decided an error,
/// and all others pass, with what they say as output.
///
/// # Errors
/// None of its own; the type is that of all formats.
pub(super) fn junit(report: &Report, _: &View) -> Result<String, serde_json::Error> {
    let entries = entries(report);
    let mut cases = vec![verdict(report)];
    cases.extend(entries.iter().map(case));
    let count = |name: &str| {
        let holds = |case: &&Case| case.fault.as_ref().is_some_and(|fault| fault.0 == name);
        cases.iter().filter(holds).count()
    };
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        cases.len(),
        count("failure"),
        count("error")
    );
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    out.push_str(&format!(
        "<testsuites name=\"wirelock\" {counts} time=\"0\">\n\
         <testsuite name=\"check-evolution\" {counts} skipped=\"0\" time=\"0\">\n"
    ));
    for case in &cases {
        case.write(&mut out);
    }
    out.push_str("</testsuite>\n</testsuites>\n");
    Ok(out)
}

/// One test, its texts still raw.
struct Case {
    class: String,
    name: String,
    file: Option<(String, Option<u32>)>,
    /// The element that says how it went wrong, and its message.
    fault: Option<(&'static str, String)>,
    kind: String,
    text: String,
}

fn verdict(report: &Report) -> Case {
    let text = summary(report);
    Case {
        class: "check-evolution".to_owned(),
        name: "verdict".to_owned(),
        file: None,
        fault: match report.outcome() {
            Outcome::Accepted => None,
            Outcome::Refused => Some(("failure", text.clone())),
            Outcome::Undecided => Some(("error", text.clone())),
        },
        kind: "verdict".to_owned(),
        text,
    }
}

fn case(entry: &Entry<'_>) -> Case {
    let mut lines = vec![entry.message.clone()];
    if let Some(spot) = entry.spot() {
        lines.push(format!("at: {}", spot.shown()));
    }
    lines.extend(entry.details());
    let name = match entry.subject.as_str() {
        "" => &entry.message,
        subject => subject,
    };
    Case {
        class: format!("check-evolution.{}", entry.id),
        name: name.to_owned(),
        file: entry.spot().map(|spot| {
            let line = spot.at.map(|(line, _)| line);
            (spot.file.clone(), line)
        }),
        fault: match (entry.weight, entry.id.as_str()) {
            (Weight::Error, "undecided") => Some(("error", entry.message.clone())),
            (Weight::Error, _) => Some(("failure", entry.message.clone())),
            _ => None,
        },
        kind: entry.id.clone(),
        text: lines.join("\n"),
    }
}

impl Case {
    fn write(&self, out: &mut String) {
        let (class, name) = (attribute(&self.class), attribute(&self.name));
        out.push_str(&format!("<testcase classname=\"{class}\" name=\"{name}\""));
        if let Some((file, line)) = &self.file {
            out.push_str(&format!(" file=\"{}\"", attribute(file)));
            if let Some(line) = line {
                out.push_str(&format!(" line=\"{line}\""));
            }
        }
        out.push_str(" time=\"0\">\n");
        let lines = self.text.lines().map(visible_whole);
        let text = markup(&lines.collect::<Vec<_>>().join("\n"));
        match &self.fault {
            Some((element, message)) => {
                let (kind, message) = (attribute(&self.kind), attribute(message));
                out.push_str(&format!(
                    "<{element} type=\"{kind}\" message=\"{message}\">{text}</{element}>\n"
                ));
            }
            None => out.push_str(&format!("<system-out>{text}</system-out>\n")),
        }
        out.push_str("</testcase>\n");
    }
}

fn attribute(text: &str) -> String {
    markup(&visible(text))
}
