//! The search for a smaller case: greedy, one simplification at a time, as long as the fault stays.

use crate::spots::spots;
use serde_json::{Value, json};

/// Keywords whose value is no schema but holds some by name.
const BY_NAME: &[&str] = &[
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
];
/// How many simplifications are tried before a search ends.
const TRIES: usize = 4000;

/// The smallest pair and document found for which `fails` holds, as it does for those given.
pub fn shrink(
    old: Value,
    new: Value,
    document: Value,
    fails: &dyn Fn(&Value, &Value, &Value) -> bool,
) -> (Value, Value, Value) {
    let mut best = (old, new, document);
    let mut tries = 0;
    'again: loop {
        let (old, new, document) = &best;
        let both = simpler_in_both(old, new)
            .into_iter()
            .map(|(old, new)| (old, new, document.clone()));
        let left = simpler(old)
            .into_iter()
            .map(|old| (old, new.clone(), document.clone()));
        let right = simpler(new)
            .into_iter()
            .map(|new| (old.clone(), new, document.clone()));
        let inside = simpler_documents(document)
            .into_iter()
            .map(|document| (old.clone(), new.clone(), document));
        for next in both.chain(left).chain(right).chain(inside) {
            tries += 1;
            if tries > TRIES {
                return best;
            }
            if fails(&next.0, &next.1, &next.2) {
                best = next;
                continue 'again;
            }
        }
        return best;
    }
}

/// The same simplification on both sides, where they have a place in common.
fn simpler_in_both(old: &Value, new: &Value) -> Vec<(Value, Value)> {
    let mut found = Vec::new();
    for place in spots(old) {
        let (Some(left), Some(right)) = (old.pointer(&place), new.pointer(&place)) else {
            continue;
        };
        let replace = |whole: &Value, part: Value| {
            let mut changed = whole.clone();
            if let Some(spot) = changed.pointer_mut(&place) {
                *spot = part;
            }
            changed
        };
        if left == right && *left != json!(true) {
            found.push((replace(old, json!(true)), replace(new, json!(true))));
        }
        let names = left.as_object().into_iter().flatten().map(|(name, _)| name);
        for name in names {
            let (Some(_), Some(_)) = (left.get(name), right.get(name)) else {
                continue;
            };
            found.push((
                replace(old, without(left, name)),
                replace(new, without(right, name)),
            ));
            let (left, right) = (left[name].clone(), right[name].clone());
            for inner in inner_names(&left, &right) {
                let (left, right) = (without(&left, &inner), without(&right, &inner));
                let with = |whole: &Value, list: Value| {
                    let mut part = whole.pointer(&place).cloned().unwrap_or_default();
                    part[name] = list;
                    replace(whole, part)
                };
                found.push((with(old, left), with(new, right)));
            }
            // What both wrap is what matters, mostly.
            if left.is_object() && right.is_object() {
                found.push((replace(old, left), replace(new, right)));
            }
        }
    }
    found
}

fn inner_names(left: &Value, right: &Value) -> Vec<String> {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => left
            .keys()
            .filter(|name| right.contains_key(*name))
            .cloned()
            .collect(),
        (Value::Array(left), Value::Array(right)) if left.len() > 1 && right.len() > 1 => {
            (0..left.len().min(right.len()))
                .map(|index| index.to_string())
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Schemas with one thing less.
fn simpler(schema: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    for place in spots(schema) {
        let Some(part) = schema.pointer(&place) else {
            continue;
        };
        let mut replace = |part: Value| {
            let mut changed = schema.clone();
            if let Some(spot) = changed.pointer_mut(&place) {
                *spot = part;
            }
            found.push(changed);
        };
        if !part.is_boolean() {
            replace(json!(true));
            replace(json!(false));
        }
        let Some(members) = part.as_object() else {
            continue;
        };
        for (name, value) in members {
            replace(without(part, name));
            let mut with = |value: Value| {
                let mut changed = part.clone();
                changed[name.as_str()] = value;
                replace(changed);
            };
            match value {
                Value::Array(list) if list.len() > 1 => {
                    (0..list.len()).for_each(|index| with(without(value, &index.to_string())));
                }
                Value::Object(inner) if name != "properties" || !inner.is_empty() => {
                    inner.keys().for_each(|name| with(without(value, name)));
                }
                Value::Number(number) if number.as_u64() > Some(1) => with(json!(1)),
                _ => {}
            }
            // A schema in place of the one that holds it.
            match value {
                Value::Object(_) if !BY_NAME.contains(&name.as_str()) => replace(value.clone()),
                Value::Array(list) if ["allOf", "anyOf", "oneOf"].contains(&name.as_str()) => {
                    list.iter().for_each(|one| replace(one.clone()));
                }
                _ => {}
            }
        }
    }
    found
}

fn simpler_documents(document: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match document {
        Value::Array(elements) => {
            for index in 0..elements.len() {
                found.push(without(document, &index.to_string()));
                for inner in simpler_documents(&elements[index]) {
                    let mut changed = document.clone();
                    changed[index] = inner;
                    found.push(changed);
                }
            }
            if !elements.is_empty() {
                found.push(json!([]));
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                found.push(without(document, name));
                for inner in simpler_documents(value) {
                    let mut changed = document.clone();
                    changed[name.as_str()] = inner;
                    found.push(changed);
                }
            }
        }
        Value::String(text) if text.chars().count() > 1 => {
            found.push(json!(text.chars().take(1).collect::<String>()));
        }
        _ => {}
    }
    if !document.is_null() && *document != json!(0) {
        found.extend([json!(null), json!(0)]);
    }
    found
}

/// An object without a member, or a list without an element.
fn without(value: &Value, name: &str) -> Value {
    let mut changed = value.clone();
    match &mut changed {
        Value::Object(members) => drop(members.remove(name)),
        Value::Array(list) => {
            if let Ok(index) = name.parse::<usize>()
                && index < list.len()
            {
                list.remove(index);
            }
        }
        _ => {}
    }
    changed
}
