//! Each kind of change to a locked schema, and how the gate judges it.

use crate::support::{Repository, SCHEMA};

/// Judges one edit of the schema, which has to be refused for that finding.
fn check(from: &str, to: &str, expected: &str) {
    let repository = Repository::new();
    repository.edit(SCHEMA, from, to);
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{expected}: {}", judged.text);
    assert!(
        judged.changes().iter().any(|change| change == expected),
        "{expected}: {:?}",
        judged.changes()
    );
    let (rule, subject) = expected.split_once(' ').expect("a rule and a subject");
    let head = format!("breaking[{rule}]: ");
    let is_head = |line: &&str| line.starts_with(&head) && line.contains(subject);
    let block = judged.text.lines().skip_while(|line| !is_head(line));
    let shown: Vec<&str> = block.take_while(|line| !line.is_empty()).collect();
    assert!(!shown.is_empty(), "{rule} has no block in {}", judged.text);
    assert!(
        shown.iter().any(|line| line.contains("^ /")),
        "nothing is underlined in {shown:?}"
    );
    assert!(
        shown
            .iter()
            .any(|line| line.contains("schema/log.schema.json:")),
        "no place in {shown:?}"
    );
    assert!(
        judged
            .text
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("refused: ")),
        "{}",
        judged.text
    );
    assert_eq!(judged.report["verdict"], "breaking");
    assert_eq!(judged.report["additive"], "no");
    // Committing the change does not make it pass.
    repository.commit("Change");
    assert_eq!(repository.judge().code, 1, "{expected}");
}

const RETRIES: &str =
    "\"retries\": {\"type\": \"integer\", \"description\": \"How often it was tried before.\"}";

#[test]
fn a_rename_is_refused() {
    check(
        "\"retries\": {",
        "\"attempts\": {",
        "property-renamed start.retries",
    );
}

#[test]
fn a_retype_is_refused() {
    check(
        RETRIES,
        &RETRIES.replace("integer", "string"),
        "type-changed start.retries",
    );
}

#[test]
fn a_type_that_widens_is_refused() {
    check(
        RETRIES,
        &RETRIES.replace("integer", "number"),
        "type-widened start.retries",
    );
}

#[test]
fn null_beside_a_type_is_refused() {
    check(
        RETRIES,
        &RETRIES.replace("\"integer\"", "[\"integer\", \"null\"]"),
        "nullability-changed start.retries",
    );
}

#[test]
fn a_removal_is_refused() {
    let with_comma = format!(",\n        {RETRIES}");
    check(&with_comma, "", "property-removed start.retries");
}

#[test]
fn a_bound_that_narrows_is_refused() {
    check(
        "\"maxLength\": 100",
        "\"maxLength\": 50",
        "constraint-narrowed start.host",
    );
}

#[test]
fn a_bound_that_widens_is_refused() {
    check(
        "\"maxLength\": 100",
        "\"maxLength\": 200",
        "constraint-widened start.host",
    );
}

#[test]
fn an_optional_member_that_becomes_required_is_refused() {
    check(
        "\"required\": [\"type\", \"ok\"]",
        "\"required\": [\"type\", \"ok\", \"reason\"]",
        "required-added done.reason",
    );
}

#[test]
fn a_required_member_that_becomes_optional_is_refused() {
    check(
        "\"required\": [\"type\", \"ok\"]",
        "\"required\": [\"type\"]",
        "required-removed done.ok",
    );
}

#[test]
fn a_new_member_that_is_required_is_refused() {
    check(
        "\"required\": [\"type\", \"ok\"]",
        "\"required\": [\"type\", \"ok\", \"took\"]",
        "required-property-added done.took",
    );
}

#[test]
fn a_known_value_that_is_gone_is_refused() {
    let value =
        "{\"const\": \"stopped\", \"description\": \"Somebody stopped it.\"},\n            ";
    check(value, "", "enum-value-removed done.reason=stopped");
}

#[test]
fn a_value_added_to_a_closed_set_is_refused() {
    let green = "{\"const\": \"green\", \"description\": \"As a success.\"}";
    let both =
        format!("{green},\n            {{\"const\": \"blue\", \"description\": \"As neither.\"}}");
    check(green, &both, "enum-value-added done.color=blue");
}

#[test]
fn an_open_set_that_closes_is_refused() {
    let tail = "{\"const\": \"stopped\", \"description\": \"Somebody stopped it.\"},\n            {\"type\": \"string\"}";
    check(
        tail,
        "{\"const\": \"stopped\", \"description\": \"Somebody stopped it.\"}",
        "enum-closed done.reason",
    );
}

#[test]
fn another_framing_is_refused() {
    check(
        "\"sequence\": \"/seq\"",
        "\"sequence\": \"/job\"",
        "framing-changed x-contract.sequence",
    );
}

#[test]
fn a_description_is_shown_and_passes() {
    let repository = Repository::new();
    repository.edit(SCHEMA, "Where it runs.", "Where it runs now.");
    let judged = repository.judge();
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert_eq!(judged.report["verdict"], "editorial");
    assert_eq!(judged.changes(), ["description-changed start.host"]);
}

#[test]
fn another_layout_of_the_file_is_no_change() {
    let repository = Repository::new();
    repository.edit(SCHEMA, "#/$defs/done\"", "#/$defs/over\"");
    repository.edit(SCHEMA, "\"done\": {", "\"over\": {");
    let judged = repository.judge();
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert!(
        ["identical", "editorial"].contains(&judged.report["verdict"].as_str().expect("a verdict")),
        "{}",
        judged.text
    );
}

#[test]
fn a_level_is_tightened_at_once_and_relaxed_for_the_next_change() {
    let repository = Repository::new();
    let settings = "capability = \"log_v1\"\nschema = \"log.schema.json\"\n[levels]\n";
    repository.write(
        "schema/contract.toml",
        format!("{settings}property-removed = \"editorial\"\nproperty-renamed = \"editorial\"\n"),
    );
    let relaxed =
        |repository: &Repository| repository.edit(SCHEMA, "\"retries\": {", "\"attempts\": {");
    relaxed(&repository);
    repository.remove("schema/golden/finished.jsonl");
    assert_eq!(repository.judge().code, 1, "relaxed and used in one change");

    repository.git(&[
        "checkout",
        "--quiet",
        "schema/log.schema.json",
        "schema/golden",
    ]);
    repository.commit("Relax");
    relaxed(&repository);
    assert_eq!(
        repository.judge().changes(),
        ["property-renamed start.retries"]
    );
    assert_eq!(repository.judge().report["verdict"], "editorial");

    let tight = Repository::new();
    tight.write(
        "schema/contract.toml",
        format!("{settings}description-changed = \"breaking\"\n"),
    );
    tight.edit(SCHEMA, "Where it runs.", "Where it runs now.");
    assert_eq!(tight.judge().code, 1);
}

#[test]
fn nothing_is_refused_before_the_lock() {
    let repository = Repository::empty();
    repository.add_contract();
    repository.edit("schema/adr/0001-lock.md", "accepted", "draft");
    repository.commit("Begin");
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    let judged = repository.judge();
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert_eq!(judged.report["verdict"], "breaking");
    assert!(
        judged
            .text
            .contains("before the lock: no accepted decision record for log_v1"),
        "{}",
        judged.text
    );
    // The change that accepts the record is the last one that is free.
    repository.edit("schema/adr/0001-lock.md", "draft", "accepted");
    assert_eq!(repository.judge().code, 0);
    repository.commit("Lock");
    repository.edit(SCHEMA, "\"maxLength\": 50", "\"maxLength\": 10");
    assert_eq!(repository.judge().code, 1);
}
