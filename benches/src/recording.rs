//! Recordings that are the same on every machine: whole runs in the proportions of the goldens, and
//! lines sampled from any schema.

use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use wirelock_codegen::wire::{NodeId, SampleOptions, Wire, sample};

/// The goldens of this repository, from this package's manifest.
const GOLDENS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/golden");
/// Where their lines name the session.
const SESSION: &str = "\"session_id\":\"";

/// At least that many bytes of whole runs of this repository's contract: the goldens in turn, each
/// time as a session of its own.
pub(crate) fn of_goldens(bytes: usize) -> Result<Vec<u8>> {
    let mut files: Vec<_> = std::fs::read_dir(GOLDENS)
        .context("the goldens cannot be read")?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    // What a run comes to stands beside it.
    files.retain(|path| path.extension().is_some_and(|own| own == "jsonl"));
    files.sort();
    let read = |path: &std::path::PathBuf| Ok(std::fs::read_to_string(path)?);
    let goldens: Vec<String> = files.iter().map(read).collect::<Result<_>>()?;
    ensure!(!goldens.is_empty(), "there are no goldens");
    let mut recording = Vec::with_capacity(bytes + (64 << 10));
    for number in 0_usize.. {
        if recording.len() >= bytes {
            break;
        }
        let golden = &goldens[number % goldens.len()];
        let session = format!("{SESSION}{number:06}-");
        recording.extend_from_slice(golden.replace(SESSION, &session).as_bytes());
    }
    Ok(recording)
}

/// At least that many bytes of lines that are valid at a place and hold nothing unknown.
pub(crate) fn of_samples(wire: &Wire, place: NodeId, bytes: usize) -> Result<Vec<u8>> {
    let mut lines = Vec::new();
    for seed in 0..400 {
        let options = SampleOptions::random(seed);
        if let Some(document) = sample(wire, place, &options) {
            let mut line = String::new();
            wirelock_codegen::json::write(&document, &mut line);
            line.push('\n');
            lines.push(line);
        }
    }
    ensure!(!lines.is_empty(), "nothing can be sampled");
    let mut recording = Vec::with_capacity(bytes + (64 << 10));
    for line in lines.iter().cycle() {
        if recording.len() >= bytes {
            break;
        }
        recording.extend_from_slice(line.as_bytes());
    }
    Ok(recording)
}

/// One definition of a schema as the root of a schema of its own.
pub(crate) fn rooted_at(schema: &Path, definition: &str) -> Result<String> {
    let text = std::fs::read_to_string(schema)
        .with_context(|| format!("{} cannot be read", schema.display()))?;
    let mut schema: serde_json::Value = serde_json::from_str(&text)?;
    let definitions = ["$defs", "definitions"];
    let home = definitions.into_iter().find(|home| {
        let pointer = format!("/{home}/{definition}");
        schema.pointer(&pointer).is_some()
    });
    let home = home.with_context(|| format!("there is no definition {definition}"))?;
    let kept: serde_json::Map<String, serde_json::Value> = ["$schema", "$defs", "definitions"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), schema.get_mut(name)?.take())))
        .collect();
    let mut rooted = serde_json::Value::Object(kept);
    rooted["$ref"] = format!("#/{home}/{definition}").into();
    Ok(rooted.to_string())
}
