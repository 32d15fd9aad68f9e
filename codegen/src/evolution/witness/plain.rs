//! A copy of a schema in plainer spelling, for a validator that cannot take the original's.

use crate::json::{Node, Value, child_pointer};
use crate::schema::{Document, Schema, SchemaId, Target};
use crate::wire::pattern;
use serde_json::Value as Json;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The schema, made to start at one of its parts.
pub(super) fn starting_at(mut schema: Json, start: Option<&str>) -> Json {
    let (Some(pointer), Json::Object(members)) = (start, &mut schema) else {
        return schema;
    };
    let reference = serde_json::json!({ "$ref": reference(pointer) });
    // Beside other members a `$ref` would hide them in the older drafts, and its own `$id` too.
    match members.get_mut("allOf") {
        Some(Json::Array(all)) => all.push(reference),
        _ => {
            members.insert("allOf".to_owned(), Json::Array(vec![reference]));
        }
    }
    schema
}

/// The document with every reference written as an escaped pointer from its root, no identifiers,
/// the usual spelling of its dialect, and patterns in the syntax that the validator's engine
/// shares; `None` where references depend on how they are reached.
pub(super) fn copy(document: &Document) -> Option<Json> {
    respelled(document).map(|(copy, _)| copy)
}

/// The same, where it says something in an older dialect's words although no dialect is stated: a
/// validator takes such a schema for one of the newest dialect, in which those words say nothing.
pub(super) fn in_new_words(document: &Document) -> Option<Json> {
    let (copy, is_old) = respelled(document)?;
    is_old.then_some(copy)
}

fn respelled(document: &Document) -> Option<(Json, bool)> {
    let is_dynamic = |resource: &crate::schema::Resource| !resource.dynamic_anchors.is_empty();
    if document.resources.iter().any(is_dynamic) {
        return None;
    }
    let schemas = document.schemas.iter().enumerate();
    let by_pointer = schemas.map(|(index, schema)| (&*schema.pointer, index));
    let copier = Copier {
        document,
        by_pointer: by_pointer.collect(),
        is_old: Cell::new(false),
    };
    let Value::Array(files) = &document.node.value else {
        let copy = copier.node(&document.node, "")?;
        return Some((copy, copier.is_old.get()));
    };
    // The further files go into a member that no dialect knows, where pointers reach them.
    let [main, others] = files.as_slice() else {
        return None;
    };
    let mut copy = copier.node(main, "")?;
    let mut parts = serde_json::Map::new();
    for other in others.members() {
        let prefix = crate::schema::pointer_prefix(&other.name);
        let part = copier.node(&other.node, &prefix)?;
        parts.insert(prefix.trim_end_matches('#').to_owned(), part);
    }
    copy.as_object_mut()?
        .insert(FILES.to_owned(), Json::Object(parts));
    Some((copy, copier.is_old.get()))
}

/// The member of a copy that holds the further files by path.
const FILES: &str = "x-files";

struct Copier<'a> {
    document: &'a Document,
    by_pointer: HashMap<&'a str, usize>,
    /// Whether something was said in an older dialect's words.
    is_old: Cell<bool>,
}

