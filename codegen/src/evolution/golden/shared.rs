//! Which elements of a new revision stand at places that the old one has too.

use crate::maps::IndexSet;
use crate::wire::{ElementKey, Kind, Node, NodeId, Object, Variant, Wire, value_elements};
use std::collections::HashSet;

/// Elements of `new` with a counterpart in `old` at some place that both reach.
///
/// Whatever is not among them is reached through additions alone. Where several pairings of
/// untagged alternatives are possible all are followed, so that doubt asks for less, never more.
#[must_use]
pub(super) fn shared_elements(old: &Wire, new: &Wire) -> HashSet<ElementKey> {
    let mut pairing = Pairing {
        old,
        new,
        pairs: IndexSet::default(),
        shared: HashSet::new(),
    };
    for root in &new.roots {
        let counterpart = |other: &&crate::wire::Root| other.name == root.name;
        if let Some(other) = old.roots.iter().find(counterpart) {
            pairing.pairs.insert((other.node, root.node));
        }
    }
    let mut next = 0;
    while let Some(&(left, right)) = pairing.pairs.get_index(next) {
        next += 1;
        pairing.place(left, right);
    }
    pairing.shared
}

struct Pairing<'a> {
    old: &'a Wire,
    new: &'a Wire,
    /// Every pair once; it is a queue as well.
    pairs: IndexSet<(NodeId, NodeId)>,
    shared: HashSet<ElementKey>,
}

impl Pairing<'_> {
    fn place(&mut self, left: NodeId, right: NodeId) {
        let (old, new) = (self.old, self.new);
        let (left, right) = (old.node(left), new.node(right));
        let known: HashSet<_> = known_values(left).collect();
        let same = value_elements(right).filter(|value| known.contains(value.value.text()));
        self.shared
            .extend(same.map(|value| (Kind::Value, value.origin.pointer.clone())));
        for one in &left.arrays {
            for other in &right.arrays {
                let length = one.prefix.len().max(other.prefix.len());
                for at in 0..length {
                    let place = |array: &crate::wire::Array| {
                        array.prefix.get(at).copied().unwrap_or(array.items)
                    };
                    self.pairs.insert((place(one), place(other)));
                }
                self.pairs.insert((one.items, other.items));
            }
        }
        for variant in right
            .objects
            .iter()
            .filter(|variant| !variant.is_catch_all())
        {
            for other in left
                .objects
                .iter()
                .filter(|other| pairs_with(other, variant))
            {
                self.shared
                    .insert((Kind::Variant, variant.origin.pointer.clone()));
                self.object(old.object(other.object), new.object(variant.object));
            }
        }
    }

    fn object(&mut self, left: &Object, right: &Object) {
        for (name, field) in right.fields.iter().filter(|(_, field)| field.declared) {
            if let Some(other) = left.fields.get(name).filter(|other| other.declared) {
                self.shared.extend(
                    field
                        .origins
                        .iter()
                        .map(|origin| (Kind::Field, origin.pointer.clone())),
                );
                self.pairs.insert((other.node, field.node));
            }
        }
        for field in &right.patterns {
            if let Some(other) = left
                .patterns
                .iter()
                .find(|other| other.pattern == field.pattern)
            {
                self.pairs.insert((other.node, field.node));
            }
        }
        self.pairs.insert((left.rest, right.rest));
        for residual in &right.residual {
            let same = left
                .residual
                .iter()
                .find(|other| other.keyword == residual.keyword && other.names == residual.names);
            if let Some(other) = same {
                self.pairs.extend(
                    other
                        .nodes
                        .iter()
                        .copied()
                        .zip(residual.nodes.iter().copied()),
                );
            }
        }
    }
}

fn known_values(node: &Node) -> impl Iterator<Item = &str> {
    let strings = node.string.iter().flat_map(|scalar| &scalar.known);
    let numbers = node.number.iter().flat_map(|scalar| &scalar.known);
    strings.chain(numbers).map(|known| known.value.text())
}

/// Whether two alternatives may be the same: no tag that both carry tells them apart.
fn pairs_with(old: &Variant, new: &Variant) -> bool {
    !old.is_catch_all()
        && new.tags.iter().all(|tag| {
            let other = old.tags.iter().find(|other| other.name == tag.name);
            other.is_none_or(|other| other.values.iter().any(|value| tag.values.contains(value)))
        })
}
