//! The schema that the types tell of themselves says the same on the wire as the one they come from.

use std::path::Path;
use stream_json::runtime::schemars::{JsonSchema, SchemaGenerator, schema_for};
use stream_json::{Line, Usage};
use wirelock_codegen::evolution::{Level, compare};
use wirelock_codegen::wire;

fn source() -> wire::Wire {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/stream-json.schema.json");
    let text = std::fs::read_to_string(path).expect("the schema");
    wire::read("source", &text).expect("a schema")
}

/// What is more than words between two wire views.
fn changes(old: &wire::Wire, new: &wire::Wire) -> Vec<String> {
    let changes = compare(old, new).changes.into_iter();
    let heavy = changes.filter(|change| change.level != Level::Editorial);
    heavy
        .map(|change| format!("{} {}", change.rule, change.message))
        .collect()
}

#[test]
fn the_schema_of_a_line_is_the_contracts() {
    let told = schema_for!(Line).to_value().to_string();
    let source = source();
    let mut own = wire::read("told", &told).unwrap_or_else(|error| panic!("{error}"));
    // What a stream is made of is no part of what one of its lines is.
    own.contract = source.contract.clone();
    assert_eq!(changes(&source, &own), [""; 0]);
    assert_eq!(changes(&own, &source), [""; 0]);
    // It would be seen if it were another one.
    let other = told.replace("\"is_error\"", "\"failed\"");
    let mut other = wire::read("other", &other).expect("a schema");
    other.contract = source.contract.clone();
    assert!(!changes(&source, &other).is_empty());
}

#[test]
fn a_type_brings_along_what_it_refers_to_and_no_more() {
    let mut generator = SchemaGenerator::default();
    let schema = Usage::json_schema(&mut generator).to_value();
    let address = schema["$ref"].as_str().expect("a reference");
    let (_, key) = address.rsplit_once('/').expect("a definition");
    assert!(key.ends_with("::Usage"), "{key}");
    let definitions = generator.definitions();
    assert!(definitions[key]["properties"]["input_tokens"].is_object());
    assert!(
        !definitions.keys().any(|name| name.ends_with("::Line")),
        "{:?}",
        definitions.keys()
    );
    // The schema documents what the contract documents.
    assert!(definitions[key]["description"].is_string());
}
