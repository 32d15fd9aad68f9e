//! Documents for each root of a schema: samples that an independent validator takes, and a few by hand.

use super::cases::Case;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use wirelock_codegen::json as text;
use wirelock_codegen::wire::{self, SampleOptions, Samples};

/// The documents of one schema.
pub(crate) struct Tried {
    /// The index of the root, and one line of JSON.
    pub(crate) lines: Vec<(usize, String)>,
    pub(crate) sampled: usize,
    pub(crate) valid: usize,
    pub(crate) roots_with_documents: usize,
    pub(crate) faults: Vec<String>,
}

/// Samples every root by size, by chance and on the way to each element, and keeps what is valid.
pub(crate) fn of(case: &Case) -> Tried {
    let samples = Samples::new(&case.wire);
    let schema = without_unresolved(case);
    let elements = wire::elements(&case.wire);
    // The largest are tried with fewer documents, since each costs most there.
    let (seeds, most_elements) = match (case.is_large(), case.wire.roots.len()) {
        (true, _) => (12, 300),
        (false, 0..=5) => (120, 2000),
        (false, _) => (10, 0),
    };
    let mut tried = Tried {
        lines: Vec::new(),
        sampled: 0,
        valid: 0,
        roots_with_documents: 0,
        faults: Vec::new(),
    };
    for (index, root) in case.wire.roots.iter().enumerate() {
        let validator = match validator(&schema, &root.origin.pointer) {
            Ok(validator) => validator,
            Err(why) => {
                tried
                    .faults
                    .push(format!("{}: no validator: {why}", case.name));
                continue;
            }
        };
        let mut documents = BTreeSet::new();
        let mut add = |node: Option<text::Node>| {
            let Some(node) = node else { return };
            tried.sampled += 1;
            let mut line = String::new();
            text::write(&node, &mut line);
            let value: Option<Value> = serde_json::from_str(&line).ok();
            if value.is_some_and(|value| validator.is_valid(&value)) {
                tried.valid += 1;
                documents.insert(line);
            }
        };
        for options in options(seeds) {
            add(samples.any(root.node, &options));
        }
        for element in elements.iter().take(most_elements) {
            if let Some(way) = samples.way_to(root.node, &element.key(), &|_| true) {
                for options in [SampleOptions::minimal(), SampleOptions::maximal()] {
                    add(samples.along(&way, &options));
                }
            }
        }
        for line in super::examples::of(&case.name, root.name.as_deref()) {
            let value: Value = serde_json::from_str(line).expect("an example is JSON");
            if !validator.is_valid(&value) {
                tried
                    .faults
                    .push(format!("{}: no valid example: {line}", case.name));
            }
            documents.insert((*line).to_owned());
        }
        tried.roots_with_documents += usize::from(!documents.is_empty());
        tried
            .lines
            .extend(documents.into_iter().map(|line| (index, line)));
    }
    tried
}

fn options(seeds: u64) -> Vec<SampleOptions> {
    let mut options = vec![SampleOptions::minimal(), SampleOptions::maximal()];
    for seed in 0..seeds {
        let size = 20 << (seed % 5);
        options.push(SampleOptions {
            size,
            unknown: seed % 2 == 1,
            ..SampleOptions::random(seed)
        });
        // Few members at a time get past what two of them may not do together.
        options.push(SampleOptions {
            size: 3 + seed as usize % 7,
            ..SampleOptions::random(seed + 1000)
        });
    }
    options
}

/// A validator of the document, or of one of its definitions.
fn validator(schema: &Value, pointer: &str) -> Result<jsonschema::Validator, String> {
    let mut schema = schema.clone();
    if let (false, Some(members)) = (pointer.is_empty(), schema.as_object_mut()) {
        let kept = ["$schema", "$id", "id", "$defs", "definitions"];
        let mut whole: Map<String, Value> = Map::new();
        let kept = kept.iter().map(|name| (*name, members.remove(*name)));
        whole.extend(kept.filter_map(|(name, value)| Some((name.to_owned(), value?))));
        whole.insert("$ref".to_owned(), json!(format!("#{}", encoded(pointer))));
        schema = Value::Object(whole);
    }
    jsonschema::options()
        .should_validate_formats(false)
        .offline()
        .build(&schema)
        .map_err(|error| error.to_string().chars().take(300).collect())
}

/// The schema without the references that lead to what is not at hand: anything may stand there,
/// which is what the wire view and the types say.
fn without_unresolved(case: &Case) -> Value {
    let mut schema: Value = serde_json::from_str(&case.text).expect("a schema is JSON");
    for undecided in &case.wire.undecided {
        let spot = schema.pointer_mut(&undecided.origin.pointer);
        if let (Some(members), "$ref") = (spot.and_then(Value::as_object_mut), &*undecided.keyword)
        {
            members.remove("$ref");
        }
    }
    spell_references(&mut schema);
    schema
}

/// Names of definitions may hold what an address may not, which the validator is strict about.
fn spell_references(schema: &mut Value) {
    match schema {
        Value::Array(elements) => elements.iter_mut().for_each(spell_references),
        Value::Object(members) => {
            if let Some(Value::String(address)) = members.get_mut("$ref")
                && let Some(fragment) = address.strip_prefix("#/")
                && !fragment.contains('%')
            {
                *address = format!("#/{}", encoded(fragment));
            }
            members.values_mut().for_each(spell_references);
        }
        _ => {}
    }
}

/// A pointer as the fragment of an address.
fn encoded(pointer: &str) -> String {
    let mut text = String::new();
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~$".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
