//! Faults that are known: those that are right and the law too strict, and those that wait for their
//! correction. A row that explains nothing any more has to go.

use crate::side::Side;
use crate::{Broken, additive, answers, guarded};
use serde_json::Value;

/// One kind of fault of one law.
struct Known {
    law: &'static str,
    why: &'static str,
    /// Whether a pair is of that kind; asked of pairs that were made small.
    covers: fn(&Side, &Side) -> bool,
    /// Whether the question is as good for a pair that was not made small.
    at_once: bool,
    /// The old schema, the new one, and a document: the smallest that was found.
    example: [&'static str; 3],
}

const KNOWN: &[Known] = &[
    Known {
        law: answers::READING,
        why: "what is emitted for a place with a choice that nothing satisfies takes more than the schema",
        covers: |old, _| says(old, &["\"if\"", "\"not\"", "\"oneOf\""]),
        at_once: false,
        example: [r#"{"if":true,"then":false}"#, "true", "null"],
    },
    Known {
        law: answers::BOTH_WAYS,
        why: "a choice of one branch around a negation or around a list of types is the same in one direction alone",
        covers: |old, new| {
            [old, new]
                .iter()
                .any(|side| says(side, &["\"oneOf\"", "\"anyOf\""]))
        },
        at_once: false,
        example: [
            r#"{"oneOf":[{"not":{"const":null}}]}"#,
            r#"{"not":{"const":null}}"#,
            "null",
        ],
    },
    Known {
        law: additive::NESTED,
        why: "the strict reading takes a name that a conditional part declares where the schema is closed",
        covers: |old, _| says(old, &["\"dependentSchemas\"", "\"then\"", "\"else\""]),
        at_once: false,
        example: [
            r#"{"additionalProperties":false,"dependentSchemas":{"ab":{"properties":{"type":true}}}}"#,
            "true",
            r#"{"type":null}"#,
        ],
    },
];

fn says(side: &Side, words: &[&str]) -> bool {
    let text = side.schema.to_string();
    words.iter().any(|word| text.contains(word))
}

/// Whether a fault is known; `small` tells whether its pair was made small.
pub(crate) fn is_known(law: &str, old: &Side, new: &Side, small: bool) -> bool {
    KNOWN
        .iter()
        .filter(|known| known.law == law && (small || known.at_once))
        .any(|known| (known.covers)(old, new))
}

#[test]
fn every_known_fault_is_still_one() {
    let laws: [(&str, Broken); 4] = [
        (answers::READING, answers::reads_otherwise),
        (answers::BOTH_WAYS, answers::differs_by_direction),
        (additive::OPEN, additive::open_shrinks),
        (additive::NESTED, additive::is_not_nested),
    ];
    for known in KNOWN {
        let (_, broken) = laws
            .iter()
            .find(|(law, _)| *law == known.law)
            .expect("a row names a law");
        let [old, new, document] = known
            .example
            .map(|text| serde_json::from_str::<Value>(text).expect("an example is JSON"));
        let old = Side::read(&old).expect("an example can be read");
        let new = Side::read(&new).expect("an example can be read");
        let is_fault = guarded(|| broken(&old, &new, &document)).expect("no panic");
        assert!(
            is_fault,
            "{}: no fault any more, so its row goes: {}",
            known.law, known.why
        );
        assert!((known.covers)(&old, &new), "{}: not covered", known.law);
    }
}
