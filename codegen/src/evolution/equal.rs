//! Which places of two revisions are the same on the wire, told by refining a partition.
//!
//! Every place and object shape of both graphs starts in one class and is split off by its own
//! facts and by the classes of what it leads to, until nothing splits any more. Two places in one
//! class are equal up to unrolling, whatever cycles there are; this is the coarsest such relation.
//! Only what leads to something that was split off is looked at again, so long chains of places
//! cost as little as wide ones.

mod facts;
mod keys;

pub(super) use facts::same_leaves;

use super::regular::Languages;
use crate::wire::{NodeId, ObjectId, Wire};
use facts::{Facts, Local};
use keys::Keys;
use std::cell::RefCell;
use std::collections::HashMap;

/// Places looked at, again for each time that something they lead to is split off; past as many
/// for each place nothing is called the same any more.
const MAX_VISITS: usize = 200;

/// What counts as the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Everything that stands on the wire.
    Wire,
    /// Formats left aside, as the pairing of renames wants it.
    ButFormat,
}

/// The classes of every place and shape in two wire views.
pub(super) struct Classes {
    old: Side,
    new: Side,
    settled: bool,
}

/// The classes of one wire view.
#[derive(Default)]
struct Side {
    nodes: Vec<u32>,
    objects: Vec<u32>,
    /// The classes of the arrays at each place that has any.
    arrays: HashMap<NodeId, Vec<u32>>,
    /// The number of what a `oneOf` holds apart at each place where it does, by what counts as the
    /// same there.
    apart: HashMap<NodeId, u32>,
}

/// Numbers equal signatures equally.
#[derive(Default)]
struct Interner<K>(HashMap<K, u32>);

impl<K: std::hash::Hash + Eq> Interner<K> {
    fn id(&mut self, key: K) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(key).or_insert(next)
    }
}

impl Classes {
    pub(super) fn of(old: &Wire, new: &Wire, mode: Mode, languages: &RefCell<Languages>) -> Self {
        let mut local = Local::new(mode, languages);
        let facts = [old, new].map(|wire| Facts {
            nodes: wire.nodes.iter().map(|node| local.node(node)).collect(),
            objects: wire
                .objects
                .iter()
                .map(|object| local.object(object))
                .collect(),
        });
        let mut sides = [old, new].map(|wire| Side {
            nodes: vec![0; wire.nodes.len()],
            objects: vec![0; wire.objects.len()],
            ..Side::default()
        });
        let mut keys = Keys::default();
        let settled = refine([old, new], &facts, &mut sides, &mut keys);
        for ((side, wire), facts) in sides.iter_mut().zip([old, new]).zip(&facts) {
            for (index, (node, facts)) in wire.nodes.iter().zip(&facts.nodes).enumerate() {
                let id = NodeId(u32::try_from(index).unwrap_or(u32::MAX));
                if !node.arrays.is_empty() {
                    let classes = keys.arrays(side, node, facts);
                    side.arrays.insert(id, classes);
                }
                if !node.held_apart.is_empty() {
                    let apart = keys.held_apart(side, node, facts);
                    side.apart.insert(id, keys.number(apart));
                }
            }
        }
        let [old, new] = sides;
        Self { old, new, settled }
    }

    /// Whether an old and a new place are the same.
    pub(super) fn same(&self, old: NodeId, new: NodeId) -> bool {
        self.settled && self.old.class(old) == self.new.class(new)
    }

    /// Whether an old and a new shape are the same.
    pub(super) fn same_object(&self, old: ObjectId, new: ObjectId) -> bool {
        let classes = self.of_objects(old, new);
        classes.is_some_and(|(old, new)| old == new)
    }

    /// The classes of an old and a new shape; `None` where they are not known.
    pub(super) fn of_objects(&self, old: ObjectId, new: ObjectId) -> Option<(u32, u32)> {
        let classes = (
            self.old.objects[old.0 as usize],
            self.new.objects[new.0 as usize],
        );
        self.settled.then_some(classes)
    }

    /// The classes of the arrays at two places that have some.
    pub(super) fn of_arrays(&self, old: NodeId, new: NodeId) -> Option<(&[u32], &[u32])> {
        let (old, new) = (self.old.arrays.get(&old), self.new.arrays.get(&new));
        match (old, new) {
            (Some(old), Some(new)) if self.settled => Some((old, new)),
            _ => None,
        }
    }

    /// The classes of an old and a new place; `None` where they are not known.
    pub(super) fn of_places(&self, old: NodeId, new: NodeId) -> Option<(u32, u32)> {
        self.settled
            .then(|| (self.old.class(old), self.new.class(new)))
    }

    /// Whether a `oneOf` holds the same alternatives apart in the same way.
    pub(super) fn same_apart(&self, old: NodeId, new: NodeId) -> bool {
        self.settled && self.old.apart.get(&old) == self.new.apart.get(&new)
    }
}

impl Side {
    fn class(&self, id: NodeId) -> u32 {
        self.nodes[id.0 as usize]
    }

    fn object_class(&self, id: ObjectId) -> u32 {
        self.objects[id.0 as usize]
    }
}

/// A place or a shape of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Item {
    side: usize,
    of: Of,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    Node(NodeId),
    Object(ObjectId),
}

