//! `new-adr`: a record drafted from the findings, which covers them once it is accepted.

use super::support::{Repository, SCHEMA};

const RECORD: &str = "schema/adr/0002-shorter-names.md";
const PLACEHOLDER: &str = "say here why this is right all the same";

#[test]
fn a_draft_covers_nothing_and_an_accepted_one_all_that_was_found() {
    let repository = Repository::new();
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    repository.edit(SCHEMA, "\"retries\": {", "\"re: {tries, \\\"#\": {");
    let ran = repository.run(&["new-adr", "Shorter names", "--no-compile"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out.starts_with(&format!("wrote {RECORD} (2 covers)")),
        "{ran:?}"
    );
    let text = repository.read(RECORD);
    assert!(
        text.contains("\nstatus: draft\n") && text.contains("\nsupersedes: 1\n"),
        "{text}"
    );

    let draft = repository.judge();
    assert_eq!(draft.code, 1, "{}", draft.text);
    assert!(draft.report["changes"][0]["covered_by"].is_null());

    // The draft that waits is named, and no other is written.
    let before = repository.snapshot();
    for title in ["Shorter names", "Other words"] {
        let again = repository.run(&["new-adr", title, "--no-compile"]);
        assert_eq!(again.code, 0, "{again:?}");
        let told = format!("accepted: {RECORD} waits already and covers 2 of 2 findings");
        assert!(again.out.starts_with(&told), "{again:?}");
    }
    assert_eq!(repository.snapshot(), before);

    assert!(
        ran.out
            .contains("keep the old schema and goldens in log_v1/"),
        "{ran:?}"
    );
    assert!(
        draft
            .text
            .contains("name the new capability in contract.toml"),
        "{}",
        draft.text
    );

    repository.edit(RECORD, "status: draft", "status: accepted");
    let unfinished = repository.judge();
    assert_eq!(unfinished.code, 1, "{}", unfinished.text);
    let problems = unfinished.problems();
    assert_eq!(
        problems[..2],
        ["record-unfinished"; 2],
        "{}",
        unfinished.text
    );
    // What is not covered keeps its goldens from being valid, and needs no further cover.
    assert!(!problems.contains(&"cover-unused"), "{problems:?}");
    assert!(unfinished.report["changes"][0]["covered_by"].is_null());
    let reasoned = repository
        .read(RECORD)
        .replace(PLACEHOLDER, "nobody relies on it");
    repository.write(RECORD, reasoned);
    let accepted = repository.judge();
    assert!(
        !accepted.problems().contains(&"record-unfinished"),
        "{}",
        accepted.text
    );
    let changes = accepted.report["changes"].as_array().expect("changes");
    for change in changes
        .iter()
        .filter(|change| change["level"] == "breaking")
    {
        assert_eq!(change["covered_by"], "0002", "{change}");
    }
    assert!(
        !accepted.problems().contains(&"cover-unused"),
        "{}",
        accepted.text
    );
    // What is covered asks for no further record.
    let again = repository.run(&["new-adr", "Again", "--no-compile"]);
    assert!(
        again.code == 0 && again.out.contains("nothing to draft"),
        "{again:?}"
    );
}

#[test]
fn no_record_is_drafted_where_nothing_needs_one() {
    let repository = Repository::new();
    let before = repository.snapshot();
    let ran = repository.run(&["new-adr", "Nothing"]);
    assert!(
        ran.code == 0 && ran.out.contains("nothing to draft"),
        "{ran:?}"
    );
    assert_eq!(repository.snapshot(), before);
}

#[test]
fn the_first_record_is_drafted_and_locks_once_it_is_accepted() {
    let repository = Repository::empty();
    repository.add_contract();
    std::fs::remove_dir_all(repository.path().join("schema/adr")).expect("removed");
    repository.commit("Begin");
    // What changes before the lock needs no cover.
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 90");
    let ran = repository.run(&["new-adr", "Lock log_v1"]);
    let record = "schema/adr/0001-lock-log-v1.md";
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.starts_with(&format!("wrote {record}; ")), "{ran:?}");
    let text = repository.read(record);
    assert!(
        text.starts_with("---\nnumber: 1\nstatus: draft\n"),
        "{text}"
    );
    assert!(
        text.contains("\ncovers: []\n---\n\n# 1. Lock log_v1\n"),
        "{text}"
    );
    let before = repository.snapshot();
    let again = repository.run(&["new-adr", "Lock it"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(
        again
            .out
            .starts_with(&format!("accepted: {record} waits already, ")),
        "{again:?}"
    );
    assert_eq!(repository.snapshot(), before);
    repository.commit("A draft locks nothing");
    repository.edit(SCHEMA, "\"maxLength\": 90", "\"maxLength\": 80");
    assert_eq!(repository.judge().code, 0);
    repository.edit(record, "status: draft", "status: accepted");
    let empty = repository.judge();
    assert_eq!(
        (empty.code, empty.problems()),
        (1, vec!["record-unfinished"]),
        "{}",
        empty.text
    );
    for wrong in ["nothing is refused", "locked: "] {
        assert!(!empty.text.contains(wrong), "{}", empty.text);
    }
    let text = repository.read(record);
    repository.write(record, format!("{text}\nLogs stay readable.\n"));
    let locking = repository.judge();
    assert_eq!(locking.code, 0, "{}", locking.text);
    assert!(
        locking.text.contains("locked: log_v1 by record 0001"),
        "{}",
        locking.text
    );
    repository.commit("Lock");
    repository.edit(SCHEMA, "\"maxLength\": 80", "\"maxLength\": 70");
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert_eq!(judged.problems(), [""; 0]);
}
