//! The published reading as definitions with names and documentation, for those who read schemas.

use super::{Emitter, Mode, Part};
use crate::json::{self, Value};
use crate::maps::IndexSet;
use crate::wire::make::{any_of, boolean, literal, member, object, string, wrap};
use crate::wire::{Docs, Node, NodeId, Wire};
use std::collections::HashMap;

/// Definitions of parts of a wire view. Their references begin with `#/$defs/`.
///
/// ```
/// use wirelock_codegen::wire::{self, Definitions, Part};
/// let wire = wire::read("s.json", r#"{"description": "A list.", "type": "array"}"#).unwrap();
/// let root = Part::Node(wire.roots[0].node);
/// let mut definitions = Definitions::new(&wire, [(root, "List".to_owned())].into());
/// assert_eq!(definitions.add(root), "List");
/// let all = definitions.all();
/// assert_eq!(all[0].1.get("description").and_then(|text| text.as_str()), Some("A list."));
/// ```
pub struct Definitions<'w> {
    emitter: Emitter<'w>,
    own: Vec<(String, json::Node)>,
}

impl<'w> Definitions<'w> {
    /// None yet; some parts have names of their own, which no two of them share.
    #[must_use]
    pub fn new(wire: &'w Wire, names: HashMap<Part, String>) -> Self {
        Self {
            emitter: Emitter {
                wire,
                parts: IndexSet::default(),
                described: Some(names),
            },
            own: Vec::new(),
        }
    }

    /// Defines a part and all that it refers to; gives its name.
    pub fn add(&mut self, part: Part) -> String {
        self.emitter.refer(part, Mode::Published);
        self.emitter.name(part, Mode::Published)
    }

    /// Defines what takes whatever one of several parts takes.
    pub fn add_union(&mut self, name: &str, parts: &[Part]) {
        let branches = parts
            .iter()
            .map(|part| self.emitter.refer(*part, Mode::Published));
        let union = any_of(branches.collect());
        self.own.push((name.to_owned(), union));
    }

    /// Defines a place without some of the types that may stand there: `node` is what is left of it.
    pub fn add_rest(&mut self, name: &str, place: NodeId, node: &Node) {
        let schema = self.emitter.shape(place, node, Mode::Published);
        let schema = self.emitter.described(schema, &node.docs);
        self.own.push((name.to_owned(), schema));
    }

    /// All definitions by name.
    #[must_use]
    pub fn all(mut self) -> Vec<(String, json::Node)> {
        let definitions = match self.emitter.definitions().value {
            Value::Object(members) => members,
            _ => Vec::new(),
        };
        let definitions = definitions
            .into_iter()
            .map(|one| (one.name.to_string(), one.node));
        self.own.extend(definitions);
        self.own
    }
}

impl Emitter<'_> {
    /// A schema with what documents it, where documentation is wanted and there is any.
    pub(super) fn described(&self, schema: json::Node, docs: &Docs) -> json::Node {
        if self.described.is_none() {
            return schema;
        }
        let mut words = Vec::new();
        let texts = [("title", &docs.title), ("description", &docs.description)];
        for (keyword, text) in texts {
            words.extend(text.as_ref().map(|text| (keyword, string(text))));
        }
        words.extend(
            docs.default
                .as_ref()
                .map(|value| ("default", literal(value))),
        );
        if docs.deprecated {
            words.push(("deprecated", boolean(true)));
        }
        if words.is_empty() {
            return schema;
        }
        match schema.value {
            Value::Object(members) => {
                let words = words.into_iter().map(|(name, node)| member(name, node));
                wrap(Value::Object(words.chain(members).collect()))
            }
            // Anything may stand there, or nothing.
            _ => {
                words.push(("allOf", crate::wire::make::list(vec![schema])));
                object(words)
            }
        }
    }
}
