//! What is asked: pairs of schemas from files beside the repository, crossed pairs, random pairs.

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use wirelock_codegen::wire;
use wirelock_tests::{Chance, growth, pairs};

/// Two schemas, and what is known of them beforehand.
pub(crate) struct Case {
    /// The set and the place in it, as `suites/karapace/some-pair`.
    pub(crate) id: String,
    pub(crate) old: String,
    pub(crate) new: String,
    /// Set truth for backward and forward, where it is settled.
    pub(crate) truth: [Option<bool>; 2],
    /// What the rule of growth says, where someone said it.
    pub(crate) additive: Option<bool>,
}

/// Cases that are counted together.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Suite {
    id: String,
    old_2020: Box<RawValue>,
    new_2020: Box<RawValue>,
    semantic_backward: Option<bool>,
    semantic_forward: Option<bool>,
}

#[derive(Deserialize)]
struct Reported {
    id: String,
    old: Box<RawValue>,
    new: Box<RawValue>,
    backward: Option<bool>,
    forward: Option<bool>,
    additive: Option<bool>,
}

#[derive(Deserialize)]
struct Reviewed {
    id: String,
    old: String,
    new: String,
    backward: Option<bool>,
    forward: Option<bool>,
    additive: Option<bool>,
}

/// The folder of third-party data that stands beside the repository on some machines only.
pub(crate) fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")
}

/// Every file of suites, in the order of their names.
pub(crate) fn suites() -> Result<Vec<Set>> {
    let folder = shared().join("suites");
    let mut files: Vec<PathBuf> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
            .collect(),
        Err(_) => {
            absent(&folder);
            return Ok(Vec::new());
        }
    };
    files.sort();
    files.iter().map(|path| suite(path)).collect()
}

/// One file laid out as the suites are.
pub(crate) fn suite(path: &Path) -> Result<Set> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("suites/{stem}");
    let cases = lines(path)?
        .iter()
        .map(|line| {
            let pair: Suite = serde_json::from_str(line)?;
            Ok(Case {
                id: format!("{name}/{}", pair.id),
                old: pair.old_2020.get().to_owned(),
                new: pair.new_2020.get().to_owned(),
                truth: [pair.semantic_backward, pair.semantic_forward],
                additive: None,
            })
        })
        .collect::<Result<_>>()
        .with_context(|| path.display().to_string())?;
    Ok(Set { name, cases })
}

/// Pairs from public bug reports.
pub(crate) fn reported() -> Result<Option<Set>> {
    let path = shared().join("cases/evolution/pairs.jsonl");
    if !path.is_file() {
        absent(&path);
        return Ok(None);
    }
    let cases = lines(&path)?
        .iter()
        .map(|line| {
            let pair: Reported = serde_json::from_str(line)?;
            Ok(Case {
                id: format!("reports/{}", pair.id),
                old: pair.old.get().to_owned(),
                new: pair.new.get().to_owned(),
                truth: [pair.backward, pair.forward],
                additive: pair.additive,
            })
        })
        .collect::<Result<_>>()
        .with_context(|| path.display().to_string())?;
    Ok(Some(Set {
        name: "reports".to_owned(),
        cases,
    }))
}

/// Neighbouring revisions of real schemas, with a reviewer's verdict.
pub(crate) fn reviewed() -> Result<Option<Set>> {
    let folder = shared().join("corpus");
    let path = folder.join("verdicts.jsonl");
    if !path.is_file() {
        absent(&path);
        return Ok(None);
    }
    let cases = lines(&path)?
        .iter()
        .map(|line| {
            let pair: Reviewed = serde_json::from_str(line)?;
            let text = |name: &str| {
                std::fs::read_to_string(folder.join(name)).with_context(|| name.to_owned())
            };
            Ok(Case {
                id: format!("corpus/{}", pair.id),
                old: text(&pair.old)?,
                new: text(&pair.new)?,
                truth: [pair.backward, pair.forward],
                additive: pair.additive,
            })
        })
        .collect::<Result<_>>()
        .with_context(|| path.display().to_string())?;
    Ok(Some(Set {
        name: "corpus".to_owned(),
        cases,
    }))
}

