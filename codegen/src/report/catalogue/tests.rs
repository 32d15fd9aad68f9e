//! The tree on schemas that would make a naive one endless.

use super::{Catalogue, DEPTH, Kind};
use crate::wire::{self, Wire};

fn read(text: &str) -> Wire {
    wire::read("s.json", text).expect("a wire view")
}

fn names(catalogue: &Catalogue<'_>, at: usize) -> Vec<String> {
    let children = &catalogue.items[at].children;
    let one = |child: &usize| catalogue.items[*child].name.clone();
    children.iter().map(one).collect()
}

#[test]
fn a_shape_is_told_once_nearest_the_root_and_linked_elsewhere() {
    let wire = read(
        r##"{"$ref": "#/$defs/node", "$defs": {
            "node": {"title": "Node", "type": "object", "properties": {
                "deep": {"type": "object", "properties": {"usage": {"$ref": "#/$defs/usage"}}},
                "next": {"$ref": "#/$defs/node"},
                "all": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                "usage": {"$ref": "#/$defs/usage"}}},
            "usage": {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}}}}}"##,
    );
    let catalogue = Catalogue::of(&wire);
    let root = catalogue.tops().next().expect("a root");
    assert_eq!(names(&catalogue, root), ["deep", "next", "all", "usage"]);
    let [deep, next, all, usage] = catalogue.items[root].children[..] else {
        panic!("four members");
    };
    assert_eq!(catalogue.items[next].links, [root]);
    assert_eq!(catalogue.items[all].links, [root]);
    assert_eq!(
        catalogue.words(&catalogue.items[all]),
        "list of object Node"
    );
    assert_eq!(names(&catalogue, usage), ["kind"]);
    let kind = catalogue.items[usage].children[0];
    assert_eq!(names(&catalogue, kind), ["a", "b"]);
    let far = catalogue.items[deep].children[0];
    assert_eq!(catalogue.items[far].links, [usage]);
    assert!(catalogue.items[far].children.is_empty());
    assert_eq!(catalogue.named("usage.kind"), Some(kind));
    // A finding may name the place that is only linked; the declaration is what counts.
    let pointer = "/$defs/usage/properties/kind";
    assert_eq!(
        catalogue.declared_at(pointer, "deep.usage.kind"),
        Some(kind)
    );
    let below = format!("{pointer}/enum/7/x");
    assert_eq!(catalogue.around(&below, ""), Some(kind));
}

#[test]
fn lines_members_and_values_stand_below_each_other() {
    let wire = read(
        r#"{"oneOf": [
            {"type": "object", "required": ["type"], "properties": {"type": {"const": "a"}, "x": {"type": "integer"}}},
            {"type": "object", "required": ["type"], "properties": {"type": {"const": "b"}, "tags": {"type": "array", "items": {"enum": ["p", "q"]}}}},
            {"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "not": {"enum": ["a", "b"]}}}}
        ]}"#,
    );
    let catalogue = Catalogue::of(&wire);
    let root = catalogue.tops().next().expect("a root");
    assert_eq!(names(&catalogue, root), ["a", "b", "*"]);
    let [_, b, rest] = catalogue.items[root].children[..] else {
        panic!("three variants");
    };
    assert_eq!(names(&catalogue, b), ["type", "tags"]);
    assert_eq!(catalogue.items[rest].kind, Kind::CatchAll);
    assert!(catalogue.items[rest].children.is_empty());
    let tags = catalogue.items[b].children[1];
    assert_eq!(names(&catalogue, tags), ["p", "q"]);
    assert_eq!(catalogue.items[tags].kind, Kind::Field { required: false });
    let value = catalogue.items[tags].children[0];
    assert!(catalogue.is_named(value, "b.tags[]=p"));
    assert!(catalogue.is_named(tags, "b.tags"));
}

#[test]
fn a_chain_without_end_nests_no_deeper_than_the_bound() {
    let mut text = r#"{"type": "string"}"#.to_owned();
    for _ in 0..60 {
        text = format!(r#"{{"type": "object", "properties": {{"a": {text}}}}}"#);
    }
    let wire = read(&text);
    let catalogue = Catalogue::of(&wire);
    assert!(catalogue.items.iter().all(|item| item.depth <= DEPTH));
    let tops = catalogue.tops().count();
    assert_eq!(
        tops,
        1 + 59 / DEPTH,
        "each ten members begin anew at the top"
    );
    let fields = catalogue
        .items
        .iter()
        .filter(|item| matches!(item.kind, Kind::Field { .. }));
    assert_eq!(fields.count(), 60);
}

#[test]
fn arrays_of_arrays_are_no_nested_calls() {
    let mut text = r#"{"enum": ["x", "y"]}"#.to_owned();
    for _ in 0..60 {
        text = format!(r#"{{"type": "array", "items": {text}}}"#);
    }
    let wire = read(&text);
    let catalogue = Catalogue::of(&wire);
    let root = catalogue.tops().next().expect("a root");
    assert_eq!(names(&catalogue, root), ["x", "y"]);
}
