//! The report as commands of a GitHub workflow: each entry becomes an annotation at its line.

use super::entries::{Entry, Weight, entries};
use super::{Outcome, Report, View, summary, visible, visible_whole};

/// The report as workflow commands, one a line, and the line that sums up.
///
/// # Errors
/// None of its own; the type is that of all formats.
pub(super) fn github(report: &Report, _: &View) -> Result<String, serde_json::Error> {
    let mut out = String::new();
    for entry in entries(report) {
        command(&mut out, &entry);
    }
    let last = visible(&summary(report)).into_owned();
    // Where nothing is annotated, a refusal would go unseen on the page of the changed files.
    let level = match report.outcome() {
        Outcome::Accepted => "notice",
        Outcome::Refused | Outcome::Undecided => "error",
    };
    out.push_str(&format!(
        "::{level} title=check-evolution::{}\n",
        data(&last)
    ));
    Ok(out)
}

fn command(out: &mut String, entry: &Entry<'_>) {
    let level = match entry.weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
        Weight::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(spot) = entry.spot() {
        properties.push(format!("file={}", property(&spot.file)));
        if let Some((line, column)) = spot.at {
            properties.push(format!("line={line}"));
            properties.extend(column.map(|column| format!("col={column}")));
        }
    }
    let title = match entry.subject.as_str() {
        "" => entry.id.clone(),
        subject => format!("{}: {subject}", entry.id),
    };
    properties.push(format!("title={}", property(&title)));
    let mut lines = vec![visible(&entry.message).into_owned()];
    let details = entry.details();
    lines.extend(details.iter().map(|line| visible_whole(line).into_owned()));
    let message = data(&lines.join("\n"));
    out.push_str(&format!("::{level} {}::{message}\n", properties.join(",")));
}

/// Text as the data of a command. What is not spelled out here ends the command or starts another.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Text as a property of a command, where two more characters are syntax.
fn property(text: &str) -> String {
    data(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}
