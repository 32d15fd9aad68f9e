//! References, resources and further files, as a consumer of a document meets them.

use super::*;
use crate::json::Source;
use crate::maps::HashMap;
use crate::wire;

fn read(text: &str) -> Document {
    Document::read(Source::new("s.json", text)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn fault(text: &str) -> String {
    match Document::read(Source::new("s.json", text)) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it was read: {text}"),
    }
}

/// What is left open in the wire view of a schema, each as its keyword, its place and why.
fn open(text: &str) -> Vec<String> {
    let wire = wire::read("s.json", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let parts = wire.undecided.iter();
    parts
        .map(|one| format!("{} {}: {}", one.keyword, one.origin.pointer, one.why))
        .collect()
}

/// A schema `a.json` in a folder, read with what the folder holds; with it, what was asked for.
fn in_folder(text: &str, folder: &[(&str, &str)]) -> (Result<Document, SchemaError>, Vec<String>) {
    let folder: HashMap<&str, &str> = folder.iter().copied().collect();
    let mut asked = Vec::new();
    let mut files = |path: &str| {
        asked.push(path.to_owned());
        Ok(folder.get(path).map(|text| (*text).to_owned()))
    };
    let source = Source::new("x/a.json", text);
    let document = Document::read_with(source, "a.json", &mut files);
    (document, asked)
}

fn pointer_of_ref(document: &Document, pointer: &str) -> String {
    let schema = document.schemas.iter().find(|one| &*one.pointer == pointer);
    match &schema.expect("there is a schema there").reference {
        Some(Target::Schema(id)) => document.schema(*id).pointer.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn numbers_that_nothing_can_compare_are_refused() {
    for text in [
        r#"{"const": 1e99999999999999999999}"#,
        r#"{"enum": ["a", [{"b": 1e1099511627777}]]}"#,
        r#"{"minimum": -1e99999999999999999999}"#,
    ] {
        let fault = fault(text);
        assert!(fault.contains("exponent beyond reason"), "{fault}");
    }
    read(r#"{"enum": [1e400, 0e99999999999999999999], "maximum": 1e1099511627776}"#);
}

#[test]
fn a_dynamic_reference_follows_its_scope() {
    let document = read(
        r##"{"$id":"http://x/root","$ref":"list","$defs":{
            "ints":{"$id":"ints","$ref":"list","$defs":{"n":{"$dynamicAnchor":"n","type":"integer"}}},
            "list":{"$id":"list","items":{"$dynamicRef":"#n"},"$defs":{"n":{"$dynamicAnchor":"n"}}}}}"##,
    );
    let find = |pointer: &str| {
        let at = document
            .schemas
            .iter()
            .position(|one| &*one.pointer == pointer);
        SchemaId(u32::try_from(at.expect("there is a schema there")).expect("few"))
    };
    let items = find("/$defs/list/items");
    let resource = |pointer: &str| document.schema(find(pointer)).resource;
    let (root, ints, list) = (
        resource(""),
        resource("/$defs/ints"),
        resource("/$defs/list"),
    );
    assert_eq!(document.resources.len(), 3);
    assert_eq!(document.resource(items).root, find("/$defs/list"));
    assert!(document.is_dynamic(items));
    let leads = |scope: &[u32]| match document.dynamic_target(items, scope) {
        Some(Target::Schema(id)) => document.schema(id).pointer.to_string(),
        other => format!("{other:?}"),
    };
    assert_eq!(leads(&[root, list]), "/$defs/list/$defs/n");
    assert_eq!(leads(&[root, ints, list]), "/$defs/ints/$defs/n");
    assert_eq!(leads(&[list, ints, list]), "/$defs/list/$defs/n");
    assert!(matches!(
        document.settled_dynamic_target(items),
        Some(Err(_))
    ));
}

#[test]
fn a_recursive_anchor_is_the_dynamic_anchor_without_a_name() {
    let document = read(
        r##"{"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"http://x/root","$recursiveAnchor":true,
            "items":{"$recursiveRef":"#"},"contains":true}"##,
    );
    assert_eq!(document.resources[0].dynamic_anchors[""], document.root);
    assert!(!document.resources[0].contains_evaluates);
    assert!(read("{}").resources[0].contains_evaluates);
}

#[test]
fn references_are_read_however_their_characters_are_written() {
    let document = read(
        r##"{"properties":{"a":{"$ref":"#/definitions/Row<Col>"},"b":{"$ref":"#/definitions/Row%3CCol%3E"},
            "c":{"$ref":"#/definitions/a b"},"d":{"$ref":"#/definitions/é"},"e":{"$ref":"#/definitions/%C3%A9"},
            "f":{"$ref":"#/x-any/1/%7Bname%7D"}},
            "definitions":{"Row<Col>":{},"a b":{},"é":{}},"x-any":[0,{"{name}":{"$ref":"#/definitions/é"}}]}"##,
    );
    for (from, to) in [
        ("/properties/a", "/definitions/Row<Col>"),
        ("/properties/b", "/definitions/Row<Col>"),
        ("/properties/c", "/definitions/a b"),
        ("/properties/d", "/definitions/é"),
        ("/properties/e", "/definitions/é"),
        ("/properties/f", "/x-any/1/{name}"),
        ("/x-any/1/{name}", "/definitions/é"),
    ] {
        assert_eq!(pointer_of_ref(&document, from), to, "{from}");
    }
}

