//! What needs every place to be known: empty alternatives, tags, exclusive unions, canonical order of members.

use super::exclusive::{self, Choices, Looks, Path, exclude_each_other};
use super::tags::{find_tags, tags_first};
use crate::maps::{HashMap, HashSet, IndexSet};
use crate::wire::{Known, Node, NodeId, Object, ObjectId, Origin, Scalar, ScalarFacts, Variant};

/// Completes the places of a built graph; gives the branches of unions that nothing satisfies.
pub(super) fn finish(
    nodes: &mut [Node],
    objects: &mut [Object],
    choices: &HashMap<NodeId, Choices>,
    looks: &mut Looks,
) -> Unfit {
    let mut unfit = Unfit::default();
    let never: Vec<bool> = nodes.iter().map(Node::is_never).collect();
    for index in 0..nodes.len() {
        let id = NodeId(u32::try_from(index).unwrap_or(u32::MAX));
        let living = choices.get(&id).map(|choices| {
            prune(
                &mut nodes[index],
                objects,
                &choices.objects,
                &never,
                &mut unfit.impossible,
            )
        });
        if nodes[index].union {
            let (names, tags) = find_tags(nodes, &nodes[index], objects);
            let node = &mut nodes[index];
            node.tags = names;
            for (variant, tags) in node.objects.iter_mut().zip(tags) {
                variant.tags = tags;
            }
        }
        if let (Some(choices), Some(living)) = (choices.get(&id), living) {
            let before = looks.spent;
            let arrays = exclusive::arrays_apart(&nodes[index], &choices.arrays, looks);
            let shapes = exclusive::objects_apart(nodes, &nodes[index], objects, &living, looks);
            let node = &mut nodes[index];
            node.exclusive = choices.overlap || !(arrays.is_empty() && shapes.is_empty());
            node.held_apart.extend(arrays);
            node.held_apart.extend(shapes);
            if looks.spent && !before {
                unfit.too_many = node.origins.first().cloned();
            }
        }
    }
    // Every name is a string, so what takes all of those says nothing of names.
    for object in objects.iter_mut() {
        let names = object
            .names
            .filter(|id| !nodes[id.0 as usize].takes_every_string());
        object.names = names;
    }
    for node in nodes.iter() {
        for variant in &node.objects {
            tags_first(&mut objects[variant.object.0 as usize], &variant.tags);
        }
    }
    unfit
}

/// What does not fit into a graph that is otherwise complete.
#[derive(Default)]
pub(super) struct Unfit {
    /// Branches of unions that nothing satisfies.
    pub(super) impossible: IndexSet<Origin>,
    /// The first place with more alternatives than can be compared with one another.
    pub(super) too_many: Option<Origin>,
}

/// Drops alternatives that nothing satisfies and those that repeat another, unless a `oneOf`
/// holds the two apart; gives every one that something satisfies, with the choices behind it.
fn prune(
    node: &mut Node,
    objects: &[Object],
    paths: &[Path],
    never: &[bool],
    impossible: &mut IndexSet<Origin>,
) -> Vec<(ObjectId, Path)> {
    if let [only] = node.objects.as_slice()
        && !objects[only.object.0 as usize].asks_for_nothing(|id| never[id.0 as usize])
    {
        return vec![(only.object, paths[0].clone())];
    }
    let many = node.objects.len() > 1;
    let candidates: Vec<Variant> = node.objects.drain(..).collect();
    let empty: Vec<bool> = candidates
        .iter()
        .map(|variant| {
            objects[variant.object.0 as usize].asks_for_nothing(|id| never[id.0 as usize])
        })
        .collect();
    // A branch may be multiplied out into several alternatives, and lives by any of them. One that
    // lives by none still stands in the schema: it stays a variant, so that what made it
    // impossible can be told, and is named as impossible.
    let alive: HashSet<Origin> = match empty.contains(&true) {
        true => {
            let alive = candidates.iter().zip(&empty).filter(|(_, empty)| !**empty);
            alive.map(|(variant, _)| variant.origin.clone()).collect()
        }
        false => HashSet::default(),
    };
    let mut living = Vec::with_capacity(candidates.len());
    let mut kept: HashMap<ObjectId, Vec<usize>> = HashMap::default();
    for (at, (variant, empty)) in candidates.into_iter().zip(empty).enumerate() {
        let path = &paths[at];
        if !empty {
            living.push((variant.object, path.clone()));
        }
        if empty && (!many || alive.contains(&variant.origin)) {
            continue;
        }
        let same = kept.entry(variant.object).or_default();
        if same
            .iter()
            .any(|index| !exclude_each_other(&paths[*index], path))
        {
            continue;
        }
        same.push(at);
        if empty {
            impossible.insert(variant.origin.clone());
        }
        node.objects.push(variant);
    }
    // What is left of several alternatives is no union when only one is.
    node.union &= if many {
        node.objects.len() > 1
    } else {
        node.objects.len() == 1
    };
    living
}

/// Whether no object satisfies both shapes, told by one member that must stand in both, or that
/// must stand in one and cannot in the other.
#[must_use]
pub fn disjoint(nodes: &[Node], left: &Object, right: &Object) -> bool {
    let node = |id: NodeId| &nodes[id.0 as usize];
    let forbids = |object: &Object, name: &str| match object.fields.get(name) {
        Some(field) => node(field.node).is_never(),
        None => object.patterns.is_empty() && node(object.rest).is_never(),
    };
    let asks = |one: &Object, other: &Object| {
        one.fields
            .iter()
            .any(|(name, field)| field.required && forbids(other, name))
    };
    let shared = left
        .fields
        .iter()
        .any(|(name, field)| match right.fields.get(name) {
            Some(other) => {
                field.required
                    && other.required
                    && scalars_disjoint(node(field.node), node(other.node))
            }
            None => false,
        });
    shared || asks(left, right) || asks(right, left)
}

/// Whether two places share no value, as far as scalar types tell.
fn scalars_disjoint(left: &Node, right: &Node) -> bool {
    let booleans = match (&left.boolean, &right.boolean) {
        (Some(one), Some(other)) => {
            !(one.allow_true && other.allow_true || one.allow_false && other.allow_false)
        }
        _ => true,
    };
    !(left.null && right.null)
        && booleans
        && (left.arrays.is_empty() || right.arrays.is_empty())
        && (left.objects.is_empty() || right.objects.is_empty())
        && type_disjoint(left.string.as_ref(), right.string.as_ref())
        && type_disjoint(left.number.as_ref(), right.number.as_ref())
}

fn type_disjoint<F: ScalarFacts>(left: Option<&Scalar<F>>, right: Option<&Scalar<F>>) -> bool {
    let (Some(left), Some(right)) = (left, right) else {
        return true;
    };
    let accepts = |tails: &[F], known: &[Known]| {
        known
            .iter()
            .any(|known| tails.iter().any(|tail| tail.accepts(&known.value)))
    };
    let values: HashSet<_> = left.known.iter().map(|known| &known.value).collect();
    !right
        .known
        .iter()
        .any(|known| values.contains(&known.value))
        && !accepts(&left.tails, &right.known)
        && !accepts(&right.tails, &left.known)
        && left
            .tails
            .iter()
            .all(|one| right.tails.iter().all(|other| one.disjoint(other)))
}
