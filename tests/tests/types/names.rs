//! Names stay where they are while a schema grows: fields, variants and values are added everywhere
//! and one by one, and no name or type that was there before may move.

use super::cases;
use serde_json::{Map, Value, json};
use wirelock_codegen::evolution;
use wirelock_codegen::wire;

/// Places that grow one by one, for each kind of growth; all of them grow together besides.
const SINGLE: usize = 12;

#[test]
fn names_stay_where_they_are_while_schemas_grow() {
    let wanted = std::env::var("WIRELOCK_TYPES").unwrap_or_default();
    let mut faults = Vec::new();
    let mut tried = 0;
    for (name, path) in cases::all() {
        if !wanted.is_empty() && !wanted.split(',').any(|wanted| wanted == name) {
            continue;
        }
        let text = cases::read(&path);
        let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
        let old = wire::read(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        let started = std::time::Instant::now();
        // The largest are grown everywhere at once alone: each comparison takes seconds there.
        let singles = if text.len() > 1_000_000 { 0 } else { SINGLE };
        let mut grown = 0;
        for (kind, grow) in GROWTH {
            for new in mutants(&schema, *grow, singles) {
                // Where a schema grows past what the wire view unfolds there is nothing to compare.
                let Ok(new) = wire::read(&name, &new.to_string()) else {
                    continue;
                };
                grown += 1;
                for change in evolution::generated_api(&old, &new).iter().take(3) {
                    faults.push(format!(
                        "{name}, {kind}: {} ({})",
                        change.message, change.subject
                    ));
                }
            }
        }
        println!("{name}: grown in {grown} ways, {:?}", started.elapsed());
        tried += grown;
    }
    assert!(tried > 20, "{tried} ways");
    faults.dedup();
    let shown: Vec<&str> = faults.iter().take(60).map(String::as_str).collect();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        shown.join("\n")
    );
}

/// Whether a part of a schema grows, and how; the number tells additions apart.
type Grow = fn(&mut Map<String, Value>, usize, &[String]) -> bool;

const GROWTH: &[(&str, Grow)] = &[
    ("an optional field first", first_field),
    ("an optional field last", last_field),
    ("an optional object field", object_field),
    ("a field of a type that is there", field_of_known_type),
    ("a variant of a tagged union", variant),
    ("a known value", value),
];

fn mutants(schema: &Value, grow: Grow, singles: usize) -> Vec<Value> {
    let definitions = definitions(schema);
    let mut spots = 0;
    let mut whole = schema.clone();
    walk(&mut whole, &mut |part| {
        let done = grow(part, spots, &definitions);
        spots += usize::from(done);
    });
    if spots == 0 {
        return Vec::new();
    }
    let mut found = vec![whole];
    let step = spots.div_ceil(singles.max(1)).max(1);
    for chosen in (0..spots).step_by(step).take(singles) {
        let mut one = schema.clone();
        let mut at = 0;
        walk(&mut one, &mut |part| {
            let before = part.clone();
            let done = grow(part, at, &definitions);
            if done && at != chosen {
                *part = before;
            }
            at += usize::from(done);
        });
        found.push(one);
    }
    found
}

/// Visits each schema that is a JSON object, the inner ones first: what was added does not grow.
fn walk(schema: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    for (name, below) in members.iter_mut() {
        match (name.as_str(), below) {
            (
                "properties" | "$defs" | "definitions" | "patternProperties",
                Value::Object(named),
            ) => {
                named.values_mut().for_each(|below| walk(below, visit));
            }
            ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(branches)) => {
                branches.iter_mut().for_each(|below| walk(below, visit));
            }
            ("items" | "additionalProperties", below) => walk(below, visit),
            _ => {}
        }
    }
    visit(members);
}

fn definitions(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["$defs", "definitions"] {
        let named = schema.get(folder).and_then(Value::as_object);
        for (name, _) in named.into_iter().flatten() {
            // Others need an encoding, and what they are called is tried by the rest.
            if name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
            {
                found.push(format!("#/{folder}/{name}"));
            }
        }
    }
    found
}

fn put_first(members: &mut Map<String, Value>, name: &str, schema: Value) -> bool {
    let Some(properties) = members.get_mut("properties").and_then(Value::as_object_mut) else {
        return false;
    };
    let before = std::mem::take(properties);
    properties.insert(name.to_owned(), schema);
    properties.extend(before);
    true
}

fn first_field(members: &mut Map<String, Value>, _: usize, _: &[String]) -> bool {
    put_first(members, "zz_first", json!({"type": "string"}))
}

fn last_field(members: &mut Map<String, Value>, _: usize, _: &[String]) -> bool {
    let properties = members.get_mut("properties").and_then(Value::as_object_mut);
    properties.is_some_and(|properties| {
        properties.insert("zz_last".to_owned(), json!({"type": ["integer", "null"]}));
        true
    })
}

fn object_field(members: &mut Map<String, Value>, _: usize, _: &[String]) -> bool {
    let inner = json!({"type": "object", "properties": {"zz_in": {"enum": ["zz_a", "zz_b"]}}});
    put_first(members, "zz_object", inner)
}

fn field_of_known_type(
    members: &mut Map<String, Value>,
    at: usize,
    definitions: &[String],
) -> bool {
    // Not the definition at hand in its turn alone: a step that has no common factor meets them all.
    let Some(address) = definitions.get(at * 7 % definitions.len().max(1)) else {
        return false;
    };
    put_first(members, "zz_known", json!({"$ref": address}))
}

fn variant(members: &mut Map<String, Value>, _: usize, _: &[String]) -> bool {
    let Some(branches) = ["oneOf", "anyOf"]
        .iter()
        .find_map(|name| members.get(*name).map(|_| *name))
        .and_then(|name| members.get_mut(name))
        .and_then(Value::as_array_mut)
    else {
        return false;
    };
    let tag = branches.iter().find_map(|branch| {
        let properties = branch.get("properties")?.as_object()?;
        properties
            .iter()
            .find(|(_, schema)| schema.get("const").is_some_and(Value::is_string))
            .map(|(name, _)| name.clone())
    });
    let Some(tag) = tag else {
        return false;
    };
    let known = branches.iter_mut().find_map(|branch| {
        let said = branch
            .get_mut("properties")?
            .get_mut(&tag)?
            .get_mut("not")?;
        said.get_mut("enum")?.as_array_mut()
    });
    if let Some(known) = known {
        known.push(json!("zz_variant"));
    }
    let branch = json!({
        "type": "object",
        "properties": {&tag: {"const": "zz_variant"}, "zz_of_variant": {"type": "string"}},
        "required": [tag]
    });
    branches.insert(0, branch);
    true
}

fn value(members: &mut Map<String, Value>, _: usize, _: &[String]) -> bool {
    let values = members.get_mut("enum").and_then(Value::as_array_mut);
    values.is_some_and(|values| {
        let several = values.len() > 1 && values.iter().all(Value::is_string);
        if several {
            values.insert(0, json!("zz_value"));
        }
        several
    })
}
