//! Generated types of our own fixtures and of real schemas: they compile without a warning, and the
//! documents that each schema allows come back by value. The schemas that types tell of themselves
//! say the same on the wire as the ones they come from.
//!
//! All schemas become modules of one scratch crate, which is compiled once. Real schemas lie beside
//! the repository and not in it; where they are missing the run says so and tries its own alone.
//! `WIRELOCK_TYPES=name,name` makes a run about some schemas, and `WIRELOCK_TYPES=all` about all, also
//! those over 100 kB, whose types take minutes to compile.

mod cases;
mod documents;
mod examples;
mod grow;
mod names;
mod schemas;
mod scratch;
mod table;

use std::fmt::Write as _;

#[test]
fn types_compile_and_documents_come_back_by_value() {
    let cases = cases::chosen();
    let tried: Vec<documents::Tried> = cases.iter().map(documents::of).collect();
    let outcome = scratch::run(&cases, &tried);
    let mut faults = outcome.faults;
    let mut table = String::new();
    for (case, tried) in cases.iter().zip(&tried) {
        let _ = writeln!(
            table,
            "{:<28} {:>5} documents, {:>5} of {:>5} samples valid, for {:>3} of {:>3} roots",
            case.name,
            tried.lines.len(),
            tried.valid,
            tried.sampled,
            tried.roots_with_documents,
            case.emitted.roots.len(),
        );
        faults.extend(tried.faults.iter().cloned());
    }
    println!("{table}");
    let shown: Vec<&str> = faults.iter().take(40).map(String::as_str).collect();
    assert!(
        faults.is_empty(),
        "{} faults, the first of them:\n{}",
        faults.len(),
        shown.join("\n")
    );
}
