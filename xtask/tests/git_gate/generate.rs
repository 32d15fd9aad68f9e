//! `codegen`: what it writes, and how it tells what is stale.

use crate::support::{Repository, SCHEMA};

#[test]
fn stale_output_is_told_and_left() {
    let repository = Repository::new();
    let before = repository.snapshot();
    let ran = repository.run(&["codegen", "--check"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out
            .contains("generated/src/lib.rs is stale; run `codegen`"),
        "{ran:?}"
    );
    assert!(repository.snapshot() == before, "a check writes nothing");

    assert_eq!(repository.run(&["codegen"]).code, 0);
    assert!(
        repository
            .read("generated/src/wire.rs")
            .contains("from schema/log.schema.json (sha256:")
    );
    assert!(repository.read("schema/CATALOG.md").contains("retries"));
    let written = repository.snapshot();
    assert_eq!(repository.run(&["codegen", "--check"]).code, 0);
    assert_eq!(repository.run(&["codegen"]).code, 0);
    assert!(
        repository.snapshot() == written,
        "equal output is not written again"
    );

    repository.edit(SCHEMA, "Where it runs.", "Where it runs now.");
    let ran = repository.run(&["codegen", "--check"]);
    assert!(
        ran.code == 1 && ran.out.contains("generated/src/wire.rs is stale"),
        "{ran:?}"
    );
}

#[test]
fn any_schema_becomes_a_file() {
    let repository = Repository::new();
    repository.write(
        "point.json",
        r#"{"title":"Point","type":"object","properties":{"x":{"type":"number"}}}"#,
    );
    let flags = ["codegen", "--schema", "point.json", "--out", "point.rs"];
    assert_eq!(repository.run(&flags).code, 0);
    assert!(repository.read("point.rs").contains("pub struct Point"));
    let ran = repository.run(&["codegen", "--schema", "point.json", "--out", "schema"]);
    assert!(
        ran.code == 2 && ran.err.contains("schema: this is a folder"),
        "{ran:?}"
    );
    repository.write("point.json", "{");
    repository.write("point.rs", "kept");
    assert_eq!(repository.run(&flags).code, 2);
    assert_eq!(repository.read("point.rs"), "kept");
}
