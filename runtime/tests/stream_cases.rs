//! Whole wires, byte for byte, under every chunking: `tests/stream/CASE`, and the cases that were
//! handed in beside the repository, where they are present.

mod cases;

use cases::{Expected, Read, chunkings, read};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn own_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/stream");
    let mut faults = Vec::new();
    let mut reads = 0;
    for entry in fs::read_dir(folder).expect("the fixtures") {
        let folder = entry.expect("a folder").path();
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let wire = fs::read(folder.join("wire.jsonl")).expect("a wire");
        let text = fs::read_to_string(folder.join("expected.json")).expect("what is expected");
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        for spec in expected["reads"].as_array().expect("a list of reads") {
            reads += 1;
            check(&name, &wire, spec, spec, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(reads > 80, "only {reads} reads were found");
    println!("{reads} reads");
}

#[test]
fn handed_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases/stream");
    let Ok(text) = fs::read_to_string(folder.join("cases.json")) else {
        println!("not present: {}", folder.display());
        return;
    };
    let listed: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
    let mut faults = Vec::new();
    for case in &listed {
        let name = case["file"].as_str().expect("a file");
        let wire = fs::read(folder.join(name)).expect("a wire");
        for (spec, expected) in variants(name, case) {
            check(name, &wire, &spec, &expected, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("{} handed cases pass", listed.len());
}

/// What is read of a handed case with which settings. Notes say in words what other cases say in
/// members; they are spelt out here.
fn variants(name: &str, case: &Value) -> Vec<(Value, Value)> {
    let options = &case["options"];
    let reader = &case["reader"];
    let mut base = serde_json::json!({
        "framing": if case["mode"] == "envelope" { "envelope" } else { "item" },
        "max_frame_bytes": 1 << 20,
        "shape": {"message": "object", "kind": "string", "text": "string"},
    });
    if case["mode"] == "item" {
        base["terminal"] = serde_json::json!({"type": "result"});
    }
    for option in ["terminal", "max_frame_bytes"] {
        if !options[option].is_null() {
            base[option] = options[option].clone();
        }
    }
    let with = |changes: Value| {
        let mut spec = base.clone();
        let all = spec.as_object_mut().expect("an object");
        all.extend(changes.as_object().expect("an object").clone());
        spec
    };
    let rule = |rule: &str| with(serde_json::json!({ "final_line": rule }));
    match name.get(..2).expect("a number") {
        "05" => ["STREAM_ABORTED", "STREAM_IDLE_TIMEOUT"]
            .map(|code| {
                let stop = with(serde_json::json!({"stop": code}));
                (stop, serde_json::json!({"items": 2, "error": code}))
            })
            .into(),
        "07" => vec![
            (
                with(serde_json::json!({"framing": "feed", "max_frame_bytes": 64})),
                serde_json::json!({"items": 1, "end": "clean"}),
            ),
            (
                with(serde_json::json!({"framing": "feed", "max_frame_bytes": 63})),
                serde_json::json!({"items": 0, "error": "STREAM_FRAME_TOO_LARGE", "line": 1}),
            ),
        ],
        "14" => {
            let mut skipping = reader["skip_and_count"].clone();
            skipping["end"] = Value::from("terminal");
            vec![
                (base.clone(), reader.clone()),
                (with(serde_json::json!({"noise": "skip"})), skipping),
            ]
        }
        "22" => ["allow", "require-newline"]
            .map(|name| {
                let error = reader["error"][name].clone();
                (
                    rule(name),
                    serde_json::json!({"items": 2, "error": error, "line": 3}),
                )
            })
            .into(),
        "23" => vec![
            (
                rule("allow"),
                serde_json::json!({"items": 3, "end": "terminal"}),
            ),
            (
                rule("require-newline"),
                serde_json::json!({"items": 2, "error": "STREAM_TRUNCATED_LINE"}),
            ),
        ],
        "32" => vec![
            (
                base.clone(),
                serde_json::json!({"items": 2, "end": "terminal"}),
            ),
            (
                with(serde_json::json!({"without": "parent_tool_use_id"})),
                serde_json::json!({"items": 4, "end": "terminal"}),
            ),
        ],
        "44" => vec![(
            base.clone(),
            serde_json::json!({"items": 2, "end": "terminal"}),
        )],
        _ => {
            let mut expected = reader.clone();
            if expected["items"].is_null() {
                expected["items"] = Value::from(3);
            }
            if expected["error"].is_null() && expected["end"].is_null() {
                expected["end"] = Value::from("terminal");
            }
            vec![(base.clone(), expected)]
        }
    }
}

fn check(name: &str, wire: &[u8], spec: &Value, expected: &Value, faults: &mut Vec<String>) {
    let expected = Expected::of(expected);
    let mut whole: Option<Read> = None;
    for (how, chunks) in chunkings(wire) {
        let found = read(spec, &chunks);
        if let Some(fault) = expected.fault(&found) {
            faults.push(format!("{name}, {how}: {fault}\n  {found:?}"));
            return;
        }
        // Equal to the letter, messages and places too.
        let whole = whole.get_or_insert_with(|| found.clone());
        if *whole != found {
            faults.push(format!(
                "{name}, {how}: {found:?}\n  and as a whole {whole:?}"
            ));
            return;
        }
    }
}