impl Copier<'_> {
    /// The recursion is along the document, whose depth the reader bounds.
    fn node(&self, node: &Node, pointer: &str) -> Option<Json> {
        let index = self.by_pointer.get(pointer);
        let schema = index.map(|index| &self.document.schemas[*index]);
        match &node.value {
            Value::Object(members) => {
                let mut copy = serde_json::Map::new();
                for member in members {
                    let name = &*member.name;
                    let below = child_pointer(pointer, name);
                    let value = match schema {
                        Some(_) if is_identifier(name, &member.node) => continue,
                        Some(schema) => self.keyword(schema, name, &member.node, &below)?,
                        None => self.node(&member.node, &below)?,
                    };
                    let name = match pointer.strip_suffix("/patternProperties") {
                        Some(above) if self.by_pointer.contains_key(above) => translated(name),
                        _ => name.to_owned(),
                    };
                    copy.insert(name, value);
                }
                let id = index.and_then(|index| u32::try_from(*index).ok());
                if id.is_some_and(|id| self.document.states_no_dialect(SchemaId(id)))
                    && use_new_words(&mut copy)
                {
                    self.is_old.set(true);
                }
                Some(Json::Object(copy))
            }
            Value::Array(elements) => {
                let elements = elements.iter().enumerate().map(|(index, element)| {
                    self.node(element, &child_pointer(pointer, &index.to_string()))
                });
                elements.collect::<Option<_>>().map(Json::Array)
            }
            _ => super::instance(node),
        }
    }

    fn keyword(&self, schema: &Schema, name: &str, node: &Node, pointer: &str) -> Option<Json> {
        match (name, node.as_str()) {
            ("$ref", Some(text)) => Some(Json::from(match &schema.reference {
                Some(Target::Schema(id)) => reference(&self.target(*id).pointer),
                _ => text.to_owned(),
            })),
            ("$recursiveRef" | "$dynamicRef", Some(_)) => None,
            ("$schema", Some(uri)) => Some(Json::from(usual(uri))),
            ("pattern", Some(text)) => Some(Json::from(translated(text))),
            _ => self.node(node, pointer),
        }
    }

    fn target(&self, id: SchemaId) -> &Schema {
        self.document.schema(id)
    }
}

/// Says in the words of 2020-12 what a schema says in older ones; whether there was any such word.
fn use_new_words(schema: &mut serde_json::Map<String, Json>) -> bool {
    let mut found = false;
    for (exclusive, bound) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        let Some(Json::Bool(is_exclusive)) = schema.get(exclusive) else {
            continue;
        };
        found = true;
        let end = match is_exclusive {
            true => schema.remove(bound),
            false => None,
        };
        schema.remove(exclusive);
        schema.extend(end.map(|end| (exclusive.to_owned(), end)));
    }
    if let Some(Json::Array(_)) = schema.get("items") {
        found = true;
        let tuple = schema.remove("items");
        let others = schema.remove("additionalItems");
        schema.extend(others.map(|others| ("items".to_owned(), others)));
        schema.extend(tuple.map(|tuple| ("prefixItems".to_owned(), tuple)));
    }
    if let Some(Json::Object(dependencies)) = schema.remove("dependencies") {
        found = true;
        for (name, needs) in dependencies {
            let keyword = match needs {
                Json::Array(_) => "dependentRequired",
                _ => "dependentSchemas",
            };
            let beside = schema
                .entry(keyword)
                .or_insert_with(|| Json::Object(serde_json::Map::new()));
            let Json::Object(beside) = beside else {
                continue;
            };
            match (beside.get_mut(&name), needs) {
                (None, needs) => drop(beside.insert(name, needs)),
                (Some(Json::Array(all)), Json::Array(needs)) => all.extend(needs),
                (Some(schema), needs) => {
                    let both = vec![schema.take(), needs];
                    *schema = serde_json::json!({ "allOf": both });
                }
            }
        }
    }
    found
}

/// References are from the root here, so nothing needs a name of its own.
fn is_identifier(keyword: &str, value: &Node) -> bool {
    matches!(keyword, "$id" | "id" | "$anchor") && value.as_str().is_some()
}

fn translated(text: &str) -> String {
    pattern::translate(text).unwrap_or_else(|_| text.to_owned())
}

/// A dialect's name in the one spelling that every validator knows.
fn usual(uri: &str) -> String {
    let bare = uri.trim_end_matches('#');
    let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest);
    if bare.contains("/draft-0") {
        format!("http://{bare}#")
    } else {
        format!("https://{bare}")
    }
}

/// A pointer as a reference: what URIs do not allow is percent-encoded.
fn reference(pointer: &str) -> String {
    let mut text = "#".to_owned();
    let in_file;
    let pointer = match pointer.split_once('#') {
        Some((path, below)) if !pointer.starts_with('/') => {
            in_file = format!("{}{below}", child_pointer(&format!("/{FILES}"), path));
            &in_file
        }
        _ => pointer,
    };
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/$-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}
