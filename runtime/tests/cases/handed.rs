//! The handed cases: what each of them means in the terms of the own ones.

use serde_json::Value;

/// What is read of a handed case with which settings. Notes say in words what other cases say in
/// members; they are spelt out here.
pub(crate) fn variants(name: &str, case: &Value) -> Vec<(Value, Value)> {
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
