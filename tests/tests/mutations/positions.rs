//! Every place of a schema text where a subschema stands, found by the keywords of the text alone.
//!
//! The wire view is not asked: a generator that saw the schema through it would be blind where it is.

use super::text::{lists, parent};
use wirelock_codegen::json::{Node, child_pointer};

/// What the schema at a position is to the one that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Root,
    Definition,
    Property,
    Items,
    MapValue,
    Contains,
    Not,
    AllOf,
    AnyOf,
    OneOf,
}

/// A subschema of the text.
#[derive(Debug, Clone)]
pub(crate) struct Position {
    pub(crate) pointer: String,
    pub(crate) role: Role,
}

impl Position {
    /// The pointer of the schema whose `properties` declares this one.
    pub(crate) fn owner(&self) -> &str {
        parent(parent(&self.pointer))
    }
}

/// The pointer of the definition that a pointer leads into, or nothing for the root.
pub(crate) fn definition_of(pointer: &str) -> String {
    let mut tokens = pointer.split('/').skip(1);
    match (tokens.next(), tokens.next()) {
        (Some("$defs"), Some(name)) => format!("/$defs/{name}"),
        _ => String::new(),
    }
}

/// All positions, the root first.
pub(crate) fn positions(schema: &Node) -> Vec<Position> {
    let mut found = Vec::new();
    collect(schema, String::new(), Role::Root, &mut found);
    found
}

fn collect(schema: &Node, pointer: String, role: Role, found: &mut Vec<Position>) {
    found.push(Position {
        pointer: pointer.clone(),
        role,
    });
    let under = |keyword: &str| child_pointer(&pointer, keyword);
    for (keyword, role) in [("$defs", Role::Definition), ("properties", Role::Property)] {
        for member in schema.get(keyword).map(Node::members).unwrap_or_default() {
            let pointer = child_pointer(&under(keyword), &member.name);
            collect(&member.node, pointer, role, found);
        }
    }
    for (keyword, role) in [
        ("items", Role::Items),
        ("additionalProperties", Role::MapValue),
        ("contains", Role::Contains),
        ("not", Role::Not),
    ] {
        if let Some(below) = schema.get(keyword) {
            collect(below, under(keyword), role, found);
        }
    }
    for (keyword, role) in [
        ("allOf", Role::AllOf),
        ("anyOf", Role::AnyOf),
        ("oneOf", Role::OneOf),
    ] {
        let branches = schema.get(keyword).map(Node::elements).unwrap_or_default();
        for (index, branch) in branches.iter().enumerate() {
            let pointer = child_pointer(&under(keyword), &index.to_string());
            collect(branch, pointer, role, found);
        }
    }
}

/// What may stand at a position, as far as its operators have to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Shape {
    Any,
    Text,
    Integer,
    Number,
    Boolean,
    Array,
    /// An object with members of its own or of its `allOf`.
    Object,
    Map,
    /// `anyOf` of constants and a string.
    OpenEnum,
    /// `oneOf` of references.
    Union,
    /// One constant: a tag of a variant or a value of an enum.
    Constant,
    /// A string with a list of values that it may not be: the tag of a catch-all.
    Excluding,
    /// A list of values and nothing else.
    Values,
}

/// The schema that a reference leads to, or the schema itself.
pub(crate) fn resolved<'a>(root: &'a Node, schema: &'a Node) -> &'a Node {
    let mut schema = schema;
    while let Some(reference) = schema.get("$ref").and_then(Node::as_str) {
        let target = reference.strip_prefix('#').and_then(|at| root.pointer(at));
        schema = target.expect("references stay in the document");
    }
    schema
}

pub(crate) fn shape(root: &Node, schema: &Node) -> Shape {
    let schema = resolved(root, schema);
    if schema.get("const").is_some() {
        return Shape::Constant;
    }
    if schema.get("anyOf").is_some() {
        return Shape::OpenEnum;
    }
    if schema.get("oneOf").is_some() {
        return Shape::Union;
    }
    if schema.get("enum").is_some() {
        return Shape::Values;
    }
    match schema.get("type").and_then(Node::as_str) {
        Some("string") if schema.get("not").is_some() => Shape::Excluding,
        Some("string") => Shape::Text,
        Some("integer") => Shape::Integer,
        Some("number") => Shape::Number,
        Some("boolean") => Shape::Boolean,
        Some("array") => Shape::Array,
        Some("object") if schema.get("additionalProperties").is_some() => Shape::Map,
        Some("object") => Shape::Object,
        _ => Shape::Any,
    }
}

/// Whether a property is declared once more by a base of its owner, or by those that build on it.
///
/// In this contract that is `type` of the envelope alone, which every line declares again.
pub(crate) fn declared_twice(root: &Node, position: &Position) -> bool {
    let name = super::text::last(&position.pointer);
    let declares = |schema: &Node| {
        schema
            .get("properties")
            .is_some_and(|properties| properties.get(&name).is_some())
    };
    let owner = position.owner();
    let bases = |schema: &Node| -> Vec<String> {
        let parts = schema.get("allOf").map(Node::elements).unwrap_or_default();
        let references = parts.iter().filter_map(|part| part.get("$ref")?.as_str());
        references
            .map(|at| at.trim_start_matches('#').to_owned())
            .collect()
    };
    let own = root.pointer(owner).map(bases).unwrap_or_default();
    let below = root.get("$defs").map(Node::members).unwrap_or_default();
    own.iter()
        .any(|base| root.pointer(base).is_some_and(declares))
        || below.iter().any(|definition| {
            bases(&definition.node).contains(&owner.to_owned()) && declares(&definition.node)
        })
}

/// Whether the owner, or a base of it, requires the property.
pub(crate) fn is_required(root: &Node, owner: &str, name: &str) -> bool {
    let schema = root.pointer(owner).expect("the owner stands there");
    lists(schema.get("required"), name)
}
