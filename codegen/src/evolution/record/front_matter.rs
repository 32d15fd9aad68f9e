//! The front matter of a decision record: YAML between two `---` lines, read with positions.

use super::{Cover, Record, RecordError, START, Status, file_name};
use crate::json::Position;
use serde::Deserialize;
use serde_saphyr::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrontMatter {
    number: Spanned<u32>,
    status: Spanned<String>,
    date: Spanned<String>,
    supersedes: Option<Spanned<u32>>,
    capability: Spanned<String>,
    #[serde(default)]
    covers: Vec<Spanned<CoverMatter>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CoverMatter {
    rule: String,
    subject: String,
    reason: String,
}

/// The record, and where it gives its number.
pub(super) fn parse(name: &str, text: &str) -> Result<(Record, Position), RecordError> {
    let fail = |position: Position, message: String| RecordError {
        file: name.to_owned(),
        position,
        message,
    };
    let from_name = number_of_file(name).ok_or_else(|| {
        fail(
            START,
            "a record's file is named NNNN-title.md, as 0002-drop-num-turns.md".to_owned(),
        )
    })?;
    let matter = front_matter(text).map_err(|message| fail(START, message.to_owned()))?;
    let matter: FrontMatter = serde_saphyr::from_str(matter).map_err(|error| {
        let position = error.location().map_or(START, |location| {
            below_fence(location.line(), location.column())
        });
        let text = error.without_snippet().to_string();
        // The place stands in front of the message already.
        let message = text
            .rsplit_once(" at line ")
            .map_or(text.as_str(), |(message, _)| message);
        fail(position, message.to_owned())
    })?;

    let number = at(&matter.number);
    if matter.number.value != from_name {
        let message = format!(
            "the number is {} here and {from_name} in the file name; make them agree",
            matter.number.value
        );
        return Err(fail(number, message));
    }
    let status = match matter.status.value.as_str() {
        "draft" => Status::Draft,
        "accepted" => Status::Accepted,
        other => {
            return Err(fail(
                at(&matter.status),
                format!("the status is {other:?}; write draft or accepted"),
            ));
        }
    };
    if !is_date(&matter.date.value) {
        return Err(fail(
            at(&matter.date),
            format!("{:?} is no date; write it as 2026-12-01", matter.date.value),
        ));
    }
    if matter.capability.value.trim().is_empty() {
        return Err(fail(
            at(&matter.capability),
            "the capability is empty; name the one that is decided about".to_owned(),
        ));
    }
    if let (Some(first), None) = (matter.covers.first(), &matter.supersedes) {
        let message =
            "only a superseding record covers findings; say which record it supersedes".to_owned();
        return Err(fail(at(first), message));
    }
    let mut covers: Vec<Cover> = Vec::with_capacity(matter.covers.len());
    for cover in &matter.covers {
        let position = at(cover);
        let CoverMatter {
            rule,
            subject,
            reason,
        } = &cover.value;
        if reason.trim().is_empty() {
            return Err(fail(
                position,
                format!("the cover of {rule} for {subject} gives no reason; add one"),
            ));
        }
        if covers
            .iter()
            .any(|other| other.rule == *rule && other.subject == *subject)
        {
            return Err(fail(
                position,
                format!("{rule} for {subject} is covered twice; keep one"),
            ));
        }
        covers.push(Cover {
            rule: rule.clone(),
            subject: subject.clone(),
            reason: reason.clone(),
            position,
        });
    }
    let record = Record {
        file: name.to_owned(),
        number: matter.number.value,
        status,
        date: matter.date.value,
        supersedes: matter.supersedes.map(|number| number.value),
        capability: matter.capability.value,
        covers,
    };
    Ok((record, number))
}

/// The YAML between the first line, which is `---`, and the next such line.
fn front_matter(text: &str) -> Result<&str, &'static str> {
    if text.starts_with('\u{feff}') {
        return Err("the file starts with a byte order mark; save it without");
    }
    let mut at = 0;
    let mut start = None;
    for line in text.split_inclusive('\n') {
        let fence = line.trim_end() == "---";
        match start {
            None if !fence => {
                return Err("a record begins with its front matter between two `---` lines");
            }
            None => start = Some(line.len()),
            Some(start) if fence => return Ok(&text[start..at]),
            Some(_) => {}
        }
        at += line.len();
    }
    Err("the front matter has no end; close it with a `---` line")
}

fn at<T>(value: &Spanned<T>) -> Position {
    below_fence(value.referenced.line(), value.referenced.column())
}

/// Positions of the YAML count from below the opening fence, those of the file from the fence.
fn below_fence(line: u64, column: u64) -> Position {
    let clamp = |value: u64| u32::try_from(value).unwrap_or(u32::MAX).max(1);
    Position {
        line: clamp(line).saturating_add(1),
        column: clamp(column),
    }
}

fn number_of_file(name: &str) -> Option<u32> {
    let (number, title) = file_name(name).strip_suffix(".md")?.split_once('-')?;
    let is_number = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !title.is_empty())
        .then(|| number.parse().ok())
        .flatten()
}

/// Whether a text is a day of the calendar, written as `2026-12-01`.
fn is_date(text: &str) -> bool {
    let number = |part: &str, length: usize| -> Option<u32> {
        let fits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| fits)
    };
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => return false,
    };
    year > 0 && (1..=days).contains(&day)
}
