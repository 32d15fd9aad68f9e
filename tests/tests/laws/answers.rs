//! No answer is contradicted by a document, and none depends on which side is called old.

use crate::side::{Side, compile_text};
use crate::{Faults, each_pair};
use serde_json::Value;
use wirelock_codegen::evolution::{self, Verdict};
use wirelock_codegen::wire;
use wirelock_tests::Chance;
use wirelock_tests::documents::{Stock, document};

pub(crate) const SAME: &str = "the wire is the same";
pub(crate) const BOTH_WAYS: &str = "the same both ways";
pub(crate) const READING: &str = "read for what it says";

/// Documents for one pair.
const DOCUMENTS: usize = 60;

/// Documents for a pair, made for either side from what both name.
pub(crate) fn pool(old: &Side, new: &Side, count: usize, chance: &mut Chance) -> Vec<Value> {
    let stock = Stock::of(&[&old.schema, &new.schema]);
    (0..count)
        .map(|number| {
            let side = if number % 2 == 0 { old } else { new };
            document(&side.schema, &stock, chance)
        })
        .collect()
}

fn says_same(old: &Side, new: &Side) -> bool {
    let verdict = evolution::compare(&old.wire, &new.wire).verdict();
    matches!(verdict, Verdict::Identical | Verdict::Editorial)
}

fn changes_sides(old: &Side, new: &Side, document: &Value) -> bool {
    old.has_root()
        && new.has_root()
        && old.takes(document) != new.takes(document)
        && says_same(old, new)
}

pub(crate) fn differs_by_direction(old: &Side, new: &Side, _: &Value) -> bool {
    old.has_root() && new.has_root() && says_same(old, new) != says_same(new, old)
}

pub(crate) fn reads_otherwise(side: &Side, _: &Side, document: &Value) -> bool {
    // What is undecided is left out of what is emitted, so the two may differ there.
    if !side.wire.undecided.is_empty() || !side.has_root() {
        return false;
    }
    compile_text(&wire::published_schema(&side.wire)).is_valid(document) != side.takes(document)
}

#[test]
fn where_the_wire_is_the_same_no_document_changes_sides() {
    let mut faults = Faults::new(SAME, changes_sides);
    let mut same = 0;
    each_pair(100, |old, new, chance| {
        if !old.has_root() || !new.has_root() || !says_same(old, new) {
            return;
        }
        same += 1;
        let pool = pool(old, new, DOCUMENTS, chance);
        if let Some(document) = pool
            .iter()
            .find(|document| changes_sides(old, new, document))
        {
            faults.found(old, new, document);
        }
    });
    println!("{same} pairs have the same wire");
    assert!(same > 0, "pairs without a single answer prove nothing");
    faults.conclude();
}

#[test]
fn the_same_wire_is_the_same_both_ways() {
    let mut faults = Faults::new(BOTH_WAYS, differs_by_direction);
    each_pair(100, |old, new, _| {
        if differs_by_direction(old, new, &Value::Null) {
            faults.found(old, new, &Value::Null);
        }
    });
    faults.conclude();
}

#[test]
fn a_schema_is_read_for_what_it_says() {
    let mut faults = Faults::new(READING, reads_otherwise);
    each_pair(100, |old, _, chance| {
        if !old.wire.undecided.is_empty() || !old.has_root() {
            return;
        }
        let published = compile_text(&wire::published_schema(&old.wire));
        let pool = pool(old, old, DOCUMENTS / 2, chance);
        let differs = |document: &&Value| published.is_valid(document) != old.takes(document);
        if let Some(document) = pool.iter().find(differs) {
            faults.found(old, old, document);
        }
    });
    faults.conclude();
}
