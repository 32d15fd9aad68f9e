//! The gate on cases from elsewhere: public bug reports, real revisions, other projects' suites.
//!
//! They lie beside the repository and not in it, so that a fresh clone has no third-party data;
//! where the folder is missing a test says so and passes.

use serde::de::DeserializeOwned;
use wirelock_codegen::evolution::{self, Answer, Comparison, Verdict};
use wirelock_codegen::wire::{self, Origin};
use wirelock_tests::handed::{Reported, Reviewed, Suite, read, shared};

/// Where the gate's answer is right and the listed one another, each with the reason.
const DEVIATIONS: &[(&str, &str)] = &[(
    "ghw-array-to-scalar-or-array",
    "under draft 7 a `$ref` hides its siblings, so no place of a document reaches the definition that changed",
)];

#[test]
fn pairs_from_bug_reports() {
    let Some(pairs) = cases::<Reported>("cases/evolution/pairs.jsonl") else {
        return;
    };
    let mut faults = Vec::new();
    for pair in &pairs {
        let found = match compare(&pair.id, pair.old.get(), pair.new.get()) {
            Ok(found) => found,
            Err(why) => {
                faults.push(why);
                continue;
            }
        };
        additive(&pair.id, pair.additive, &found, &mut faults);
        for rule in &pair.rules {
            if !found.changes.iter().any(|change| change.rule == rule) {
                faults.push(format!("{}: {rule} does not fire{}", pair.id, said(&found)));
            }
        }
    }
    conclude(&faults, pairs.len());
}

/// The rules that report a listed removal or rename; a removed name may be told as a renamed one,
/// which names it too. A definition is no place of a document where the schema has a root.
const LOSSES: &[(&str, &[&str])] = &[
    (
        "removed_required",
        &["property-removed", "property-renamed"],
    ),
    (
        "removed_optional",
        &["property-removed", "property-renamed"],
    ),
    ("renamed_required", &["property-renamed"]),
    ("renamed_optional", &["property-renamed"]),
    (
        "union_variant_removed",
        &["variant-removed", "variant-renamed", "type-narrowed"],
    ),
    (
        "enum_value_removed",
        &["enum-value-removed", "enum-value-renamed"],
    ),
    ("enum_value_renamed", &["enum-value-renamed"]),
    ("def_removed", &["definition-removed"]),
    ("def_renamed", &["definition-renamed"]),
];

#[test]
fn real_revisions() {
    let Some(cases) = cases::<Reviewed>("corpus/verdicts.jsonl") else {
        return;
    };
    let folder = shared().join("corpus");
    let mut faults = Vec::new();
    let mut deviated = Vec::new();
    for case in &cases {
        let text = |path: &str| std::fs::read_to_string(folder.join(path)).expect("a revision");
        let (old, new) = (text(&case.old), text(&case.new));
        let found = match compare(&case.id, &old, &new) {
            Ok(found) => found,
            Err(why) => {
                faults.push(why);
                continue;
            }
        };
        let mut own = Vec::new();
        losses(case, (&old, &new), &found, &mut own);
        additive(&case.id, case.additive, &found, &mut own);
        refuted(&case.id, [case.backward, case.forward], &found, &mut own);
        if DEVIATIONS.iter().any(|(id, _)| *id == case.id) {
            if own.is_empty() {
                faults.push(format!("{}: deviates no longer, so its row goes", case.id));
            }
            deviated.push(&case.id);
        } else {
            faults.append(&mut own);
        }
    }
    for (id, why) in DEVIATIONS {
        if !deviated.iter().any(|one| *one == id) {
            faults.push(format!("{id}: no such case ({why})"));
        }
    }
    conclude(&faults, cases.len());
}

/// What these suites say of growth is their own; what they prove of sets holds for everyone.
#[test]
fn compatibility_suites() {
    for name in ["suites/jsoncompat.jsonl", "suites/karapace.jsonl"] {
        let Some(cases) = cases::<Suite>(name) else {
            continue;
        };
        let mut faults = Vec::new();
        for case in &cases {
            match compare(&case.id, case.old_2020.get(), case.new_2020.get()) {
                Ok(found) => refuted(
                    &case.id,
                    [case.semantic_backward, case.semantic_forward],
                    &found,
                    &mut faults,
                ),
                Err(why) => faults.push(why),
            }
        }
        conclude(&faults, cases.len());
    }
}

fn compare(id: &str, old: &str, new: &str) -> Result<Comparison, String> {
    let read = |side: &str, text: &str| {
        wire::read(id, text).map_err(|error| format!("{id}: {side}: {error}"))
    };
    Ok(evolution::compare(&read("old", old)?, &read("new", new)?))
}

