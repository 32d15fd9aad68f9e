//! Scalars of an item against what may stand at their place.

use super::check::{Check, Outcome, Several, Unknown, Why, refuse};
use super::table::{About, NumberTail, Numbers, Place, PlaceId, StringTail, Strings};
use crate::json::{self, Decimal, Literal};
use std::borrow::Cow;
use wirelock_runtime::{Error, Reader};

impl<'t, 'de> Check<'t, 'de> {
    pub(super) fn scalar(
        &mut self,
        reader: &mut Reader<'de>,
        id: PlaceId,
        place: &'t Place,
    ) -> Outcome {
        if !place.scalars_apart.is_empty() {
            return self.scalars_apart(reader, id, place);
        }
        let at = reader.offset();
        let raw = reader.scalar()?;
        match (raw.as_bytes().first(), &place.numbers, &place.strings) {
            (Some(b'"'), _, Some(strings)) if strings.any => Ok(()),
            (Some(b'"'), _, Some(strings)) => self.string(strings, raw, at, id, place),
            (Some(b'-' | b'0'..=b'9'), Some(numbers), _) => {
                self.number(numbers, raw, at, id, place)
            }
            (Some(b't' | b'f'), ..) if place.booleans[usize::from(raw == "true")] => {
                self.others(place, About::Boolean, raw, at)
            }
            (Some(b'n'), ..) if place.null => self.others(place, About::Null, raw, at),
            (Some(b't' | b'f'), ..) if place.booleans != [false; 2] => refuse(at, Why::Value(id)),
            _ => refuse(at, Why::Type(id)),
        }
    }

    /// Alternatives that a `oneOf` or conditions keep from being put together decide what is
    /// valid; what is known is told by all of them together.
    fn scalars_apart(
        &mut self,
        reader: &mut Reader<'de>,
        id: PlaceId,
        place: &'t Place,
    ) -> Outcome {
        let start = reader.clone();
        let at = reader.offset();
        let choice = Several {
            count: place.scalars_apart.len(),
            why: Why::Value(id),
            branches: &|index| &place.scalars_apart[index].1,
            objects: false,
        };
        let quiet = self.quiet;
        self.quiet += 1;
        let outcome = self.several(reader, &choice, &|check, reader, index| {
            check.place(reader, place.scalars_apart[index].0)
        });
        self.quiet = quiet;
        outcome?;
        let mut again = start;
        let raw = again.skip_value()?;
        let unknown = match raw.as_bytes().first() {
            Some(b'"') => match &place.strings {
                Some(strings) if strings.is_open() => !strings.known.contains(&decoded(raw)?),
                _ => false,
            },
            Some(b'-' | b'0'..=b'9') => match &place.numbers {
                Some(numbers) if numbers.is_open() => !numbers.known.contains(&literal(raw)),
                _ => false,
            },
            _ => false,
        };
        if unknown {
            self.note(at, Unknown::Value);
        }
        Ok(())
    }

    fn string(
        &mut self,
        strings: &'t Strings,
        raw: &'de str,
        at: usize,
        id: PlaceId,
        place: &'t Place,
    ) -> Outcome {
        let text = decoded(raw)?;
        if strings.known.contains(&text) {
            return self.others(place, About::String, raw, at);
        }
        let mut broken_format = None;
        for tail in &strings.tails {
            if !self.string_passes(tail, &text, raw)? {
                continue;
            }
            let formats = tail.formats.iter().filter(|_| self.formats);
            let mut broken = formats.filter(|format| !self.table.texts[**format].passes(&text));
            match broken.next() {
                Some(format) => broken_format = broken_format.or(Some(*format)),
                None => {
                    if strings.is_open() {
                        self.note(at, Unknown::Value);
                    }
                    return Ok(());
                }
            }
        }
        // The published reading asserts no format.
        let Some(format) = broken_format else {
            return refuse(at, Why::Value(id));
        };
        self.note(at, Unknown::Format(format));
        Ok(())
    }

