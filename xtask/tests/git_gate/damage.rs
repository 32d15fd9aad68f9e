//! Repositories that lost objects or refs: never taken for one that begins here.

use crate::support::{Repository, SCHEMA};
use std::fs;

/// Judging has to end with 2 and say this, whichever way the base is looked for.
fn refuse(repository: &Repository, expected: &str) {
    for arguments in [
        vec!["check-evolution"],
        vec!["check-evolution", "--against", "HEAD"],
        vec!["check-evolution", "--history"],
    ] {
        let ran = repository.run(&arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(
            ran.err.contains(expected),
            "{arguments:?}: {ran:?} lacks {expected}"
        );
        assert_eq!(ran.out, "", "{arguments:?}");
    }
}

fn lose(repository: &Repository, revision: &str) {
    let object = repository.git(&["rev-parse", revision]);
    repository.remove(&format!(".git/objects/{}/{}", &object[..2], &object[2..]));
}

#[test]
fn a_commit_that_is_lost() {
    let repository = Repository::new();
    lose(&repository, "HEAD");
    refuse(&repository, "git fsck");
    // A schema without a contract takes another way to its base.
    repository.remove("schema/contract.toml");
    let ran = repository.run(&["check-evolution", "--schema", SCHEMA]);
    assert!(ran.code == 2 && ran.err.contains("git fsck"), "{ran:?}");
}

#[test]
fn a_detached_commit_that_is_lost() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "--detach"]);
    lose(&repository, "HEAD");
    refuse(&repository, "git fsck");
}

#[test]
fn all_objects_lost() {
    let repository = Repository::new();
    let objects = repository.path().join(".git/objects");
    fs::remove_dir_all(&objects).expect("removed");
    fs::create_dir(&objects).expect("made");
    refuse(&repository, "git fsck");
}

#[test]
fn a_branch_that_holds_no_object_id() {
    let repository = Repository::new();
    for content in ["", "nonsense\n"] {
        repository.write(".git/refs/heads/main", content);
        let ran = repository.run(&["check-evolution"]);
        assert!(
            ran.code == 2 && ran.err.contains("git fsck") && ran.out.is_empty(),
            "{ran:?}"
        );
    }
}

#[test]
fn a_default_branch_that_is_lost_is_not_passed_over() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "-b", "work"]);
    repository.commit("Work");
    lose(&repository, "main");
    let ran = repository.run(&["check-evolution"]);
    assert!(
        ran.code == 2 && ran.err.contains("refs/heads/main names"),
        "{ran:?}"
    );
}

#[test]
fn a_schema_that_is_lost() {
    let repository = Repository::new();
    lose(&repository, &format!("HEAD:{SCHEMA}"));
    let ran = repository.run(&["check-evolution"]);
    assert!(
        ran.code == 2
            && ran.err.contains("git has no content for it here")
            && ran.err.contains("git fsck"),
        "{ran:?}"
    );
}

#[test]
fn a_folder_that_is_lost() {
    for folder in ["schema", "schema/golden", "schema/adr"] {
        let repository = Repository::new();
        lose(&repository, &format!("HEAD:{folder}"));
        let ran = repository.run(&["check-evolution"]);
        assert!(ran.code == 2 && ran.out.is_empty(), "{folder}: {ran:?}");
    }
}

#[test]
fn a_branch_without_a_commit_begins_here() {
    let repository = Repository::empty();
    repository.add_contract();
    assert_eq!(repository.run(&["check-evolution"]).code, 0);
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "--orphan", "other"]);
    let ran = repository.run(&["check-evolution"]);
    assert!(
        ran.code == 0 && ran.out.contains("first version"),
        "{ran:?}"
    );
}

#[test]
fn default_branches_that_are_no_names() {
    for name in [":/one", "main..main", "main\\nx", "@{-1}", "HEAD", "a b"] {
        let repository = Repository::new();
        let settings = repository.read("schema/contract.toml");
        repository.write(
            "schema/contract.toml",
            format!("{settings}default-branch = \"{name}\"\n"),
        );
        let ran = repository.run(&["check-evolution"]);
        assert!(
            ran.code == 2 && ran.err.contains("no name of a branch"),
            "{name}: {ran:?}"
        );
    }
}
