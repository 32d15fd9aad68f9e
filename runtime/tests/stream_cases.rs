//! Whole wires, byte for byte, under every chunking: `tests/stream/CASE`, and the cases that were
//! handed in beside the repository, where they are present.

mod cases;

use cases::{Case, Read, chunkings, handed, own, read};

#[test]
fn own_cases() {
    let cases = own();
    assert!(cases.len() > 80, "only {} reads were found", cases.len());
    check_all(&cases);
}

#[test]
fn handed_cases() {
    check_all(&handed());
}

fn check_all(cases: &[Case]) {
    let faults: Vec<String> = cases.iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("{} reads agree", cases.len());
}

fn fault(case: &Case) -> Option<String> {
    let mut whole: Option<Read> = None;
    for (how, chunks) in chunkings(&case.wire) {
        let found = read(&case.spec, &chunks);
        if let Some(fault) = case.fault(&found) {
            return Some(format!("{how}: {fault}"));
        }
        // Equal to the letter, messages and places too.
        let whole = whole.get_or_insert_with(|| found.clone());
        if *whole != found {
            return Some(format!(
                "{}, {how}: {found:?}\n  and as a whole {whole:?}",
                case.name
            ));
        }
    }
    None
}
