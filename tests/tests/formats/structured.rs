//! JSON under the schema that is published for it, SARIF under its official one, and JUnit read by an XML parser.

use crate::reports::{HOSTILE, hostile, judged, written};
use serde_json::Value;
use serde_sarif::sarif::Sarif;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use wirelock_codegen::evolution::Comparison;
use wirelock_codegen::report::Report;
use wirelock_tests::handed::shared;
use wirelock_tests::report_schema;

fn sarif(report: &Report) -> Value {
    serde_json::from_str(&written("sarif", report)).expect("JSON")
}

/// The schemas that a log has to follow, each with where it comes from: the one that the crate
/// `serde-sarif` makes its types from, and the official one of a later edition where that is at hand.
static SCHEMAS: LazyLock<Vec<(PathBuf, jsonschema::Validator)>> = LazyLock::new(|| {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        // What other systems need is not at hand here.
        .args(["--filter-platform", "host-tuple"])
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("cargo starts");
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages
        .iter()
        .find(|package| package["name"] == "serde-sarif");
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let own = Path::new(manifest.expect("a manifest")).with_file_name("src/schema.json");
    assert!(own.is_file(), "{}", own.display());
    let official = shared().join("corpus/schemas/sarif-2.1.0.json");
    let files = [own, official].into_iter().filter(|path| path.is_file());
    let read = |path: PathBuf| {
        // The first edition has a bracket too many in a pattern, which its errata take out.
        let text = std::fs::read_to_string(&path).expect("a schema");
        let text = text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(&schema).expect("a schema");
        (path, validator)
    };
    files.map(read).collect()
});

/// What the schemas of SARIF and the types of another project hold against a log.
fn faults(log: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, validator) in &*SCHEMAS {
        let errors = validator.iter_errors(log);
        faults.extend(
            errors.map(|error| format!("{}: {}: {error}", path.display(), error.instance_path())),
        );
    }
    match serde_json::from_value::<Sarif>(log.clone()) {
        Ok(read) => {
            // What another program reads is what was written, to the last member.
            let again = serde_json::to_value(&read).expect("written");
            if again != *log {
                faults.push(format!("it is read as {again:#}"));
            }
        }
        Err(error) => faults.push(error.to_string()),
    }
    faults
}

fn is_valid(log: &Value) {
    assert_eq!(faults(log), [""; 0]);
}

#[test]
fn what_is_no_sarif_is_told() {
    let log = sarif(&hostile());
    for (at, wrong) in [
        ("/version", Value::from("2.2")),
        ("/runs/0/tool/driver/name", Value::Null),
        ("/runs/0/results/0/level", Value::from("fatal")),
        ("/runs/0/results/0/message", Value::from("text")),
        ("/runs/0/results/0/ruleIndex", Value::from("1")),
    ] {
        let mut other = log.clone();
        *other.pointer_mut(at).unwrap_or_else(|| panic!("{at}")) = wrong;
        let faults = faults(&other);
        assert!(faults.len() >= SCHEMAS.len(), "{at}: {faults:#?}");
    }
}

#[test]
fn reports_are_as_their_schema_says_and_nothing_less_is() {
    let empty = written("json", &Report::new(&Comparison::default()));
    assert_eq!(report_schema::errors(&empty), [""; 0]);
    let text = written("json", &hostile());
    assert_eq!(report_schema::errors(&text), [""; 0]);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    // Every member of every part is one that the schema asks for, and of the type that it says.
    let mut places = Vec::new();
    members(&report, String::new(), &mut places);
    assert!(places.len() > 60, "{places:#?}");
    for place in places {
        let mut less = report.clone();
        let (object, name) = place.rsplit_once('/').expect("a member");
        let object = less.pointer_mut(object).and_then(Value::as_object_mut);
        let object = object.expect("an object");
        let value = object.remove(name).expect("a member");
        assert!(
            !report_schema::errors(&less.to_string()).is_empty(),
            "without {place}"
        );
        let wrong = match value {
            Value::Array(_) => Value::from("x"),
            _ => Value::Array(Vec::new()),
        };
        if name != "document" {
            let object = less.pointer_mut(place.rsplit_once('/').expect("a member").0);
            object.expect("an object")[name] = wrong;
            assert!(
                !report_schema::errors(&less.to_string()).is_empty(),
                "{place}"
            );
        }
    }
}

