//! Text to [`Node`], through the one JSON reader of the project.

use super::{Member, Node, Value};
use crate::seen::Seen;
use wirelock_runtime::{Kind, Reader};

/// Why a text is no JSON document this project reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// What is wrong, in a few words, without the place.
    pub message: String,
    /// Byte offset of the place.
    pub at: u32,
}

/// Reads one JSON document, strictly (RFC 8259), with unique member names in each object.
///
/// # Errors
/// Anything that is no JSON, is nested deeper than 127 levels, is larger than 4 GiB, holds a lone
/// surrogate escape, or names one member twice.
///
/// ```
/// use wirelock_codegen::json::parse;
/// assert_eq!(parse("{\"a\": [1.0]}").unwrap().pointer("/a/0").unwrap().at, 7);
/// assert_eq!(parse("{\"a\": 1, \"a\": 2}").unwrap_err().at, 9);
/// ```
pub fn parse(text: &str) -> Result<Node, ParseError> {
    if u32::try_from(text.len()).is_err() {
        return Err(ParseError {
            message: "the text is larger than 4 GiB".to_owned(),
            at: 0,
        });
    }
    let mut reader = Reader::new(text);
    let read = value(&mut reader, text)
        .and_then(|node| reader.end().map(|()| node).map_err(Fault::Reader));
    read.map_err(|fault| match fault {
        Fault::Own(error) => error,
        Fault::Reader(error) => explain(text, &error),
    })
}

/// Why reading stopped.
enum Fault {
    Own(ParseError),
    Reader(wirelock_runtime::Error),
}

impl From<wirelock_runtime::Error> for Fault {
    fn from(error: wirelock_runtime::Error) -> Self {
        Self::Reader(error)
    }
}

/// The reader refuses nesting past a bound, so the recursion here is bounded too.
fn value(reader: &mut Reader<'_>, text: &str) -> Result<Node, Fault> {
    let kind = reader.kind()?;
    let at = offset(reader.offset());
    let value = match kind {
        Kind::Null => {
            reader.null()?;
            Value::Null
        }
        Kind::Bool => Value::Bool(reader.bool()?),
        Kind::Number => Value::Number(reader.skip_value()?.into()),
        Kind::String => Value::String(reader.str()?.into()),
        Kind::Array => {
            let mut elements = Vec::new();
            reader.begin_array()?;
            while reader.next_element(elements.is_empty())? {
                elements.push(value(reader, text)?);
            }
            Value::Array(elements)
        }
        Kind::Object => Value::Object(members(reader, text)?),
    };
    Ok(Node { value, at })
}

fn members(reader: &mut Reader<'_>, text: &str) -> Result<Vec<Member>, Fault> {
    let mut members: Vec<Member> = Vec::new();
    let mut seen: Seen<Box<str>> = Seen::new();
    let mut first = true;
    reader.begin_object()?;
    loop {
        let before = reader.offset();
        let Some(name) = reader.next_key(&mut first)? else {
            return Ok(members);
        };
        // Between two members stand a comma and whitespace only.
        let at = offset(before + text[before..].find('"').unwrap_or(0));
        let name: Box<str> = name.into();
        if !seen.insert(&name) {
            let message = format!("the member {name:?} stands twice in one object");
            return Err(Fault::Own(ParseError { message, at }));
        }
        let node = value(reader, text)?;
        members.push(Member { name, at, node });
    }
}

/// The words of `serde_json` for what is no JSON, which people know; the reader's own where
/// `serde_json` passes over it, as it does over a lone surrogate in a value that it skips.
fn explain(text: &str, error: &wirelock_runtime::Error) -> ParseError {
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Err(known) => syntax_error(text, &known),
        Ok(_) => ParseError {
            message: format!("expected {}", error.expected()),
            at: offset(error.offset().unwrap_or(0)),
        },
    }
}

fn syntax_error(text: &str, error: &serde_json::Error) -> ParseError {
    let whole = error.to_string();
    let message = whole
        .rsplit_once(" at line ")
        .map_or(whole.as_str(), |(message, _)| message);
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let at = (line_start + error.column().saturating_sub(1)).min(text.len());
    ParseError {
        message: message.to_owned(),
        at: offset(at),
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn what_is_no_json_is_refused_at_its_place() {
        for (text, at) in [
            ("", 0),
            ("{", 0),
            ("[1,]", 3),
            ("{'a':1}", 1),
            ("[01]", 2),
            ("[.5]", 1),
            ("[+1]", 1),
            ("[NaN]", 1),
            ("// x\n1", 0),
            ("1 2", 2),
            ("\n\n  tru", 6),
            (r#"{"a":1,"a":1}"#, 7),
        ] {
            let error = parse(text).expect_err(text);
            assert!(
                error.at.abs_diff(at) <= 1,
                "{text:?}: {} at {}",
                error.message,
                error.at
            );
        }
        assert!(parse(&"[".repeat(200_000)).is_err(), "depth is bounded");
        assert!(parse(r#""\ud800""#).is_err(), "a lone surrogate is no text");
    }

    #[test]
    fn written_text_reads_back_equal_to_serde_json() {
        let text =
            r#"{"a":[1.0,-2e3,null,true],"b":{"c":"\u00e9\n\"\\/\u0001\ud83d\ude00"},"":""}"#;
        let mut out = String::new();
        super::super::write(&parse(text).expect("valid"), &mut out);
        let left: serde_json::Value = serde_json::from_str(text).expect("valid");
        let right: serde_json::Value = serde_json::from_str(&out).expect("written");
        assert_eq!(left, right);
    }
}
