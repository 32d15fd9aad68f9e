//! Schemas far larger than people write: each is judged in about the time its size asks for.
//!
//! The bound on time is generous, so that a busy machine does not fail it; what grows with the
//! square of a size takes minutes here.

use serde_json::{Value, json};
use std::time::{Duration, Instant};
use wirelock_codegen::evolution::{self, Answer, Revision, Verdict, prove};
use wirelock_codegen::json::Source;
use wirelock_codegen::schema::Document;
use wirelock_codegen::wire;

const MOST: Duration = Duration::from_secs(30);

/// Judges a schema against the same with a change.
fn check(expected: Verdict, old: Value, change: impl FnOnce(&mut Value)) {
    let mut new = old.clone();
    change(&mut new);
    let (old, new) = (old.to_string(), new.to_string());
    let start = Instant::now();
    let read = |text| wire::read("large", text).expect("a schema within the bounds");
    let found = evolution::compare(&read(&old), &read(&new));
    let took = start.elapsed();
    let said: Vec<_> = found
        .changes
        .iter()
        .take(3)
        .map(|change| &change.message)
        .collect();
    assert_eq!(
        found.verdict(),
        expected,
        "{said:?} {:?}",
        found.undecided.first()
    );
    assert!(took < MOST, "took {took:?}");
}

fn many<T>(count: usize, one: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(one).collect()
}

fn list<'v>(schema: &'v mut Value, pointer: &str) -> &'v mut Vec<Value> {
    let list = schema.pointer_mut(pointer).and_then(Value::as_array_mut);
    list.expect("an array")
}

#[test]
fn members() {
    let fields: serde_json::Map<_, _> =
        many(40_000, |at| (format!("f{at}"), json!({"type": "string"})))
            .into_iter()
            .collect();
    let schema = json!({"type": "object", "properties": fields});
    check(Verdict::Additive, schema.clone(), |schema| {
        schema["properties"]["new"] = json!({"type": "string"});
    });
    check(Verdict::Breaking, schema, |schema| {
        schema["properties"]["f20000"] = json!({"type": "integer"});
    });
}

#[test]
fn member_names_beside_a_pattern() {
    let fields: serde_json::Map<_, _> = many(20_000, |at| (format!("f{at}"), json!({})))
        .into_iter()
        .collect();
    let patterns = json!({"^f[0-9]+$": {"type": "string"}});
    let schema = json!({"type": "object", "properties": fields, "patternProperties": patterns});
    check(Verdict::Additive, schema, |schema| {
        schema["properties"]["new"] = json!({});
    });
}

#[test]
fn values() {
    let values = many(100_000, |at| format!("v{at}"));
    check(Verdict::Breaking, json!({"enum": values}), |schema| {
        schema["enum"][50_000] = json!("other");
    });
    let rest = json!({"type": "string", "not": {"enum": values}});
    check(
        Verdict::Additive,
        json!({"oneOf": [{"enum": values}, rest]}),
        |schema| {
            list(schema, "/oneOf/0/enum").push(json!("other"));
            list(schema, "/oneOf/1/not/enum").push(json!("other"));
        },
    );
}

#[test]
fn tagged_variants() {
    let variant = |tag: String| {
        json!({
            "type": "object",
            "properties": {"type": {"const": tag}, "n": {"type": "integer"}},
            "required": ["type"]
        })
    };
    let schema = json!({"oneOf": many(4_000, |at| variant(format!("t{at}")))});
    check(Verdict::Additive, schema.clone(), |schema| {
        list(schema, "/oneOf").push(variant("new".to_owned()));
    });
    check(Verdict::Breaking, schema.clone(), |schema| {
        schema["oneOf"][2_000] = variant("other".to_owned());
    });
    check(Verdict::Editorial, schema, |schema| {
        list(schema, "/oneOf").reverse()
    });
}

#[test]
fn untagged_alternatives() {
    let alternative = |name: String| {
        let mut object = json!({"type": "object", "required": [name]});
        object["properties"][name] = json!({"type": "string"});
        object
    };
    for union in ["anyOf", "oneOf"] {
        let mut schema = json!({});
        schema[union] = many(4_000, |at| alternative(format!("k{at}"))).into();
        check(Verdict::Editorial, schema.clone(), |schema| {
            list(schema, &format!("/{union}")).reverse();
        });
        check(Verdict::Additive, schema, |schema| {
            list(schema, &format!("/{union}")).push(alternative("new".to_owned()));
        });
    }
}

