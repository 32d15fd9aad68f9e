//! JSON under the schema that is published for it, SARIF read by a table of the standard and its official
//! schema, and JUnit read by an XML parser.

use crate::reports::{HOSTILE, hostile, judged, written};
use crate::sarif_reader;
use serde_json::Value;
use std::sync::LazyLock;
use wirelock_codegen::evolution::Comparison;
use wirelock_codegen::report::Report;
use wirelock_tests::handed::shared;
use wirelock_tests::report_schema;

fn sarif(report: &Report) -> Value {
    serde_json::from_str(&written("sarif", report)).expect("JSON")
}

/// The official schema of SARIF, where it is at hand.
static OFFICIAL: LazyLock<Option<jsonschema::Validator>> = LazyLock::new(|| {
    let path = shared().join("corpus/schemas/sarif-2.1.0.json");
    let text = std::fs::read_to_string(path).ok()?;
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let options = jsonschema::options().should_validate_formats(true);
    Some(options.build(&schema).expect("a schema"))
});

/// What the official schema holds against a log.
fn official_faults(log: &Value) -> Vec<String> {
    let Some(validator) = &*OFFICIAL else {
        return Vec::new();
    };
    let errors = validator.iter_errors(log);
    let told = errors.map(|error| format!("{}: {error}", error.instance_path()));
    told.collect()
}

fn is_valid(log: &Value) {
    assert_eq!(sarif_reader::faults(log), [""; 0]);
    assert_eq!(official_faults(log), [""; 0]);
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
        ("/runs/0/results", Value::from("none")),
        ("/runs/0/columnKind", Value::from("bytes")),
        ("/runs/0/invocations/0", Value::from(0)),
        ("/runs/0/tool", serde_json::json!({"name": "wirelock"})),
    ] {
        let mut other = log.clone();
        *other.pointer_mut(at).unwrap_or_else(|| panic!("{at}")) = wrong;
        let faults = sarif_reader::faults(&other);
        assert!(!faults.is_empty(), "{at}");
        assert!(
            OFFICIAL.is_none() || !official_faults(&other).is_empty(),
            "{at}"
        );
    }
    // What the schema cannot tell.
    let mut other = log.clone();
    other["runs"][0]["results"][0]["ruleIndex"] = Value::from(1000);
    assert_eq!(sarif_reader::faults(&other).len(), 1);
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
