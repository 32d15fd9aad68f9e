//! The wire view says what its schema says: what is emitted from it and the text it was read from agree.
//!
//! Documents are sampled from the wire view and then changed by chance, so that both sides of every
//! constraint are met. The validator crate judges each of them under the original text and under the
//! three readings; beside agreement, strict is within published and published within open. The tables
//! of the audit have to say of each document what the validator says of the first two readings.

#[path = "mutations/text.rs"]
#[allow(dead_code, reason = "the mutations use the rest")]
mod text;

use std::path::PathBuf;
use text::*;
use wirelock_codegen::audit::{Audit, Options};
use wirelock_codegen::evolution::{compile, instance};
use wirelock_codegen::json::{self, Node, Value};
use wirelock_codegen::wire::{self, SampleOptions, Wire};

/// Numbers by chance, the same in every run.
struct Lottery(u64);

impl Lottery {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// Samples of a schema, each with changed copies of it.
fn documents(wire: &Wire, samples: u64, changes: usize) -> Vec<Node> {
    let mut found = Vec::new();
    let mut lottery = Lottery(7);
    let chance = (0..samples).map(|seed| SampleOptions {
        unknown: seed % 2 == 1,
        ..SampleOptions::random(seed)
    });
    let options = [SampleOptions::minimal(), SampleOptions::maximal()].into_iter();
    for options in options.chain(chance) {
        found.push(any(&mut lottery));
        for root in wire.roots.iter().take(40) {
            let Some(sample) = wire::sample(wire, root.node, &options) else {
                continue;
            };
            for _ in 0..changes {
                let mut changed = sample.clone();
                for _ in 0..=lottery.below(2) {
                    change(&mut changed, &mut lottery);
                }
                found.push(changed);
            }
            found.push(sample);
        }
    }
    found
}

/// Changes one value somewhere in a document: another one, one fewer, or one more.
fn change(node: &mut Node, lottery: &mut Lottery) {
    let below = match &node.value {
        Value::Array(elements) => elements.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    if below > 0 && lottery.below(4) != 0 {
        let at = lottery.below(below);
        let child = match &mut node.value {
            Value::Array(elements) => &mut elements[at],
            Value::Object(members) => &mut members[at].node,
            _ => return,
        };
        if lottery.below(3) != 0 {
            return change(child, lottery);
        }
        *child = any(lottery);
        return;
    }
    match &mut node.value {
        Value::Object(members) => match lottery.below(3) {
            0 if !members.is_empty() => {
                members.remove(lottery.below(members.len()));
            }
            _ => {
                let name = ["zz", "type", "name", "id", "x-a", ""][lottery.below(6)];
                let value = any(lottery);
                set(node, name, value);
            }
        },
        Value::Array(elements) => match lottery.below(3) {
            0 if !elements.is_empty() => {
                elements.remove(lottery.below(elements.len()));
            }
            1 if !elements.is_empty() => {
                let copy = elements[lottery.below(elements.len())].clone();
                elements.push(copy);
            }
            _ => elements.push(any(lottery)),
        },
        _ => *node = any(lottery),
    }
}

fn any(lottery: &mut Lottery) -> Node {
    const VALUES: &[&str] = &[
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "7",
        "1.5",
        "1e3",
        "1.0",
        "9007199254740992",
        "\"\"",
        "\"a\"",
        "\"system\"",
        "\"A b\"",
        "\"2020-01-01T00:00:00Z\"",
        "[]",
        "[1]",
        "[\"a\",\"a\"]",
        "{}",
        "{\"a\":1}",
        "{\"type\":\"text\"}",
        "[null]",
        "\"\\u00e9\\ud83d\\ude00\"",
    ];
    parse(VALUES[lottery.below(VALUES.len())])
}

/// Schemas on which the validator crate and this project differ by right.
const BY_RIGHT: &[(&str, &str)] = &[
    (
        "same_value_recursive_applicator_narrowed old_2020",
        "a schema that refers to itself for the same value has no defined answer",
    ),
    (
        "cloudevents-1.0.1.json",
        "the crate asserts contentEncoding under draft-07, where it may; here it annotates",
    ),
];

/// What was tried on one schema.
#[derive(Default, Clone, Copy)]
struct Tried {
    documents: usize,
    valid: usize,
}

/// Judges documents under the original and the readings, or says why the two cannot be compared.
fn agree(
    name: &str,
    schema: &str,
    samples: u64,
    changes: usize,
    faults: &mut Vec<String>,
) -> Result<Tried, String> {
    let wire = wire::read(name, schema).map_err(|error| error.to_string())?;
    // What is undecided is left out of what is emitted, so the two may differ there.
    if let Some(undecided) = wire.undecided.first() {
        return Err(format!(
            "{} is undecided: {}",
            undecided.keyword, undecided.why
        ));
    }
    let original = compile(schema, false)?;
    let rootless =
        wire.roots.len() > 1 || wire.roots.first().is_some_and(|root| root.name.is_some());
    let compiled = |text: String, formats| {
        compile(&text, formats)
            .unwrap_or_else(|error| panic!("{name}: what is emitted is no schema: {error}"))
    };
    let published = compiled(wire::published_schema(&wire), false);
    let strict = compiled(wire::strict_schema(&wire), true);
    let open = compiled(wire::open_schema(&wire), false);
    let audit = Audit::new(&wire, &Options::default()).map_err(|error| error.to_string())?;
    let mut tried = Tried::default();
    let mut told = 0;
    for document in documents(&wire, samples, changes) {
        let Some(value) = instance(&document) else {
            continue;
        };
        let by_original = original.is_valid(&value);
        let by_published = published.is_valid(&value);
        tried.documents += 1;
        tried.valid += usize::from(by_published);
        let mut why = Vec::new();
        // A root that constrains nothing is read definition by definition.
        let by_right = BY_RIGHT.iter().any(|(known, _)| *known == name);
        if !rootless && !by_right && by_original != by_published {
            why.push(format!(
                "the text says {by_original}, the wire view {by_published}"
            ));
        }
        let by_strict = strict.is_valid(&value);
        if by_strict && !by_published {
            why.push("strict takes it and published does not".to_owned());
        }
        if by_published && !open.is_valid(&value) {
            why.push("published takes it and open does not".to_owned());
        }
        let by_audit = audit.accepts(&value.to_string());
        let by_validator = (by_published, by_strict);
        if by_audit != by_validator {
            why.push(format!(
                "the audit says {by_audit:?}, the validator {by_validator:?}"
            ));
        }
        if !why.is_empty() && told < 2 {
            told += 1;
            let mut text = String::new();
            json::write(&document, &mut text);
            text.truncate(
                text.char_indices()
                    .nth(600)
                    .map_or(text.len(), |(at, _)| at),
            );
            faults.push(format!("{name}: {}: {text}", why.join("; ")));
        }
    }
    Ok(tried)
}

fn report(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn the_contract_is_read_for_what_it_says() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schema/stream-json.schema.json"
    );
    let schema = std::fs::read_to_string(path).expect("the published schema is in the repository");
    let mut faults = Vec::new();
    let tried =
        agree("stream-json", &schema, 400, 6, &mut faults).expect("the contract is fully read");
    println!("{} documents, {} valid", tried.documents, tried.valid);
    assert!(tried.valid >= 200 && tried.documents - tried.valid >= 100);
    report(&faults);
}

/// Small schemas whose parts touch each other.
const SMALL: &[&str] = &[
    r#"{"oneOf":[{"enum":["a","A b"]},{"enum":["a","c"]}]}"#,
    r#"{"oneOf":[{"type":"integer"},{"type":"number","minimum":1}]}"#,
    r#"{"oneOf":[{"type":"string"},{"type":"string"}]}"#,
    r#"{"oneOf":[{"const":"a"},{"type":"string"}]}"#,
    r#"{"anyOf":[{"type":"string","maxLength":1},{"type":"string","pattern":"b"}]}"#,
    r#"{"not":{"allOf":[{"type":"string"},{}]}}"#,
    r##"{"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"enum":["a",1,null]}}}"##,
    r#"{"type":"object","properties":{"a":false},"required":["a"]}"#,
    r#"{"type":"array","items":{"type":"object","properties":{"a":false},"required":["a"]}}"#,
    r#"{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"a":{"minLength":1}}}],"unevaluatedProperties":false}"#,
    r#"{"type":["integer","string"],"multipleOf":1,"minLength":1}"#,
    r#"{"anyOf":[{"const":{"b":true}},{"type":"object","properties":{"b":{"type":"null"}}}]}"#,
    r#"{"oneOf":[{"type":["boolean","null"]},{"type":"null","oneOf":[{"type":["number","null"]},{}]}]}"#,
    r#"{"if":{"properties":{"type":{"const":"text"}},"required":["type"]},"then":{"required":["a"]}}"#,
    r#"{"type":"object","properties":{"type":{"type":"string","not":{"allOf":[{"enum":["system","text"]}]}}},"required":["type"]}"#,
    r#"{"additionalProperties":false,"anyOf":[{"enum":[{"a":true,"b":""}]},true]}"#,
];

#[test]
fn small_schemas_are_read_for_what_they_say() {
    let mut faults = Vec::new();
    let mut documents = 0;
    for text in SMALL {
        match agree(text, text, 40, 6, &mut faults) {
            Ok(tried) => documents += tried.documents,
            Err(why) => faults.push(format!("{text}: {why}")),
        }
    }
    println!("{documents} documents of {} schemas", SMALL.len());
    assert!(documents > 1000);
    report(&faults);
}

/// A folder of test data that stands beside the repository on some machines only.
fn beside(name: &str) -> Option<PathBuf> {
    let path = wirelock_tests::handed::shared().join(name);
    if !path.is_dir() {
        println!("{} is not present, so nothing was tried", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn pairs_of_public_suites_are_read_for_what_they_say() {
    let Some(folder) = beside("suites") else {
        return;
    };
    let mut faults = Vec::new();
    let (mut read, mut total, mut unread) = (0, Tried::default(), 0);
    let mut seen = std::collections::HashSet::new();
    for file in ["jsoncompat.jsonl", "karapace.jsonl"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        for line in text.lines() {
            let pair = parse(line);
            let id = pair.get("id").and_then(Node::as_str).unwrap_or_default();
            for side in ["old_2020", "new_2020"] {
                let schema = write(pair.get(side).expect("both sides"));
                if !seen.insert(schema.clone()) {
                    continue;
                }
                match agree(&format!("{id} {side}"), &schema, 40, 6, &mut faults) {
                    Ok(tried) => {
                        read += 1;
                        total.documents += tried.documents;
                        total.valid += tried.valid;
                    }
                    Err(_) => unread += 1,
                }
            }
        }
    }
    println!(
        "{read} schemas, {unread} not fully read, {} documents, {} valid",
        total.documents, total.valid
    );
    assert!(read >= 100);
    report(&faults);
}

#[test]
fn real_schemas_are_read_for_what_they_say() {
    let Some(folder) = beside("corpus/schemas") else {
        return;
    };
    let mut faults = Vec::new();
    let mut read = 0;
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is readable")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    for file in files {
        let name = file
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let text = std::fs::read_to_string(&file).expect("a schema is text");
        // The largest are tried with fewer documents, since each costs most there.
        let samples = if text.len() > 600_000 { 2 } else { 40 };
        let started = std::time::Instant::now();
        match agree(&name, &text, samples, 3, &mut faults) {
            Ok(tried) => {
                read += 1;
                println!(
                    "{name}: {} documents, {} valid, {:?}",
                    tried.documents,
                    tried.valid,
                    started.elapsed()
                );
            }
            Err(why) => println!("{name}: not compared, {why}"),
        }
    }
    assert!(read > 0);
    report(&faults);
}
