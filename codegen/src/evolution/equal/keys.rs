//! What a place or a shape is, in terms of its own facts and the classes of what it leads to.

use super::facts::NodeFacts;
use super::{Interner, Of, View};
use crate::wire::{Array, Node, Object, Residual, Separate};
use std::collections::HashMap;

/// Keys of places and shapes, in one numbering for as long as classes are split.
#[derive(Default)]
pub(super) struct Keys {
    interner: Interner<Vec<u32>>,
}

impl Keys {
    /// One number for equal keys.
    pub(super) fn number(&mut self, key: Vec<u32>) -> u32 {
        self.interner.id(key)
    }

    pub(super) fn node(&mut self, side: View<'_>, node: &Node, facts: &NodeFacts) -> Vec<u32> {
        let mut key = vec![0, facts.own];
        self.residual(side, &node.others, &mut key);
        let numbers = node.number.iter().flat_map(|scalar| &scalar.tails);
        let numbers = numbers.zip(&facts.numbers);
        let numbers = numbers.map(|(facts, own)| (*own, facts.residual.as_slice()));
        self.tails(side, numbers, &mut key);
        let strings = node.string.iter().flat_map(|scalar| &scalar.tails);
        let strings = strings.zip(&facts.strings);
        let strings = strings.map(|(facts, own)| (*own, facts.residual.as_slice()));
        self.tails(side, strings, &mut key);
        let objects = node.objects.iter();
        self.unordered(
            objects.map(|variant| vec![3, side.object_class(variant.object)]),
            &mut key,
        );
        let mut arrays = self.arrays(side, node, facts);
        arrays.sort_unstable();
        key.push(u32::MAX);
        key.extend(arrays);
        key.push(u32::MAX);
        key.extend(self.held_apart(side, node, facts));
        key
    }

    fn tails<'w>(
        &mut self,
        side: View<'_>,
        tails: impl Iterator<Item = (u32, &'w [Residual])>,
        key: &mut Vec<u32>,
    ) {
        let mut parts = Vec::new();
        for (own, residual) in tails {
            let mut part = vec![1, own];
            self.residual(side, residual, &mut part);
            parts.push(part);
        }
        self.unordered(parts.into_iter(), key);
    }

    /// Alternatives have no order.
    fn unordered(&mut self, parts: impl Iterator<Item = Vec<u32>>, key: &mut Vec<u32>) {
        let mut ids: Vec<u32> = parts.map(|part| self.interner.id(part)).collect();
        ids.sort_unstable();
        key.push(u32::MAX);
        key.extend(ids);
    }

    /// One number for each array of a place, equal for equal arrays.
    pub(super) fn arrays(&mut self, side: View<'_>, node: &Node, facts: &NodeFacts) -> Vec<u32> {
        let arrays = node.arrays.iter().zip(&facts.arrays);
        arrays
            .map(|(array, own)| self.array(side, array, *own))
            .collect()
    }

    fn array(&mut self, side: View<'_>, array: &Array, own: u32) -> u32 {
        let mut key = vec![2, own, side.class(array.items)];
        key.extend(array.prefix.iter().map(|id| side.class(*id)));
        let halves = |count: u64| [(count >> 32) as u32, count as u32];
        let contains = array.contains.iter().map(|contains| {
            let most = contains.max.unwrap_or(u64::MAX);
            let counts = [halves(contains.min), halves(most)];
            let mut key = vec![4, side.class(contains.node)];
            key.extend(counts.as_flattened());
            key
        });
        self.unordered(contains, &mut key);
        self.residual(side, &array.residual, &mut key);
        self.interner.id(key)
    }

    /// What is compared as a whole: the keyword with its names, and the places it leads to.
    fn residual(&mut self, side: View<'_>, residual: &[Residual], key: &mut Vec<u32>) {
        // Conjuncts have no order.
        let parts = residual.iter().map(|part| {
            let label = self.interner.id(label(part));
            let places = part.nodes.iter().map(|id| side.class(*id));
            [9, label].into_iter().chain(places).collect()
        });
        let mut parts: Vec<Vec<u32>> = parts.collect();
        parts.sort();
        for part in parts {
            key.push(u32::MAX);
            key.extend(part);
        }
    }

