//! Operators on constraints: every keyword that could narrow a place, and those that stand there already.

use super::Mutations;
use super::members::{is_base, is_tag};
use super::positions::{Position, Role, Shape, shape};
use super::text::*;
use wirelock_codegen::json::Node;

pub(crate) fn generate(schema: &Node, all: &[Position]) -> Mutations {
    let mut found = Mutations::default();
    for position in all {
        let node = schema.pointer(&position.pointer).expect("a position");
        let shape = shape(schema, node);
        let pointer = &position.pointer;
        match position.role {
            Role::Property | Role::Items | Role::MapValue if !is_tag(schema, position, shape) => {
                narrow(pointer, shape, &mut found);
            }
            Role::Definition => {
                narrow(pointer, shape, &mut found);
                if shape == Shape::Object {
                    narrow_object(schema, pointer, &mut found);
                }
            }
            _ => {}
        }
        if shape == Shape::Any && position.role == Role::Property {
            structure(pointer, &mut found);
        }
        existing(node, pointer, &mut found);
    }
    hidden(&mut found);
    found
}

/// Keywords that narrow what stands at a place; most stand beside a `$ref` as well as beside a `type`.
fn narrow(pointer: &str, shape: Shape, found: &mut Mutations) {
    let mut add =
        |operator, name: &str, text: &str| found.edit_member(operator, pointer, name, text);
    match shape {
        Shape::Text => {
            add("narrow", "minLength", "3");
            add("narrow", "maxLength", "1000");
            add("narrow", "not", r#"{"const":"x"}"#);
            add("narrow", "not", r#"{"enum":["x","y"]}"#);
            add("narrow-pattern", "pattern", r#""^[a-z]+$""#);
            add("narrow-pattern", "pattern", r#""a""#);
            add("format", "format", r#""uri""#);
            add("format", "contentEncoding", r#""base64""#);
            add("format", "contentMediaType", r#""application/json""#);
            add("narrow-to-values", "enum", r#"["a","b"]"#);
            add("narrow-to-values", "const", r#""a""#);
            add(
                "know-values",
                "anyOf",
                r#"[{"const":"a"},{"type":"string"}]"#,
            );
            add(
                "know-values",
                "anyOf",
                r#"[{"enum":["a","b"]},{"type":"string"}]"#,
            );
        }
        Shape::OpenEnum => {
            add("narrow", "minLength", "1");
            add("narrow", "maxLength", "1000");
            add("narrow-pattern", "pattern", r#""^[a-z_0-9]+$""#);
            add("format", "format", r#""uri""#);
            add("narrow", "not", r#"{"const":"x"}"#);
        }
        Shape::Integer => {
            add("narrow", "minimum", "1");
            add("narrow", "exclusiveMinimum", "0");
            add("narrow", "maximum", "1000");
            add("narrow", "exclusiveMaximum", "9007199254740991");
            add("narrow", "multipleOf", "2");
            add("narrow", "not", r#"{"const":7}"#);
            add("narrow-to-values", "enum", "[1,2]");
            add("narrow-to-values", "const", "1");
            add("format", "format", r#""int32""#);
        }
        Shape::Number => {
            add("narrow", "minimum", "0.5");
            add("narrow", "exclusiveMinimum", "0");
            add("narrow", "maximum", "1000.5");
            add("narrow", "multipleOf", "0.01");
            add("narrow-to-values", "enum", "[1.5,2]");
            add("format", "format", r#""double""#);
        }
        Shape::Boolean => {
            add("narrow", "const", "true");
            add("narrow", "const", "false");
            add("narrow", "enum", "[true]");
            add("narrow", "not", r#"{"const":true}"#);
        }
        Shape::Array => {
            add("narrow", "minItems", "1");
            add("narrow", "maxItems", "100");
            add("narrow", "uniqueItems", "true");
            add("narrow", "const", "[]");
            add("narrow", "enum", r#"[[],["a"]]"#);
        }
        Shape::Map => {
            add("narrow", "minProperties", "1");
            add("narrow", "maxProperties", "100");
            add("narrow", "propertyNames", r#"{"pattern":"^[a-z]+$"}"#);
            add("narrow", "propertyNames", r#"{"maxLength":100}"#);
            add("close-object", "additionalProperties", "false");
            add("map-value", "additionalProperties", "true");
            add("map-value", "additionalProperties", "{}");
            add(
                "map-value",
                "patternProperties",
                r#"{"^x-":{"type":"string"}}"#,
            );
            add("map-value", "properties", r#"{"x":{"type":"string"}}"#);
            add("narrow", "not", r#"{"required":["x"]}"#);
            add("require-undeclared", "required", r#"["x"]"#);
        }
        // Beside a reference these narrow one place of the object or union.
        Shape::Object | Shape::Union
            if !pointer.starts_with("/$defs/") || pointer.matches('/').count() > 2 =>
        {
            add("narrow", "minProperties", "7");
            add("narrow", "maxProperties", "100");
            add("narrow", "propertyNames", r#"{"pattern":"^[a-z_]+$"}"#);
            add("require-undeclared", "required", r#"["zz"]"#);
            add("narrow", "not", r#"{"required":["zz"]}"#);
            add("close-object", "unevaluatedProperties", "false");
        }
        _ => {}
    }
    if shape == Shape::Array {
        found.edit_member("narrow-items", pointer, "prefixItems", r#"[{"const":"x"}]"#);
    }
}

fn narrow_object(schema: &Node, pointer: &str, found: &mut Mutations) {
    let base = is_base(schema, pointer);
    let extends = schema
        .pointer(pointer)
        .is_some_and(|node| node.get("allOf").is_some());
    let mut add =
        |operator, name: &str, text: &str| found.edit_member(operator, pointer, name, text);
    // A base that closes refuses what those that build on it declare, and an object that closes
    // without regard to its base refuses what the base requires.
    let close = match (base, extends) {
        (true, _) => "close-base",
        (_, true) => "close-before-base",
        _ => "close-object",
    };
    add(close, "additionalProperties", "false");
    add(
        if base { "close-base" } else { "close-object" },
        "unevaluatedProperties",
        "false",
    );
    let typed = if base || extends {
        "type-further-members"
    } else {
        "map-value"
    };
    add(typed, "additionalProperties", r#"{"type":"string"}"#);
    add(typed, "unevaluatedProperties", r#"{"type":"string"}"#);
    add(
        "map-value",
        "patternProperties",
        r#"{"^x-":{"type":"string"}}"#,
    );
    add("narrow", "minProperties", "9");
    add("narrow", "maxProperties", "100");
    add("narrow", "propertyNames", r#"{"pattern":"^[a-z_]+$"}"#);
    add("narrow", "propertyNames", r#"{"maxLength":64}"#);
    add("narrow", "not", r#"{"required":["zz"]}"#);
    // A condition without consequences says nothing.
    add("condition", "if", r#"{"required":["zz"]}"#);
    found.push("narrow-if", pointer, {
        let pointer = pointer.to_owned();
        move |schema| {
            let node = at(schema, &pointer);
            set(node, "if", parse(r#"{"required":["zz"]}"#));
            set(node, "then", parse(r#"{"required":["yy"]}"#));
        }
    });
}

/// Members, types and values at a place where anything could stand.
fn structure(pointer: &str, found: &mut Mutations) {
    for (name, text) in [
        ("type", r#""object""#),
        ("type", r#""string""#),
        ("type", r#"["object","array"]"#),
        ("properties", r#"{"x":{"type":"string"}}"#),
        ("required", r#"["x"]"#),
        ("additionalProperties", r#"{"type":"string"}"#),
        ("additionalProperties", "false"),
        ("patternProperties", r#"{"^x":{"type":"string"}}"#),
        ("items", r#"{"type":"string"}"#),
        ("minLength", "1"),
        ("maximum", "9"),
        ("enum", r#"["a","b"]"#),
        ("const", "1"),
        ("pattern", r#""^a""#),
        ("format", r#""uri""#),
        ("minItems", "1"),
        ("maxProperties", "3"),
        ("propertyNames", r#"{"maxLength":3}"#),
        ("not", r#"{"type":"null"}"#),
        ("anyOf", r#"[{"type":"string"},{"type":"object"}]"#),
        ("oneOf", r#"[{"type":"string"},{"type":"object"}]"#),
        ("$ref", r##""#/$defs/agent_info""##),
        ("not", r#"{"required":["zz"]}"#),
    ] {
        found.edit_member("structure", pointer, name, text);
    }
    found.edit_member("condition", pointer, "if", r#"{"type":"string"}"#);
    found.edit_member("condition", pointer, "then", r#"{"type":"string"}"#);
    found.edit_member("condition", pointer, "minContains", "2");
}

/// Every constraint that stands in the text: moved both ways, and gone.
fn existing(node: &Node, pointer: &str, found: &mut Mutations) {
    let own = |name: &str| node.get(name).is_some();
    if own("minLength") {
        found.edit_member("narrow", pointer, "minLength", "2");
        found.edit_member("relax", pointer, "minLength", "0");
        found.drop_member("relax", pointer, "minLength");
    }
    if own("minimum") {
        found.edit_member("narrow", pointer, "minimum", "5");
        found.edit_member("relax", pointer, "minimum", "-5");
        found.drop_member("relax", pointer, "minimum");
    }
    if own("maximum") {
        found.edit_member("narrow", pointer, "maximum", "9007199254740990");
        found.edit_member("relax", pointer, "maximum", "9007199254740992");
        found.drop_member("relax", pointer, "maximum");
    }
    if own("format") {
        found.edit_member("format", pointer, "format", r#""date""#);
        found.drop_member("format", pointer, "format");
    }
    if own("contains") {
        found.drop_member("relax", pointer, "contains");
        found.edit_member(
            "other-contains",
            pointer,
            "contains",
            r#"{"const":"tasks_v1"}"#,
        );
        found.edit_member("narrow", pointer, "minContains", "2");
        found.edit_member("relax", pointer, "minContains", "0");
        found.edit_member("narrow", pointer, "maxContains", "1");
    }
    if own("items") {
        found.drop_member("free", pointer, "items");
    }
    if own("additionalProperties") {
        found.drop_member("map-value", pointer, "additionalProperties");
    }
    if own("not") {
        found.drop_member("overlap-catch-all", pointer, "not");
    }
    let plain = node.get("type").and_then(Node::as_str);
    if own("type") && !own("not") && !own("properties") && !pointer.contains("/anyOf/") {
        let hidden = pointer == "/$defs/envelope/properties/type";
        // The catch-all for unknown types asks for a string in its own right.
        let operator = if hidden { "untype-hidden" } else { "untype" };
        if plain.is_some() {
            found.drop_member(operator, pointer, "type");
        }
    }
    if let Some(bases) = node.get("allOf") {
        for index in 0..bases.elements().len() {
            let at_list = format!("{pointer}/allOf");
            found.push("drop-base", pointer, {
                let pointer = pointer.to_owned();
                move |schema| {
                    let list = elements_mut(at(schema, &at_list));
                    list.remove(index);
                    if list.is_empty() {
                        take(at(schema, &pointer), "allOf");
                    }
                }
            });
        }
    }
}

/// The envelope's own word on `type` holds for unknown lines alone, whose tag is open.
fn hidden(found: &mut Mutations) {
    let pointer = "/$defs/envelope/properties/type";
    for (operator, name, text) in [
        ("narrow", "minLength", "1"),
        ("narrow", "maxLength", "1000"),
        ("narrow", "not", r#"{"const":"x"}"#),
        ("narrow-pattern", "pattern", r#""^[a-z_]+$""#),
    ] {
        found.edit_member(operator, pointer, name, text);
    }
    for pointer in [
        "/$defs/unknown_line/properties/type",
        "/$defs/unknown_system/properties/subtype",
        "/$defs/unknown_event/properties/type",
        "/$defs/unknown_delta/properties/type",
        "/$defs/unknown_block/properties/type",
    ] {
        found.edit_member("narrow", pointer, "minLength", "1");
        found.edit_member("narrow", pointer, "maxLength", "1000");
        found.edit_member("narrow-pattern", pointer, "pattern", r#""^[a-z_]+$""#);
        found.edit_member("format", pointer, "format", r#""uri""#);
        found.push_to("list-more", &format!("{pointer}/not"), "enum", r#""zz""#);
    }
}
