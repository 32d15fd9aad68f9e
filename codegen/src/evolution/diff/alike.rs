//! Whether two places are the same but for a rename under way, which recursion leads back to.
//!
//! A member that holds its own kind, as the children of a tree do, is of another class as soon as
//! it has another name: what it leads to has that name too. So a rename is looked for under the
//! assumption that its owner is the same, and what leads back to the owner holds by that.

use super::Differ;
use crate::evolution::equal::{self, Mode};
use crate::maps::HashSet;
use crate::wire::{Array, NodeId, Object, ObjectId, Variant};

/// What is taken for the same, and what was found to follow.
#[derive(Default)]
pub(super) struct Assumed {
    pub(super) places: HashSet<(NodeId, NodeId)>,
    pub(super) shapes: HashSet<(ObjectId, ObjectId)>,
}

/// A pair that has to be alike for the rest to be.
enum Pair {
    Places(NodeId, NodeId),
    Shapes(ObjectId, ObjectId),
}

impl Differ<'_> {
    /// Whether two places are the same, formats aside, given what is assumed.
    pub(super) fn alike(&self, old: NodeId, new: NodeId, mut assumed: Assumed) -> bool {
        if self.same(old, new, Mode::ButFormat) {
            return true;
        }
        let mut pairs = vec![Pair::Places(old, new)];
        while let Some(pair) = pairs.pop() {
            let Some(looks) = self.looks.get().checked_sub(1) else {
                return false;
            };
            self.looks.set(looks);
            let holds = match pair {
                Pair::Places(old, new) => {
                    self.same(old, new, Mode::ButFormat)
                        || !assumed.places.insert((old, new))
                        || self.places_alike(old, new, &mut pairs)
                }
                Pair::Shapes(old, new) => {
                    !assumed.shapes.insert((old, new)) || self.shapes_alike(old, new, &mut pairs)
                }
            };
            if !holds {
                return false;
            }
        }
        true
    }

    /// Compares two places by their own facts, and adds what they lead to.
    fn places_alike(&self, old: NodeId, new: NodeId, pairs: &mut Vec<Pair>) -> bool {
        let (before, after) = (self.old.node(old), self.new.node(new));
        let shapes = |variants: &[Variant]| variants.len();
        // What is compared as a whole is not looked into.
        let plain = before.held_apart.is_empty() && after.held_apart.is_empty();
        if !plain
            || !equal::same_facts(before, after, Mode::ButFormat, &self.languages)
            || shapes(&before.objects) != shapes(&after.objects)
            || before.arrays.len() != after.arrays.len()
        {
            return false;
        }
        for (was, is) in before.objects.iter().zip(&after.objects) {
            pairs.push(Pair::Shapes(was.object, is.object));
        }
        let arrays = before.arrays.iter().zip(&after.arrays);
        arrays
            .into_iter()
            .all(|(was, is)| arrays_alike(was, is, pairs))
    }

    /// The same for two shapes.
    fn shapes_alike(&self, old: ObjectId, new: ObjectId, pairs: &mut Vec<Pair>) -> bool {
        let (before, after) = (self.old.object(old), self.new.object(new));
        let plain = |object: &Object| object.residual.is_empty() && object.patterns.is_empty();
        if !plain(before)
            || !plain(after)
            || before.names.is_some() != after.names.is_some()
            || !equal::same_shape_facts(before, after, Mode::ButFormat, &self.languages)
        {
            return false;
        }
        let names = before.names.zip(after.names);
        let rest = std::iter::once((before.rest, after.rest));
        pairs.extend(rest.chain(names).map(|(old, new)| Pair::Places(old, new)));
        before.fields.iter().all(|(name, was)| {
            let is = after.fields.get(name);
            pairs.extend(is.map(|is| Pair::Places(was.node, is.node)));
            is.is_some()
        })
    }
}

fn arrays_alike(old: &Array, new: &Array, pairs: &mut Vec<Pair>) -> bool {
    let facts = |array: &Array| {
        let values = array.values.clone();
        (
            array.min_items,
            array.max_items,
            array.unique,
            array.prefix.len(),
            values,
        )
    };
    let plain = |array: &Array| array.contains.is_empty() && array.residual.is_empty();
    let places = old.prefix.iter().zip(&new.prefix);
    let places = places.chain(std::iter::once((&old.items, &new.items)));
    pairs.extend(places.map(|(old, new)| Pair::Places(*old, *new)));
    plain(old) && plain(new) && facts(old) == facts(new)
}
