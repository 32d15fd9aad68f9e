//! The page of rules is the catalogue as it stands, and every rule and kind of finding is explained.

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
fn the_page_of_rules_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let page = std::fs::read_to_string(path).expect("docs/rules.md");
    let (code, written) = run(&["rules", "--markdown"]);
    assert_eq!(code, 0);
    assert!(
        page.replace("\r\n", "\n") == written,
        "docs/rules.md is stale: write it with `cargo xtask rules --markdown > docs/rules.md`"
    );
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
