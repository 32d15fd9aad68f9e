//! Names stay where they are while a schema grows: fields, variants and values are added everywhere
//! and one by one, and no name or type that was there before may move.

use super::cases;
use super::grow::{self, GROWTH};
use std::collections::BTreeMap;
use wirelock_codegen::{evolution, json, wire};

/// Places that grow one by one, for each kind of growth; all of them grow together besides.
const SINGLE: usize = 6;

/// What moves all the same: a schema's name begins with the first, what is told holds the second.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "acp-v",
        "ElicitationPropertySchemaStringFormat",
        "one variant's member becomes that of two, and is named by their union from then on",
    ),
    (
        "acp-v",
        "SessionConfigOptionCategory",
        "the place is named like a definition that only stands inside it, which takes its name once it stands alone",
    ),
    (
        "mcp-2025-11-25",
        "ElicitRequestParams",
        "a third variant makes a tag of a member that was none, and variants are named by their tags",
    ),
];

#[test]
fn names_stay_where_they_are_while_schemas_grow() {
    let wanted = std::env::var("WIRELOCK_TYPES").unwrap_or_default();
    // Each fault once, with the first way that shows it and how many more do.
    let mut faults: BTreeMap<String, (String, usize)> = BTreeMap::new();
    let mut tried = 0;
    for (name, path) in cases::all() {
        if !wanted.is_empty()
            && !wanted
                .split(',')
                .any(|wanted| wanted == name || wanted == "all")
        {
            continue;
        }
        let text = cases::read(&path);
        let schema = json::parse(&text).unwrap_or_else(|_| panic!("{name} is JSON"));
        let old = wire::read(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        let started = std::time::Instant::now();
        // The largest are grown everywhere at once alone: each comparison takes seconds there.
        let large = text.len() > 1_000_000;
        if large && wanted.is_empty() {
            println!("{name}: not grown, because it is large; WIRELOCK_TYPES={name} grows it");
            continue;
        }
        let singles = if large { 0 } else { SINGLE };
        let mut grown = 0;
        for (kind, grow) in GROWTH {
            for new in grow::grown(&schema, *grow, singles) {
                let mut text = String::new();
                json::write(&new.schema, &mut text);
                // Where a schema grows past what the wire view unfolds there is nothing to compare.
                let Ok(new_wire) = wire::read(&name, &text) else {
                    continue;
                };
                grown += 1;
                for change in evolution::generated_api(&old, &new_wire) {
                    let told = format!("{} ({})", change.message, change.subject);
                    let known = |(schema, part, _): &(&str, &str, &str)| {
                        name.starts_with(schema) && told.contains(part)
                    };
                    if KNOWN.iter().any(known) {
                        continue;
                    }
                    let fault = format!("{name}: {told}");
                    let way = || (format!("{kind} {}", new.place), 0);
                    faults.entry(fault).or_insert_with(way).1 += 1;
                }
            }
        }
        println!("{name}: grown in {grown} ways, {:?}", started.elapsed());
        tried += grown;
    }
    assert!(tried > 0, "nothing was grown");
    let shown: Vec<String> = faults
        .iter()
        .take(60)
        .map(|(fault, (way, times))| format!("{fault}, by {way}, {times} times"))
        .collect();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        shown.join("\n")
    );
}
