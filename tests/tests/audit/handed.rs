//! The handed stream cases: what the audit has to report of each, under the contract of this repository.

use super::{contract, findings};
use serde_json::Value;
use std::path::Path;
use wirelock_codegen::audit::Options;

/// Where the case is no run of the contract in another respect than the one it is about, which the
/// audit tells as well: what it tells, and what the first line lacks of the contract's required members.
/// With them the case is reported as stated.
const BESIDE: &[(&str, &[&str], &str)] = &[(
    "43-ts-absent.jsonl",
    &["STREAM_ITEM_INVALID@1", "CAPABILITY_MISSING@1"],
    r#""cwd":"/w","milk_version":"1","agent":{"name":"a","provider":"p"},"capabilities":["stream_v1"],"#,
)];

#[test]
fn handed_cases_are_reported_as_stated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases/stream");
    let Ok(text) = std::fs::read_to_string(folder.join("cases.json")) else {
        println!("{} is not present, so nothing was tried", folder.display());
        return;
    };
    let cases: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
    let audit = contract(&Options::default());
    let mut tried = 0;
    for case in &cases {
        let Some(expected) = case["audit"].as_array() else {
            continue;
        };
        let file = case["file"].as_str().expect("a name");
        let bytes = std::fs::read(folder.join(file)).expect("the case is there");
        let all = findings(&audit, &bytes);
        let beside = BESIDE.iter().find(|(name, ..)| *name == file);
        if let Some((.., lacking)) = beside {
            let text = String::from_utf8(bytes).expect("text");
            let whole = text.replacen("\"session_id\"", &format!("{lacking}\"session_id\""), 1);
            let told = findings(&audit, whole.as_bytes());
            assert_eq!((told, expected.len()), (Vec::new(), 0), "{file}");
        }
        let beside = beside.map_or(&[][..], |(_, beside, _)| beside);
        let mut wanted: Vec<String> = Vec::new();
        for one in expected.iter().filter_map(Value::as_str) {
            // Where a line is named, that one; else the code alone.
            let found = all
                .iter()
                .find(|found| found.as_str() == one || found.split('@').next() == Some(one));
            match found {
                Some(found) => wanted.push(found.clone()),
                None => panic!("{file}: {one} is not reported, but {all:?}"),
            }
        }
        wanted.extend(beside.iter().map(|one| (*one).to_owned()));
        let errors: Vec<&String> = all.iter().filter(|one| !one.ends_with("(note)")).collect();
        let wanted: Vec<&String> = wanted
            .iter()
            .filter(|one| !one.ends_with("(note)"))
            .collect();
        assert_eq!(errors, wanted, "{file}: {all:?}");
        tried += 1;
    }
    assert!(tried >= 15, "{tried} cases have an audit result");
}
