//! Validators for the readings of a wire view, compiled when first asked for and kept.

use crate::evolution::witness::endless;
use crate::json::{self, Source, Value, child_pointer};
use crate::schema::Document;
use crate::wire::{Matcher, NodeId, Reading, Start, Wire, arrays_of, schema_at, variants_of};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A validator of the independent crate; `None` where it refused the schema.
type Compiled = Option<Rc<jsonschema::Validator>>;

/// Answers whether a value is valid at some part of a wire view, under some reading.
///
/// Each answer is a run of the validator crate over an emitted schema, so nothing in this project
/// re-implements validation.
pub struct Validators<'a> {
    wire: &'a Wire,
    parts: RefCell<HashMap<(Reading, Start), Compiled>>,
    patterns: RefCell<HashMap<String, Compiled>>,
}

/// Something that is not as a reading wants it, at a place of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// JSON Pointer into the document.
    pub at: String,
    /// Byte offset of the place.
    pub offset: u32,
    /// What is wrong there.
    pub message: String,
}

impl<'a> Validators<'a> {
    /// No validator is compiled yet.
    #[must_use]
    pub fn new(wire: &'a Wire) -> Self {
        Self {
            wire,
            parts: RefCell::default(),
            patterns: RefCell::default(),
        }
    }

    /// Whether a whole document is valid.
    #[must_use]
    pub fn accepts(&self, reading: Reading, document: &json::Node) -> bool {
        self.matches(reading, Start::Document, document)
    }

    /// Why a document is refused, as deep in it as the reason can be told; empty where it is valid.
    ///
    /// A validator says of a union that no branch fits, which helps nobody. The wire view knows
    /// which branch was meant, so the reason is looked for there.
    #[must_use]
    pub fn problems(&self, reading: Reading, document: &json::Node) -> Vec<Problem> {
        if self.accepts(reading, document) {
            return Vec::new();
        }
        let mut found = Vec::new();
        if let [root] = self.wire.roots.as_slice() {
            self.explain(reading, root.node, document, "", &mut found);
        }
        if found.is_empty() {
            self.own_errors(reading, Start::Document, document, "", &mut found);
        }
        if found.is_empty() {
            let message = "no validator could be made for this part of the contract".to_owned();
            found.push(Problem {
                at: String::new(),
                offset: document.at,
                message,
            });
        }
        found
    }

    /// The recursion is along the document, whose depth the reader bounds.
    fn explain(
        &self,
        reading: Reading,
        id: NodeId,
        value: &json::Node,
        at: &str,
        found: &mut Vec<Problem>,
    ) {
        let start = Start::Node(id);
        if self.matches(reading, start, value) {
            return;
        }
        let before = found.len();
        let node = self.wire.node(id);
        let mut start = start;
        match &value.value {
            Value::Object(members) if !node.objects.is_empty() => {
                let Some(index) = variants_of(self.wire, id, value, self).first().copied() else {
                    let tags = node.tags.join("` and `");
                    let message = if tags.is_empty() {
                        "no alternative of this place takes the object".to_owned()
                    } else {
                        format!("no known variant has these values of `{tags}`")
                    };
                    found.push(Problem {
                        at: at.to_owned(),
                        offset: value.at,
                        message,
                    });
                    return;
                };
                let shape = node.objects[index].object;
                start = Start::Object(shape);
                for member in members {
                    if let Some(field) = self.wire.object(shape).fields.get(&*member.name) {
                        self.explain(
                            reading,
                            field.node,
                            &member.node,
                            &child_pointer(at, &member.name),
                            found,
                        );
                    }
                }
            }
            Value::Array(elements) => {
                if let Some(index) = arrays_of(self.wire, id, value, self).first().copied() {
                    start = Start::Array(id, index);
                    let array = &node.arrays[index];
                    for (index, element) in elements.iter().enumerate() {
                        let place = array.prefix.get(index).copied().unwrap_or(array.items);
                        self.explain(
                            reading,
                            place,
                            element,
                            &child_pointer(at, &index.to_string()),
                            found,
                        );
                    }
                }
            }
            _ => {}
        }
        if found.len() == before {
            self.own_errors(reading, start, value, at, found);
        }
    }

    fn own_errors(
        &self,
        reading: Reading,
        start: Start,
        value: &json::Node,
        at: &str,
        found: &mut Vec<Problem>,
    ) {
        let Some(instance) = instance(value) else {
            let message = "a number here is beyond what validators read".to_owned();
            found.push(Problem {
                at: at.to_owned(),
                offset: value.at,
                message,
            });
            return;
        };
        let Some(validator) = self.compiled(reading, start) else {
            return;
        };
        for error in validator.iter_errors(&instance) {
            let below = error.instance_path().as_str();
            let offset = value.pointer(below).map_or(value.at, |node| node.at);
            found.push(Problem {
                at: format!("{at}{below}"),
                offset,
                message: shortened(&error.to_string()),
            });
        }
    }

    fn compiled(&self, reading: Reading, start: Start) -> Compiled {
        if let Some(known) = self.parts.borrow().get(&(reading, start)) {
            return known.clone();
        }
        let text = schema_at(self.wire, reading, start);
        let compiled = compile(&text, reading == Reading::Strict).ok().map(Rc::new);
        self.parts
            .borrow_mut()
            .insert((reading, start), compiled.clone());
        compiled
    }
}

impl Matcher for Validators<'_> {
    fn matches(&self, reading: Reading, start: Start, value: &json::Node) -> bool {
        let (Some(validator), Some(instance)) = (self.compiled(reading, start), instance(value))
        else {
            return false;
        };
        validator.is_valid(&instance)
    }

    fn name_matches(&self, pattern: &str, name: &str) -> bool {
        let known = self.patterns.borrow().get(pattern).cloned();
        let compiled = known.unwrap_or_else(|| {
            let schema = serde_json::json!({ "pattern": pattern });
            let compiled = jsonschema::options()
                .offline()
                .build(&schema)
                .ok()
                .map(Rc::new);
            self.patterns
                .borrow_mut()
                .insert(pattern.to_owned(), compiled.clone());
            compiled
        });
        compiled.is_some_and(|validator| validator.is_valid(&serde_json::Value::from(name)))
    }
}

/// Compiles a schema text; nothing is ever fetched.
///
/// # Errors
/// Says why the text is no schema, or which reference leads out of it.
pub fn compile(text: &str, formats: bool) -> Result<jsonschema::Validator, String> {
    let schema: serde_json::Value =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let document =
        Document::read(Source::new("schema", text)).map_err(|error| error.to_string())?;
    if let Some(why) = endless(&document) {
        return Err(why.to_owned());
    }
    let options = jsonschema::options()
        .should_validate_formats(formats)
        .offline();
    options
        .build(&schema)
        .map_err(|error| shortened(&error.to_string()))
}

/// The document as the validator crate takes it; `None` where a number is beyond a double.
#[must_use]
pub fn instance(value: &json::Node) -> Option<serde_json::Value> {
    let mut text = String::new();
    json::write(value, &mut text);
    serde_json::from_str(&text).ok()
}

/// Messages quote the instance, which may be megabytes.
pub(in crate::evolution) fn shortened(message: &str) -> String {
    const KEPT: usize = 240;
    if message.chars().count() <= KEPT {
        return message.to_owned();
    }
    let head: String = message.chars().take(KEPT / 2).collect();
    let tail: Vec<char> = message.chars().rev().take(KEPT / 2).collect();
    let tail: String = tail.into_iter().rev().collect();
    format!("{head} ... {tail}")
}
