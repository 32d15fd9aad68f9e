//! What is said of an item that is refused, or that holds something unknown.

use super::check::{Fail, No, Why};
use super::table::{Place, Table};
use wirelock_runtime::{Code, Error, Key, Kind, Reader};

/// The error of a refused item. What is no JSON further on is told as that alone, because a value
/// in it may have been read for another.
pub(super) fn error(table: &Table, text: &str, fail: Fail) -> Error {
    let no = match fail {
        Fail::Broken(error) => return error,
        Fail::No(no) => no,
    };
    let mut reader = Reader::new(text);
    match reader.skip_value().and_then(|_| reader.end()) {
        Ok(()) => refused(table, text, no),
        Err(broken) => broken,
    }
}

fn refused(table: &Table, text: &str, no: No) -> Error {
    let expected = match no.why {
        Why::Type(id) => types(&table.places[id as usize]),
        Why::Value(id) => values(table, &table.places[id as usize]),
        Why::Missing(shape, slot) => {
            let key = table.shapes[shape as usize].keys.get(slot);
            format!("the member `{}`", key.map_or("", Key::name))
        }
        Why::Alternative => "one of the alternatives of this place".to_owned(),
        Why::Exclusive => "exactly one alternative of a `oneOf` that holds".to_owned(),
        Why::Bound(keyword, bound) => format!("what `{keyword}` {bound} allows"),
        Why::Keyword(keyword) => format!("what `{keyword}` allows"),
    };
    let error = Error::new(Code::ItemInvalid, expected).at_offset(no.at);
    let rest = text.get(no.at..).unwrap_or_default();
    let error = match Reader::new(rest).skip_value() {
        Ok(found) => error.with_found(found),
        Err(_) => error,
    };
    let tokens = path(text, no.at);
    tokens
        .into_iter()
        .rev()
        .fold(error, |error, token| error.within(token))
}

fn types(place: &Place) -> String {
    let all = [
        (place.null, "null"),
        (place.booleans != [false; 2], "a boolean"),
        (place.numbers.is_some(), "a number"),
        (place.strings.is_some(), "a string"),
        (!place.arrays.is_empty(), "an array"),
        (
            !matches!(place.objects, super::table::Choice::None),
            "an object",
        ),
    ];
    let names: Vec<&str> = all
        .iter()
        .filter(|(there, _)| *there)
        .map(|(_, name)| *name)
        .collect();
    match names.as_slice() {
        [] => "nothing here".to_owned(),
        names => names.join(" or "),
    }
}

/// What scalars a place takes, as far as a message has room for it.
fn values(table: &Table, place: &Place) -> String {
    const NAMED: usize = 6;
    let mut all: Vec<String> = Vec::new();
    if let Some(strings) = &place.strings {
        let words = strings.known.sorted();
        let mut known: Vec<String> = words.iter().map(|one| format!("{one:?}")).collect();
        let more = known.len() > NAMED;
        known.truncate(NAMED);
        all.append(&mut known);
        all.extend(more.then(|| "another listed value".to_owned()));
        for tail in &strings.tails {
            let mut words = "a string".to_owned();
            if tail.min > 0 {
                words.push_str(&format!(" of at least {} characters", tail.min));
            }
            if tail.max < u64::MAX {
                words.push_str(&format!(" of at most {} characters", tail.max));
            }
            if !tail.excluded.is_empty() {
                words.push_str(" that another alternative does not name");
            }
            all.push(words);
            let patterns = tail.patterns.iter();
            all.extend(patterns.map(|pattern| table.texts[*pattern].what.clone()));
        }
    }
    if let Some(numbers) = &place.numbers {
        let mut known: Vec<&str> = numbers.known.iter().map(|one| one.text()).collect();
        known.sort_unstable();
        all.extend(known.iter().take(NAMED).map(|one| (*one).to_owned()));
        for tail in &numbers.tails {
            let mut words = if tail.integer {
                "an integer"
            } else {
                "a number"
            }
            .to_owned();
            if let Some((bound, exclusive)) = &tail.minimum {
                let side = if *exclusive { "above" } else { "from" };
                words.push_str(&format!(" {side} {}", bound.to_text()));
            }
            if let Some((bound, exclusive)) = &tail.maximum {
                let side = if *exclusive { "below" } else { "up to" };
                words.push_str(&format!(" {side} {}", bound.to_text()));
            }
            for step in &tail.multiple_of {
                words.push_str(&format!(", a multiple of {}", step.to_text()));
            }
            all.push(words);
        }
    }
    match all.is_empty() {
        true => types(place),
        false => all.join(" or "),
    }
}

/// The reference tokens of the value that holds a byte of a JSON text, outermost first.
pub(super) fn path(text: &str, at: usize) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut reader = Reader::new(text);
    while reader.offset() < at {
        let Some(token) = step(&mut reader, at) else {
            break;
        };
        tokens.push(token);
    }
    tokens
}

/// Goes to the member or element that holds the byte.
fn step(reader: &mut Reader<'_>, at: usize) -> Option<String> {
    match reader.kind().ok()? {
        Kind::Object => {
            reader.begin_object().ok()?;
            let mut first = true;
            while let Some(name) = reader.next_key(&mut first).ok()? {
                if holds(reader, at)? {
                    return Some(name.into_owned());
                }
            }
        }
        Kind::Array => {
            reader.begin_array().ok()?;
            let mut index = 0;
            while reader.next_element(index == 0).ok()? {
                if holds(reader, at)? {
                    return Some(index.to_string());
                }
                index += 1;
            }
        }
        _ => {}
    }
    None
}

/// Whether the value that comes next holds the byte; where it does not, it is stepped over.
fn holds(reader: &mut Reader<'_>, at: usize) -> Option<bool> {
    let start = reader.clone();
    let from = reader.offset();
    let length = reader.skip_value().ok()?.len();
    let held = (from..from + length).contains(&at);
    if held {
        *reader = start;
    }
    Some(held)
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_byte_has_the_path_of_the_innermost_value_that_begins_there() {
        let text = r#" {"a": [1, {"b/c": null}], "d": 2}"#;
        let at = |needle: &str| path(text, text.find(needle).expect("there"));
        assert_eq!(at("{\"a\""), [""; 0]);
        assert_eq!(at("[1"), ["a"]);
        assert_eq!(at("1,"), ["a", "0"]);
        assert_eq!(at("null"), ["a", "1", "b/c"]);
        assert_eq!(at("2}"), ["d"]);
    }
}
