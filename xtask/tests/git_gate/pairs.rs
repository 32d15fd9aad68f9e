//! `check-evolution --pairs`: one line out for each line in, whatever it holds.

use crate::support::Repository;

const GOOD: &str = r#"{"id": "good", "old": {"type": "string"}, "new": {"type": "string"}}"#;

fn judged(repository: &Repository, content: &[u8]) -> (i32, Vec<serde_json::Value>) {
    repository.write("pairs.jsonl", content);
    let ran = repository.run(&["check-evolution", "--pairs", "pairs.jsonl"]);
    assert_eq!(ran.err, "", "{ran:?}");
    let lines = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    (ran.code, lines)
}

#[test]
fn a_line_that_cannot_be_judged_is_answered_in_its_place() {
    let repository = Repository::new();
    for (bad, id, expected) in [
        (
            b"{\"id\": \"\xff\"}".as_slice(),
            None,
            "line 2 is not UTF-8 from byte 8 on",
        ),
        (b"{\"id\": 1, ", None, "line 2, column "),
        (b"{\"old\": {}, \"new\": {}}", None, "missing field `id`"),
        (
            b"{\"id\": \"x\", \"new\": {}}",
            Some("x"),
            "missing field `old`",
        ),
    ] {
        let content = [GOOD.as_bytes(), b"\n", bad, b"\n", GOOD.as_bytes(), b"\n"].concat();
        let (code, lines) = judged(&repository, &content);
        assert_eq!((code, lines.len()), (2, 3), "{lines:?}");
        assert!(
            lines[0]["verdict"] == "identical" && lines[2]["verdict"] == "identical",
            "{lines:?}"
        );
        assert_eq!(lines[1]["id"].as_str(), id);
        let error = lines[1]["error"].as_str().expect("an error");
        assert!(
            error.contains(expected) && error.starts_with("line 2"),
            "{error}"
        );
        assert!(!error.contains("line 1"), "{error}");
    }
}

#[test]
fn a_byte_order_mark_is_told_as_one() {
    let repository = Repository::new();
    let (code, lines) = judged(&repository, format!("\u{feff}{GOOD}\n{GOOD}\n").as_bytes());
    assert_eq!((code, lines.len()), (2, 2), "{lines:?}");
    let error = lines[0]["error"].as_str().expect("an error");
    assert!(error.contains("starts with a byte order mark"), "{error}");
}

#[test]
fn a_line_too_long_does_not_take_the_next_with_it() {
    let repository = Repository::new();
    let long = vec![b'x'; (64 << 20) + 100];
    let content = [long.as_slice(), b"\n", GOOD.as_bytes()].concat();
    let (code, lines) = judged(&repository, &content);
    assert_eq!((code, lines.len()), (2, 2), "{lines:?}");
    assert!(
        lines[0]["error"]
            .as_str()
            .is_some_and(|error| error.contains("line 1 is larger than 64 MiB")),
        "{lines:?}"
    );
    assert_eq!(lines[1]["id"], "good");
}

#[test]
fn what_could_not_be_judged_outweighs_what_is_refused() {
    let repository = Repository::new();
    let refused = r#"{"id": 1, "old": {"type": "string"}, "new": {"type": "integer"}}"#;
    assert_eq!(judged(&repository, refused.as_bytes()).0, 1);
    assert_eq!(
        judged(&repository, format!("{refused}\nx\n").as_bytes()).0,
        2
    );
    let help = repository.run(&["check-evolution", "--help"]).out;
    assert!(help.contains("2 before 1 before 3 before 0"), "{help}");
}
