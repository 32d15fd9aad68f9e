//! Refactorings that keep the wire are no change: `identical` or `editorial`, at every place and composed.

#[path = "mutations/positions.rs"]
#[allow(dead_code, reason = "the mutations use the rest")]
mod positions;
#[path = "mutations/text.rs"]
#[allow(dead_code, reason = "the mutations use the rest")]
mod text;

#[path = "mutations/spellings.rs"]
mod spellings;

use positions::{Position, Role, positions};
use std::collections::BTreeMap;
use text::*;
use wirelock_codegen::evolution::{self, Answer, Verdict};
use wirelock_codegen::json::{Node, Value};
use wirelock_codegen::wire::{self, Wire};

/// Schemas with what the published one does not use.
const SMALL: &[&str] = &[
    r#"{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":["integer","string"]}},"required":["a"]}"#,
    r#"{"type":"object","properties":{"a":{"enum":["x","y"]},"b":{"enum":[1,2,3]},"c":{"const":"z"},"d":{"oneOf":[{"const":"p"},{"const":"q"}]}},"additionalProperties":false}"#,
    r##"{"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"name":{"type":"string","minLength":1},"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["name"]}}}"##,
    r##"{"oneOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"type":"object","properties":{"t":{"const":"a"},"x":{"type":"number"}},"required":["t"]},"b":{"type":"object","properties":{"t":{"const":"b"},"x":{"type":"boolean"}},"required":["t"]}}}"##,
    r#"{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer","minimum":0}},"minProperties":1}"#,
    r#"{"anyOf":[{"type":"string","format":"uri"},{"type":"array","items":{"type":"string"}},{"type":"null"}]}"#,
    r#"{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z]+$"},"b":{"anyOf":[{"const":"k"},{"type":"string"}]},"c":{}},"dependentRequired":{"a":["b"]}}"#,
    r#"{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]},"uniqueItems":true,"maxItems":9}"#,
];

/// One edit that keeps the wire.
struct Refactoring {
    name: &'static str,
    at: String,
    edit: Box<dyn Fn(&mut Node)>,
}

#[derive(Default)]
struct Found(Vec<Refactoring>);

impl Found {
    fn push(&mut self, name: &'static str, at: &str, edit: impl Fn(&mut Node) + 'static) {
        let (at, edit) = (at.to_owned(), Box::new(edit));
        self.0.push(Refactoring { name, at, edit });
    }

    /// Another schema in the place of one.
    fn map(&mut self, name: &'static str, pointer: &str, edit: impl Fn(Node) -> Node + 'static) {
        let place = pointer.to_owned();
        self.push(name, pointer, move |schema| {
            let node = at(schema, &place);
            *node = edit(std::mem::replace(node, wrap(Value::Null)));
        });
    }
}

fn refactorings(schema: &Node) -> Found {
    let mut found = Found::default();
    for position in positions(schema) {
        let node = schema.pointer(&position.pointer).expect("a position");
        if matches!(node.value, Value::Object(_)) {
            spellings::generate(node, &position, &mut found);
            structure(schema, node, &position, &mut found);
            documentation(&position, &mut found);
        }
    }
    for member in schema.get("$defs").map(Node::members).unwrap_or_default() {
        let (from, to) = (member.name.to_string(), format!("{}_2", member.name));
        found.push(
            "rename a definition",
            &format!("/$defs/{from}"),
            move |schema| {
                rename(at(schema, "/$defs"), &from, &to);
                retarget(schema, &format!("#/$defs/{from}"), &format!("#/$defs/{to}"));
            },
        );
    }
    found
}

/// Points every reference to a definition at its new name.
fn retarget(node: &mut Node, from: &str, to: &str) {
    match &mut node.value {
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|node| retarget(node, from, to)),
        Value::Object(members) => {
            for member in members {
                let reference = &*member.name == "$ref" && member.node.as_str() == Some(from);
                if reference {
                    member.node = string(to);
                } else {
                    retarget(&mut member.node, from, to);
                }
            }
        }
        _ => {}
    }
}

