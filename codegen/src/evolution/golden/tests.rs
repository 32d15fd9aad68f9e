//! The project's own contract and goldens, and what happens to them when they are damaged.

use super::{GoldenReport, Validators, check_goldens, compile, instance};
use crate::json;
use crate::wire::{
    Matcher, Reading, SampleOptions, Samples, Start, Wire, canonical, check_schema, elements,
    published_schema, read, sample, walk_document,
};
use std::path::Path;

pub(in crate::evolution) fn contract() -> (Wire, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/stream-json.schema.json");
    let text = std::fs::read_to_string(path).expect("the contract");
    let wire = read("stream-json.schema.json", &text).expect("a schema");
    (wire, text)
}

pub(in crate::evolution) fn files_of(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .map(|path| {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, std::fs::read_to_string(path).expect("a golden"))
        })
        .collect();
    files.sort();
    files
}

pub(in crate::evolution) fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect()
}

fn check(files: &[(String, String)]) -> GoldenReport {
    let (wire, text) = contract();
    check_goldens(&wire, &text, &borrowed(files))
}

#[test]
fn the_goldens_of_this_project_hold_every_element() {
    let report = check(&files_of("schema/golden"));
    assert_eq!(report.faults, []);
    assert_eq!(report.uncovered, []);
    assert!(report.covered > 200 && report.lines > 100, "{report:?}");
}

#[test]
fn the_schema_of_this_project_keeps_its_conventions() {
    assert_eq!(check_schema(&contract().0), []);
}

#[test]
fn samples_of_the_unknown_are_published_and_not_strict() {
    let (wire, text) = contract();
    let published = compile(&text, false).expect("a schema");
    let validators = Validators::new(&wire);
    let mut refused = 0;
    for (name, text) in files_of("tests/forward") {
        for line in super::read_lines(&text) {
            let node = line.node.expect("a document");
            let at = format!("{name}:{}", line.number);
            assert!(
                published.is_valid(&instance(&node).expect("a value")),
                "{at}"
            );
            assert!(validators.accepts(Reading::Published, &node), "{at}");
            assert!(validators.accepts(Reading::Open, &node), "{at}");
            let walk = walk_document(&wire, &node, &validators);
            let strict = validators.accepts(Reading::Strict, &node);
            assert_eq!(strict, walk.unknown.is_empty(), "{at} {:?}", walk.unknown);
            refused += usize::from(!strict);
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn each_damage_is_named_at_its_place() {
    let base = files_of("schema/golden");
    let minimal = base
        .iter()
        .find(|(name, _)| name == "minimal-run.jsonl")
        .expect("a minimal run");
    let text = &minimal.1;
    let first_end = text.find('\n').expect("two lines") + 1;
    let (first, rest) = text.split_at(first_end);
    // The contract may be at a later capability than when this was written.
    let capability = contract().0.contract.expect("a stream contract").capability;
    let unadvertised = format!("does not advertise {capability}");
    let cases: Vec<(String, &str)> = vec![
        (text.trim_end().to_owned(), "no line end"),
        (rest.to_owned(), "a run begins with"),
        (first.to_owned(), "never ends"),
        (format!("{text}{first}"), "not the last one"),
        (format!("{text}{rest}"), "second terminal"),
        (format!("{text}\n"), "no JSON"),
        (text.replacen("\"seq\":0", "\"seq\": 0", 1), "canonical"),
        (text.replacen("\"seq\":0", "\"seq\":0.0", 1), "fraction"),
        (text.replacen("\"seq\":0", "\"seq\":9", 1), "does not grow"),
        (text.replacen("\"seq\":0", "\"seq\":-1", 1), "/seq"),
        (
            text.replacen("\"seq\":0", "\"seq\":0,\"new\":1", 1),
            "member at /new",
        ),
        (
            text.replacen("\"seq\":0", "\"seq\":0,\"ts\":\"noon\"", 1),
            "/ts",
        ),
        (
            text.replacen("\"type\":\"system\"", "\"type\":\"sistem\"", 1),
            "variant \"sistem",
        ),
        (text.replacen(&capability, "no_such_v1", 1), "/capabilities"),
        (text.replacen(&capability, "tasks_v1", 1), &unadvertised),
        (
            text.replacen("session_id\":\"", "session_id\":\"x", 1),
            "differs",
        ),
        (format!("\u{1b}[1m{text}"), "control byte"),
        (format!("[]\n{text}"), "a JSON array stands here"),
    ];
    for (damaged, expected) in cases {
        let report = check(&[("run.jsonl".to_owned(), damaged.clone())]);
        let told: Vec<&str> = report
            .faults
            .iter()
            .map(|fault| fault.message.as_str())
            .collect();
        assert!(
            told.iter().any(|message| message.contains(expected)),
            "{expected}: {told:?} in {damaged}"
        );
    }
    let gated = files_of("schema/golden")
        .into_iter()
        .find(|(name, _)| name == "partial-messages.jsonl")
        .expect("a run");
    let damaged = gated
        .1
        .replace("\"partial_messages_v1\",", "")
        .replace(",\"partial_messages_v1\"", "");
    let report = check(&[("run.jsonl".to_owned(), damaged)]);
    assert!(
        report
            .faults
            .iter()
            .any(|fault| fault.message.contains("advertises partial_messages_v1")),
        "{report:?}"
    );
}

#[test]
fn samples_are_valid_and_both_spellings_of_the_schema_agree_on_them() {
    let (wire, text) = contract();
    let original = compile(&text, false).expect("a schema");
    let emitted = compile(&published_schema(&wire), false).expect("an emitted schema");
    let validators = Validators::new(&wire);
    let root = wire.roots[0].node;
    for seed in 0..400 {
        for unknown in [false, true] {
            let options = SampleOptions {
                unknown,
                ..SampleOptions::random(seed)
            };
            let node = sample(&wire, root, &options).expect("a sample");
            let value = instance(&node).expect("a value");
            assert!(original.is_valid(&value), "{value}");
            assert!(emitted.is_valid(&value), "{value}");
            let strict = validators.accepts(Reading::Strict, &node);
            assert!(
                strict || unknown,
                "{value} {:?}",
                validators.problems(Reading::Strict, &node)
            );
            let walk = walk_document(&wire, &node, &validators);
            assert_eq!(
                strict,
                walk.unknown.is_empty(),
                "{value} {:?}",
                walk.unknown
            );
            assert!(validators.matches(Reading::Open, Start::Document, &node));
            let text = canonical(&wire, &node, &validators);
            let again = canonical(&wire, &json::parse(&text).expect("JSON"), &validators);
            assert_eq!(text, again, "canonical bytes are a fixed point");
        }
    }
}

#[test]
fn every_element_has_a_sample_that_exercises_it() {
    let (wire, _) = contract();
    let validators = Validators::new(&wire);
    let samples = Samples::new(&wire);
    for element in elements(&wire) {
        for options in [
            SampleOptions::minimal(),
            SampleOptions::maximal(),
            SampleOptions::random(3),
        ] {
            let root = wire.roots[0].node;
            let way = samples
                .way_to(root, &element.key(), &|_| true)
                .expect("a way");
            let node = samples.along(&way, &options).expect("a sample");
            let walk = walk_document(&wire, &node, &validators);
            let hit = walk
                .exercised
                .iter()
                .any(|found| found.key == element.key());
            assert!(
                hit && validators.accepts(Reading::Strict, &node),
                "{} {:?}",
                element.subject,
                instance(&node)
            );
        }
    }
}
