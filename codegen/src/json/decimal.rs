//! Exact decimal numbers, as far as schemas need them: equality, order, integrality.

use std::cmp::Ordering;

/// A JSON number by value: `1.0`, `1` and `10e-1` are equal; nothing is rounded or expanded.
///
/// ```
/// use wirelock_codegen::json::Decimal;
/// let parse = |text| Decimal::parse(text).unwrap();
/// assert_eq!(parse("1.50"), parse("15e-1"));
/// assert!(parse("-3") < parse("1e-9"));
/// assert!(parse("1e300").is_integer() && !parse("0.5").is_integer());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    /// Significant digits without leading or trailing zeros; empty for zero.
    digits: Box<str>,
    /// The power of ten of the last digit.
    exponent: i64,
}

/// Exponents beyond this one make no number that anything here could work with.
const MAX_EXPONENT: i64 = 1 << 40;

fn is_digits(exponent: &str) -> bool {
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl Decimal {
    /// Reads a number in JSON's grammar; `None` where the text is none or its exponent is absurd.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let is_zero = !mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
                let value: i64 = match exponent.parse() {
                    // Far beyond any float; the bound keeps later sums of exponents from wrapping,
                    // and what is beyond it must not become equal to what is not.
                    Ok(value) if (-MAX_EXPONENT..=MAX_EXPONENT).contains(&value) => value,
                    _ if is_zero && is_digits(exponent) => 0,
                    _ => return None,
                };
                (mantissa, value)
            }
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent = exponent - i64::try_from(fraction.len()).ok()?;
        Self::of_digits(negative, [whole, fraction].concat(), exponent)
    }

    #[cfg(feature = "evolution")]
    /// A whole number, as its digits after a sign, times a power of ten.
    pub(crate) fn scaled(whole: &str, exponent: i64) -> Option<Self> {
        match whole.strip_prefix('-') {
            Some(digits) => Self::of_digits(true, digits.to_owned(), exponent),
            None => Self::of_digits(false, whole.to_owned(), exponent),
        }
    }

    fn of_digits(negative: bool, mut digits: String, mut exponent: i64) -> Option<Self> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let kept = digits.trim_end_matches('0').len();
        exponent += i64::try_from(digits.len() - kept).ok()?;
        digits.truncate(kept);
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Some(Self::zero());
        }
        Some(Self {
            negative,
            digits: digits.into(),
            exponent,
        })
    }

    /// The number zero.
    pub(crate) fn zero() -> Self {
        Self {
            negative: false,
            digits: "".into(),
            exponent: 0,
        }
    }

    #[cfg(feature = "evolution")]
    /// The number one.
    pub(crate) fn one() -> Self {
        Self {
            negative: false,
            digits: "1".into(),
            exponent: 0,
        }
    }

    /// Whether this is above zero.
    pub(crate) fn is_positive(&self) -> bool {
        !self.negative && !self.digits.is_empty()
    }

    /// Whether this is the number one.
    pub(crate) fn is_one(&self) -> bool {
        !self.negative && &*self.digits == "1" && self.exponent == 0
    }

    #[cfg(feature = "evolution")]
    /// Whether it is below zero, its significant digits (none for zero), and the power of ten of
    /// the last of them.
    pub(crate) fn parts(&self) -> (bool, &str, i64) {
        (self.negative, &self.digits, self.exponent)
    }

    /// Whether the value has no fraction, however it was written.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.digits.is_empty() || self.exponent >= 0
    }

    /// Whether this is a whole multiple of a step; `None` where the numbers are too long to tell.
    #[must_use]
    pub fn is_multiple_of(&self, step: &Self) -> Option<bool> {
        if self.digits.is_empty() {
            return Some(true);
        }
        let lowest = self.exponent.min(step.exponent);
        let scaled = |number: &Self| -> Option<i128> {
            let shift = u32::try_from(number.exponent - lowest).ok()?;
            let digits: i128 = number.digits.parse().ok()?;
            digits.checked_mul(10_i128.checked_pow(shift)?)
        };
        let (value, step) = (scaled(self)?, scaled(step)?);
        value.checked_rem(step).map(|rest| rest == 0)
    }

    /// The shortest plain spelling, or one with an exponent where plain digits would run long.
    #[must_use]
    pub fn to_text(&self) -> String {
        if self.digits.is_empty() {
            return "0".to_owned();
        }
        let sign = if self.negative { "-" } else { "" };
        let length = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        let point = length + self.exponent;
        // Without zeros at its end a number is no longer in plain digits, and read exactly by more.
        if self.exponent == 0 || (self.exponent > 0 && point <= 21) {
            let zeros = usize::try_from(self.exponent).unwrap_or(0);
            return format!("{sign}{}{}", self.digits, "0".repeat(zeros));
        }
        if self.exponent < 0 && point > 0 {
            let (whole, fraction) = self.digits.split_at(usize::try_from(point).unwrap_or(0));
            return format!("{sign}{whole}.{fraction}");
        }
        if self.exponent < 0 && point > -6 {
            let zeros = usize::try_from(-point).unwrap_or(0);
            return format!("{sign}0.{}{}", "0".repeat(zeros), self.digits);
        }
        format!("{sign}{}e{}", self.digits, self.exponent)
    }

    /// The order of two magnitudes.
    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let scale = |number: &Self| {
            (!number.digits.is_empty()).then(|| {
                i64::try_from(number.digits.len())
                    .unwrap_or(i64::MAX)
                    .saturating_add(number.exponent)
            })
        };
        // With equal scale the digit strings compare like fractions, and those as text.
        scale(self)
            .cmp(&scale(other))
            .then_with(|| self.digits.cmp(&other.digits))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn spellings_of_one_value_are_equal_and_order_is_by_value() {
        let parse = |text: &str| Decimal::parse(text).expect(text);
        for (left, right) in [
            ("0", "-0.0"),
            ("1", "1.000"),
            ("120", "12e1"),
            ("0.05", "5E-2"),
        ] {
            assert_eq!(parse(left), parse(right), "{left} = {right}");
        }
        let ordered = [
            "-1e30", "-12", "-1.5", "-0.1", "0", "1e-9", "0.1", "9", "10", "99.5", "1e400",
        ];
        for pair in ordered.windows(2) {
            assert!(parse(pair[0]) < parse(pair[1]), "{} < {}", pair[0], pair[1]);
        }
        assert_eq!(parse("0e99999999999999999999"), parse("0"));
        for text in [
            "",
            "-",
            ".",
            "1x",
            "e5",
            "1e",
            "1e1099511627777",
            "1e99999999999999999999",
            "0e9x",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn text_gives_the_value_back() {
        for text in [
            "0",
            "-7",
            "9007199254740991",
            "1.25",
            "-0.001",
            "1e400",
            "123456789012345678901234567891",
            "25e-12",
            "100",
        ] {
            let value = Decimal::parse(text).expect(text);
            assert_eq!(Decimal::parse(&value.to_text()), Some(value), "{text}");
        }
    }
}