/// The same schemas at other places of the text.
fn structure(schema: &Node, node: &Node, position: &Position, found: &mut Found) {
    let pointer = &position.pointer;
    let movable = position.role != Role::Root;
    if movable {
        let place = pointer.clone();
        found.push("extract", pointer, move |schema| {
            let name = (0..).map(|number| format!("extracted_{number}"));
            let free = |name: &String| schema.pointer(&format!("/$defs/{name}")).is_none();
            let name = name.into_iter().find(free).expect("a free name");
            let reference = object(vec![("$ref", string(&format!("#/$defs/{name}")))]);
            let node = std::mem::replace(at(schema, &place), reference);
            if schema.get("$defs").is_none() {
                set(schema, "$defs", object(Vec::new()));
            }
            set(at(schema, "/$defs"), &name, node);
        });
        for (before, after) in [
            ("", ""),
            ("", "{}"),
            ("{}", ""),
            ("", "true"),
            ("true", "{}"),
        ] {
            found.map("wrap", pointer, move |node| {
                let around = |text: &str| (!text.is_empty()).then(|| parse(text));
                let parts = [around(before), Some(node), around(after)];
                object(vec![("allOf", list(parts.into_iter().flatten().collect()))])
            });
        }
        found.map("wrap below the description", pointer, |mut node| {
            let description = take(&mut node, "description");
            let mut outer = object(vec![("allOf", list(vec![node]))]);
            if let Some(description) = description {
                set(&mut outer, "description", description);
            }
            outer
        });
    }
    if let Some(reference) = node.get("$ref").and_then(Node::as_str) {
        let target = schema
            .pointer(&reference[1..])
            .expect("references stay in the document");
        let beside = node.members().iter().any(|member| {
            target.get(&member.name).is_some() && !matches!(&*member.name, "description" | "title")
        });
        let target = target.clone();
        // Siblings with the same keyword would replace what the target says.
        if !beside && position.role != Role::Root {
            found.map("inline", pointer, move |node| {
                let mut inlined = target.clone();
                for member in node
                    .members()
                    .iter()
                    .filter(|member| &*member.name != "$ref")
                {
                    set(&mut inlined, &member.name, member.node.clone());
                }
                inlined
            });
        }
        found.map("refer from a part", pointer, |mut node| {
            let reference = take(&mut node, "$ref").expect("a reference");
            let part = object(vec![("$ref", reference)]);
            push_part(&mut node, part);
            node
        });
    }
    let names: Vec<String> = node
        .get("properties")
        .map(Node::members)
        .unwrap_or_default()
        .iter()
        .map(|member| member.name.to_string())
        .collect();
    // What looks at its own properties alone would miss those of a part.
    let alone = node.get("additionalProperties").is_none();
    for name in names.into_iter().filter(|_| alone) {
        found.map("move a member into a part", pointer, move |mut node| {
            let property = take(at(&mut node, "/properties"), &name).expect("the member");
            let mut part = object(vec![("properties", object(vec![(&name, property)]))]);
            if lists(node.get("required"), &name) {
                unlist(&mut node, "required", &name);
                enlist(&mut part, "required", &name);
            }
            push_part(&mut node, part);
            node
        });
    }
    let required: Vec<String> = node
        .get("required")
        .map(Node::elements)
        .unwrap_or_default()
        .iter()
        .filter_map(|name| Some(name.as_str()?.to_owned()))
        .collect();
    for name in required {
        found.map("split required", pointer, move |mut node| {
            unlist(&mut node, "required", &name);
            push_part(
                &mut node,
                object(vec![("required", list(vec![string(&name)]))]),
            );
            node
        });
    }
}

fn push_part(node: &mut Node, part: Node) {
    if node.get("allOf").is_none() {
        set(node, "allOf", list(Vec::new()));
    }
    elements_mut(at(node, "/allOf")).push(part);
}

