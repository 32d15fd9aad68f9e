//! Schemas of several files: which of them are read, and from where.

use crate::support::{Repository, SCHEMA};

const COMMON: &str = "schema/common.json";

/// The contract with the host's schema in a file of its own.
fn split() -> Repository {
    let repository = Repository::empty();
    repository.add_contract();
    repository.edit(
        SCHEMA,
        r#""host": {"type": "string", "maxLength": 100, "description": "Where it runs."}"#,
        r##""host": {"$ref": "common.json#/definitions/host"}"##,
    );
    repository.write(
        COMMON,
        r#"{"definitions": {
  "host": {"type": "string", "maxLength": 100, "description": "Where it runs."}
}}"#,
    );
    repository.commit("Begin");
    repository
}

#[test]
fn a_change_in_a_further_file_is_judged_against_the_commit() {
    let repository = split();
    let ran = repository.run(&["check-schema"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(repository.judge().code, 0);
    repository.edit(COMMON, "100", "10");
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{judged:?}");
    assert_eq!(judged.changes(), ["constraint-narrowed start.host"]);
    assert!(
        judged.text.contains("schema/common.json:2:"),
        "{}",
        judged.text
    );
    assert_eq!(
        judged.report["changes"][0]["new"]["pointer"],
        "common.json#/definitions/host"
    );
    // On the default branch the last commit is the change under way, also where the schema's own
    // text stayed as it was.
    repository.commit("Narrow");
    assert_eq!(
        repository.judge().changes(),
        ["constraint-narrowed start.host"]
    );
}

#[test]
fn a_file_that_is_missing_is_refused_by_the_contract_and_unknown_elsewhere() {
    let repository = split();
    repository.remove(COMMON);
    let ran = repository.run(&["check-schema"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out.contains("not in the folder of the schema"),
        "{ran:?}"
    );
    repository.write("a.json", r#"{"properties":{"x":{"$ref":"none.json"}}}"#);
    repository.write(
        "b.json",
        r#"{"properties":{"x":{"$ref":"none.json"},"y":{"type":"string"}}}"#,
    );
    let ran = repository.run(&["check-evolution", "--old", "a.json", "--new", "b.json"]);
    assert_eq!(ran.code, 3, "{ran:?}");
}

#[test]
fn two_schemas_have_the_files_of_their_own_folders() {
    let repository = Repository::empty();
    for (folder, kind) in [("one", "string"), ("two", "integer")] {
        repository.write(
            &format!("{folder}/a.json"),
            r##"{"type":"object","properties":{"x":{"$ref":"sub/b.json#/definitions/x"}}}"##,
        );
        repository.write(
            &format!("{folder}/sub/b.json"),
            format!(r#"{{"definitions":{{"x":{{"type":"{kind}"}}}}}}"#),
        );
    }
    let ran = repository.run(&[
        "check-evolution",
        "--old",
        "one/a.json",
        "--new",
        "two/a.json",
    ]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("type-changed"), "{ran:?}");
    assert!(ran.out.contains("one/sub/b.json:1:"), "{ran:?}");
    assert!(ran.out.contains("two/sub/b.json:1:"), "{ran:?}");
    repository.write("two/sub/b.json", "{\n]");
    let ran = repository.run(&[
        "check-evolution",
        "--old",
        "one/a.json",
        "--new",
        "two/a.json",
    ]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err
            .contains("two/sub/b.json:2:1: this is no JSON document"),
        "{ran:?}"
    );
}

#[test]
fn a_schema_without_a_contract_is_compared_with_its_files_of_the_past() {
    let repository = Repository::empty();
    repository.write(
        "a.json",
        r#"{"type":"object","properties":{"x":{"$ref":"b.json"}}}"#,
    );
    repository.write("b.json", r#"{"type":"string"}"#);
    repository.commit("Begin");
    repository.write("b.json", r#"{"type":"integer"}"#);
    let judged = repository.judge_with(&["--schema", "a.json"]);
    assert_eq!(judged.changes(), ["type-changed x"], "{judged:?}");
}

#[cfg(unix)]
#[test]
fn links_and_climbs_are_not_followed() {
    let repository = Repository::empty();
    repository.write("secret.json", r#"{"type":"secret-kind"}"#);
    repository.write("folder/in.json", r#"{"type":"string"}"#);
    let link = |to: &str, at: &str| {
        std::os::unix::fs::symlink(to, repository.path().join(at)).expect("linked");
    };
    link("../secret.json", "folder/link.json");
    link("..", "folder/up");
    for reference in [
        "link.json",
        "up/secret.json",
        "../secret.json",
        "%2e%2e/secret.json",
        "..%2fsecret.json",
        "in.json/../../secret.json",
        "none.json",
    ] {
        repository.write(
            "folder/a.json",
            format!(r#"{{"properties":{{"x":{{"$ref":"{reference}"}}}}}}"#),
        );
        let ran = repository.run(&["check-schema", "--schema", "folder/a.json"]);
        // Had it been read, its type would be an error of its own.
        assert_eq!(ran.code, 1, "{reference}: {ran:?}");
        assert!(
            ran.out.contains(reference) && !ran.out.contains("secret-kind"),
            "{reference}: {ran:?}"
        );
    }
}

#[test]
fn a_line_of_pairs_has_no_folder() {
    let repository = Repository::empty();
    repository.write("b.json", r#"{"type":"secret-kind"}"#);
    let pair = r#"{"id":1,"old":{"properties":{"x":{"$ref":"b.json"}}},"new":{"allOf":[{"properties":{"x":{"$ref":"b.json"}}}]}}"#;
    repository.write("pairs.jsonl", pair);
    let ran = repository.run(&["check-evolution", "--pairs", "pairs.jsonl"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.out.contains(r#""additive":"unknown""#), "{ran:?}");
}
