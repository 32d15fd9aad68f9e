//! What polices the catalogue: rules and fixture folders are the same list, and each folder earns its name.

use crate::case::{self, Case, NO_CHANGE, UNDECIDED};
use serde_json::Value;
use std::collections::BTreeSet;
use wirelock_codegen::evolution::rules::{self, RULES};

type Property = fn(&[Case]) -> Vec<String>;

/// Every property, by name; each lists its faults.
pub(crate) const PROPERTIES: [(&str, Property); 8] = [
    ("ids_are_sorted_and_unique", ids_are_sorted_and_unique),
    ("folders_are_the_rules", folders_are_the_rules),
    ("every_case_fires_its_rule", every_case_fires_its_rule),
    (
        "every_rule_has_two_cases_and_a_nested_one",
        every_rule_has_two_cases_and_a_nested_one,
    ),
    (
        "what_fires_is_in_the_catalogue",
        what_fires_is_in_the_catalogue,
    ),
    ("no_change_is_no_change", no_change_is_no_change),
    ("undecided_is_no_answer", undecided_is_no_answer),
    ("pending_cases_still_fail", pending_cases_still_fail),
];

/// Whether a case waits for its comparison to be written.
pub(crate) fn waits(case: &Case) -> bool {
    case.expected()
        .is_ok_and(|expected| expected.pending.is_some())
}

/// A case that waits no longer must not look as if it did.
fn pending_cases_still_fail(cases: &[Case]) -> Vec<String> {
    cases
        .iter()
        .filter(|case| {
            case.expected()
                .is_ok_and(|expected| expected.pending.is_some())
        })
        .filter(|case| case::check(case).is_ok())
        .map(|case| format!("{} holds now: drop its `pending`", case.id()))
        .collect()
}

fn ids_are_sorted_and_unique(_: &[Case]) -> Vec<String> {
    RULES
        .windows(2)
        .filter(|pair| pair[0].id >= pair[1].id)
        .map(|pair| format!("{} stands before {}", pair[0].id, pair[1].id))
        .collect()
}

fn folders_are_the_rules(_: &[Case]) -> Vec<String> {
    let folders: BTreeSet<String> = case::folders(&case::root()).into_iter().collect();
    let mut expected: BTreeSet<String> = RULES.iter().map(|rule| rule.id.to_owned()).collect();
    expected.extend([NO_CHANGE, UNDECIDED].map(str::to_owned));
    let missing = expected
        .difference(&folders)
        .map(|id| format!("{id} has no folder"));
    let odd = folders
        .difference(&expected)
        .map(|id| format!("the folder {id} is no rule"));
    missing.chain(odd).collect()
}

fn every_case_fires_its_rule(cases: &[Case]) -> Vec<String> {
    let fires = |case: &Case| -> Result<bool, String> {
        let (old, new) = case.wires()?;
        let comparison = case::compare(&case.expected()?, &old, &new);
        Ok(comparison
            .changes
            .iter()
            .any(|change| change.rule == case.rule))
    };
    cases
        .iter()
        .filter(|case| ![NO_CHANGE, UNDECIDED].contains(&case.rule.as_str()) && !waits(case))
        .filter_map(|case| match fires(case) {
            Ok(true) => None,
            Ok(false) => Some(format!("{} does not fire its rule", case.id())),
            Err(why) => Some(why),
        })
        .collect()
}

/// A rule is hard to reach where the change is inside a variant behind a reference, so each rule
/// is shown to reach there.
fn every_rule_has_two_cases_and_a_nested_one(cases: &[Case]) -> Vec<String> {
    let mut faults = Vec::new();
    for rule in RULES {
        let own: Vec<&Case> = cases.iter().filter(|case| case.rule == rule.id).collect();
        if own.len() < 2 {
            faults.push(format!("{} has {} cases", rule.id, own.len()));
        }
        let nested = own.iter().any(|case| {
            let schemas = case.schemas();
            schemas.iter().all(|(_, schema)| {
                has_keyword(schema, &["$ref"]) && has_keyword(schema, &["oneOf", "anyOf"])
            })
        });
        if !nested {
            faults.push(format!("{} has no case under a $ref and a union", rule.id));
        }
    }
    faults
}

fn has_keyword(schema: &Value, keywords: &[&str]) -> bool {
    match schema {
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| keywords.contains(&name.as_str()) || has_keyword(value, keywords)),
        Value::Array(elements) => elements.iter().any(|value| has_keyword(value, keywords)),
        _ => false,
    }
}

fn what_fires_is_in_the_catalogue(cases: &[Case]) -> Vec<String> {
    let mut faults = Vec::new();
    for case in cases {
        let (expected, (old, new)) = match (case.expected(), case.wires()) {
            (Ok(expected), Ok(wires)) => (expected, wires),
            (Err(why), _) | (_, Err(why)) => {
                faults.push(why);
                continue;
            }
        };
        for finding in &expected.changes {
            if rules::find(&finding.rule).is_none() {
                faults.push(format!("{} expects {}", case.id(), finding.rule));
            }
        }
        for change in case::compare(&expected, &old, &new).changes {
            match rules::find(change.rule) {
                None => faults.push(format!("{} fires {}", case.id(), change.rule)),
                // What an unreferenced definition weighs depends on the others, as its rule says.
                Some(rule) if rule.level != change.level && rule.id != "definition-removed" => {
                    faults.push(format!(
                        "{}: {} weighs {:?} there and {:?} in the catalogue",
                        case.id(),
                        rule.id,
                        change.level,
                        rule.level
                    ));
                }
                Some(_) => {}
            }
        }
    }
    faults
}

fn no_change_is_no_change(cases: &[Case]) -> Vec<String> {
    cases
        .iter()
        .filter(|case| case.rule == NO_CHANGE)
        .filter_map(|case| match case.expected() {
            Ok(expected) if matches!(expected.verdict.as_str(), "identical" | "editorial") => None,
            Ok(expected) => Some(format!("{} expects {}", case.id(), expected.verdict)),
            Err(why) => Some(why),
        })
        .collect()
}

fn undecided_is_no_answer(cases: &[Case]) -> Vec<String> {
    cases
        .iter()
        .filter(|case| case.rule == UNDECIDED)
        .filter_map(|case| match case.expected() {
            Ok(expected) if expected.verdict == "unknown" => None,
            Ok(expected) => Some(format!("{} expects {}", case.id(), expected.verdict)),
            Err(why) => Some(why),
        })
        .collect()
}
