//! Operators on members: gone, renamed, of another type, nullable, required or not, with a default.

use super::Mutations;
use super::positions::{Position, Role, Shape, declared_twice, is_required, resolved, shape};
use super::text::*;
use wirelock_codegen::json::{Member, Node};

pub(crate) fn generate(schema: &Node, all: &[Position]) -> Mutations {
    let mut found = Mutations::default();
    for position in all {
        let node = schema.pointer(&position.pointer).expect("a position");
        let shape = shape(schema, node);
        if position.role == Role::Property {
            property(schema, position, shape, &mut found);
        }
        if matches!(position.role, Role::Property | Role::Items | Role::MapValue) {
            let tag = is_tag(schema, position, shape);
            // The envelope and the line both say that `type` is a string, so one alone changes nothing.
            let hides = position.role == Role::Property && declared_twice(schema, position);
            retypes(position, shape, (tag, hides), &mut found);
            nullable(node, position, shape, (tag, hides), &mut found);
            let at = position.pointer.clone();
            // An element is never absent, so what a reference to its type says beside it of a
            // default has no meaning, and the reference is read for what it leads to.
            let element = position.role != Role::Property && node.get("$ref").is_some();
            let operator = if element {
                "default-of-element"
            } else {
                "add-default"
            };
            found.push(operator, &position.pointer, move |schema| {
                set(self::at(schema, &at), "default", string("x"));
            });
        }
        if position.role == Role::Definition && shape != Shape::Union {
            definition(schema, position, shape, &mut found);
        }
        if shape == Shape::Object && matches!(position.role, Role::Definition) {
            object_members(schema, position, &mut found);
        }
    }
    retargets(schema, all, &mut found);
    found
}

/// Whether a place tells variants apart: its loss or change is one of variants, not of a member.
pub(crate) fn is_tag(schema: &Node, position: &Position, shape: Shape) -> bool {
    let name = last(&position.pointer);
    position.role == Role::Property
        && (matches!(shape, Shape::Constant | Shape::Excluding)
            || (name == "type" && declared_twice(schema, position)))
}

fn property(schema: &Node, position: &Position, shape: Shape, found: &mut Mutations) {
    let name = last(&position.pointer);
    let owner = position.owner().to_owned();
    let twice = declared_twice(schema, position);
    let tag = is_tag(schema, position, shape);
    // What the envelope says of `type`, every line says again and more narrowly.
    let hidden = twice && shape == Shape::Text;
    let kind = |plain: &'static str, of_tag: &'static str, of_hidden: &'static str| {
        if hidden {
            of_hidden
        } else if twice {
            // The envelope's open `type` is what is left.
            if of_tag == "rename-tag-member" {
                "rename-narrower-tag"
            } else {
                "remove-narrower-tag"
            }
        } else if tag {
            of_tag
        } else {
            plain
        }
    };
    {
        let (owner, name) = (owner.clone(), name.clone());
        let operator = kind("remove-property", "remove-tag", "remove-hidden-tag");
        found.push(operator, &position.pointer, move |schema| {
            let owner = at(schema, &owner);
            take(at(owner, "/properties"), &name);
            unlist(owner, "required", &name);
        });
    }
    {
        let (owner, name) = (owner.clone(), name.clone());
        let operator = kind(
            "remove-declaration",
            "remove-tag-declaration",
            "remove-hidden-tag",
        );
        found.push(operator, &position.pointer, move |schema| {
            take(at(at(schema, &owner), "/properties"), &name);
        });
    }
    {
        let (owner, name) = (owner.clone(), name.clone());
        let required = is_required(schema, &owner, &name);
        let operator = kind("rename-property", "rename-tag-member", "rename-hidden-tag");
        found.push(operator, &position.pointer, move |schema| {
            let owner = at(schema, &owner);
            rename(at(owner, "/properties"), &name, "renamed_member");
            if required {
                unlist(owner, "required", &name);
                enlist(owner, "required", "renamed_member");
            }
        });
    }
    let base_requires = twice && name == "type" && !hidden;
    let required = is_required(schema, &owner, &name);
    let operator = match (required, hidden || base_requires) {
        (true, true) => "unrequire-twice",
        (true, false) => "unrequire",
        (false, _) => "require",
    };
    let (owner, name) = (owner.clone(), name.clone());
    found.push(operator, &position.pointer, move |schema| {
        let owner = at(schema, &owner);
        if required {
            unlist(owner, "required", &name);
        } else {
            enlist(owner, "required", &name);
        }
    });
}

