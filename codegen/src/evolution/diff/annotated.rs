//! Whether two documents say the same but for their annotations.

use crate::json::{Node, Value};

/// Keywords that only document. Where names stand for members their values are schemas, which are
/// no text and no list, and the keywords in which they are something else are compared as data.
const ANNOTATIONS: [&str; 4] = ["$comment", "description", "examples", "title"];
/// Keywords whose values hold no schema, so that no member in them annotates.
const DATA: [&str; 7] = [
    "const",
    "default",
    "dependencies",
    "dependentRequired",
    "discriminator",
    "enum",
    "x-contract",
];

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

#[cfg(test)]
mod tests {
    use super::same_but_annotations;
    use crate::json::parse;

    #[test]
    fn notes_are_told_from_data_and_members_of_their_names() {
        for (old, new, same) in [
            (
                r#"{"title": "a", "type": "null"}"#,
                r#"{"type": "null", "description": "b"}"#,
                true,
            ),
            (r#"{"type": "null"}"#, r#"{"type": "string"}"#, false),
            (
                r#"{"const": {"title": "a"}}"#,
                r#"{"const": {"title": "b"}}"#,
                false,
            ),
            (
                r#"{"properties": {"title": {"examples": [1]}}}"#,
                r#"{"properties": {"title": {}}}"#,
                true,
            ),
            (
                r#"{"properties": {"title": true}}"#,
                r#"{"properties": {}}"#,
                false,
            ),
            (
                r#"{"dependentRequired": {"title": ["a"]}}"#,
                r#"{"dependentRequired": {"title": ["b"]}}"#,
                false,
            ),
            (
                r#"{"discriminator": {"mapping": {"title": "a"}}}"#,
                r#"{"discriminator": {"mapping": {"title": "b"}}}"#,
                false,
            ),
            (
                r#"{"required": ["a", "b"]}"#,
                r#"{"required": ["b", "a"]}"#,
                false,
            ),
        ] {
            let read = |text| parse(text).expect("JSON");
            assert_eq!(
                same_but_annotations(&read(old), &read(new)),
                same,
                "{old} and {new}"
            );
        }
    }
}
