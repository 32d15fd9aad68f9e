//! Types that are measured and that nobody commits: `typify`'s of our contract, and both
//! generators' of a contract from outside, where its schema lies beside the repository.

use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use wirelock_codegen::{emit, wire};

/// The Agent Client Protocol as it is handed in beside the repository.
const OUTSIDE: &str = "../../../shared/corpus/schemas/acp-v1-2026-08.json";
const OURS: &str = "../../schema/stream-json.schema.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={OURS}");
    println!("cargo::rerun-if-changed={OUTSIDE}");
    println!("cargo::rustc-check-cfg=cfg(outside)");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    by_typify(&fs::read_to_string(OURS)?, &out.join("stream_typify.rs"))?;
    if Path::new(OUTSIDE).is_file() {
        println!("cargo::rustc-cfg=outside");
        let schema = updates_alone(&fs::read_to_string(OUTSIDE)?)?;
        by_typify(&schema, &out.join("acp_typify.rs"))?;
        let wire = wire::read("acp.json", &schema)?;
        let emitted = emit::rust(
            &wire,
            &emit::Options::new("acp.json", "bench").with_borrowed(),
        )?;
        fs::write(out.join("acp.rs"), emitted.code)?;
    }
    Ok(())
}

/// The schema with one root, which is what an agent streams: `session/update`. Definitions that it
/// does not lead to are left out, because `typify` panics at some of them.
fn updates_alone(text: &str) -> Result<String, Box<dyn Error>> {
    let schema: Value = serde_json::from_str(text)?;
    let mut kept = serde_json::Map::new();
    let mut wanted = vec!["SessionNotification".to_owned()];
    while let Some(name) = wanted.pop() {
        if !kept.contains_key(&name) {
            let definition = schema["$defs"][&name].clone();
            references(&definition, &mut wanted);
            kept.insert(name, definition);
        }
    }
    let root = json!({
        "$schema": schema["$schema"],
        "title": "Update",
        "$ref": "#/$defs/SessionNotification",
        "$defs": kept,
    });
    Ok(root.to_string())
}

/// The names of the definitions that a schema refers to.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            let reference = members.get("$ref").and_then(Value::as_str);
            found.extend(
                reference
                    .and_then(|to| to.strip_prefix("#/$defs/"))
                    .map(str::to_owned),
            );
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(elements) => elements.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// What `typify` makes of a schema, but for `contains`, which it refuses to read.
fn by_typify(text: &str, path: &Path) -> Result<(), Box<dyn Error>> {
    let mut schema: Value = serde_json::from_str(text)?;
    drop_contains(&mut schema);
    let schema: schemars::schema::RootSchema = serde_json::from_value(schema)?;
    let mut space = typify::TypeSpace::default();
    space.add_root_schema(schema)?;
    fs::write(path, space.to_stream().to_string())?;
    Ok(())
}

fn drop_contains(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.remove("contains");
            members.values_mut().for_each(drop_contains);
        }
        Value::Array(elements) => elements.iter_mut().for_each(drop_contains),
        _ => {}
    }
}
