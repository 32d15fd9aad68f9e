//! Reading by tables that are made at run time: what comes next, and scalars as texts.

use crate::error::Result;
use crate::reader::Reader;

impl<'de> Reader<'de> {
    /// The first byte of what comes next; whitespace ahead of it is stepped over.
    #[inline]
    pub fn next_byte(&mut self) -> Option<u8> {
        self.skip_space();
        self.byte()
    }

    /// Reads a value as its text, as [`Reader::skip_value`] does; made for scalars.
    ///
    /// # Errors
    /// What comes next is no JSON value.
    #[inline]
    pub fn scalar(&mut self) -> Result<&'de str> {
        match self.next_byte() {
            Some(b'"') => {
                let start = self.at;
                self.skip_string()?;
                Ok(self.slice(start, self.at))
            }
            Some(b'-' | b'0'..=b'9') => self.number_text(),
            _ => self.skip_value(),
        }
    }
}
