//! Which places of two revisions are the same on the wire, told by refining a partition.
//!
//! Every place and object shape of both graphs starts in one class and is split off by its own
//! facts and by the classes of what it leads to, until nothing splits any more. Two places in one
//! class are equal up to unrolling, whatever cycles there are; this is the coarsest such relation.
//! Only what leads to something that was split off is looked at again, so long chains of places
//! cost as little as wide ones.

mod facts;
mod keys;

pub(super) use facts::{same_facts, same_leaves, same_shape_facts};

use super::partition::Graph;
use super::regular::Languages;
use crate::maps::HashMap;
use crate::wire::{NodeId, ObjectId, Wire};
use facts::{Facts, Local};
use keys::Keys;
use std::cell::RefCell;

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
        let mut keys = Keys::default();
        let (numbers, classes) = refine([old, new], &facts, &mut keys);
        let Some(classes) = classes else {
            return Self {
                old: Side::default(),
                new: Side::default(),
                settled: false,
            };
        };
        let mut side = |index: usize, wire: &Wire| {
            let (facts, numbers) = (&facts[index], numbers[index]);
            let view = View {
                classes: &classes,
                numbers,
            };
            let ids = |from: u32, count: usize| classes[from as usize..][..count].to_vec();
            let mut side = Side {
                nodes: ids(numbers.nodes, wire.nodes.len()),
                objects: ids(numbers.objects, wire.objects.len()),
                ..Side::default()
            };
            for ((id, node), facts) in (0..).zip(&wire.nodes).zip(&facts.nodes) {
                if !node.arrays.is_empty() {
                    let classes = keys.arrays(view, node, facts);
                    side.arrays.insert(NodeId(id), classes);
                }
                if !node.held_apart.is_empty() {
                    let apart = keys.held_apart(view, node, facts);
                    side.apart.insert(NodeId(id), keys.number(apart));
                }
            }
            side
        };
        Self {
            old: side(0, old),
            new: side(1, new),
            settled: true,
        }
    }

    /// Whether an old and a new place are the same.
    pub(super) fn same(&self, old: NodeId, new: NodeId) -> bool {
        self.of_places(old, new)
            .is_some_and(|(old, new)| old == new)
    }

    /// Whether an old and a new shape are the same; the names of generated types alone ask for it.
    #[cfg(feature = "emit")]
    pub(super) fn same_object(&self, old: ObjectId, new: ObjectId) -> bool {
        let classes = self.of_objects(old, new);
        classes.is_some_and(|(old, new)| old == new)
    }

    /// The classes of an old and a new shape; `None` where they are not known.
    pub(super) fn of_objects(&self, old: ObjectId, new: ObjectId) -> Option<(u32, u32)> {
        let (old, new) = (
            self.old.objects.get(old.0 as usize)?,
            self.new.objects.get(new.0 as usize)?,
        );
        self.settled.then_some((*old, *new))
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
        let (old, new) = (
            self.old.nodes.get(old.0 as usize)?,
            self.new.nodes.get(new.0 as usize)?,
        );
        self.settled.then_some((*old, *new))
    }

    /// Whether a `oneOf` holds the same alternatives apart in the same way.
    pub(super) fn same_apart(&self, old: NodeId, new: NodeId) -> bool {
        self.settled && self.old.apart.get(&old) == self.new.apart.get(&new)
    }
}

/// What a key names.
enum Of {
    Node(NodeId),
    Object(ObjectId),
}

/// The places and shapes of one wire view among the numbers of both.
#[derive(Clone, Copy)]
struct Numbers {
    nodes: u32,
    objects: u32,
}

impl Numbers {
    fn of(self, of: &Of) -> u32 {
        match of {
            Of::Node(id) => self.nodes + id.0,
            Of::Object(id) => self.objects + id.0,
        }
    }
}

/// The classes of one wire view while they are split.
#[derive(Clone, Copy)]
struct View<'c> {
    classes: &'c [u32],
    numbers: Numbers,
}

impl View<'_> {
    fn class(&self, id: NodeId) -> u32 {
        self.classes[self.numbers.of(&Of::Node(id)) as usize]
    }

    fn object_class(&self, id: ObjectId) -> u32 {
        self.classes[self.numbers.of(&Of::Object(id)) as usize]
    }
}

/// The classes of both sides, and where each side's are; `None` past the budget.
fn refine(
    wires: [&Wire; 2],
    facts: &[Facts; 2],
    keys: &mut Keys,
) -> ([Numbers; 2], Option<Vec<u32>>) {
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let mut total = 0_u32;
    let numbers = wires.map(|wire| {
        let nodes = total;
        let objects = nodes + count(wire.nodes.len());
        total = objects + count(wire.objects.len());
        Numbers { nodes, objects }
    });
    let mut edges = Vec::new();
    for (wire, numbers) in wires.iter().zip(numbers) {
        for (from, node) in (numbers.nodes..).zip(&wire.nodes) {
            keys::successors_of_node(node, |of| edges.push((numbers.of(&of), from)));
        }
        for (from, object) in (numbers.objects..).zip(&wire.objects) {
            keys::successors_of_object(object, |of| edges.push((numbers.of(&of), from)));
        }
    }
    let key = |classes: &[u32], at: u32| {
        let side = usize::from(at >= numbers[1].nodes);
        let (wire, facts, numbers) = (wires[side], &facts[side], numbers[side]);
        let view = View { classes, numbers };
        let key = if at < numbers.objects {
            let index = (at - numbers.nodes) as usize;
            keys.node(view, &wire.nodes[index], &facts.nodes[index])
        } else {
            let index = (at - numbers.objects) as usize;
            keys.object(view, &wire.objects[index], facts.objects[index])
        };
        keys.number(key)
    };
    let mut left = (total as usize).saturating_mul(MAX_VISITS);
    let spend = |visits: usize| {
        left = left.checked_sub(visits)?;
        Some(())
    };
    let classes = Graph::new(total, edges).classes(key, spend);
    (numbers, classes)
}
