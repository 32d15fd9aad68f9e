//! Members of a line by pointer: set, or taken away.

use crate::json::{self, Member, Value, pointer_tokens};

/// Puts a value at a pointer through objects that stand; the last member may be new.
pub(crate) fn set(node: &mut json::Node, pointer: &str, value: json::Node) {
    let Some((members, name)) = parent(node, pointer) else {
        return;
    };
    match members.iter_mut().find(|member| *member.name == *name) {
        Some(member) => member.node = value,
        None => members.push(Member {
            name: name.into(),
            at: 0,
            node: value,
        }),
    }
}

/// Takes the member at a pointer away.
pub(crate) fn unset(node: &mut json::Node, pointer: &str) {
    if let Some((members, name)) = parent(node, pointer) {
        members.retain(|member| *member.name != *name);
    }
}

/// The members of the object that holds what a pointer names, and the name.
fn parent<'a>(node: &'a mut json::Node, pointer: &str) -> Option<(&'a mut Vec<Member>, String)> {
    let mut tokens = pointer_tokens(pointer)?;
    let last = tokens.pop()?;
    let mut node = node;
    for token in tokens {
        let Value::Object(members) = &mut node.value else {
            return None;
        };
        node = &mut members
            .iter_mut()
            .find(|member| *member.name == *token)?
            .node;
    }
    match &mut node.value {
        Value::Object(members) => Some((members, last)),
        _ => None,
    }
}
