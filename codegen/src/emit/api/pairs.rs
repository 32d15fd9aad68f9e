//! Which variants of two revisions of a union are the same one.

use crate::emit::plan::{Arm, Quiet, Union};
use crate::json::Literal;
use crate::wire::{NodeId, ObjectId, Wire};

/// Pairs of arms, by index: of the same tags, else of the same shape (and called the
/// same, where several are of one shape), else called the same.
pub(super) fn of(
    (old, was): (&Wire, &Union),
    (new, is): (&Wire, &Union),
    same: &dyn Fn(ObjectId, ObjectId) -> bool,
) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let label = |wire: &Wire, node: &Quiet<Option<NodeId>>, index: usize| {
        node.0
            .map(|node| crate::wire::variant_label(wire, node, index))
    };
    let object = |wire: &Wire, node: &Quiet<Option<NodeId>>, index: usize| {
        let variants = node.0.map(|node| &wire.node(node).objects)?;
        variants.get(index).map(|variant| variant.object)
    };
    let same_tags = |left: usize, right: usize| {
        let (arm, other) = (&was.arms[left], &is.arms[right]);
        !arm.tags.is_empty() && values(arm) == values(other)
    };
    let meeting_tags = |left: usize, right: usize| meet(&was.arms[left], &is.arms[right]);
    let same_label = |left: usize, right: usize| {
        was.arms[left].tags.is_empty()
            && is.arms[right].tags.is_empty()
            && label(old, &was.node, left) == label(new, &is.node, right)
    };
    let same_shape = |left: usize, right: usize| {
        let found = (object(old, &was.node, left), object(new, &is.node, right));
        matches!(found, (Some(left), Some(right)) if same(left, right))
    };
    let same_both = |left: usize, right: usize| same_label(left, right) && same_shape(left, right);
    let rules: [&dyn Fn(usize, usize) -> bool; 5] = [
        &same_tags,
        &meeting_tags,
        &same_both,
        &same_shape,
        &same_label,
    ];
    for rule in rules {
        for left in 0..was.arms.len() {
            for right in 0..is.arms.len() {
                let taken = pairs.iter().any(|pair| pair.0 == left || pair.1 == right);
                if !taken && rule(left, right) {
                    pairs.push((left, right));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Each tag's name with its values, sorted; equal for arms that the same documents select.
fn values(arm: &Arm) -> Vec<(&str, Vec<&str>)> {
    let tags = arm.tags.iter().map(|tag| {
        let mut values: Vec<&str> = tag.values.iter().map(Literal::text).collect();
        values.sort_unstable();
        (tag.name.as_str(), values)
    });
    tags.collect()
}

/// Whether some tag values select both arms.
fn meet(left: &Arm, right: &Arm) -> bool {
    let (left, right) = (values(left), values(right));
    !left.is_empty()
        && left.len() == right.len()
        && left.iter().zip(&right).all(|(left, right)| {
            let shared = left.1.iter().any(|value| right.1.contains(value));
            left.0 == right.0 && (shared || left.1.is_empty() && right.1.is_empty())
        })
}