/// Other types for a place, by what stands there.
fn retypes(position: &Position, shape: Shape, (tag, hides): (bool, bool), found: &mut Mutations) {
    let count = r##"{"$ref":"#/$defs/count"}"##;
    let agent = r##"{"$ref":"#/$defs/agent_info"}"##;
    let severity = r##"{"$ref":"#/$defs/severity"}"##;
    let text = r#"{"type":"string"}"#;
    let whole = r#"{"type":"integer"}"#;
    let number = r#"{"type":"number"}"#;
    let bounded = r#"{"type":"number","minimum":0,"maximum":9007199254740991}"#;
    let boolean = r#"{"type":"boolean"}"#;
    let array = r#"{"type":"array"}"#;
    let object = r#"{"type":"object"}"#;
    let null = r#"{"type":"null"}"#;
    let others: &[&str] = match shape {
        Shape::Text | Shape::Constant | Shape::Excluding => {
            &[whole, number, boolean, array, object, count, agent, null]
        }
        Shape::OpenEnum => &[whole, number, boolean, array, object, count, agent, null],
        Shape::Integer => &[text, boolean, array, object, severity, agent, null],
        Shape::Number => &[text, boolean, array, object, severity, null],
        Shape::Boolean => &[text, whole, number, array, object, count, severity, null],
        Shape::Array => &[text, whole, object, agent, null],
        Shape::Object | Shape::Map | Shape::Union => &[text, whole, boolean, array, count, null],
        Shape::Any | Shape::Values => &[],
    };
    let operator = if tag { "retype-tag" } else { "retype" };
    for other in others {
        found.replace(operator, &position.pointer, other);
    }
    if shape == Shape::Integer {
        found.replace("integer-to-number", &position.pointer, bounded);
    }
    if shape == Shape::Number {
        let whole = r#"{"type":"integer","minimum":0}"#;
        found.replace("number-to-integer", &position.pointer, whole);
    }
    if shape != Shape::Any {
        let map = position.role == Role::MapValue;
        let operator = match (tag, hides && shape == Shape::Text, map) {
            (_, true, _) => "free-in-vain",
            (true, ..) => "free-tag",
            (.., true) => "free-map",
            _ => "free",
        };
        found.replace(operator, &position.pointer, "{}");
        found.replace(operator, &position.pointer, "true");
        let operator = match (tag, hides) {
            (true, true) => "widen-in-vain",
            (true, false) => "widen-tag",
            _ => "widen",
        };
        let more = if matches!(shape, Shape::Boolean) {
            text
        } else {
            boolean
        };
        found.wrap(operator, &position.pointer, "anyOf", more);
        found.replace(
            if tag { "forbid-tag" } else { "forbid" },
            &position.pointer,
            "false",
        );
    }
}

