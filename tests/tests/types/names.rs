//! Names stay where they are while a schema grows: fields, variants and values are added everywhere
//! and one by one, and no name or type that was there before may move.

use super::cases;
use super::grow::{self, GROWTH};
use std::collections::BTreeMap;
use wirelock_codegen::{evolution, json, wire};

/// Places that grow one by one, for each kind of growth; all of them grow together besides.
const SINGLE: usize = 6;

/// What moves all the same.
struct Known {
    /// What the schema's name begins with.
    schema: &'static str,
    /// What is told holds one of these.
    parts: &'static [&'static str],
    /// The place that has to grow for it; any place, where it is empty.
    place: &'static str,
    /// Why. It is here for those who read.
    _because: &'static str,
}

const SHARED: &str = "`Agent` and `Client` have branches without names that are equal and share a type; where `Agent` \
    grows they are told apart, and each is named by its own number, which moves those that come after";

const KNOWN: &[Known] = &[
    Known {
        schema: "acp-v1-2026-08",
        parts: &[
            "type `AgentClientProtocolValue3` is `AgentClientProtocolValue7` now",
            "type `AgentClientProtocolValue7` is `AgentClientProtocolValue8` now",
            "type `AgentClientProtocolValue7Params` is `AgentClientProtocolValue8Params` now",
            "type `AgentClientProtocolValue7ParamsObject` is `AgentClientProtocolValue8ParamsObject` now",
            "variant `AgentClientProtocol::AgentClientProtocolValue32` is `AgentClientProtocol::AgentClientProtocolValue7` now",
            "variant `AgentClientProtocol::AgentClientProtocolValue7` is `AgentClientProtocol::AgentClientProtocolValue8` now",
        ],
        place: "/anyOf/0",
        _because: SHARED,
    },
    Known {
        schema: "acp-v2-2026-08",
        parts: &[
            "type `AgentClientProtocol2Value3` is `AgentClientProtocol2Value7` now",
            "type `AgentClientProtocol2Value7` is `AgentClientProtocol2Value8` now",
            "variant `AgentClientProtocol2::AgentClientProtocol2Value32` is `AgentClientProtocol2::AgentClientProtocol2Value7` now",
            "variant `AgentClientProtocol2::AgentClientProtocol2Value7` is `AgentClientProtocol2::AgentClientProtocol2Value8` now",
        ],
        place: "/anyOf/0",
        _because: SHARED,
    },
    Known {
        schema: "acp-v",
        parts: &["ElicitationPropertySchemaStringFormat"],
        place: "",
        _because: "one variant's member becomes that of two, and is named by their union from then on",
    },
    Known {
        schema: "acp-v",
        parts: &["SessionConfigOptionCategory"],
        place: "",
        _because: "the place is named like a definition that only stands inside it, which takes its name once it stands alone",
    },
    Known {
        schema: "mcp-2025-11-25",
        parts: &["ElicitRequestParams"],
        place: "",
        _because: "a third variant makes a tag of a member that was none, and variants are named by their tags",
    },
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
                    let known = |known: &Known| {
                        name.starts_with(known.schema)
                            && known.parts.iter().any(|part| told.contains(part))
                            && (known.place.is_empty() || known.place == new.place)
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
