//! What needs every place to be known: empty alternatives, tags, exclusive unions, canonical order.

use super::scalars::Part;
use crate::json::Literal;
use crate::schema::SchemaId;
use crate::wire::{
    Array, BooleanShape, Known, Node, NodeId, Object, ObjectId, Origin, Scalar, ScalarFacts, Tag,
    Variant, Wire,
};
use indexmap::IndexSet;
use std::collections::{HashMap, HashSet, VecDeque};

/// The `oneOf` choices behind the alternatives of one place, type by type.
#[derive(Debug, Default)]
pub(super) struct Choices {
    pub(super) numbers: Vec<Path>,
    pub(super) strings: Vec<Path>,
    pub(super) arrays: Vec<Path>,
    pub(super) objects: Vec<Path>,
    pub(super) nulls: Vec<Path>,
    pub(super) booleans: Vec<(Path, BooleanShape)>,
    /// Whether scalar alternatives of different branches overlap.
    pub(super) overlap: bool,
}

impl Choices {
    /// Whether `null` or one boolean stands on two branches of one `oneOf`.
    pub(super) fn constants_overlap(&self) -> bool {
        let shared = |one: &BooleanShape, other: &BooleanShape| {
            (one.allow_true && other.allow_true) || (one.allow_false && other.allow_false)
        };
        any_pair(self.nulls.len(), |left, right| {
            exclude_each_other(&self.nulls[left], &self.nulls[right])
        }) || any_pair(self.booleans.len(), |left, right| {
            let ((one, is), (other, has)) = (&self.booleans[left], &self.booleans[right]);
            exclude_each_other(one, other) && shared(is, has)
        })
    }
}

/// The branches taken, each with the schema of its `oneOf`.
type Path = Vec<(SchemaId, u32)>;

/// Whether two alternatives stand on different branches of one `oneOf`.
fn exclude_each_other(left: &Path, right: &Path) -> bool {
    left.iter().any(|(owner, branch)| {
        right
            .iter()
            .any(|(other, taken)| owner == other && branch != taken)
    })
}

/// Whether alternatives of different branches can hold for one scalar.
pub(super) fn overlap<F: ScalarFacts>(paths: &[Path], parts: &[Part<F>]) -> bool {
    // Long lists of values are common, and comparing each with each would be quadratic.
    let mut seen = HashSet::new();
    let mut distinct = true;
    for part in parts {
        match &part.values {
            Some(values) => distinct &= values.iter().all(|known| seen.insert(&known.value)),
            None => distinct = false,
        }
    }
    if distinct {
        return false;
    }
    let open: Vec<usize> = (0..parts.len())
        .filter(|index| parts[*index].values.is_none() || parts.len() < 64)
        .collect();
    open.iter().any(|left| {
        (0..parts.len()).any(|right| {
            *left != right
                && exclude_each_other(&paths[*left], &paths[right])
                && !parts[*left].disjoint(&parts[right])
        })
    })
}

/// Takes out the named values that two branches of one `oneOf` share: exactly one has to match.
pub(super) fn drop_shared<F>(paths: &[Path], parts: &mut [Part<F>]) {
    let mut shared: Vec<HashSet<Literal>> = vec![HashSet::new(); parts.len()];
    let mut holders: HashMap<Literal, Vec<usize>> = HashMap::new();
    for (index, part) in parts.iter().enumerate() {
        for known in part.values.iter().flatten() {
            holders.entry(known.value.clone()).or_default().push(index);
        }
    }
    for (value, holders) in holders {
        for left in &holders {
            let excluded = |right: &usize| exclude_each_other(&paths[*left], &paths[*right]);
            if holders.iter().any(excluded) {
                shared[*left].insert(value.clone());
            }
        }
    }
    for (part, shared) in parts.iter_mut().zip(shared) {
        if let Some(values) = &mut part.values {
            values.retain(|known| !shared.contains(&known.value));
        }
    }
}

