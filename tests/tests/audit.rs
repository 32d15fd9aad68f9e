//! The audit: its tables against the validator crate on random schemas, and what it reports of recordings.

#[path = "audit/agreement.rs"]
mod agreement;
#[path = "audit/blocks.rs"]
mod blocks;
#[path = "audit/cases.rs"]
mod cases;
#[path = "audit/handed.rs"]
mod handed;
#[path = "audit/hostile.rs"]
mod hostile;
#[path = "audit/reader.rs"]
mod reader;

use wirelock_codegen::audit::{Audit, Finding, Level, Options, explained};

/// The contract of this repository, laid out.
fn contract(options: &Options) -> Audit {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schema/stream-json.schema.json"
    );
    let schema = std::fs::read_to_string(path).expect("the schema is in the repository");
    let wire = wirelock_codegen::wire::read("stream-json", &schema).expect("a schema");
    Audit::new(&wire, options).expect("a contract")
}

/// `CODE@line`, and whether it is a note.
fn told(finding: &Finding) -> String {
    let note = if finding.level == Level::Note {
        " (note)"
    } else {
        ""
    };
    format!("{}@{}{note}", finding.code, finding.line)
}

/// The findings of a recording in words.
fn findings(audit: &Audit, recording: &[u8]) -> Vec<String> {
    let (findings, totals) = audit.check(recording);
    let errors = findings
        .iter()
        .filter(|finding| finding.level == Level::Error);
    assert_eq!(totals.errors, errors.count() as u64, "the sums are right");
    for finding in &findings {
        let row = explained(finding.code.as_str()).expect("the catalogue has each code");
        let level = finding.level.as_str();
        assert!(row.level.contains(level), "{}: {level}", finding.code);
    }
    findings.iter().map(told).collect()
}
