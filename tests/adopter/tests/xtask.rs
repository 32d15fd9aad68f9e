//! The xtask that the guide shows is the one that is built here, and it judges a schema.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the binary in a folder.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wirelock-adopter"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary is there")
}

#[test]
fn the_guide_shows_this_very_program() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| {
        let text = std::fs::read_to_string(here.join(path))
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        text.replace("\r\n", "\n")
    };
    let shown = format!(
        "```rust,ignore\n// xtask/src/main.rs\n{}```\n",
        read("src/main.rs")
    );
    assert!(
        read("../../docs/adopt.md").contains(&shown),
        "docs/adopt.md lacks:\n{shown}"
    );
    assert!(
        read("../../docs/adopt.md")
            .contains("wirelock-xtask = { path = \"../../wirelock/xtask\" }\n")
    );
}

#[test]
fn an_xtask_of_ones_own_judges() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, members) in [
        ("old.json", r#"{"id": {"type": "string"}}"#),
        (
            "grown.json",
            r#"{"id": {"type": "string"}, "at": {"type": "string"}}"#,
        ),
        ("other.json", r#"{"id": {"type": "integer"}}"#),
    ] {
        let schema = format!(r#"{{"type": "object", "properties": {members}}}"#);
        std::fs::write(folder.path().join(name), schema).expect("written");
    }
    for (new, code, rule) in [
        ("grown.json", 0, "additive[property-added]"),
        ("other.json", 1, "breaking[type-changed]"),
    ] {
        let output = run(
            folder.path(),
            &["check-evolution", "--old", "old.json", "--new", new],
        );
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(text.contains(rule), "{text}");
    }
    let output = run(folder.path(), &["no-such-command"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("Usage: cargo xtask"),
        "messages call it by its name: {told}"
    );
}
