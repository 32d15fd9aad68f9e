//! Decision records: what they cover, and that those in force stay as they are.

use crate::support::{Repository, SCHEMA};

const NARROW: &str =
    "[{rule: constraint-narrowed, subject: start.host, reason: \"nobody has longer names\"}]";

fn narrowed() -> Repository {
    let repository = Repository::new();
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    repository
}

#[test]
fn a_record_of_the_same_change_covers_its_finding() {
    let repository = narrowed();
    repository.add_record("accepted", NARROW);
    let judged = repository.judge();
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert_eq!(judged.report["changes"][0]["covered_by"], "0002");
    assert_eq!(
        judged.report["verdict"], "breaking",
        "a cover accepts the change and does not call it harmless"
    );
    assert!(
        judged.text.contains("= covered: by decision record 0002"),
        "{}",
        judged.text
    );
}

#[test]
fn a_draft_covers_nothing() {
    let repository = narrowed();
    repository.add_record("draft", NARROW);
    assert_eq!(repository.judge().code, 1);
}

#[test]
fn a_record_of_an_earlier_change_covers_nothing() {
    let repository = narrowed();
    repository.add_record("accepted", NARROW);
    repository.commit("Narrow");
    repository.edit(SCHEMA, "\"maxLength\": 50", "\"maxLength\": 20");
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert_eq!(
        judged.report["changes"][0]["covered_by"],
        serde_json::Value::Null
    );
}

#[test]
fn a_cover_takes_no_other_finding_with_it() {
    let repository = narrowed();
    repository.add_record("accepted", NARROW);
    repository.edit(
        SCHEMA,
        "\"required\": [\"type\", \"ok\"]",
        "\"required\": [\"type\"]",
    );
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
}

#[test]
fn a_cover_of_a_removal_holds_for_a_rename_too() {
    let repository = Repository::new();
    repository.edit(SCHEMA, "\"host\": {", "\"machine\": {");
    repository.add_record(
        "accepted",
        "[{rule: property-removed, subject: start.host, reason: \"a better name\"}]",
    );
    let judged = repository.judge();
    assert_eq!(judged.changes(), ["property-renamed start.host"]);
    assert_eq!(
        judged.report["changes"][0]["covered_by"], "0002",
        "{}",
        judged.text
    );
}

#[test]
fn an_unused_cover_is_refused() {
    let repository = Repository::new();
    repository.add_record("accepted", NARROW);
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert_eq!(judged.problems(), ["cover-unused"]);
    assert!(
        judged
            .text
            .contains("problem[cover-unused]: the cover of constraint-narrowed for start.host")
            && judged.text.contains("--> schema/adr/0002-change.md:7:10\n"),
        "{}",
        judged.text
    );
}

#[test]
fn a_record_in_force_is_not_touched() {
    let removed = Repository::new();
    removed.remove("schema/adr/0001-lock.md");
    assert_eq!(removed.judge().problems(), ["record-removed"]);
    let altered = Repository::new();
    altered.edit("schema/adr/0001-lock.md", "# 1. Lock", "# 1. Unlock");
    let judged = altered.judge();
    assert_eq!(
        (judged.code, judged.problems()),
        (1, vec!["record-altered"]),
        "{}",
        judged.text
    );
    let withdrawn = Repository::new();
    withdrawn.edit("schema/adr/0001-lock.md", "accepted", "draft");
    assert_eq!(withdrawn.judge().code, 1);
}

#[test]
fn a_record_about_another_capability_covers_nothing() {
    let repository = narrowed();
    repository.add_record("accepted", NARROW);
    repository.edit("schema/adr/0002-change.md", "log_v1", "log_v2");
    let judged = repository.judge();
    assert_eq!(
        (judged.code, judged.problems()),
        (1, vec!["cover-unused"]),
        "{}",
        judged.text
    );
    assert!(
        judged
            .text
            .contains("is about log_v2 and the contract is log_v1"),
        "{}",
        judged.text
    );
}

#[test]
fn another_name_of_the_capability_is_no_way_out() {
    let repository = Repository::new();
    repository.edit("schema/contract.toml", "log_v1", "log_v2");
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert!(
        judged.problems().contains(&"capability-mismatch"),
        "{}",
        judged.text
    );
    assert_eq!(repository.run(&["check-schema"]).code, 1);
    repository.edit(SCHEMA, "\"log_v1\"", "\"log_v2\"");
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert!(
        judged.problems().contains(&"capability-unlocked"),
        "{}",
        judged.text
    );
}

#[test]
fn a_record_that_cannot_be_read_stops_the_run() {
    let repository = Repository::new();
    repository.add_record("maybe", "[]");
    let ran = repository.run(&["check-evolution"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err
            .starts_with("error: schema/adr/0002-change.md:3:9: the status is \"maybe\""),
        "{ran:?}"
    );
}

#[test]
fn a_superseded_capability_is_kept_as_it_was() {
    let repository = Repository::new();
    let (schema, golden, other) = (
        repository.read(SCHEMA),
        repository.read("schema/golden/finished.jsonl"),
        repository.read("schema/golden/stopped.jsonl"),
    );
    repository.edit(SCHEMA, "\"log_v1\"", "\"log_v2\"");
    repository.edit("schema/contract.toml", "log_v1", "log_v2");
    repository.write(
        "schema/adr/0002-next.md",
        "---\nnumber: 2\nstatus: accepted\ndate: 2026-12-02\nsupersedes: 1\ncapability: log_v2\ncovers: [{rule: capability-changed, subject: x-contract.capability, reason: \"the next one\"}]\n---\n",
    );
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert_eq!(judged.problems(), ["archive-missing"; 3], "{}", judged.text);

    repository.write("schema/log_v1/log.schema.json", &schema);
    repository.write("schema/log_v1/golden/finished.jsonl", &golden);
    repository.write("schema/log_v1/golden/stopped.jsonl", &other);
    let judged = repository.judge();
    assert_eq!(judged.code, 0, "{}", judged.text);

    repository.commit("Supersede");
    assert_eq!(repository.judge().code, 0);
    repository.write(
        "schema/log_v1/golden/finished.jsonl",
        golden.replace("\"seq\":1", "\"seq\":0"),
    );
    let checked = repository.run(&["check-goldens"]);
    assert!(
        checked.code == 1
            && checked
                .out
                .contains("schema/log_v1/golden/finished.jsonl:2"),
        "{checked:?}"
    );
    repository.write("schema/log_v1/golden/finished.jsonl", &golden);
    repository.edit(
        "schema/log_v1/golden/finished.jsonl",
        "\"retries\":2",
        "\"retries\":3",
    );
    let judged = repository.judge();
    assert_eq!(
        (judged.code, judged.problems()),
        (1, vec!["archive-missing"]),
        "{}",
        judged.text
    );
}
