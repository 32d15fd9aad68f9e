//! Which revision a change is compared with, and what is said where there is none.

use crate::support::{Repository, SCHEMA, run_in};

fn narrow(repository: &Repository) {
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
}

#[test]
fn a_branch_is_compared_with_where_it_began() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "-b", "topic"]);
    narrow(&repository);
    repository.commit("Narrow");
    repository.write("other", "");
    repository.commit("Go on");
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert!(
        judged.text.contains("the merge base with main"),
        "{}",
        judged.text
    );

    // What others did on the default branch meanwhile is not this branch's doing.
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("elsewhere", "");
    repository.commit("Go on elsewhere");
    repository.git(&["checkout", "--quiet", "topic"]);
    assert_eq!(repository.judge().code, 1);
}

#[test]
fn the_default_branch_is_compared_with_its_parent() {
    let repository = Repository::new();
    narrow(&repository);
    repository.commit("Narrow");
    let judged = repository.judge();
    assert_eq!(judged.code, 1, "{}", judged.text);
    assert!(
        judged.text.contains("the first parent of HEAD"),
        "{}",
        judged.text
    );
    repository.write("other", "");
    repository.commit("Go on");
    assert_eq!(repository.judge().report["verdict"], "identical");
}

#[test]
fn a_merge_is_compared_with_the_branch_it_went_into() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "-b", "topic"]);
    narrow(&repository);
    repository.commit("Narrow");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--no-ff", "--message", "Merge", "topic"]);
    assert_eq!(repository.judge().code, 1);
    assert_eq!(repository.run(&["check-evolution", "--history"]).code, 1);
}

#[test]
fn the_work_tree_counts_with_what_is_not_committed() {
    let repository = Repository::new();
    repository.add_field();
    assert_eq!(repository.judge().code, 1, "an edit that is not committed");
    repository.add_golden(
        "queued.jsonl",
        r#"{"type":"start","job":"j9","seq":0,"queue":"q"}"#,
    );
    assert_eq!(
        repository.judge().code,
        0,
        "a golden that git does not know yet"
    );
}

#[test]
fn the_first_version_is_accepted_and_said_so() {
    let unborn = Repository::empty();
    unborn.add_contract();
    let judged = unborn.judge();
    assert!(
        judged.text.contains("first version") && judged.code == 0,
        "{}",
        judged.text
    );
    unborn.commit("Begin");
    let judged = unborn.judge();
    assert!(
        judged.text.contains("first version") && judged.code == 0,
        "{}",
        judged.text
    );

    let later = Repository::empty();
    later.commit("Begin");
    later.add_contract();
    later.commit("Add the contract");
    let judged = later.judge();
    assert!(
        judged.text.contains("first version") && judged.code == 0,
        "{}",
        judged.text
    );
}

#[test]
fn a_contract_that_moves_stays_locked() {
    let repository = Repository::new();
    repository.git(&["mv", "schema", "contract"]);
    let moved = ["check-evolution", "--contract", "contract"];
    assert_eq!(repository.run(&moved).code, 0);
    repository.edit(
        "contract/log.schema.json",
        "\"maxLength\": 100",
        "\"maxLength\": 50",
    );
    assert_eq!(repository.run(&moved).code, 1);
    repository.git(&["mv", "contract/log.schema.json", "contract/other.json"]);
    repository.edit("contract/contract.toml", "log.schema.json", "other.json");
    assert_eq!(repository.run(&moved).code, 1);
}

