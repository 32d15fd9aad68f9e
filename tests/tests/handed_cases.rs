//! The gate on cases from elsewhere: public bug reports, real revisions, other projects' suites.
//!
//! They lie beside the repository and not in it, so that a fresh clone has no third-party data;
//! where the folder is missing a test says so and passes.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use wirelock_codegen::evolution::{self, Answer, Comparison, Verdict};
use wirelock_codegen::wire;

/// Where the gate's answer is right and the listed one another, each with the reason.
const DEVIATIONS: &[(&str, &str)] = &[(
    "ghw-array-to-scalar-or-array",
    "under draft 7 a `$ref` hides its siblings, so no place of a document reaches the definition that changed",
)];

#[derive(Deserialize)]
struct Pair {
    id: String,
    old: Box<RawValue>,
    new: Box<RawValue>,
    additive: Option<bool>,
    rules: Vec<String>,
}

#[test]
fn pairs_from_bug_reports() {
    let Some(lines) = lines("cases/evolution/pairs.jsonl") else {
        return;
    };
    let mut faults = Vec::new();
    for line in &lines {
        let pair: Pair = serde_json::from_str(line).expect("a pair");
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
    conclude(&faults, lines.len());
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

#[test]
fn real_revisions() {
    let Some(lines) = lines("corpus/verdicts.jsonl") else {
        return;
    };
    let folder = shared().join("corpus");
    let mut faults = Vec::new();
    let mut deviated = Vec::new();
    for line in &lines {
        let case: Reviewed = serde_json::from_str(line).expect("a reviewed pair");
        let text = |path: &str| std::fs::read_to_string(folder.join(path)).expect("a revision");
        let found = match compare(&case.id, &text(&case.old), &text(&case.new)) {
            Ok(found) => found,
            Err(why) => {
                faults.push(why);
                continue;
            }
        };
        let mut own = Vec::new();
        additive(&case.id, case.additive, &found, &mut own);
        refuted(&case.id, [case.backward, case.forward], &found, &mut own);
        if DEVIATIONS.iter().any(|(id, _)| *id == case.id) {
            if own.is_empty() {
                faults.push(format!("{}: deviates no longer, so its row goes", case.id));
            }
            deviated.push(case.id);
        } else {
            faults.append(&mut own);
        }
    }
    for (id, why) in DEVIATIONS {
        if !deviated.iter().any(|one| one == id) {
            faults.push(format!("{id}: no such case ({why})"));
        }
    }
    conclude(&faults, lines.len());
}

#[derive(Deserialize)]
struct Suite {
    id: String,
    old_2020: Box<RawValue>,
    new_2020: Box<RawValue>,
    semantic_backward: Option<bool>,
    semantic_forward: Option<bool>,
}

/// What these suites say of growth is their own; what they prove of sets holds for everyone.
#[test]
fn compatibility_suites() {
    for name in ["suites/jsoncompat.jsonl", "suites/karapace.jsonl"] {
        let Some(lines) = lines(name) else { continue };
        let mut faults = Vec::new();
        for line in &lines {
            let case: Suite = serde_json::from_str(line).expect("a case");
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
        conclude(&faults, lines.len());
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

fn said(found: &Comparison) -> String {
    let changes = found
        .changes
        .iter()
        .map(|change| format!("\n    {}: {}", change.rule, change.message));
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

/// The lines of a handed file, `None` where it is not there.
fn lines(name: &str) -> Option<Vec<String>> {
    let path = shared().join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        // Written past the test harness's capture, because a skipped test must be seen.
        use std::io::Write as _;
        let _ = writeln!(
            std::io::stderr(),
            "not present, not checked: {}",
            path.display()
        );
        return None;
    };
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    Some(filled.map(str::to_owned).collect::<Vec<_>>())
}

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")
}
