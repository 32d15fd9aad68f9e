//! Each golden has what it comes to beside it: `NAME.outcome.json` for `NAME.jsonl`.

use std::path::{Path, PathBuf};
use stream_json::Line;
use wirelock_examples::Outcome;
use wirelock_runtime::blocking::ItemReader;
use wirelock_runtime::framing::{Policy, Protocol, read_document, write_document};

fn goldens() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/golden");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

fn outcome(golden: &Path) -> Outcome {
    let bytes = std::fs::read(golden).expect("a golden");
    let mut outcome = Outcome::default();
    for event in ItemReader::new(&*bytes, Protocol::of::<Line>(), Policy::default()) {
        if let Some(line) = event.expect("a golden is whole").into_item() {
            outcome.take(&line);
        }
    }
    outcome
}

#[test]
fn every_golden_comes_to_what_stands_beside_it() {
    let files = goldens();
    let of = |extension: &'static str| {
        let named = move |file: &&PathBuf| file.extension().is_some_and(|own| own == extension);
        files.iter().filter(named)
    };
    assert!(of("jsonl").count() >= 15);
    for golden in of("jsonl") {
        let beside = golden.with_extension("outcome.json");
        let expected = std::fs::read_to_string(&beside)
            .unwrap_or_else(|error| panic!("{}: {error}", beside.display()));
        let expected: serde_json::Value = serde_json::from_str(&expected).expect("JSON");
        let found = serde_json::to_value(outcome(golden)).expect("written");
        assert_eq!(found, expected, "{}", golden.display());
    }
    // One that stands beside no golden is about nothing.
    for beside in of("json") {
        let name = beside.file_name().expect("a name").to_string_lossy();
        let golden = name.strip_suffix(".outcome.json").expect("an outcome");
        assert!(
            beside.with_file_name(format!("{golden}.jsonl")).is_file(),
            "{name}"
        );
    }
}

#[test]
fn usage_is_the_sum_of_the_models_where_the_run_has_none() {
    let line = r#"{"type":"result","session_id":"s","seq":1,"subtype":"success","is_error":false,"model_usage":{"a":{"input_tokens":1,"output_tokens":2,"cache_read":4},"b":{"input_tokens":8,"output_tokens":16}}}"#;
    let mut outcome = Outcome::default();
    outcome.take(&stream_json::from_str(line).expect("a line"));
    let usage = outcome.usage.expect("counted");
    assert_eq!((usage.input, usage.output), (9, 18));
    assert_eq!((usage.cache_read, usage.cache_creation), (Some(4), None));
}

#[test]
fn success_is_what_is_error_says() {
    let line = |subtype: &str, is_error: bool| {
        format!(
            r#"{{"type":"result","session_id":"s","seq":1,"subtype":"{subtype}","is_error":{is_error}}}"#
        )
    };
    for (subtype, is_error) in [
        ("success", true),
        ("refused", false),
        ("of_tomorrow", false),
    ] {
        let mut outcome = Outcome::default();
        outcome.take(&stream_json::from_str(&line(subtype, is_error)).expect("a line"));
        assert_eq!(outcome.success, Some(!is_error));
        assert_eq!(outcome.subtype.as_deref(), Some(subtype));
    }
}

#[test]
fn the_closing_line_is_a_document_of_its_own() {
    let protocol = Protocol::of::<Line>();
    let mut tried = 0;
    for golden in goldens()
        .iter()
        .filter(|file| file.extension().is_some_and(|own| own == "jsonl"))
    {
        let text = std::fs::read_to_string(golden).expect("a golden");
        let mut document = String::new();
        for line in text.lines() {
            let line: Line = stream_json::from_str(line).expect("a line");
            let before = document.len();
            let written = write_document(&protocol, &line, &mut document);
            assert_eq!(written.is_ok(), matches!(line, Line::Result(_)));
            if written.is_err() {
                assert_eq!(
                    document.len(),
                    before,
                    "nothing is left of a line that is none"
                );
                continue;
            }
            let read = read_document(&protocol, Policy::default(), document.as_bytes());
            assert_eq!(read.expect("a document"), line, "{}", golden.display());
            tried += 1;
        }
        assert!(document.ends_with("\n}\n"), "{document}");
    }
    assert!(tried >= 15);
}
