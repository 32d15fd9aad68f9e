//! Input that cannot be used: one clear message, exit code 2, and nothing changed on disk.

use crate::support::{GOLDEN, Repository, SCHEMA};
use std::fs;

/// Runs a command that has to end with 2 and one message that says this, changing nothing.
fn refuse(repository: &Repository, arguments: &[&str], expected: &str) {
    let before = repository.snapshot();
    let ran = repository.run(arguments);
    assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
    assert!(ran.err.starts_with("error: "), "{arguments:?}: {ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{arguments:?}: {ran:?}");
    assert!(
        ran.err.contains(expected),
        "{arguments:?}: {ran:?} lacks {expected}"
    );
    assert_eq!(ran.out, "", "{arguments:?}");
    assert!(
        repository.snapshot() == before,
        "{arguments:?} changed a file"
    );
}

#[test]
fn schemas_that_are_none() {
    let deep = format!(
        "{{\"not\":{}true{}}}",
        "{\"not\":".repeat(400),
        "}".repeat(400)
    );
    for (content, expected) in [
        (
            "{\"type\": \"object\",\n  oops}".as_bytes().to_vec(),
            "schema/log.schema.json:2:3: ",
        ),
        (b"".to_vec(), "schema/log.schema.json:1:1: "),
        (b"[1, 2]".to_vec(), "schema/log.schema.json:1:1: "),
        (
            b"{\n  \"type\": \"strin\"\n}".to_vec(),
            "schema/log.schema.json:2:",
        ),
        (
            b"{\"$ref\": \"#/$defs/none\"}".to_vec(),
            "schema/log.schema.json:1:",
        ),
        (
            b"{\"title\": \"\xff\"}".to_vec(),
            "schema/log.schema.json:1: it is not UTF-8 from byte 11 on",
        ),
        (deep.into_bytes(), "schema/log.schema.json:1:"),
    ] {
        let repository = Repository::new();
        repository.write(SCHEMA, &content);
        refuse(&repository, &["check-evolution"], expected);
        refuse(
            &repository,
            &[
                "check-evolution",
                "--format",
                "json",
                "--output",
                "report.json",
            ],
            expected,
        );
        refuse(
            &repository,
            &["check-evolution", "--old", SCHEMA, "--new", SCHEMA],
            expected,
        );
        refuse(&repository, &["check-schema"], expected);
        refuse(&repository, &["check-goldens"], expected);
    }
}

#[test]
fn paths_that_lead_nowhere() {
    let repository = Repository::new();
    fs::File::create(repository.path().join("huge.json"))
        .and_then(|file| file.set_len(65 << 20))
        .expect("a sparse file");
    for (path, expected) in [
        (
            "no/such.json",
            "no/such.json: there is no such file; check the path",
        ),
        ("schema", "schema: this is a folder; name a file in it"),
        ("huge.json", "huge.json: it is larger than 64 MiB"),
    ] {
        let ran = repository.run(&["check-evolution", "--old", path, "--new", SCHEMA]);
        assert!(ran.code == 2 && ran.err.contains(expected), "{ran:?}");
        let ran = repository.run(&["check-schema", "--schema", path]);
        assert!(ran.code == 2 && ran.err.contains(expected), "{ran:?}");
    }
    let ran = repository.run(&["check-evolution", "--output", "no/such/report"]);
    assert!(
        ran.code == 2 && ran.err.contains("no/such/report: cannot write it"),
        "{ran:?}"
    );
    refuse(
        &repository,
        &["check-evolution", "--contract", "none"],
        "none: there is no such file",
    );
    repository.remove(SCHEMA);
    refuse(
        &repository,
        &["check-evolution"],
        "has no schema where contract.toml says",
    );
    refuse(
        &repository,
        &["check-schema"],
        "schema/log.schema.json: there is no such file",
    );
}

#[cfg(unix)]
#[test]
fn files_that_may_not_be_read_or_are_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let repository = Repository::new();
    let secret = repository.path().join("secret.json");
    repository.write("secret.json", "{}");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).expect("set");
    // Who runs this as root may read everything, and then there is nothing to refuse.
    if fs::read(&secret).is_err() {
        refuse(
            &repository,
            &["check-schema", "--schema", "secret.json"],
            "secret.json: it may not be read",
        );
    }
    repository.write("elsewhere.json", repository.read(SCHEMA));
    repository.remove(SCHEMA);
    symlink("../elsewhere.json", repository.path().join(SCHEMA)).expect("linked");
    refuse(
        &repository,
        &["check-evolution"],
        "it is a link; the contract's files have to be files themselves",
    );
}

