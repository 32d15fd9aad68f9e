//! Text to [`Document`]: walks the schema positions of a JSON document and reads each once.

use super::refs::Resources;
use super::{Document, Schema, SchemaError, SchemaId, Target};
use crate::json::{self, Node, Source, Value, child_pointer};
use std::collections::HashMap;

/// The JSON Schema dialects that are told apart; all are read in the terms of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
}

impl Dialect {
    fn named(uri: &str) -> Option<Self> {
        let known = [
            ("json-schema.org/draft-04/schema", Self::Draft4),
            ("json-schema.org/draft-06/schema", Self::Draft6),
            ("json-schema.org/draft-07/schema", Self::Draft7),
            ("json-schema.org/draft/2019-09/schema", Self::Draft2019),
            ("json-schema.org/draft/2020-12/schema", Self::Draft2020),
        ];
        let bare = uri.trim_end_matches('#');
        let bare = bare
            .strip_prefix("https://")
            .or_else(|| bare.strip_prefix("http://"))?;
        known
            .iter()
            .find(|(name, _)| *name == bare)
            .map(|(_, dialect)| *dialect)
    }
}

/// What is under way while a document is read.
pub(super) struct Reader<'a> {
    pub(super) source: &'a Source,
    pub(super) dialect: Dialect,
    pub(super) schemas: Vec<Schema>,
    pub(super) by_pointer: HashMap<String, SchemaId>,
    pub(super) resources: Resources,
    /// References as written, to be resolved when every schema is known.
    pub(super) references: Vec<PendingReference>,
    pub(super) unknown_vocabulary: Option<(String, u32)>,
    pub(super) dynamic: HashMap<String, Vec<SchemaId>>,
}

pub(super) struct PendingReference {
    pub(super) from: SchemaId,
    pub(super) resource: usize,
    pub(super) text: String,
    pub(super) at: u32,
    pub(super) dynamic: bool,
}

impl Document {
    /// Reads a schema document.
    ///
    /// # Errors
    /// The first fault of the text: no JSON, a keyword with a value it cannot have, a `$ref` into
    /// this document that leads nowhere, a `$schema` that names no supported dialect.
    pub fn read(source: Source) -> Result<Self, SchemaError> {
        let node = json::parse(source.text()).map_err(|error| {
            SchemaError::at(
                &source,
                error.at,
                format!("this is no JSON document: {}", error.message),
            )
        })?;
        if !matches!(node.value, Value::Object(_) | Value::Bool(_)) {
            let message = format!(
                "a JSON Schema is an object or a boolean, and this is of type {}",
                node.type_name()
            );
            let error = SchemaError::at(&source, node.at, message);
            return Err(match node.value {
                Value::String(_) => error.help("put the schema itself here, not its name or path"),
                _ => error,
            });
        }
        let mut reader = Reader {
            source: &source,
            dialect: dialect(&source, &node)?,
            schemas: Vec::new(),
            by_pointer: HashMap::new(),
            resources: Resources::default(),
            references: Vec::new(),
            unknown_vocabulary: None,
            dynamic: HashMap::new(),
        };
        let resource = reader
            .resources
            .add(String::new(), String::new(), SchemaId(0));
        let root = reader.schema(&node, String::new(), resource)?;
        reader.resolve_references(&node)?;
        let definitions = ["$defs", "definitions"]
            .iter()
            .flat_map(|keyword| {
                node.get(keyword)
                    .map(Node::members)
                    .unwrap_or_default()
                    .iter()
                    .map(move |member| (keyword, member))
            })
            .filter_map(|(keyword, member)| {
                let pointer = child_pointer(&child_pointer("", keyword), &member.name);
                reader
                    .by_pointer
                    .get(&pointer)
                    .map(|id| (member.name.to_string(), *id))
            })
            .collect();
        let contract = match node.get("x-contract") {
            Some(annotation) => Some(super::contract::read(&source, annotation)?),
            None => None,
        };
        let Reader {
            schemas,
            dynamic,
            unknown_vocabulary,
            resources,
            dialect,
            ..
        } = reader;
        let unevaluated = schemas.iter().any(|schema| {
            schema.unevaluated_items.is_some() || schema.unevaluated_properties.is_some()
        });
        Ok(Self {
            unevaluated,
            source,
            node: std::sync::Arc::new(node),
            schemas,
            root,
            definitions,
            contract,
            dynamic,
            resources: resources.finish(dialect >= Dialect::Draft2020),
            unknown_vocabulary,
        })
    }
}

