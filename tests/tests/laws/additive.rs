//! What is additive keeps the inclusions that the readings of a contract promise.

use crate::answers::pool;
use crate::side::{Side, compile_text};
use crate::{Faults, each_growth, each_pair};
use serde_json::Value;
use wirelock_codegen::evolution::{self, Verdict};
use wirelock_codegen::wire::{self, Reading, Start};
use wirelock_tests::Chance;
use wirelock_tests::documents::{Stock, document};

pub(crate) const STRICT: &str = "strict(old) in strict(new)";
pub(crate) const OPEN: &str = "open(new) in open(old)";
pub(crate) const NESTED: &str = "strict in published in open";

/// Documents for one pair.
const DOCUMENTS: usize = 60;

fn is_additive(old: &Side, new: &Side) -> bool {
    evolution::compare(&old.wire, &new.wire).verdict() == Verdict::Additive
}

fn reading(side: &Side, reading: Reading) -> Value {
    let text = wire::schema_at(&side.wire, reading, Start::Document);
    serde_json::from_str(&text).expect("what is emitted is JSON")
}

fn takes(side: &Side, which: Reading, document: &Value) -> bool {
    compile_text(&wire::schema_at(&side.wire, which, Start::Document)).is_valid(document)
}

/// Documents made for a reading, which names what the schema's text may leave unsaid.
fn documents(side: &Side, which: Reading, other: &Side, chance: &mut Chance) -> Vec<Value> {
    let schema = reading(side, which);
    let stock = Stock::of(&[&side.schema, &other.schema]);
    let mut found: Vec<Value> = (0..DOCUMENTS)
        .map(|_| document(&schema, &stock, chance))
        .collect();
    found.extend(pool(side, other, DOCUMENTS / 2, chance));
    found
}

fn strict_shrinks(old: &Side, new: &Side, document: &Value) -> bool {
    is_additive(old, new)
        && takes(old, Reading::Strict, document)
        && !takes(new, Reading::Strict, document)
}

pub(crate) fn open_shrinks(old: &Side, new: &Side, document: &Value) -> bool {
    is_additive(old, new)
        && takes(new, Reading::Open, document)
        && !takes(old, Reading::Open, document)
}

pub(crate) fn is_not_nested(side: &Side, _: &Side, document: &Value) -> bool {
    let published = takes(side, Reading::Published, document);
    takes(side, Reading::Strict, document) && !published
        || published && !takes(side, Reading::Open, document)
}

#[test]
fn what_the_old_revision_knew_the_new_one_knows() {
    let mut faults = Faults::new(STRICT, strict_shrinks);
    let mut additive = 0;
    each_growth(100, |old, new, chance| {
        if !is_additive(old, new) {
            return;
        }
        additive += 1;
        let left = compile_text(&wire::strict_schema(&old.wire));
        let right = compile_text(&wire::strict_schema(&new.wire));
        let pool = documents(old, Reading::Strict, new, chance);
        let tells = |document: &&Value| left.is_valid(document) && !right.is_valid(document);
        if let Some(document) = pool.iter().find(tells) {
            faults.found(old, new, document);
        }
    });
    println!("{additive} pairs are additive");
    assert!(additive > 0, "pairs without a single answer prove nothing");
    faults.conclude();
}

#[test]
fn what_the_new_revision_may_send_the_old_one_takes() {
    let mut faults = Faults::new(OPEN, open_shrinks);
    each_growth(100, |old, new, chance| {
        if !is_additive(old, new) {
            return;
        }
        let left = compile_text(&wire::open_schema(&new.wire));
        let right = compile_text(&wire::open_schema(&old.wire));
        let pool = documents(new, Reading::Open, old, chance);
        let tells = |document: &&Value| left.is_valid(document) && !right.is_valid(document);
        if let Some(document) = pool.iter().find(tells) {
            faults.found(old, new, document);
        }
    });
    faults.conclude();
}

#[test]
fn strict_is_within_published_and_published_within_open() {
    let mut faults = Faults::new(NESTED, is_not_nested);
    each_pair(50, |old, _, chance| {
        let readings = [Reading::Strict, Reading::Published, Reading::Open];
        let [strict, published, open] =
            readings.map(|which| compile_text(&wire::schema_at(&old.wire, which, Start::Document)));
        let tells = |document: &&Value| {
            let is_published = published.is_valid(document);
            strict.is_valid(document) && !is_published || is_published && !open.is_valid(document)
        };
        if let Some(document) = pool(old, old, DOCUMENTS / 2, chance).iter().find(tells) {
            faults.found(old, old, document);
        }
    });
    faults.conclude();
}
