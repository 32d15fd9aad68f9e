//! What a place knows and what it leaves open: closing for strict, catch-alls for open.

use super::make::{any_of, list, literal, member, object, one_of, string, typed, wrap};
use super::{Node, NodeId, Object, ObjectId, Origin, Residual, Wire};
use crate::json::{self, Literal, Value};
use indexmap::IndexSet;

/// Whether the strict reading refuses what an object shape does not declare.
///
/// Free-form shapes and typed maps say what their other members are; a shape with declared members
/// that leaves the rest to chance does not.
#[must_use]
pub fn is_closed_when_strict(wire: &Wire, id: ObjectId) -> bool {
    let object = wire.object(id);
    wire.is_any(object.rest)
        && (!object.patterns.is_empty() || object.fields.values().any(|field| field.declared))
}

/// Names that a conditional part of an object declares (`then`, `dependentSchemas`): the contract
/// knows them although they are no members of the shape itself.
#[must_use]
pub fn names_beyond(wire: &Wire, object: &Object) -> IndexSet<String> {
    let mut names = IndexSet::new();
    let mut seen = IndexSet::new();
    let mut next = 0;
    seen.extend(object.residual.iter().flat_map(asserted_nodes));
    while let Some(&id) = seen.get_index(next) {
        next += 1;
        for variant in &wire.node(id).objects {
            let shape = wire.object(variant.object);
            let declared = shape
                .fields
                .iter()
                .filter(|(_, field)| field.declared && !wire.is_never(field.node));
            names.extend(declared.map(|(name, _)| name.clone()));
            seen.extend(shape.residual.iter().flat_map(asserted_nodes));
        }
    }
    names.retain(|name| !object.fields.contains_key(name));
    names
}

/// The places of a residual that a document has to satisfy (not those that only test it).
pub(super) fn asserted_nodes(residual: &Residual) -> Vec<NodeId> {
    match residual.keyword {
        "if" => residual.nodes.iter().skip(1).copied().collect(),
        "allOf" | "anyOf" | "oneOf" | "dependentSchemas" => residual.nodes.clone(),
        _ => Vec::new(),
    }
}

/// Whether each two known alternatives of a place differ in some tag, so that never two match.
#[must_use]
pub fn told_apart(node: &Node) -> bool {
    let known: Vec<_> = node
        .objects
        .iter()
        .filter(|variant| !variant.is_catch_all())
        .collect();
    known.iter().enumerate().all(|(at, left)| {
        known[at + 1..].iter().all(|right| {
            left.tags.iter().any(|one| {
                let other = right.tags.iter().find(|tag| tag.name == one.name);
                other.is_some_and(|other| {
                    one.values.iter().all(|value| !other.values.contains(value))
                })
            })
        })
    })
}

/// Alternatives of a place, each with what says that no alternative of another `oneOf` branch may
/// hold beside it.
///
/// The wire view tells of a place that some alternatives exclude each other, and their origins tell
/// which: those that part at two branches of one `oneOf`. Where a reference hides that, the result
/// accepts more than the schema, never less.
pub(super) fn held_apart(alternatives: Vec<json::Node>, origins: &[&Origin]) -> Vec<json::Node> {
    let count = alternatives.len().min(origins.len());
    let others = |at: usize| {
        (0..count).filter(move |other| *other != at && part_at_one_of(origins[at], origins[*other]))
    };
    if count > 1 && (0..count).all(|at| others(at).count() == count - 1) {
        return vec![one_of(alternatives)];
    }
    let alone = |at: usize| {
        let others: Vec<_> = others(at)
            .map(|other| alternatives[other].clone())
            .collect();
        if others.is_empty() {
            return alternatives[at].clone();
        }
        let own = list(vec![alternatives[at].clone()]);
        object(vec![("allOf", own), ("not", any_of(others))])
    };
    (0..count).map(alone).collect()
}

fn part_at_one_of(left: &Origin, right: &Origin) -> bool {
    let mut before = "";
    for (one, other) in left.pointer.split('/').zip(right.pointer.split('/')) {
        if one != other {
            return before == "oneOf";
        }
        before = one;
    }
    false
}

/// The values of outer tags, and the alternatives that carry them.
type Group = (Vec<(String, Literal)>, Vec<usize>);

/// A catch-all for each level of a tagged union that has none.
pub(super) fn missing_catch_alls(node: &Node) -> Vec<json::Node> {
    let mut found = Vec::new();
    if !node.union {
        return found;
    }
    // Each group is what one choice of the outer tags left over; the levels are few.
    let mut groups: Vec<Group> = vec![(Vec::new(), (0..node.objects.len()).collect())];
    for name in &node.tags {
        let mut inner = Vec::new();
        for (outer, members) in groups {
            let tag_of = |at: &usize| node.objects[*at].tags.iter().find(|tag| &tag.name == name);
            let with_tag: Vec<_> = members
                .iter()
                .filter_map(|at| Some((*at, tag_of(at)?)))
                .collect();
            let values: IndexSet<&Literal> =
                with_tag.iter().flat_map(|(_, tag)| &tag.values).collect();
            if !values.is_empty() && with_tag.iter().all(|(_, tag)| !tag.values.is_empty()) {
                found.push(catch_all(&outer, name, &values));
            }
            for value in values {
                let mut path = outer.clone();
                path.push((name.clone(), value.clone()));
                let chosen = with_tag
                    .iter()
                    .filter(|(_, tag)| tag.values.contains(value));
                inner.push((path, chosen.map(|(at, _)| *at).collect()));
            }
        }
        groups = inner;
    }
    found
}

fn catch_all(outer: &[(String, Literal)], tag: &str, known: &IndexSet<&Literal>) -> json::Node {
    let mut properties: Vec<_> = outer
        .iter()
        .map(|(name, value)| member(name, object(vec![("const", literal(value))])))
        .collect();
    let excluded = object(vec![(
        "enum",
        list(known.iter().map(|value| literal(value)).collect()),
    )]);
    let strings = known.iter().all(|value| value.type_name() == "string");
    let unknown = vec![("not", excluded)];
    properties.push(member(
        tag,
        if strings {
            typed("string", unknown)
        } else {
            object(unknown)
        },
    ));
    let required = outer
        .iter()
        .map(|(name, _)| string(name))
        .chain([string(tag)])
        .collect();
    typed(
        "object",
        vec![
            ("properties", wrap(Value::Object(properties))),
            ("required", list(required)),
        ],
    )
}
