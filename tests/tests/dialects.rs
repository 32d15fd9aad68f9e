//! Every dialect is read for what it says: the wire view, emitted as 2020-12, and the text it was read
//! from, under its own dialect, take the same documents.
//!
//! The validator crate judges both. A row is one schema in one dialect; what a dialect does not know
//! annotates in it, so most schemas stand in all of them, and the dialects differ in what they take.

use std::collections::BTreeSet;
use wirelock_codegen::evolution::compile;
use wirelock_codegen::wire;

#[path = "dialects/exceptions.rs"]
mod exceptions;
#[path = "dialects/instances.rs"]
mod instances;
#[path = "dialects/schemas.rs"]
mod schemas;

const DIALECTS: [(&str, Option<&str>); 6] = [
    ("draft4", Some("http://json-schema.org/draft-04/schema#")),
    ("draft6", Some("http://json-schema.org/draft-06/schema#")),
    ("draft7", Some("http://json-schema.org/draft-07/schema#")),
    (
        "2019-09",
        Some("https://json-schema.org/draft/2019-09/schema"),
    ),
    (
        "2020-12",
        Some("https://json-schema.org/draft/2020-12/schema"),
    ),
    ("none", None),
];

/// What became of a row.
enum Outcome {
    Agrees,
    /// The wire view leaves something open, and says so.
    Undecided,
    /// The validator crate takes the text for no schema of its dialect.
    NoSchema,
}

fn judge(schema: &str, name: &str, instances: &[serde_json::Value]) -> Result<Outcome, String> {
    let read = wire::read(name, schema);
    let Ok(original) = compile(schema, false) else {
        return Ok(Outcome::NoSchema);
    };
    let wire = read.map_err(|error| format!("{name}: {error}: {schema}"))?;
    if !wire.undecided.is_empty() {
        return Ok(Outcome::Undecided);
    }
    let emitted = wire::published_schema(&wire);
    let published = compile(&emitted, false)
        .map_err(|error| format!("{name}: what is emitted is no schema: {error}: {emitted}"))?;
    for instance in instances {
        let (left, right) = (original.is_valid(instance), published.is_valid(instance));
        if left != right {
            return Err(format!(
                "{name}: the text says {left}, the wire view {right} of {instance}\n    {schema}\n    {emitted}"
            ));
        }
    }
    Ok(Outcome::Agrees)
}

#[test]
fn every_keyword_means_in_every_dialect_what_the_validator_says() {
    let instances: Vec<serde_json::Value> = instances::INSTANCES
        .iter()
        .map(|text| serde_json::from_str(text).expect("an instance is JSON"))
        .collect();
    let mut faults = Vec::new();
    let (mut agree, mut no_schema) = (0, 0);
    let mut undecided = BTreeSet::new();
    let mut differ = BTreeSet::new();
    for (title, text) in schemas::SCHEMAS {
        for (dialect, uri) in DIALECTS {
            let name = format!("{title} {dialect}");
            let schema = match uri {
                Some(uri) => text.replacen('{', &format!("{{\"$schema\":\"{uri}\","), 1),
                None => (*text).to_owned(),
            };
            let schema = schema.replace(",}", "}");
            // Draft 4 has its validators ask for an integer's spelling, which no later one does, and
            // the wire view has values and not spellings.
            let instances: Vec<serde_json::Value> = instances
                .iter()
                .filter(|instance| dialect != "draft4" || !is_whole_float(instance))
                .cloned()
                .collect();
            match judge(&schema, &name, &instances) {
                Ok(Outcome::Agrees) => agree += 1,
                Ok(Outcome::NoSchema) => no_schema += 1,
                Ok(Outcome::Undecided) => {
                    undecided.insert(name);
                }
                Err(fault) => match exceptions::DIFFER
                    .iter()
                    .position(|known| known.is(title, dialect))
                {
                    Some(known) => {
                        differ.insert(known);
                    }
                    None => faults.push(fault),
                },
            }
        }
    }
    println!(
        "{agree} rows agree, {} are undecided, {no_schema} are no schema of their dialect",
        undecided.len()
    );
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
    for (index, known) in exceptions::DIFFER.iter().enumerate() {
        assert!(
            differ.contains(&index),
            "{} differs no longer, so it needs no reason: {}",
            known.title,
            known.why
        );
    }
    let expected: BTreeSet<String> = exceptions::UNDECIDED
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    assert_eq!(
        undecided, expected,
        "the list of what is undecided has changed"
    );
    assert!(agree >= 120, "{agree}");
}

fn is_whole_float(instance: &serde_json::Value) -> bool {
    instance.is_f64()
        && instance
            .as_f64()
            .is_some_and(|number| number.fract() == 0.0)
}
