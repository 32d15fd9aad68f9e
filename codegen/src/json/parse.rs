//! Text to [`Node`]: `serde_json` decides what is JSON, `jsonc-parser` tells where things stand.

use super::{Member, Node, Value};
use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use std::collections::HashSet;

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
    // The lenient parser behind this accepts more than JSON even at its strictest, so the word on
    // what is JSON is serde_json's, whose messages people know as well.
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        return Err(syntax_error(text, &error));
    }
    let options = jsonc_parser::ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed =
        jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &options)
            .map_err(|error| ParseError {
                message: error.kind().to_string(),
                at: offset(error.range().start),
            })?;
    match parsed.value {
        Some(value) => convert(value),
        None => Err(ParseError {
            message: "there is no value".to_owned(),
            at: 0,
        }),
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

/// Depth is bounded by the check before, so the recursion here is too.
fn convert(value: ast::Value<'_>) -> Result<Node, ParseError> {
    let at = offset(value.range().start);
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(lit) => Value::Bool(lit.value),
        ast::Value::NumberLit(lit) => Value::Number(lit.value.into()),
        ast::Value::StringLit(lit) => Value::String(lit.value.into()),
        ast::Value::Array(array) => Value::Array(
            array
                .elements
                .into_iter()
                .map(convert)
                .collect::<Result<_, _>>()?,
        ),
        ast::Value::Object(object) => {
            let mut seen = HashSet::with_capacity(object.properties.len());
            let mut members = Vec::with_capacity(object.properties.len());
            for property in object.properties {
                let at = offset(property.range.start);
                let name: Box<str> = property.name.into_string().into();
                if !seen.insert(name.clone()) {
                    let message = format!("the member {name:?} stands twice in one object");
                    return Err(ParseError { message, at });
                }
                members.push(Member {
                    name,
                    at,
                    node: convert(property.value)?,
                });
            }
            Value::Object(members)
        }
    };
    Ok(Node { value, at })
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
