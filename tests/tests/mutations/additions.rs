//! Growth: members, known values and variants that are new, and what looks like it and is not.

use super::Mutations;
use super::positions::{Position, Role, Shape, shape};
use super::text::*;
use super::unions::{Branch, branches};
use wirelock_codegen::json::Node;

/// New optional members of every kind.
const MEMBERS: &[&str] = &[
    r#"{"type":"string","description":"New."}"#,
    r#"{"type":"integer","minimum":0}"#,
    r#"{"type":"number"}"#,
    r#"{"type":"boolean"}"#,
    r#"{"type":"array","items":{"type":"string"}}"#,
    r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#,
    r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
    r#"{"type":["string","null"],"default":null}"#,
    r#"{"anyOf":[{"const":"a"},{"const":"b"},{"type":"string"}]}"#,
    r#"{"type":"string","format":"date-time"}"#,
    r#"{"description":"Free-form."}"#,
    r##"{"$ref":"#/$defs/count"}"##,
    r##"{"$ref":"#/$defs/agent_info","description":"New."}"##,
    r##"{"$ref":"#/$defs/severity"}"##,
    r##"{"$ref":"#/$defs/block"}"##,
    r##"{"type":"array","items":{"$ref":"#/$defs/event"}}"##,
];

pub(crate) fn generate(schema: &Node, all: &[Position]) -> Mutations {
    let mut found = Mutations::default();
    for position in all {
        let node = schema.pointer(&position.pointer).expect("a position");
        let shape = shape(schema, node);
        let pointer = &position.pointer;
        let own = node.get("$ref").is_none();
        if own && shape == Shape::Object && position.role == Role::Definition {
            // What only a catch-all declares is no part of what a golden can hold.
            let known = node.get("title").and_then(Node::as_str);
            let open = known.is_some_and(|title| title.starts_with("Unknown"));
            let operator = if open {
                "add-to-catch-all"
            } else {
                "add-property"
            };
            for (number, text) in MEMBERS.iter().enumerate() {
                let name = format!("new_member_{number}");
                found.edit_member(operator, &format!("{pointer}/properties"), &name, text);
            }
        }
        if own && shape == Shape::Map && position.role == Role::Property {
            let usage = r##"{"properties":{"x":{"$ref":"#/$defs/usage"}}}"##;
            add_properties("add-to-map-alike", pointer, usage, &mut found);
            for other in [
                r#"{"type":"string"}"#,
                r##"{"$ref":"#/$defs/command"}"##,
                "{}",
            ] {
                let text = format!(r#"{{"properties":{{"x":{other}}}}}"#);
                add_properties("add-to-map-otherwise", pointer, &text, &mut found);
            }
        }
        if own && shape == Shape::Any && position.role == Role::Property {
            for text in MEMBERS {
                let text = format!(r#"{{"properties":{{"x":{text}}}}}"#);
                add_properties("add-to-free-form", pointer, &text, &mut found);
            }
        }
        if own && shape == Shape::OpenEnum {
            let list = format!("{pointer}/anyOf");
            let length = schema
                .pointer(&list)
                .map_or(0, |list| list.elements().len());
            // At the front, before the tail, and after it: order is no fact.
            for index in [0, length - 1, length] {
                let list = list.clone();
                found.push("add-value", pointer, move |schema| {
                    let new = parse(r#"{"const":"new_value","description":"New."}"#);
                    elements_mut(at(schema, &list)).insert(index, new);
                });
            }
        }
    }
    variants(schema, all, &mut found);
    found
}

fn add_properties(operator: &'static str, pointer: &str, text: &str, found: &mut Mutations) {
    let value = write(parse(text).get("properties").expect("properties"));
    found.edit_member(operator, pointer, "properties", &value);
}

/// A variant beside each known one: a copy of it, and one with a member of its own.
fn variants(schema: &Node, all: &[Position], found: &mut Mutations) {
    let (known, _) = branches(schema, all);
    for branch in &known {
        let place = format!("{}/oneOf/{}", branch.union, branch.index);
        for (operator, body) in [("add-variant", None), ("add-variant", Some("new_body"))] {
            let branch = branch.clone();
            found.push(operator, &place, move |schema| {
                add_variant(schema, &branch, body, true);
            });
        }
        let branch = branch.clone();
        found.push("add-variant-unlisted", &place, move |schema| {
            add_variant(schema, &branch, Some("new_body"), false);
        });
    }
}

fn add_variant(schema: &mut Node, branch: &Branch, body: Option<&str>, listed: bool) {
    let mut definition = schema
        .pointer(&branch.definition)
        .expect("the variant stands there")
        .clone();
    let (tag, _) = branch.tags.last().expect("variants are tagged");
    *at(&mut definition, &format!("/properties/{tag}/const")) = string("new_variant");
    *at(&mut definition, "/title") = string("NewVariant");
    if let Some(name) = body {
        set(
            at(&mut definition, "/properties"),
            name,
            parse(r#"{"type":"string"}"#),
        );
        enlist(&mut definition, "required", name);
    }
    set(at(schema, "/$defs"), "new_variant", definition);
    let list = elements_mut(at(schema, &format!("{}/oneOf", branch.union)));
    list.push(object(vec![("$ref", string("#/$defs/new_variant"))]));
    if listed {
        elements_mut(at(schema, &branch.list)).push(string("new_variant"));
    }
}
