//! How the JSON Schema of this crate's own types tells of a set of names that may grow.

use schemars::Schema;
use serde_json::{Value, json};

/// Opens the set of an enum's names: who reads a name that is new passes over it.
pub(crate) fn open(schema: &mut Schema) {
    if let Some(Value::Array(mut known)) = schema.remove("oneOf") {
        known.push(json!({"type": "string"}));
        schema.insert("anyOf".to_owned(), known.into());
    }
}
