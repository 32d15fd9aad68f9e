//! Patterns and formats of strings, each compiled once and matched from many threads.

use crate::wire::pattern;
use regex_automata::meta::Regex;

/// A test of a string.
#[derive(Debug)]
pub(super) struct Text {
    /// What messages call it.
    pub(super) what: String,
    test: Test,
}

#[derive(Debug)]
enum Test {
    DateTime,
    Regular(Regex),
    /// Formats, and patterns that no automaton expresses: the validator crate has the word, on
    /// the one string and not on the line around it.
    Validator(Box<jsonschema::Validator>),
}

impl Text {
    /// A pattern; the message says why it cannot be matched.
    pub(super) fn pattern(source: &str) -> Result<Self, String> {
        let test = match pattern::compile(source) {
            Ok(regex) => Test::Regular(regex),
            Err(_) => Test::Validator(validator(&serde_json::json!({ "pattern": source }))?),
        };
        let what = format!("a string that matches {source:?}");
        Ok(Self { what, test })
    }

    /// A format. Names that no standard knows assert nothing.
    pub(super) fn format(name: &str) -> Result<Self, String> {
        let test = match name {
            "date-time" => Test::DateTime,
            name => Test::Validator(validator(&serde_json::json!({ "format": name }))?),
        };
        let what = format!("a string of the format {name:?}");
        Ok(Self { what, test })
    }

    /// Whether the string passes.
    pub(super) fn passes(&self, text: &str) -> bool {
        match &self.test {
            Test::DateTime => is_date_time(text),
            Test::Regular(regex) => regex.is_match(text),
            Test::Validator(validator) => validator.is_valid(&serde_json::Value::from(text)),
        }
    }
}

fn validator(schema: &serde_json::Value) -> Result<Box<jsonschema::Validator>, String> {
    let options = jsonschema::options()
        .should_validate_formats(true)
        .offline();
    let built = options.build(schema);
    built.map(Box::new).map_err(|error| error.to_string())
}

/// Whether a text is an RFC 3339 date and time.
///
/// A leap second passes where one can stand: at the end of a minute that is 23:59 in UTC.
pub(super) fn is_date_time(text: &str) -> bool {
    read_date_time(text.as_bytes()).is_some()
}

fn read_date_time(text: &[u8]) -> Option<()> {
    let (head, rest) = text.split_at_checked(19)?;
    let number = |from: usize, length: usize| -> Option<u32> {
        head[from..from + length].iter().try_fold(0, |sum, byte| {
            byte.is_ascii_digit()
                .then(|| sum * 10 + u32::from(byte - b'0'))
        })
    };
    let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
    let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    let separated = head[4] == b'-'
        && head[7] == b'-'
        && matches!(head[10], b'T' | b't')
        && head[13] == b':'
        && head[16] == b':';
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let on_the_calendar = (1..=12).contains(&month) && (1..=days).contains(&day);
    if !separated || !on_the_calendar || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = match rest.split_first() {
        Some((b'.', fraction)) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit());
            let digits = digits.count();
            (digits > 0).then(|| &fraction[digits..])?
        }
        _ => rest,
    };
    let offset = read_offset(zone)?;
    let in_utc = i64::from(hour * 60 + minute) - offset;
    (second < 60 || in_utc.rem_euclid(24 * 60) == 24 * 60 - 1).then_some(())
}

/// Minutes east of UTC.
fn read_offset(zone: &[u8]) -> Option<i64> {
    let (sign, rest) = match zone {
        [b'Z' | b'z'] => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let [h1, h2, b':', m1, m2] = rest else {
        return None;
    };
    let pair = |tens: &u8, ones: &u8| {
        (tens.is_ascii_digit() && ones.is_ascii_digit())
            .then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
    };
    let (hours, minutes) = (pair(h1, h2)?, pair(m1, m2)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

#[cfg(test)]
mod tests {
    use super::{Text, is_date_time, validator};

    #[test]
    fn dates_are_those_that_the_validator_takes() {
        let crate_says = validator(&serde_json::json!({"format": "date-time"})).expect("a schema");
        for text in [
            "2026-01-02T03:04:05Z",
            "2026-01-02t03:04:05z",
            "2026-01-02T03:04:05.123456789+01:30",
            "2026-01-02T03:04:05.Z",
            "2026-01-02 03:04:05Z",
            "2026-02-29T03:04:05Z",
            "2024-02-29T03:04:05Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-01-02T24:00:00Z",
            "2026-01-02T03:60:05Z",
            "2026-12-31T23:59:60Z",
            "2026-12-31T23:58:60Z",
            "2026-12-31T22:59:60-01:00",
            "2026-12-31T23:59:61Z",
            "2026-01-02T03:04:05",
            "2026-01-02T03:04:05+24:00",
            "2026-01-02T03:04:05+1:00",
            "2026-01-02T03:04:05+01:00x",
            "2026-01-02T03:04:05é",
            "",
        ] {
            let expected = crate_says.is_valid(&serde_json::Value::from(text));
            assert_eq!(is_date_time(text), expected, "{text}");
        }
    }

    #[test]
    fn patterns_beyond_automata_are_matched_all_the_same() {
        let text = Text::pattern("^(?!x)[a-z]+$").expect("a pattern");
        assert!(text.passes("abc") && !text.passes("xbc"));
        assert!(Text::format("no-such-format").expect("ignored").passes("x"));
        let address = Text::format("ipv4").expect("a format");
        assert!(address.passes("127.0.0.1") && !address.passes("localhost"));
    }
}
