//! What a schema says of a place and no type does: references that lead nowhere, and assertions
//! across members.

use crate::wire::{Node, NodeId, Object, Residual, Scalar, Wire};

/// Why a place may hold anything although its schema refers to something: that is not at hand.
pub(super) fn unresolved(wire: &Wire, id: NodeId) -> Option<String> {
    let node = wire.node(id);
    let of_objects = |node: &Node| -> Option<bool> {
        let [only] = node.objects.as_slice() else {
            return None;
        };
        let object = wire.object(only.object);
        let declares = object.fields.values().any(|field| field.declared);
        Some(!declares && is_open(&object.residual))
    };
    let of_arrays = matches!(node.arrays.as_slice(), [array] if is_open(&array.residual));
    let of_numbers = only_tail(node.number.as_ref()).is_some_and(|facts| is_open(&facts.residual));
    let of_strings = only_tail(node.string.as_ref()).is_some_and(|facts| is_open(&facts.residual));
    if !(node.null && of_numbers && of_strings && of_arrays && of_objects(node)?) {
        return None;
    }
    let [array] = node.arrays.as_slice() else {
        return None;
    };
    let reference = array
        .residual
        .iter()
        .find(|residual| is_reference(residual))?;
    let told = wire
        .undecided
        .iter()
        .find(|undecided| undecided.origin == reference.origin);
    Some(match told {
        Some(undecided) => format!(
            "its `{}` leads nowhere: {}",
            undecided.keyword, undecided.why
        ),
        None => "its reference leads nowhere".to_owned(),
    })
}

fn only_tail<F>(scalar: Option<&Scalar<F>>) -> Option<&F> {
    match scalar {
        Some(Scalar { known, tails }) if known.is_empty() => match tails.as_slice() {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}

fn is_open(residual: &[Residual]) -> bool {
    residual.iter().any(is_reference)
}

fn is_reference(residual: &Residual) -> bool {
    residual.undecided && residual.keyword == "$ref"
}

/// The assertions about a whole object that its type does not check.
pub(super) fn unchecked(object: &Object) -> Option<String> {
    let mut keywords: Vec<&str> = Vec::new();
    let mut add = |present: bool, keyword| {
        if present && !keywords.contains(&keyword) {
            keywords.push(keyword);
        }
    };
    add(object.min_properties > 0, "minProperties");
    add(object.max_properties.is_some(), "maxProperties");
    add(object.names.is_some(), "propertyNames");
    add(!object.dependent_required.is_empty(), "dependentRequired");
    for residual in &object.residual {
        add(true, residual.keyword);
    }
    if keywords.is_empty() {
        return None;
    }
    let quoted: Vec<String> = keywords.iter().map(|word| format!("`{word}`")).collect();
    Some(format!(
        "what {} of the whole object says is not checked",
        quoted.join(", ")
    ))
}
