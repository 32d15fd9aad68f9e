//! What the facts of numbers and of strings have in common.

use super::{Bound, NumberFacts, Residual, StringFacts, pattern};
use crate::json::{Decimal, Literal};

/// Constraints on one scalar type.
pub trait ScalarFacts: PartialEq + Default {
    /// Values that are ruled out one by one.
    fn excluded_mut(&mut self) -> &mut Vec<Literal>;
    /// What is beyond the facts.
    fn residual_mut(&mut self) -> &mut Vec<Residual>;
    /// Whether a value may satisfy these facts; `true` where that cannot be told.
    fn accepts(&self, value: &Literal) -> bool;
    /// Whether a value satisfies these facts; `None` where that cannot be told.
    fn tells(&self, value: &Literal) -> Option<bool>;
    /// Whether no value satisfies both; `false` where that cannot be told.
    fn disjoint(&self, other: &Self) -> bool;
}

impl ScalarFacts for NumberFacts {
    fn excluded_mut(&mut self) -> &mut Vec<Literal> {
        &mut self.excluded
    }

    fn residual_mut(&mut self) -> &mut Vec<Residual> {
        &mut self.residual
    }

    fn accepts(&self, value: &Literal) -> bool {
        let Some(number) = value.as_decimal() else {
            return false;
        };
        let above = self.minimum.as_ref().is_none_or(|bound| {
            if bound.exclusive {
                number > bound.value
            } else {
                number >= bound.value
            }
        });
        let below = self.maximum.as_ref().is_none_or(|bound| {
            if bound.exclusive {
                number < bound.value
            } else {
                number <= bound.value
            }
        });
        above
            && below
            && (!self.integer || number.is_integer())
            && self.excluded.binary_search(value).is_err()
    }

    fn tells(&self, value: &Literal) -> Option<bool> {
        if !self.accepts(value) {
            return Some(false);
        }
        let number = value.as_decimal()?;
        for step in &self.multiple_of {
            if !number.is_multiple_of(step)? {
                return Some(false);
            }
        }
        // Conditions are not worked out here.
        self.residual.is_empty().then_some(true)
    }

    fn disjoint(&self, other: &Self) -> bool {
        let apart = |low: &Self, high: &Self| match (&low.maximum, &high.minimum) {
            (Some(end), Some(start)) => {
                end.value < start.value
                    || (end.value == start.value && (end.exclusive || start.exclusive))
            }
            _ => false,
        };
        apart(self, other) || apart(other, self)
    }
}

impl ScalarFacts for StringFacts {
    fn excluded_mut(&mut self) -> &mut Vec<Literal> {
        &mut self.excluded
    }

    fn residual_mut(&mut self) -> &mut Vec<Residual> {
        &mut self.residual
    }

    fn accepts(&self, value: &Literal) -> bool {
        let Some(text) = value.as_string() else {
            return false;
        };
        let length = text.chars().count() as u64;
        length >= self.min_length
            && self.max_length.is_none_or(|most| length <= most)
            && self.excluded.binary_search(value).is_err()
    }

    fn tells(&self, value: &Literal) -> Option<bool> {
        let text = value.as_string().filter(|_| self.accepts(value));
        let Some(text) = text else { return Some(false) };
        let mut told = self.residual.is_empty();
        for pattern in &self.patterns {
            match pattern::matches(pattern, &text) {
                Ok(true) => {}
                Ok(false) => return Some(false),
                Err(_) => told = false,
            }
        }
        told.then_some(true)
    }

    fn disjoint(&self, other: &Self) -> bool {
        let shorter =
            |low: &Self, high: &Self| low.max_length.is_some_and(|most| most < high.min_length);
        shorter(self, other) || shorter(other, self)
    }
}

impl Bound {
    /// The same end among integers, with the end itself inside: `above 0` and `at least 0.5` are
    /// `at least 1`.
    #[must_use]
    pub fn for_integers(self, lower: bool) -> Self {
        let step = if lower { 1 } else { -1 };
        let text = self.value.to_text();
        // Bounds past 64 bits stay as they are; their spellings are compared then.
        let inside: Option<i64> = match text.split_once('.') {
            // The whole part is the neighbour on the side of zero; a fraction always has digits.
            Some((whole, _)) if !text.contains('e') => {
                let towards_zero = lower == text.starts_with('-');
                let step = if towards_zero { 0 } else { step };
                whole
                    .parse::<i64>()
                    .ok()
                    .and_then(|value| value.checked_add(step))
            }
            _ if self.exclusive => text
                .parse::<i64>()
                .ok()
                .and_then(|value| value.checked_add(step)),
            _ => None,
        };
        match inside.and_then(|value| Decimal::parse(&value.to_string())) {
            Some(value) => Self {
                value,
                exclusive: false,
            },
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_know_only_whole_ends() {
        for (text, exclusive, lower, expected) in [
            ("0", true, true, "1"),
            ("10", true, false, "9"),
            ("0.5", false, true, "1"),
            ("0.5", true, false, "0"),
            ("-0.5", false, true, "0"),
            ("-1.5", true, false, "-2"),
            ("3", false, true, "3"),
        ] {
            let value = Decimal::parse(text).expect("a number");
            let bound = Bound { value, exclusive }.for_integers(lower);
            assert_eq!(
                bound.value.to_text(),
                expected,
                "{text} {exclusive} {lower}"
            );
            assert!(!bound.exclusive);
        }
    }
}
