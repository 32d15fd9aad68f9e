//! `new-adr`: a record drafted from the findings, which covers them once it is accepted.

use super::support::{Repository, SCHEMA};

const RECORD: &str = "schema/adr/0002-shorter-names.md";

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

    repository.edit(RECORD, "status: draft", "status: accepted");
    let accepted = repository.judge();
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
