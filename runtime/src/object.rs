//! Objects as they are entered and left, and values that are known beforehand.

use crate::error::Result;
use crate::reader::{MAX_DEPTH, Reader};
use std::borrow::Cow;

impl<'de> Reader<'de> {
    /// Enters an object. Its members follow by [`Reader::next_key`].
    ///
    /// # Errors
    /// The next value is no object, or is nested too deeply.
    #[inline]
    pub fn begin_object(&mut self) -> Result<()> {
        self.skip_space();
        if self.byte() != Some(b'{') {
            return Err(self.unexpected("an object"));
        }
        self.enter()
    }

    /// The next member name of the object that was entered, or its end. `first` starts as `true`.
    ///
    /// # Errors
    /// What comes next is no JSON.
    #[inline]
    pub fn next_key(&mut self, first: &mut bool) -> Result<Option<Cow<'de, str>>> {
        self.skip_space();
        match self.byte() {
            Some(b'}') => {
                self.leave();
                return Ok(None);
            }
            Some(b',') if !*first => {
                self.at += 1;
                self.skip_space();
            }
            _ if *first => {}
            _ => return Err(self.syntax("`,` or `}`")),
        }
        *first = false;
        if self.byte() != Some(b'"') {
            return Err(self.syntax("a member name"));
        }
        let name = self.str()?;
        self.colon()?;
        Ok(Some(name))
    }

    /// Reads a value that has to be that string, which is given as JSON text.
    ///
    /// # Errors
    /// It is another one.
    #[inline]
    pub fn constant(&mut self, quoted: &'static str) -> Result<()> {
        let rest = self.bytes().get(self.at..).unwrap_or_default();
        if rest.starts_with(quoted.as_bytes()) {
            self.at += quoted.len();
            return Ok(());
        }
        self.constant_otherwise(quoted)
    }

    /// The same, where the text is another string or is written with other escapes.
    #[cold]
    fn constant_otherwise(&mut self, quoted: &'static str) -> Result<()> {
        let value = Reader::new(quoted).str()?;
        let start = self.clone();
        if self.str().is_ok_and(|found| found == value) {
            return Ok(());
        }
        Err(start.unexpected(format!("`{value}`")))
    }

    /// Reads a value that has to be that JSON literal; numbers compare by value.
    ///
    /// # Errors
    /// It is another one.
    pub fn literal(&mut self, value: &'static str) -> Result<()> {
        let start = self.clone();
        if crate::json::same_value(self.skip_value()?, value) {
            return Ok(());
        }
        Err(start.unexpected(format!("`{value}`")))
    }

    /// Reads with a function, which this names the type of.
    ///
    /// # Errors
    /// The function's own.
    pub fn with<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        read(self)
    }

    /// Reads a value that is kept on the heap, because its type holds itself.
    ///
    /// # Errors
    /// The value is refused.
    pub fn boxed<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<Box<T>> {
        read(self).map(Box::new)
    }

    #[inline]
    pub(crate) fn enter(&mut self) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }
}
