//! How deep the shallowest value of each place is, so that samples of recursive schemas end.

use crate::wire::{Array, NodeId, Object, Wire};

/// The height of the shallowest value of each place, as far as documents are deep.
pub(super) fn heights(wire: &Wire) -> Vec<Option<u32>> {
    let mut heights: Vec<Option<u32>> = vec![None; wire.nodes.len()];
    // Heights grow by one a round, and a document is at most 127 deep.
    for _ in 0..128 {
        let mut changed = false;
        for (at, node) in wire.nodes.iter().enumerate() {
            if heights[at] == Some(0) {
                continue;
            }
            let scalar = node.null
                || node.boolean.is_some()
                || node.number.is_some()
                || node.string.is_some();
            let arrays = node
                .arrays
                .iter()
                .filter_map(|array| array_height(array, &heights));
            let objects = node
                .objects
                .iter()
                .filter_map(|variant| object_height(wire.object(variant.object), &heights));
            let least = if scalar {
                Some(0)
            } else {
                arrays.chain(objects).min()
            };
            if least.is_some() && (heights[at].is_none() || least < heights[at]) {
                heights[at] = least;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    heights
}

pub(super) fn array_height(array: &Array, heights: &[Option<u32>]) -> Option<u32> {
    let must = usize::try_from(array.min_items).unwrap_or(usize::MAX);
    let items = (must > array.prefix.len()).then_some(&array.items);
    let counted = array
        .contains
        .iter()
        .filter(|contains| contains.min > 0)
        .map(|contains| &contains.node);
    deepest(
        array.prefix.iter().take(must).chain(items).chain(counted),
        heights,
    )
}

pub(super) fn object_height(object: &Object, heights: &[Option<u32>]) -> Option<u32> {
    deepest(
        object
            .fields
            .values()
            .filter(|field| field.required)
            .map(|field| &field.node),
        heights,
    )
}

/// One more than the highest of some places; `None` where one of them is out of reach.
fn deepest<'a>(
    mut places: impl Iterator<Item = &'a NodeId>,
    heights: &[Option<u32>],
) -> Option<u32> {
    places.try_fold(1, |highest, place| {
        let height = heights.get(place.0 as usize).copied().flatten()?;
        Some(highest.max(height.saturating_add(1)))
    })
}
