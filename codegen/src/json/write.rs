//! Compact JSON text, with the escapes that `serde_json` writes.

use super::{Decimal, Node, Value};

/// How a value is spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Members in their order, numbers as they were read.
    AsRead,
    /// Members by name, numbers by value, so that equal values are equal texts.
    Canonical,
}

/// Appends a value as compact JSON: order and number spelling as they were read.
pub fn write(node: &Node, out: &mut String) {
    spell(node, Spelling::AsRead, out);
}

pub(super) fn spell(node: &Node, spelling: Spelling, out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(text) => {
            match Decimal::parse(text).filter(|_| spelling == Spelling::Canonical) {
                Some(value) => out.push_str(&value.to_text()),
                None => out.push_str(text),
            }
        }
        Value::String(text) => write_string(text, out),
        Value::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                spell(element, spelling, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut ordered: Vec<_> = members.iter().collect();
            if spelling == Spelling::Canonical {
                ordered.sort_by(|left, right| left.name.cmp(&right.name));
            }
            out.push('{');
            for (index, member) in ordered.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(&member.name, out);
                out.push(':');
                spell(&member.node, spelling, out);
            }
            out.push('}');
        }
    }
}

/// Appends a string with its quotes.
pub fn write_string(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if control < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
