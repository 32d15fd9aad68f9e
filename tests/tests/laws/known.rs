//! Where an answer is right and the validator crate is not, each with the reason.

use serde_json::Value;

/// A law, a text that the pair holds, and why the fault is none.
const BY_RIGHT: &[(&str, &str, &str)] = &[];

/// Whether what was found is explained.
pub(crate) fn is_known(law: &str, old: &Value, new: &Value) -> bool {
    let text = format!("{old}{new}");
    BY_RIGHT
        .iter()
        .any(|(known, part, _)| *known == law && text.contains(part))
}
