//! What a change does to the things that judge it is told first, and no change both lowers a level
//! and uses it.

use super::support::{Judged, Repository, SCHEMA};

fn guards(judged: &Judged) -> Vec<String> {
    let guards = judged.report["guards"].as_array().expect("guards");
    let text = |guard: &serde_json::Value, key: &str| guard[key].as_str().expect("text").to_owned();
    guards
        .iter()
        .map(|guard| format!("{} {}", text(guard, "kind"), text(guard, "file")))
        .collect()
}

const SETTINGS: &str = "schema/contract.toml";

fn set_level(repository: &Repository, level: &str) {
    let settings = repository.read(SETTINGS);
    repository.write(SETTINGS, format!("{settings}\n[levels]\n{level}\n"));
}

#[test]
fn what_judges_a_change_is_told_first_where_the_change_touches_it() {
    let repository = Repository::new();
    assert!(guards(&repository.judge()).is_empty());
    repository.add_golden(
        "second.jsonl",
        "{\"type\":\"start\",\"job\":\"j9\",\"seq\":0,\"host\":\"h\"}",
    );
    repository.add_record("draft", "[]");
    set_level(&repository, "description-changed = \"breaking\"");
    repository.edit(SCHEMA, "Where it runs.", "Where it runs now.");
    let judged = repository.judge();
    assert_eq!(
        guards(&judged),
        [
            "settings-changed schema/contract.toml",
            "level-changed schema/contract.toml",
            "record-added schema/adr/0002-change.md",
            "golden-added schema/golden/second.jsonl",
        ]
    );
    assert!(
        judged.text.starts_with("guard[settings-changed]: "),
        "{}",
        judged.text
    );
    for format in ["github", "sarif", "junit", "markdown", "html"] {
        let ran = repository.run(&["check-evolution", "--format", format]);
        // The catalogue of rules in SARIF, and the style of HTML, are no findings.
        let results = ran.out.find("\"results\"").unwrap_or(0);
        let text = &ran.out[results..];
        let guard = text.find("settings-changed").expect(format);
        let finding = text.find("description-changed").expect(format);
        let level = text.find("level-changed").expect(format);
        assert!(guard < level && guard < finding, "{format}: {text}");
    }
}

#[test]
fn a_level_that_is_lowered_where_it_is_needed_is_refused_even_with_its_finding_covered() {
    let repository = Repository::new();
    set_level(&repository, "constraint-narrowed = \"editorial\"");
    let alone = repository.judge();
    assert_eq!(
        (alone.code, alone.problems()),
        (0, vec![]),
        "{}",
        alone.text
    );
    assert_eq!(
        guards(&alone),
        [
            "settings-changed schema/contract.toml",
            "level-changed schema/contract.toml"
        ]
    );

    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    let used = repository.judge();
    assert_eq!(
        (used.code, used.problems()),
        (1, vec!["level-lowered"]),
        "{}",
        used.text
    );
    let problem = &used.report["problems"][0];
    let line = problem["line"].as_u64().expect("a line") as usize;
    let settings = repository.read(SETTINGS);
    let named = settings.lines().nth(line - 1).expect("a line");
    assert!(named.starts_with("constraint-narrowed"), "{named}");

    // A level that is raised hides nothing.
    let raised = Repository::new();
    set_level(&raised, "description-changed = \"breaking\"");
    raised.edit(SCHEMA, "Where it runs.", "Where it runs now.");
    assert!(raised.judge().problems().is_empty());
}

#[test]
fn a_level_that_was_lowered_before_is_no_problem() {
    let repository = Repository::new();
    set_level(&repository, "constraint-narrowed = \"editorial\"");
    repository.commit("Relax");
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    let judged = repository.judge();
    assert!(
        judged.problems().is_empty() && guards(&judged).is_empty(),
        "{}",
        judged.text
    );
}
