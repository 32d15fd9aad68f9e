//! Laws that every answer about two schemas keeps, tried on random pairs and random documents.
//!
//! The validator crate judges each document under both schemas, and no answer may contradict it.
//! `WIRELOCK_LAWS=100000` tries that many pairs instead of the few that fit into a test run, and
//! `WIRELOCK_LAWS_SEED` makes them others. A fault is shown with the smallest pair found for it.

#[path = "laws/additive.rs"]
mod additive;
#[path = "laws/answers.rs"]
mod answers;
#[path = "laws/inclusions.rs"]
mod inclusions;
#[path = "laws/known.rs"]
mod known;
#[path = "laws/side.rs"]
mod side;

use serde_json::Value;
use side::Side;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wirelock_tests::shrink::shrink;
use wirelock_tests::{Chance, growth, pairs};

/// Faults of one law that are made small; more of them help nobody.
const SHOWN: usize = 30;

/// How often something is tried: `share` of what was asked for, in hundredths.
fn count(share: usize) -> usize {
    let asked = std::env::var("WIRELOCK_LAWS").ok();
    asked
        .and_then(|text| text.parse().ok())
        .unwrap_or(1000_usize)
        * share
        / 100
}

fn seed() -> u64 {
    let asked = std::env::var("WIRELOCK_LAWS_SEED").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Whether a document, for a pair, breaks a law. Pairs that cannot be read break none.
type Broken = fn(&Side, &Side, &Value) -> bool;

/// The faults found so far, each made small.
struct Faults {
    law: &'static str,
    broken: Broken,
    shown: BTreeSet<String>,
    /// Searches for a smaller pair so far, each of which takes its time.
    searches: usize,
}

impl Faults {
    fn new(law: &'static str, broken: Broken) -> Self {
        Self {
            law,
            broken,
            shown: BTreeSet::new(),
            searches: 0,
        }
    }

    /// Takes a fault: the smallest pair and document that still break the law.
    fn found(&mut self, old: &Side, new: &Side, document: &Value) {
        if self.searches >= SHOWN || known::is_known(self.law, old, new, false) {
            return;
        }
        self.searches += 1;
        let broken = self.broken;
        let fails =
            |old: &Value, new: &Value, document: &Value| match (Side::read(old), Side::read(new)) {
                (Ok(old), Ok(new)) => guarded(|| broken(&old, &new, document)).unwrap_or(false),
                _ => false,
            };
        let (old, new, document) = shrink(
            old.schema.clone(),
            new.schema.clone(),
            document.clone(),
            &fails,
        );
        if let (Ok(old), Ok(new)) = (Side::read(&old), Side::read(&new))
            && known::is_known(self.law, &old, &new, true)
        {
            return;
        }
        self.shown
            .insert(format!("old {old}\n    new {new}\n    document {document}"));
    }

    fn conclude(self) {
        let shown: Vec<String> = self.shown.into_iter().collect();
        assert!(
            shown.is_empty(),
            "{}: {} faults\n  - {}",
            self.law,
            shown.len(),
            shown.join("\n  - ")
        );
    }
}

/// A panic is told with what led to it.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        text.unwrap_or("a panic without a message").to_owned()
    })
}

/// Runs over the random pairs of this run, each with choices of its own.
fn each_pair(share: usize, run: impl FnMut(&Side, &Side, &mut Chance)) {
    each(share, pairs::pair, run);
}

/// Runs over pairs that grow, mostly.
fn each_growth(share: usize, run: impl FnMut(&Side, &Side, &mut Chance)) {
    each(share, growth::growth, run);
}

fn each(
    share: usize,
    make: fn(u64, usize) -> (Value, Value),
    mut run: impl FnMut(&Side, &Side, &mut Chance),
) {
    let count = count(share);
    let (mut read, mut faults) = (0, Vec::new());
    for number in 0..count {
        let (old, new) = make(seed(), number);
        let judged = guarded(|| {
            if let (Ok(old), Ok(new)) = (Side::read(&old), Side::read(&new)) {
                read += 1;
                run(&old, &new, &mut Chance::of(seed() ^ 0xD0C5, number));
            }
        });
        if let Err(why) = judged {
            faults.push(format!("{why}\n    old {old}\n    new {new}"));
        }
    }
    faults.truncate(SHOWN);
    assert!(faults.is_empty(), "panics:\n  - {}", faults.join("\n  - "));
    assert!(
        read * 10 >= count * 9,
        "of {count} pairs only {read} could be read"
    );
}
