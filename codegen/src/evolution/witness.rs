//! Confirms with an independent validator that a document tells two schemas apart, and makes it small.
//!
//! The prover names a document; only a validator that shares no code with the prover makes a
//! witness of it. Formats are not asserted, nothing is fetched, and the draft is the one that each
//! schema names.

mod complaints;
mod endless;
mod plain;
mod shrink;

pub(in crate::evolution) use endless::endless;

use super::prove::Refutation;
use crate::json::{self, Node};
use crate::schema::Document;
use crate::wire::Reading;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The most validations that making one document small may take.
const MAX_ATTEMPTS: usize = 300;
/// The most bytes of documents that those validations may read, for large documents.
const MAX_BYTES: usize = 8 << 20;

/// One of the two revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum Side {
    /// The old revision.
    Old,
    /// The new revision.
    New,
}

impl Side {
    /// The other revision.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }
}

/// A document that one revision takes and the other refuses, as the validator saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The document, as JSON text.
    pub document: String,
    /// The definition it is a document of, where the schemas have no root.
    pub definition: Option<String>,
    /// Under which reading of the schemas.
    pub reading: Reading,
    /// The revision that takes it.
    pub valid_under: Side,
    /// Where the other revision's schema complains: JSON Pointers into it, each with the member it
    /// is about where it is about one.
    pub(crate) complaints: Vec<Complaint>,
}

/// A place of a schema that refuses a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// JSON Pointer to the keyword.
    pub(crate) pointer: String,
    /// The member that is missing or unexpected.
    pub(crate) member: Option<String>,
}

/// Why a document of the prover is no witness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// The validator judges the document otherwise than the prover.
    #[error("the prover and the validator contradict each other: {0}")]
    Contradicted(String),
    /// There is no validator, or it could not come to a judgement.
    #[error("the document that would show it could not be validated: {0}")]
    NoValidator(String),
}

type Compiled = Result<Rc<jsonschema::Validator>, String>;

/// The independent validator of one schema, compiled when it is first asked and then kept.
pub struct Judge<'a> {
    document: &'a Document,
    compiled: RefCell<HashMap<Option<String>, Compiled>>,
}

impl<'a> Judge<'a> {
    /// Nothing is compiled yet.
    #[must_use]
    pub fn new(document: &'a Document) -> Self {
        Self {
            document,
            compiled: RefCell::default(),
        }
    }

    /// The validator of the document, or of one of its definitions.
    fn validator(&self, definition: Option<&str>) -> Compiled {
        let key = definition.map(str::to_owned);
        if let Some(known) = self.compiled.borrow().get(&key) {
            return known.clone();
        }
        let compiled = self.compile(definition).map(Rc::new);
        self.compiled.borrow_mut().insert(key, compiled.clone());
        compiled
    }

    fn compile(&self, definition: Option<&str>) -> Result<jsonschema::Validator, String> {
        if let Some(why) = endless(self.document) {
            return Err(why.to_owned());
        }
        let start = definition.map(|name| self.pointer(name)).transpose()?;
        if self.document.states_no_dialect(self.document.root)
            && let Some(copy) = plain::in_new_words(self.document)
            && let Ok(validator) = build(plain::starting_at(copy, start))
        {
            return Ok(validator);
        }
        let as_written = serde_json::from_str(self.document.source.text());
        let first = match as_written {
            Ok(schema) => build(plain::starting_at(schema, start)),
            Err(error) => Err(error.to_string()),
        };
        first.or_else(|why| {
            // What one library cannot read in a spelling it may well read in a plainer one.
            let copy = plain::copy(self.document).ok_or(why.clone())?;
            build(plain::starting_at(copy, start)).map_err(|_| why)
        })
    }

    fn pointer(&self, definition: &str) -> Result<&str, String> {
        let named = self.document.definitions.iter();
        let mut named = named.filter(|(name, _)| name == definition);
        let (_, id) = named
            .next()
            .ok_or_else(|| format!("one revision has no definition {definition:?}"))?;
        Ok(&self.document.schema(*id).pointer)
    }
}

fn build(schema: Value) -> Result<jsonschema::Validator, String> {
    jsonschema::options()
        .should_validate_formats(false)
        // Drafts 6 and 7 leave it open whether the content of a string is asserted.
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .offline()
        .build(&schema)
        .map_err(|error| super::golden::shortened(&error.to_string()))
}

/// Confirms that the one schema takes the document of a refutation and the other refuses it, and
/// makes the document as small as that allows.
///
/// # Errors
/// Why it is no witness, or why that cannot be told.
pub fn confirm(
    (takes, refuses): (&Judge<'_>, &Judge<'_>),
    (reading, valid_under): (Reading, Side),
    (document, definition): (&str, Option<&str>),
) -> Result<Witness, Doubt> {
    let valid = takes.validator(definition).map_err(Doubt::NoValidator)?;
    let invalid = refuses.validator(definition).map_err(Doubt::NoValidator)?;
    let node = json::parse(document).map_err(|error| {
        Doubt::NoValidator(format!("the document is no JSON: {}", error.message))
    })?;
    let value = instance(&node)
        .ok_or_else(|| Doubt::NoValidator("a number is beyond what validators read".to_owned()))?;
    let names = |side: Side| match side {
        Side::Old => "old",
        Side::New => "new",
    };
    for (validator, side, expected) in [
        (&valid, valid_under, true),
        (&invalid, valid_under.other(), false),
    ] {
        if validator.is_valid(&value) != expected {
            let judged = if expected { "invalid" } else { "valid" };
            return Err(Doubt::Contradicted(format!(
                "the document {} is {judged} under {} by the validator alone",
                super::golden::shortened(document),
                names(side)
            )));
        }
        complaints::engine_failed(validator, &value).map_err(Doubt::NoValidator)?;
    }
    let attempts = MAX_ATTEMPTS.min(MAX_BYTES / document.len().max(1));
    let small = shrink::shrink(node, attempts, &mut |candidate| {
        instance(candidate).is_some_and(|value| {
            valid.is_valid(&value)
                && !invalid.is_valid(&value)
                && complaints::engine_failed(&invalid, &value).is_ok()
        })
    });
    let complaints = instance(&small)
        .map(|value| complaints::complaints(&invalid, &value))
        .unwrap_or_default();
    let mut text = String::new();
    json::write(&small, &mut text);
    Ok(Witness {
        document: text,
        definition: definition.map(str::to_owned),
        reading,
        valid_under,
        complaints,
    })
}

/// As [`confirm`], for a refutation that has a document; the reason where it has none.
pub(super) fn confirm_refutation(
    judges: (&Judge<'_>, &Judge<'_>),
    about: (Reading, Side),
    refutation: &Refutation,
) -> Result<Result<Witness, String>, Doubt> {
    match &refutation.document {
        Ok(document) => {
            confirm(judges, about, (document, refutation.definition.as_deref())).map(Ok)
        }
        Err(why) => Ok(Err(why.clone())),
    }
}

fn instance(node: &Node) -> Option<Value> {
    super::golden::instance(node)
}

#[cfg(test)]
mod tests;
