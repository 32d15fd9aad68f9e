//! What an audit reports.

use std::fmt;
use wirelock_runtime as runtime;

/// The name of a finding's kind, stable for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// What a reader of the stream would stop with.
    Stream(runtime::Code),
    /// A run begins with another line than the contract's first one.
    InitNotFirst,
    /// The sequence number does not grow.
    SeqNotMonotonic,
    /// The sequence number leaves some out, as relays may.
    SeqGap,
    /// The session is another one than that of the run.
    SessionIdChanged,
    /// A run has a second terminal line.
    DuplicateTerminal,
    /// Lines follow the one that ends the run.
    DataAfterTerminal,
    /// A raw escape character, as terminals take it.
    AnsiEscape,
    /// The time of a line is no RFC 3339 date and time.
    TsInvalid,
    /// The first line does not advertise the capability of the contract.
    CapabilityMissing,
    /// A line stands only under a capability that the first line does not advertise.
    CapabilityUnadvertised,
    /// A member that the contract does not know.
    UnknownField,
    /// A value of an open enum that the contract does not know.
    UnknownValue,
    /// An alternative of a union that the contract does not know.
    UnknownType,
    /// An integer that is written with a fraction or an exponent.
    IntegerSpelling,
}

impl Code {
    /// The name as reports write it.
    ///
    /// ```
    /// use wirelock_codegen::audit::Code;
    /// assert_eq!(Code::SeqGap.as_str(), "SEQ_GAP");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stream(code) => code.as_str(),
            Self::InitNotFirst => "INIT_NOT_FIRST",
            Self::SeqNotMonotonic => "SEQ_NOT_MONOTONIC",
            Self::SeqGap => "SEQ_GAP",
            Self::SessionIdChanged => "SESSION_ID_CHANGED",
            Self::DuplicateTerminal => "DUPLICATE_TERMINAL",
            Self::DataAfterTerminal => "DATA_AFTER_TERMINAL",
            Self::AnsiEscape => "ANSI_ESCAPE",
            Self::TsInvalid => "TS_INVALID",
            Self::CapabilityMissing => "CAPABILITY_MISSING",
            Self::CapabilityUnadvertised => "CAPABILITY_UNADVERTISED",
            Self::UnknownField => "UNKNOWN_FIELD",
            Self::UnknownValue => "UNKNOWN_VALUE",
            Self::UnknownType => "UNKNOWN_TYPE",
            Self::IntegerSpelling => "INTEGER_SPELLING",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The recording breaks its contract.
    Error,
    /// It is worth knowing, and allowed.
    Note,
}

impl Level {
    /// The level's name in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Note => "note",
        }
    }
}

/// Something about one line of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing.
    pub code: Code,
    /// How much it weighs.
    pub level: Level,
    /// The line, from 1.
    pub line: u64,
    /// What there is to say, with the place in the line where there is one.
    pub message: String,
}

impl Finding {
    pub(super) fn new(code: Code, level: Level, line: u64, message: impl Into<String>) -> Self {
        Self {
            code,
            level,
            line,
            message: message.into(),
        }
    }

    /// The finding that an error of the runtime is; the line stands beside it and not in it.
    pub(super) fn of(error: &runtime::Error, line: u64) -> Self {
        let code = Code::Stream(error.code());
        Self::new(code, Level::Error, line, words(error))
    }
}

/// What an error says without its code and its line.
///
/// Text of the payload stands in it as the payload has it, though cut: whoever writes it as JSON or
/// shows it on a terminal escapes it, once.
pub(super) fn words(error: &runtime::Error) -> String {
    said(error, "expected ")
}

/// What an error says of something unknown, whose expectation is a sentence of its own.
pub(super) fn words_of_unknown(error: &runtime::Error) -> String {
    said(error, "")
}

fn said(error: &runtime::Error, verb: &str) -> String {
    let path = cut_path(error.path());
    let place = match error.offset() {
        _ if !path.is_empty() => format!("at {path}: "),
        Some(offset) => format!("at byte {offset}: "),
        None => String::new(),
    };
    // A reader takes a first letter for the word that JSON has with it, and text that is no JSON
    // begins with such a letter as soon as with any other.
    let expected = match (error.code(), error.expected()) {
        (runtime::Code::InvalidJson, "null" | "true" | "false") => "a JSON value",
        (_, expected) => expected,
    };
    let mut text = format!("{place}{verb}{expected}");
    if let Some(found) = error.found() {
        text.push_str(&format!(", found {found}"));
    }
    if let Some(hint) = error.hint() {
        text.push_str(&format!(" ({hint})"));
    }
    text
}

/// A path with its middle left out where a payload nests deeper than a message has room for.
fn cut_path(path: String) -> String {
    const END: usize = 95;
    let length = path.chars().count();
    if length <= 2 * END + 3 {
        return path;
    }
    let head: String = path.chars().take(END).collect();
    let tail: String = path.chars().skip(length - END).collect();
    format!("{head}...{tail}")
}

/// Sums over what was audited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Totals {
    /// Lines, heartbeats among them.
    pub lines: u64,
    /// Lines that hold an item.
    pub items: u64,
    /// Runs.
    pub runs: u64,
    /// Findings that break the contract.
    pub errors: u64,
    /// Findings that do not.
    pub notes: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Totals {
    /// Adds another sum.
    pub fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.items += other.items;
        self.runs += other.runs;
        self.errors += other.errors;
        self.notes += other.notes;
        self.bytes += other.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::words;
    use wirelock_runtime::{Code, Error, Reader};

    #[test]
    fn text_that_is_no_json_is_not_taken_for_a_word_of_json() {
        for text in ["not json", "nope", "total: 7", "falling back", "nul"] {
            let error = Reader::new(text).skip_value().expect_err("no JSON");
            let words = words(&error);
            let start = format!("at byte 0: expected a JSON value, found {text}");
            assert!(words.starts_with(&start), "{words}");
        }
        let error = Error::new(Code::ItemInvalid, "null").with_found("7");
        assert_eq!(words(&error), "expected null, found 7");
    }

    #[test]
    fn payload_text_stands_as_it_is_and_long_paths_are_cut() {
        let error = Error::new(Code::ItemInvalid, "a number").with_found(r#""x\"y""#);
        let error = error.within("a\"b".to_owned());
        assert_eq!(words(&error), r#"at /a"b: expected a number, found "x\"y""#);
        let deep = (0..200).fold(Error::new(Code::ItemInvalid, "x"), |error, _| {
            error.within("é".to_owned())
        });
        let words = words(&deep);
        assert!(words.starts_with("at /é/é"), "{words}");
        assert!(words.ends_with("/é/é: expected x"), "{words}");
        assert_eq!(words.chars().count(), "at : expected x".len() + 95 * 2 + 3);
    }
}