    fn string_passes(
        &mut self,
        tail: &'t StringTail,
        text: &str,
        raw: &'de str,
    ) -> Result<bool, Error> {
        // Bytes bound characters from above, and four times the characters from below.
        let bytes = text.len() as u64;
        let fits = if tail.min <= 1 && tail.max >= bytes {
            bytes >= tail.min
        } else {
            let length = text.chars().count() as u64;
            length >= tail.min && length <= tail.max
        };
        let passes = fits
            && !tail.excluded.contains(text)
            && tail
                .patterns
                .iter()
                .all(|pattern| self.table.texts[*pattern].passes(text));
        if !passes {
            return Ok(false);
        }
        for rule in &tail.rules {
            if !self.rule(rule, &Reader::new(raw), &|_| false)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn number(
        &mut self,
        numbers: &'t Numbers,
        raw: &'de str,
        at: usize,
        id: PlaceId,
        place: &'t Place,
    ) -> Outcome {
        let small = small(raw);
        if numbers.whole && small.is_none() && raw.contains(['.', 'e', 'E']) {
            self.note(at, Unknown::Spelling);
        }
        if !numbers.known.is_empty() && numbers.known.contains(&literal(raw)) {
            return self.others(place, About::Number, raw, at);
        }
        for tail in &numbers.tails {
            if self.number_passes(tail, raw, small)? {
                if numbers.is_open() {
                    self.note(at, Unknown::Value);
                }
                return Ok(());
            }
        }
        refuse(at, Why::Value(id))
    }

    fn number_passes(
        &mut self,
        tail: &'t NumberTail,
        raw: &'de str,
        small: Option<i64>,
    ) -> Result<bool, Error> {
        if let (Some(value), Some((low, high))) = (small, tail.small) {
            return Ok((low..=high).contains(&value));
        }
        if tail.small == Some((i64::MIN, i64::MAX)) && !tail.integer {
            return Ok(true);
        }
        // A number with an absurd exponent can be held against nothing.
        let Some(value) = Decimal::parse(raw) else {
            return Ok(false);
        };
        let above = tail
            .minimum
            .as_ref()
            .is_none_or(|(bound, exclusive)| value > *bound || (!exclusive && value == *bound));
        let below = tail
            .maximum
            .as_ref()
            .is_none_or(|(bound, exclusive)| value < *bound || (!exclusive && value == *bound));
        let passes = above
            && below
            && (!tail.integer || value.is_integer())
            && (tail.multiple_of.iter()).all(|step| value.is_multiple_of(step) == Some(true))
            && (tail.excluded.is_empty() || !tail.excluded.contains(&literal(raw)));
        if !passes {
            return Ok(false);
        }
        for rule in &tail.rules {
            if !self.rule(rule, &Reader::new(raw), &|_| false)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Strings {
    pub(super) fn is_open(&self) -> bool {
        !self.known.is_empty() && !self.tails.is_empty()
    }
}

impl Numbers {
    fn is_open(&self) -> bool {
        !self.known.is_empty() && !self.tails.is_empty()
    }
}

/// The text of a string that was found to be one.
pub(super) fn decoded(raw: &str) -> Result<Cow<'_, str>, Error> {
    if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
        let inner = raw.get(1..raw.len().saturating_sub(1));
        return Ok(Cow::Borrowed(inner.unwrap_or_default()));
    }
    Reader::new(raw).str()
}

/// A number of plain digits that surely fits.
pub(super) fn small(raw: &str) -> Option<i64> {
    let (negative, digits) = match raw.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > 18 {
        return None;
    }
    let value = digits.iter().try_fold(0_i64, |value, digit| {
        digit
            .is_ascii_digit()
            .then(|| value * 10 + i64::from(digit - b'0'))
    })?;
    Some(if negative { -value } else { value })
}

/// The literal of a value that was found to be JSON.
pub(super) fn literal(raw: &str) -> Literal {
    json::parse(raw).map_or_else(|_| Literal::string(raw), |node| Literal::of(&node))
}