#[test]
fn a_place_inside_an_embedded_resource_belongs_to_it() {
    // The reference names it from outside, and its own reference is seen from inside.
    let document = read(
        r##"{"$id":"http://x/root","$ref":"#/$defs/r/x-any","$defs":{"t":{"type":"string"},
            "r":{"$id":"r","x-any":{"$ref":"#/$defs/t"},"$defs":{"t":{"type":"integer"}}}}}"##,
    );
    assert_eq!(
        pointer_of_ref(&document, "/$defs/r/x-any"),
        "/$defs/r/$defs/t"
    );
}

#[test]
fn references_that_lead_nowhere_are_told_with_their_place() {
    for (text, expected) in [
        (
            r##"{"$ref":"#/$defs/a"}"##,
            "s.json:1:9: the reference \"#/$defs/a\" leads nowhere in this document",
        ),
        (
            r##"{"$ref":"#a"}"##,
            "s.json:1:9: the reference \"#a\" leads nowhere",
        ),
        (
            r##"{"$ref":"#/x","x":[]}"##,
            "s.json:1:19: a schema is an object or a boolean",
        ),
        (
            r##"{"$ref":"#/x/01","x":[{},{}]}"##,
            "s.json:1:9: the reference \"#/x/01\" leads nowhere",
        ),
        (r##"{"$ref":7}"##, "s.json:1:9: `$ref` takes a string"),
        (
            r##"{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}"##,
            "s.json:1:38: two schemas have the address \"x\"",
        ),
        (
            r##"{"$defs":{"a":{"$anchor":"x"},"b":{"$dynamicAnchor":"x"}}}"##,
            "s.json:1:53: two schemas have the anchor \"x\"",
        ),
        (
            r##"{"$defs":{"a":{"$id":"x","$schema":"http://x/other"}}}"##,
            "s.json:1:36: the dialect \"http://x/other\" is not one",
        ),
    ] {
        let told = fault(text);
        assert!(told.starts_with(expected), "{text}: {told}");
    }
}

#[test]
fn a_reference_that_leads_back_to_itself_is_undecided() {
    const WHY: &str = "leads back to itself for the same value";
    for text in [
        r##"{"$ref":"#"}"##,
        r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}"##,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
        r##"{"allOf":[{"$ref":"#/allOf/1"},{"allOf":[{"$ref":"#"}]}],"type":"string"}"##,
        r##"{"anyOf":[{"$ref":"#"},{"type":"string"}]}"##,
        r##"{"not":{"$ref":"#"}}"##,
        r##"{"if":{"$ref":"#"},"then":{"type":"string"}}"##,
        r##"{"dependentSchemas":{"a":{"$ref":"#"}}}"##,
        r##"{"$dynamicAnchor":"n","oneOf":[{"$dynamicRef":"#n"},{"type":"string"}]}"##,
        r##"{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"allOf":[{"$recursiveRef":"#"}]}"##,
    ] {
        let found = open(text);
        assert!(
            found.iter().any(|one| one.contains(WHY)),
            "{text}: {found:?}"
        );
    }
    for text in [
        // To hold itself as well is no more than to hold.
        r##"{"allOf":[{"$ref":"#"}],"type":"string"}"##,
        r##"{"properties":{"a":{"$ref":"#"}},"items":{"$ref":"#"}}"##,
        r##"{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"$ref":"#/$defs/c"},"b":{"$ref":"#/$defs/c"},"c":{"type":"string"}}}"##,
    ] {
        assert_eq!(open(text), [""; 0], "{text}");
    }
}

