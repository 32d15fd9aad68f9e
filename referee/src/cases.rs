//! What is asked: pairs of schemas from files beside the repository, crossed pairs, random pairs.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use wirelock_codegen::wire;
use wirelock_tests::handed::{self, Reported, Reviewed, Suite};
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

/// Every file of suites, in the order of their names.
pub(crate) fn suites() -> Result<Vec<Set>> {
    let folder = handed::shared().join("suites");
    let mut files: Vec<PathBuf> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
            .collect(),
        Err(_) => {
            eprintln!("not present, not asked: {}", folder.display());
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
    let pairs = handed::read::<Suite>(path)?;
    let pairs = pairs.with_context(|| format!("there is no {}", path.display()))?;
    let cases = pairs.into_iter().map(|pair| Case {
        id: format!("{name}/{}", pair.id),
        old: pair.old_2020.get().to_owned(),
        new: pair.new_2020.get().to_owned(),
        truth: [pair.semantic_backward, pair.semantic_forward],
        additive: None,
    });
    let cases = cases.collect();
    Ok(Set { name, cases })
}

/// Pairs from public bug reports.
pub(crate) fn reported() -> Result<Option<Set>> {
    let pairs = handed::read::<Reported>(&handed::shared().join("cases/evolution/pairs.jsonl"))?;
    let case = |pair: Reported| Case {
        id: format!("reports/{}", pair.id),
        old: pair.old.get().to_owned(),
        new: pair.new.get().to_owned(),
        truth: [pair.backward, pair.forward],
        additive: pair.additive,
    };
    Ok(pairs.map(|pairs| Set {
        name: "reports".to_owned(),
        cases: pairs.into_iter().map(case).collect(),
    }))
}

/// Neighbouring revisions of real schemas, with a reviewer's verdict.
pub(crate) fn reviewed() -> Result<Option<Set>> {
    let folder = handed::shared().join("corpus");
    let text =
        |name: &str| std::fs::read_to_string(folder.join(name)).with_context(|| name.to_owned());
    let case = |pair: Reviewed| {
        Ok(Case {
            id: format!("corpus/{}", pair.id),
            old: text(&pair.old)?,
            new: text(&pair.new)?,
            truth: [pair.backward, pair.forward],
            additive: pair.additive,
        })
    };
    let Some(pairs) = handed::read::<Reviewed>(&folder.join("verdicts.jsonl"))? else {
        return Ok(None);
    };
    Ok(Some(Set {
        name: "corpus".to_owned(),
        cases: pairs.into_iter().map(case).collect::<Result<_>>()?,
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
