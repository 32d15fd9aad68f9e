//! Whether two documents say the same but for their annotations.

use crate::json::{Node, Value};

/// Keywords that only document, with a value that no schema of a member so named could be.
const ANNOTATIONS: [&str; 4] = ["$comment", "description", "examples", "title"];
/// Keywords whose values are data, in which no member annotates.
const DATA: [&str; 3] = ["const", "default", "enum"];

/// Whether two schema documents differ in annotations alone; what they hold then means the same,
/// also where it cannot be worked out what that is. Members may stand in another order.
///
/// The recursion is along the documents, whose depth the reader bounds.
pub(super) fn same_but_annotations(old: &Node, new: &Node) -> bool {
    match (&old.value, &new.value) {
        (Value::Object(_), Value::Object(_)) => {
            let speaking =
                |node: &Node| node.members().iter().filter(|one| !annotates(one)).count();
            let is_kept = |one: &crate::json::Member| {
                let Some(other) = new.get(&one.name) else {
                    return false;
                };
                match DATA.contains(&&*one.name) {
                    true => one.node.is_equal(other),
                    false => same_but_annotations(&one.node, other),
                }
            };
            let mut members = old.members().iter().filter(|one| !annotates(one));
            speaking(old) == speaking(new) && members.all(is_kept)
        }
        (Value::Array(was), Value::Array(is)) => {
            was.len() == is.len()
                && was
                    .iter()
                    .zip(is)
                    .all(|(one, other)| same_but_annotations(one, other))
        }
        _ => old.is_equal(new),
    }
}

fn annotates(member: &crate::json::Member) -> bool {
    let is_note = matches!(member.node.value, Value::String(_) | Value::Array(_));
    is_note && ANNOTATIONS.contains(&&*member.name)
}
