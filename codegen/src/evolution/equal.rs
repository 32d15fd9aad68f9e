//! Which places of two revisions are the same on the wire, told by refining a partition.
//!
//! Every place and object shape of both graphs starts in the class of its own facts and is split
//! by the classes of what it leads to, until nothing splits any more. Two places in one class are
//! equal up to unrolling, whatever cycles there are; this is the coarsest such relation, and it
//! costs rounds over the graphs instead of a walk for each question.

use super::regular;
use crate::wire::{
    Array, Bound, Node, NodeId, NumberFacts, Object, ObjectId, Residual, StringFacts, Wire,
};
use std::collections::HashMap;

/// Splitting ends on its own after as many rounds as a chain of places is long; past this bound
/// nothing is called the same any more.
const MAX_ROUNDS: usize = 4096;
/// Past this many distinct patterns their spelling stands for their language.
const MAX_PATTERNS: usize = 48;

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

#[derive(Default)]
struct Side {
    nodes: Vec<u32>,
    objects: Vec<u32>,
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
    pub(super) fn of(old: &Wire, new: &Wire, mode: Mode) -> Self {
        let mut local = Local {
            mode,
            interner: Interner::default(),
            patterns: Vec::new(),
        };
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
        });
        let mut classes = 0;
        let mut settled = false;
        for _ in 0..MAX_ROUNDS {
            let mut interner: Interner<Vec<u32>> = Interner::default();
            let next = |side: &Side,
                        wire: &Wire,
                        facts: &Facts,
                        interner: &mut Interner<Vec<u32>>| Side {
                nodes: (0..wire.nodes.len())
                    .map(|index| {
                        let key = side.node_key(&wire.nodes[index], &facts.nodes[index], interner);
                        interner.id(key)
                    })
                    .collect(),
                objects: (0..wire.objects.len())
                    .map(|index| {
                        let key =
                            side.object_key(&wire.objects[index], facts.objects[index], interner);
                        interner.id(key)
                    })
                    .collect(),
            };
            let [left, right] = &sides;
            let (left, right) = (
                next(left, old, &facts[0], &mut interner),
                next(right, new, &facts[1], &mut interner),
            );
            sides = [left, right];
            if interner.0.len() == classes {
                settled = true;
                break;
            }
            classes = interner.0.len();
        }
        let [old, new] = sides;
        Self { old, new, settled }
    }

    /// Whether an old and a new place are the same.
    pub(super) fn same(&self, old: NodeId, new: NodeId) -> bool {
        self.settled && self.old.nodes[old.0 as usize] == self.new.nodes[new.0 as usize]
    }

    /// Whether an old and a new shape are the same.
    pub(super) fn same_object(&self, old: ObjectId, new: ObjectId) -> bool {
        self.settled && self.old.objects[old.0 as usize] == self.new.objects[new.0 as usize]
    }

    /// Whether two lists of places are the same, their order aside.
    pub(super) fn same_set(&self, old: &[NodeId], new: &[NodeId]) -> bool {
        let classes = |side: &Side, ids: &[NodeId]| {
            let mut classes: Vec<u32> = ids.iter().map(|id| side.class(*id)).collect();
            classes.sort_unstable();
            classes
        };
        self.settled && classes(&self.old, old) == classes(&self.new, new)
    }

    /// Whether two arrays are the same.
    pub(super) fn same_array(&self, old: &Array, new: &Array) -> bool {
        let mut local = Local {
            mode: Mode::Wire,
            interner: Interner::default(),
            patterns: Vec::new(),
        };
        let mut interner = Interner::default();
        let (left, right) = (local.array(old), local.array(new));
        self.settled
            && self.old.array_key(old, left, &mut interner)
                == self.new.array_key(new, right, &mut interner)
    }
}

/// Whether two places are the same, where neither leads anywhere: then their own facts tell it,
/// and no partition has to be refined. `None` where one does lead on.
pub(super) fn same_leaves(old: &Node, new: &Node, mode: Mode) -> Option<bool> {
    let is_leaf = |node: &Node| {
        let numbers = node.number.iter().flat_map(|scalar| &scalar.tails);
        let strings = node.string.iter().flat_map(|scalar| &scalar.tails);
        node.arrays.is_empty()
            && node.objects.is_empty()
            && node.overlapping.is_empty()
            && node.others.is_empty()
            && numbers.map(|facts| &facts.residual).all(Vec::is_empty)
            && strings.map(|facts| &facts.residual).all(Vec::is_empty)
    };
    if !is_leaf(old) || !is_leaf(new) {
        // A leaf and a place that leads on are never the same.
        return (is_leaf(old) != is_leaf(new)).then_some(false);
    }
    let mut local = Local {
        mode,
        interner: Interner::default(),
        patterns: Vec::new(),
    };
    let key = |facts: NodeFacts| {
        let sorted = |mut parts: Vec<u32>| {
            parts.sort_unstable();
            parts
        };
        (facts.own, sorted(facts.numbers), sorted(facts.strings))
    };
    Some(key(local.node(old)) == key(local.node(new)))
}

