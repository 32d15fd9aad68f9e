//! What may stand at a place, in the few words that fit beside its name.

use crate::evolution::scalars;
use crate::wire::{NodeId, ObjectId, Wire};

/// A list of lists of lists is told no further.
const DEPTH: usize = 3;

/// What may stand at a place: `list of string or null`, `object Usage`, `map of integer`.
pub(super) fn place(wire: &Wire, id: NodeId) -> String {
    within(wire, id, DEPTH)
}

fn within(wire: &Wire, id: NodeId, depth: usize) -> String {
    if wire.is_any(id) {
        return "any value".to_owned();
    }
    let node = wire.node(id);
    let mut parts = scalars(node);
    for array in &node.arrays {
        parts.push(match depth {
            0 => "list".to_owned(),
            _ if !array.prefix.is_empty() => {
                format!("list that begins with {} places", array.prefix.len())
            }
            _ if wire.is_any(array.items) => "list".to_owned(),
            _ if wire.is_never(array.items) => "empty list".to_owned(),
            _ => format!("list of {}", within(wire, array.items, depth - 1)),
        });
    }
    parts.dedup();
    match node.objects.as_slice() {
        [] => {}
        [only] if only.tags.is_empty() => parts.push(object(wire, only.object, depth)),
        several => parts.push(format!("one of {} variants", several.len())),
    }
    if node.null {
        parts.push("null".to_owned());
    }
    match parts.as_slice() {
        [] => "nothing".to_owned(),
        parts => parts.join(" or "),
    }
}

fn object(wire: &Wire, id: ObjectId, depth: usize) -> String {
    let shape = wire.object(id);
    if wire.is_free_form(id) {
        return "any object".to_owned();
    }
    let has_names = shape.fields.values().any(|field| field.declared) || !shape.patterns.is_empty();
    if !has_names && depth > 0 {
        return match wire.is_never(shape.rest) {
            true => "empty object".to_owned(),
            false => format!("map of {}", within(wire, shape.rest, depth - 1)),
        };
    }
    match shape.docs.title.as_ref().or(shape.definition.as_ref()) {
        Some(name) => format!("object {name}"),
        None => "object".to_owned(),
    }
}
