//! Laws that hold for every pair of revisions, tried on every fixture.

use crate::case::{Case, compare, verdict};
use crate::catalogue::waits;
use serde_json::Value;
use serde_json::value::RawValue;
use wirelock_codegen::evolution::{self, Level, Verdict};
use wirelock_codegen::report::json;
use wirelock_tests::report_schema;

type Law = fn(&Case) -> Vec<String>;

/// Every law, by name; each lists what breaks it.
pub(crate) const LAWS: [(&str, Law); 6] = [
    ("a_revision_is_identical_to_itself", identical_to_itself),
    ("a_comment_is_only_a_comment", comment_is_only_a_comment),
    (
        "wrapping_the_root_changes_nothing",
        wrapping_changes_nothing,
    ),
    ("no_swapped_pair_is_identical", swapped_pair_differs),
    ("every_schema_is_valid", schemas_are_valid),
    (
        "every_report_follows_its_schema",
        reports_follow_their_schema,
    ),
];

fn identical_to_itself(case: &Case) -> Vec<String> {
    let mut faults = Vec::new();
    for (side, text) in [("old", &case.old), ("new", &case.new)] {
        match (case.read(text), case.read(text)) {
            (Ok(one), Ok(other)) => {
                let comparison = evolution::compare(&one, &other);
                if comparison.verdict() != Verdict::Identical {
                    faults.push(format!("{} {side}: {}", case.id(), verdict(&comparison)));
                }
            }
            (Err(why), _) | (_, Err(why)) => faults.push(why),
        }
    }
    faults
}

/// Equal texts are told at a glance; one word more makes the comparison walk the whole schema, and
/// it must find all of it equal.
fn comment_is_only_a_comment(case: &Case) -> Vec<String> {
    against_respelled(case, &["comment-changed", "restructured"], |schema| {
        let mut members = schema.as_object()?.clone();
        let text = format!("{}?", members.get("$comment").unwrap_or(&Value::Null));
        members.insert("$comment".to_owned(), Value::String(text));
        Some(Value::Object(members))
    })
}

/// The same by a detour through a reference: the root moves into a definition. Roots that say
/// nothing stay out, because there the definitions themselves are what is compared, and so do
/// roots with an identity or a dialect of their own.
fn wrapping_changes_nothing(case: &Case) -> Vec<String> {
    against_respelled(case, &["restructured"], |schema| {
        const ROOT_ONLY: [&str; 6] = [
            "$schema",
            "$id",
            "$defs",
            "definitions",
            "x-contract",
            "$vocabulary",
        ];
        let mut outer = schema.as_object()?.clone();
        let text = schema.to_string();
        if text.contains("\"#\"")
            || text.contains("unevaluated")
            || outer.contains_key("$dynamicAnchor")
        {
            return None;
        }
        let mut inner = outer.clone();
        inner.retain(|name, _| !ROOT_ONLY.contains(&name.as_str()));
        outer.retain(|name, _| ROOT_ONLY.contains(&name.as_str()));
        const ANNOTATIONS: [&str; 3] = ["$comment", "title", "description"];
        if inner
            .keys()
            .all(|name| ANNOTATIONS.contains(&name.as_str()))
        {
            return None;
        }
        outer.insert("allOf".to_owned(), serde_json::json!([inner]));
        Some(Value::Object(outer))
    })
}

/// Compares each revision with another spelling of itself.
fn against_respelled(
    case: &Case,
    allowed: &[&str],
    respell: impl Fn(&Value) -> Option<Value>,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (side, schema) in case.schemas() {
        let Some(other) = respell(&schema) else {
            continue;
        };
        let wires = (
            case.read(&schema.to_string()),
            case.read(&other.to_string()),
        );
        let (one, other) = match wires {
            (Ok(one), Ok(other)) => (one, other),
            (Err(why), _) | (_, Err(why)) => {
                faults.push(why);
                continue;
            }
        };
        // What cannot be decided stays so against itself.
        if !one.undecided.is_empty() {
            continue;
        }
        let comparison = evolution::compare(&one, &other);
        let odd = comparison
            .changes
            .iter()
            .filter(|change| change.level != Level::Editorial || !allowed.contains(&change.rule));
        faults.extend(
            odd.map(|change| format!("{} {side}: {}: {}", case.id(), change.rule, change.message)),
        );
        if !comparison.undecided.is_empty() {
            faults.push(format!("{} {side}: undecided", case.id()));
        }
    }
    faults
}

/// A difference has no direction, only its weight has.
fn swapped_pair_differs(case: &Case) -> Vec<String> {
    let (expected, (old, new)) = match (case.expected(), case.wires()) {
        (Ok(expected), Ok(wires)) => (expected, wires),
        (Err(why), _) | (_, Err(why)) => return vec![why],
    };
    if waits(case) {
        return Vec::new();
    }
    let there = compare(&expected, &old, &new);
    let back = compare(&expected, &new, &old);
    let differs = |verdict: Verdict| verdict != Verdict::Identical;
    if differs(there.verdict()) == differs(back.verdict()) {
        return Vec::new();
    }
    vec![format!(
        "{}: {} one way, {} the other",
        case.id(),
        verdict(&there),
        verdict(&back)
    )]
}

/// A fixture that no validator would take proves nothing about schemas that people write.
fn schemas_are_valid(case: &Case) -> Vec<String> {
    let mut faults = Vec::new();
    for (side, schema) in case.schemas() {
        if let Err(error) = jsonschema::meta::validate(&schema) {
            faults.push(format!("{} {side}: {error}", case.id()));
        } else if let Err(error) = jsonschema::validator_for(&schema) {
            faults.push(format!("{} {side}: {error}", case.id()));
        }
    }
    faults
}

/// What programs are told of a case is what the published schema tells them to expect.
fn reports_follow_their_schema(case: &Case) -> Vec<String> {
    let mut report = match case.report() {
        Ok(report) => report,
        Err(why) => return vec![why],
    };
    let mut faults = Vec::new();
    for id in [None, Some(RawValue::NULL.to_owned())] {
        report.id = id;
        let text = match json(&report) {
            Ok(text) => text,
            Err(error) => return vec![format!("{}: {error}", case.id())],
        };
        let errors = report_schema::errors(&text);
        faults.extend(errors.iter().map(|error| format!("{}: {error}", case.id())));
    }
    faults
}
