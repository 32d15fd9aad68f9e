//! The JSON Schema of what is written as JSON, told by the types that are written.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, RestrictFormats, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The JSON Schema (2020-12) of the JSON that a type is serialized to, as indented text with a line end.
///
/// Every definition has a title, and the names of a set that may grow stand beside any other text, so
/// that the schema can be held to the rules of growth itself.
///
/// ```
/// use wirelock_codegen::report::{Report, json_schema};
/// let schema: serde_json::Value = serde_json::from_str(&json_schema::<Report>("https://host.example/report")).unwrap();
/// assert_eq!(schema["title"], "Report");
/// assert_eq!(schema["properties"]["accepted"]["type"], "boolean");
/// ```
#[must_use]
pub fn json_schema<T: JsonSchema>(id: &str) -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // `uint32` is a word of the generator's own; the type and its bounds say the same.
    RestrictFormats::default().transform(&mut schema);
    RecursiveTransform(plain).transform(&mut schema);
    schema.insert("$id".to_owned(), id.into());
    let definitions = schema.get_mut("$defs").and_then(Value::as_object_mut);
    for (name, definition) in definitions.into_iter().flatten() {
        if let Some(definition) = definition.as_object_mut() {
            definition.insert("title".to_owned(), name.as_str().into());
        }
    }
    format!("{:#}\n", schema.as_value())
}

/// Takes out what only the source's comments have: line ends, and examples for who calls the type.
fn plain(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        if let Some(example) = text.find("```") {
            text.truncate(example);
        }
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}