#[test]
fn settings_that_are_wrong() {
    for (text, expected) in [
        (
            "capability = \"log_v1\"\n",
            "schema/contract.toml:1:1: missing field `schema`",
        ),
        (
            "capability = \"log_v1\"\nschema = \"../x.json\"\n",
            "schema/contract.toml:2:10: ",
        ),
        (
            "capability = \"log_v1\"\nschema = \"log.schema.json\"\ngolden = \"x\"\n",
            "schema/contract.toml:3:1: unknown field `golden`",
        ),
        (
            "capability = \"log_v1\"\nschema = \"log.schema.json\"\n[levels]\nno-such = \"additive\"\n",
            "schema/contract.toml:4:1: there is no rule \"no-such\"",
        ),
    ] {
        let repository = Repository::new();
        repository.write("schema/contract.toml", text);
        refuse(&repository, &["check-evolution"], expected);
    }
}

#[test]
fn unions_that_do_not_fit_stop_the_comparison() {
    let repository = Repository::new();
    repository.edit(
        SCHEMA,
        "\"enum\": [\"start\", \"done\"]",
        "\"enum\": [\"start\"]",
    );
    refuse(
        &repository,
        &["check-evolution"],
        "the catch-all also takes the known `type` \"done\"",
    );
}

#[test]
fn a_golden_that_is_no_text() {
    let repository = Repository::new();
    repository.write(GOLDEN, b"{}\n\xff\n");
    refuse(
        &repository,
        &["check-goldens"],
        "schema/golden/finished.jsonl:2: it is not UTF-8 from byte 3 on",
    );
}

#[test]
fn command_lines_that_make_no_sense() {
    let repository = Repository::new();
    for arguments in [
        vec!["check-evolution", "--old", SCHEMA],
        vec![
            "check-evolution",
            "--old",
            SCHEMA,
            "--new",
            SCHEMA,
            "--history",
        ],
        vec!["check-evolution", "--format", "prose"],
        vec!["check-evolutio"],
        vec![],
    ] {
        let ran = repository.run(&arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(
            ran.out.is_empty() && !ran.err.is_empty(),
            "{arguments:?}: {ran:?}"
        );
    }
    let ran = repository.run(&["explain", "no-such-rule"]);
    assert!(
        ran.code == 2
            && ran
                .err
                .contains("`rules` and `rules --codes` list them all"),
        "{ran:?}"
    );
    assert_eq!(repository.run(&["--help"]).code, 0);
    assert_eq!(repository.run(&["explain", "property-removed"]).code, 0);
}

#[test]
fn pairs_go_on_after_a_bad_one() {
    let repository = Repository::new();
    let lines = [
        r#"{"id": "same", "old": {"type": "string"}, "new": {"type": "string"}, "why": "x"}"#,
        r#"{"id": 2, "old": {"type": "strin"}, "new": {}}"#,
        "nonsense",
        "",
        r#"{"id": "retype", "old": {"type": "string"}, "new": {"type": "integer"}}"#,
    ];
    repository.write("pairs.jsonl", lines.join("\n"));
    let ran = repository.run(&["check-evolution", "--pairs", "pairs.jsonl"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    let verdicts: Vec<serde_json::Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(verdicts.len(), 4, "{ran:?}");
    assert!(
        verdicts[0]["id"] == "same" && verdicts[0]["verdict"] == "identical",
        "{ran:?}"
    );
    assert!(
        verdicts[1]["id"] == 2 && verdicts[1]["error"].is_string(),
        "{ran:?}"
    );
    assert!(
        verdicts[2]["id"].is_null()
            && verdicts[2]["error"]
                .as_str()
                .is_some_and(|error| error.contains("line 3")),
        "{ran:?}"
    );
    assert!(
        verdicts[3]["id"] == "retype" && verdicts[3]["additive"] == "no",
        "{ran:?}"
    );
    assert!(
        ran.out
            .lines()
            .next()
            .is_some_and(|line| line.starts_with("{\"id\":\"same\",\"verdict\"")),
        "{ran:?}"
    );
}

#[test]
fn a_report_goes_to_a_file_whole() {
    let repository = Repository::new();
    let ran = repository.run(&[
        "check-evolution",
        "--format",
        "json",
        "--output",
        "report.json",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let report: serde_json::Value =
        serde_json::from_str(&repository.read("report.json")).expect("JSON");
    assert_eq!(report["accepted"], true);
}

#[test]
fn text_from_a_schema_does_not_reach_the_terminal_raw() {
    let repository = Repository::new();
    repository.edit(SCHEMA, "\"retries\": {", "\"re\\u001b[2J\\u202etries\": {");
    let ran = repository.run(&["check-evolution"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        !ran.out.contains(['\u{1b}', '\u{202e}']) && ran.out.contains("\\u{1b}[2J"),
        "{ran:?}"
    );
    repository.write(SCHEMA, "{\"$ref\": \"#/$defs/\u{202e}\\u001b[2Jx\"}");
    let ran = repository.run(&["check-evolution"]);
    assert!(
        ran.code == 2 && !ran.err.contains(['\u{1b}', '\u{202e}']),
        "{ran:?}"
    );
}
