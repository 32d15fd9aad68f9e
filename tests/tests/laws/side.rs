//! One side of a pair: a schema as a value, as a document, as a wire view, and as the validator reads it.

use jsonschema::Validator;
use serde_json::Value;
use wirelock_codegen::json::Source;
use wirelock_codegen::schema::Document;
use wirelock_codegen::wire::{self, Wire};
use wirelock_tests::spots::is_well_founded;

/// A schema, read in every way that the laws need.
pub(crate) struct Side {
    pub(crate) schema: Value,
    pub(crate) document: Document,
    pub(crate) wire: Wire,
    validator: Validator,
}

impl Side {
    /// Reads a schema, or says why it is none.
    pub(crate) fn read(schema: &Value) -> Result<Self, String> {
        if !is_well_founded(schema) {
            return Err("it asks itself about the same value".to_owned());
        }
        let validator = compile(schema)?;
        let text = schema.to_string();
        let document =
            Document::read(Source::new("schema", text)).map_err(|error| error.to_string())?;
        let wire = wire::build(&document).map_err(|error| error.to_string())?;
        Ok(Self {
            schema: schema.clone(),
            document,
            wire,
            validator,
        })
    }

    /// Whether it is judged as one schema: without a root it is judged definition by definition,
    /// which no validator does, and which is another question than that of a schema with one.
    pub(crate) fn has_root(&self) -> bool {
        matches!(self.wire.roots.as_slice(), [root] if root.name.is_none())
    }

    /// Whether the validator takes a document.
    pub(crate) fn takes(&self, document: &Value) -> bool {
        self.validator.is_valid(document)
    }
}

/// The validator of a schema that was emitted as text.
pub(crate) fn compile_text(text: &str) -> Validator {
    let schema: Value = serde_json::from_str(text).expect("what is emitted is JSON");
    compile(&schema).expect("what is emitted is a schema")
}

/// The independent validator; formats are annotations.
fn compile(schema: &Value) -> Result<Validator, String> {
    jsonschema::options()
        .should_validate_formats(false)
        .offline()
        .build(schema)
        .map_err(|error| error.to_string())
}
