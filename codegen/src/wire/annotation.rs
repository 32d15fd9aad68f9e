//! Whether what `x-contract` names stands in the schema: a misspelt name would switch a check off.

use super::{Node, NodeId, ScalarFacts, SchemaFault, Wire, catchall::fault_of};
use crate::json::{Literal, pointer_tokens};
use crate::maps::IndexMap;

/// The faults of the annotation, all at its place.
pub(super) fn check(wire: &Wire, faults: &mut Vec<SchemaFault>) {
    let Some(contract) = &wire.contract else {
        return;
    };
    let roots: Vec<NodeId> = wire.roots.iter().map(|root| root.node).collect();
    if roots.iter().any(|root| wire.is_any(*root)) {
        return;
    }
    let mut fault = |message: String, help: &str| {
        faults.push(fault_of(&contract.origin, "x-contract", message, help));
    };
    let is_number = |id: &NodeId| wire.node(*id).number.is_some();
    let is_string = |id: &NodeId| wire.node(*id).string.is_some();
    let is_scalar = |id: &NodeId| is_number(id) || is_string(id);
    let mut check = |name, pointer: &Option<String>, what, fits: &dyn Fn(&NodeId) -> bool| {
        let Some(pointer) = pointer else { return };
        let found = follow(wire, &roots, pointer);
        if found.is_empty() {
            let message = format!("`{name}` is {pointer:?}, and no line declares such a member");
            fault(message, "name a member that lines declare");
        } else if !found.iter().any(|id| wire.is_any(*id) || fits(id)) {
            let message = format!("`{name}` is {pointer:?}, which never is {what}");
            fault(message, "name a member of that type");
        }
    };
    check("sequence", &contract.sequence, "a number", &is_number);
    check(
        "session",
        &contract.session,
        "a text or a number",
        &is_scalar,
    );
    check("timestamp", &contract.timestamp, "a text", &is_string);
    for (name, members) in [("first", &contract.first), ("terminal", &contract.terminal)] {
        if !members.is_empty() && !roots.iter().any(|root| has_line(wire, *root, members)) {
            let message = format!("no line can have the members of `{name}`");
            fault(
                message,
                "give it the tags of a line that the schema declares",
            );
        }
    }
}

/// The places that a pointer leads to by declared members, in any alternative.
fn follow(wire: &Wire, roots: &[NodeId], pointer: &str) -> Vec<NodeId> {
    let mut places = roots.to_vec();
    for token in pointer_tokens(pointer).unwrap_or_default() {
        let objects = places.iter().flat_map(|id| &wire.node(*id).objects);
        let fields = objects.filter_map(|variant| {
            let field = wire.object(variant.object).fields.get(&token)?;
            field.declared.then_some(field.node)
        });
        let mut next: Vec<NodeId> = fields.collect();
        next.sort_unstable();
        next.dedup();
        places = next;
    }
    places
}

/// Whether a known alternative of a place takes an object with these members.
fn has_line(wire: &Wire, root: NodeId, members: &IndexMap<String, Literal>) -> bool {
    let known = wire.node(root).objects.iter();
    let mut known = known.filter(|variant| !variant.is_catch_all());
    known.any(|variant| {
        let fields = &wire.object(variant.object).fields;
        members.iter().all(|(name, value)| {
            let field = fields.get(name);
            field.is_some_and(|field| {
                wire.is_any(field.node) || may_be(wire.node(field.node), value)
            })
        })
    })
}

fn may_be(node: &Node, value: &Literal) -> bool {
    let strings = node.string.iter();
    let mut strings = strings.map(|scalar| takes(&scalar.known, &scalar.tails, value));
    let numbers = node.number.iter();
    let mut numbers = numbers.map(|scalar| takes(&scalar.known, &scalar.tails, value));
    match value.type_name() {
        "string" => strings.any(|takes| takes),
        "integer" | "number" => numbers.any(|takes| takes),
        "boolean" => node
            .boolean
            .as_ref()
            .is_some_and(|shape| match value.text() {
                "true" => shape.allow_true,
                _ => shape.allow_false,
            }),
        "null" => node.null,
        _ => true,
    }
}

fn takes<F: ScalarFacts>(known: &[super::Known], tails: &[F], value: &Literal) -> bool {
    known.iter().any(|known| known.value == *value) || tails.iter().any(|tail| tail.accepts(value))
}
