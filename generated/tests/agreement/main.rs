//! Every way to read a line agrees with the others and with `serde_json`: what is accepted, what it
//! says, and where a fault is told. Lines are goldens, lines of later revisions, and both changed by
//! chance; some of them are cut after every byte.

mod mutate;

use mutate::{Random, mutated};
use serde_json::Value;
use std::path::Path;
use stream_json::borrowed::{self, LinePeek};
use stream_json::runtime::RawJson;
use stream_json::{Code, Encode as _, Error, Item as _, Json, Line, from_slice};

fn lines() -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for folder in ["schema/golden", "tests/forward"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(folder);
        let entries = std::fs::read_dir(&folder).expect("a folder");
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path
                .extension()
                .is_some_and(|extension| extension == "jsonl")
            {
                let text = std::fs::read_to_string(&path).expect("a file");
                lines.extend(text.lines().map(|line| line.as_bytes().to_vec()));
            }
        }
    }
    assert!(lines.len() > 150, "{} lines", lines.len());
    lines
}

/// What came of a line, for counting that both happen.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Read,
    Refused(Code),
}

fn agree(line: &[u8]) -> Outcome {
    let shown = String::from_utf8_lossy(line);
    let owned: Result<Line, Error> = from_slice(line);
    let lent: Result<borrowed::Line<'_>, Error> = from_slice(line);
    let peek: Result<LinePeek<'_>, Error> = from_slice(line);
    let theirs: Result<Value, serde_json::Error> = serde_json::from_slice(line);
    let raw: Result<RawJson<'_>, Error> = from_slice(line);
    // At a number beyond every float `serde_json` stops; here numbers keep their text.
    let is_beyond =
        |error: &serde_json::Error| error.to_string().starts_with("number out of range");
    let is_json = match &theirs {
        Err(error) if is_beyond(error) => raw.is_ok(),
        theirs => theirs.is_ok(),
    };
    assert_eq!(raw.is_ok(), is_json, "{shown}: {raw:?} and {theirs:?}");
    if let Ok(peek) = &peek {
        assert!(is_json, "{shown}: {peek:?}");
        if let Ok(theirs) = &theirs {
            told(peek, theirs, &shown);
        }
    }
    match (owned, lent) {
        (Ok(owned), Ok(lent)) => {
            assert!(is_json, "{shown}");
            assert_eq!(owned.to_json(), lent.to_json(), "{shown}");
            assert_eq!(lent.into_owned(), owned, "{shown}");
            let peek = peek.unwrap_or_else(|error| panic!("{shown}: {error}"));
            assert_eq!(peek.is_first(), owned.is_first(), "{shown}");
            assert_eq!(peek.is_terminal(), owned.is_terminal(), "{shown}");
            assert_eq!(Some(peek.seq), owned.sequence(), "{shown}");
            assert_eq!(Some(&*peek.session_id), owned.session(), "{shown}");
            let written = Json::of(&owned);
            assert_eq!(
                Some(&written),
                Json::from_str(&shown).ok().as_ref(),
                "{shown}"
            );
            if theirs.is_ok() {
                let bridged: Line =
                    serde_json::from_slice(line).unwrap_or_else(|error| panic!("{shown}: {error}"));
                assert_eq!(bridged, owned, "{shown}");
            }
            Outcome::Read
        }
        (Err(owned), Err(lent)) => {
            assert_eq!(owned, lent, "{shown}");
            assert!(shown_length(&owned) <= 600, "{owned}");
            if is_json {
                let bridged: Result<Line, _> = serde_json::from_slice(line);
                assert!(bridged.is_err(), "{shown}: {owned}");
            } else {
                assert!(peek.is_err(), "{shown}");
                assert_ne!(owned.code(), Code::Io, "{shown}");
            }
            Outcome::Refused(owned.code())
        }
        (owned, lent) => panic!("{shown}: {owned:?} and {lent:?}"),
    }
}

