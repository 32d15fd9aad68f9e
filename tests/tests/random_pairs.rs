//! Random pairs of schemas: where the gate calls the wire the same, no document changes sides.
//!
//! Schemas are small and dense in what is hard to compare (choices inside choices, exclusions,
//! conditions, recursion), and an independent validator judges the documents.

use serde_json::{Map, Value, json};
use wirelock_codegen::evolution::{self, Verdict};
use wirelock_codegen::wire;

/// A reproducible source of choices (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % count as u64) as usize
    }

    fn pick(&mut self, values: &[Value]) -> Value {
        values[self.below(values.len())].clone()
    }
}

/// Every document that is tried.
fn documents() -> Vec<Value> {
    let scalars = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(2.5),
        json!(-1),
        json!("x"),
        json!("y"),
        json!("xy"),
        json!(""),
    ];
    let mut all = scalars.to_vec();
    all.extend([
        json!([]),
        json!({}),
        json!([[]]),
        json!([{}]),
        json!({"a": {}}),
        json!({"a": []}),
    ]);
    for one in &scalars {
        all.extend([
            json!([one]),
            json!({"a": one}),
            json!({"k": one}),
            json!({"a": {"a": one}}),
        ]);
        for other in [json!(null), json!(1), json!("x"), json!("y")] {
            all.extend([
                json!([one, other]),
                json!({"a": one, "k": other}),
                json!({"a": one, "b": other}),
            ]);
        }
    }
    all
}

/// One keyword or a few that belong together.
fn keyword(random: &mut Random, depth: usize, into: &mut Map<String, Value>) {
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!("x"),
        json!("y"),
        json!({}),
        json!({"a": 1}),
    ];
    let types = [
        json!("null"),
        json!("boolean"),
        json!("integer"),
        json!("number"),
        json!("string"),
        json!("array"),
        json!("object"),
    ];
    let name = ["a", "b", "k"][random.below(3)];
    let mut insert = |name: &str, value: Value| {
        into.insert(name.to_owned(), value);
    };
    match random.below(if depth == 0 { 9 } else { 20 }) {
        0 => insert("type", random.pick(&types)),
        1 => insert("type", json!(["null", random.pick(&types[1..])])),
        2 => insert("const", random.pick(&values)),
        3 => insert(
            "enum",
            json!([random.pick(&values[..4]), random.pick(&values[4..])]),
        ),
        4 => insert("minimum", json!(random.below(2))),
        5 => insert("maxLength", json!(random.below(3))),
        6 => insert("required", json!([name])),
        7 => insert("$ref", json!(format!("#/$defs/d{}", random.below(2)))),
        8 => insert(
            ["maxItems", "minItems", "minProperties", "maxProperties"][random.below(4)],
            json!(random.below(3)),
        ),
        9 | 10 => {
            let mut properties = Map::new();
            for _ in 0..=random.below(2) {
                let name = ["a", "b", "k"][random.below(3)];
                properties.insert(name.to_owned(), schema(random, depth - 1));
            }
            insert("properties", properties.into());
        }
        11 => insert("additionalProperties", schema(random, depth - 1)),
        12 => insert("items", schema(random, depth - 1)),
        13 => insert("prefixItems", json!([schema(random, depth - 1)])),
        14 => insert("not", schema(random, depth - 1)),
        15 => {
            insert("if", schema(random, depth - 1));
            insert(["then", "else"][random.below(2)], schema(random, depth - 1));
        }
        16 => insert("allOf", branches(random, depth)),
        17 => insert("anyOf", branches(random, depth)),
        _ => insert("oneOf", branches(random, depth)),
    }
}

fn branches(random: &mut Random, depth: usize) -> Value {
    let count = 1 + random.below(3);
    (0..count).map(|_| schema(random, depth - 1)).collect()
}

fn schema(random: &mut Random, depth: usize) -> Value {
    match random.below(12) {
        0 => return json!(random.below(2) == 0),
        1 => return json!({}),
        _ => {}
    }
    let mut members = Map::new();
    for _ in 0..=random.below(2) {
        keyword(random, depth, &mut members);
    }
    members.into()
}

/// The places of a value that hold schemas, by pointer.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    let Some(members) = value.as_object() else {
        return;
    };
    for (name, inner) in members {
        let at = format!("{pointer}/{name}");
        match (name.as_str(), inner) {
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
                for (index, inner) in list.iter().enumerate() {
                    places(inner, &format!("{at}/{index}"), found);
                }
            }
            ("properties" | "$defs", Value::Object(inner)) => {
                for (name, inner) in inner {
                    places(inner, &format!("{at}/{name}"), found);
                }
            }
            ("not" | "if" | "then" | "else" | "items" | "additionalProperties", inner) => {
                places(inner, &at, found);
            }
            _ => {}
        }
    }
}