/// The facts of one wire view, numbered; parts of a place in the order of the view.
struct Facts {
    nodes: Vec<NodeFacts>,
    objects: Vec<u32>,
}

struct NodeFacts {
    own: u32,
    numbers: Vec<u32>,
    strings: Vec<u32>,
    arrays: Vec<u32>,
}

impl Side {
    fn class(&self, id: NodeId) -> u32 {
        self.nodes[id.0 as usize]
    }

    fn residual(&self, residual: &[Residual], key: &mut Vec<u32>) {
        // Conjuncts have no order.
        let mut parts: Vec<Vec<u32>> = residual
            .iter()
            .map(|part| part.nodes.iter().map(|id| self.class(*id)).collect())
            .collect();
        parts.sort();
        for part in parts {
            key.push(u32::MAX);
            key.extend(part);
        }
    }

    fn node_key(
        &self,
        node: &Node,
        facts: &NodeFacts,
        interner: &mut Interner<Vec<u32>>,
    ) -> Vec<u32> {
        let mut key = vec![0, facts.own];
        self.residual(&node.others, &mut key);
        let mut alternatives = |parts: Vec<Vec<u32>>| {
            // Alternatives have no order either.
            let mut ids: Vec<u32> = parts.into_iter().map(|part| interner.id(part)).collect();
            ids.sort_unstable();
            key.push(u32::MAX);
            key.extend(ids);
        };
        let tail = |own: &u32, residual: &[Residual]| {
            let mut part = vec![1, *own];
            self.residual(residual, &mut part);
            part
        };
        let numbers = node.number.iter().flat_map(|scalar| &scalar.tails);
        alternatives(
            numbers
                .zip(&facts.numbers)
                .map(|(facts, own)| tail(own, &facts.residual))
                .collect(),
        );
        let strings = node.string.iter().flat_map(|scalar| &scalar.tails);
        alternatives(
            strings
                .zip(&facts.strings)
                .map(|(facts, own)| tail(own, &facts.residual))
                .collect(),
        );
        alternatives(
            node.objects
                .iter()
                .map(|variant| vec![3, self.objects[variant.object.0 as usize]])
                .collect(),
        );
        alternatives(
            node.overlapping
                .iter()
                .map(|id| vec![6, self.class(*id)])
                .collect(),
        );
        let arrays: Vec<Vec<u32>> = node
            .arrays
            .iter()
            .zip(&facts.arrays)
            .map(|(array, own)| self.array_key(array, *own, interner))
            .collect();
        let mut ids: Vec<u32> = arrays.into_iter().map(|part| interner.id(part)).collect();
        ids.sort_unstable();
        key.extend(ids);
        key
    }

    fn array_key(&self, array: &Array, own: u32, interner: &mut Interner<Vec<u32>>) -> Vec<u32> {
        let mut key = vec![2, own, self.class(array.items)];
        key.extend(array.prefix.iter().map(|id| self.class(*id)));
        let mut contains: Vec<u32> = array
            .contains
            .iter()
            .map(|contains| {
                let bound = |limit: Option<u64>| {
                    limit.map_or(u32::MAX, |limit| {
                        u32::try_from(limit).unwrap_or(u32::MAX - 1)
                    })
                };
                interner.id(vec![
                    4,
                    self.class(contains.node),
                    bound(Some(contains.min)),
                    bound(contains.max),
                ])
            })
            .collect();
        contains.sort_unstable();
        key.push(u32::MAX);
        key.extend(contains);
        self.residual(&array.residual, &mut key);
        key
    }

    fn object_key(
        &self,
        object: &Object,
        own: u32,
        _interner: &mut Interner<Vec<u32>>,
    ) -> Vec<u32> {
        let mut key = vec![
            5,
            own,
            self.class(object.rest),
            object.names.map_or(u32::MAX, |id| self.class(id)),
        ];
        // The names are among the facts, sorted, and so are the classes here.
        let mut fields: Vec<_> = object.fields.iter().collect();
        fields.sort_by_key(|(name, _)| name.as_str());
        key.extend(fields.into_iter().map(|(_, field)| self.class(field.node)));
        key.extend(object.patterns.iter().map(|entry| self.class(entry.node)));
        self.residual(&object.residual, &mut key);
        key
    }
}

/// Numbers the facts that are local to a place.
struct Local {
    mode: Mode,
    interner: Interner<String>,
    /// One spelling for each language met so far.
    patterns: Vec<String>,
}

