//! The types and the wire view say the same: samples of the contract come back in the canonical
//! bytes that the wire view writes, and whatever does not fit is refused at its place.

use std::sync::LazyLock;
use stream_json::{Code, Encode, Line, from_slice};
use wirelock_codegen::json::{self, Node, Value};
use wirelock_codegen::wire::{self, SampleOptions, Samples, Untold, Wire};

const RANDOM_SAMPLES: u64 = 1500;

static WIRE: LazyLock<Wire> = LazyLock::new(|| {
    let name = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schema/stream-json.schema.json"
    );
    let text = std::fs::read_to_string(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    wire::read(name, &text).unwrap_or_else(|error| panic!("{error}"))
});

fn write(document: &Node) -> String {
    let mut text = String::new();
    json::write(document, &mut text);
    text
}

/// Samples of every size, and one for each element; some hold what the contract does not know.
fn samples() -> Vec<Node> {
    let root = WIRE.roots[0].node;
    let samples = Samples::new(&WIRE);
    let mut options = vec![SampleOptions::minimal(), SampleOptions::maximal()];
    for seed in 0..RANDOM_SAMPLES {
        options.push(SampleOptions {
            unknown: seed % 2 == 1,
            ..SampleOptions::random(seed)
        });
    }
    let mut found: Vec<Node> = options
        .iter()
        .filter_map(|options| samples.any(root, options))
        .collect();
    let elements = wire::elements(&WIRE);
    for element in &elements {
        let way = samples.way_to(root, &element.key(), &|_| true);
        for options in [SampleOptions::minimal(), SampleOptions::maximal()] {
            found.extend(way.as_ref().and_then(|way| samples.along(way, &options)));
        }
    }
    assert!(
        found.len() > options.len() + elements.len(),
        "{} samples",
        found.len()
    );
    found
}

/// The same document with the members of every object the other way round.
fn reversed(node: &Node) -> Node {
    let value = match &node.value {
        Value::Array(elements) => Value::Array(elements.iter().map(reversed).collect()),
        Value::Object(members) => {
            let turned = members.iter().rev().map(|member| json::Member {
                node: reversed(&member.node),
                ..member.clone()
            });
            Value::Object(turned.collect())
        }
        other => other.clone(),
    };
    Node { value, at: 0 }
}

#[test]
fn samples_come_back_in_the_canonical_bytes_of_the_wire() {
    let mut known = 0;
    for sample in samples() {
        for document in [reversed(&sample), sample] {
            let text = write(&document);
            let line: Line =
                from_slice(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            known += usize::from(!matches!(line, Line::Unknown(_)));
            let canonical = wire::canonical(&WIRE, &document, &Untold);
            assert_eq!(line.to_json(), canonical, "from {text}");
            // What is canonical stays as it is.
            let again: Line =
                from_slice(canonical.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(again, line);
            assert_eq!(again.to_json(), canonical);
        }
    }
    assert!(known > 1000, "{known} known lines");
}

/// Calls back with every place of a document below its root.
fn places(node: &Node, pointer: &str, visit: &mut dyn FnMut(&str)) {
    for (index, element) in node.elements().iter().enumerate() {
        let below = json::child_pointer(pointer, &index.to_string());
        visit(&below);
        places(element, &below, visit);
    }
    for member in node.members() {
        let below = json::child_pointer(pointer, &member.name);
        visit(&below);
        places(&member.node, &below, visit);
    }
}

/// The document with another value at a place.
fn replaced(node: &Node, at: &str, pointer: &str, with: &Node) -> Node {
    if at == pointer {
        return with.clone();
    }
    let mut copy = node.clone();
    match &mut copy.value {
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                let below = json::child_pointer(at, &index.to_string());
                *element = replaced(element, &below, pointer, with);
            }
        }
        Value::Object(members) => {
            for member in members {
                let below = json::child_pointer(at, &member.name);
                member.node = replaced(&member.node, &below, pointer, with);
            }
        }
        _ => {}
    }
    copy
}

#[test]
fn what_does_not_fit_is_refused_at_its_place_without_its_text() {
    let long = format!("\"{}\"", "x".repeat(5000));
    let wrong: Vec<Node> = [long.as_str(), "[[0]]", "{\"a\":{}}", "-1.5", "null", "true"]
        .iter()
        .map(|text| json::parse(text).expect("JSON"))
        .collect();
    let mut refused = 0;
    for sample in samples().iter().step_by(20) {
        let mut pointers = Vec::new();
        places(sample, "", &mut |pointer| pointers.push(pointer.to_owned()));
        for pointer in pointers.iter().take(60) {
            for with in &wrong {
                let text = write(&replaced(sample, "", pointer, with));
                let Err(error) = from_slice::<Line>(text.as_bytes()) else {
                    continue;
                };
                refused += 1;
                let error = error.on_line(7);
                let told = error.to_string();
                assert_eq!(
                    (error.code(), error.line()),
                    (Code::ItemInvalid, Some(7)),
                    "{told}"
                );
                let path = error.path();
                // The place itself, what holds it, or what is wrong in the value that stands there.
                let meets = |long: &str, short: &str| {
                    long.strip_prefix(short)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                assert!(
                    meets(pointer, &path) || meets(&path, pointer),
                    "{pointer} is refused at {path}: {told}"
                );
                assert!(!error.expected().is_empty(), "{told}");
                assert!(!told.contains(&"x".repeat(81)), "{told}");
                assert!(
                    told.contains("line 7") && told.contains("expected "),
                    "{told}"
                );
                let missing = error.expected().starts_with("the member ");
                assert!(error.found().is_some() || missing, "{told}");
            }
        }
    }
    assert!(refused > 1000, "{refused} refused");
}

#[test]
fn no_message_carries_a_long_name_or_value() {
    let name = "n".repeat(3000);
    for text in [
        format!(
            r#"{{"type":"result","session_id":"s","seq":1,"subtype":"success","is_error":false,"model_usage":{{"{name}":1}}}}"#
        ),
        format!(r#"{{"type":"future","session_id":"s","seq":1,"{name}":1,"{name}":2}}"#),
        format!(r#"{{"type":"user","session_id":"s","seq":1,"{name}":1,"{name}":2}}"#),
        format!(r#"{{"type":"user","session_id":"s","seq":1,"extension":{name}}}"#),
        format!(r#"{{"type":"user","session_id":"s","seq":"{name}"}}"#),
        format!(
            r#"{{"type":"result","session_id":"s","seq":1{}}}"#,
            "9".repeat(3000)
        ),
        name.clone(),
    ] {
        for error in [
            from_slice::<Line>(text.as_bytes())
                .expect_err("refused")
                .to_string(),
            format!(
                "{:?}",
                from_slice::<Line>(text.as_bytes()).expect_err("refused")
            ),
            serde_json::from_str::<Line>(&text)
                .expect_err("refused")
                .to_string(),
        ] {
            assert!(!error.contains(&"n".repeat(81)), "{error}");
            assert!(!error.contains(&"9".repeat(81)), "{error}");
            assert!(error.len() < 500, "{error}");
        }
    }
}
