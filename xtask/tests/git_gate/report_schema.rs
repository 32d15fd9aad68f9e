//! The schema of the JSON report: fresh, and a contract that CI holds every change of it against.

use crate::support::{Repository, copy, run_in};
use std::path::{Path, PathBuf};

/// The schema of the report in a repository whose contract is in `schema`.
const REPORT: &str = "schema/report/check-evolution.schema.json";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The contract beside these tests, and in a folder of it the one of the report.
fn with_report() -> Repository {
    let repository = Repository::empty();
    repository.add_contract();
    copy(
        &root().join("schema/report"),
        &repository.path().join("schema/report"),
    );
    repository.commit("Begin");
    repository
}

/// Runs `ci` with a cargo that takes everything: what it would build is no matter of these tests.
fn ci(repository: &Repository) -> String {
    let ran = run_in(repository.path(), &["ci"], &[("CARGO", "true")]);
    assert_eq!(
        ran.code, 1,
        "the types of this contract are not there: {ran:?}"
    );
    let failed = ran.out.lines().filter(|line| line.starts_with("failed: "));
    failed.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_schema_that_is_published_is_the_one_that_the_types_tell() {
    let repository = Repository::empty();
    let path = root().join("schema/report/check-evolution.schema.json");
    let path = path.to_str().expect("UTF-8");
    let check = ["report-schema", "--check", "--out", path];
    let ran = repository.run(&check);
    assert_eq!(
        ran.code, 0,
        "write it with `cargo xtask report-schema --out schema/report/check-evolution.schema.json`: {ran:?}"
    );
    let printed = repository.run(&["report-schema"]).out;
    assert_eq!(
        std::fs::read_to_string(path)
            .expect("read")
            .replace("\r\n", "\n"),
        printed
    );
    repository.write("stale.json", "{}");
    let ran = repository.run(&["report-schema", "--check", "--out", "stale.json"]);
    assert_eq!(
        (ran.code, repository.read("stale.json").as_str()),
        (1, "{}")
    );
}

#[test]
fn ci_refuses_a_report_that_breaks_who_reads_it() {
    let repository = with_report();
    let before = ci(&repository);
    assert!(!before.contains("schema/report"), "{before}");

    // As it comes when the Rust type loses a member: `message` of a problem.
    let mut schema: serde_json::Value =
        serde_json::from_str(&repository.read(REPORT)).expect("JSON");
    let problem = &mut schema["$defs"]["Problem"];
    let member = problem["properties"]
        .as_object_mut()
        .and_then(|members| members.remove("message"));
    assert!(member.is_some());
    let required = problem["required"].as_array_mut().expect("a list");
    required.retain(|name| name != "message");
    repository.write(REPORT, format!("{schema:#}\n"));
    let broken = ci(&repository);
    for step in [
        "report-schema --check --out schema/report/check-evolution.schema.json",
        "check-evolution --contract schema/report",
        "check-evolution --history --contract schema/report",
    ] {
        assert!(
            broken.contains(&format!(" {step}: failed")),
            "{step}: {broken}"
        );
    }
    let judged = repository.judge_with(&["--contract", "schema/report"]);
    assert_eq!(
        judged.changes(),
        ["property-removed Report.problems[].message"],
        "{}",
        judged.text
    );
    // The contract that the folder lies in is another one, and did not change.
    assert_eq!(repository.judge().changes(), [""; 0]);
}

#[test]
fn a_report_may_gain_what_can_be_absent_and_values_of_open_sets() {
    let repository = with_report();
    let mut schema: serde_json::Value =
        serde_json::from_str(&repository.read(REPORT)).expect("JSON");
    let definitions = &mut schema["$defs"];
    definitions["Problem"]["properties"]["hint"] =
        serde_json::json!({"type": "string", "description": "What to try."});
    let kinds = definitions["ProblemKind"]["anyOf"].as_array_mut();
    kinds.expect("an open set").insert(
        0,
        serde_json::json!({"const": "record-odd", "type": "string", "description": "Odd."}),
    );
    repository.write(REPORT, format!("{schema:#}\n"));
    let judged = repository.judge_with(&["--contract", "schema/report"]);
    assert_eq!(judged.code, 0, "{}", judged.text);
    assert_eq!(
        judged.changes(),
        [
            "property-added Report.problems[].hint",
            "open-enum-value-added Report.problems[].kind=record-odd"
        ]
    );
}

#[test]
fn the_page_on_the_report_shows_a_real_one() {
    let repository = Repository::empty();
    for name in ["note", "remark"] {
        let schema =
            format!(r#"{{"type": "object", "properties": {{"{name}": {{"type": "string"}}}}}}"#);
        repository.write(&format!("{name}.json"), schema);
    }
    let pair = [
        "--old",
        "note.json",
        "--new",
        "remark.json",
        "--format",
        "json",
    ];
    let ran = repository.run(&[["check-evolution"].as_slice(), &pair].concat());
    let page = std::fs::read_to_string(root().join("docs/report.md")).expect("docs/report.md");
    let page = page.replace("\r\n", "\n");
    assert!(
        page.contains(&format!("```json\n{}```\n", ran.out)),
        "{}",
        ran.out
    );
}
