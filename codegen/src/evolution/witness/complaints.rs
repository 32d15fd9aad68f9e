//! Where a schema refuses a document, as the validator tells it.

use super::Complaint;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// The most places that are kept; more of them tell no more about which change is to blame.
const MAX_COMPLAINTS: usize = 64;

/// The places of a schema that refuse a document, as deep as they can be told.
pub(super) fn complaints(validator: &Validator, document: &Value) -> Vec<Complaint> {
    let mut found = Vec::new();
    for error in validator.iter_errors(document) {
        gather(&error, &mut found);
    }
    found.truncate(MAX_COMPLAINTS);
    found
}

/// Fails where the validator refuses a document because it could not run a pattern, which says
/// nothing about the document.
pub(super) fn engine_failed(validator: &Validator, document: &Value) -> Result<(), String> {
    validator
        .iter_errors(document)
        .try_for_each(|error| match failure(&error) {
            Some(why) => Err(why),
            None => Ok(()),
        })
}

fn failure(error: &ValidationError<'_>) -> Option<String> {
    match error.kind() {
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. } => Some(error.to_string()),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context.iter().flatten().find_map(failure)
        }
        ValidationErrorKind::PropertyNames { error } => failure(error),
        _ => None,
    }
}

fn gather(error: &ValidationError<'_>, found: &mut Vec<Complaint>) {
    let pointer = error.schema_path().as_str().to_owned();
    let mut members = Vec::new();
    match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let before = found.len();
            for error in meant(context, error.instance_path().as_str()) {
                gather(error, found);
            }
            if found.len() > before {
                return;
            }
        }
        ValidationErrorKind::Required { property } => {
            members.extend(property.as_str().map(str::to_owned));
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            members.extend(unexpected.iter().cloned());
        }
        _ => {}
    }
    if members.is_empty() {
        found.push(Complaint {
            pointer,
            member: None,
        });
        return;
    }
    found.extend(members.into_iter().map(|member| Complaint {
        pointer: pointer.clone(),
        member: Some(member),
    }));
}

/// The errors of the branches that the document may have been meant for: those whose tags fit, and
/// all of them where none does.
fn meant<'e>(
    context: &'e [Vec<ValidationError<'static>>],
    union: &str,
) -> impl Iterator<Item = &'e ValidationError<'static>> {
    let is_tag = move |error: &ValidationError<'_>| {
        let compares = matches!(
            error.kind(),
            ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. }
        );
        let below = error.instance_path().as_str().strip_prefix(union);
        compares && below.is_some_and(|path| path.matches('/').count() == 1)
    };
    let fits = move |branch: &&Vec<ValidationError<'static>>| !branch.iter().any(&is_tag);
    let some = context.iter().any(|branch| fits(&branch));
    context
        .iter()
        .filter(move |branch| !some || fits(branch))
        .flatten()
}