fn documentation(position: &Position, found: &mut Found) {
    for (keyword, text) in [
        ("description", r#""Said otherwise.""#),
        ("title", r#""Otherwise""#),
        ("$comment", r#""For authors.""#),
        ("examples", r#"["x"]"#),
        ("deprecated", "true"),
        ("x-note", r#"{"a":1}"#),
    ] {
        found.map("document", &position.pointer, move |mut node| {
            set(&mut node, keyword, parse(text));
            node
        });
    }
}

/// Reads and compares; says what is wrong, if anything.
fn fault(old: &Wire, new: &Node) -> Option<String> {
    let new = match wire::read("new.json", &write(new)) {
        Ok(new) => new,
        Err(error) => return Some(error.to_string()),
    };
    let comparison = evolution::compare(old, &new);
    let kept = matches!(
        comparison.verdict(),
        Verdict::Identical | Verdict::Editorial
    ) && comparison.additive() == Answer::Yes;
    let said: Vec<String> = comparison
        .changes
        .iter()
        .take(4)
        .map(|change| format!("\n    {}: {}", change.rule, change.message))
        .collect();
    (!kept).then(|| {
        format!(
            "{:?}{} {:?}",
            comparison.verdict(),
            said.concat(),
            comparison.undecided.first()
        )
    })
}

fn published() -> Node {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schema/stream-json.schema.json"
    );
    parse(&std::fs::read_to_string(path).expect("the published schema is in the repository"))
}

/// Numbers by chance, the same in every run.
struct Lottery(u64);

impl Lottery {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

fn each(schema: &Node, every: usize) -> (BTreeMap<&'static str, usize>, Vec<String>) {
    let old = wire::read("old.json", &write(schema)).expect("the schema is read");
    let (mut counts, mut faults) = (BTreeMap::new(), Vec::new());
    for refactoring in refactorings(schema).0 {
        let count = counts.entry(refactoring.name).or_insert(0);
        *count += 1;
        if *count % every != 0 && *count > every {
            continue;
        }
        let mut new = schema.clone();
        (refactoring.edit)(&mut new);
        if let Some(why) = fault(&old, &new) {
            faults.push(format!("{} at {}: {why}", refactoring.name, refactoring.at));
        }
    }
    (counts, faults)
}

fn report(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn refactorings_of_the_published_schema_keep_its_wire() {
    let (counts, faults) = each(&published(), 3);
    println!(
        "{} refactorings: {counts:?}",
        counts.values().sum::<usize>()
    );
    for name in [
        "extract",
        "inline",
        "wrap",
        "reorder",
        "rename a definition",
        "known values as enum",
        "split required",
    ] {
        assert!(
            counts.get(name).is_some_and(|count| *count >= 10),
            "{name} found few places"
        );
    }
    report(&faults);
}

#[test]
fn refactorings_of_small_schemas_keep_their_wire() {
    let mut total = 0;
    let mut all = Vec::new();
    for text in SMALL {
        let (counts, faults) = each(&parse(text), 1);
        total += counts.values().sum::<usize>();
        all.extend(faults.into_iter().map(|fault| format!("{text}\n  {fault}")));
    }
    println!("{total} refactorings of {} small schemas", SMALL.len());
    assert!(total >= 500);
    report(&all);
}

/// Several refactorings, one after the other, each of what the ones before it made.
fn compose(schema: &Node, seeds: std::ops::Range<u64>, faults: &mut Vec<String>) {
    let old = wire::read("old.json", &write(schema)).expect("the schema is read");
    for seed in seeds {
        let mut lottery = Lottery(seed);
        let mut new = schema.clone();
        let mut names = Vec::new();
        for _ in 0..2 + lottery.below(5) {
            let mut choices = refactorings(&new).0;
            let chosen = choices.swap_remove(lottery.below(choices.len()));
            (chosen.edit)(&mut new);
            names.push(format!("{} at {}", chosen.name, chosen.at));
        }
        if let Some(why) = fault(&old, &new) {
            faults.push(format!(
                "seed {seed}, {}: {why}\n  {}",
                names.join(", "),
                shown(&new)
            ));
        }
    }
}

fn shown(node: &Node) -> String {
    let text = write(node);
    if text.len() > 2000 {
        String::new()
    } else {
        text
    }
}

#[test]
fn composed_refactorings_keep_the_wire() {
    let mut faults = Vec::new();
    compose(&published(), 0..60, &mut faults);
    for text in SMALL {
        compose(&parse(text), 0..150, &mut faults);
    }
    println!("{} composed refactorings", 60 + 150 * SMALL.len());
    report(&faults);
}

#[test]
fn layout_of_the_text_is_no_change_at_all() {
    let schema = published();
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schema/stream-json.schema.json"
    );
    let text = std::fs::read_to_string(path).expect("the published schema is in the repository");
    let old = wire::read("old.json", &text).expect("the schema is read");
    let new = wire::read("new.json", &write(&schema)).expect("the schema is read");
    assert_eq!(evolution::compare(&old, &new).verdict(), Verdict::Identical);
}