fn shown_length(error: &Error) -> usize {
    error.to_string().chars().count()
}

/// What a peek says is what stands in the line.
fn told(peek: &LinePeek<'_>, line: &Value, shown: &str) {
    let text = |name: &str| line.get(name).and_then(Value::as_str);
    assert_eq!(Some(&*peek.r#type), text("type"), "{shown}");
    assert_eq!(peek.subtype.as_deref(), text("subtype"), "{shown}");
    assert_eq!(Some(&*peek.session_id), text("session_id"), "{shown}");
    assert_eq!(peek.ts.as_deref(), text("ts"), "{shown}");
    assert_eq!(
        peek.parent_tool_use_id.as_deref(),
        text("parent_tool_use_id"),
        "{shown}"
    );
    let seq = line.get("seq").and_then(Value::as_f64);
    assert_eq!(seq, Some(peek.seq as f64), "{shown}");
}

#[test]
fn on_lines_as_they_are() {
    for line in lines() {
        assert_eq!(agree(&line), Outcome::Read);
    }
}

#[test]
fn on_lines_changed_by_chance() {
    let lines = lines();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..40_000 {
        let line = mutated(&lines[random.below(lines.len())], &mut random);
        match agree(&line) {
            Outcome::Read => read += 1,
            Outcome::Refused(_) => refused += 1,
        }
    }
    assert!(read > 4_000 && refused > 4_000, "{read} and {refused}");
}

#[test]
fn on_every_prefix() {
    let lines = lines();
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for line in &lines {
        for end in 0..line.len() {
            let outcome = agree(&line[..end]);
            let expected = match std::str::from_utf8(&line[..end]) {
                Ok(_) => Code::InvalidJson,
                Err(_) => Code::InvalidUtf8,
            };
            assert_eq!(outcome, Outcome::Refused(expected), "{end}");
        }
    }
    for _ in 0..60 {
        let line = mutated(&lines[random.below(lines.len())], &mut random);
        for end in 0..line.len() {
            agree(&line[..end]);
        }
    }
}

#[test]
fn canonical_lines_come_back_byte_for_byte_in_both_modes() {
    for line in lines() {
        let text = std::str::from_utf8(&line).expect("UTF-8");
        let lent: borrowed::Line<'_> = from_slice(&line).expect(text);
        let owned: Line = from_slice(&line).expect(text);
        assert_eq!(lent.to_json(), owned.to_json());
        assert_eq!(Json::of(&lent), Json::from_str(text).expect(text));
    }
    let golden = br#"{"type":"user","session_id":"s","seq":1,"extension":{"a":1.50,"b":[]},"message":{"role":"user","content":[]},"new":{"x":"\u0001"}}"#;
    let lent: borrowed::Line<'_> = from_slice(golden).expect("a line");
    assert_eq!(lent.to_json().as_bytes(), golden);
}

#[test]
fn borrowed_texts_are_slices_of_the_line() {
    let line = br#"{"type":"assistant","session_id":"s","seq":1,"extension":[1, 2],"message":{"role":"assistant","content":[{"type":"text","text":"plain"},{"type":"text","text":"a\nb"}]},"new":"x"}"#;
    let range = line.as_ptr_range();
    let is_lent = |text: &str| range.contains(&text.as_ptr());
    let Ok(borrowed::Line::Assistant(read)) = from_slice(line) else {
        panic!("no assistant line");
    };
    assert!(is_lent(&read.session_id));
    let texts: Vec<bool> = read
        .message
        .content
        .iter()
        .map(|block| match block {
            borrowed::Block::Text(block) => is_lent(&block.text),
            other => panic!("{other:?}"),
        })
        .collect();
    // What has an escape, or whitespace between its tokens, cannot be a slice.
    assert_eq!(texts, [true, false]);
    assert!(!is_lent(read.extension.as_ref().expect("a member").get()));
    assert!(is_lent(read.extra.get("new").expect("a member").get()));
}
