//! The way from a place to an element: the choices a document has to make to exercise it.

use crate::json::Literal;
use crate::maps::{IndexMap, IndexSet};
use crate::wire::openness::asserted_nodes;
use crate::wire::{ElementKey, Kind, NodeId, Object, Wire, is_variant_element, value_elements};

/// One choice on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Take the object alternative of that index and, below it, a member.
    Member {
        variant: usize,
        name: Name,
        place: NodeId,
    },
    /// Take the array alternative of that index and, in it, an element.
    Element {
        array: usize,
        index: usize,
        place: NodeId,
    },
    /// Take the object alternative of that index; the way ends here.
    Variant(usize),
    /// Take this value; the way ends here.
    Value(Literal),
}

/// How a member is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    Field(String),
    Pattern(usize),
    Any,
}

/// A shortest way from `start` to the element; `first` says which object alternatives of the start
/// may be taken.
pub(super) fn path_to(
    wire: &Wire,
    start: NodeId,
    key: &ElementKey,
    first: &dyn Fn(usize) -> bool,
) -> Option<Vec<Step>> {
    // Each place once, with the step that led there; it is a queue as well.
    let mut reached: IndexMap<NodeId, Option<(NodeId, Step)>> =
        std::iter::once((start, None)).collect();
    let mut next = 0;
    while let Some((&id, _)) = reached.get_index(next) {
        let allowed = |variant: usize| next > 0 || first(variant);
        if let Some(last) = end(wire, id, key, &allowed) {
            return Some(way(&reached, id, last));
        }
        for (place, step) in steps(wire, id, &allowed) {
            reached.entry(place).or_insert(Some((id, step)));
        }
        next += 1;
    }
    None
}

fn way(reached: &IndexMap<NodeId, Option<(NodeId, Step)>>, end: NodeId, last: Step) -> Vec<Step> {
    let mut steps = vec![last];
    let mut at = end;
    while let Some(Some((before, step))) = reached.get(&at) {
        steps.push(step.clone());
        at = *before;
    }
    steps.reverse();
    steps
}

fn end(wire: &Wire, id: NodeId, key: &ElementKey, allowed: &dyn Fn(usize) -> bool) -> Option<Step> {
    let node = wire.node(id);
    let (kind, pointer) = key;
    match kind {
        Kind::Value => {
            let known = value_elements(node).find(|known| known.origin.pointer == *pointer)?;
            Some(Step::Value(known.value.clone()))
        }
        Kind::Variant => {
            let is_it = |at: &usize| {
                let variant = &node.objects[*at];
                allowed(*at)
                    && is_variant_element(node, variant)
                    && variant.origin.pointer == *pointer
            };
            (0..node.objects.len()).find(is_it).map(Step::Variant)
        }
        Kind::Field => {
            let known = (0..node.objects.len())
                .filter(|at| allowed(*at) && !node.objects[*at].is_catch_all());
            for variant in known {
                for object in speaking(wire, wire.object(node.objects[variant].object)) {
                    let declares = |(_, field): &(&String, &crate::wire::Field)| {
                        field.declared
                            && field
                                .origins
                                .iter()
                                .any(|origin| origin.pointer == *pointer)
                    };
                    if let Some((name, field)) = object.fields.iter().find(declares) {
                        return Some(Step::Member {
                            variant,
                            name: Name::Field(name.clone()),
                            place: field.node,
                        });
                    }
                }
            }
            None
        }
    }
}

fn steps(wire: &Wire, id: NodeId, allowed: &dyn Fn(usize) -> bool) -> Vec<(NodeId, Step)> {
    let node = wire.node(id);
    let mut found = Vec::new();
    for (variant, one) in node.objects.iter().enumerate() {
        if one.is_catch_all() || !allowed(variant) {
            continue;
        }
        for object in speaking(wire, wire.object(one.object)) {
            let mut push = |place: NodeId, name: Name| {
                found.push((
                    place,
                    Step::Member {
                        variant,
                        name,
                        place,
                    },
                ))
            };
            for (name, field) in object.fields.iter().filter(|(_, field)| field.declared) {
                push(field.node, Name::Field(name.clone()));
            }
            for (at, field) in object.patterns.iter().enumerate() {
                push(field.node, Name::Pattern(at));
            }
            push(object.rest, Name::Any);
        }
    }
    for (array, one) in node.arrays.iter().enumerate() {
        let prefix = one
            .prefix
            .iter()
            .enumerate()
            .map(|(index, place)| (index, *place));
        for (index, place) in prefix.chain([(one.prefix.len(), one.items)]) {
            found.push((
                place,
                Step::Element {
                    array,
                    index,
                    place,
                },
            ));
        }
    }
    found
}

/// The shape and the conditional parts that may speak about the same object.
fn speaking<'a>(wire: &'a Wire, object: &'a Object) -> Vec<&'a Object> {
    let mut found = vec![object];
    let mut places: IndexSet<NodeId> = object.residual.iter().flat_map(asserted_nodes).collect();
    let mut next = 0;
    while let Some(&id) = places.get_index(next) {
        next += 1;
        for variant in &wire.node(id).objects {
            let part = wire.object(variant.object);
            found.push(part);
            places.extend(part.residual.iter().flat_map(asserted_nodes));
        }
    }
    found
}
