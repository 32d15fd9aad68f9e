//! The pages of rules and codes are the catalogues as they stand, and everything in them is explained.

use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_wirelock"))
        .args(arguments)
        .output()
        .expect("the binary is there");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code().expect("a code"), text)
}

#[test]
fn the_pages_of_rules_and_codes_are_fresh() {
    for (page, arguments) in [
        ("docs/rules.md", &["rules", "--markdown"][..]),
        ("docs/codes.md", &["rules", "--codes", "--markdown"]),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
        let text = std::fs::read_to_string(path).expect("a page of the documents");
        let (code, written) = run(arguments);
        assert_eq!(code, 0);
        assert!(
            text.replace("\r\n", "\n") == written,
            "{page} is stale: write it with `cargo xtask {} > {page}`",
            arguments.join(" ")
        );
    }
}

#[test]
fn every_code_is_explained() {
    let (code, list) = run(&["rules", "--codes"]);
    assert_eq!(code, 0);
    for line in list.lines() {
        let (name, rest) = line.split_once(' ').expect("a name");
        let (code, text) = run(&["explain", name]);
        assert_eq!(code, 0, "{name}");
        let summary = text.lines().nth(1).expect("a summary");
        assert!(rest.ends_with(summary), "{name}: {text}");
        for part in ["\nWhy: ", "\nInstead: "] {
            assert!(text.contains(part), "{name} lacks {part:?}: {text}");
        }
    }
    assert!(
        run(&["explain", "STREAM_ITEM_INVALID"])
            .1
            .starts_with("STREAM_ITEM_INVALID: error\n")
    );
    assert_eq!(run(&["explain", "STREAM_NOTHING"]).0, 2);
}

#[test]
fn every_rule_is_explained_with_an_example() {
    let (code, list) = run(&["rules"]);
    assert_eq!(code, 0);
    for line in list.lines() {
        let id = line.split(' ').next().expect("an id");
        let (code, text) = run(&["explain", id]);
        assert_eq!(code, 0, "{id}");
        for part in ["Why: ", "Instead: ", "\nBefore:\n", "\nAfter:\n"] {
            assert!(text.contains(part), "{id} lacks {part:?}: {text}");
        }
    }
    assert_eq!(run(&["explain", "level-lowered"]).0, 0);
    assert_eq!(run(&["explain", "no-such-rule"]).0, 2);
}
