//! SARIF under its official schema, and JUnit read by an XML parser.

use crate::reports::{HOSTILE, hostile, judged, written};
use serde_json::Value;
use wirelock_codegen::evolution::Comparison;
use wirelock_codegen::report::Report;
use wirelock_tests::handed::shared;

fn sarif(report: &Report) -> Value {
    serde_json::from_str(&written("sarif", report)).expect("JSON")
}

/// Holds a log against the official schema, where that is at hand.
fn is_valid(log: &Value) {
    let path = shared().join("corpus/schemas/sarif-2.1.0.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
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
