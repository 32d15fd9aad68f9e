//! What most often stands behind a line that is no JSON.

use crate::{Code, Error};

/// The same error with a hint, where the text of the line tells one.
///
/// ```
/// use wirelock_runtime::{Json, framing::explain};
/// let text = r#"{"a":1} {"a":2}"#;
/// let error = explain(Json::from_str(text).unwrap_err(), text);
/// assert_eq!(error.hint(), Some("two values on one line"));
/// ```
#[must_use]
pub fn explain(error: Error, text: &str) -> Error {
    if error.code() != Code::InvalidJson {
        return error;
    }
    let hint = hint(&error, text);
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

fn hint(error: &Error, text: &str) -> Option<&'static str> {
    let at = error.offset().unwrap_or(0).min(text.len());
    let start = text.trim_start_matches([' ', '\t', '\r']);
    let begins = start.chars().next().unwrap_or(' ');
    if text.contains('\u{1b}') {
        return Some("ANSI escape: colours or cursor codes of a terminal; switch them off");
    }
    if text.contains('\0') {
        return Some("NUL bytes: a torn write, or text that is UTF-16");
    }
    if begins == '\u{feff}' {
        return Some("byte order mark: one may stand at the start of the stream alone");
    }
    if error.expected().contains("surrogate") {
        return Some(
            "lone surrogate: half of a character, cut by a writer that counts UTF-16 units",
        );
    }
    if error.expected().contains("once") {
        return None;
    }
    // The text is cut at a character, as an offset is always beside an ASCII byte.
    let rest = text.get(at..).unwrap_or_default().trim_start();
    if rest.is_empty() && matches!(begins, '{' | '[' | '"') {
        return Some("document spans lines, or the line was cut off: write one value on one line");
    }
    if error.expected().starts_with("the end of the text") {
        return Some(match rest.chars().next() {
            Some('{' | '[') => "two values on one line",
            _ => "log text behind a value",
        });
    }
    match begins {
        '}' | ']' => Some("document spans lines: write one value on one line"),
        '{' | '[' | '"' | '-' | '0'..='9' => None,
        _ => Some("log text: only JSON belongs on this stream, logs on another"),
    }
}