/// A small change somewhere; many of them keep the wire, so that the gate has to tell.
fn mutate(random: &mut Random, root: &mut Value) {
    let mut all = Vec::new();
    places(root, "", &mut all);
    let at = all[random.below(all.len())].clone();
    if at.is_empty() {
        return;
    }
    let fresh = schema(random, 1);
    let Some(place) = root.pointer_mut(&at) else {
        return;
    };
    let before = place.clone();
    let choice = random.below(9);
    *place = match choice {
        0 => fresh,
        1 => json!({"allOf": [before]}),
        2 => json!({"anyOf": [before, fresh]}),
        3 => json!({"oneOf": [before, before, fresh]}),
        4 => json!({"anyOf": [before, {"oneOf": [before, fresh]}]}),
        5 => json!({"oneOf": [before, false]}),
        6 => json!({"not": {"not": before}}),
        _ => {
            let mut members = before.as_object().cloned().unwrap_or_default();
            let swapped = [("anyOf", "oneOf"), ("oneOf", "anyOf")];
            for (from, to) in swapped.into_iter().filter(|_| choice == 7) {
                if !members.contains_key(to)
                    && let Some(list) = members.remove(from)
                {
                    members.insert(to.to_owned(), list);
                    break;
                }
            }
            if choice == 8
                && let Some(name) = members
                    .keys()
                    .nth(random.below(members.len().max(1)))
                    .cloned()
            {
                match members.get_mut(&name) {
                    Some(Value::Array(list)) if name.ends_with("Of") && list.len() > 1 => {
                        list.reverse()
                    }
                    _ => drop(members.remove(&name)),
                }
            }
            members.into()
        }
    };
}

fn root(random: &mut Random) -> Value {
    let mut root = Map::new();
    for _ in 0..=random.below(2) {
        keyword(random, 3, &mut root);
    }
    let definitions = json!({"d0": schema(random, 1), "d1": schema(random, 2)});
    root.insert("$defs".to_owned(), definitions);
    root.into()
}

/// The validator of a schema; `None` where it has no meaning (a reference that only leads to itself).
fn validator(schema: &Value) -> Option<jsonschema::Validator> {
    jsonschema::validator_for(schema).ok()
}

/// Whether some `$ref` cycle applies to one and the same document, on which validators do not end.
fn leads_to_itself(schema: &Value) -> bool {
    fn in_place<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
        let Some(members) = value.as_object() else {
            return;
        };
        for (name, inner) in members {
            match (name.as_str(), inner) {
                ("$ref", Value::String(target)) => found.push(target),
                ("allOf" | "anyOf" | "oneOf", Value::Array(list)) => {
                    list.iter().for_each(|inner| in_place(inner, found));
                }
                ("not" | "if" | "then" | "else", inner) => in_place(inner, found),
                _ => {}
            }
        }
    }
    let next = |name: &str| {
        let mut found = Vec::new();
        in_place(&schema["$defs"][name], &mut found);
        found
    };
    let (zero, one) = (next("d0"), next("d1"));
    let leads = |from: &[&str], to: &str| from.contains(&to);
    leads(&zero, "#/$defs/d0")
        || leads(&one, "#/$defs/d1")
        || leads(&zero, "#/$defs/d1") && leads(&one, "#/$defs/d0")
}

#[test]
fn what_is_called_the_same_is_the_same() {
    let seed = std::env::var("RANDOM_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let count = std::env::var("RANDOM_COUNT")
        .ok()
        .and_then(|count| count.parse().ok());
    let mut random = Random(seed.unwrap_or(1));
    let documents = documents();
    let (mut same, mut faults) = (0, Vec::new());
    for _ in 0..count.unwrap_or(6_000) {
        let old = root(&mut random);
        let mut new = old.clone();
        for _ in 0..=random.below(2) {
            mutate(&mut random, &mut new);
        }
        if old == new || leads_to_itself(&old) || leads_to_itself(&new) {
            continue;
        }
        let read = |schema: &Value| wire::read("random", &schema.to_string());
        let (Ok(before), Ok(after)) = (read(&old), read(&new)) else {
            continue;
        };
        let found = evolution::compare(&before, &after);
        if !matches!(found.verdict(), Verdict::Identical | Verdict::Editorial) {
            continue;
        }
        let (Some(was), Some(is)) = (validator(&old), validator(&new)) else {
            continue;
        };
        same += 1;
        let side = documents
            .iter()
            .find(|document| was.is_valid(document) != is.is_valid(document));
        if let Some(document) = side {
            faults.push(format!("{document} changes sides:\n  {old}\n  {new}"));
        }
    }
    assert!(same > 100, "only {same} pairs were called the same");
    faults.sort_by_key(String::len);
    let count = faults.len();
    faults.truncate(5);
    assert!(
        faults.is_empty(),
        "{count} of {same}:\n{}",
        faults.join("\n")
    );
}