    pub(super) fn object(&mut self, side: View<'_>, object: &Object, own: u32) -> Vec<u32> {
        let mut key = vec![
            5,
            own,
            side.class(object.rest),
            object.names.map_or(u32::MAX, |id| side.class(id)),
        ];
        // The names are among the facts, sorted, and so are the classes here.
        let mut fields: Vec<_> = object.fields.iter().collect();
        fields.sort_unstable_by_key(|(name, _)| name.as_str());
        key.extend(fields.into_iter().map(|(_, field)| side.class(field.node)));
        key.extend(object.patterns.iter().map(|entry| side.class(entry.node)));
        self.residual(side, &object.residual, &mut key);
        key
    }

    /// Which alternatives a `oneOf` holds apart. Its own number and those of its branches are
    /// counted anew, because they come from the order in which a schema is written.
    pub(super) fn held_apart(
        &mut self,
        side: View<'_>,
        node: &Node,
        facts: &NodeFacts,
    ) -> Vec<u32> {
        if node.held_apart.is_empty() {
            return Vec::new();
        }
        let arrays = self.arrays(side, node, facts);
        let mut parts: Vec<(_, &[(u32, u32)])> = node
            .held_apart
            .iter()
            .map(|apart| {
                let what = match apart.what {
                    Separate::Scalars(id) => (6, side.class(id)),
                    Separate::Array(at) => (7, arrays[at]),
                    Separate::Object(id) => (8, side.object_class(id)),
                };
                (what, apart.branches.as_slice())
            })
            .collect();
        parts.sort_unstable();
        // Each kind of alternatives numbers its `oneOf`s by itself.
        let mut owners: HashMap<(u32, u32), (u32, HashMap<u32, u32>)> = HashMap::new();
        let next = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let mut key = Vec::new();
        for ((kind, class), branches) in parts {
            key.extend([u32::MAX, kind, class]);
            for (owner, branch) in branches {
                let count = next(owners.len());
                let (owner, taken) = owners
                    .entry((kind, *owner))
                    .or_insert_with(|| (count, HashMap::new()));
                let count = next(taken.len());
                key.extend([*owner, *taken.entry(*branch).or_insert(count)]);
            }
        }
        key
    }
}

/// The keyword of what is compared as a whole, with its names. What is undecided equals nothing but
/// itself, by its place in the text.
fn label(part: &Residual) -> Vec<u32> {
    let undecided = part.undecided.then_some(&*part.origin.pointer);
    let names = part.names.iter().map(String::as_str);
    let texts = [part.keyword].into_iter().chain(undecided).chain(names);
    let mut label = vec![u32::from(part.undecided)];
    for text in texts {
        label.extend(text.bytes().map(u32::from));
        label.push(u32::MAX);
    }
    label
}

/// Gives everything that the key of a place names.
pub(super) fn successors_of_node(node: &Node, mut give: impl FnMut(Of)) {
    let mut all = |residual: &[Residual]| {
        let places = residual.iter().flat_map(|part| &part.nodes);
        places.for_each(|id| give(Of::Node(*id)));
    };
    all(&node.others);
    let numbers = node.number.iter().flat_map(|scalar| &scalar.tails);
    numbers.for_each(|facts| all(&facts.residual));
    let strings = node.string.iter().flat_map(|scalar| &scalar.tails);
    strings.for_each(|facts| all(&facts.residual));
    for array in &node.arrays {
        all(&array.residual);
    }
    for array in &node.arrays {
        give(Of::Node(array.items));
        array.prefix.iter().for_each(|id| give(Of::Node(*id)));
        let contains = array.contains.iter();
        contains.for_each(|contains| give(Of::Node(contains.node)));
    }
    for variant in &node.objects {
        give(Of::Object(variant.object));
    }
    for apart in &node.held_apart {
        match apart.what {
            Separate::Scalars(id) => give(Of::Node(id)),
            Separate::Object(id) => give(Of::Object(id)),
            Separate::Array(_) => {}
        }
    }
}

/// Gives everything that the key of a shape names.
pub(super) fn successors_of_object(object: &Object, mut give: impl FnMut(Of)) {
    give(Of::Node(object.rest));
    object.names.into_iter().for_each(|id| give(Of::Node(id)));
    let fields = object.fields.values().map(|field| field.node);
    fields.for_each(|id| give(Of::Node(id)));
    let patterns = object.patterns.iter().map(|entry| entry.node);
    patterns.for_each(|id| give(Of::Node(id)));
    let residual = object.residual.iter().flat_map(|part| &part.nodes);
    residual.for_each(|id| give(Of::Node(*id)));
}
