//! The committed outputs are fresh, and output depends on nothing but the wire.

use super::{File, Mode, Options, Outcome, catalog, package, rust, settle_file};
use crate::wire;
use std::path::Path;

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn text(path: &str) -> String {
    std::fs::read_to_string(repository().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn emitted(path: &str) -> super::Emitted {
    let wire = wire::read(path, &text(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    rust(&wire, &Options::new(path, "test").with_borrowed())
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text below the header, which names version and digest.
fn body(code: &str) -> String {
    code.lines()
        .filter(|line| !line.starts_with("// "))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_types_of_strange_shapes_are_fresh() {
    let schema = "generated/tests/shapes/shapes.schema.json";
    let emitted = emitted(schema);
    let file = File {
        path: "generated/tests/shapes/types.rs".to_owned(),
        content: emitted.code.clone(),
    };
    // Setting this variable is how the file is brought up to date.
    let mode = if std::env::var_os("WIRELOCK_BLESS").is_some() {
        Mode::Write
    } else {
        Mode::Check
    };
    let outcome = settle_file(repository(), &file, mode).unwrap_or_else(|error| panic!("{error}"));
    assert_ne!(
        outcome,
        Outcome::Stale,
        "run the tests once with WIRELOCK_BLESS=1"
    );
    let places: Vec<&str> = emitted
        .untyped
        .iter()
        .map(|untyped| untyped.place.as_str())
        .collect();
    assert_eq!(places, ["Shapes.lists Item", "Shapes.loose"]);
}

#[test]
fn the_committed_types_are_those_of_the_schema() {
    let schema = "schema/stream-json.schema.json";
    let wire = wire::read(schema, &text(schema)).unwrap_or_else(|error| panic!("{error}"));
    let options = Options::new(schema, "test").with_borrowed();
    let (mut files, _) = package(&wire, &options).unwrap_or_else(|error| panic!("{error}"));
    let library = super::Package {
        library: "stream_json".to_owned(),
        goldens: "../schema/golden".to_owned(),
    };
    let consumer = super::consumer(&wire, &options, &library);
    files.extend(consumer.unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(files.len(), 3);
    for file in files {
        assert_eq!(
            body(&text(&format!("generated/{}", file.path))),
            body(&file.content),
            "run `cargo xtask codegen`"
        );
    }
}

#[test]
fn spelling_does_not_move_the_types() {
    let emit = |text: &str| {
        rust(
            &wire::read("x", text).expect("a schema"),
            &Options::new("x", ""),
        )
        .expect("types")
        .code
    };
    let inline = r#"{"title":"T","type":"object","properties":{"a":{"title":"A","enum":["x","y"]},"b":{"title":"A","enum":["x","y"]}}}"#;
    let refs = r##"{"$defs":{"k":{"title":"A","oneOf":[{"const":"x"},{"const":"y"}]}},"title":"T","type":"object","properties":{"b":true},"allOf":[{"properties":{"a":{"$ref":"#/$defs/k"},"b":{"$ref":"#/$defs/k"}}}]}"##;
    assert_eq!(emit(inline), emit(refs));
}

#[test]
fn hostile_names_and_texts_stay_names_and_texts() {
    let schema = r#"{"title":"*/ pub fn x() {} /*","description":"```\nlet x = 1;\n```\n\u202e","type":"object","properties":{"a\"b\\\n":{"const":"\"; panic!()"},"`|`":{"type":"string","description":"a | b\n| c"}},"required":["a\"b\\\n"]}"#;
    let wire = wire::read("x\n#![feature(x)]", schema).expect("a schema");
    let (files, _) = package(&wire, &Options::new("x\n#![feature(x)]", "\n")).expect("types");
    for file in &files {
        assert!(syn::parse_file(&file.content).is_ok(), "{}", file.content);
        assert!(
            !file.content.lines().any(|line| line.starts_with("#![")),
            "{}",
            file.content
        );
        assert!(!file.content.contains('\u{202e}'));
    }
    let catalog = catalog(&wire);
    for row in catalog.lines().filter(|line| line.starts_with("| ")) {
        let bars = row.replace("\\|", "").matches('|').count();
        assert!(bars == 5, "{row}");
    }
}

#[test]
fn a_file_is_written_once_and_whole() {
    let folder = std::env::temp_dir().join(format!("wirelock-files-{}", std::process::id()));
    let file = File {
        path: "a/b.txt".to_owned(),
        content: "one\n".to_owned(),
    };
    let settle = |file: &File, mode| {
        settle_file(&folder, file, mode).unwrap_or_else(|error| panic!("{error}"))
    };
    assert_eq!(settle(&file, Mode::Check), Outcome::Stale);
    assert_eq!(settle(&file, Mode::Write), Outcome::Written);
    assert_eq!(settle(&file, Mode::Write), Outcome::Unchanged);
    let other = File {
        content: "two\n".to_owned(),
        ..file
    };
    assert_eq!(settle(&other, Mode::Check), Outcome::Stale);
    assert_eq!(settle(&other, Mode::Write), Outcome::Written);
    let names: Vec<_> = std::fs::read_dir(folder.join("a"))
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(names, ["b.txt"]);
    let blocked = File {
        path: "a/b.txt/c".to_owned(),
        content: String::new(),
    };
    assert!(settle_file(&folder, &blocked, Mode::Write).is_err());
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_root_that_wraps_others_keeps_its_title() {
    let emit = |text: &str| {
        let wire = wire::read("x", text).unwrap_or_else(|error| panic!("{error}"));
        rust(&wire, &Options::new("x", "")).expect("types").code
    };
    let inline = r#"{"title":"Line","description":"Words.","allOf":[{"type":"object","properties":{"a":true}}]}"#;
    let code = emit(inline);
    assert!(
        code.contains("/// Words.") && code.contains("pub struct Line {"),
        "{code}"
    );
    let several = r#"{"title":"Line","allOf":[{"properties":{"a":true}},{"type":"object","properties":{"b":true}}]}"#;
    assert!(emit(several).contains("pub struct Line {"));
    let wrapped = r##"{"title":"Line","$ref":"#/$defs/e","$defs":{"e":{"title":"Envelope","type":"object","properties":{"a":true}}}}"##;
    let code = emit(wrapped);
    assert!(code.contains("pub struct Envelope {"), "{code}");
    assert!(code.contains("pub type Line = Envelope;"), "{code}");
    let definitions =
        r##"{"$defs":{"e":{"type":"object","properties":{"a":true}},"f":{"$ref":"#/$defs/e"}}}"##;
    assert!(emit(definitions).contains("pub type F = E;"));
}

#[test]
fn the_catalogue_holds_every_element_whole_and_every_link_leads_somewhere() {
    let path = "schema/stream-json.schema.json";
    let wire = wire::read(path, &text(path)).unwrap_or_else(|error| panic!("{error}"));
    let catalog = catalog(&wire);
    assert_eq!(
        text("schema/CATALOG.md"),
        catalog,
        "run `cargo xtask codegen`"
    );
    let anchors: Vec<&str> = catalog
        .split("<a id=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let links: Vec<&str> = catalog
        .split("](#")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    assert!(links.len() > 80, "{} links", links.len());
    for link in links {
        let there = anchors.iter().filter(|anchor| **anchor == link).count();
        assert_eq!(there, 1, "{link}");
    }
    let elements = wire::elements(&wire);
    assert!(elements.len() > 200, "{} elements", elements.len());
    for element in elements {
        let description = element.description.unwrap_or_default();
        assert!(!description.is_empty(), "{}", element.subject);
        let told = super::docs::lines(&description)
            .join(" ")
            .replace('|', "\\|");
        assert!(catalog.contains(&told), "{}: {told}", element.subject);
    }
}
