//! JSON values under JSON Schema's equality, for `const`, `enum` and `default`.

use super::write::{Spelling, spell};
use super::{Decimal, Node, write_string};

/// A JSON value in one canonical spelling, so that equal values are equal texts.
///
/// Members are sorted by name and numbers are spelled by value (`1.0` is `1`).
///
/// ```
/// use wirelock_codegen::json::{parse, Literal};
/// let literal = |text| Literal::of(&parse(text).unwrap());
/// assert_eq!(literal(r#"{"b":1.0,"a":[]}"#), literal(r#"{"a":[],"b":1}"#));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(Box<str>);

impl Literal {
    /// The literal of a value that was read.
    #[must_use]
    pub fn of(node: &Node) -> Self {
        let mut text = String::new();
        spell(node, Spelling::Canonical, &mut text);
        Self(text.into())
    }

    /// The literal of a string.
    #[must_use]
    pub fn string(value: &str) -> Self {
        let mut text = String::new();
        write_string(value, &mut text);
        Self(text.into())
    }

    /// The literal of a boolean.
    #[must_use]
    pub fn boolean(value: bool) -> Self {
        Self(if value { "true" } else { "false" }.into())
    }

    /// The canonical JSON text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// JSON Schema's name of the value's type, with `number` for integers too.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.0.as_bytes().first() {
            Some(b'n') => "null",
            Some(b't' | b'f') => "boolean",
            Some(b'"') => "string",
            Some(b'[') => "array",
            Some(b'{') => "object",
            _ => "number",
        }
    }

    /// The text of a string literal, unescaped.
    #[must_use]
    pub fn as_string(&self) -> Option<String> {
        self.0
            .starts_with('"')
            .then(|| serde_json::from_str(&self.0).ok())
            .flatten()
    }

    /// The value of a number literal.
    #[must_use]
    pub fn as_decimal(&self) -> Option<Decimal> {
        Decimal::parse(&self.0)
    }
}

impl std::fmt::Display for Literal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}