impl Local {
    fn node(&mut self, node: &Node) -> NodeFacts {
        let mut known: Vec<&str> = Vec::new();
        let (mut numbers, mut strings) = (Vec::new(), Vec::new());
        if let Some(scalar) = &node.number {
            known.extend(scalar.known.iter().map(|known| known.value.text()));
            numbers = scalar
                .tails
                .iter()
                .map(|facts| self.numbers(facts))
                .collect();
        }
        if let Some(scalar) = &node.string {
            known.extend(scalar.known.iter().map(|known| known.value.text()));
            strings = scalar
                .tails
                .iter()
                .map(|facts| self.strings(facts))
                .collect();
        }
        known.sort_unstable();
        let types = (
            node.null,
            &node.boolean,
            node.number.is_some(),
            node.string.is_some(),
        );
        let text = format!(
            "{types:?} {known:?} {} {} {} {}",
            node.union,
            node.exclusive_pairs + usize::from(node.exclusive),
            node.docs_key(),
            residual_key(&node.others)
        );
        let own = self.interner.id(text);
        let arrays = node.arrays.iter().map(|array| self.array(array)).collect();
        NodeFacts {
            own,
            numbers,
            strings,
            arrays,
        }
    }

    fn numbers(&mut self, facts: &NumberFacts) -> u32 {
        let bound = |bound: &Option<Bound>, lower: bool| match bound {
            Some(bound) if facts.integer => Some(bound.clone().for_integers(lower)),
            bound => bound.clone(),
        };
        let formats = if self.mode == Mode::Wire {
            facts.formats.as_slice()
        } else {
            &[]
        };
        let ends = (bound(&facts.minimum, true), bound(&facts.maximum, false));
        let text = format!(
            "{} {ends:?} {:?} {formats:?} {:?} {}",
            facts.integer,
            facts.multiple_of,
            facts.excluded,
            residual_key(&facts.residual)
        );
        self.interner.id(text)
    }

    fn strings(&mut self, facts: &StringFacts) -> u32 {
        let formats = if self.mode == Mode::Wire {
            facts.formats.as_slice()
        } else {
            &[]
        };
        let mut patterns: Vec<String> = facts
            .patterns
            .iter()
            .map(|pattern| self.language(pattern))
            .collect();
        patterns.sort();
        let text = format!(
            "{} {:?} {patterns:?} {formats:?} {:?} {:?} {}",
            facts.min_length,
            facts.max_length,
            facts.content,
            facts.excluded,
            residual_key(&facts.residual)
        );
        self.interner.id(text)
    }

    fn array(&mut self, array: &Array) -> u32 {
        let lengths = (
            array.min_items,
            array.max_items,
            array.unique,
            array.prefix.len(),
            array.contains.len(),
        );
        let text = format!(
            "{lengths:?} {:?} {}",
            array.values,
            residual_key(&array.residual)
        );
        self.interner.id(text)
    }

    fn object(&mut self, object: &Object) -> u32 {
        let mut fields: Vec<_> = object
            .fields
            .iter()
            .map(|(name, field)| (name, field.required, field.declared))
            .collect();
        fields.sort();
        let patterns: Vec<String> = object
            .patterns
            .iter()
            .map(|entry| self.language(&entry.pattern))
            .collect();
        let counts = (object.min_properties, object.max_properties);
        let text = format!(
            "{fields:?} {patterns:?} {counts:?} {:?} {:?} {}",
            object.dependent_required,
            object.values,
            residual_key(&object.residual)
        );
        self.interner.id(text)
    }

    /// One spelling for all patterns of a language, as far as that can be told.
    fn language(&mut self, pattern: &str) -> String {
        let one = [pattern.to_owned()];
        let known = self.patterns.iter().find(|other| {
            *other == pattern || regular::equal(std::slice::from_ref(other), &one) == Ok(true)
        });
        if let Some(known) = known {
            return known.clone();
        }
        if self.patterns.len() < MAX_PATTERNS {
            self.patterns.push(pattern.to_owned());
        }
        pattern.to_owned()
    }
}

/// Keywords and names of what is compared as a whole. What is undecided equals nothing, itself
/// included, so its place in the text keeps it apart.
fn residual_key(residual: &[Residual]) -> String {
    let mut parts: Vec<String> = residual
        .iter()
        .map(|part| {
            let undecided = part.undecided.then_some(&part.origin.pointer);
            format!(
                "{} {:?} {} {undecided:?}",
                part.keyword,
                part.names,
                part.nodes.len()
            )
        })
        .collect();
    parts.sort();
    format!("{parts:?}")
}

impl Node {
    /// Documentation that the rules treat as part of the wire: defaults and discriminators.
    fn docs_key(&self) -> String {
        format!(
            "{:?} {:?}",
            self.docs.default,
            self.docs.other.get("discriminator")
        )
    }
}
