//! Additive growth of a schema, at every place that can grow or at one of them.

use wirelock_codegen::json::{self, Member, Node, Value, child_pointer};

/// A schema that has grown.
pub(crate) struct Grown {
    pub(crate) schema: Node,
    /// Where.
    pub(crate) place: String,
}

/// Lets a part of a schema grow, where it can; the number tells additions apart.
type Grow = fn(&mut Node, usize, &Node) -> bool;

/// The kinds of growth. None of the added names looks like one that a schema has: what two names
/// that read the same in Rust are called depends on both, and so moves when the second comes.
pub(crate) const GROWTH: &[(&str, Grow)] = &[
    ("an optional field first", |part, _, _| {
        field(part, false, "zz_first", r#"{"type":"string"}"#)
    }),
    ("an optional field last", |part, _, _| {
        field(part, true, "zz_last", r#"{"type":["integer","null"]}"#)
    }),
    ("an optional object", |part, _, _| {
        let object = r#"{"type":"object","properties":{"zz_in":{"enum":["zz_a","zz_b"]}}}"#;
        field(part, false, "zz_object", object)
    }),
    ("a field of a known type", known_type),
    ("a variant", variant),
    ("a value", value),
];

/// The schema grown everywhere at once, and `singles` schemas that grew at one place each. Types that
/// are there already are not referred to everywhere at once, because that makes each hold the others.
pub(crate) fn grown(schema: &Node, grow: Grow, singles: usize) -> Vec<Grown> {
    let mut spots = Vec::new();
    let mut whole = schema.clone();
    walk(&mut whole, "", &mut |part, pointer| {
        if grow(part, spots.len(), schema) {
            spots.push(pointer.to_owned());
        }
    });
    if spots.is_empty() {
        return Vec::new();
    }
    let place = "everywhere".to_owned();
    let mut found = Vec::new();
    if !std::ptr::fn_addr_eq(grow, known_type as Grow) {
        found.push(Grown {
            schema: whole,
            place,
        });
    }
    let step = spots.len().div_ceil(singles.max(1));
    for (at, chosen) in spots.iter().enumerate().step_by(step).take(singles) {
        let mut one = schema.clone();
        walk(&mut one, "", &mut |part, pointer| {
            if pointer == chosen {
                grow(part, at, schema);
            }
        });
        let place = chosen.clone();
        found.push(Grown { schema: one, place });
    }
    found
}

/// Visits each schema that is an object, the inner ones first, so that what was added does not grow.
fn walk(schema: &mut Node, pointer: &str, visit: &mut dyn FnMut(&mut Node, &str)) {
    let Value::Object(members) = &mut schema.value else {
        return;
    };
    for member in members {
        let below = child_pointer(pointer, &member.name);
        match (&*member.name, &mut member.node.value) {
            (
                "properties" | "$defs" | "definitions" | "patternProperties",
                Value::Object(named),
            ) => {
                for one in named {
                    walk(&mut one.node, &child_pointer(&below, &one.name), visit);
                }
            }
            ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(branches)) => {
                for (at, branch) in branches.iter_mut().enumerate() {
                    walk(branch, &child_pointer(&below, &at.to_string()), visit);
                }
            }
            ("items" | "additionalProperties", _) => walk(&mut member.node, &below, visit),
            _ => {}
        }
    }
    visit(schema, pointer);
}

fn field(part: &mut Node, last: bool, name: &str, schema: &str) -> bool {
    let Some(Value::Object(properties)) = get_mut(part, "properties").map(|node| &mut node.value)
    else {
        return false;
    };
    let at = if last { properties.len() } else { 0 };
    properties.insert(at, member(name, json::parse(schema).expect("JSON")));
    true
}

/// A type that refers to no other: one that leads back here would make the types recursive, and what
/// is stored on the heap then depends on the cycle.
fn known_type(part: &mut Node, at: usize, whole: &Node) -> bool {
    let mut names = Vec::new();
    for folder in ["$defs", "definitions"] {
        let named = whole.get(folder).map(Node::members).unwrap_or_default();
        // Other names need an encoding, and how they are read is tried elsewhere.
        let plain = |member: &&Member| {
            let mut letters = member.name.chars();
            letters.all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
        };
        let leaves = named
            .iter()
            .filter(plain)
            .filter(|member| !refers(&member.node));
        names.extend(leaves.map(|member| format!("#/{folder}/{}", member.name)));
    }
    // A step that has no common factor with most counts meets all of them in turn.
    let Some(address) = names.get(at * 7 % names.len().max(1)) else {
        return false;
    };
    field(
        part,
        false,
        "zz_known",
        &format!(r#"{{"$ref":"{address}"}}"#),
    )
}

fn refers(node: &Node) -> bool {
    node.get("$ref").is_some()
        || node.elements().iter().any(refers)
        || node.members().iter().any(|member| refers(&member.node))
}

/// One more variant, which the catch-all makes room for where there is one.
fn variant(part: &mut Node, _: usize, whole: &Node) -> bool {
    let union = ["oneOf", "anyOf"]
        .iter()
        .find(|name| part.get(name).is_some());
    let branches = union.and_then(|name| get_mut(part, name));
    let Some(Value::Array(branches)) = branches.map(|node| &mut node.value) else {
        return false;
    };
    let constants = |branch: &Node| -> Vec<(String, String)> {
        let named = resolved(branch, whole).get("properties").map(Node::members);
        let named = named.unwrap_or_default().iter();
        let constants = named.filter_map(|member| {
            let value = member.node.get("const").and_then(Node::as_str)?;
            Some((member.name.to_string(), value.to_owned()))
        });
        constants.collect()
    };
    // A tag says something else in each branch; a constant that all share is none.
    let all: Vec<(String, String)> = branches.iter().flat_map(constants).collect();
    let tag = all.iter().find(|(name, value)| {
        let same = all
            .iter()
            .filter(|(other, said)| name == other && value == said);
        let others = all.iter().filter(|(other, _)| name == other);
        same.count() == 1 && others.count() > 1
    });
    let Some((tag, said)) = tag.cloned() else {
        return false;
    };
    // The new branch is like one that is there, with what all of them have in common.
    let alike = branches
        .iter()
        .find(|branch| constants(branch).contains(&(tag.clone(), said.clone())));
    let mut branch = alike
        .map(|branch| resolved(branch, whole).clone())
        .expect("it has one");
    let known = branches.iter_mut().find_map(|branch| {
        let said = get_mut(get_mut(get_mut(branch, "properties")?, &tag)?, "not")?;
        get_mut(said, "enum")
    });
    if let Some(Value::Array(known)) = known.map(|node| &mut node.value) {
        known.push(string("zz_variant"));
    }
    if let Value::Object(members) = &mut branch.value {
        members.retain(|member| !["title", "$id", "$anchor"].contains(&&*member.name));
    }
    let constant = get_mut(&mut branch, "properties").and_then(|named| get_mut(named, &tag));
    if let Some(value) = constant.and_then(|schema| get_mut(schema, "const")) {
        *value = string("zz_variant");
    }
    // At the end, because documents of a union without tags are tried in order.
    branches.push(branch);
    true
}

fn value(part: &mut Node, _: usize, _: &Node) -> bool {
    let Some(Value::Array(values)) = get_mut(part, "enum").map(|node| &mut node.value) else {
        return false;
    };
    let several = values.len() > 1 && values.iter().all(|value| value.as_str().is_some());
    if several {
        values.insert(0, string("zz_value"));
    }
    several
}

/// What a branch that only refers says.
fn resolved<'n>(branch: &'n Node, whole: &'n Node) -> &'n Node {
    let address = branch.get("$ref").and_then(Node::as_str);
    let target = address.and_then(|address| whole.pointer(address.strip_prefix('#')?));
    target.unwrap_or(branch)
}

fn get_mut<'n>(node: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    let Value::Object(members) = &mut node.value else {
        return None;
    };
    let mut named = members.iter_mut().filter(|member| &*member.name == name);
    named.next().map(|member| &mut member.node)
}

fn member(name: &str, node: Node) -> Member {
    Member {
        name: name.into(),
        at: 0,
        node,
    }
}

fn string(text: &str) -> Node {
    Node {
        value: Value::String(text.into()),
        at: 0,
    }
}
