//! Hand-made candidates, judged by the validator.

use super::{Doubt, Judge, Side, confirm};
use crate::json::Source;
use crate::schema::Document;
use crate::wire::Reading;

fn document(text: &str) -> Document {
    Document::read(Source::new("s.json", text)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn check(
    takes: &str,
    refuses: &str,
    candidate: &str,
    definition: Option<&str>,
) -> Result<super::Witness, Doubt> {
    let (takes, refuses) = (document(takes), document(refuses));
    confirm(
        (&Judge::new(&takes), &Judge::new(&refuses)),
        (Reading::Published, Side::Old),
        (candidate, definition),
    )
}

fn small(takes: &str, refuses: &str, candidate: &str) -> String {
    check(takes, refuses, candidate, None)
        .unwrap_or_else(|doubt| panic!("{doubt}"))
        .document
}

#[test]
fn a_document_that_changes_sides_is_confirmed() {
    let witness = check(
        r#"{"type": "object"}"#,
        r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#,
        r#"{"a": 1}"#,
        None,
    )
    .expect("a witness");
    assert_eq!(witness.document, r#"{"a":0}"#);
    assert_eq!(witness.valid_under, Side::Old);
    assert_eq!(witness.complaints[0].pointer, "/properties/a/type");
}

#[test]
fn a_document_that_does_not_is_a_contradiction() {
    let (any, string) = ("{}", r#"{"type": "string"}"#);
    for (takes, refuses, candidate, expected) in [
        (any, string, r#""x""#, "is valid under new"),
        (string, any, "1", "is invalid under old"),
    ] {
        let doubt = check(takes, refuses, candidate, None).expect_err("a doubt");
        assert!(matches!(doubt, Doubt::Contradicted(_)), "{doubt}");
        assert!(doubt.to_string().contains(expected), "{doubt}");
    }
}

#[test]
fn formats_and_contents_are_no_assertions() {
    let format = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "format": "ipv4", "contentMediaType": "application/json", "contentEncoding": "base64"}"#;
    let doubt = check("{}", format, r#""x""#, None).expect_err("valid under both");
    assert!(matches!(doubt, Doubt::Contradicted(_)), "{doubt}");
}

#[test]
fn older_words_mean_what_they_meant_where_no_dialect_is_stated() {
    for (older, any, candidate) in [
        (
            r#"{"items": [{"type": "string"}], "additionalItems": false}"#,
            r#"{"type": "array"}"#,
            r#"["", 1]"#,
        ),
        (
            r#"{"minimum": 0, "exclusiveMinimum": true}"#,
            r#"{"type": "number"}"#,
            "0",
        ),
        (
            r#"{"maximum": 0, "exclusiveMaximum": false}"#,
            r#"{"type": "number"}"#,
            "1",
        ),
        (
            r#"{"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}"#,
            r#"{"type": "object"}"#,
            r#"{"c": 0}"#,
        ),
    ] {
        small(any, older, candidate);
    }
}

#[test]
fn a_schema_that_the_validator_cannot_take_is_spelled_plainly() {
    for odd in [
        // No URI may hold these characters.
        r##"{"definitions": {"RowCol<a b>": {"type": "string"}}, "$ref": "#/definitions/RowCol<a b>"}"##,
        // No URI at all.
        r##"{"$id": "::", "$defs": {"s": {"type": "string"}}, "allOf": [{"$ref": "#/$defs/s"}]}"##,
        r##"{"$schema": "https://json-schema.org/draft-07/schema", "type": "string"}"##,
        r##"{"type": "string", "pattern": "\\cA|^x|[^]{9}"}"##,
    ] {
        let witness = check("{}", odd, "12", None);
        let witness = witness.unwrap_or_else(|doubt| panic!("{doubt}: {odd}"));
        assert_eq!(witness.document, "0", "{odd}");
        check(odd, "false", r#""x""#, None).expect(odd);
    }
}

#[test]
fn where_no_spelling_helps_there_is_no_witness() {
    let outside = r#"{"$ref": "https://example.com/other.json"}"#;
    let doubt = check("{}", outside, "1", None).expect_err("never fetched");
    assert!(matches!(doubt, Doubt::NoValidator(_)), "{doubt}");
    let doubt = check("{}", "false", "1e999", None).expect_err("beyond a double");
    assert!(matches!(doubt, Doubt::NoValidator(_)), "{doubt}");
}

#[test]
fn a_pattern_that_costs_too_much_refuses_nothing() {
    let costly = r#"{"pattern": "^(?:a|(?=a)a)*b$"}"#;
    let candidate = format!("\"{}c\"", "a".repeat(64));
    let doubt = check("{}", costly, &candidate, None).expect_err("no judgement");
    assert!(matches!(doubt, Doubt::NoValidator(_)), "{doubt}");
}

#[test]
fn a_reference_that_leads_to_itself_ends() {
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"allOf": [{"$ref": "#"}]}"##,
        r##"{"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}"##,
    ] {
        // What the answer is, is up to the validator; that there is one matters here.
        let Ok(looping) = Document::read(Source::new("s.json", schema)) else {
            continue;
        };
        let never = document("false");
        let judges = (&Judge::new(&looping), &Judge::new(&never));
        let _ = confirm(judges, (Reading::Published, Side::Old), ("1", None));
    }
}

#[test]
fn a_definition_is_judged_by_its_name() {
    let old = r##"{"$defs": {"a/b": {"type": "integer"}, "c": {"type": "null"}}}"##;
    let new = r##"{"definitions": {"a/b": {"type": "null"}}}"##;
    let witness = check(old, new, "7", Some("a/b")).expect("a witness");
    assert_eq!(witness.definition.as_deref(), Some("a/b"));
    assert_eq!(witness.document, "0");
    let doubt = check(old, new, "null", Some("c")).expect_err("one side has none");
    assert!(doubt.to_string().contains("no definition \"c\""), "{doubt}");
}

#[test]
fn a_witness_is_made_small() {
    let kind =
        r#"{"required": ["kind"], "properties": {"kind": {"const": "x"}, "n": {"minimum": 3}}}"#;
    let narrow = r#"{"properties": {"n": {"minimum": 9}, "list": {"items": {"maxLength": 2}}}}"#;
    let candidate = r#"{"a": {"deep": [1, 2, {"b": []}]}, "n": 12, "list": ["a", "abcdefgh", "b"], "kind": "x", "z": null}"#;
    assert_eq!(
        small(kind, narrow, candidate),
        r#"{"list":["abcd"],"kind":"x"}"#
    );
    // What cannot be spared stays as it was written.
    assert_eq!(small(r#"{"const": 1.50}"#, "false", "1.50"), "1.50");
}

#[test]
fn a_wide_document_costs_no_more_than_the_budget() {
    let members: Vec<String> = (0..5000)
        .map(|index| format!("\"m{index}\":[{index},\"v\"]"))
        .collect();
    let candidate = format!("{{{}}}", members.join(","));
    let needs = r#"{"required": ["m17", "m4011"]}"#;
    assert_eq!(
        small(needs, r#"{"not": {"required": ["m17"]}}"#, &candidate)
            .matches("\"m")
            .count(),
        2
    );
}

#[test]
fn complaints_look_into_the_branch_that_was_meant() {
    let branch = |name: &str| {
        format!(
            r#"{{"required": ["t"], "properties": {{"t": {{"const": "{name}"}}, "v": {{"type": "string"}}}}}}"#
        )
    };
    let union = format!(r#"{{"oneOf": [{}, {}]}}"#, branch("one"), branch("two"));
    let witness = check(
        "{\"required\": [\"t\"], \"properties\": {\"t\": {\"const\": \"two\"}}}",
        &union,
        r#"{"t": "two", "v": 1}"#,
        None,
    )
    .expect("a witness");
    let places: Vec<&str> = witness
        .complaints
        .iter()
        .map(|one| one.pointer.as_str())
        .collect();
    assert_eq!(places, ["/oneOf/1/properties/v/type"]);
}

#[test]
fn a_schema_of_several_files_is_validated_as_one() {
    let read = |limit: u32| {
        let part = format!(r##"{{"definitions": {{"<x>": {{"maximum": {limit}}}}}}}"##);
        let mut files = move |path: &str| Ok((path == "a%/b.json").then(|| part.clone()));
        let text = r##"{"properties": {"n": {"$ref": "a%25/b.json#/definitions/<x>"}}}"##;
        Document::read_with(Source::new("s.json", text), "s.json", &mut files).expect("a schema")
    };
    let (wide, narrow) = (read(9), read(5));
    let judges = (&Judge::new(&wide), &Judge::new(&narrow));
    let about = (Reading::Published, Side::Old);
    let witness = confirm(judges, about, (r#"{"n": 7}"#, None)).expect("a witness");
    assert_eq!(witness.document, r#"{"n":7}"#);
}
