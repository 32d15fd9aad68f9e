//! What the facts of numbers and of strings have in common.

use super::{Bound, NumberFacts, StringFacts};
use crate::json::{Decimal, Literal};

/// Constraints on one scalar type.
pub trait ScalarFacts: PartialEq + Default {
    /// Values that are ruled out one by one.
    fn excluded_mut(&mut self) -> &mut Vec<Literal>;
    /// Whether a value may satisfy these facts; `true` where that cannot be told.
    fn accepts(&self, value: &Literal) -> bool;
    /// Whether no value satisfies both; `false` where that cannot be told.
    fn disjoint(&self, other: &Self) -> bool;
}

impl ScalarFacts for NumberFacts {
    fn excluded_mut(&mut self) -> &mut Vec<Literal> {
        &mut self.excluded
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
        above && below && (!self.integer || number.is_integer()) && !self.excluded.contains(value)
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

    fn accepts(&self, value: &Literal) -> bool {
        let Some(text) = value.as_string() else {
            return false;
        };
        let length = text.chars().count() as u64;
        length >= self.min_length
            && self.max_length.is_none_or(|most| length <= most)
            && !self.excluded.contains(value)
    }

    fn disjoint(&self, other: &Self) -> bool {
        let shorter =
            |low: &Self, high: &Self| low.max_length.is_some_and(|most| most < high.min_length);
        shorter(self, other) || shorter(other, self)
    }
}

impl Bound {
    /// The same end among integers, with the end itself inside: `above 0` is `at least 1`.
    #[must_use]
    pub fn for_integers(self, lower: bool) -> Self {
        let step = if lower { 1 } else { -1 };
        // Bounds past 64 bits stay as they are; their spellings are compared then.
        match self
            .value
            .to_text()
            .parse::<i64>()
            .ok()
            .and_then(|value| value.checked_add(step))
        {
            Some(next) if self.exclusive => match Decimal::parse(&next.to_string()) {
                Some(value) => Self {
                    value,
                    exclusive: false,
                },
                None => self,
            },
            _ => self,
        }
    }
}
