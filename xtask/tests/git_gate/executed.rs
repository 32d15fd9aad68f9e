//! Consumers that are compiled and run: what passes, what is refused, and what is said where none is.

use crate::support::{Judged, Repository, SCHEMA};
use std::path::Path;

/// A repository whose base has generated types in a package, and the consumer of them; on a branch.
fn with_consumer() -> Repository {
    let repository = with_package();
    assert_eq!(repository.run(&["codegen"]).code, 0);
    repository.commit("Generate types");
    repository.git(&["checkout", "--quiet", "-b", "topic"]);
    repository
}

fn with_package() -> Repository {
    let repository = Repository::new();
    let settings = repository.read("schema/contract.toml");
    repository.write(
        "schema/contract.toml",
        format!("{settings}types = \"../generated\"\n"),
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let runtime = root.join("runtime").canonicalize().expect("the runtime");
    repository.write(
        "generated/Cargo.toml",
        format!(
            "[package]\nname = \"job-log\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nwirelock-runtime = {{ path = {runtime:?} }}\n"
        ),
    );
    // The versions of the workspace are the ones that are at hand without a network.
    let lock = std::fs::read(root.join("Cargo.lock")).expect("a lock file");
    repository.write("generated/Cargo.lock", lock);
    repository.commit("Begin a package");
    repository
}

fn judge(repository: &Repository, flags: &[&str]) -> Judged {
    // Kept between runs, so that the runtime is compiled once for all of them.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("executed");
    let target = target.to_str().expect("UTF-8");
    let before = repository.snapshot();
    let judged = repository.judge_in(flags, &[("CARGO_TARGET_DIR", target)]);
    let after = repository.snapshot();
    let differs = |path: &&std::path::PathBuf| before.get(*path) != after.get(*path);
    let written: Vec<_> = before.keys().chain(after.keys()).filter(differs).collect();
    assert!(
        written.is_empty(),
        "a judgement writes nothing: {written:?}"
    );
    judged
}

#[test]
fn growth_passes_and_is_said_to_be_executed() {
    let repository = with_consumer();
    assert!(
        repository
            .read("generated/tests/compat_log_v1.rs")
            .contains("use ::job_log as types;")
    );
    repository.add_field();
    repository.add_golden(
        "queue.jsonl",
        r#"{"type":"start","job":"j9","seq":0,"queue":"q"}"#,
    );
    let judged = judge(&repository, &[]);
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert!(
        judged.text.contains("generated/tests/compat_log_v1.rs compiles and runs against the new types, and the types of")
            && judged.text.contains("read all 6 golden lines"),
        "{}",
        judged.text
    );
    // Nor is it the growth alone that passes: types and consumer may be generated anew.
    assert_eq!(repository.run(&["codegen"]).code, 0);
    assert_eq!(judge(&repository, &[]).code, 0);

    let judged = judge(&repository, &["--no-compile"]);
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert!(
        judged
            .text
            .contains("was neither compiled nor run, because of --no-compile"),
        "{}",
        judged.text
    );
}

#[test]
fn a_base_without_a_consumer_is_told() {
    let repository = with_package();
    repository.git(&["checkout", "--quiet", "-b", "topic"]);
    // A consumer that comes with the change says nothing of what others relied on.
    assert_eq!(repository.run(&["codegen"]).code, 0);
    repository.edit(SCHEMA, "Where it runs.", "Where it runs now.");
    let judged = judge(&repository, &[]);
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert!(
        judged.text.contains("no consumer was executed: ")
            && judged
                .text
                .contains("`codegen` writes one for later changes"),
        "{}",
        judged.text
    );
}

#[test]
fn a_field_that_compiles_away_is_refused() {
    let repository = with_consumer();
    let field = ",\n        \"retries\": {\"type\": \"integer\", \"description\": \"How often it was tried before.\"}";
    repository.edit(SCHEMA, field, "");
    let judged = judge(&repository, &[]);
    assert_eq!(judged.code, 1, "{}", judged.text);
    let changes = judged.changes();
    assert!(
        changes.contains(&"generated-api-changed Start::retries".to_owned()),
        "{changes:?}"
    );
    assert!(
        changes.contains(&"property-removed start.retries".to_owned()),
        "{changes:?}"
    );
    assert!(
        judged.text.contains("no longer compiles at ")
            && judged
                .text
                .contains("error[E0609]: no field `retries` on type `Start`"),
        "{}",
        judged.text
    );
    let judged = judge(&repository, &["--no-compile"]);
    assert!(!judged.text.contains("error[E0609]"), "{}", judged.text);
}

#[test]
fn a_rust_name_that_moves_is_refused() {
    let repository = with_consumer();
    repository.edit(SCHEMA, "\"title\": \"Done\"", "\"title\": \"Finished\"");
    let judged = judge(&repository, &[]);
    assert_eq!(judged.code, 1, "{}", judged.text);
    let changes = judged.changes();
    assert!(
        changes.contains(&"generated-api-changed Done".to_owned()),
        "{changes:?}"
    );
    assert!(
        judged.text.contains("error[E0425]") || judged.text.contains("error[E0412]"),
        "{}",
        judged.text
    );
}

#[test]
fn a_golden_that_the_types_of_the_base_refuse_is_told() {
    let repository = with_consumer();
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 200");
    let host = "h".repeat(150);
    repository.add_golden(
        "host.jsonl",
        &format!(r#"{{"type":"start","job":"j9","seq":0,"host":"{host}"}}"#),
    );
    let judged = judge(&repository, &[]);
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert!(
        judged
            .text
            .contains("do not read the new goldens: host.jsonl:1: "),
        "{}",
        judged.text
    );
}
