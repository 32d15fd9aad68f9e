//! Places and values in the words of a message.

use crate::wire::{Bound, Known, Node, NodeId, Wire, plain};

/// How many values a message lists before it only counts.
const LISTED: usize = 4;

/// What may stand at a place, in a few words: `integer`, `string or null`, `one of a, b`.
pub(super) fn place(wire: &Wire, id: NodeId) -> String {
    if wire.is_any(id) {
        return "any value".to_owned();
    }
    let parts = types(wire.node(id));
    match parts.as_slice() {
        [] => "no value".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn types(node: &Node) -> Vec<String> {
    let mut parts = scalars(node);
    if !node.arrays.is_empty() {
        parts.push("array".to_owned());
    }
    if !node.objects.is_empty() {
        parts.push(
            if node.union {
                "union of objects"
            } else {
                "object"
            }
            .to_owned(),
        );
    }
    if node.null {
        parts.push("null".to_owned());
    }
    parts
}

/// The strings, numbers and booleans that may stand at a place, a few words each.
pub(crate) fn scalars(node: &Node) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(string) = &node.string {
        parts.push(if string.is_closed_enum() {
            values(&string.known)
        } else {
            "string".to_owned()
        });
    }
    if let Some(number) = &node.number {
        let integer = !number.tails.is_empty() && number.tails.iter().all(|tail| tail.integer);
        parts.push(match (number.is_closed_enum(), integer) {
            (true, _) => values(&number.known),
            (false, true) => "integer".to_owned(),
            (false, false) => "number".to_owned(),
        });
    }
    match &node.boolean {
        Some(shape) if shape.allow_true && shape.allow_false => parts.push("boolean".to_owned()),
        Some(shape) => parts.push(if shape.allow_true { "true" } else { "false" }.to_owned()),
        None => {}
    }
    parts
}

/// Named values: `"a"`, `one of a, b`, `one of 17 values`.
pub(super) fn values(known: &[Known]) -> String {
    match known {
        [only] => format!("the value {}", only.value),
        _ if known.len() <= LISTED => {
            format!(
                "one of {}",
                known
                    .iter()
                    .map(|known| plain(&known.value))
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
        _ => format!("one of {} values", known.len()),
    }
}

/// A bound as an interval's end: `above 0`, `at least 1`.
pub(super) fn bound(bound: Option<&Bound>, lower: bool) -> String {
    match (bound, lower) {
        (None, _) => "unbounded".to_owned(),
        (Some(Bound { value, exclusive }), true) => {
            format!(
                "{} {}",
                if *exclusive { "above" } else { "at least" },
                value.to_text()
            )
        }
        (Some(Bound { value, exclusive }), false) => {
            format!(
                "{} {}",
                if *exclusive { "below" } else { "at most" },
                value.to_text()
            )
        }
    }
}
