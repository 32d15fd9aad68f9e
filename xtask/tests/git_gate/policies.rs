//! The policies about documents: each follows its own answer, and asks for nothing that belongs to growth.

use crate::support::{Judged, Repository, SCHEMA};

const POLICIES: [&str; 3] = ["backward", "forward", "full"];

/// The exit code that a policy's own answers ask for.
fn code(report: &serde_json::Value, policy: &str) -> i32 {
    let answer = |name: &str| report[name].as_str().expect("an answer").to_owned();
    let answers = match policy {
        "full" => vec![answer("backward"), answer("forward")],
        one => vec![answer(one)],
    };
    if answers.iter().any(|answer| answer == "no") {
        1
    } else if answers.iter().any(|answer| answer == "unknown") {
        3
    } else {
        0
    }
}

/// Judges by a policy, and checks all that has to hold whatever the answers are.
fn judge(repository: &Repository, policy: &str) -> Judged {
    let judged = repository.judge_with(&["--policy", policy]);
    let report = &judged.report;
    assert_eq!(report["policy"], policy);
    assert_eq!(judged.code, code(report, policy), "{}", judged.text);
    assert!(
        judged.missing().is_empty() && judged.problems().is_empty(),
        "{}",
        judged.text
    );
    for direction in ["backward", "forward"] {
        let evidence = &report["witnesses"][direction];
        assert_eq!(report[direction] == "no", !evidence.is_null(), "{report}");
        if report[direction] == "no" {
            assert!(
                judged.text.contains(&format!("\n{direction}: no - ")),
                "{}",
                judged.text
            );
        }
    }
    let last = judged.text.lines().last().expect("a line");
    assert!(
        last.contains(&format!(" by the policy {policy}: ")),
        "{last}"
    );
    judged
}

#[test]
fn nothing_to_refuse_is_accepted_by_every_policy() {
    let repository = Repository::new();
    repository.write("other", "");
    repository.commit("Go on");
    for policy in POLICIES {
        assert_eq!(judge(&repository, policy).report["verdict"], "identical");
    }
    repository.edit(SCHEMA, "Where it runs.", "The machine.");
    for policy in POLICIES {
        let judged = judge(&repository, policy);
        assert_eq!(
            (judged.code, &judged.report["verdict"]),
            (0, &"editorial".into())
        );
    }
}

#[test]
fn growth_is_asked_for_goldens_by_its_own_policy_alone() {
    let repository = Repository::new();
    repository.add_field();
    let judged = repository.judge();
    assert_eq!((judged.code, judged.missing()), (1, vec!["start.queue"]));
    for policy in POLICIES {
        assert_eq!(judge(&repository, policy).report["verdict"], "additive");
    }
}

#[test]
fn a_record_covers_growth_and_no_documents() {
    let repository = Repository::new();
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    repository.add_record(
        "accepted",
        "[{rule: constraint-narrowed, subject: start.host, reason: \"No host has such a name.\"}]",
    );
    assert_eq!(repository.judge().code, 0);
    assert_ne!(judge(&repository, "backward").code, 0);
    assert_ne!(judge(&repository, "full").code, 0);
}

#[test]
fn the_lock_is_about_growth_alone() {
    let repository = Repository::empty();
    repository.add_contract();
    repository.git(&[
        "rm",
        "-r",
        "--cached",
        "--quiet",
        "--ignore-unmatch",
        "schema/adr",
    ]);
    std::fs::remove_dir_all(repository.path().join("schema/adr")).expect("removed");
    repository.commit("Begin without a lock");
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    assert_eq!(repository.judge().code, 0);
    assert_ne!(judge(&repository, "backward").code, 0);
    repository.commit("Narrow");
    assert_eq!(repository.run(&["check-evolution", "--history"]).code, 0);
    let ran = repository.run(&["check-evolution", "--history", "--policy", "backward"]);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("\n    backward: "), "{ran:?}");
}

#[test]
fn a_first_version_breaks_nothing() {
    let repository = Repository::empty();
    repository.add_contract();
    for policy in POLICIES {
        let judged = repository.judge_with(&["--policy", policy]);
        assert_eq!(judged.code, 0, "{}", judged.text);
        assert_eq!(judged.report["policy"], policy);
    }
}

#[test]
fn pairs_are_judged_by_the_policy_too() {
    let repository = Repository::new();
    let lines = [
        r#"{"id": 1, "old": {"type": "string"}, "new": {"type": "string"}}"#,
        r#"{"id": 2, "old": {"type": "string"}, "new": {"type": ["string", "null"]}}"#,
    ];
    repository.write("pairs.jsonl", lines.join("\n"));
    for policy in POLICIES {
        let ran = repository.run(&[
            "check-evolution",
            "--pairs",
            "pairs.jsonl",
            "--policy",
            policy,
        ]);
        let reports: Vec<serde_json::Value> = ran
            .out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let codes: Vec<i32> = reports.iter().map(|report| code(report, policy)).collect();
        assert_eq!(codes[0], 0);
        for (report, code) in reports.iter().zip(&codes) {
            assert_eq!(report["policy"], policy);
            assert_eq!(report["accepted"], *code == 0, "{report}");
        }
        assert_eq!(ran.code, codes[1], "the worst line is the second");
    }
}

#[test]
fn the_levels_of_a_contract_hold_for_each_way_to_name_a_base() {
    let repository = Repository::new();
    repository.write("before.json", repository.read(SCHEMA));
    let settings = repository.read("schema/contract.toml");
    repository.write(
        "schema/contract.toml",
        format!("{settings}[levels]\nconstraint-narrowed = \"editorial\"\n"),
    );
    repository.commit("Allow it");
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    for flags in [
        vec![],
        vec!["--against", "HEAD"],
        vec!["--against", "before.json"],
        vec!["--against", "before.json", "--schema", SCHEMA],
    ] {
        let judged = repository.judge_with(&flags);
        assert_eq!(
            judged.report["changes"][0]["level"], "editorial",
            "{flags:?}: {}",
            judged.text
        );
        assert_eq!(judged.code, 0, "{flags:?}: {}", judged.text);
        // What is allowed does not alter which documents are valid.
        assert_ne!(judged.report["backward"], "yes", "{flags:?}");
    }
    let ran = repository.run(&["check-evolution", "--history", "--format", "json"]);
    let steps: Vec<serde_json::Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let newest = &steps[steps.len() - 2]["to_newest"];
    assert_eq!(newest["changes"][0]["level"], "editorial", "{newest}");
    // Two schemas named by hand belong to no contract.
    let ran = repository.run(&["check-evolution", "--old", "before.json", "--new", SCHEMA]);
    assert_eq!(ran.code, 1, "{ran:?}");
}
