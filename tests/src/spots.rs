//! Where schemas stand inside a schema, and whether one asks itself about the same value.

use serde_json::Value;

/// Keywords that hold one schema about the same value.
const SAME: &[&str] = &["not", "if", "then", "else"];
/// Keywords that hold a list of schemas about the same value.
const SAME_LIST: &[&str] = &["allOf", "anyOf", "oneOf"];
/// Keywords that hold one schema about something inside the value.
const INSIDE: &[&str] = &[
    "items",
    "contains",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
];
/// Keywords that hold schemas by name, about something inside the value or about none.
const INSIDE_MAP: &[&str] = &["properties", "patternProperties", "$defs", "definitions"];

/// The JSON pointers of all schemas, the root's first.
#[must_use]
pub fn spots(root: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut next = 0;
    while next < found.len() {
        let here = found[next].clone();
        next += 1;
        let Some(members) = root.pointer(&here).and_then(Value::as_object) else {
            continue;
        };
        for (name, value) in members {
            let at = format!("{here}/{}", escape(name));
            let name = name.as_str();
            if SAME.contains(&name) || INSIDE.contains(&name) {
                found.push(at);
            } else if SAME_LIST.contains(&name) || name == "prefixItems" {
                let count = value.as_array().map_or(0, Vec::len);
                found.extend((0..count).map(|index| format!("{at}/{index}")));
            } else if INSIDE_MAP.contains(&name) || name == "dependentSchemas" {
                let names = value.as_object().into_iter().flatten();
                found.extend(names.map(|(name, _)| format!("{at}/{}", escape(name))));
            }
        }
    }
    found
}

/// Whether no schema leads back to itself about the same value.
#[must_use]
pub fn is_well_founded(root: &Value) -> bool {
    spots(root).iter().all(|spot| {
        let mut path = Vec::new();
        root.pointer(spot)
            .is_none_or(|schema| ends(root, schema, &mut path))
    })
}

fn ends<'a>(root: &'a Value, schema: &'a Value, path: &mut Vec<&'a Value>) -> bool {
    let Some(members) = schema.as_object() else {
        return true;
    };
    if path.iter().any(|one| std::ptr::eq(*one, schema)) {
        return false;
    }
    path.push(schema);
    let mut all = true;
    for (name, value) in members {
        let name = name.as_str();
        if name == "$ref" {
            let target = value
                .as_str()
                .and_then(|text| text.strip_prefix('#'))
                .and_then(|pointer| root.pointer(pointer));
            all &= target.is_none_or(|target| ends(root, target, path));
        } else if SAME.contains(&name) {
            all &= ends(root, value, path);
        } else if SAME_LIST.contains(&name) {
            let list = value.as_array().into_iter().flatten();
            for one in list {
                all &= ends(root, one, path);
            }
        } else if name == "dependentSchemas" {
            for one in value.as_object().into_iter().flatten().map(|(_, one)| one) {
                all &= ends(root, one, path);
            }
        }
    }
    path.pop();
    all
}

/// A name as a step of a JSON pointer.
#[must_use]
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
