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
fn path(text: &str, at: usize) -> Vec<String> {
    paths(text, &[at]).pop().unwrap_or_default()
}

/// The reference tokens of the values that hold those bytes of a JSON text, which ascend: one pass
/// finds all of them.
pub(super) fn paths(text: &str, bytes: &[usize]) -> Vec<Vec<String>> {
    let mut walk = Walk {
        left: bytes,
        tokens: Vec::new(),
        found: Vec::with_capacity(bytes.len()),
    };
    walk.value(&mut Reader::new(text));
    let mut found = walk.found;
    found.resize(bytes.len(), Vec::new());
    found
}

struct Walk<'b> {
    left: &'b [usize],
    tokens: Vec<String>,
    found: Vec<Vec<String>>,
}

impl Walk<'_> {
    /// The bytes that are left and stand before that one are of the value at hand.
    fn until(&mut self, end: usize) {
        while let [at, rest @ ..] = self.left
            && *at < end
        {
            self.found.push(self.tokens.clone());
            self.left = rest;
        }
    }

    /// Goes through the value that comes next; `None` where nothing is left to be found.
    fn value(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        self.until(reader.offset() + 1);
        if self.left.is_empty() {
            return None;
        }
        let mut first = true;
        match reader.kind().ok()? {
            Kind::Object => {
                reader.begin_object().ok()?;
                while let Some(name) = reader.next_key(&mut first).ok()? {
                    self.until(reader.offset());
                    self.tokens.push(name.into_owned());
                    self.value(reader)?;
                    self.tokens.pop();
                }
            }
            Kind::Array => {
                reader.begin_array().ok()?;
                let mut index = 0;
                while reader.next_element(index == 0).ok()? {
                    self.until(reader.offset());
                    self.tokens.push(index.to_string());
                    self.value(reader)?;
                    self.tokens.pop();
                    index += 1;
                }
            }
            _ => {
                reader.skip_value().ok()?;
            }
        }
        self.until(reader.offset());
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{path, paths};

    #[test]
    fn a_byte_has_the_path_of_the_innermost_value_that_begins_there() {
        let text = r#" {"a": [1, {"b/c": null}], "d": 2}"#;
        let at = |needle: &str| path(text, text.find(needle).expect("there"));
        assert_eq!(at("{\"a\""), [""; 0]);
        assert_eq!(at("[1"), ["a"]);
        assert_eq!(at("1,"), ["a", "0"]);
        assert_eq!(at("null"), ["a", "1", "b/c"]);
        assert_eq!(at("2}"), ["d"]);
        let all: Vec<usize> = (0..text.len()).collect();
        let one_by_one: Vec<_> = all.iter().map(|at| path(text, *at)).collect();
        assert_eq!(paths(text, &all), one_by_one);
        assert_eq!(paths("[1, {", &[1, 5]), [vec!["0".to_owned()], Vec::new()]);
    }
}