/// The place of every member, but for those of documents, which are anybody's.
fn members(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let place = format!("{at}/{name}");
                places.push(place.clone());
                if name != "document" {
                    members(value, place, places);
                }
            }
        }
        Value::Array(items) => {
            for (item, index) in items.iter().zip(0..) {
                members(item, format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
}

#[test]
fn logs_are_valid_sarif() {
    is_valid(&sarif(&hostile()));
    is_valid(&sarif(&Report::new(&Comparison::default())));
    let report = judged(
        r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#,
        r#"{"type": "object", "properties": {"label": {"type": "string"}}}"#,
    );
    let log = sarif(&report);
    is_valid(&log);
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "property-renamed");
    assert_eq!(result["level"], "error");
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "schema/new.json");
    assert_eq!(location["region"]["startLine"], 1);
    let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
    let rule = &run["tool"]["driver"]["rules"][index];
    assert_eq!(rule["id"], "property-renamed");
    assert!(
        rule["help"]["text"]
            .as_str()
            .is_some_and(|help| help.contains("Keep the old field"))
    );
}

#[test]
fn no_message_of_sarif_holds_a_link_and_every_path_is_a_reference() {
    let log = sarif(&hostile());
    for result in log["runs"][0]["results"].as_array().expect("results") {
        let text = result["message"]["text"].as_str().expect("text");
        let mut before = ' ';
        for character in text.chars() {
            assert!(!matches!(character, '[' | ']') || before == '\\', "{text}");
            before = character;
        }
        for location in result["locations"].as_array().into_iter().flatten() {
            let uri = &location["physicalLocation"]["artifactLocation"]["uri"];
            let uri = uri.as_str().expect("a path");
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte);
            assert!(uri.bytes().all(fits), "{uri}");
        }
    }
}

#[test]
fn junit_is_xml_whose_counts_are_those_of_its_elements() {
    for report in [hostile(), Report::new(&Comparison::default())] {
        let text = written("junit", &report);
        let document = roxmltree::Document::parse(&text).expect("XML");
        let suite = document
            .descendants()
            .find(|node| node.has_tag_name("testsuite"))
            .expect("a suite");
        let cases: Vec<_> = suite.children().filter(|node| node.is_element()).collect();
        assert!(cases.iter().all(|node| node.has_tag_name("testcase")));
        for (attribute, element) in [("failures", "failure"), ("errors", "error")] {
            let count = suite
                .descendants()
                .filter(|node| node.has_tag_name(element))
                .count();
            assert_eq!(suite.attribute(attribute), Some(count.to_string().as_str()));
        }
        assert_eq!(
            suite.attribute("tests"),
            Some(cases.len().to_string().as_str())
        );
        let failed = document
            .descendants()
            .any(|node| node.has_tag_name("failure") || node.has_tag_name("error"));
        assert_eq!(failed, !report.accepted);
    }
}

#[test]
fn hostile_text_adds_no_element_to_junit_and_is_read_back() {
    let text = written("junit", &hostile());
    let document = roxmltree::Document::parse(&text).expect("XML");
    let known = [
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "error",
        "system-out",
    ];
    for node in document.descendants().filter(|node| node.is_element()) {
        assert!(known.contains(&node.tag_name().name()), "{node:?}");
    }
    let readable = HOSTILE.split("\u{1b}").next().expect("a start");
    let told = document
        .descendants()
        .filter_map(|node| node.attribute("message"))
        .any(|message| message.contains(readable.trim_end()));
    assert!(told, "{text}");
}
