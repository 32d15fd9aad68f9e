//! What a place knows and what it leaves open: closing for strict, catch-alls for open.

use super::make::{any_of, list, literal, member, object, one_of, string, typed, wrap};
use super::{Node, NodeId, Object, ObjectId, Origin, Residual, Variant, Wire};
use crate::json::{self, Literal, Value};
use crate::maps::{HashMap, HashSet, IndexMap, IndexSet};
use std::collections::VecDeque;

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
    let mut names = IndexSet::default();
    let mut seen = IndexSet::default();
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
    let differ = |left: &Variant, right: &Variant| {
        left.tags.iter().any(|one| {
            let other = right.tags.iter().find(|tag| tag.name == one.name);
            other.is_some_and(|other| one.values.iter().all(|value| !other.values.contains(value)))
        })
    };
    let known: Vec<&Variant> = node
        .objects
        .iter()
        .filter(|variant| !variant.is_catch_all())
        .collect();
    // Most differ in the first tag, and there may be thousands: pairs are those that do not.
    let mut alike: HashMap<&Literal, Vec<&Variant>> = HashMap::default();
    let mut loose: Vec<&Variant> = Vec::new();
    for variant in &known {
        let first = variant
            .tags
            .iter()
            .find(|tag| node.tags.first() == Some(&tag.name));
        match first.filter(|tag| !tag.values.is_empty()) {
            Some(tag) => {
                for value in &tag.values {
                    alike.entry(value).or_default().push(variant);
                }
            }
            None => loose.push(variant),
        }
    }
    let each_two = |group: &Vec<&Variant>| {
        let mut later = group.iter().enumerate();
        later.all(|(at, left)| group[at + 1..].iter().all(|right| differ(left, right)))
    };
    let of_loose = |one: &&Variant| {
        let mut others = known.iter().filter(|other| !std::ptr::eq(*one, **other));
        others.all(|other| differ(one, other))
    };
    alike.values().all(each_two) && loose.iter().all(of_loose)
}

/// Whether a place is a union of objects of which each two known ones differ in some tag.
#[must_use]
pub fn is_tagged_union(node: &Node) -> bool {
    let known = node.objects.iter().filter(|one| !one.is_catch_all());
    known.count() > 1 && told_apart(node)
}

/// Alternatives of a place, those that stand on different branches of one `oneOf` within one again.
///
/// The wire view tells of a place that some alternatives exclude each other, and their origins tell
/// which: those that part at two branches of one `oneOf`. Where a reference hides that, the result
/// accepts more than the schema, never less.
pub(super) fn held_apart(alternatives: Vec<json::Node>, origins: &[&Origin]) -> Vec<json::Node> {
    let paths: Vec<_> = origins
        .iter()
        .map(|origin| branches(&origin.pointer))
        .collect();
    let mut taken: HashMap<&str, HashSet<&str>> = HashMap::default();
    for (owner, branch) in paths.iter().flatten() {
        taken.entry(owner).or_default().insert(branch);
    }
    // A `oneOf` that all its alternatives left by the same branch holds nothing apart.
    let contested = paths.iter().map(|path| {
        let path = path.iter().filter(|(owner, _)| taken[owner].len() > 1);
        path.copied().collect()
    });
    nested(alternatives.into_iter().zip(contested).collect())
}

/// Each `oneOf` on the way to a place, outermost first, with the branch that was taken there.
fn branches(pointer: &str) -> Vec<(&str, &str)> {
    let mut path = Vec::new();
    let mut end = 0;
    let mut before = "";
    for step in pointer.split('/') {
        // A member that is called so has names below it.
        if before == "oneOf" && step.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push((&pointer[..end], step));
        }
        end += step.len() + 1;
        before = step;
    }
    path
}

/// An alternative, and the branches that lead to it from where it is put.
type Branched<'p> = (json::Node, VecDeque<(&'p str, &'p str)>);

/// One schema for each `oneOf` that some of the alternatives stand in, and those that stand in none.
fn nested(alternatives: Vec<Branched<'_>>) -> Vec<json::Node> {
    let mut found: Vec<json::Node> = Vec::new();
    let mut owners: IndexMap<&str, IndexMap<&str, Vec<Branched<'_>>>> = IndexMap::default();
    for (node, mut path) in alternatives {
        match path.pop_front() {
            Some((owner, branch)) => {
                let branches = owners.entry(owner).or_default();
                branches.entry(branch).or_default().push((node, path));
            }
            None => found.push(node),
        }
    }
    for branches in owners.into_values() {
        let branches = branches.into_values();
        found.push(one_of(
            branches.map(|inner| any_of(nested(inner))).collect(),
        ));
    }
    found
}

/// The values of outer tags, and the alternatives that carry them.
type Group = (Vec<(String, Literal)>, Vec<usize>);

