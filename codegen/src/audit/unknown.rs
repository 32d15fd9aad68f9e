//! What is told of the parts of an item that the contract does not know, in ascending order.

use super::Audit;
use super::check::{Found, Mark, Unknown};
use super::explain;
use super::finding::{Code, Finding, Level, words_of_unknown};
use wirelock_runtime::{Code as Stream, Error, Reader};

/// So many parts of an item are told one by one: one of the largest size may have millions.
const TOLD: usize = 100;

/// The findings of an item, without their lines, and the byte that each is about.
pub(super) fn told(
    audit: &Audit,
    text: &str,
    found: &[Found],
    marks: &[Mark],
) -> Vec<(usize, Finding)> {
    let time = audit.rules.time_mark();
    let time = time.and_then(|mark| marks.get(mark).copied().flatten());
    let is_told = |one: &&Found| match one.what {
        Unknown::Spelling => audit.strict,
        // The time of a line has a code of its own.
        Unknown::Format(_) => time.is_none_or(|(at, _)| at != one.at),
        _ => true,
    };
    let mut found: Vec<Found> = found.iter().filter(is_told).copied().collect();
    found.sort_by_key(|one| one.at);
    let more = found.split_off(found.len().min(TOLD));
    let bytes: Vec<usize> = found.iter().map(|one| one.at).collect();
    let paths = explain::paths(text, &bytes);
    let mut told: Vec<(usize, Finding)> = found
        .iter()
        .zip(paths)
        .map(|(one, path)| (one.at, finding(audit, text, *one, path)))
        .collect();
    let mut counts: Vec<(Code, usize, usize)> = Vec::new();
    for one in more {
        let code = code(one.what);
        match counts.iter_mut().find(|(other, ..)| *other == code) {
            Some((.., count)) => *count += 1,
            None => counts.push((code, one.at, 1)),
        }
    }
    for (code, at, count) in counts {
        let message = match count {
            1 => "the item has 1 more such place".to_owned(),
            _ => format!("the item has {count} more such places"),
        };
        told.push((at, Finding::new(code, level(audit, code), 0, message)));
    }
    told
}

fn finding(audit: &Audit, text: &str, one: Found, path: Vec<String>) -> Finding {
    let placed = |error: Error| {
        let path = path.into_iter().rev();
        path.fold(error, |error, token| error.within(token))
    };
    let said = match one.what {
        Unknown::Field => "the contract knows no such member",
        Unknown::Value => "the contract knows no such value",
        Unknown::Type => "the contract knows no such object",
        Unknown::Spelling => "an integer is written without fraction and exponent",
        Unknown::Format(format) => {
            let expected = audit.table.texts[format].what.clone();
            let error = Error::new(Stream::ItemInvalid, expected).at_offset(one.at);
            return Finding::of(&placed(error), 0);
        }
    };
    // The runtime's error cuts what comes from the payload.
    let mut error = Error::new(Stream::ItemInvalid, said);
    let rest = text.get(one.at..).unwrap_or_default();
    if let Ok(value) = Reader::new(rest).skip_value() {
        error = error.with_found(value);
    }
    let code = code(one.what);
    Finding::new(
        code,
        level(audit, code),
        0,
        words_of_unknown(&placed(error)),
    )
}

fn code(what: Unknown) -> Code {
    match what {
        Unknown::Field => Code::UnknownField,
        Unknown::Value => Code::UnknownValue,
        Unknown::Type => Code::UnknownType,
        Unknown::Spelling => Code::IntegerSpelling,
        Unknown::Format(_) => Code::Stream(Stream::ItemInvalid),
    }
}

fn level(audit: &Audit, code: Code) -> Level {
    match code {
        Code::Stream(_) => Level::Error,
        Code::IntegerSpelling => Level::Note,
        _ if audit.strict => Level::Error,
        _ => Level::Note,
    }
}