#[test]
fn long_chains_of_references_end() {
    let mut text = r##"{"$ref":"#/$defs/0","$defs":{"##.to_owned();
    for index in 0..20_000 {
        text.push_str(&format!(
            "\"{index}\":{{\"$ref\":\"#/$defs/{}\"}},",
            index + 1
        ));
    }
    text.push_str(r#""20000":{"type":"string"}}}"#);
    assert_eq!(open(&text), [""; 0]);
    let circle = text.replace(r#"{"type":"string"}"#, r##"{"$ref":"#/$defs/0"}"##);
    assert!(!open(&circle).is_empty());
}

#[test]
fn values_of_another_dialect_are_refused_with_what_to_write() {
    let draft4 = r#"{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMinimum":1}"#;
    assert!(fault(draft4).contains("`exclusiveMinimum` takes a boolean in draft 4"));
    let draft7 = r#"{"$schema":"http://json-schema.org/draft-07/schema#","minimum":1,"exclusiveMinimum":true}"#;
    assert!(fault(draft7).contains("`exclusiveMinimum` takes a number"));
    let newest = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","items":[{}]}"#;
    assert!(fault(newest).contains("writes a tuple as `prefixItems`"));
}

#[test]
fn files_of_the_folder_are_read_once_under_whatever_spelling() {
    let (document, asked) = in_folder(
        r##"{"properties":{"a":{"$ref":"b.json#/definitions/x"},"b":{"$ref":"./sub/../b.json"},"c":{"$ref":"%62.json#y"},"d":{"$ref":"sub/c.json"}}}"##,
        &[
            (
                "b.json",
                r##"{"definitions":{"x":{"$ref":"#/definitions/y"},"y":{"$anchor":"y"}},"items":{"$ref":"a.json"}}"##,
            ),
            ("sub/c.json", r##"{"$ref":"../b.json#/definitions/y"}"##),
        ],
    );
    let document = document.expect("it is read");
    assert_eq!(asked, ["b.json", "sub/c.json"]);
    for (from, to) in [
        ("/properties/a", "b.json#/definitions/x"),
        ("/properties/b", "b.json#"),
        ("/properties/c", "b.json#/definitions/y"),
        ("b.json#/definitions/x", "b.json#/definitions/y"),
        ("b.json#/items", ""),
        ("sub/c.json#", "b.json#/definitions/y"),
    ] {
        assert_eq!(pointer_of_ref(&document, from), to, "{from}");
    }
}

#[test]
fn nothing_outside_the_folder_is_asked_for() {
    let (document, asked) = in_folder(
        r##"{"$id":"https://x.test/schemas/a.json","allOf":[
            {"$ref":"../b.json"},{"$ref":"%2e%2e/b.json"},{"$ref":"/b.json"},{"$ref":"file:///b.json"},
            {"$ref":"https://x.test/schemas/b.json"},{"$ref":"//x.test/b.json"},{"$ref":"x%2f..%2f..%2fb.json"},
            {"$id":"https://y.test/","$ref":"b.json"}]}"##,
        &[("b.json", "{}")],
    );
    let document = document.expect("it is read");
    assert_eq!(asked, [""; 0]);
    for index in 0..8 {
        let target = pointer_of_ref(&document, &format!("/allOf/{index}"));
        assert!(target.contains("External"), "{index}: {target}");
    }
}

#[test]
fn the_address_of_a_file_that_is_read_is_known_wherever_it_is_named() {
    // The absolute address comes first, and only the relative one says which file it is.
    let (document, _) = in_folder(
        r##"{"$id":"https://x.test/a.json","items":{"$ref":"https://x.test/b.json"},"contains":{"$ref":"b.json"}}"##,
        &[("b.json", r#"{"$id":"https://x.test/b.json"}"#)],
    );
    let document = document.expect("it is read");
    assert_eq!(pointer_of_ref(&document, "/items"), "b.json#");
    assert_eq!(pointer_of_ref(&document, "/contains"), "b.json#");
}

#[test]
fn faults_of_another_file_name_it() {
    let told = |folder: &[(&str, &str)]| {
        let (document, _) = in_folder("{\n\"$ref\":\"b.json#/x\"}", folder);
        document.expect_err("it is no schema").to_string()
    };
    assert!(told(&[("b.json", "{\n  \"x\":")]).starts_with("x/b.json:2:"));
    assert!(told(&[("b.json", "[]")]).starts_with("x/b.json:1:1: a JSON Schema is"));
    assert!(told(&[("b.json", "{\n \"type\":\"x\"}")]).starts_with("x/b.json:2:9: `type` takes"));
    assert!(
        told(&[("b.json", "{\"x\":{\n\"$ref\":\"#/y\"}}")])
            .starts_with("x/b.json:2:8: the reference")
    );
    assert!(
        told(&[("b.json", "{}")])
            .starts_with("x/a.json:2:8: the reference \"b.json#/x\" leads nowhere in \"b.json\"")
    );
    let mut unreadable = |_: &str| Err("b.json: it may not be read".to_owned());
    let source = Source::new("a.json", r#"{"$ref":"b.json"}"#);
    let error = Document::read_with(source, "a.json", &mut unreadable).expect_err("unreadable");
    assert!(
        error
            .to_string()
            .starts_with("a.json:1:9: the reference \"b.json\" cannot be followed: b.json: it may")
    );
}

#[test]
fn a_missing_file_is_undecided_and_a_loop_through_files_too() {
    let why = |folder: &[(&str, &str)]| {
        let (document, _) = in_folder(r#"{"$ref":"b.json"}"#, folder);
        let wire = wire::build(&document.expect("it is read")).expect("it is built");
        wire.undecided
            .into_iter()
            .map(|one| one.why)
            .collect::<Vec<_>>()
    };
    assert!(why(&[])[0].contains("leads to a file that is not in the folder"));
    assert!(why(&[("b.json", r#"{"$ref":"a.json"}"#)])[0].contains("leads back to itself"));
    assert_eq!(
        why(&[("b.json", r#"{"items":{"$ref":"a.json"}}"#)]),
        [""; 0]
    );
}

#[test]
fn a_change_in_another_file_is_a_change() {
    let wire = |other: &'static str| {
        let mut files = move |_: &str| Ok(Some(other.to_owned()));
        let text = r#"{"type":"object","properties":{"a":{"$ref":"b.json"}}}"#;
        wire::read_with("a.json", text, "a.json", &mut files).expect("it is read")
    };
    let (old, new) = (wire(r#"{"type":"string"}"#), wire(r#"{"type":"integer"}"#));
    assert!(!old.document.is_equal(&new.document));
    assert!(
        old.document
            .is_equal(&wire(r#"{"type":"string"}"#).document)
    );
}
