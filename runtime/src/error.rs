//! One error type: a code, the place, and what was expected there.

use crate::Failure;
use std::borrow::Cow;
use std::fmt;

/// The result of reading.
pub type Result<T> = std::result::Result<T, Error>;

/// Payload text in a message is cut here, so that an error never carries a whole document.
const FOUND_LIMIT: usize = 80;

/// What went wrong, as a stable name that programs can compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The stream ended without its terminal item.
    TerminalMissing,
    /// The stream ended without its end frame.
    Truncated,
    /// The last line has no line end.
    TruncatedLine,
    /// An item of a known type has a wrong shape.
    ItemInvalid,
    /// The frames stand in an order that the protocol does not allow.
    ProtocolError,
    /// A frame is larger than its bound.
    FrameTooLarge,
    /// The bytes are no UTF-8.
    InvalidUtf8,
    /// The text is no JSON, or names a member twice.
    InvalidJson,
    /// The stream lived longer than it may.
    LifetimeExceeded,
    /// Nothing came for longer than the reader waits.
    IdleTimeout,
    /// The reader was told to stop.
    Aborted,
    /// The producer reported a failure.
    RemoteError,
    /// Input or output failed.
    Io,
}

impl Code {
    /// The name that stands on the wire and in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TerminalMissing => "STREAM_TERMINAL_MISSING",
            Self::Truncated => "STREAM_TRUNCATED",
            Self::TruncatedLine => "STREAM_TRUNCATED_LINE",
            Self::ItemInvalid => "STREAM_ITEM_INVALID",
            Self::ProtocolError => "STREAM_PROTOCOL_ERROR",
            Self::FrameTooLarge => "STREAM_FRAME_TOO_LARGE",
            Self::InvalidUtf8 => "STREAM_INVALID_UTF8",
            Self::InvalidJson => "STREAM_INVALID_JSON",
            Self::LifetimeExceeded => "STREAM_LIFETIME_EXCEEDED",
            Self::IdleTimeout => "STREAM_IDLE_TIMEOUT",
            Self::Aborted => "STREAM_ABORTED",
            Self::RemoteError => "STREAM_REMOTE_ERROR",
            Self::Io => "STREAM_IO",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why something could not be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

// Boxed, because results of this type are returned for every field of every line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    code: Code,
    line: Option<u64>,
    offset: Option<usize>,
    /// Reference tokens of the path, innermost first: they are added while the error travels up.
    path: Vec<Cow<'static, str>>,
    expected: Cow<'static, str>,
    found: Option<String>,
    hint: Option<&'static str>,
    detail: Detail,
}

/// What programs may want to know of a failure beside its code and place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Detail {
    /// Nothing more.
    #[default]
    None,
    /// A frame is larger than its bound.
    Size {
        /// The bound, in bytes.
        limit: u64,
        /// How many bytes had been seen when the reader stopped.
        seen: u64,
    },
    /// The last line was cut off.
    Cut {
        /// How many bytes of it there are.
        bytes: u64,
    },
    /// What the producer reported.
    Remote(Failure),
    /// What the operating system, or a library beside it, said.
    Io {
        /// The kind of failure.
        kind: std::io::ErrorKind,
        /// Its own message.
        message: String,
    },
}

impl Error {
    /// An error of that code; `expected` says in a few words what should have stood there.
    #[must_use]
    pub fn new(code: Code, expected: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            code,
            line: None,
            offset: None,
            path: Vec::new(),
            expected: expected.into(),
            found: None,
            hint: None,
            detail: Detail::None,
        }))
    }

    /// The same error with what programs may want to know of it.
    #[must_use]
    pub fn with_detail(mut self, detail: Detail) -> Self {
        self.0.detail = detail;
        self
    }

    /// The same error with what most often causes it.
    #[must_use]
    pub fn with_hint(mut self, hint: &'static str) -> Self {
        self.0.hint = Some(hint);
        self
    }

    /// The same error, where its text began that many bytes into the line.
    #[cfg(feature = "framing")]
    #[must_use]
    pub(crate) fn shifted(mut self, bytes: usize) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset + bytes);
        self
    }

    /// The same error with the text that was found instead, cut to a readable length.
    #[must_use]
    pub fn with_found(mut self, text: &str) -> Self {
        self.0.found = Some(cut(text));
        self
    }

    /// The same error at that byte of the line.
    #[must_use]
    pub fn at_offset(mut self, offset: usize) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// The same error on that line of the stream (from 1); a line that is already named stays.
    #[must_use]
    pub fn on_line(mut self, line: u64) -> Self {
        self.0.line.get_or_insert(line);
        self
    }

    /// The same error below a member of that name. A name that came with the payload is cut as
    /// other text of it is; those that a contract declares are whole.
    #[must_use]
    pub fn within(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.0.path.push(match name.into() {
            Cow::Owned(name) => Cow::Owned(cut(&name)),
            declared => declared,
        });
        self
    }

    /// What went wrong.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The line of the stream, from 1, where the caller told it.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.0.line
    }

    /// The byte of the line, from 0.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// The byte of the line, from 1, as editors count columns.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.0.offset.map(|offset| offset + 1)
    }

    /// What most often causes this, where the text tells.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        self.0.hint
    }

    /// What programs may want to know beside the code and the place.
    #[must_use]
    pub fn detail(&self) -> &Detail {
        &self.0.detail
    }

    /// JSON Pointer of the place in the item; empty for the item itself.
    #[must_use]
    pub fn path(&self) -> String {
        let mut pointer = String::new();
        for token in self.0.path.iter().rev() {
            pointer.push('/');
            pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
        }
        pointer
    }

    /// What should have stood there.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// What stood there instead, cut to a readable length.
    #[must_use]
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.code)?;
        if let Some(line) = self.0.line {
            write!(formatter, " on line {line}")?;
        }
        if !self.0.path.is_empty() {
            write!(formatter, " at {}", self.shown_path())?;
        } else if let Some(offset) = self.0.offset {
            write!(formatter, " at byte {offset}")?;
        }
        write!(formatter, ": expected {}", self.0.expected)?;
        if let Some(found) = &self.0.found {
            write!(formatter, ", found {}", visible(found, FOUND_LIMIT))?;
        }
        match self.0.hint {
            Some(hint) => write!(formatter, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        let message = error.to_string();
        Self::new(Code::Io, "input and output that work")
            .with_found(&message)
            .with_detail(Detail::Io {
                kind: error.kind(),
                message,
            })
    }
}

