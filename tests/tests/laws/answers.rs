//! No answer is contradicted by a document, and none depends on which side is called old.

use crate::side::{Side, compile_text};
use crate::{Faults, each_pair};
use serde_json::Value;
use wirelock_codegen::evolution::{self, Answer};
use wirelock_codegen::wire;
use wirelock_tests::Chance;
use wirelock_tests::documents::{Stock, document};

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
    evolution::compare(&old.wire, &new.wire).same_documents() == Answer::Yes
}

/// The roots of these schemas are judged definition by definition, which no validator does.
fn has_root(side: &Side) -> bool {
    matches!(side.wire.roots.as_slice(), [root] if root.name.is_none())
}

#[test]
fn where_the_wire_is_the_same_no_document_changes_sides() {
    let broken = |old: &Side, new: &Side, document: &Value| {
        has_root(old)
            && has_root(new)
            && old.takes(document) != new.takes(document)
            && says_same(old, new)
    };
    let mut faults = Faults::new("the wire is the same", broken);
    let mut same = 0;
    each_pair(100, |old, new, chance| {
        if !has_root(old) || !has_root(new) || !says_same(old, new) {
            return;
        }
        same += 1;
        let pool = pool(old, new, DOCUMENTS, chance);
        if let Some(document) = pool.iter().find(|document| broken(old, new, document)) {
            faults.found(&old.schema, &new.schema, document);
        }
    });
    println!("{same} pairs have the same wire");
    assert!(same > 0, "pairs without a single answer prove nothing");
    faults.conclude();
}

#[test]
fn the_same_wire_is_the_same_both_ways() {
    let broken = |old: &Side, new: &Side, _: &Value| {
        has_root(old) && has_root(new) && says_same(old, new) != says_same(new, old)
    };
    let mut faults = Faults::new("the same both ways", broken);
    each_pair(100, |old, new, _| {
        if broken(old, new, &Value::Null) {
            faults.found(&old.schema, &new.schema, &Value::Null);
        }
    });
    faults.conclude();
}

#[test]
fn a_schema_is_read_for_what_it_says() {
    let broken = |old: &Side, _: &Side, document: &Value| {
        // What is undecided is left out of what is emitted, so the two may differ there.
        if !old.wire.undecided.is_empty() || !has_root(old) {
            return false;
        }
        compile_text(&wire::published_schema(&old.wire)).is_valid(document) != old.takes(document)
    };
    let mut faults = Faults::new("read for what it says", broken);
    each_pair(100, |old, _, chance| {
        if !old.wire.undecided.is_empty() || !has_root(old) {
            return;
        }
        let published = compile_text(&wire::published_schema(&old.wire));
        let pool = pool(old, old, DOCUMENTS / 2, chance);
        let differs = |document: &&Value| published.is_valid(document) != old.takes(document);
        if let Some(document) = pool.iter().find(differs) {
            faults.found(&old.schema, &old.schema, document);
        }
    });
    faults.conclude();
}
