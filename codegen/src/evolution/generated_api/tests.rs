//! Which changes move a name, and that growth of the contract moves none.

use super::generated_api;
use crate::evolution::{Level, compare};
use crate::json::{Member, Node, Value, parse, write};
use crate::wire::{self, Wire};

fn read(text: &str) -> Wire {
    wire::read("s.json", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Every finding as `subject: message`.
fn found(old: &str, new: &str) -> Vec<String> {
    let changes = generated_api(&read(old), &read(new));
    let told =
        |change: &crate::evolution::Change| format!("{}: {}", change.subject, change.message);
    changes.iter().map(told).collect()
}

/// A document with one member `a` of that schema, beside definitions.
fn member(schema: &str) -> String {
    format!(r#"{{"title":"Root","type":"object","properties":{{"a":{schema}}}}}"#)
}

#[test]
fn names_that_move_are_told_and_changes_of_the_wire_are_not() {
    let object = |title: &str| {
        format!(
            r#"{{"title":"{title}","type":"object","properties":{{"n":{{"type":"integer"}}}}}}"#
        )
    };
    let values =
        |values: &str| format!(r#"{{"title":"E","anyOf":[{values},{{"type":"string"}}]}}"#);
    let cases: Vec<(&str, String, String, Vec<&str>)> = vec![
        (
            "a title",
            member(&object("Count")),
            member(&object("Tally")),
            vec!["a: the Rust type `Count` is `Tally` now"],
        ),
        (
            "the title of an enum",
            member(r#"{"title":"Kind","enum":["x","y"]}"#),
            member(r#"{"title":"Sort","enum":["x","y"]}"#),
            vec!["a: the Rust type `Kind` is `Sort` now"],
        ),
        (
            "the key of a definition without a title",
            r##"{"title":"Root","type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"object","properties":{"n":true}}}}"##.to_owned(),
            r##"{"title":"Root","type":"object","properties":{"a":{"$ref":"#/$defs/y"}},"$defs":{"y":{"type":"object","properties":{"n":true}}}}"##.to_owned(),
            vec!["a: the Rust type `X` is `Y` now"],
        ),
        (
            "a definition of a schema without a root",
            r#"{"$defs":{"x":{"type":"object","properties":{"n":true}}}}"#.to_owned(),
            r#"{"$defs":{"y":{"type":"object","properties":{"n":true}}}}"#.to_owned(),
            vec!["x: the Rust type `X` is `Y` now"],
        ),
        (
            "an alias",
            r#"{"title":"Names","type":"array","items":{"type":"string"}}"#.to_owned(),
            r#"{"title":"Labels","type":"array","items":{"type":"string"}}"#.to_owned(),
            vec!["(root): the Rust type `Names` is `Labels` now"],
        ),
        (
            "a new member whose type takes over a name",
            member(&object("Count")),
            format!(r#"{{"title":"Root","type":"object","properties":{{"b":{{"title":"Count","enum":["x","y"]}},"a":{}}}}}"#, object("Count")),
            vec!["a: the Rust type `Count` is `Count2` now"],
        ),
        (
            "a new member that takes over a name",
            r#"{"title":"T","type":"object","properties":{"foo-bar":true}}"#.to_owned(),
            r#"{"title":"T","type":"object","properties":{"foo-bar":true,"foo_bar":true}}"#.to_owned(),
            vec!["foo-bar: the Rust field `T::foo_bar` is `T::foo_bar2` now"],
        ),
        (
            "a new value that takes over a name",
            member(&values(r#"{"const":"foo-bar"}"#)),
            member(&values(r#"{"const":"FooBar"},{"const":"foo-bar"}"#)),
            vec!["a=foo-bar: the Rust value `E::FooBar` is `E::FooBar2` now"],
        ),
        (
            "members in another order",
            r#"{"title":"T","type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}},"required":["x","y"]}"#.to_owned(),
            r#"{"title":"T","type":"object","properties":{"y":{"type":"string"},"x":{"type":"string"}},"required":["x","y"]}"#.to_owned(),
            vec!["(root): the constructor `T::new` took x, y and takes y, x now"],
        ),
        (
            "a cycle that puts a member into a box",
            r##"{"title":"T","type":"object","properties":{"b":{"$ref":"#/$defs/b"}},"$defs":{"b":{"title":"B","type":"object","properties":{"n":true}}}}"##.to_owned(),
            r##"{"title":"T","type":"object","properties":{"b":{"$ref":"#/$defs/b"}},"$defs":{"b":{"title":"B","type":"object","properties":{"n":true,"t":{"$ref":"#"}}}}}"##.to_owned(),
            vec!["b: the field `T::b` was of type `Option<B>` and is of type `Option<Box<B>>` now"],
        ),
        (
            "a type that was shared and is split",
            format!(r##"{{"title":"T","type":"object","properties":{{"a":{{"$ref":"#/$defs/x"}},"b":{{"$ref":"#/$defs/x"}}}},"$defs":{{"x":{}}}}}"##, object("X")),
            format!(r##"{{"title":"T","type":"object","properties":{{"a":{{"$ref":"#/$defs/x"}},"b":{}}},"$defs":{{"x":{}}}}}"##, object("Y"), object("X")),
            vec!["b: the Rust type `X` is `Y` now"],
        ),
        (
            "the title of a variant without tags",
            member(r#"{"title":"U","oneOf":[{"title":"P","type":"object","properties":{"p":true},"required":["p"]},{"title":"Q","type":"object","properties":{"q":true},"required":["q"]}]}"#),
            member(r#"{"title":"U","oneOf":[{"title":"P","type":"object","properties":{"p":true},"required":["p"]},{"title":"R","type":"object","properties":{"q":true},"required":["q"]}]}"#),
            vec![
                "a[Q]: the Rust variant `U::Q` is `U::R` now",
                "a[Q]: the Rust type `Q` is `R` now",
            ],
        ),
        // What the wire tells is not told again.
        ("a retype", member(r#"{"type":"string"}"#), member(r#"{"type":"integer"}"#), vec![]),
        ("a constraint", member(r#"{"type":"string"}"#), member(r#"{"type":"string","minLength":1}"#), vec![]),
        ("a rename", member(&object("Count")), member(&object("Count")).replace("\"n\"", "\"m\""), vec![]),
        (
            "a member that is required now",
            member(&object("Count")),
            member(&object("Count")).replace("\"type\":\"object\",\"properties\":{\"n\"", "\"type\":\"object\",\"required\":[\"n\"],\"properties\":{\"n\""),
            vec![],
        ),
        // What names nothing moves nothing.
        (
            "a description and another spelling",
            member(&object("Count")),
            r##"{"title":"Root","type":"object","properties":{"a":{"$ref":"#/$defs/zzz","description":"New."}},"$defs":{"zzz":{"title":"Count","type":"object","properties":{"n":{"type":"integer"}}}}}"##.to_owned(),
            vec![],
        ),
    ];
    for (what, old, new, expected) in cases {
        assert_eq!(found(&old, &new), expected, "{what}");
    }
}

#[test]
fn a_new_variant_that_lacks_what_all_had_takes_the_method_away() {
    let union = |variants: &str, known: &str| {
        format!(
            r#"{{"title":"U","oneOf":[{{"title":"P","type":"object","properties":{{"t":{{"const":"p"}},"id":{{"type":"string"}}}},"required":["t"]}},{variants}{{"title":"X","type":"object","properties":{{"t":{{"type":"string","not":{{"enum":[{known}]}}}},"id":{{"type":"string"}}}},"required":["t"]}}]}}"#
        )
    };
    let old = union("", r#""p""#);
    let with = |members: &str| {
        union(
            &format!(
                r#"{{"title":"Q","type":"object","properties":{{"t":{{"const":"q"}}{members}}},"required":["t"]}},"#
            ),
            r#""p","q""#,
        )
    };
    assert_eq!(
        found(&old, &with("")),
        ["id: the method `U::id` is gone, because not every variant has `id` any more"]
    );
    assert!(found(&old, &with(r#","id":{"type":"string"}"#)).is_empty());
}

#[test]
fn findings_say_where_both_revisions_declare_the_element() {
    let old = "{\"title\":\"Root\",\n\"properties\":{\"a\":{\"title\":\"A\",\"properties\":{\"n\":true},\"type\":\"object\"}},\"type\":\"object\"}";
    let new = old.replace("\"A\"", "\"B\"");
    let changes = generated_api(&read(old), &read(&new));
    let [change] = changes.as_slice() else {
        panic!("{changes:?}")
    };
    let pointer = |origin: &Option<crate::wire::Origin>| {
        origin
            .as_ref()
            .map(|origin| (origin.pointer.to_string(), origin.position.line))
    };
    assert_eq!(change.level, Level::Breaking);
    assert_eq!(pointer(&change.old), Some(("/properties/a".to_owned(), 2)));
    assert_eq!(pointer(&change.new), pointer(&change.old));
}

#[test]
fn growth_of_the_contract_moves_no_name() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schema/stream-json.schema.json"
    );
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (old, document) = (read(&text), parse(&text).expect("valid"));
    let mut additions = 0;
    for front in [true, false] {
        let mut sites = Vec::new();
        sites_of(&document, &mut String::new(), &mut sites);
        assert!(sites.len() > 50, "{} sites", sites.len());
        // All of them at once as well: names must not depend on how much is new.
        let groups = sites.chunks(1).chain([sites.as_slice()]);
        for group in groups {
            let mut grown = document.clone();
            for (number, site) in group.iter().enumerate() {
                site.grow(&mut grown, front, number);
            }
            let mut text = String::new();
            write(&grown, &mut text);
            let new = read(&text);
            let breaking: Vec<_> = compare(&old, &new)
                .changes
                .into_iter()
                .filter(|change| change.level == Level::Breaking)
                .collect();
            assert!(breaking.is_empty(), "{group:?}: {breaking:#?}");
            let moved = generated_api(&old, &new);
            assert!(moved.is_empty(), "{group:?}: {moved:#?}");
            additions += group.len();
        }
    }
    assert!(additions > 200, "{additions} additions");
}

/// A place of a schema document where the contract may grow.
#[derive(Debug)]
enum Site {
    /// A `properties` object.
    Members(String),
    /// The alternatives of an open enum.
    Values(String),
    /// The catch-all with this key, which gets a known neighbour.
    Variants(String, String),
}

fn sites_of(node: &Node, pointer: &mut String, sites: &mut Vec<Site>) {
    if pointer.contains("/x-contract") {
        return;
    }
    let is_alternatives = |name: &str| name == "anyOf" || name == "oneOf";
    for member in node.members() {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&member.name);
        let constants = member
            .node
            .elements()
            .iter()
            .any(|one| one.get("const").is_some());
        if &*member.name == "properties" {
            let open = member
                .node
                .members()
                .iter()
                .find(|tag| tag.node.get("not").is_some());
            if let Some(tag) = open {
                let key = pointer
                    .trim_end_matches("/properties")
                    .trim_start_matches("/$defs/");
                sites.push(Site::Variants(key.to_owned(), tag.name.to_string()));
            } else {
                // What a catch-all declares is of the unknown; it grows with what it stands beside.
                sites.push(Site::Members(pointer.clone()));
            }
        } else if is_alternatives(&member.name) && constants {
            sites.push(Site::Values(pointer.clone()));
        }
        sites_of(&member.node, pointer, sites);
        pointer.truncate(length);
    }
}

impl Site {
    fn grow(&self, document: &mut Node, front: bool, number: usize) {
        match self {
            Self::Members(pointer) => {
                let members = members_mut(at(document, pointer));
                let fresh = fresh_members(number);
                let index = if front { 0 } else { members.len() };
                members.splice(index..index, fresh);
            }
            Self::Values(pointer) => {
                let values = elements_mut(at(document, pointer));
                let index = if front { 0 } else { values.len() - 1 };
                values.insert(
                    index,
                    json(&format!(
                        r#"{{"const":"brand_new{number}","description":"New."}}"#
                    )),
                );
            }
            Self::Variants(key, tag) => grow_variant(document, key, tag, front, number),
        }
    }
}

/// New members of every kind: with and without a title, constrained, open, nested.
fn fresh_members(number: usize) -> Vec<Member> {
    let text = format!(
        r#"{{
            "fresh_text{number}":{{"type":"string"}},
            "fresh_name{number}":{{"type":"string","minLength":{}}},
            "fresh_kind{number}":{{"title":"FreshKind{number}","anyOf":[{{"const":"x"}},{{"type":"string"}}]}},
            "fresh_state{number}":{{"anyOf":[{{"const":"x"}},{{"type":"string"}}]}},
            "fresh_part{number}":{{"type":"object","properties":{{"fresh_inner":{{"type":"string","maxLength":9}},"fresh_list":{{"type":"array","items":{{"type":"object","properties":{{"n":{{"type":"integer"}}}}}}}}}}}},
            "fresh_whole{number}":{{"title":"FreshWhole{number}","type":"object","properties":{{"n":{{"type":"integer"}}}},"required":["n"]}}
        }}"#,
        number + 2
    );
    members_mut(&mut json(&text)).drain(..).collect()
}

/// A known variant made of the catch-all, which no longer takes it.
fn grow_variant(document: &mut Node, key: &str, tag: &str, front: bool, number: usize) {
    let name = format!("brand_new{number}");
    let catch_all = at(document, &format!("/$defs/{key}"));
    let mut variant = catch_all.clone();
    *at(&mut variant, "/title") = json(&format!("\"BrandNew{number}\""));
    *at(&mut variant, &format!("/properties/{tag}")) = json(&format!(r#"{{"const":"{name}"}}"#));
    members_mut(at(&mut variant, "/properties")).extend(fresh_members(number + 1000));
    let known = at(catch_all, &format!("/properties/{tag}/not/enum"));
    elements_mut(known).push(json(&format!("\"{name}\"")));
    let definitions = members_mut(at(document, "/$defs"));
    definitions.insert(
        0,
        Member {
            name: name.as_str().into(),
            at: 0,
            node: variant,
        },
    );
    let mut unions = Vec::new();
    unions_of(
        document,
        &mut String::new(),
        &format!("#/$defs/{key}"),
        &mut unions,
    );
    for union in unions {
        let branches = elements_mut(at(document, &union));
        let index = if front { 0 } else { branches.len() };
        branches.insert(index, json(&format!(r##"{{"$ref":"#/$defs/{name}"}}"##)));
    }
}

/// The unions with a branch that refers to a definition.
fn unions_of(node: &Node, pointer: &mut String, target: &str, found: &mut Vec<String>) {
    for member in node.members() {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&member.name);
        let refers = |branch: &Node| branch.get("$ref").and_then(Node::as_str) == Some(target);
        if &*member.name == "oneOf" && member.node.elements().iter().any(refers) {
            found.push(pointer.clone());
        }
        unions_of(&member.node, pointer, target, found);
        pointer.truncate(length);
    }
}

fn json(text: &str) -> Node {
    parse(text).unwrap_or_else(|error| panic!("{error:?}: {text}"))
}

fn at<'n>(node: &'n mut Node, pointer: &str) -> &'n mut Node {
    pointer.split('/').skip(1).fold(node, |node, token| {
        let mut members = members_mut(node).iter_mut();
        let member = members.find(|member| &*member.name == token);
        &mut member
            .unwrap_or_else(|| panic!("no {token} in {pointer}"))
            .node
    })
}

fn members_mut(node: &mut Node) -> &mut Vec<Member> {
    match &mut node.value {
        Value::Object(members) => members,
        other => panic!("{other:?} is no object"),
    }
}

fn elements_mut(node: &mut Node) -> &mut Vec<Node> {
    match &mut node.value {
        Value::Array(elements) => elements,
        other => panic!("{other:?} is no array"),
    }
}
