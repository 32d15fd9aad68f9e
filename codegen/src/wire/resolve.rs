//! Which alternatives of a place a document takes: by its tags, else by asking a validator.

use super::{Array, Node, NodeId, Reading, Start, Tag, Variant, Wire};
use crate::json::{self, Literal};

/// Answers what tags and JSON types do not: validation, and patterns of member names.
///
/// The wire view holds no validator of its own, so that nothing here can disagree with the one
/// that judges documents; [`Untold`] stands in where a caller has none.
pub trait Matcher {
    /// Whether a value is valid at `start` under that reading.
    fn matches(&self, reading: Reading, start: Start, value: &json::Node) -> bool;

    /// Whether a member name matches a pattern (ECMA-262, not anchored).
    fn name_matches(&self, pattern: &str, name: &str) -> bool;
}

/// Knows no validator: takes the first alternative of each place, and every pattern to match.
///
/// It is enough for contracts whose unions are tagged and whose members have names.
#[derive(Debug, Clone, Copy, Default)]
pub struct Untold;

impl Matcher for Untold {
    fn matches(&self, _: Reading, _: Start, _: &json::Node) -> bool {
        true
    }

    fn name_matches(&self, _: &str, _: &str) -> bool {
        true
    }
}

/// The known object alternatives that a document takes; empty where it is an unknown one.
///
/// More than one only where the place is a union that tags do not decide and several match.
#[must_use]
pub fn variants_of(
    wire: &Wire,
    id: NodeId,
    document: &json::Node,
    matcher: &dyn Matcher,
) -> Vec<usize> {
    let node = wire.node(id);
    let possible: Vec<usize> = (0..node.objects.len())
        .filter(|at| {
            let variant = &node.objects[*at];
            !variant.is_catch_all() && variant.tags.iter().all(|tag| tag_holds(tag, document))
        })
        .collect();
    let tagged = possible.iter().any(|at| !node.objects[*at].tags.is_empty());
    let alone = possible.len() == 1 && (tagged || node.objects.len() == 1);
    if possible.is_empty() || alone {
        return possible;
    }
    let starts = possible
        .iter()
        .map(|at| (*at, Start::Object(node.objects[*at].object)))
        .collect();
    best(starts, document, matcher)
}

/// The array alternatives that a document takes.
#[must_use]
pub fn arrays_of(
    wire: &Wire,
    id: NodeId,
    document: &json::Node,
    matcher: &dyn Matcher,
) -> Vec<usize> {
    let node = wire.node(id);
    let all: Vec<(usize, Start)> = (0..node.arrays.len())
        .map(|at| (at, Start::Array(id, at)))
        .collect();
    if all.len() < 2 {
        return all.into_iter().map(|(at, _)| at).collect();
    }
    best(all, document, matcher)
}

/// The catch-all that takes a document which no known alternative takes.
#[must_use]
pub fn catch_all_of(node: &Node, document: &json::Node) -> Option<usize> {
    let holds = |tag: &Tag| {
        if tag.values.is_empty() {
            return document.get(&tag.name).is_some() && !is_known_tag(node, tag, document);
        }
        tag_holds(tag, document)
    };
    node.objects
        .iter()
        .position(|variant| variant.is_catch_all() && variant.tags.iter().all(holds))
}

/// The reading that knows most decides: what is strictly valid somewhere is that; only where
/// nothing is, the document holds something unknown and the looser readings are asked.
fn best(starts: Vec<(usize, Start)>, document: &json::Node, matcher: &dyn Matcher) -> Vec<usize> {
    for reading in [Reading::Strict, Reading::Published, Reading::Open] {
        let matching = starts
            .iter()
            .filter(|(_, start)| matcher.matches(reading, *start, document));
        let matching: Vec<usize> = matching.map(|(at, _)| *at).collect();
        if !matching.is_empty() {
            return matching;
        }
    }
    Vec::new()
}

fn tag_holds(tag: &Tag, document: &json::Node) -> bool {
    document
        .get(&tag.name)
        .is_some_and(|value| tag.values.contains(&Literal::of(value)))
}

/// Whether a variant that shares the catch-all's outer tags knows the value.
fn is_known_tag(node: &Node, open: &Tag, document: &json::Node) -> bool {
    let knows = |variant: &Variant| {
        let before = variant.tags.iter().take_while(|tag| tag.name != open.name);
        let own = variant.tags.iter().find(|tag| tag.name == open.name);
        own.is_some_and(|tag| tag_holds(tag, document))
            && before.into_iter().all(|tag| tag_holds(tag, document))
    };
    node.objects.iter().any(knows)
}

/// The place of an element of an array.
#[must_use]
pub(super) fn item_place(array: &Array, index: usize) -> NodeId {
    array.prefix.get(index).copied().unwrap_or(array.items)
}
