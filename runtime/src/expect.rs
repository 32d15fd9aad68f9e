//! Reading by tables that are made at run time: the member that mostly comes next, scalars as texts.

use crate::error::Result;
use crate::reader::Reader;

/// So many names are compared one by one before the member is read for what it is.
const LOOKS: usize = 24;

/// A member name as canonical text has it, in quotes with its colon.
///
/// ```
/// use wirelock_runtime::{Name, Reader};
/// let names = [Name::new("id"), Name::new("text")];
/// let mut reader = Reader::new(r#"{"text":"x","te\u0078t":7}"#);
/// let mut first = true;
/// reader.begin_object().unwrap();
/// assert_eq!(reader.expect_name(&mut first, &names, 0), Some(1));
/// assert_eq!(reader.scalar().unwrap(), r#""x""#);
/// // What is written in another way is left to be read.
/// assert_eq!(reader.expect_name(&mut first, &names, 0), None);
/// assert_eq!(reader.next_key(&mut first).unwrap().unwrap(), "text");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    quoted: Box<str>,
    /// The first sixteen bytes of that, with zeros behind them, and which bytes they are.
    start: u128,
    mask: u128,
}

impl Name {
    /// The name of a member.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let mut quoted = String::with_capacity(name.len() + 3);
        crate::write_string(name, &mut quoted);
        quoted.push(':');
        let (mut start, mut mask) = (0, 0);
        for (at, byte) in quoted.bytes().take(16).enumerate() {
            start |= u128::from(byte) << (8 * at);
            mask |= 0xFF << (8 * at);
        }
        Self {
            quoted: quoted.into(),
            start,
            mask,
        }
    }

    /// Whether the bytes begin with it; `start` is the first sixteen of them.
    #[inline]
    fn begins(&self, bytes: &[u8], start: u128) -> bool {
        start & self.mask == self.start
            && (self.quoted.len() <= 16
                || bytes.get(16..self.quoted.len()) == self.quoted.as_bytes().get(16..))
    }
}

impl<'de> Reader<'de> {
    /// Steps over the name of the next member where it is one of these, written as usual, and gives
    /// its index; those from `from` on are looked at first. `None`: nothing was read, and
    /// [`Reader::next_key`] tells what comes. `first` is that of [`Reader::next_key`].
    #[inline]
    pub fn expect_name(&mut self, first: &mut bool, names: &[Name], from: usize) -> Option<usize> {
        let comma = usize::from(!*first);
        if comma == 1 && self.byte() != Some(b',') {
            return None;
        }
        let rest = self.bytes().get(self.at + comma..)?;
        let start = u128::from_le_bytes(*rest.first_chunk::<16>()?);
        let (before, behind) = names.split_at_checked(from).unwrap_or((names, &[]));
        let is_here = |name: &Name| name.begins(rest, start);
        let ahead = behind.iter().take(LOOKS).position(is_here);
        let index = match ahead {
            Some(index) => before.len() + index,
            None => before.iter().take(LOOKS).position(is_here)?,
        };
        self.at += comma + names[index].quoted.len();
        *first = false;
        Some(index)
    }

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
