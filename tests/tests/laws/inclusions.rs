//! The prover keeps the laws of inclusion, and nothing that it says is contradicted by a document.

use crate::answers::pool;
use crate::side::Side;
use crate::{Faults, count, each_pair, guarded, seed};
use serde_json::Value;
use wirelock_codegen::evolution::prove::{Inclusion, Refutation, included};
use wirelock_tests::documents::{Stock, change};
use wirelock_tests::{Chance, pairs, schemas};

/// Documents for one pair.
const DOCUMENTS: usize = 60;

fn holds(left: &Side, right: &Side) -> bool {
    included(&left.document, &right.document) == Inclusion::Holds
}

/// The document of a refutation, where there is one and it is about the root.
fn shown(inclusion: &Inclusion) -> Option<Value> {
    match inclusion {
        Inclusion::Fails(Refutation {
            document: Ok(text),
            definition: None,
        }) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

#[test]
fn no_document_contradicts_the_prover() {
    let broken = |left: &Side, right: &Side, document: &Value| {
        left.takes(document) && !right.takes(document) && holds(left, right)
    };
    let mut faults = Faults::new("an inclusion that holds", broken);
    let mut counts = [0, 0, 0];
    each_pair(100, |old, new, chance| {
        let answers = [
            included(&old.document, &new.document),
            included(&new.document, &old.document),
        ];
        for answer in &answers {
            counts[match answer {
                Inclusion::Holds => 0,
                Inclusion::Fails(_) => 1,
                Inclusion::Open(_) => 2,
            }] += 1;
        }
        let claims = [&answers[0], &answers[1]].map(|answer| *answer == Inclusion::Holds);
        if claims == [false, false] {
            return;
        }
        let mut pool = pool(old, new, DOCUMENTS, chance);
        // Near what shows the one inclusion to fail lies what might show the same of the other.
        let stock = Stock::of(&[&old.schema, &new.schema]);
        for witness in answers.iter().filter_map(shown) {
            for _ in 0..10 {
                let mut changed = witness.clone();
                change(&mut changed, &stock, chance);
                pool.push(changed);
            }
        }
        for (claim, (left, right)) in claims.into_iter().zip([(old, new), (new, old)]) {
            let refuted = |document: &&Value| left.takes(document) && !right.takes(document);
            if claim && let Some(document) = pool.iter().find(refuted) {
                faults.found(left, right, document);
            }
        }
    });
    println!(
        "{} hold, {} fail, {} are open",
        counts[0], counts[1], counts[2]
    );
    faults.conclude();
}

#[test]
fn a_document_that_is_shown_shows_it() {
    let broken = |left: &Side, right: &Side, _: &Value| {
        shown(&included(&left.document, &right.document))
            .is_some_and(|document| !left.takes(&document) || right.takes(&document))
    };
    let mut faults = Faults::new("a document that is shown", broken);
    each_pair(100, |old, new, _| {
        for (left, right) in [(old, new), (new, old)] {
            if broken(left, right, &Value::Null) {
                faults.found(left, right, &Value::Null);
            }
        }
    });
    faults.conclude();
}

#[test]
fn every_schema_is_within_itself() {
    let broken = |side: &Side, other: &Side, _: &Value| {
        side.schema == other.schema
            && matches!(
                included(&side.document, &other.document),
                Inclusion::Fails(_)
            )
    };
    let mut faults = Faults::new("within itself", broken);
    let mut open = 0;
    each_pair(100, |old, _, _| {
        match included(&old.document, &old.document) {
            Inclusion::Holds => {}
            Inclusion::Fails(_) => faults.found(old, old, &Value::Null),
            Inclusion::Open(_) => open += 1,
        }
    });
    println!("{open} are open");
    faults.conclude();
}

#[test]
fn what_holds_twice_in_a_row_holds_at_once() {
    let (mut chains, mut open, mut faults) = (0, 0, Vec::new());
    for number in 0..count(50) {
        let mut chance = Chance::of(seed() ^ 0xC4A1, number);
        let first = schemas::schema(&mut chance);
        let second = pairs::mutated(&first, &mut chance);
        let third = pairs::mutated(&second, &mut chance);
        let sides = [&first, &second, &third].map(Side::read);
        let [Ok(first), Ok(second), Ok(third)] = sides else {
            continue;
        };
        // A chain is one question asked twice; schemas without a root are asked about otherwise.
        let rooted = [&first, &second, &third].map(Side::has_root);
        if rooted.contains(&true) && rooted.contains(&false) {
            continue;
        }
        let judged = guarded(|| {
            for (low, high) in [(&first, &third), (&third, &first)] {
                if !holds(low, &second) || !holds(&second, high) {
                    continue;
                }
                chains += 1;
                match included(&low.document, &high.document) {
                    Inclusion::Holds => {}
                    Inclusion::Fails(_) => faults.push(format!(
                        "low {}\n    middle {}\n    high {}",
                        low.schema, second.schema, high.schema
                    )),
                    Inclusion::Open(_) => open += 1,
                }
            }
        });
        if let Err(why) = judged {
            faults.push(format!(
                "{why}: {} {} {}",
                first.schema, second.schema, third.schema
            ));
        }
    }
    println!("{chains} chains, {open} of them open");
    assert!(
        faults.is_empty(),
        "{} faults\n  - {}",
        faults.len(),
        faults.join("\n  - ")
    );
}

/// The answer is a function of the two schemas: not of what was asked before, nor of which side is
/// called old.
#[test]
fn an_answer_does_not_depend_on_what_was_asked_before() {
    let broken = |old: &Side, new: &Side, _: &Value| {
        let forth = [
            included(&old.document, &new.document),
            included(&new.document, &old.document),
        ];
        match (Side::read(&old.schema), Side::read(&new.schema)) {
            (Ok(left), Ok(right)) => {
                let back = [
                    included(&right.document, &left.document),
                    included(&left.document, &right.document),
                ];
                forth[0] != back[1] || forth[1] != back[0]
            }
            _ => false,
        }
    };
    let mut faults = Faults::new("asked before", broken);
    each_pair(20, |old, new, _| {
        if broken(old, new, &Value::Null) {
            faults.found(old, new, &Value::Null);
        }
    });
    faults.conclude();
}
