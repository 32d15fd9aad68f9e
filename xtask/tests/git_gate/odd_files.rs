//! Files that are no files, outputs that are inputs, and names that nobody can read.

use crate::support::{GOLDEN, Ran, Repository, SCHEMA};
use std::process::{Command, Stdio};

const RECORD: &str = "schema/adr/0001-lock.md";

fn refused(repository: &Repository, arguments: &[&str], expected: &str) {
    let ran = repository.run(arguments);
    assert!(
        ran.code == 2 && ran.err.contains(expected) && ran.out.is_empty(),
        "{arguments:?}: {ran:?} lacks {expected}"
    );
}

#[cfg(unix)]
fn pipe(repository: &Repository, path: &str) {
    let made = Command::new("mkfifo")
        .arg(repository.path().join(path))
        .status()
        .expect("mkfifo is there");
    assert!(made.success());
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_waited_for() {
    let repository = Repository::new();
    pipe(&repository, "pipe");
    for (path, kind) in [("pipe", "a pipe"), ("/dev/zero", "a device")] {
        let expected = format!("{path}: this is {kind}, no regular file");
        for arguments in [
            vec!["check-evolution", "--old", path, "--new", SCHEMA],
            vec!["check-evolution", "--old", SCHEMA, "--new", path],
            vec!["check-evolution", "--schema", path],
            vec!["check-evolution", "--against", path],
            vec!["check-evolution", "--pairs", path],
            vec!["check-schema", "--schema", path],
            vec!["codegen", "--schema", path, "--out", "out.rs"],
        ] {
            refused(&repository, &arguments, &expected);
        }
    }
    for path in [SCHEMA, GOLDEN, RECORD, "schema/contract.toml"] {
        let repository = Repository::new();
        repository.remove(path);
        pipe(&repository, path);
        for command in ["check-evolution", "check-goldens"] {
            refused(&repository, &[command], "this is a pipe, no regular file");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_a_shell_hands_over_is_read() {
    let repository = Repository::new();
    let binary = env!("CARGO_BIN_EXE_wirelock");
    for script in [
        format!("cat {SCHEMA} | {binary} check-evolution --old /dev/stdin --new {SCHEMA}"),
        format!("{binary} check-evolution --old <(cat {SCHEMA}) --new <(cat {SCHEMA})"),
        format!("cat {SCHEMA} | {binary} check-schema --schema /proc/self/fd/0"),
        format!(
            "{binary} check-evolution --pairs <(echo '{{\"id\":1,\"old\":{{}},\"new\":{{}}}}')"
        ),
    ] {
        let output = Command::new("bash")
            .args(["-c", &script])
            .current_dir(repository.path())
            .stdin(Stdio::null())
            .output()
            .expect("bash is there");
        assert!(output.status.success(), "{script}: {output:?}");
    }
}

#[cfg(unix)]
#[test]
fn output_of_codegen_is_a_file() {
    let repository = Repository::new();
    pipe(&repository, "pipe");
    for out in ["/dev/full", "/dev/null", "pipe"] {
        refused(
            &repository,
            &["codegen", "--schema", SCHEMA, "--out", out],
            "no regular file",
        );
    }
    std::os::unix::fs::symlink("types.rs", repository.path().join("link.rs")).expect("linked");
    refused(
        &repository,
        &["codegen", "--schema", SCHEMA, "--out", "link.rs"],
        "this is a link",
    );
}

#[test]
fn no_output_goes_over_an_input() {
    let repository = Repository::new();
    repository.write("old.json", repository.read(SCHEMA));
    repository.write("pairs.jsonl", "{\"id\":1,\"old\":{},\"new\":{}}\n");
    let before = repository.snapshot();
    let same = format!("schema/../{SCHEMA}");
    for arguments in [
        vec!["codegen", "--schema", SCHEMA, "--out", SCHEMA],
        vec!["codegen", "--schema", SCHEMA, "--out", &same],
        vec!["check-evolution", "--output", SCHEMA],
        vec!["check-evolution", "--output", GOLDEN],
        vec!["check-evolution", "--output", RECORD],
        vec!["check-evolution", "--output", "schema/contract.toml"],
        vec!["check-evolution", "--history", "--output", RECORD],
        vec![
            "check-evolution",
            "--schema",
            "old.json",
            "--output",
            "old.json",
        ],
        vec![
            "check-evolution",
            "--against",
            "old.json",
            "--output",
            "./old.json",
        ],
        vec![
            "check-evolution",
            "--against",
            "./schema",
            "--output",
            SCHEMA,
        ],
        vec![
            "check-evolution",
            "--old",
            "old.json",
            "--new",
            SCHEMA,
            "--output",
            "old.json",
        ],
        vec![
            "check-evolution",
            "--old",
            SCHEMA,
            "--new",
            "old.json",
            "--output",
            "old.json",
        ],
        vec![
            "check-evolution",
            "--pairs",
            "pairs.jsonl",
            "--output",
            "pairs.jsonl",
        ],
    ] {
        refused(&repository, &arguments, "this is read as input");
    }
    assert!(repository.snapshot() == before, "an input was written over");
    // A report beside the contract is no input, however often it is written.
    for _ in 0..2 {
        let ran = repository.run(&["check-evolution", "--output", "schema/report.txt"]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
}

#[test]
fn a_byte_order_mark_is_told_as_one() {
    for path in [SCHEMA, GOLDEN, RECORD] {
        let repository = Repository::new();
        repository.write(path, format!("\u{feff}{}", repository.read(path)));
        let expected = format!("{path}: it starts with a byte order mark; save it without");
        refused(&repository, &["check-evolution"], &expected);
    }
    // A record that history holds can no longer be mended, and must not stop the one that mends it.
    let repository = Repository::new();
    let record = repository.read(RECORD);
    repository.write(RECORD, format!("\u{feff}{record}"));
    repository.commit("Mark");
    repository.write(RECORD, record);
    let ran: Ran = repository.run(&["check-evolution"]);
    assert!(
        ran.code != 2 && ran.out.contains("byte order mark"),
        "{ran:?}"
    );
}

#[test]
fn a_folder_named_as_a_file_is_not_passed_over() {
    for path in ["schema/golden/x.jsonl", "schema/adr/0002-x.md"] {
        let repository = Repository::new();
        repository.write(&format!("{path}/inside"), "");
        refused(
            &repository,
            &["check-evolution"],
            &format!("{path}: this is a folder"),
        );
    }
}

#[test]
fn a_date_is_a_day_of_the_calendar() {
    for (date, is_day) in [
        ("2026-02-31", false),
        ("2026-02-29", false),
        ("2100-02-29", false),
        ("2026-04-31", false),
        ("2026-13-01", false),
        ("2026-12-00", false),
        ("2028-02-29", true),
        ("2000-02-29", true),
        ("2026-12-31", true),
    ] {
        let repository = Repository::new();
        repository.add_record("draft", "[]");
        repository.edit("schema/adr/0002-change.md", "2026-12-02", date);
        let ran = repository.run(&["check-evolution"]);
        assert_eq!(ran.code == 2, !is_day, "{date}: {ran:?}");
        assert_eq!(ran.err.contains("is no date"), !is_day, "{date}: {ran:?}");
    }
}

#[test]
fn a_name_too_long_to_read_is_cut() {
    let repository = Repository::new();
    let name = "n".repeat(100_000);
    repository.edit(
        SCHEMA,
        "\"retries\": {",
        &format!("\"{name}\": {{\"type\": \"string\"}},\n        \"retries\": {{"),
    );
    let ran = repository.run(&["check-evolution"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out.len() < 5000 && ran.out.contains('…'),
        "{}",
        ran.out.len()
    );
    let ran = repository.run(&["check-evolution", "--against", &name]);
    assert!(ran.code == 2 && ran.err.len() < 1000, "{}", ran.err.len());
}
