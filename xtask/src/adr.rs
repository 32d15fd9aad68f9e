//! `new-adr`: drafts the decision record that the findings of the change under way would need, or the first
//! one of a contract, which locks it.

use crate::baseline::Revision;
use crate::cli::NewAdr;
use crate::compat::Execute;
use crate::config::GOLDENS;
use crate::evolution::{How, against_base};
use crate::exit::Exit;
use crate::lock::{self, PROMISE, REASON};
use crate::{checks, files, output};
use anyhow::{Context as _, Result, bail};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use wirelock_codegen::evolution::Level;
use wirelock_codegen::evolution::record::{Cover, Record, Status};
use wirelock_codegen::report::{Finding, Policy, visible};

/// Runs the command.
pub(crate) fn run(contract: Option<&Path>, flags: &NewAdr) -> Result<Exit> {
    let project = checks::project(contract)?;
    let revision = Revision::of_work_tree(&project, GOLDENS)?;
    if let Some(error) = revision.record_errors.first() {
        bail!("{}", revision.shown(&error.to_string()));
    }
    let title: Vec<&str> = flags.title.split_whitespace().collect();
    let title = title.join(" ");
    let folder = project.path(&project.settings.records);
    // Before the lock nothing is refused, so the first record covers nothing.
    if revision.records.is_empty() {
        let text = draft(1, 0, &project.settings.capability, &title, &[])?;
        let path = write(&folder, 1, &title, &text)?;
        output::print(&format!(
            "wrote {path}; say in it what is decided, and set its status to accepted: from the commit on that holds it the contract is locked\n"
        ))?;
        return Ok(Exit::Accepted);
    }
    // Before the lock there is no finding to cover, and the draft of the first record is all there is.
    let is_draft = |record: &&Record| record.status == Status::Draft;
    if revision.records.iter().all(|record| is_draft(&record))
        && let Some(first) = revision.records.first()
    {
        output::print(&format!(
            "accepted: {} waits already, so nothing was drafted; say in it what is decided, and set its status to accepted: from the commit on that holds it the contract is locked\n",
            visible(&revision.shown(&first.file))
        ))?;
        return Ok(Exit::Accepted);
    }
    let how = How {
        policy: Policy::Additive,
        execute: match flags.no_compile {
            true => Execute::Declined,
            false => Execute::Yes,
        },
    };
    let report = against_base(contract, None, how)?;
    let findings: Vec<&Finding> = report
        .changes
        .iter()
        .filter(|finding| finding.level == Level::Breaking && finding.covered_by.is_none())
        .collect();
    if findings.is_empty() {
        output::print("accepted: no finding needs a record, so there is nothing to draft\n")?;
        return Ok(Exit::Accepted);
    }
    let mut drafts = revision.records.iter().filter(is_draft);
    if let Some((draft, covered)) = drafts.find_map(|draft| {
        let is_covered =
            |finding: &&&Finding| draft.covers.iter().any(|cover| covers(cover, finding));
        let covered = findings.iter().filter(is_covered).count();
        (covered > 0).then_some((draft, covered))
    }) {
        output::print(&format!(
            "accepted: {} waits already and covers {covered} of {} findings, so nothing was drafted; give each cover a reason and set its status to accepted, or delete it and run this again\n",
            visible(&revision.shown(&draft.file)),
            findings.len()
        ))?;
        return Ok(Exit::Accepted);
    }
    let latest = revision.records.last().map_or(0, |record| record.number);
    let number = latest
        .checked_add(1)
        .filter(|number| *number <= 9999)
        .context("the numbers of records are used up; the name of a record has four digits")?;
    let capability = &project.settings.capability;
    let mut accepted = revision.records.iter().rev();
    let in_force = accepted
        .find(|record| record.status == Status::Accepted)
        .map_or(capability, |record| &record.capability);
    let text = draft(number, latest, capability, &title, &findings)?;
    let path = write(&folder, number, &title, &text)?;
    output::print(&format!(
        "wrote {path} ({} covers); give each a reason, drop those that are to be undone, and set its status to accepted\n{}\n",
        findings.len(),
        lock::steps(in_force)
    ))?;
    Ok(Exit::Accepted)
}

/// Whether a cover names a finding.
fn covers(cover: &Cover, finding: &Finding) -> bool {
    cover.rule == finding.rule && cover.subject == finding.subject
}

/// Writes a record under the name that its number and title make, and tells its path.
fn write(folder: &Path, number: u32, title: &str, text: &str) -> Result<String> {
    let path = folder.join(format!("{number:04}-{}.md", slug(title)));
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    files::write(&path, text)?;
    Ok(visible(&path.display().to_string()).into_owned())
}

/// The text of a record. As a draft it locks and covers nothing until somebody decides.
fn draft(
    number: u32,
    latest: u32,
    capability: &str,
    title: &str,
    findings: &[&Finding],
) -> Result<String> {
    let mut text = format!("---\nnumber: {number}\nstatus: draft\ndate: {}\n", today()?);
    if latest > 0 {
        let _ = writeln!(text, "supersedes: {latest}");
    }
    let none = if findings.is_empty() { " []" } else { "" };
    let _ = writeln!(text, "capability: {capability}\ncovers:{none}");
    for finding in findings {
        let _ = writeln!(
            text,
            "  - {{rule: {}, subject: {}, reason: {}}}",
            finding.rule,
            quoted(&finding.subject)?,
            quoted(REASON)?
        );
    }
    let _ = write!(text, "---\n\n# {number}. {}\n\n", visible(title));
    if findings.is_empty() {
        let _ = writeln!(text, "{PROMISE}");
    } else {
        text.push_str("What no longer holds for those who rely on the contract:\n\n");
    }
    for finding in findings {
        // The message is in a code block, so that nothing in it is markup.
        let _ = writeln!(text, "    {}: {}", finding.rule, visible(&finding.message));
    }
    Ok(text)
}

/// Text as a string of YAML. JSON's are, but for characters that YAML wants spelled out.
fn quoted(text: &str) -> Result<String> {
    let mut out = String::new();
    for character in serde_json::to_string(text)?.chars() {
        match character {
            '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            character => out.push(character),
        }
    }
    Ok(out)
}

/// A title as part of a file's name.
fn slug(title: &str) -> String {
    let words: Vec<String> = title
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let slug: String = words.join("-").chars().take(60).collect();
    match slug.trim_matches('-') {
        "" => "change".to_owned(),
        slug => slug.to_owned(),
    }
}

/// The day it is, in UTC.
fn today() -> Result<String> {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .context("the clock of this machine stands before 1970; set it")?;
    Ok(date(since.as_secs() / 86_400))
}

/// A day as `YYYY-MM-DD`, counted from 1970-01-01.
fn date(days: u64) -> String {
    // Years are counted from March on, so that the day that leap years add is their last one.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = match month {
        0..10 => (month + 3, 0),
        _ => (month - 9, 1),
    };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::{date, quoted, slug};

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_787, "2026-11-30"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }

    #[test]
    fn titles_become_names_and_subjects_become_strings() {
        assert_eq!(slug("Count turns -- as Text!"), "count-turns-as-text");
        assert_eq!(
            (slug("../é"), slug("")),
            ("change".to_owned(), "change".to_owned())
        );
        assert_eq!(
            quoted("a\"\n\u{85}").expect("written"),
            "\"a\\\"\\n\\u0085\""
        );
    }
}