/// A listed `null` leaves either answer open.
fn additive(id: &str, expected: Option<bool>, found: &Comparison, faults: &mut Vec<String>) {
    let expected = match expected {
        None => return,
        Some(true) => Answer::Yes,
        Some(false) => Answer::No,
    };
    let answer = found.additive();
    if answer != expected {
        faults.push(format!(
            "{id}: additive is {answer:?} and should be {expected:?}{}",
            said(found)
        ));
    }
}

/// Where some document changes sides, the wire is not the same.
fn refuted(id: &str, directions: [Option<bool>; 2], found: &Comparison, faults: &mut Vec<String>) {
    let same = matches!(found.verdict(), Verdict::Identical | Verdict::Editorial);
    if same && directions.contains(&Some(false)) {
        faults.push(format!(
            "{id}: {:?}, though a document changes sides{}",
            found.verdict(),
            said(found)
        ));
    }
}

/// Every listed removal and rename is told at its own place, on both sides where both are listed.
fn losses(case: &Reviewed, texts: (&str, &str), found: &Comparison, faults: &mut Vec<String>) {
    let [old, new] = [texts.0, texts.1]
        .map(|text| serde_json::from_str::<serde_json::Value>(text).expect("a schema is JSON"));
    for listed in &case.changes {
        let named = LOSSES.iter().find(|(kind, _)| *kind == listed.kind);
        let Some((_, rules)) = named else {
            let loses = ["removed", "renamed"]
                .iter()
                .any(|word| listed.kind.contains(word));
            assert!(!loses, "{}: {} has no row", case.id, listed.kind);
            continue;
        };
        if listed.kind.starts_with("def_") && has_root(&old) {
            continue;
        }
        let at = |schema, listed: &Option<String>, found: &Option<Origin>| match (listed, found) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(listed), Some(found)) => is_at(schema, listed, &found.pointer),
        };
        let told = found.changes.iter().any(|change| {
            rules.contains(&change.rule)
                && at(&old, &listed.old_ptr, &change.old)
                && at(&new, &listed.new_ptr, &change.new)
        });
        if !told {
            let place = listed.old_ptr.as_deref().unwrap_or_default();
            faults.push(format!(
                "{}: no finding tells {} at {place}{}",
                case.id,
                listed.kind,
                said(found)
            ));
        }
    }
}

/// Whether the document itself constrains anything, so that definitions are no places of their own.
fn has_root(schema: &serde_json::Value) -> bool {
    let beside = [
        "$schema",
        "$id",
        "title",
        "description",
        "definitions",
        "$defs",
    ];
    let mut keys = schema
        .as_object()
        .into_iter()
        .flat_map(|object| object.keys());
    keys.any(|key| !beside.contains(&key.as_str()))
}

/// Whether a finding's place is the listed one: the pointer itself, or the declaration that a
/// reference there leads to.
fn is_at(schema: &serde_json::Value, listed: &str, found: &str) -> bool {
    // The one value of an enum is declared by the schema that holds it.
    let owner = listed.strip_suffix("/enum/0").filter(|owner| {
        let values = schema.pointer(owner).and_then(|schema| schema.get("enum"));
        values
            .and_then(|values| values.as_array())
            .is_some_and(|values| values.len() == 1)
    });
    let mut pointer = owner.unwrap_or(listed).to_owned();
    // References to references are short chains in real schemas, and cycles must end.
    for _ in 0..16 {
        if pointer == found {
            return true;
        }
        let target = schema
            .pointer(&pointer)
            .and_then(|place| place.get("$ref"))
            .and_then(|target| target.as_str())
            .and_then(|target| target.strip_prefix('#'));
        let Some(target) = target else { return false };
        pointer = target.to_owned();
    }
    false
}

fn said(found: &Comparison) -> String {
    let changes = found.changes.iter().map(|change| {
        let place = |origin: &Option<Origin>| {
            origin
                .as_ref()
                .map_or("-".to_owned(), |origin| origin.pointer.to_string())
        };
        let places = (place(&change.old), place(&change.new));
        format!(
            "\n    {}: {} ({} -> {})",
            change.rule, change.message, places.0, places.1
        )
    });
    let undecided = found
        .undecided
        .iter()
        .map(|one| format!("\n    undecided {}: {}", one.origin.pointer, one.why));
    changes.chain(undecided).collect()
}

fn conclude(faults: &[String], count: usize) {
    assert!(count > 0, "a file without cases proves nothing");
    assert!(
        faults.is_empty(),
        "{} faults in {count} cases:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// The cases of a handed file, `None` where it is not there.
fn cases<T: DeserializeOwned>(name: &str) -> Option<Vec<T>> {
    let path = shared().join(name);
    read(&path).unwrap_or_else(|error| panic!("{error}"))
}
