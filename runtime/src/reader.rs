//! The reader: a cursor over one JSON text that typed decoding is written against.

use crate::error::{Code, Error, Result};
use crate::scan;
use std::borrow::Cow;

/// Brackets nested this deep are read; one more is refused, as `serde_json` does.
pub const MAX_DEPTH: u32 = 127;

/// The JSON type of the value that comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A cursor over one JSON text.
///
/// Every method reads from the cursor on and leaves it behind what was read. After an error the
/// cursor stands somewhere in the text and nothing more should be read from it.
#[derive(Debug, Clone)]
pub struct Reader<'de> {
    text: &'de str,
    pub(crate) at: usize,
    pub(crate) depth: u32,
    /// Whether whitespace was stepped over since this was last cleared.
    pub(crate) spaced: bool,
    /// Bytes that were read in vain by [`Reader::attempt`].
    wasted: usize,
    /// The object whose tag was looked at last, and the byte behind that tag.
    pub(crate) last_tag: (usize, usize),
}

impl<'de> Reader<'de> {
    /// A cursor at the start of a text.
    #[must_use]
    pub fn new(text: &'de str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            spaced: false,
            wasted: 0,
            last_tag: (usize::MAX, 0),
        }
    }

    /// How many bytes stand before what comes next; whitespace ahead of it is stepped over.
    pub fn offset(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    /// The JSON type of the next value; the value is left to be read.
    ///
    /// # Errors
    /// No value can begin with what comes next.
    #[inline]
    pub fn kind(&mut self) -> Result<Kind> {
        self.skip_space();
        match self.byte() {
            Some(b'"') => Ok(Kind::String),
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'n') => Ok(Kind::Null),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            _ => Err(self.syntax("a JSON value")),
        }
    }

    /// Reads a string; text without escapes is borrowed from the input.
    ///
    /// # Errors
    /// The next value is no string, or no JSON.
    #[inline]
    pub fn str(&mut self) -> Result<Cow<'de, str>> {
        if self.byte() != Some(b'"') {
            self.skip_space();
            if self.byte() != Some(b'"') {
                return Err(self.unexpected("a string"));
            }
        }
        let start = self.at + 1;
        self.at = scan::find_special(self.bytes(), start);
        if self.byte() == Some(b'"') {
            let text = self.slice(start, self.at);
            self.at += 1;
            return Ok(Cow::Borrowed(text));
        }
        self.escaped_str(start)
    }

    /// The rest of a string, up to whose first escape it was read.
    fn escaped_str(&mut self, start: usize) -> Result<Cow<'de, str>> {
        // Room for about twice what there is spares most texts from growing.
        let mut text = String::with_capacity(2 * (self.at - start) + 64);
        let mut from = start;
        loop {
            text.push_str(self.slice(from, self.at));
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.syntax("no raw control character in a string")),
                None => return Err(self.syntax("the end of the string")),
            }
            from = self.at;
            self.at = scan::find_special(self.bytes(), from);
        }
    }

    /// Reads a string; another value is stepped over.
    ///
    /// # Errors
    /// What comes next is no JSON value.
    pub fn str_or_other(&mut self) -> Result<Option<Cow<'de, str>>> {
        match self.kind()? {
            Kind::String => self.str().map(Some),
            _ => self.skip_value().map(|_| None),
        }
    }

    /// Reads a boolean.
    ///
    /// # Errors
    /// The next value is no boolean.
    pub fn bool(&mut self) -> Result<bool> {
        self.skip_space();
        match self.byte() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => Err(self.unexpected("a boolean")),
        }
    }

    /// Reads `null`.
    ///
    /// # Errors
    /// The next value is another one.
    pub fn null(&mut self) -> Result<()> {
        self.skip_space();
        match self.byte() {
            Some(b'n') => self.word("null"),
            _ => Err(self.unexpected("null")),
        }
    }

    /// Reads any value as its text, without the whitespace between tokens.
    ///
    /// # Errors
    /// What comes next is no JSON value, or is nested too deeply.
    pub fn raw(&mut self) -> Result<Cow<'de, str>> {
        self.skip_space();
        self.spaced = false;
        let text = self.skip_value()?;
        // A raw line break would end the line that this value is later written on.
        Ok(if self.spaced {
            Cow::Owned(scan::compact(text))
        } else {
            Cow::Borrowed(text)
        })
    }

    /// Steps over whitespace to the end of the text.
    ///
    /// # Errors
    /// Something else stands there.
    pub fn end(&mut self) -> Result<()> {
        self.skip_space();
        match self.byte() {
            None => Ok(()),
            Some(_) => Err(self.syntax("the end of the text after one value")),
        }
    }

    /// Tries one alternative; where it does not fit, the cursor goes back and the error is given.
    ///
    /// # Errors
    /// The outer error stops everything: trials have read far more than the text holds.
    pub fn attempt<T>(
        &mut self,
        alternative: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Result<T>> {
        let (at, depth) = (self.at, self.depth);
        let result = alternative(self);
        if result.is_err() {
            self.wasted = self.wasted.saturating_add(self.at.saturating_sub(at));
            (self.at, self.depth) = (at, depth);
            // Nested trials can multiply, and the text comes from outside.
            if self.wasted > self.text.len().saturating_mul(256) {
                return Err(self.shape("a value that is told apart with less work"));
            }
        }
        Ok(result)
    }

    /// Gives up on a union: no alternative takes the value that comes next.
    #[must_use]
    pub fn no_alternative(&self, expected: &'static str, failures: Vec<Error>) -> Error {
        // Bad JSON is bad for every alternative, and its own message says more.
        let mut broken = failures
            .into_iter()
            .filter(|failure| failure.code() == Code::InvalidJson);
        broken.next().unwrap_or_else(|| self.unexpected(expected))
    }

    /// An error: the value that comes next is not what was expected.
    #[cold]
    #[must_use]
    pub fn unexpected(&self, expected: impl Into<Cow<'static, str>>) -> Error {
        let mut rest = self.clone();
        match rest.skip_value() {
            Ok(found) => Error::new(Code::ItemInvalid, expected)
                .with_found(found)
                .at_offset(self.at),
            Err(broken) => broken,
        }
    }

    /// An error of shape at the cursor, without an excerpt.
    #[cold]
    #[must_use]
    pub fn shape(&self, expected: impl Into<Cow<'static, str>>) -> Error {
        Error::new(Code::ItemInvalid, expected).at_offset(self.at)
    }

    /// An error of syntax at the cursor.
    #[cold]
    #[must_use]
    pub(crate) fn syntax(&self, expected: impl Into<Cow<'static, str>>) -> Error {
        let error = Error::new(Code::InvalidJson, expected).at_offset(self.at);
        match self.text.get(self.at..) {
            Some("") => error.with_found("the end of the text"),
            Some(rest) => error.with_found(rest),
            None => error,
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    #[inline]
    pub(crate) fn byte(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    #[inline]
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'de str {
        // Both ends stand beside ASCII bytes, so this always is a slice.
        self.text.get(start..end).unwrap_or_default()
    }
}
