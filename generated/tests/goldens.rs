//! Every golden line comes back byte for byte, and every line from a later revision by value.

use std::path::{Path, PathBuf};
use stream_json::{Encode, Item, Json, Line, from_slice};

fn lines(folder: &str) -> Vec<(PathBuf, usize, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    let mut lines = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        lines.extend(
            text.lines()
                .enumerate()
                .map(|(index, line)| (path.clone(), index + 1, line.to_owned())),
        );
    }
    assert!(!lines.is_empty(), "no lines under {}", folder.display());
    lines
}

fn decode(path: &Path, number: usize, text: &str) -> Line {
    from_slice(text.as_bytes())
        .unwrap_or_else(|error| panic!("{}:{number}: {error}", path.display()))
}

#[test]
fn goldens_come_back_byte_for_byte() {
    for (path, number, text) in lines("schema/golden") {
        let line = decode(&path, number, &text);
        assert!(
            !matches!(line, Line::Unknown(_)),
            "{}:{number} is not known",
            path.display()
        );
        assert_eq!(line.to_json(), text, "{}:{number}", path.display());
    }
}

#[test]
fn lines_of_a_later_revision_lose_nothing() {
    for (path, number, text) in lines("tests/forward") {
        let line = decode(&path, number, &text);
        let (before, after) = (Json::from_str(&text).expect("JSON"), Json::of(&line));
        assert_eq!(before, after, "{}:{number}", path.display());
    }
}

#[test]
fn serde_reads_and_writes_the_same_values() {
    for (path, number, text) in lines("schema/golden")
        .into_iter()
        .chain(lines("tests/forward"))
    {
        let line: Line = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}:{number}: {error}", path.display()));
        assert_eq!(
            line,
            decode(&path, number, &text),
            "{}:{number}",
            path.display()
        );
        let written = serde_json::to_string(&line).expect("a value that serde_json can write");
        assert_eq!(
            decode(&path, number, &written),
            line,
            "{}:{number}",
            path.display()
        );
    }
}

#[test]
fn every_golden_is_one_run() {
    let mut last: Option<(PathBuf, Line)> = None;
    for (path, number, text) in lines("schema/golden") {
        let line = decode(&path, number, &text);
        let begins = last.as_ref().is_none_or(|(before, _)| *before != path);
        assert_eq!(line.is_first(), begins, "{}:{number}", path.display());
        if let Some((before, earlier)) = last.filter(|_| !begins) {
            assert_eq!(before, path);
            assert!(
                !earlier.is_terminal() && earlier.sequence() < line.sequence(),
                "{}:{number}",
                path.display()
            );
            assert_eq!(
                earlier.session(),
                line.session(),
                "{}:{number}",
                path.display()
            );
        } else {
            assert!(
                line.capabilities().contains(&Line::CONTRACT.capability),
                "{}:{number}",
                path.display()
            );
        }
        last = Some((path, line));
    }
    assert!(last.is_some_and(|(_, line)| line.is_terminal()));
}
