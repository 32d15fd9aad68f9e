//! Growth: how the gate's time follows the size of a union and of an object, each doubled twice.

use crate::checkers::wirelock;
use crate::clock::{cpu_time, median};
use crate::table::{Cell, Ratio, Row, Table, micros, words};
use anyhow::Result;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Rounds of each size, after one that is not counted.
const ROUNDS: usize = 5;

/// Both shapes at three sizes, the sizes in turn.
pub(crate) fn measure(table: &mut Table) -> Result<()> {
    sizes(table, "variants of a tagged union", [40, 80, 160], union)?;
    sizes(
        table,
        "fields of an object",
        [10_000, 20_000, 40_000],
        object,
    )
}

fn sizes(table: &mut Table, what: &str, sizes: [usize; 3], make: fn(usize) -> Value) -> Result<()> {
    let pairs = sizes.map(|size| (make(size).to_string(), make(size + 1).to_string()));
    let mut times: [Vec<Duration>; 3] = Default::default();
    let mut said = [String::new(), String::new(), String::new()];
    for round in 0..=ROUNDS {
        for (at, (old, new)) in pairs.iter().enumerate() {
            let time = cpu_time(|| {
                said[at] = words(wirelock(old, new)?);
                Ok(())
            })?;
            if round > 0 {
                times[at].push(time);
            }
        }
    }
    let mut before: Option<f64> = None;
    for ((size, times), said) in sizes.iter().zip(&times).zip(said) {
        let own = micros(median(times));
        let ratios = before.map(|before| Ratio {
            to: "half the size".to_owned(),
            factor: own / before,
            less: false,
        });
        table.rows.push(Row {
            part: "growth",
            subject: format!("{size} {what}, and one more"),
            cells: vec![Cell {
                checker: "wirelock".to_owned(),
                cpu_us: Some(own),
                said: Some(said),
                ..Cell::default()
            }],
            ratios: ratios.into_iter().collect(),
        });
        before = Some(own);
    }
    Ok(())
}

fn union(size: usize) -> Value {
    let variant = |number: usize| {
        json!({
            "type": "object",
            "properties": {
                "kind": {"const": format!("kind_{number}")},
                "count": {"type": "integer", "minimum": number},
                "names": {"type": "array", "items": {"type": "string", "maxLength": 10 + number}},
                "inner": {"$ref": "#"}
            },
            "required": ["kind", "count"]
        })
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "anyOf": (0..size).map(variant).collect::<Value>()
    })
}

fn object(size: usize) -> Value {
    let field = |number: usize| {
        let schema = match number % 4 {
            0 => json!({"type": "string", "maxLength": 1 + number}),
            1 => json!({"type": "integer", "minimum": number}),
            2 => json!({"enum": ["a", "b", number.to_string()]}),
            _ => json!({"type": ["array", "null"], "items": {"type": "boolean"}}),
        };
        (format!("field_{number}"), schema)
    };
    let required: Value = (0..size)
        .step_by(3)
        .map(|number| json!(format!("field_{number}")))
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": (0..size).map(field).collect::<Map<_, _>>(),
        "required": required
    })
}