/// Completes the places of a built graph; gives the branches of unions that nothing satisfies.
pub(super) fn finish(
    nodes: &mut [Node],
    objects: &mut [Object],
    choices: &HashMap<NodeId, Choices>,
) -> Vec<Origin> {
    let mut unsatisfiable = Vec::new();
    let never: Vec<bool> = nodes.iter().map(is_empty).collect();
    for index in 0..nodes.len() {
        let id = NodeId(u32::try_from(index).unwrap_or(u32::MAX));
        let paths = choices.get(&id).map(|choices| {
            prune(
                &mut nodes[index],
                objects,
                &choices.objects,
                &never,
                &mut unsatisfiable,
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
        if let (Some(choices), Some(paths)) = (choices.get(&id), paths) {
            let pairs = arrays_overlap(&nodes[index], choices)
                + objects_overlap(nodes, &nodes[index], objects, &paths);
            let exclusive = choices.overlap || pairs > 0;
            nodes[index].exclusive_pairs = pairs;
            nodes[index].exclusive = exclusive;
        }
    }
    for node in nodes.iter() {
        for variant in &node.objects {
            tags_first(&mut objects[variant.object.0 as usize], &variant.tags);
        }
    }
    unsatisfiable
}

/// Drops alternatives that nothing satisfies and those that repeat another, unless a `oneOf`
/// holds the two apart; gives the paths of those that stay.
fn prune(
    node: &mut Node,
    objects: &[Object],
    paths: &[Path],
    never: &[bool],
    unsatisfiable: &mut Vec<Origin>,
) -> Vec<Path> {
    let mut kept: Vec<Path> = Vec::new();
    let mut seen: Vec<(ObjectId, usize)> = Vec::new();
    let mut variants = Vec::with_capacity(node.objects.len());
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
    let lives = |origin: &Origin| {
        let alive = candidates.iter().zip(&empty).filter(|(_, empty)| !**empty);
        alive
            .into_iter()
            .any(|(variant, _)| variant.origin == *origin)
    };
    let drops: Vec<bool> = candidates
        .iter()
        .zip(&empty)
        .map(|(variant, empty)| *empty && (!many || lives(&variant.origin)))
        .collect();
    for ((variant, path), (drop, empty)) in candidates
        .into_iter()
        .zip(paths)
        .zip(drops.into_iter().zip(empty))
    {
        let repeats = seen.iter().any(|(object, index)| {
            *object == variant.object && !exclude_each_other(&kept[*index], path)
        });
        if drop || repeats {
            continue;
        }
        if empty && !unsatisfiable.contains(&variant.origin) {
            unsatisfiable.push(variant.origin.clone());
        }
        seen.push((variant.object, kept.len()));
        kept.push(path.clone());
        variants.push(variant);
    }
    node.objects = variants;
    // What is left of several alternatives is no union when only one is.
    node.union &= if many {
        node.objects.len() > 1
    } else {
        node.objects.len() == 1
    };
    kept
}

fn is_empty(node: &Node) -> bool {
    !node.null
        && node.boolean.is_none()
        && node.number.is_none()
        && node.string.is_none()
        && node.arrays.is_empty()
        && node.objects.is_empty()
}

fn count_pairs(count: usize, test: impl Fn(usize, usize) -> bool) -> usize {
    let pairs = (0..count).flat_map(|left| (left + 1..count).map(move |right| (left, right)));
    pairs.filter(|(left, right)| test(*left, *right)).count()
}

fn any_pair(count: usize, test: impl Fn(usize, usize) -> bool) -> bool {
    (0..count).any(|left| (left + 1..count).any(|right| test(left, right)))
}

fn arrays_overlap(node: &Node, choices: &Choices) -> usize {
    let apart = |low: &Array, high: &Array| low.max_items.is_some_and(|most| most < high.min_items);
    count_pairs(node.arrays.len(), |left, right| {
        let (one, other) = (&node.arrays[left], &node.arrays[right]);
        exclude_each_other(&choices.arrays[left], &choices.arrays[right])
            && !apart(one, other)
            && !apart(other, one)
    })
}

fn objects_overlap(nodes: &[Node], node: &Node, objects: &[Object], paths: &[Path]) -> usize {
    let shapes: Vec<&Object> = node
        .objects
        .iter()
        .map(|variant| &objects[variant.object.0 as usize])
        .collect();
    count_pairs(shapes.len(), |left, right| {
        exclude_each_other(&paths[left], &paths[right])
            && !tags_differ(&node.objects[left].tags, &node.objects[right].tags)
            && !disjoint(nodes, shapes[left], shapes[right])
    })
}

/// Whether one tag has other values in each; most unions are told apart by that, and looking at
/// every member of every pair would cost the square of their size.
fn tags_differ(left: &[Tag], right: &[Tag]) -> bool {
    left.iter().zip(right).any(|(one, other)| {
        one.name == other.name
            && !one.values.is_empty()
            && !other.values.is_empty()
            && !one.values.iter().any(|value| other.values.contains(value))
    })
}

/// Whether no object satisfies both shapes, told by one member that must stand in both, or that
/// must stand in one and cannot in the other.
#[must_use]
pub fn disjoint(nodes: &[Node], left: &Object, right: &Object) -> bool {
    let node = |id: NodeId| &nodes[id.0 as usize];
    let forbids = |object: &Object, name: &str| match object.fields.get(name) {
        Some(field) => is_empty(node(field.node)),
        None => object.patterns.is_empty() && is_empty(node(object.rest)),
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

/// What a member says when it is looked at as a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Says {
    /// It must stand and has these values only.
    Values(Vec<Literal>),
    /// It must stand and has other values than those that are known elsewhere.
    Open,
    /// It tells nothing.
    Nothing,
}

/// What a member of an object shape says as a tag; its values are sorted.
#[must_use]
pub fn tag_says(wire: &Wire, object: ObjectId, name: &str) -> Says {
    match says(&wire.nodes, wire.object(object), name) {
        Says::Values(mut values) => {
            values.sort();
            Says::Values(values)
        }
        other => other,
    }
}

fn says(nodes: &[Node], object: &Object, name: &str) -> Says {
    let Some(field) = object.fields.get(name).filter(|field| field.required) else {
        return Says::Nothing;
    };
    let node = &nodes[field.node.0 as usize];
    if node.null || !node.arrays.is_empty() || !node.objects.is_empty() {
        return Says::Nothing;
    }
    let mut values = Vec::new();
    let mut open = false;
    if let Some(string) = &node.string {
        values.extend(string.known.iter().map(|known| known.value.clone()));
        open |= !string.tails.is_empty();
    }
    if let Some(number) = &node.number {
        values.extend(number.known.iter().map(|known| known.value.clone()));
        open |= !number.tails.is_empty();
    }
    match &node.boolean {
        // A boolean that may be either is a field, never a catch-all.
        Some(shape) if shape.allow_false && shape.allow_true => return Says::Nothing,
        Some(shape) => values.push(Literal::boolean(shape.allow_true)),
        None => {}
    }
    match (values.is_empty(), open) {
        (false, false) => Says::Values(values),
        (true, true) => Says::Open,
        _ => Says::Nothing,
    }
}

/// The tag members that tell a union's alternatives apart, and what they say in each.
fn find_tags(nodes: &[Node], node: &Node, objects: &[Object]) -> (Vec<String>, Vec<Vec<Tag>>) {
    let shapes: Vec<&Object> = node
        .objects
        .iter()
        .map(|variant| &objects[variant.object.0 as usize])
        .collect();
    let mut names = Vec::new();
    let mut tags = vec![Vec::new(); shapes.len()];
    let mut groups: VecDeque<Vec<usize>> = VecDeque::from([(0..shapes.len()).collect()]);
    while let Some(group) = groups.pop_front() {
        let Some((name, parts)) = split(nodes, &shapes, &group, &names) else {
            continue;
        };
        if !names.contains(&name) {
            names.push(name.clone());
        }
        for (values, members) in parts {
            for member in &members {
                tags[*member].push(Tag {
                    name: name.clone(),
                    values: values.clone(),
                });
            }
            if members.len() > 1 {
                groups.push_back(members);
            }
        }
    }
    (names, tags)
}

/// Alternatives with one tag value.
type TagGroup = (Vec<Literal>, Vec<usize>);

/// The member that splits a group of alternatives best: carried by the most of them, then giving
/// the most groups, then declared first.
fn split(
    nodes: &[Node],
    shapes: &[&Object],
    group: &[usize],
    used: &[String],
) -> Option<(String, Vec<TagGroup>)> {
    let mut best: Option<(String, Vec<TagGroup>)> = None;
    let mut candidates: IndexSet<&String> = IndexSet::new();
    for member in group {
        candidates.extend(
            shapes[*member]
                .fields
                .iter()
                .filter(|(_, field)| field.required)
                .map(|(name, _)| name),
        );
    }
    for name in candidates {
        if let Some(parts) = partition(nodes, shapes, group, name) {
            // A group that one more look at the same member does not split is done.
            let repeats = used.contains(name) && parts.len() == 1;
            let rank = |parts: &[TagGroup]| {
                (
                    parts
                        .iter()
                        .map(|(_, members)| members.len())
                        .sum::<usize>(),
                    parts.len(),
                )
            };
            let better = best
                .as_ref()
                .is_none_or(|(_, most)| rank(&parts) > rank(most));
            if better && !repeats && (parts.len() > 1 || group.len() == 1 && used.is_empty()) {
                best = Some((name.clone(), parts));
            }
        }
    }
    best
}

/// Groups alternatives by a member's values; `None` where it does not tell them apart.
fn partition(
    nodes: &[Node],
    shapes: &[&Object],
    group: &[usize],
    name: &str,
) -> Option<Vec<TagGroup>> {
    let mut parts: Vec<TagGroup> = Vec::new();
    let mut owner: HashMap<Literal, usize> = HashMap::new();
    let mut tagged = 0;
    for member in group {
        match says(nodes, shapes[*member], name) {
            Says::Values(values) => {
                tagged += 1;
                let same = parts.iter().position(|(known, _)| *known == values);
                let index = same.unwrap_or(parts.len());
                if same.is_none() {
                    parts.push((values.clone(), Vec::new()));
                }
                parts[index].1.push(*member);
                for value in values {
                    // Overlapping value sets tell nothing apart.
                    if *owner.entry(value).or_insert(index) != index {
                        return None;
                    }
                }
            }
            Says::Open => match parts.iter_mut().find(|(values, _)| values.is_empty()) {
                Some((_, members)) => members.push(*member),
                None => parts.push((Vec::new(), vec![*member])),
            },
            // Tags are sought among the alternatives that carry them.
            Says::Nothing => {}
        }
    }
    // Two catch-alls are not told apart by what both leave open, and one tag beside untagged
    // alternatives is a member like any other.
    let open = parts
        .iter()
        .find(|(values, _)| values.is_empty())
        .map_or(0, |(_, members)| members.len());
    (tagged > 0 && open < 2 && (tagged + open == group.len() || tagged > 1)).then_some(parts)
}

/// Canonical order: what selects the shape stands first, the rest as declared.
fn tags_first(object: &mut Object, tags: &[Tag]) {
    for (index, tag) in tags.iter().enumerate() {
        if let Some(from) = object.fields.get_index_of(&tag.name) {
            object.fields.move_index(from, index);
        }
    }
}
