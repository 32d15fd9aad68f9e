//! Scalars with bounds, and strings that are parsed into constrained types.

use crate::error::{ConversionError, Error, Result};
use crate::number::{compare, integer_value, is_multiple};
use crate::{Decode, Number, Reader};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The integer types that generated code uses.
pub trait Integer: Sized + TryFrom<i128> + Copy {
    /// The name in messages.
    const NAME: &'static str;
    /// The value of a plain small integer, which nearly all are.
    fn small(value: i64) -> Option<Self>;
    /// Appends the digits.
    fn write(self, out: &mut String);
}

macro_rules! integers {
    ($($integer:ty: $name:literal)*) => {$(
        impl Integer for $integer {
            const NAME: &'static str = $name;

            #[inline]
            fn small(value: i64) -> Option<Self> {
                value.try_into().ok()
            }

            fn write(self, out: &mut String) {
                out.push_str(itoa::Buffer::new().format(self));
            }
        }

        impl<'de> Decode<'de> for $integer {
            #[inline]
            fn decode(reader: &mut Reader<'de>) -> Result<Self> {
                reader.integer()
            }
        }

        impl crate::Encode for $integer {
            fn encode(&self, out: &mut String) {
                self.write(out);
            }
        }
    )*};
}

integers! {
    i8: "an integer of 8 bits" i16: "an integer of 16 bits" i32: "an integer of 32 bits" i64: "an integer of 64 bits"
    u8: "an integer from 0 of 8 bits" u16: "an integer from 0 of 16 bits" u32: "an integer from 0 of 32 bits"
    u64: "an integer from 0 of 64 bits"
}

/// Bounds of a number, as JSON numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// The lower bound, and whether the bound itself is outside.
    pub min: Option<(&'static str, bool)>,
    /// The upper bound, and whether the bound itself is outside.
    pub max: Option<(&'static str, bool)>,
    /// Every one of these divides the value.
    pub multiple_of: &'static [&'static str],
}

impl Limits {
    fn accept(&self, text: &str) -> bool {
        let above = self
            .min
            .is_none_or(|(bound, exclusive)| match compare(text, bound) {
                Ordering::Greater => true,
                Ordering::Equal => !exclusive,
                Ordering::Less => false,
            });
        let below = self
            .max
            .is_none_or(|(bound, exclusive)| match compare(text, bound) {
                Ordering::Less => true,
                Ordering::Equal => !exclusive,
                Ordering::Greater => false,
            });
        above
            && below
            && self
                .multiple_of
                .iter()
                .all(|of| is_multiple(text, of).unwrap_or(true))
    }

    fn describe(&self, what: &str) -> String {
        let mut text = what.to_owned();
        if let Some((bound, exclusive)) = self.min {
            text.push_str(if exclusive {
                " above "
            } else {
                " of at least "
            });
            text.push_str(bound);
        }
        if let Some((bound, exclusive)) = self.max {
            text.push_str(if exclusive { " below " } else { " of at most " });
            text.push_str(bound);
        }
        for of in self.multiple_of {
            text.push_str(" that is a multiple of ");
            text.push_str(of);
        }
        text
    }
}

impl<'de> Reader<'de> {
    /// Reads an integer, however it is written: `1.0` is 1.
    ///
    /// # Errors
    /// The next value is no number, has a fraction, or does not fit.
    #[inline]
    pub fn integer<T: Integer>(&mut self) -> Result<T> {
        self.skip_space();
        let start = self.at;
        if let Some(value) = self.small_integer() {
            return match T::small(value) {
                Some(value) => Ok(value),
                None => {
                    self.at = start;
                    Err(self.unexpected(T::NAME))
                }
            };
        }
        self.at = start;
        let text = self.any_number(T::NAME)?;
        let value = integer_value(text).and_then(|value| T::try_from(value).ok());
        value.ok_or_else(|| {
            Error::new(crate::Code::ItemInvalid, T::NAME)
                .with_found(text)
                .at_offset(start)
        })
    }

    /// Reads an integer that lies within bounds.
    ///
    /// # Errors
    /// As [`Reader::integer`], and where the value is out of bounds.
    #[inline]
    pub fn integer_within<T: Integer + Into<i128>>(&mut self, min: i128, max: i128) -> Result<T> {
        let value: T = self.integer()?;
        let wide: i128 = value.into();
        if wide < min || wide > max {
            return Err(self
                .shape(format!("an integer from {min} to {max}"))
                .with_found(&wide.to_string()));
        }
        Ok(value)
    }

    /// Reads an integer that lies within limits which are no plain range.
    ///
    /// # Errors
    /// As [`Reader::integer`], and where the value is outside the limits.
    pub fn integer_limited<T: Integer + Into<i128>>(&mut self, limits: &Limits) -> Result<T> {
        let value: T = self.integer()?;
        let wide: i128 = value.into();
        let text = wide.to_string();
        if limits.accept(&text) {
            return Ok(value);
        }
        Err(self.shape(limits.describe("an integer")).with_found(&text))
    }

    /// Reads a number that lies within limits.
    ///
    /// # Errors
    /// The next value is no number, or is outside the limits.
    pub fn number_limited<S: AsRef<str> + From<Cow<'de, str>>>(
        &mut self,
        integer: bool,
        limits: &Limits,
    ) -> Result<Number<S>> {
        let number = Number::<S>::decode(self)?;
        let text = number.as_str();
        if limits.accept(text) && (!integer || is_multiple(text, "1").unwrap_or(true)) {
            return Ok(number);
        }
        Err(self
            .shape(limits.describe(if integer { "an integer" } else { "a number" }))
            .with_found(text))
    }

    /// Reads a value that has to be one of some JSON scalars, then as the type that holds them.
    ///
    /// # Errors
    /// It is another one.
    pub fn one_of<T>(
        &mut self,
        values: &'static [&'static str],
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let mut ahead = self.clone();
        let text = ahead.skip_value()?;
        if values
            .iter()
            .any(|value| crate::json::same_value(text, value))
        {
            return read(self);
        }
        Err(self.unexpected(format!("one of {}", values.join(", "))))
    }

    /// Reads a string that has to pass a check.
    ///
    /// # Errors
    /// The next value is no string, or the check refuses it.
    #[inline]
    pub fn checked(
        &mut self,
        check: impl FnOnce(&str) -> std::result::Result<(), ConversionError>,
    ) -> Result<Cow<'de, str>> {
        let at = self.at;
        let text = self.str()?;
        match check(&text) {
            Ok(()) => Ok(text),
            Err(refusal) => Err(Error::new(
                crate::Code::ItemInvalid,
                format!("a string that fits ({refusal})"),
            )
            .with_found(&text)
            .at_offset(at)),
        }
    }

    /// A plain integer of few digits that is followed by no fraction and no exponent.
    #[inline]
    fn small_integer(&mut self) -> Option<i64> {
        let negative = self.byte() == Some(b'-');
        if negative {
            self.at += 1;
        }
        let first = self.at;
        let mut value: i64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            // Eighteen digits always fit; longer ones take the slow path.
            if self.at - first == 18 {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            self.at += 1;
        }
        let length = self.at - first;
        let leading_zero = length > 1 && self.bytes().get(first) == Some(&b'0');
        if length == 0 || leading_zero || matches!(self.byte(), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        Some(if negative { -value } else { value })
    }

    fn any_number(&mut self, expected: &'static str) -> Result<&'de str> {
        match self.byte() {
            Some(b'-' | b'0'..=b'9') => self.number_text(),
            _ => Err(self.unexpected(expected)),
        }
    }
}
