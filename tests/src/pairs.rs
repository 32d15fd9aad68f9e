//! Pairs of schemas: the second is the first with a few edits, some of which change nothing.

use crate::Chance;
use crate::schemas::{self, NAMES};
use crate::spots::{is_well_founded, spots};
use serde_json::{Map, Value, json};

/// The n-th pair of a seed.
#[must_use]
pub fn pair(seed: u64, number: usize) -> (Value, Value) {
    let mut chance = Chance::of(seed, number);
    let old = schemas::schema(&mut chance);
    let new = mutated(&old, &mut chance);
    // Half of what may be shown at all is shown in the other direction.
    if chance.once_in(2) {
        (new, old)
    } else {
        (old, new)
    }
}

/// A schema with one to three edits, or another schema altogether now and then.
pub fn mutated(schema: &Value, chance: &mut Chance) -> Value {
    if chance.once_in(20) {
        return schemas::schema(chance);
    }
    loop {
        let mut changed = schema.clone();
        for _ in 0..=chance.below(3) {
            let places = spots(&changed);
            let place = chance.one(&places).clone();
            let Some(spot) = changed.pointer_mut(&place) else {
                continue;
            };
            // A root that gives its definitions away leaves references without a target.
            let is_root = place.is_empty();
            edit(spot, is_root, chance);
        }
        if is_whole(&changed) {
            return changed;
        }
    }
}

/// Whether every reference has a target and none leads back to itself about the same value.
pub(crate) fn is_whole(schema: &Value) -> bool {
    let resolves = schema.get("$defs").is_some() || !schema.to_string().contains("#/$defs/");
    resolves && is_well_founded(schema)
}

/// One edit at a place.
pub(crate) fn edit(spot: &mut Value, is_root: bool, chance: &mut Chance) {
    if !is_root && chance.once_in(8) {
        *spot = schemas::part(chance, 2);
        return;
    }
    let Some(members) = spot.as_object_mut() else {
        if !is_root {
            *spot = schemas::part(chance, 1);
        }
        return;
    };
    match chance.below(8) {
        0 | 1 => drop_keyword(members, chance),
        2 => take_keyword(members, chance),
        3 | 4 => change_keyword(members, chance),
        5 | 6 => respell(members, chance),
        _ => {
            annotate(members, chance);
        }
    }
}

fn drop_keyword(members: &mut Map<String, Value>, chance: &mut Chance) {
    let names: Vec<String> = members
        .keys()
        .filter(|name| *name != "$defs")
        .cloned()
        .collect();
    if !names.is_empty() {
        members.remove(chance.one(&names).as_str());
    }
}

/// A keyword of another schema comes in beside those that are there.
fn take_keyword(members: &mut Map<String, Value>, chance: &mut Chance) {
    let Value::Object(other) = schemas::part(chance, 2) else {
        return;
    };
    let names: Vec<&String> = other.keys().collect();
    if !names.is_empty() {
        let name = (*chance.one(&names)).clone();
        let value = other[&name].clone();
        members.insert(name, value);
    }
}

/// The value of one keyword moves a little.
fn change_keyword(members: &mut Map<String, Value>, chance: &mut Chance) {
    let names: Vec<String> = members.keys().cloned().collect();
    if names.is_empty() {
        return;
    }
    let name = chance.one(&names).clone();
    let value = members.entry(name.clone()).or_insert(Value::Null);
    match name.as_str() {
        "type" => {
            let kind = *chance.one(&["null", "integer", "number", "string", "object"]);
            let mut kinds: Vec<Value> = match value.take() {
                Value::Array(kinds) => kinds,
                kind => vec![kind],
            };
            match kinds.iter().position(|one| one == kind) {
                Some(at) if kinds.len() > 1 => drop(kinds.remove(at)),
                Some(_) => {}
                None => kinds.push(json!(kind)),
            }
            *value = if kinds.len() == 1 {
                kinds.remove(0)
            } else {
                Value::Array(kinds)
            };
        }
        "enum" => list_edit(value, chance, |chance| schemas::value(chance, 1)),
        "const" => *value = schemas::value(chance, 1),
        "required" => list_edit(value, chance, |chance| json!(chance.one(NAMES))),
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
            list_edit(value, chance, |chance| schemas::part(chance, 1));
        }
        "properties" => {
            let name = (*chance.one(NAMES)).to_owned();
            if let Some(properties) = value.as_object_mut()
                && properties.remove(&name).is_none()
            {
                properties.insert(name, schemas::part(chance, 1));
            }
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            *value = schemas::number(chance);
        }
        "multipleOf" => *value = json!(1 + chance.below(6)),
        "uniqueItems" => *value = json!(chance.once_in(2)),
        "pattern" => *value = json!(chance.one(schemas::PATTERNS)),
        _ if value.is_u64() => *value = json!(chance.below(4)),
        _ => {}
    }
}