/// Whether a new JSON type at a place is a new variant: the place is a union already, of
/// alternatives that consumers tell apart, and objects or arrays are among them. A list of scalar
/// types is no union that grows.
#[must_use]
pub fn may_gain_types(wire: &Wire, id: NodeId) -> bool {
    alternatives(wire.node(id)) > 1 && takes_further_types(wire, id)
}

fn alternatives(node: &Node) -> usize {
    let scalars = [
        node.boolean.is_some(),
        node.number.is_some(),
        node.string.is_some(),
    ];
    let taken = scalars.iter().filter(|taken| **taken).count();
    taken + node.objects.len() + node.arrays.len()
}

/// Whether a place would take further types once it is a union of some alternatives.
fn takes_further_types(wire: &Wire, id: NodeId) -> bool {
    let node = wire.node(id);
    let scalars = [
        node.boolean.is_some(),
        node.number.is_some(),
        node.string.is_some(),
    ];
    let taken = scalars.iter().filter(|taken| **taken).count();
    // Listed arrays and objects are values of an enum, and an enum grows by its own rule.
    let shapes = node.arrays.iter().any(|array| array.values.is_none())
        || node
            .objects
            .iter()
            .any(|variant| wire.object(variant.object).values.is_none());
    // A place that takes `null` and most scalars beside objects was never narrowed to
    // alternatives: it is one without a type, less what a `not` took away.
    let untyped = node.null && taken > 1;
    shapes
        && !untyped
        // What is not known yet was promised to be an object of the catch-all's shape.
        && !node.objects.iter().any(|variant| catches_strings(wire, variant))
}

/// What alternatives a union may still gain: values of JSON types that it does not have, and objects.
/// Where it has a catch-all, new objects are of its shape, and tags alone tell them apart.
pub(super) fn room_to_grow(wire: &Wire, id: NodeId) -> Vec<json::Node> {
    let node = wire.node(id);
    if node
        .objects
        .iter()
        .any(|variant| catches_strings(wire, variant))
    {
        return missing_catch_alls(node);
    }
    // A union of one alternative so far may gain a second, and then other types.
    let grows = node.union || alternatives(node) > 1;
    let mut room = Vec::new();
    if grows && takes_further_types(wire, id) {
        let missing = [
            ("boolean", node.boolean.is_none()),
            ("number", node.number.is_none()),
            ("string", node.string.is_none()),
            ("array", node.arrays.is_empty()),
            ("object", node.objects.is_empty()),
        ];
        let missing = missing.iter().filter(|(_, is_missing)| *is_missing);
        room.extend(missing.map(|(name, _)| typed(name, Vec::new())));
    }
    if grows && !node.objects.is_empty() {
        // Where no tag tells the known ones apart, a new one may be told by the members it requires
        // alone, and holds anything beside them: no object is left that it could not be.
        let tagged = is_tagged_union(node).then_some(&node.objects);
        let constants = |variant: &Variant| constants(wire, variant.object);
        let known: Vec<_> = tagged.into_iter().flatten().filter_map(constants).collect();
        room.push(if known.is_empty() {
            typed("object", Vec::new())
        } else {
            typed("object", vec![("not", any_of(known))])
        });
    }
    room
}

/// Whether an alternative takes further values of a tag; an open tag of another type than strings
/// takes none of those that new alternatives would have.
fn catches_strings(wire: &Wire, variant: &Variant) -> bool {
    let fields = &wire.object(variant.object).fields;
    variant.tags.iter().any(|tag| {
        let field = fields.get(&tag.name);
        tag.values.is_empty() && field.is_none_or(|field| wire.node(field.node).string.is_some())
    })
}

/// The required members of an object that are one of a few values each, as a schema.
fn constants(wire: &Wire, id: ObjectId) -> Option<json::Node> {
    let fields = wire.object(id).fields.iter();
    let (names, members): (Vec<_>, Vec<_>) = fields
        .filter(|(_, field)| field.required)
        .filter_map(|(name, field)| {
            let values = constant_strings(wire.node(field.node))?;
            Some((
                string(name),
                member(name, object(vec![("enum", list(values))])),
            ))
        })
        .unzip();
    (!names.is_empty()).then(|| {
        object(vec![
            ("properties", wrap(Value::Object(members))),
            ("required", list(names)),
        ])
    })
}

/// The strings of a place that takes a few of them and nothing else.
fn constant_strings(node: &Node) -> Option<Vec<json::Node>> {
    let scalar = node.string.as_ref()?;
    let only_strings = !node.null
        && node.boolean.is_none()
        && node.number.is_none()
        && node.arrays.is_empty()
        && node.objects.is_empty();
    let is_closed = scalar.tails.is_empty() && !scalar.known.is_empty();
    (only_strings && is_closed).then(|| {
        scalar
            .known
            .iter()
            .map(|known| literal(&known.value))
            .collect()
    })
}

/// A catch-all for each level of a tagged union that has none.
fn missing_catch_alls(node: &Node) -> Vec<json::Node> {
    let mut found = Vec::new();
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
