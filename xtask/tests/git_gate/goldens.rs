//! What an addition owes the goldens, and what may happen to those that exist.

use crate::support::{GOLDEN, Judged, Repository, SCHEMA, SETTINGS};

#[test]
fn an_addition_without_a_golden_is_refused() {
    let repository = Repository::new();
    repository.add_field();
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert_eq!(judged.report["verdict"], "additive");
    assert_eq!(judged.missing(), ["start.queue"]);
    assert!(judged.text.contains("draft-golden"), "{}", judged.text);
}

#[test]
fn an_addition_with_its_golden_is_accepted() {
    let repository = Repository::new();
    repository.add_field();
    repository.add_golden(
        "queued.jsonl",
        r#"{"type":"start","job":"j9","seq":0,"host":"a","queue":"q"}"#,
    );
    let judged = repository.judge();
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert_eq!(
        judged.report["changes"][0]["golden"]["file"],
        "schema/golden/queued.jsonl"
    );
    assert_eq!(judged.report["changes"][0]["golden"]["line"], 1);
    assert!(
        judged
            .text
            .contains("= golden: schema/golden/queued.jsonl:1"),
        "{}",
        judged.text
    );
}

#[test]
fn a_line_added_to_a_golden_proves_as_well() {
    let repository = Repository::new();
    let value = "{\"const\": \"stopped\", \"description\": \"Somebody stopped it.\"}";
    repository.edit(
        SCHEMA,
        value,
        &format!(
            "{value},\n            {{\"const\": \"lost\", \"description\": \"Nobody knows.\"}}"
        ),
    );
    assert_eq!(repository.judge().missing(), ["done.reason=lost"]);
    repository.write(
        "schema/golden/lost.jsonl",
        "{\"type\":\"start\",\"job\":\"j9\",\"seq\":0}\n{\"type\":\"done\",\"job\":\"j9\",\"seq\":1,\"ok\":false,\"reason\":\"lost\"}\n",
    );
    assert_eq!(repository.judge().code, 0);
}

#[test]
fn a_golden_that_does_not_exercise_the_addition_proves_nothing() {
    let repository = Repository::new();
    repository.add_field();
    repository.add_golden(
        "queued.jsonl",
        r#"{"type":"start","job":"j9","seq":0,"host":"queue"}"#,
    );
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert_eq!(judged.missing(), ["start.queue"]);
}

#[test]
fn a_draft_proves_the_addition_it_was_made_for() {
    let repository = Repository::new();
    repository.add_field();
    let drafted = repository.run(&["draft-golden"]);
    assert_eq!(drafted.code, 0, "{drafted:?}");
    assert!(
        drafted.out.contains("wrote schema/golden/draft-"),
        "{drafted:?}"
    );
    assert_eq!(repository.judge().code, 0);
    assert_eq!(repository.run(&["check-goldens"]).code, 0);
    let again = repository.run(&["draft-golden"]);
    assert!(again.out.contains("nothing to draft"), "{again:?}");
}

#[test]
fn a_variant_that_its_catch_all_takes_too_gets_advice_and_no_draft() {
    let repository = Repository::new();
    repository.edit(
        SCHEMA,
        "{\"$ref\": \"#/$defs/done\"},",
        "{\"$ref\": \"#/$defs/done\"}, {\"$ref\": \"#/$defs/pause\"},",
    );
    repository.edit(
        SCHEMA,
        "    \"unknown\": {",
        "    \"pause\": {\"title\": \"Pause\", \"description\": \"The job waits.\", \"allOf\": [{\"$ref\": \"#/$defs/envelope\"}],
      \"properties\": {\"type\": {\"const\": \"pause\"}}, \"required\": [\"type\"]},\n    \"unknown\": {",
    );
    let before = repository.snapshot();
    let drafted = repository.run(&["draft-golden"]);
    assert_eq!(drafted.code, 2, "{drafted:?}");
    let advice = "add \"pause\" to the list at /$defs/unknown/properties/type/not/enum";
    assert!(drafted.err.contains(advice), "{drafted:?}");
    assert_eq!(repository.snapshot(), before);
    repository.edit(
        SCHEMA,
        "[\"start\", \"done\"]",
        "[\"start\", \"done\", \"pause\"]",
    );
    let drafted = repository.run(&["draft-golden"]);
    assert_eq!(drafted.code, 0, "{drafted:?}");
    assert_eq!(repository.judge().code, 0);
}

#[test]
fn a_golden_that_is_no_valid_run_is_refused() {
    let repository = Repository::new();
    repository.add_field();
    repository.add_golden(
        "queued.jsonl",
        r#"{"type":"start","job":"j9","seq":0,"queue":7}"#,
    );
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert!(
        judged.problems().contains(&"golden-invalid"),
        "{}",
        judged.text
    );
    assert!(
        judged.text.contains("schema/golden/queued.jsonl:1:"),
        "{}",
        judged.text
    );
}