impl std::error::Error for Error {}

impl Error {
    /// The path as a message shows it. Names that a contract declares are whole; those that came
    /// with the payload share what a message may carry of it, because a path may have many.
    fn shown_path(&self) -> String {
        let mut shown = String::new();
        let mut left = FOUND_LIMIT;
        for token in self.0.path.iter().rev() {
            shown.push('/');
            let escaped = token.replace('~', "~0").replace('/', "~1");
            let is_index = token.bytes().all(|byte| byte.is_ascii_digit());
            if matches!(token, Cow::Borrowed(_)) || (is_index && token.len() < 10) {
                shown.push_str(&visible(&escaped, usize::MAX));
                continue;
            }
            let text = visible(&escaped, left);
            left = left.saturating_sub(text.chars().count());
            shown.push_str(&text);
        }
        shown
    }
}

/// Text with what a terminal would act on written as escapes, which count for the length they have;
/// past `limit` characters it ends in an ellipsis, and never in a part of an escape.
fn visible(text: &str, limit: usize) -> String {
    let mut shown = String::new();
    let mut length = 0_usize;
    for letter in text.chars() {
        let escaped = letter.escape_debug();
        length += escaped.len();
        if length > limit {
            shown.push_str("...");
            break;
        }
        shown.extend(escaped);
    }
    shown
}

/// Text as far as a message carries it.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(FOUND_LIMIT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Why a value does not fit a constrained type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversionError(Cow<'static, str>);

impl fmt::Display for ConversionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ConversionError {}

impl From<&'static str> for ConversionError {
    fn from(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<String> for ConversionError {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Error};

    /// What stands behind `found`, and the path, of an error with that text and those names.
    fn told(found: &str, names: &[&str]) -> String {
        let error = Error::new(Code::ItemInvalid, "x").with_found(found);
        let within = |error: Error, name: &&str| error.within((*name).to_owned());
        names.iter().fold(error, within).to_string()
    }

    #[test]
    fn payload_text_ends_in_an_ellipsis_after_eighty_characters() {
        let start = "STREAM_ITEM_INVALID: expected x, found ";
        assert_eq!(told("short", &[]), format!("{start}short"));
        assert_eq!(
            told(&"a".repeat(80), &[]),
            format!("{start}{}", "a".repeat(80))
        );
        assert_eq!(
            told(&"a".repeat(81), &[]),
            format!("{start}{}...", "a".repeat(80))
        );
        // A letter of several bytes is one character, and is never cut in two.
        let wide = told(&"\u{1f600}".repeat(500), &[]);
        assert_eq!(wide, format!("{start}{}...", "\u{1f600}".repeat(80)));
        // An escape counts for what it is long, and stands whole or not at all.
        let hostile = told(&"\u{1b}".repeat(500), &[]);
        assert_eq!(hostile, format!("{start}{}...", "\\u{1b}".repeat(13)));
    }

    #[test]
    fn the_names_of_a_path_share_one_limit() {
        let long = "n".repeat(200);
        let names: Vec<&str> = std::iter::repeat_n(long.as_str(), 100).collect();
        let message = told("1", &names);
        assert_eq!(
            message.matches('n').count() - "found".matches('n').count(),
            80,
            "{message}"
        );
        assert!(message.len() < 600, "{message}");
        assert!(told("1", &["a", "7"]).starts_with("STREAM_ITEM_INVALID at /7/a: "));
    }
}