/// Schemas of the suites paired across, by a fixed seed.
pub(crate) fn crossed(suites: &[Set], count: usize, seed: u64) -> Option<Set> {
    let mut schemas: Vec<&str> = suites
        .iter()
        .flat_map(|set| &set.cases)
        .flat_map(|case| [case.old.as_str(), case.new.as_str()])
        .collect();
    schemas.sort_unstable();
    schemas.dedup();
    if schemas.len() < 2 {
        return None;
    }
    let mut chance = Chance::new(seed);
    let mut cases = Vec::with_capacity(count);
    for number in 0..count {
        let old = chance.below(schemas.len());
        // One of the others, each as likely.
        let new = (old + 1 + chance.below(schemas.len() - 1)) % schemas.len();
        cases.push(Case {
            id: format!("crossed/{seed}/{number}"),
            old: schemas[old].to_owned(),
            new: schemas[new].to_owned(),
            truth: [None, None],
            additive: None,
        });
    }
    let cases = cases.into_iter().flat_map(by_definition).collect();
    Some(Set {
        name: "crossed".to_owned(),
        cases,
    })
}

/// Where both roots constrain nothing the prover compares definition by definition, and the peers
/// know of roots alone; so that all answer one question, each definition becomes a root.
fn by_definition(case: Case) -> Vec<Case> {
    let names = |text: &str| -> Option<Vec<String>> {
        let wire = wire::read("s", text).ok()?;
        let names = wire.roots.into_iter().map(|root| root.name);
        names.collect()
    };
    let (Some(old), Some(new)) = (names(&case.old), names(&case.new)) else {
        return vec![case];
    };
    let shared = old.iter().filter(|name| new.contains(name));
    let part = |name: &String| {
        Some(Case {
            id: format!("{}/{name}", case.id),
            old: starting_at(&case.old, name)?,
            new: starting_at(&case.new, name)?,
            truth: [None, None],
            additive: None,
        })
    };
    shared.filter_map(part).collect()
}

/// A schema whose root constrains nothing, made to ask for one of its definitions.
fn starting_at(text: &str, name: &str) -> Option<String> {
    let mut schema: Value = serde_json::from_str(text).ok()?;
    let members = schema.as_object_mut()?;
    let holds = |place: &&&str| {
        let place = members.get(**place);
        place.is_some_and(|definitions| definitions.get(name).is_some())
    };
    let place = ["$defs", "definitions"].iter().find(holds)?;
    let name = name.replace('~', "~0").replace('/', "~1");
    let reference = json!({"$ref": format!("#/{place}/{name}")});
    // Beside other members a `$ref` would hide them in the older drafts.
    match members.get_mut("allOf") {
        Some(Value::Array(all)) => all.push(reference),
        _ => {
            members.insert("allOf".to_owned(), json!([reference]));
        }
    }
    Some(schema.to_string())
}

/// Pairs that the generators of the property tests make: `random` by any edit, `growth` as contracts
/// grow.
pub(crate) fn random(name: &str, count: usize, seed: u64) -> Set {
    let make = match name {
        "growth" => growth::growth,
        _ => pairs::pair,
    };
    let cases = (0..count)
        .flat_map(|number| {
            let (old, new) = make(seed, number);
            by_definition(Case {
                id: format!("{name}/{seed}/{number}"),
                old: old.to_string(),
                new: new.to_string(),
                truth: [None, None],
                additive: None,
            })
        })
        .collect();
    Set {
        name: name.to_owned(),
        cases,
    }
}

fn lines(path: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    Ok(filled.map(str::to_owned).collect())
}

fn absent(path: &Path) {
    eprintln!("not present, not asked: {}", path.display());
}