/// `null` beside what may stand at a place, in every spelling.
fn nullable(
    node: &Node,
    position: &Position,
    shape: Shape,
    (tag, hides): (bool, bool),
    found: &mut Mutations,
) {
    if shape == Shape::Any {
        return;
    }
    let operator = match (tag, hides) {
        (true, true) => "nullable-in-vain",
        (true, false) => "nullable-tag",
        _ => "nullable",
    };
    let null = r#"{"type":"null"}"#;
    found.wrap(operator, &position.pointer, "anyOf", null);
    found.wrap(operator, &position.pointer, "oneOf", null);
    found.wrap(operator, &position.pointer, "anyOf", r#"{"const":null}"#);
    found.wrap(operator, &position.pointer, "oneOf", r#"{"enum":[null]}"#);
    if let Some(name) = node.get("type").and_then(Node::as_str) {
        let (name, pointer) = (name.to_owned(), position.pointer.clone());
        found.push(operator, &position.pointer, move |schema| {
            let types = list(vec![string(&name), string("null")]);
            set(at(schema, &pointer), "type", types);
        });
    }
}

/// A definition changes for all places that refer to it at once.
fn definition(schema: &Node, position: &Position, shape: Shape, found: &mut Mutations) {
    let pointer = &position.pointer;
    match shape {
        Shape::Integer => {
            found.edit_member("retype", pointer, "type", "\"string\"");
            found.edit_member("integer-to-number", pointer, "type", "\"number\"");
            found.edit_member("nullable", pointer, "type", r#"["integer","null"]"#);
            found.edit_member("widen", pointer, "type", r#"["integer","boolean"]"#);
        }
        Shape::OpenEnum => {
            found.replace("retype", pointer, r#"{"type":"integer"}"#);
            found.replace("retype", pointer, r#"{"type":"array"}"#);
            found.push_to("nullable", pointer, "anyOf", r#"{"type":"null"}"#);
            found.push_to("nullable", pointer, "anyOf", r#"{"const":null}"#);
            found.push_to("widen", pointer, "anyOf", r#"{"type":"integer"}"#);
        }
        Shape::Object if !is_variant(schema, pointer) && !is_base(schema, pointer) => {
            found.edit_member("retype", pointer, "type", "\"array\"");
            found.edit_member("nullable", pointer, "type", r#"["object","null"]"#);
            found.edit_member("widen", pointer, "type", r#"["object","string"]"#);
        }
        Shape::Object if is_variant(schema, pointer) => {
            found.edit_member("retype-variant", pointer, "type", "\"array\"");
        }
        _ => {}
    }
    found.edit_member(
        if is_base(schema, pointer) {
            "default-of-base"
        } else {
            "add-default"
        },
        pointer,
        "default",
        r#"{"x":1}"#,
    );
}

/// Whether a union of the text refers to the definition.
pub(crate) fn is_variant(schema: &Node, pointer: &str) -> bool {
    refers(schema, pointer, "oneOf")
}

/// Whether a definition takes this one in through `allOf`.
pub(crate) fn is_base(schema: &Node, pointer: &str) -> bool {
    refers(schema, pointer, "allOf")
}

fn refers(schema: &Node, pointer: &str, keyword: &str) -> bool {
    let definitions = schema.get("$defs").map(Node::members).unwrap_or_default();
    let mut schemas = definitions.iter().map(|definition| &definition.node);
    let target = format!("#{pointer}");
    let branches = |schema: &Node| {
        schema
            .get(keyword)
            .map(Node::elements)
            .unwrap_or_default()
            .iter()
            .any(|branch| branch.get("$ref").and_then(Node::as_str) == Some(&target))
    };
    branches(schema) || schemas.any(branches)
}

/// Members that are new and required, and conditions between members.
fn object_members(schema: &Node, position: &Position, found: &mut Mutations) {
    let pointer = position.pointer.clone();
    for new in [
        r#"{"type":"string"}"#,
        r##"{"$ref":"#/$defs/count"}"##,
        r##"{"$ref":"#/$defs/agent_info"}"##,
        "{}",
    ] {
        let pointer = pointer.clone();
        found.push("add-required-property", &position.pointer, move |schema| {
            let owner = at(schema, &pointer);
            set(at(owner, "/properties"), "new_member", parse(new));
            enlist(owner, "required", "new_member");
        });
    }
    {
        let pointer = pointer.clone();
        found.push("require-undeclared", &position.pointer, move |schema| {
            enlist(at(schema, &pointer), "required", "new_member");
        });
    }
    let schema = schema.pointer(&pointer).expect("a position");
    let optional: Vec<String> = schema
        .get("properties")
        .map(Node::members)
        .unwrap_or_default()
        .iter()
        .filter(|member| !lists(schema.get("required"), &member.name))
        .map(|member: &Member| member.name.to_string())
        .collect();
    for pair in optional.windows(2) {
        let text = format!(r#"{{"{}":["{}"]}}"#, pair[0], pair[1]);
        found.edit_member("narrow-dependent", &pointer, "dependentRequired", &text);
        let text = format!(r#"{{"{}":{{"required":["{}"]}}}}"#, pair[0], pair[1]);
        found.edit_member("narrow-dependent", &pointer, "dependentSchemas", &text);
    }
}

/// References that lead to another definition of the same JSON type.
fn retargets(schema: &Node, all: &[Position], found: &mut Mutations) {
    for position in all {
        let node = schema.pointer(&position.pointer).expect("a position");
        if node.get("$ref").is_none() || !matches!(position.role, Role::Property | Role::Items) {
            continue;
        }
        let own = resolved(schema, node);
        match shape(schema, node) {
            Shape::OpenEnum => {
                let severity = schema.pointer("/$defs/severity") == Some(own);
                let other = if severity { "task_kind" } else { "severity" };
                let text = format!("\"#/$defs/{other}\"");
                found.edit_member("retarget-enum", &position.pointer, "$ref", &text);
            }
            Shape::Object => {
                let usage = schema.pointer("/$defs/usage") == Some(own);
                let other = if usage { "command" } else { "usage" };
                let text = format!("\"#/$defs/{other}\"");
                found.edit_member("retarget-object", &position.pointer, "$ref", &text);
            }
            Shape::Union => {
                let event = schema.pointer("/$defs/event") == Some(own);
                let other = if event { "block" } else { "event" };
                let text = format!("\"#/$defs/{other}\"");
                found.edit_member("retarget-union", &position.pointer, "$ref", &text);
            }
            _ => {}
        }
    }
}