fn dialect(source: &Source, root: &Node) -> Result<Dialect, SchemaError> {
    let Some(node) = root.get("$schema") else {
        return Ok(Dialect::Draft2020);
    };
    let Some(uri) = node.as_str() else {
        return Err(SchemaError::at(source, node.at, "`$schema` takes a string"));
    };
    Dialect::named(uri).ok_or_else(|| {
        SchemaError::at(
            source,
            node.at,
            format!("the dialect {uri:?} is not one that this tool reads"),
        )
        .help("drafts 4, 6, 7, 2019-09 and 2020-12 are; leave `$schema` out for the last")
    })
}

impl Reader<'_> {
    /// Reads the schema at a place once; a second call gives the same id.
    pub(super) fn schema(
        &mut self,
        node: &Node,
        pointer: String,
        resource: usize,
    ) -> Result<SchemaId, SchemaError> {
        if let Some(id) = self.by_pointer.get(&pointer) {
            return Ok(*id);
        }
        let id = SchemaId(u32::try_from(self.schemas.len()).unwrap_or(u32::MAX));
        self.by_pointer.insert(pointer.clone(), id);
        let position = self.source.position(node.at);
        let within = u32::try_from(resource).unwrap_or(u32::MAX);
        let empty = Schema::empty(pointer, node.at, position, within);
        self.schemas.push(empty);
        match &node.value {
            Value::Bool(value) => self.schemas[id.0 as usize].always = Some(*value),
            Value::Object(_) => self.keywords(id, node, resource)?,
            _ => {
                let message = format!(
                    "a schema is an object or a boolean, and this is of type {}",
                    node.type_name()
                );
                return Err(self.error(node.at, message));
            }
        }
        Ok(id)
    }

    pub(super) fn error(&self, at: u32, message: impl Into<String>) -> SchemaError {
        SchemaError::at(self.source, at, message)
    }

    /// References may lead to places that no keyword marks as schemas, and those may hold further
    /// references, so this goes on until none is left.
    fn resolve_references(&mut self, root: &Node) -> Result<(), SchemaError> {
        let mut next = 0;
        while next < self.references.len() {
            let PendingReference {
                from,
                resource,
                text,
                at,
                dynamic,
            } = {
                let pending = &self.references[next];
                PendingReference {
                    text: pending.text.clone(),
                    ..*pending
                }
            };
            next += 1;
            let target = self.resolve(root, resource, &text, at)?;
            let schema = &mut self.schemas[from.0 as usize];
            if dynamic {
                let anchor = text
                    .rsplit_once('#')
                    .map_or("", |(_, fragment)| fragment)
                    .to_owned();
                schema.dynamic_reference = Some((anchor, target));
            } else {
                schema.reference = Some(target);
            }
        }
        Ok(())
    }

    fn resolve(
        &mut self,
        root: &Node,
        resource: usize,
        text: &str,
        at: u32,
    ) -> Result<Target, SchemaError> {
        let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
        let Some(home) = self.resources.find(resource, address) else {
            return Ok(Target::External(text.to_owned()));
        };
        let nowhere = |reader: &Self| {
            reader
                .error(
                    at,
                    format!("the reference {text:?} leads nowhere in this document"),
                )
                .help("correct its spelling, or add what it names")
        };
        // A fragment is URI-encoded, but many documents write it plainly; take either.
        let decoded = super::refs::percent_decode(fragment);
        for fragment in [fragment, decoded.as_str()] {
            if !fragment.is_empty() && !fragment.starts_with('/') {
                match self.resources.anchor(home, fragment) {
                    Some(id) => return Ok(Target::Schema(id)),
                    None => continue,
                }
            }
            let pointer = format!("{}{fragment}", self.resources.pointer(home));
            if let Some(id) = self.by_pointer.get(&pointer) {
                return Ok(Target::Schema(*id));
            }
            if let Some(node) = root.pointer(&pointer) {
                return Ok(Target::Schema(self.schema(node, pointer, home)?));
            }
        }
        Err(nowhere(self))
    }
}
