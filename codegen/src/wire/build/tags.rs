//! The tag members of a union: which they are, and what they say in each alternative.

use crate::json::Literal;
use crate::maps::{HashMap, IndexMap};
use crate::wire::{Node, Object, ObjectId, Tag, Wire};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// What a member says when it is looked at as a tag.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
pub(super) fn find_tags(
    nodes: &[Node],
    node: &Node,
    objects: &[Object],
) -> (Vec<String>, Vec<Vec<Tag>>) {
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
/// the most groups, then leaving none of them open, then of the fewest values, then declared
/// first.
///
/// What is left open or has a choice of values is as a rule a member that happens to tell these
/// alternatives apart; the next alternative may use a value of it again, and the tag would move.
fn split(
    nodes: &[Node],
    shapes: &[&Object],
    group: &[usize],
    used: &[String],
) -> Option<(String, Vec<TagGroup>)> {
    // Alternatives without a member are told nothing by it, so each member looks at those that
    // have it: thousands of untagged alternatives with members of their own stay cheap.
    let mut carriers: IndexMap<&String, Vec<usize>> = IndexMap::default();
    for member in group {
        let required = shapes[*member]
            .fields
            .iter()
            .filter(|(_, field)| field.required);
        for (name, _) in required {
            carriers.entry(name).or_default().push(*member);
        }
    }
    let mut best: Option<(String, Vec<TagGroup>)> = None;
    for (name, carriers) in carriers {
        if let Some(parts) = partition(nodes, shapes, &carriers, group.len(), name) {
            // A group that one more look at the same member does not split is done.
            let repeats = used.contains(name) && parts.len() == 1;
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

/// How well a member splits: the higher the better.
fn rank(parts: &[TagGroup]) -> (usize, usize, bool, Reverse<usize>) {
    (
        parts.iter().map(|(_, members)| members.len()).sum(),
        parts.len(),
        parts.iter().all(|(values, _)| !values.is_empty()),
        Reverse(parts.iter().map(|(values, _)| values.len()).sum()),
    )
}

/// Groups the alternatives that require a member by its values; `None` where it does not tell
/// them apart from one another and from the rest of `all`.
fn partition(
    nodes: &[Node],
    shapes: &[&Object],
    carriers: &[usize],
    all: usize,
    name: &str,
) -> Option<Vec<TagGroup>> {
    let mut parts: Vec<TagGroup> = Vec::new();
    let mut known: HashMap<Vec<Literal>, usize> = HashMap::default();
    let mut owner: HashMap<Literal, usize> = HashMap::default();
    let (mut tagged, mut open) = (0, 0);
    for member in carriers {
        let values = match says(nodes, shapes[*member], name) {
            Says::Values(values) => {
                tagged += 1;
                values
            }
            Says::Open => {
                open += 1;
                Vec::new()
            }
            // Tags are sought among the alternatives that carry them.
            Says::Nothing => continue,
        };
        let index = *known.entry(values.clone()).or_insert(parts.len());
        if index == parts.len() {
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
    // Two catch-alls are not told apart by what both leave open, and one tag beside untagged
    // alternatives is a member like any other.
    (tagged > 0 && open < 2 && (tagged + open == all || tagged > 1)).then_some(parts)
}

/// Canonical order: what selects the shape stands first, the rest as declared.
pub(super) fn tags_first(object: &mut Object, tags: &[Tag]) {
    for (index, tag) in tags.iter().enumerate() {
        if let Some(from) = object.fields.get_index_of(&tag.name) {
            object.fields.move_index(from, index);
        }
    }
}