#[test]
fn another_base_can_be_named() {
    let repository = Repository::new();
    repository.git(&["tag", "first"]);
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy");
    let status = std::process::Command::new("cp")
        .arg("-r")
        .arg(repository.path().join("schema"))
        .arg(&copy)
        .status();
    assert!(status.expect("cp is there").success());
    narrow(&repository);
    repository.commit("Narrow");
    repository.commit("Go on");
    assert_eq!(repository.judge().code, 0);
    for against in ["first", "main~2", copy.to_str().expect("UTF-8")] {
        let judged = repository.judge_with(&["--against", against]);
        assert_eq!(
            (judged.code, judged.changes()),
            (1, vec!["constraint-narrowed start.host".to_owned()]),
            "{against}"
        );
    }
    let file = copy.join("log.schema.json");
    let judged = repository.judge_with(&["--against", file.to_str().expect("UTF-8")]);
    assert_eq!(judged.code, 1, "{}", judged.text);
    let judged = repository.judge_with(&["--schema", file.to_str().expect("UTF-8")]);
    assert_eq!(
        (judged.code, judged.changes()),
        (1, vec!["constraint-widened start.host".to_owned()])
    );
}

#[test]
fn a_ref_that_is_none_is_told_with_what_to_do() {
    let repository = Repository::new();
    for (against, expected) in [
        (
            "no-such-ref",
            "\"no-such-ref\" is neither a ref nor a path here; check the spelling, or fetch it",
        ),
        ("-x", "\"-x\" is refused: a ref does not begin with `-`"),
        (
            "--output=/tmp/x",
            "is refused: a ref does not begin with `-`",
        ),
        ("HEAD^{tree}", "neither a ref nor a path"),
    ] {
        let flag = format!("--against={against}");
        let ran = repository.run(&["check-evolution", &flag]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(
            ran.err.contains(expected) && ran.err.lines().count() == 1,
            "{ran:?}"
        );
    }
    repository.git(&["branch", "schema"]);
    let ran = repository.run(&["check-evolution", "--against", "schema"]);
    assert!(
        ran.code == 2 && ran.err.contains("is a ref and a path; write ./schema"),
        "{ran:?}"
    );
}

#[test]
fn a_shallow_clone_is_no_first_version() {
    let repository = Repository::new();
    narrow(&repository);
    repository.commit("Narrow");
    repository.git(&["checkout", "--quiet", "-b", "topic"]);
    repository.write("other", "");
    repository.commit("Go on");
    // A clone takes the branch that is checked out here for the default one.
    repository.git(&["checkout", "--quiet", "main"]);
    let source = format!("file://{}", repository.path().display());
    for (branch, expected) in [("main", "ends at"), ("topic", "git fetch --unshallow")] {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("clone");
        repository.git(&[
            "clone",
            "--quiet",
            "--depth=1",
            "--no-single-branch",
            "--branch",
            branch,
            &source,
            target.to_str().expect("UTF-8"),
        ]);
        let ran = run_in(&target, &["check-evolution"], &[]);
        assert_eq!(ran.code, 2, "{branch}: {ran:?}");
        assert!(
            ran.err.contains(expected) && ran.err.contains("--unshallow"),
            "{branch}: {ran:?}"
        );
    }
}

#[test]
fn without_a_repository_or_git_it_says_what_to_do() {
    let repository = Repository::new();
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::rename(repository.path().join(".git"), folder.path().join("git")).expect("moved");
    let ran = repository.run(&["check-evolution"]);
    assert!(
        ran.code == 2
            && ran.err.contains("this is no git repository")
            && ran.err.contains("--against"),
        "{ran:?}"
    );
    let ran = run_in(
        repository.path(),
        &["check-evolution"],
        &[("PATH", "/nowhere")],
    );
    assert!(
        ran.code == 2 && ran.err.contains("git was not found; install it"),
        "{ran:?}"
    );
}

#[test]
fn a_default_branch_that_is_missing_is_told() {
    let repository = Repository::new();
    repository.git(&["branch", "--move", "trunk"]);
    let ran = repository.run(&["check-evolution"]);
    assert!(
        ran.code == 2 && ran.err.contains("default-branch"),
        "{ran:?}"
    );
    repository.edit(
        "schema/contract.toml",
        "capability",
        "default-branch = \"trunk\"\ncapability",
    );
    repository.commit("Say which");
    assert_eq!(repository.judge().code, 0);
}

#[test]
fn the_folder_of_the_contract_may_be_the_current_one() {
    let repository = Repository::new();
    repository.add_field();
    let folder = repository.path().join("schema");
    for arguments in [
        &["check-evolution", "--format", "json"][..],
        &["check-evolution", "--against", "HEAD", "--format", "json"],
        &["check-evolution", "--history", "--format", "json"],
        &[
            "check-evolution",
            "--schema",
            "log.schema.json",
            "--format",
            "json",
        ],
    ] {
        let there = run_in(&folder, arguments, &[]);
        assert!(!there.err.contains("cannot be found"), "{there:?}");
        assert!(
            there.out.contains("queue"),
            "the addition is seen: {there:?}"
        );
    }
}

#[test]
fn history_judges_every_step_and_each_revision_against_the_newest() {
    let repository = Repository::new();
    repository.add_field();
    repository.add_golden(
        "queued.jsonl",
        r#"{"type":"start","job":"j9","seq":0,"queue":"q"}"#,
    );
    repository.commit("Add a member");
    let ran = repository.run(&["check-evolution", "--history"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out
            .ends_with("steps: 2 accepted, 0 refused, 0 undecided, 0 could not run\n"),
        "{ran:?}"
    );
    narrow(&repository);
    repository.commit("Narrow");
    repository.edit(SCHEMA, "\"maxLength\": 50", "\"maxLength\": 100");
    repository.commit("Widen again");
    let ran = repository.run(&["check-evolution", "--history"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out.contains("constraint-narrowed  start.host"),
        "{ran:?}"
    );
    assert!(
        ran.out
            .ends_with("steps: 2 accepted, 2 refused, 0 undecided, 0 could not run\n"),
        "{ran:?}"
    );
    assert_eq!(ran.out.matches("to the newest").count(), 3, "{ran:?}");
}

#[test]
fn what_was_broken_before_the_lock_does_not_count() {
    let repository = Repository::empty();
    repository.add_contract();
    let schema = repository.read(SCHEMA);
    repository.edit("schema/adr/0001-lock.md", "accepted", "draft");
    repository.write(SCHEMA, "{");
    repository.commit("Begin badly");
    repository.write(SCHEMA, &schema);
    repository.commit("Mend");
    let ran = repository.run(&["check-evolution"]);
    assert!(
        ran.code == 2 && ran.err.contains("name another one with --against"),
        "{ran:?}"
    );
    repository.edit("schema/adr/0001-lock.md", "draft", "accepted");
    repository.commit("Lock");
    let history = ["check-evolution", "--history"];
    let ran = repository.run(&history);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out
            .ends_with("1 accepted, 0 refused, 0 undecided, 2 could not run\n"),
        "{ran:?}"
    );
    repository.write(SCHEMA, "{");
    assert_eq!(repository.run(&history).code, 2);
    repository.commit("Break after the lock");
    repository.write(SCHEMA, &schema);
    repository.commit("Mend again");
    assert_eq!(repository.run(&history).code, 2);
}

#[test]
fn a_hook_and_its_environment_change_nothing() {
    let repository = Repository::new();
    narrow(&repository);
    let environment = [
        ("GIT_DIR", "/nowhere"),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_PAGER", "false"),
        ("LC_ALL", "xx_XX"),
    ];
    let ran = run_in(repository.path(), &["check-evolution"], &environment);
    assert_eq!(ran.code, 1, "{ran:?}");
}

#[test]
fn it_runs_from_any_folder_of_the_repository() {
    let repository = Repository::new();
    narrow(&repository);
    repository.write("deep/er/x", "");
    assert_eq!(
        run_in(
            &repository.path().join("deep/er"),
            &["check-evolution"],
            &[]
        )
        .code,
        1
    );
}
