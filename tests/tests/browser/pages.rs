//! The pages that are looked at: a change of this contract, its history, and hostile text.

use crate::reports::{history as steps, hostile, judged, written, written_history};
use std::path::Path;
use wirelock_codegen::report::{GoldenLine, Report};

/// Every kind of page, each with a name.
pub(crate) fn all() -> Vec<(String, String)> {
    let pages = [
        ("change", change()),
        ("history", history()),
        ("hostile", written("html", &hostile())),
        (
            "hostile-history",
            written_history("html", &steps(vec![hostile(), hostile()])),
        ),
    ];
    let owned = |(name, page): (&str, String)| (name.to_owned(), page);
    pages.into_iter().map(owned).chain(real()).collect()
}

/// Two real schemas from elsewhere with hundreds of changes, where they are present.
fn real() -> Option<(String, String)> {
    let folder = wirelock_tests::handed::shared().join("corpus/schemas");
    let read = |name| std::fs::read_to_string(folder.join(name)).ok();
    let old = read("acp-v1-2026-08.json")?;
    let new = read("acp-v2-2026-08.json")?;
    Some(("real".to_owned(), written("html", &judged(&old, &new))))
}

/// A change of this contract with something of each kind: added, removed, renamed and reworded.
pub(crate) fn change() -> String {
    written("html", &refused())
}

/// How the contract might have grown, up to a step that is refused.
pub(crate) fn history() -> String {
    let first = contract();
    let second = grown(&first);
    let third = reworded(&second);
    let reports = vec![
        accepted(&first, &first),
        accepted(&first, &second),
        accepted(&second, &third),
        judged(&third, &shrunk(&third)),
    ];
    written_history("html", &steps(reports))
}

fn accepted(old: &str, new: &str) -> Report {
    let report = judged(old, new);
    assert!(report.accepted, "{:?}", report.changes);
    report
}

fn refused() -> Report {
    let old = contract();
    let mut report = judged(&old, &shrunk(&reworded(&grown(&old))));
    let golden = GoldenLine {
        file: "golden/run.jsonl".to_owned(),
        line: 7,
    };
    let added = report.changes.iter_mut();
    for finding in added.filter(|finding| finding.rule == "property-added") {
        finding.golden = Some(golden.clone());
    }
    report
}

fn contract() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/stream-json.schema.json");
    std::fs::read_to_string(path).expect("the contract")
}

fn grown(schema: &str) -> String {
    let member = "\"retries\": {\"type\": \"integer\", \"description\": \"How many requests were repeated.\"},\n        \"num_turns\": {";
    let schema = replaced(schema, "\"num_turns\": {", member);
    let value = "\"const\": \"fatal\", \"description\": \"It ends the run at once.\"},\n        {\n          \"const\": \"info\"";
    replaced(&schema, "\"const\": \"info\"", value)
}

fn reworded(schema: &str) -> String {
    replaced(schema, "\"Something failed.\"", "\"It failed.\"")
}

fn shrunk(schema: &str) -> String {
    replaced(schema, "\"duration_ms\": {", "\"spent_ms\": {")
}

/// The text with its one `from` replaced.
fn replaced(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from}");
    text.replace(from, to)
}
