//! The trait that generated types read themselves with, for plain types too, and the entries to it.

use crate::error::{Code, Error, Result};
use crate::reader::Reader;
use std::borrow::Cow;

/// A type that reads itself from JSON text.
pub trait Decode<'de>: Sized {
    /// Reads the value that comes next.
    ///
    /// # Errors
    /// The value does not have this type's shape, or is no JSON.
    fn decode(reader: &mut Reader<'de>) -> Result<Self>;

    /// Reads the value that comes next into an empty slot. Types that may be large build themselves
    /// there, so that nothing moves them.
    ///
    /// # Errors
    /// As [`Decode::decode`]; then the slot is as it was.
    #[inline]
    fn decode_into(reader: &mut Reader<'de>, slot: &mut Option<Self>) -> Result<()> {
        *slot = Some(Self::decode(reader)?);
        Ok(())
    }
}

/// Reads a text that is one value, with whitespace around it or not.
///
/// # Errors
/// The text is not exactly one JSON value of that shape.
// A call would move the value, which may be large, once more.
#[expect(clippy::inline_always, reason = "see above")]
#[inline(always)]
pub fn from_str<'de, T: Decode<'de>>(text: &'de str) -> Result<T> {
    let mut reader = Reader::new(text);
    // It is read into its slot and leaves it once, because values are large and every other way
    // moves them more often.
    let mut slot = None;
    T::decode_into(&mut reader, &mut slot)?;
    reader.end()?;
    slot.ok_or_else(|| reader.shape("a value"))
}

/// Reads bytes that are one value. All of them have to be UTF-8, those of unknown members too.
///
/// # Errors
/// The bytes are not exactly one JSON value of that shape.
// A call would move the value, which may be large, once more.
#[expect(clippy::inline_always, reason = "see above")]
#[inline(always)]
pub fn from_slice<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => from_str(text),
        Err(_) => Err(invalid_utf8(bytes)),
    }
}

/// The error for bytes that are no UTF-8, with the first of them that is none.
#[cold]
pub(crate) fn invalid_utf8(bytes: &[u8]) -> Error {
    let error = Error::new(Code::InvalidUtf8, "UTF-8");
    match std::str::from_utf8(bytes) {
        Err(broken) => error.at_offset(broken.valid_up_to()),
        Ok(_) => error,
    }
}

impl<'de> Decode<'de> for String {
    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.str().map(Cow::into_owned)
    }
}

impl<'de> Decode<'de> for Cow<'de, str> {
    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.str()
    }
}

impl<'de> Decode<'de> for bool {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.bool()
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Vec<T> {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.begin_array()?;
        let mut elements = Vec::new();
        while reader.next_element(elements.is_empty())? {
            let mut slot = None;
            if let Err(error) = T::decode_into(reader, &mut slot) {
                return Err(error.within(elements.len().to_string()));
            }
            elements.extend(slot);
        }
        Ok(elements)
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Box<T> {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        T::decode(reader).map(Self::new)
    }
}
