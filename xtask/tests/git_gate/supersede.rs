//! The whole move of this repository's own contract from `stream_v1` to `stream_v2`, by the steps
//! that CONTRIBUTING tells.

use super::support::Repository;
use std::fs;
use std::path::Path;

const SCHEMA: &str = "schema/stream-json.schema.json";
const RECORD: &str = "schema/adr/0002-drop-the-count-of-turns.md";

/// A repository that holds the contract of this one, as it stands.
fn repository() -> Repository {
    let repository = Repository::empty();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    for folder in ["", "golden", "adr"] {
        for entry in fs::read_dir(own.join(folder)).expect("listed") {
            let entry = entry.expect("an entry");
            if entry.path().is_file() {
                let name = entry.file_name();
                let name = Path::new("schema").join(folder).join(name);
                let text = fs::read(entry.path()).expect("read");
                repository.write(name.to_str().expect("UTF-8"), text);
            }
        }
    }
    repository.commit("Begin");
    repository
}

/// The goldens of a folder, by name.
fn goldens(repository: &Repository, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(repository.path().join(folder)).expect("listed");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

/// Removes a member whose value is a number from canonical JSON.
fn without(text: &str, member: &str) -> String {
    let name = format!("\"{member}\":");
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(&name) {
        out.push_str(&rest[..at]);
        let value = &rest[at + name.len()..];
        rest = value.trim_start_matches(|character: char| character.is_ascii_digit());
        rest = rest.strip_prefix(',').expect("it is not the last member");
    }
    out.push_str(rest);
    out
}

#[test]
fn the_contract_of_this_repository_moves_on_by_the_steps_of_contributing() {
    let repository = repository();
    let before = repository.read(SCHEMA);
    // 1. What is in force is copied.
    repository.write("schema/stream_v1/stream-json.schema.json", &before);
    for name in goldens(&repository, "schema/golden") {
        let text = repository.read(&format!("schema/golden/{name}"));
        repository.write(&format!("schema/stream_v1/golden/{name}"), text);
    }
    // 2. The change is made, and the new capability named.
    let start = before
        .find("        \"num_turns\": {\n")
        .expect("the field");
    let end = start + before[start..].find("        },\n").expect("its end") + "        },\n".len();
    let after = format!("{}{}", &before[..start], &before[end..]);
    repository.write(SCHEMA, after.replace("stream_v1", "stream_v2"));
    repository.edit("schema/contract.toml", "\"stream_v1\"", "\"stream_v2\"");
    // 3. The goldens are brought up to date.
    for name in goldens(&repository, "schema/golden") {
        let path = format!("schema/golden/{name}");
        let text = without(&repository.read(&path), "num_turns");
        repository.write(&path, text.replace("stream_v1", "stream_v2"));
    }
    let refused = repository.run(&["check-evolution", "--no-compile"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    // 4. The record is drafted from the findings, and decided.
    let drafted = repository.run(&["new-adr", "Drop the count of turns", "--no-compile"]);
    assert_eq!(drafted.code, 0, "{drafted:?}");
    let record = repository.read(RECORD);
    for cover in [
        "{rule: property-removed, subject: \"result.num_turns\"",
        "{rule: capability-changed, subject: \"x-contract.capability\"",
    ] {
        assert!(record.contains(cover), "{record}");
    }
    repository.edit(RECORD, "status: draft", "status: accepted");
    let reasoned = repository
        .read(RECORD)
        .replace("say here why this is right all the same", "nobody read it");
    repository.write(RECORD, reasoned);

    let accepted = repository.run(&["check-evolution", "--no-compile"]);
    assert_eq!(accepted.code, 0, "{accepted:?}");
    // Both capabilities are checked from here on.
    assert_eq!(repository.run(&["check-schema"]).code, 0);
    let checked = repository.run(&["check-goldens"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert!(
        checked
            .out
            .contains("schema/stream_v1/stream-json.schema.json"),
        "{checked:?}"
    );
    repository.commit("Supersede");
    let settled = repository.run(&["check-evolution", "--no-compile"]);
    assert_eq!(settled.code, 0, "{settled:?}");

    // The new capability is locked, and what was superseded stays as it was.
    repository.edit(SCHEMA, "\"total_cost_usd\": {", "\"cost\": {");
    assert_eq!(repository.run(&["check-evolution", "--no-compile"]).code, 1);
    repository.git(&["checkout", "--quiet", "schema"]);
    let kept = "schema/stream_v1/golden/minimal-run.jsonl";
    repository.write(kept, format!("{}\n", repository.read(kept)));
    let altered = repository.run(&["check-evolution", "--no-compile"]);
    assert!(
        altered.code == 1 && altered.out.contains("problem[archive-missing]"),
        "{altered:?}"
    );
}
