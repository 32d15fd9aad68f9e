//! Writes a document in canonical bytes: the one spelling that goldens hold and encoders produce.

use super::resolve::{Matcher, arrays_of, catch_all_of, item_place, variants_of};
use super::walk::is_integer_place;
use super::{NodeId, ObjectId, Reading, Start, Wire};
use crate::json::{self, Decimal, Value, write_string};

/// The canonical text of a document: compact, declared members in the order of the schema, then
/// all others as they came; integers without a fraction.
///
/// Parts that the contract does not describe keep their order and the spelling of their numbers.
#[must_use]
pub fn canonical(wire: &Wire, document: &json::Node, matcher: &dyn Matcher) -> String {
    let fits = |node: &NodeId| {
        let matches = |reading| matcher.matches(reading, Start::Node(*node), document);
        matches(Reading::Strict) || matches(Reading::Published)
    };
    let roots: Vec<NodeId> = wire.roots.iter().map(|root| root.node).collect();
    let start = match roots.as_slice() {
        [only] => Some(*only),
        several => several.iter().find(|node| fits(node)).copied(),
    };
    let mut out = String::new();
    match start {
        Some(node) => canonical_at(wire, node, document, matcher, &mut out),
        None => json::write(document, &mut out),
    }
    out
}

/// Appends the canonical text of a value at one place.
pub fn canonical_at(
    wire: &Wire,
    node: NodeId,
    value: &json::Node,
    matcher: &dyn Matcher,
    out: &mut String,
) {
    Writer { wire, matcher }.value(node, value, out);
}

struct Writer<'a> {
    wire: &'a Wire,
    matcher: &'a dyn Matcher,
}

impl Writer<'_> {
    /// The recursion is along the document, whose depth the reader bounds.
    fn value(&self, id: NodeId, value: &json::Node, out: &mut String) {
        let node = self.wire.node(id);
        match &value.value {
            Value::Number(text) if node.number.as_ref().is_some_and(is_integer_place) => {
                out.push_str(&integer(text))
            }
            Value::Array(elements) => {
                let taken = arrays_of(self.wire, id, value, self.matcher)
                    .first()
                    .copied();
                let Some(array) = taken.and_then(|index| node.arrays.get(index)) else {
                    return json::write(value, out);
                };
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.value(item_place(array, index), element, out);
                }
                out.push(']');
            }
            Value::Object(_) => {
                let known = variants_of(self.wire, id, value, self.matcher)
                    .first()
                    .copied();
                match known.or_else(|| catch_all_of(node, value)) {
                    Some(index) => self.object(node.objects[index].object, value, out),
                    None => json::write(value, out),
                }
            }
            _ => json::write(value, out),
        }
    }

    fn object(&self, id: ObjectId, value: &json::Node, out: &mut String) {
        let object = self.wire.object(id);
        out.push('{');
        let mut first = true;
        let mut member = |name: &str, node: NodeId, value: &json::Node, out: &mut String| {
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            write_string(name, out);
            out.push(':');
            self.value(node, value, out);
        };
        // A name that is only required has no type of its own and is kept among the others.
        let declared = |name: &str| object.fields.get(name).filter(|field| field.declared);
        for (name, field) in &object.fields {
            if let Some(value) = value.get(name).filter(|_| field.declared) {
                member(name, field.node, value, out);
            }
        }
        for other in value.members() {
            if declared(&other.name).is_some() {
                continue;
            }
            let by_pattern = object
                .patterns
                .iter()
                .find(|field| self.matcher.name_matches(&field.pattern, &other.name));
            let node = by_pattern.map_or(object.rest, |field| field.node);
            member(&other.name, node, &other.node, out);
        }
        out.push('}');
    }
}

/// An integer as integers are written; a number with a fraction stays as it came, for the
/// validators to refuse.
fn integer(text: &str) -> String {
    match Decimal::parse(text) {
        Some(value) if value.is_integer() && (text.contains(['.', 'e', 'E']) || text == "-0") => {
            value.to_text()
        }
        _ => text.to_owned(),
    }
}
