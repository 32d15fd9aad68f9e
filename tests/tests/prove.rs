//! The prover on schema pairs with set truth, a keyword and an interplay at a time: `tests/prove`.
//!
//! A line is `{"id", "old", "new", "backward", "forward"}` with `yes`, `no` or `unknown` for whether
//! every document of old is one of new, and of new one of old. Each pair is asked both ways round,
//! each schema about itself, and the document of each "no" is judged by the validator crate.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use wirelock_codegen::evolution::prove::{Inclusion, included};
use wirelock_codegen::json::Source;
use wirelock_codegen::schema::Document;

#[derive(Deserialize)]
struct Line<'a> {
    id: &'a str,
    #[serde(borrow)]
    old: &'a RawValue,
    #[serde(borrow)]
    new: &'a RawValue,
    backward: &'a str,
    forward: &'a str,
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("prove");
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    files
}

/// Runs over all lines of all files.
fn each(mut run: impl FnMut(&Line<'_>)) {
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a file of lines");
        for (number, line) in text.lines().enumerate() {
            let line = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{}:{}: {error}", file.display(), number + 1));
            run(&line);
        }
    }
}

fn read(text: &RawValue) -> Document {
    let source = Source::new("schema.json", text.get());
    Document::read(source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn answer(inclusion: &Inclusion) -> &'static str {
    match inclusion {
        Inclusion::Holds => "yes",
        Inclusion::Fails(_) => "no",
        Inclusion::Open(_) => "unknown",
    }
}

/// The validator of a schema; nothing where it reaches out of the document.
fn validator(schema: &RawValue) -> Option<jsonschema::Validator> {
    let schema: Value = serde_json::from_str(schema.get()).ok()?;
    jsonschema::options()
        .should_validate_formats(false)
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .offline()
        .build(&schema)
        .ok()
}

/// Whether a value holds the numbers of its text as they are, which floats do not.
fn is_exact(value: &Value, text: &str) -> bool {
    Value::to_string(value) == text
}

/// What is wrong with the document of a "no"; it is not asked where the validator crate cannot read
/// the numbers or the schemas.
fn fault(left: &RawValue, right: &RawValue, inclusion: &Inclusion) -> Option<String> {
    let Inclusion::Fails(refutation) = inclusion else {
        return None;
    };
    let text = refutation.document.as_ref().ok()?;
    let document: Value = serde_json::from_str(text).ok()?;
    let (takes, refuses) = (validator(left)?, validator(right)?);
    if !is_exact(&document, text) {
        return None;
    }
    (!takes.is_valid(&document) || refuses.is_valid(&document))
        .then(|| format!("the document {text} does not show it"))
}

#[test]
fn every_pair_has_its_answers() {
    let (mut lines, mut shown, mut faults) = (0, 0, Vec::new());
    let mut ids = BTreeSet::new();
    each(|line| {
        lines += 1;
        if !ids.insert(line.id.to_owned()) {
            faults.push(format!("{}: the id is taken", line.id));
        }
        let (old, new) = (read(line.old), read(line.new));
        for (direction, expected, (left, right), (one, other)) in [
            (
                "backward",
                line.backward,
                (&old, &new),
                (line.old, line.new),
            ),
            ("forward", line.forward, (&new, &old), (line.new, line.old)),
        ] {
            let found = included(left, right);
            if answer(&found) != expected {
                let why = match &found {
                    Inclusion::Open(reasons) => format!("{reasons:?}"),
                    other => format!("{other:?}"),
                };
                faults.push(format!("{} {direction}: {why}", line.id));
            }
            shown += usize::from(matches!(found, Inclusion::Fails(_)));
            let fault = fault(one, other, &found);
            faults.extend(fault.map(|why| format!("{} {direction}: {why}", line.id)));
        }
        for side in [&old, &new] {
            // What is unknown is unknown of itself too, where it may be two things.
            if matches!(included(side, side), Inclusion::Fails(_)) {
                faults.push(format!("{}: a schema is not within itself", line.id));
            }
        }
    });
    assert!(lines >= 200, "{lines} lines");
    println!("{lines} pairs, {shown} documents");
    assert!(
        faults.is_empty(),
        "{} faults\n  {}",
        faults.len(),
        faults.join("\n  ")
    );
}

/// Every keyword that constrains an instance, in the spelling of one dialect at least.
const KEYWORDS: &[&str] = &[
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "then",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

#[test]
fn every_keyword_occurs_with_each_answer() {
    let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    each(|line| {
        for keyword in KEYWORDS {
            let spelled = format!("\"{keyword}\":");
            if line.old.get().contains(&spelled) || line.new.get().contains(&spelled) {
                let answers = seen.entry(keyword).or_default();
                answers.extend([line.backward.to_owned(), line.forward.to_owned()]);
            }
        }
    });
    for keyword in KEYWORDS {
        let answers = seen.get(keyword).cloned().unwrap_or_default();
        assert!(answers.contains("yes"), "{keyword}: no pair with a yes");
    }
    let is_refuted = |keyword: &str| seen.get(keyword).is_some_and(|all| all.contains("no"));
    let agreed = KEYWORDS.iter().filter(|keyword| !is_refuted(keyword));
    let agreed: Vec<&&str> = agreed.collect();
    assert!(agreed.is_empty(), "no pair with a no: {agreed:?}");
}

/// Keywords that constrain no instance by themselves.
const NOTES: &[&str] = &[
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "$vocabulary",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "examples",
    "format",
    "id",
    "readOnly",
    "title",
    "writeOnly",
    "x-contract",
];

/// The list of keywords is that of the schema model: one that is read there and neither tried here
/// nor a note has no pair.
#[test]
fn no_keyword_that_is_read_is_left_out() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/src/schema/keywords.rs");
    let source = std::fs::read_to_string(source).expect("the reader of keywords");
    // An arm of a match on a keyword begins with its name, or with a bar and a further name.
    let arms = source
        .lines()
        .map(|line| line.trim_start().trim_start_matches("| "));
    let arms = arms.filter(|line| line.starts_with('"'));
    let names = arms.flat_map(|line| {
        let names = line.split("=>").next().unwrap_or_default();
        names
            .split(" if ")
            .next()
            .unwrap_or_default()
            .split('"')
            .skip(1)
            .step_by(2)
    });
    let read: BTreeSet<&str> = names.collect();
    assert!(read.len() > 50, "{read:?}");
    let left: Vec<&&str> = read
        .iter()
        .filter(|name| !KEYWORDS.contains(name) && !NOTES.contains(name))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
