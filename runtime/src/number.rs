//! Numbers that keep their text and compare by value.

use crate::error::{ConversionError, Result};
use crate::{Decode, Encode, IntoOwned, Reader};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A JSON number as it was written. `1.50` stays `1.50`, and equals `1.5`.
///
/// ```
/// use wirelock_runtime::Number;
/// let price: Number = "1.50".parse().unwrap();
/// assert_eq!(price.as_str(), "1.50");
/// assert_eq!(price, "15e-1".parse().unwrap());
/// assert_eq!(price.as_f64(), Some(1.5));
/// ```
#[derive(Debug, Clone)]
pub struct Number<S = Box<str>>(S);

/// A JSON number as a slice of the text it was read from.
pub type RawNumber<'de> = Number<Cow<'de, str>>;

impl<S: AsRef<str>> Number<S> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }

    /// The nearest `f64`; `None` where it is beyond all of them.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.as_str()
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite())
    }

    /// The value, where it is an integer that fits, however it was written.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        integer_value(self.as_str()).and_then(|value| value.try_into().ok())
    }

    /// The value, where it is an integer that fits, however it was written.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        integer_value(self.as_str()).and_then(|value| value.try_into().ok())
    }
}

impl Number {
    /// The number of a float; `None` for infinities and NaN, which JSON has no words for.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        // The debug form is the shortest that reads back as the same float, and is JSON.
        value.is_finite().then(|| Self(format!("{value:?}").into()))
    }
}

impl IntoOwned for RawNumber<'_> {
    type Owned = Number;

    fn into_owned(self) -> Number {
        Number(self.0.into())
    }
}

impl std::str::FromStr for Number {
    type Err = ConversionError;

    fn from_str(text: &str) -> std::result::Result<Self, ConversionError> {
        let mut reader = Reader::new(text);
        match reader.number_text() {
            Ok(number) if number.len() == text.len() => Ok(Self(text.into())),
            _ => Err("not a JSON number".into()),
        }
    }
}

macro_rules! from_integer {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                Self(value.to_string().into())
            }
        }
    )*};
}

from_integer!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<S: AsRef<str>> PartialEq for Number<S> {
    fn eq(&self, other: &Self) -> bool {
        compare(self.as_str(), other.as_str()) == Ordering::Equal
    }
}

impl<S: AsRef<str>> Eq for Number<S> {}

impl<S: AsRef<str>> Hash for Number<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Decimal::of(self.as_str()).hash(state);
    }
}

impl<S: AsRef<str>> PartialOrd for Number<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S: AsRef<str>> Ord for Number<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self.as_str(), other.as_str())
    }
}

impl<S: AsRef<str>> fmt::Display for Number<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl<'de, S: From<Cow<'de, str>>> Decode<'de> for Number<S> {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.skip_space();
        match reader.byte() {
            Some(b'-' | b'0'..=b'9') => Ok(Self(Cow::Borrowed(reader.number_text()?).into())),
            _ => Err(reader.unexpected("a number")),
        }
    }
}

impl<S: AsRef<str>> Encode for Number<S> {
    fn encode(&self, out: &mut String) {
        out.push_str(self.as_str());
    }
}

/// The order of two JSON numbers by value; nothing is rounded.
pub(crate) fn compare(left: &str, right: &str) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    Decimal::of(left).order(&Decimal::of(right))
}

/// The value of a JSON number that has no fraction and fits 128 bits.
pub(crate) fn integer_value(text: &str) -> Option<i128> {
    let decimal = Decimal::of(text);
    let zeros = u32::try_from(decimal.exponent).ok()?;
    let digits = if decimal.digits.is_empty() {
        0
    } else {
        decimal.digits.parse::<i128>().ok()?
    };
    let value = if digits == 0 {
        0
    } else {
        digits.checked_mul(10_i128.checked_pow(zeros)?)?
    };
    Some(if decimal.negative { -value } else { value })
}

/// Whether one JSON number is a whole multiple of another; `None` where that is too large to tell.
pub(crate) fn is_multiple(text: &str, of: &str) -> Option<bool> {
    let (value, of) = (Decimal::of(text), Decimal::of(of));
    let exponent = value.exponent.min(of.exponent);
    let scaled = |decimal: &Decimal| {
        let zeros = u32::try_from(decimal.exponent.checked_sub(exponent)?).ok()?;
        if decimal.digits.is_empty() {
            return Some(0);
        }
        decimal
            .digits
            .parse::<i128>()
            .ok()?
            .checked_mul(10_i128.checked_pow(zeros)?)
    };
    scaled(&value)?
        .checked_rem(scaled(&of)?)
        .map(|rest| rest == 0)
}

/// A number in its one normal form: digits without zeros at either end, times a power of ten.
#[derive(PartialEq, Eq, Hash)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// The text must be a JSON number.
    fn of(text: &str) -> Self {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        // An exponent beyond this is beyond any use; the bound keeps sums from wrapping.
        let far = if exponent.starts_with('-') {
            -(1_i64 << 40)
        } else {
            1 << 40
        };
        let exponent = exponent
            .parse::<i64>()
            .unwrap_or(far)
            .clamp(-(1 << 40), 1 << 40);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = [whole, fraction].concat();
        let written = digits.len();
        digits.truncate(digits.trim_end_matches('0').len());
        let length = |count: usize| i64::try_from(count).unwrap_or(i64::MAX >> 1);
        let exponent = exponent - length(fraction.len()) + length(written - digits.len());
        let leading = digits.len() - digits.trim_start_matches('0').len();
        digits.drain(..leading);
        if digits.is_empty() {
            return Self {
                negative: false,
                digits,
                exponent: 0,
            };
        }
        Self {
            negative,
            digits,
            exponent,
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
        }
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        let scale = |decimal: &Self| {
            (!decimal.digits.is_empty()).then(|| decimal.digits.len() as i64 + decimal.exponent)
        };
        // With equal scale the digit strings compare like fractions, and those as text.
        scale(self)
            .cmp(&scale(other))
            .then_with(|| self.digits.cmp(&other.digits))
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, integer_value, is_multiple};

    #[test]
    fn integers_are_read_by_value() {
        for (text, value) in [
            ("1.0", Some(1)),
            ("10e-1", Some(1)),
            ("1e3", Some(1000)),
            ("-0", Some(0)),
            ("0.5", None),
            ("1e99", None),
        ] {
            assert_eq!(integer_value(text), value, "{text}");
        }
        assert_eq!(integer_value("0e999999999999999999999"), Some(0));
    }

    #[test]
    fn numbers_order_by_value_and_refuse_what_is_none() {
        let number = |text: &str| text.parse::<Number>().expect(text);
        for pair in ["-1e30", "-1.5", "0", "1e-9", "9", "10", "1e400"].windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
        for text in ["", "01", "1.", "+1", "NaN", " 1"] {
            assert!(text.parse::<Number>().is_err(), "{text}");
        }
        assert_eq!(Number::from_f64(f64::NAN), None);
        assert_eq!(
            Number::from_f64(1e300)
                .map(|number| number.to_string())
                .as_deref(),
            Some("1e300")
        );
    }

    #[test]
    fn multiples_are_exact() {
        assert_eq!(is_multiple("0.3", "0.1"), Some(true));
        assert_eq!(is_multiple("0.35", "0.1"), Some(false));
        assert_eq!(is_multiple("7", "0"), None);
    }
}
