//! Pairs that grow as contracts do: one more optional field, value, variant or type, mostly.

use crate::Chance;
use crate::pairs::{edit, is_whole};
use crate::schemas::{self, NAMES};
use crate::spots::spots;
use serde_json::{Value, json};

/// The n-th pair of a seed, the smaller revision first.
#[must_use]
pub fn growth(seed: u64, number: usize) -> (Value, Value) {
    let mut chance = Chance::of(seed ^ 0x6A09, number);
    let old = match chance.below(3) {
        0 => schemas::schema(&mut chance),
        _ => schemas::contract(&mut chance),
    };
    for _ in 0..20 {
        let mut new = old.clone();
        for _ in 0..=chance.below(2) {
            grow(&mut new, &mut chance);
        }
        // Growth beside another edit is where a judgement is most easily wrong.
        if chance.once_in(3) {
            let places = spots(&new);
            let place = chance.one(&places).clone();
            if let Some(spot) = new.pointer_mut(&place) {
                edit(spot, place.is_empty(), &mut chance);
            }
        }
        if is_whole(&new) && new != old {
            return (old, new);
        }
    }
    (old.clone(), old)
}

fn grow(schema: &mut Value, chance: &mut Chance) {
    let places = spots(schema);
    // From a random place on, the first that can grow does.
    let first = chance.below(places.len());
    for step in 0..places.len() {
        let place = &places[(first + step) % places.len()];
        if let Some(spot) = schema.pointer_mut(place)
            && grow_at(spot, chance)
        {
            return;
        }
    }
}

fn grow_at(spot: &mut Value, chance: &mut Chance) -> bool {
    let Some(members) = spot.as_object_mut() else {
        return false;
    };
    if let Some(properties) = members.get_mut("properties").and_then(Value::as_object_mut)
        && chance.once_in(2)
    {
        let name = (*chance.one(NAMES)).to_owned();
        if properties.contains_key(&name) {
            return false;
        }
        properties.insert(name, schemas::part(chance, 1));
        return true;
    }
    if let Some(values) = members.get_mut("enum").and_then(Value::as_array_mut) {
        let value = json!(chance.one(schemas::STRINGS));
        if values.contains(&value) {
            return false;
        }
        values.push(value);
        return true;
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(branches) = members.get_mut(union).and_then(Value::as_array_mut) {
            return add_branch(branches, chance);
        }
    }
    let has_members = members.contains_key("properties");
    match members.get_mut("type") {
        Some(Value::Array(kinds)) => {
            let kind = json!(chance.one(&["null", "integer", "string", "array", "object"]));
            let is_new = !kinds.contains(&kind);
            if is_new {
                kinds.push(kind);
            }
            is_new
        }
        Some(kind) if kind == "object" && !has_members => {
            let name = *chance.one(NAMES);
            members.insert(
                "properties".to_owned(),
                json!({name: schemas::part(chance, 1)}),
            );
            true
        }
        _ => false,
    }
}

/// One more variant, which the catch-all makes room for where there is one.
fn add_branch(branches: &mut Vec<Value>, chance: &mut Chance) -> bool {
    let tag = *chance.one(&["abc", "ba", "é"]);
    let branch = match chance.below(3) {
        0 => schemas::part(chance, 2),
        _ => json!({
            "type": "object",
            "properties": {"type": {"const": tag}, "a": schemas::part(chance, 1)},
            "required": ["type"]
        }),
    };
    let known = branches.iter_mut().find_map(|branch| {
        branch
            .pointer_mut("/properties/type/not/enum")?
            .as_array_mut()
    });
    if let Some(known) = known {
        if known.contains(&json!(tag)) {
            return false;
        }
        known.push(json!(tag));
    }
    let at = chance.below(branches.len() + 1);
    branches.insert(at, branch);
    true
}