/// Splits classes until what is in one class leads to the same classes; `false` past the budget.
///
/// All that is looked at in one round and was in one class is told apart by its keys. What was not
/// looked at leads to what it led to before, so it still is one class and keeps its number; what
/// was looked at has a key that names something split off, which no other one does.
fn refine(wires: [&Wire; 2], facts: &[Facts; 2], sides: &mut [Side; 2], keys: &mut Keys) -> bool {
    let graph = Graph::of(wires);
    let total = graph.total();
    let mut sizes = vec![total];
    let mut dirty: Vec<u32> = (0..total).collect();
    let mut visits = 0_usize;
    let most = (total as usize).saturating_mul(MAX_VISITS);
    let mut marked = vec![false; total as usize];
    while !dirty.is_empty() {
        visits += dirty.len();
        if visits > most {
            return false;
        }
        // Classes in the order of their first member, members in order: numbers do not depend on
        // how a map is laid out.
        let mut groups: indexmap::IndexMap<u32, indexmap::IndexMap<u32, Vec<u32>>> =
            indexmap::IndexMap::new();
        for at in &dirty {
            let item = graph.item(*at);
            let (side, wire, facts) = (&sides[item.side], wires[item.side], &facts[item.side]);
            let (class, key) = match item.of {
                Of::Node(id) => {
                    let own = &facts.nodes[id.0 as usize];
                    (side.class(id), keys.node(side, wire.node(id), own))
                }
                Of::Object(id) => {
                    let own = facts.objects[id.0 as usize];
                    (
                        side.object_class(id),
                        keys.object(side, wire.object(id), own),
                    )
                }
            };
            let parts = groups.entry(class).or_default();
            parts.entry(keys.number(key)).or_default().push(*at);
        }
        let mut split_off = Vec::new();
        for (class, parts) in groups {
            let looked_at: usize = parts.values().map(Vec::len).sum();
            let rest = sizes[class as usize] as usize - looked_at;
            // The largest part keeps the number, because what leads to it is not looked at again.
            let keeps = match rest {
                0 => parts
                    .values()
                    .enumerate()
                    .max_by_key(|(at, part)| (part.len(), usize::MAX - at)),
                _ => None,
            };
            let keeps = keeps.map(|(at, _)| at);
            for (at, part) in parts.into_values().enumerate() {
                if Some(at) == keeps {
                    continue;
                }
                let fresh = u32::try_from(sizes.len()).unwrap_or(u32::MAX);
                let count = u32::try_from(part.len()).unwrap_or(u32::MAX);
                sizes[class as usize] -= count;
                sizes.push(count);
                split_off.extend(part.into_iter().map(|at| (at, fresh)));
            }
        }
        dirty.clear();
        for (at, class) in split_off {
            let item = graph.item(at);
            match item.of {
                Of::Node(id) => sides[item.side].nodes[id.0 as usize] = class,
                Of::Object(id) => sides[item.side].objects[id.0 as usize] = class,
            }
            for before in graph.before(at) {
                if !std::mem::replace(&mut marked[*before as usize], true) {
                    dirty.push(*before);
                }
            }
        }
        dirty.sort_unstable();
        for at in &dirty {
            marked[*at as usize] = false;
        }
    }
    true
}

/// What leads to what, in both wire views.
struct Graph {
    /// Where the places of each side begin; its shapes follow them.
    starts: [[u32; 2]; 2],
    total: u32,
    /// What leads to each, one after the other, and where each begins.
    before: Vec<u32>,
    begins: Vec<u32>,
}

impl Graph {
    fn of(wires: [&Wire; 2]) -> Self {
        let mut total = 0_u32;
        let mut starts = [[0; 2]; 2];
        for (wire, starts) in wires.iter().zip(&mut starts) {
            for (start, count) in starts
                .iter_mut()
                .zip([wire.nodes.len(), wire.objects.len()])
            {
                *start = total;
                total += u32::try_from(count).unwrap_or(u32::MAX);
            }
        }
        let mut edges = Vec::new();
        for (wire, [nodes, objects]) in wires.iter().zip(starts) {
            for (from, node) in (nodes..).zip(&wire.nodes) {
                keys::successors_of_node(node, |of| edges.push((at(of, nodes, objects), from)));
            }
            for (from, object) in (objects..).zip(&wire.objects) {
                keys::successors_of_object(object, |of| {
                    edges.push((at(of, nodes, objects), from));
                });
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut begins = vec![0; total as usize + 1];
        for (to, _) in &edges {
            begins[*to as usize + 1] += 1;
        }
        for index in 1..begins.len() {
            begins[index] += begins[index - 1];
        }
        Self {
            starts,
            total,
            before: edges.into_iter().map(|(_, from)| from).collect(),
            begins,
        }
    }

    fn total(&self) -> u32 {
        self.total
    }

    fn item(&self, at: u32) -> Item {
        let [old, new] = self.starts;
        let (side, [nodes, objects]) = if at < new[0] { (0, old) } else { (1, new) };
        let of = if at < objects {
            Of::Node(NodeId(at - nodes))
        } else {
            Of::Object(ObjectId(at - objects))
        };
        Item { side, of }
    }

    fn before(&self, at: u32) -> &[u32] {
        let (from, to) = (self.begins[at as usize], self.begins[at as usize + 1]);
        &self.before[from as usize..to as usize]
    }
}

fn at(of: Of, nodes: u32, objects: u32) -> u32 {
    match of {
        Of::Node(id) => nodes + id.0,
        Of::Object(id) => objects + id.0,
    }
}
