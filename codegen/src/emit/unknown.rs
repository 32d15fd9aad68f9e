//! The catch-alls of a union: one holder takes what no known variant is.

use super::names::{self, Scope};
use super::plan::{Context, Field, ItemId, Kind, Quiet, Struct, Type};
use super::planner::Planner;
use crate::wire::{Docs, Node, NodeId, Variant, Wire};

/// The catch-alls of a union, grouped by the holder that takes them.
///
/// Those whose tags lie along one way share one, so that a program has one place for whatever it
/// does not know, be it a type or a subtype. What they declare beside their tags does not part
/// them: one more member on one of them would otherwise split the holder that consumers match on.
pub(super) fn groups(wire: &Wire, node: &Node) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, variant) in node.objects.iter().enumerate() {
        if !variant.is_catch_all() || !holds_strings(wire, variant) {
            continue;
        }
        let shared = groups.iter_mut().find(|group| {
            group
                .first()
                .is_some_and(|first| fit(wire, node, *first, index))
        });
        match shared {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}

/// Whether all tags of a catch-all are required strings, which the holder can keep.
fn holds_strings(wire: &Wire, variant: &Variant) -> bool {
    variant.tags.iter().all(|tag| {
        let field = wire.object(variant.object).fields.get(&tag.name);
        let string = field
            .filter(|field| field.required && field.declared)
            .map(|field| wire.node(field.node));
        let only_string = string.is_some_and(|node| {
            node.string.is_some()
                && !node.null
                && node.boolean.is_none()
                && node.number.is_none()
                && node.arrays.is_empty()
                && node.objects.is_empty()
        });
        only_string && tag.values.iter().all(|value| value.type_name() == "string")
    })
}

fn fit(wire: &Wire, node: &Node, left: usize, right: usize) -> bool {
    let (Some(left), Some(right)) = (node.objects.get(left), node.objects.get(right)) else {
        return false;
    };
    let rest = |variant: &Variant| wire.object(variant.object).rest;
    let nested = left
        .tags
        .iter()
        .zip(&right.tags)
        .all(|(left, right)| left.name == right.name);
    let plain = |variant: &Variant| wire.object(variant.object).patterns.is_empty();
    nested && rest(left) == rest(right) && plain(left) && plain(right)
}

/// Plans the holder: its tags, then what the catch-alls declare beside them.
pub(super) fn holder(
    planner: &mut Planner<'_>,
    id: ItemId,
    node: NodeId,
    catch_alls: &[usize],
) -> (Docs, Option<String>, Kind) {
    let wire = planner.wire;
    let variants: Vec<&Variant> = catch_alls
        .iter()
        .filter_map(|index| wire.node(node).objects.get(*index))
        .collect();
    let shortest = variants.iter().min_by_key(|variant| variant.tags.len());
    let longest = variants.iter().max_by_key(|variant| variant.tags.len());
    let (Some(shortest), Some(longest)) = (shortest, longest) else {
        return (Docs::default(), None, Kind::Text(Default::default()));
    };
    let is_tag = |name: &str| longest.tags.iter().any(|tag| tag.name == name);
    let mut shape = planner.structure(id, shortest.object);
    shape.fields.retain(|field| !is_tag(&field.wire));
    for variant in &variants {
        if variant.object == shortest.object {
            continue;
        }
        let mut other = planner.structure(id, variant.object);
        other.fields.retain(|field| !is_tag(&field.wire));
        if !join(&mut shape, other) {
            let context = Context {
                parent: Some(id),
                part: "extra".to_owned(),
            };
            let reason = "what its catch-alls declare differently is not checked";
            planner.note(&context, reason);
        }
    }
    let mut scope = Scope::with(&["extra"]);
    for field in &shape.fields {
        scope.take(&field.rust);
    }
    let mut fields = Vec::new();
    for (depth, tag) in longest.tags.iter().enumerate() {
        // The branch where this tag is open says what an unknown value of it is.
        let open = variants.iter().find(|variant| {
            variant
                .tags
                .get(depth)
                .is_some_and(|own| own.values.is_empty())
        });
        let field = wire
            .object(open.unwrap_or(longest).object)
            .fields
            .get(&tag.name);
        let docs = field.map(|field| field.docs.clone()).unwrap_or_default();
        let origins = field.map(|field| field.origins.clone()).unwrap_or_default();
        fields.push(Field {
            wire: tag.name.clone(),
            rust: scope.take(&names::snake(&tag.name)),
            ty: Type::String,
            required: depth < shortest.tags.len(),
            constant: None,
            docs: Quiet(docs),
            formats: Quiet(Vec::new()),
            origins: Quiet(origins),
        });
    }
    shape.unknown_tags = fields.len();
    shape.required_tags = shortest.tags.len();
    fields.append(&mut shape.fields);
    shape.fields = fields;
    let object = wire.object(shortest.object);
    (
        object.docs.clone(),
        object.definition.clone(),
        Kind::Struct(shape),
    )
}

/// Takes the members of another catch-all into the holder. One that only some declare is optional;
/// one that they type differently stays among the undeclared, and then the answer is no.
fn join(shape: &mut Struct, other: Struct) -> bool {
    let mut agree = true;
    let mut joined: Vec<Field> = Vec::new();
    let mut others = other.fields;
    for mut field in shape.fields.drain(..) {
        let same = others.iter().position(|same| same.wire == field.wire);
        match same.map(|at| others.remove(at)) {
            Some(same) if same.ty == field.ty && same.constant == field.constant => {
                field.required &= same.required;
            }
            Some(_) => {
                agree = false;
                continue;
            }
            None => field.required = false,
        }
        joined.push(field);
    }
    let mut scope = Scope::with(&["extra"]);
    for field in &joined {
        scope.take(&field.rust);
    }
    for mut field in others {
        field.rust = scope.take(&names::snake(&field.wire));
        field.required = false;
        joined.push(field);
    }
    // The one possible value of a member has no type of its own, so that it cannot be optional.
    let before = joined.len();
    joined.retain(|field| field.required || field.constant.is_none());
    agree &= joined.len() == before;
    shape.fields = joined;
    shape
        .undeclared
        .retain(|name| other.undeclared.contains(name));
    agree
}