#[test]
fn goldens_of_the_base_stay() {
    type Change = fn(&Repository);
    let cases: [(&str, Change); 3] = [
        ("removed", |repository| repository.remove(GOLDEN)),
        ("altered", |repository| {
            repository.edit(GOLDEN, "\"retries\":2", "\"retries\":3")
        }),
        ("reordered", |repository| {
            let text = repository.read(GOLDEN);
            let reordered: Vec<&str> = text.lines().rev().collect();
            repository.write(GOLDEN, format!("{}\n", reordered.join("\n")));
        }),
    ];
    for (name, change) in cases {
        let repository = Repository::new();
        change(&repository);
        let judged = repository.judge();
        assert_eq!(judged.code, 1, "{name}: {}", judged.text);
        assert!(
            judged.problems().contains(&"golden-altered"),
            "{name}: {}",
            judged.text
        );
        assert!(
            judged.text.contains("schema/golden/finished.jsonl"),
            "{name}: {}",
            judged.text
        );
    }
}

#[test]
fn goldens_may_grow_and_be_renumbered() {
    let repository = Repository::new();
    repository.add_golden("more.jsonl", r#"{"type":"start","job":"j9","seq":0}"#);
    repository.edit(GOLDEN, "\"seq\":1", "\"seq\":4");
    let judged = repository.judge();
    assert_eq!(judged.code, 0, "{}", judged.text);
}

#[test]
fn a_contract_may_keep_no_goldens_and_grows_without() {
    let repository = Repository::new();
    repository.git(&["rm", "--quiet", "-r", "schema/golden"]);
    let settings = repository.read(SETTINGS);
    repository.write(SETTINGS, format!("{settings}goldens = false\n"));
    // What is there cannot be dropped: whoever recorded it goes on to rely on it.
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert!(judged.problems().contains(&"golden-altered"));

    let repository = Repository::empty();
    repository.add_contract();
    std::fs::remove_dir_all(repository.path().join("schema/golden")).expect("removed");
    repository.write(SETTINGS, format!("{settings}goldens = false\n"));
    repository.commit("Begin");
    repository.add_field();
    let judged = repository.judge();
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert_eq!(judged.changes(), ["property-added start.queue"]);
    assert!(judged.report["coverage"].is_null(), "{}", judged.text);
    let checked = repository.run(&["check-goldens"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert!(checked.out.contains("keeps no goldens"), "{checked:?}");
    let drafted = repository.run(&["draft-golden"]);
    assert_eq!(drafted.code, 2, "{drafted:?}");
    assert!(drafted.err.contains("goldens = false"), "{drafted:?}");
    // What breaks is refused all the same.
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    assert_eq!(repository.judge().code, 1);
}

#[test]
fn a_locked_contract_stops_asking_for_goldens_and_those_it_has_stay() {
    for folder in ["golden", "examples"] {
        let repository = Repository::empty();
        repository.add_contract();
        let settings = repository.read(SETTINGS);
        if folder != "golden" {
            repository.git(&["add", "--all"]);
            repository.git(&["mv", "schema/golden", "schema/examples"]);
            repository.write(SETTINGS, format!("{settings}goldens = \"{folder}\"\n"));
        }
        repository.commit("Begin");
        repository.write(SETTINGS, format!("{settings}goldens = false\n"));
        let told = |judged: &Judged| judged.report["guards"].to_string();

        // The switch alone is accepted, and neither drops what there is nor needs no golden yet.
        let judged = repository.judge();
        assert_eq!(judged.code, 0, "{folder}: {}", judged.text);
        assert!(told(&judged).contains("settings-changed"));
        assert!(!told(&judged).contains("golden-removed"), "{}", judged.text);
        let golden = GOLDEN.replace("golden", folder);
        let text = repository.read(&golden);
        repository.remove(&golden);
        let judged = repository.judge();
        assert_eq!(judged.code, 1, "{folder}: {}", judged.text);
        assert_eq!(judged.problems(), ["golden-altered"]);
        assert!(told(&judged).contains("golden-removed"), "{}", judged.text);
        repository.write(&golden, &text);

        // One change later growth needs none.
        repository.commit("Ask for no goldens");
        repository.add_field();
        let judged = repository.judge();
        assert_eq!(judged.code, 0, "{folder}: {}", judged.text);
        assert_eq!(judged.missing(), [""; 0]);
        repository.commit("Grow");
        let ran = repository.run(&["check-evolution", "--history"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        if folder != "golden" {
            continue;
        }
        // What is in the usual folder stays from then on, and may grow.
        repository.remove(&golden);
        let judged = repository.judge();
        assert_eq!(judged.code, 1, "{}", judged.text);
        assert_eq!(judged.problems(), ["golden-altered"]);
        assert!(told(&judged).contains("golden-removed"), "{}", judged.text);
        repository.write(&golden, &text);
        repository.add_golden("more.jsonl", r#"{"type":"start","job":"j9","seq":0}"#);
        let judged = repository.judge();
        assert_eq!(judged.code, 0, "{}", judged.text);
        // Back again, the goldens are asked for at once.
        repository.remove("schema/golden/more.jsonl");
        repository.write(SETTINGS, &settings);
        let judged = repository.judge();
        assert_eq!(judged.code, 0, "{}", judged.text);
        assert!(!judged.report["coverage"].is_null());
    }
}

#[test]
fn goldens_are_not_done_away_with_by_the_change_that_needs_one() {
    let repository = Repository::empty();
    repository.add_contract();
    std::fs::remove_dir_all(repository.path().join("schema/golden")).expect("removed");
    repository.commit("Begin");
    let settings = repository.read(SETTINGS);
    repository.write(SETTINGS, format!("{settings}goldens = false\n"));
    repository.add_field();
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert_eq!(judged.missing(), ["start.queue"]);
    assert_eq!(judged.report["guards"][0]["kind"], "settings-changed");
}
