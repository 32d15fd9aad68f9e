//! The published schema of the JSON report, for whatever makes one.

use serde_json::Value;
use std::path::Path;
use std::sync::LazyLock;

static VALIDATOR: LazyLock<Result<jsonschema::Validator, String>> = LazyLock::new(|| {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/report/check-evolution.schema.json");
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| fault(&error))?;
    let schema: Value = serde_json::from_str(&text).map_err(|error| fault(&error))?;
    jsonschema::validator_for(&schema).map_err(|error| fault(&error))
});

/// What a validator holds against a line of JSON that is a report, a failure or a step of a history;
/// nothing where the line is as the schema says.
///
/// ```
/// use wirelock_tests::report_schema::errors;
/// assert!(errors(r#"{"id": 1, "error": "line 1, old: no JSON"}"#).is_empty());
/// assert_eq!(errors(r#"{"id": 1}"#).len(), 1);
/// ```
#[must_use]
pub fn errors(line: &str) -> Vec<String> {
    let value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(error) => return vec![error.to_string()],
    };
    match &*VALIDATOR {
        Ok(validator) => {
            let errors = validator.iter_errors(&value);
            errors
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect()
        }
        Err(error) => vec![error.clone()],
    }
}
