//! Object alternatives by what their tags say, so that mostly one is left to be tried.

use super::table::{Alternative, Branches, Choice, Dispatch};
use crate::json::Literal;
use crate::maps::IndexSet;
use crate::maps::{HashMap, HashSet};
use crate::wire::{Node, NodeId, ScalarFacts, Separate, Wire};

/// So many values of a tag are told apart; a union with more is tried one by one.
const MAX_VALUES: usize = 4096;

type Held = (Alternative, Branches);

/// The object alternatives of a place.
///
/// Tags leave out alternatives that cannot hold and decide nothing else: what is left is held
/// against its whole shape, in which the tag stands as a member like any other.
pub(super) fn choice(wire: &Wire, node: &Node) -> Choice {
    let is_catch_all = |object| {
        let variant = node.objects.iter().find(|variant| variant.object == object);
        variant.is_some_and(|variant| variant.is_catch_all())
    };
    let held = node.held_apart.iter().filter_map(|held| match held.what {
        Separate::Object(object) => Some((object, held.branches.clone())),
        _ => None,
    });
    let mut all: Vec<_> = held.collect();
    for variant in &node.objects {
        if !all.iter().any(|(object, _)| *object == variant.object) {
            all.push((variant.object, Branches::new()));
        }
    }
    let all = all.into_iter().map(|(object, branches)| {
        let alternative = Alternative {
            shape: object.0,
            catch_all: is_catch_all(object),
        };
        (alternative, branches)
    });
    let all: Vec<Held> = all.collect();
    let mut names: IndexSet<&str> = node.tags.iter().map(String::as_str).collect();
    names.extend(telling(wire, &all));
    let names: Vec<&str> = names.into_iter().collect();
    split(wire, all, &names)
}

/// Members that are named values in at least half of the alternatives.
fn telling<'w>(wire: &'w Wire, all: &[Held]) -> Vec<&'w str> {
    if all.len() < 2 {
        return Vec::new();
    }
    let mut counts: crate::maps::IndexMap<&str, usize> = crate::maps::IndexMap::default();
    for (alternative, _) in all {
        for (name, field) in &object(wire, *alternative).fields {
            let string = wire.node(field.node).string.as_ref();
            if field.required && string.is_some_and(|string| string.is_closed_enum()) {
                *counts.entry(name).or_default() += 1;
            }
        }
    }
    counts.retain(|_, count| *count * 2 >= all.len());
    counts.into_keys().collect()
}

fn object(wire: &Wire, alternative: Alternative) -> &crate::wire::Object {
    wire.object(crate::wire::ObjectId(alternative.shape))
}

fn split(wire: &Wire, all: Vec<Held>, names: &[&str]) -> Choice {
    let Some((name, inner)) = names.split_first().filter(|_| all.len() > 1) else {
        return match all.as_slice() {
            [] => Choice::None,
            [(alternative, _)] => Choice::One(*alternative),
            _ => Choice::Several(all),
        };
    };
    let places: Vec<Option<(NodeId, bool)>> = all
        .iter()
        .map(|(alternative, _)| {
            let field = object(wire, *alternative).fields.get(*name)?;
            Some((field.node, field.required))
        })
        .collect();
    let mut values: HashSet<&Literal> = HashSet::default();
    for (id, _) in places.iter().flatten() {
        let known = wire
            .node(*id)
            .string
            .iter()
            .flat_map(|scalar| &scalar.known);
        values.extend(known.map(|known| &known.value));
    }
    if values.is_empty() || values.len() > MAX_VALUES {
        return split(wire, all, inner);
    }
    let keep = |holds: &dyn Fn(&Node, bool) -> bool| -> Vec<Held> {
        let kept = all.iter().zip(&places).filter(|(_, place)| match place {
            Some((id, required)) => holds(wire.node(*id), *required),
            // Nothing is said of the member, or patterns and the rest say it.
            None => true,
        });
        kept.map(|(held, _)| held.clone()).collect()
    };
    let mut by_value = HashMap::default();
    for value in values {
        let kept = keep(&|node, _| {
            node.string.as_ref().is_some_and(|scalar| {
                scalar.known.iter().any(|known| known.value == *value)
                    || scalar.tails.iter().any(|facts| facts.accepts(value))
            })
        });
        if let Some(text) = value.as_string() {
            by_value.insert(text.into(), split(wire, kept, inner));
        }
    }
    let other_string = keep(&|node, _| {
        node.string
            .as_ref()
            .is_some_and(|scalar| !scalar.tails.is_empty())
    });
    let other_type = keep(&|node, _| {
        node.null
            || node.boolean.is_some()
            || node.number.is_some()
            || !node.arrays.is_empty()
            || !node.objects.is_empty()
    });
    let absent = keep(&|_, required| !required);
    Choice::Tagged(Box::new(Dispatch {
        name: (*name).into(),
        head: format!("{}:\"", Literal::string(name)).into(),
        by_value,
        other_string: split(wire, other_string, inner),
        other_type: split(wire, other_type, inner),
        absent: split(wire, absent, inner),
    }))
}