/// One more, one fewer, or another order; never empty and never one twice.
fn list_edit(value: &mut Value, chance: &mut Chance, new: impl Fn(&mut Chance) -> Value) {
    let Some(list) = value.as_array_mut() else {
        return;
    };
    match chance.below(3) {
        0 if list.len() > 1 => drop(list.remove(chance.below(list.len()))),
        1 => list.reverse(),
        _ => {
            let one = new(chance);
            if !list.contains(&one) {
                list.push(one);
            }
        }
    }
}

/// Another spelling of the same.
fn respell(members: &mut Map<String, Value>, chance: &mut Chance) {
    let definitions = members.remove("$defs");
    let whole = || Value::Object(members.clone());
    let spelled = match chance.below(8) {
        0 => json!({"allOf": [whole()]}),
        1 => json!({"anyOf": [whole(), false]}),
        2 => json!({"not": {"not": whole()}}),
        3 => json!({"oneOf": [whole()]}),
        4 => json!({"allOf": [whole(), true]}),
        5 => match (
            members.get("const"),
            members.get("enum"),
            members.get("type"),
        ) {
            (Some(one), ..) => replaced(members, "const", "enum", json!([one])),
            (_, Some(Value::Array(values)), _) if values.len() > 1 => {
                let branches: Value = values.iter().map(|one| json!({"const": one})).collect();
                replaced(members, "enum", "anyOf", branches)
            }
            (_, _, Some(Value::Array(kinds))) => {
                let branches: Value = kinds.iter().map(|one| json!({"type": one})).collect();
                replaced(members, "type", "anyOf", branches)
            }
            (_, _, Some(kind)) => replaced(members, "type", "type", json!([kind])),
            _ => whole(),
        },
        // A keyword moves into a conjunct of its own; those that look at their neighbours stay.
        6 => {
            let movable = [
                "minimum",
                "maximum",
                "required",
                "pattern",
                "minLength",
                "enum",
                "const",
            ];
            let found = movable
                .iter()
                .find_map(|name| Some((*name, members.get(*name)?.clone())));
            match found {
                Some((name, value)) => replaced(members, name, "allOf", json!([{name: value}])),
                None => whole(),
            }
        }
        _ => match members.get("type") {
            Some(Value::String(kind)) if kind == "integer" => {
                let mut rest = members.clone();
                rest.insert("type".to_owned(), json!("number"));
                json!({"allOf": [rest, {"multipleOf": 1}]})
            }
            _ => whole(),
        },
    };
    if let Value::Object(spelled) = spelled {
        *members = spelled;
    }
    if let Some(definitions) = definitions {
        members.insert("$defs".to_owned(), definitions);
    }
}

/// One keyword in place of another, unless that stands there already.
fn replaced(members: &Map<String, Value>, from: &str, to: &str, value: Value) -> Value {
    let mut changed = members.clone();
    changed.remove(from);
    if !changed.contains_key(to) {
        changed.insert(to.to_owned(), value);
        return Value::Object(changed);
    }
    Value::Object(members.clone())
}

fn annotate(members: &mut Map<String, Value>, chance: &mut Chance) {
    let name = *chance.one(&["description", "title", "$comment", "default", "x-note"]);
    if members.remove(name).is_none() {
        members.insert(name.to_owned(), json!("a note"));
    }
}