#[test]
fn arrays() {
    let tuple = |at| json!({"type": "array", "prefixItems": [{"const": at}, {"type": "integer"}]});
    let schema = json!({"oneOf": many(4_000, tuple)});
    check(Verdict::Editorial, schema.clone(), |schema| {
        list(schema, "/oneOf").reverse()
    });
    check(Verdict::Breaking, schema, |schema| {
        schema["oneOf"][2_000]["prefixItems"][1] = json!({"type": "string"});
    });
}

#[test]
fn objects_that_all_hold() {
    let part = |at| {
        let mut part = json!({"type": "object", "required": [format!("k{at}")]});
        part["properties"][format!("k{at}")] = json!({"type": "string"});
        part
    };
    check(
        Verdict::Additive,
        json!({"allOf": many(6_000, part)}),
        |schema| {
            list(schema, "/allOf").push(json!({"properties": {"new": {"type": "string"}}}));
        },
    );
}

#[test]
fn chains() {
    let step = |at: usize| {
        let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
        (
            format!("d{at}"),
            json!({"type": "object", "properties": {"n": next}}),
        )
    };
    let mut steps: serde_json::Map<_, _> = many(6_000, step).into_iter().collect();
    steps.insert("d6000".to_owned(), json!({"type": "string"}));
    let member = json!({"$ref": "#/$defs/d0"});
    let schema = json!({"type": "object", "properties": {"a": member}, "$defs": steps});
    check(Verdict::Breaking, schema, |schema| {
        schema["properties"] = json!({"b": {"$ref": "#/$defs/d0"}});
    });
}

#[test]
fn ranges() {
    let range = |at| json!({"type": "string", "minLength": 2 * at, "maxLength": 2 * at});
    let schema = json!({"oneOf": many(4_000, range)});
    check(Verdict::Editorial, schema, |schema| {
        list(schema, "/oneOf").reverse()
    });
}

/// So many automata are past what one comparison may spend, which is no answer and no error.
#[test]
fn patterns() {
    let pattern = |at: usize, end: &str| {
        let text = format!("^[a-z]{{1,{}}}{end}$", 500 + at);
        (format!("k{at}"), json!({"type": "string", "pattern": text}))
    };
    let fields =
        |end| -> serde_json::Map<_, _> { many(2_000, |at| pattern(at, end)).into_iter().collect() };
    let schema = json!({"type": "object", "properties": fields("x?")});
    check(Verdict::Unknown, schema, |schema| {
        schema["properties"] = fields("(?:|x)").into();
    });
}

/// Judges a schema against the same with a change, with what is asked about its documents; gives the
/// answers backward and forward.
fn answers(old: &Value, new: &Value) -> [Answer; 2] {
    let (old, new) = (old.to_string(), new.to_string());
    let start = Instant::now();
    let [old, new] = [old, new].map(|text| {
        let document = Document::read(Source::new("large", text)).expect("a schema");
        let wire = wire::build(&document).expect("a schema within the bounds");
        (document, wire)
    });
    let comparison = evolution::compare(&old.1, &new.1);
    let [before, after] = [&old, &new].map(|(document, wire)| Revision { document, wire });
    let found = evolution::answer(before, after, &comparison, prove::Search);
    let took = start.elapsed();
    assert!(found.conflicts.is_empty(), "{:?}", found.conflicts);
    assert!(took < MOST, "took {took:?}");
    [found.backward.answer, found.forward.answer]
}

/// Which of so many branches exclude each other is past what is compared, in every reading.
#[test]
fn documents_of_overlapping_branches() {
    let branch = |at: usize| {
        let mut object = json!({"type": "object", "required": [format!("k{at}")]});
        object["properties"][format!("k{at}")] = json!({"type": "string"});
        object
    };
    let schema = |count| json!({"oneOf": many(count, branch)});
    let found = answers(&schema(5_000), &schema(5_001));
    assert_eq!(found, [Answer::Unknown, Answer::Unknown]);
}

#[test]
fn documents_of_chains_of_conditions() {
    const STEPS: usize = 10_000;
    let schema = |last: Value| {
        let step = |at: usize| {
            let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
            (
                format!("d{at}"),
                json!({"if": {"type": "integer"}, "then": next}),
            )
        };
        let mut steps: serde_json::Map<_, _> = many(STEPS, step).into_iter().collect();
        steps.insert(format!("d{STEPS}"), last);
        json!({"$ref": "#/$defs/d0", "$defs": steps})
    };
    let (old, new) = (schema(json!({})), schema(json!({"maximum": 4})));
    // The validator, which confirms each no by its document, would need a stack as long as the chain.
    assert_eq!(answers(&old, &new), [Answer::Unknown, Answer::Yes]);
}
