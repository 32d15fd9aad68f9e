//! JSON values that the prover builds: models of formulas, and the documents that refute inclusions.

use crate::json::{Decimal, write_string};
use std::rc::Rc;

/// A value; the members of an object are sorted by name, so equal values are equal data.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Model {
    Null,
    Boolean(bool),
    Number(Decimal),
    String(Rc<str>),
    Array(Vec<Rc<Model>>),
    Object(Vec<(Rc<str>, Rc<Model>)>),
    /// A value that exists and that nobody wants to see: a string of a million characters, say.
    Unwritable,
}

impl Model {
    /// Whether no part is unwritable, so that it can be told from other values.
    ///
    /// The recursion is along a value that the prover built, whose depth its budget bounds.
    pub(super) fn is_written(&self) -> bool {
        match self {
            Self::Array(elements) => elements.iter().all(|element| element.is_written()),
            Self::Object(members) => members.iter().all(|(_, value)| value.is_written()),
            Self::Unwritable => false,
            _ => true,
        }
    }

    /// The text, or `None` where some part is unwritable.
    pub(super) fn text(&self) -> Option<String> {
        let mut out = String::new();
        self.write(&mut out).then_some(out)
    }

    /// The recursion is along a value that the prover built, whose depth its budget bounds.
    fn write(&self, out: &mut String) -> bool {
        match self {
            Self::Null => out.push_str("null"),
            Self::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(value) => out.push_str(&value.to_text()),
            Self::String(text) => write_string(text, out),
            Self::Array(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    if !element.write(out) {
                        return false;
                    }
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(name, out);
                    out.push(':');
                    if !value.write(out) {
                        return false;
                    }
                }
                out.push('}');
            }
            Self::Unwritable => return false,
        }
        true
    }
}
