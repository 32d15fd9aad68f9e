//! Refactorings that say the same with other keywords, or in another order.

use super::Found;
use super::positions::Position;
use super::text::*;
use wirelock_codegen::json::{Node, Value};

/// Other words for the same keywords.
pub(crate) fn generate(node: &Node, position: &Position, found: &mut Found) {
    let pointer = &position.pointer;
    for keyword in [
        "properties",
        "required",
        "enum",
        "oneOf",
        "anyOf",
        "allOf",
        "$defs",
        "type",
    ] {
        match node.get(keyword).map(|node| &node.value) {
            Some(Value::Array(_)) => {
                let place = format!("{pointer}/{keyword}");
                found.push("reorder", &place.clone(), move |schema| {
                    elements_mut(at(schema, &place)).reverse();
                });
            }
            Some(Value::Object(_)) => {
                let place = format!("{pointer}/{keyword}");
                found.push("reorder", &place.clone(), move |schema| {
                    members_mut(at(schema, &place)).reverse();
                });
            }
            _ => {}
        }
    }
    found.map("reorder keywords", pointer, |mut node| {
        members_mut(&mut node).reverse();
        node
    });
    if let Some(value) = node.get("const").cloned() {
        found.map("const as enum", pointer, move |mut node| {
            take(&mut node, "const");
            set(&mut node, "enum", list(vec![value.clone()]));
            node
        });
    }
    if let Some(values) = node.get("enum").map(|node| node.elements().to_vec()) {
        for keyword in ["oneOf", "anyOf"] {
            if node.get(keyword).is_some() {
                continue;
            }
            let values = values.clone();
            found.map("enum as alternatives", pointer, move |mut node| {
                take(&mut node, "enum");
                let branches = values
                    .iter()
                    .map(|value| object(vec![("const", value.clone())]));
                set(&mut node, keyword, list(branches.collect()));
                node
            });
        }
    }
    alternatives(node, pointer, found);
    if let Some(kind) = node.get("type") {
        if kind.as_str().is_some() {
            found.map("type as list", pointer, |mut node| {
                let kind = take(&mut node, "type").expect("a type");
                set(&mut node, "type", list(vec![kind]));
                node
            });
        } else if kind.elements().len() > 1 && node.get("anyOf").is_none() {
            found.map("types as alternatives", pointer, |mut node| {
                let kinds = take(&mut node, "type").expect("types");
                let branches = kinds.elements().iter();
                let branches = branches.map(|kind| object(vec![("type", kind.clone())]));
                set(&mut node, "anyOf", list(branches.collect()));
                node
            });
        }
        for (of, keyword, text) in [
            ("string", "minLength", "0"),
            ("array", "minItems", "0"),
            ("array", "uniqueItems", "false"),
            ("array", "items", "true"),
            ("object", "minProperties", "0"),
            ("object", "additionalProperties", "true"),
            ("object", "additionalProperties", "{}"),
            ("object", "unevaluatedProperties", "true"),
            ("object", "required", "[]"),
            ("object", "properties", "{}"),
            ("string", "maximum", "3"),
            ("integer", "minLength", "3"),
            ("integer", "multipleOf", "1"),
        ] {
            if kind.as_str() == Some(of) && node.get(keyword).is_none() {
                found.map("say nothing more", pointer, move |mut node| {
                    set(&mut node, keyword, parse(text));
                    node
                });
            }
        }
        if kind.as_str() == Some("integer") {
            for (from, to, step) in [
                ("minimum", "exclusiveMinimum", -1),
                ("maximum", "exclusiveMaximum", 1),
            ] {
                let bound = node
                    .get(from)
                    .map(write)
                    .and_then(|text| text.parse::<i64>().ok());
                let Some(bound) = bound else { continue };
                found.map("bound from outside", pointer, move |mut node| {
                    take(&mut node, from);
                    set(&mut node, to, parse(&(bound + step).to_string()));
                    node
                });
            }
        }
    }
    let objects = node.get("properties").is_some() && node.get("allOf").is_some();
    if objects && node.get("type").is_none() {
        found.map("say the type again", pointer, |mut node| {
            set(&mut node, "type", string("object"));
            node
        });
    }
    if let Some(values) = node.get("not").and_then(|not| not.get("enum")) {
        let consts: Vec<Node> = values
            .elements()
            .iter()
            .map(|value| object(vec![("const", value.clone())]))
            .collect();
        let one = consts.clone();
        found.map("not one of", pointer, move |mut node| {
            set(&mut node, "not", object(vec![("anyOf", list(one.clone()))]));
            node
        });
        found.map("none of", pointer, move |mut node| {
            take(&mut node, "not");
            let parts = consts
                .iter()
                .map(|value| object(vec![("not", value.clone())]));
            set(&mut node, "allOf", list(parts.collect()));
            node
        });
    }
}

/// Enums and unions under their other combinators.
fn alternatives(node: &Node, pointer: &str, found: &mut Found) {
    if let Some(branches) = node.get("anyOf").map(Node::elements) {
        let values: Vec<Node> = branches
            .iter()
            .filter_map(|branch| branch.get("const").cloned())
            .collect();
        let rest: Vec<Node> = branches
            .iter()
            .filter(|branch| branch.get("const").is_none())
            .cloned()
            .collect();
        if !values.is_empty() {
            found.map("known values as enum", pointer, move |mut node| {
                let mut branches = vec![object(vec![("enum", list(values.clone()))])];
                branches.extend(rest.clone());
                set(&mut node, "anyOf", list(branches));
                node
            });
        }
        let distinct = branches.iter().all(|branch| branch.get("const").is_some());
        if distinct && node.get("oneOf").is_none() {
            found.map("anyOf as oneOf", pointer, |mut node| {
                rename(&mut node, "anyOf", "oneOf");
                node
            });
        }
    }
    // All unions here are told apart, so that one branch matches where any does.
    if node.get("oneOf").is_some() && node.get("anyOf").is_none() {
        found.map("oneOf as anyOf", pointer, |mut node| {
            rename(&mut node, "oneOf", "anyOf");
            node
        });
    }
    if node.get("oneOf").is_some() && node.get("type").is_none() && node.get("$defs").is_some() {
        found.map("say the type of all branches", pointer, |mut node| {
            set(&mut node, "type", string("object"));
            node
        });
    }
}
