//! Numbers that keep the facts of a place.

use super::Style;
use super::random::Random;
use crate::json::{Decimal, Literal, Value};
use crate::wire::make::wrap;
use crate::wire::{Bound, NumberFacts, ScalarFacts as _};

/// The text of a number that keeps the facts; `None` where none was found.
///
/// The search is over multiples of one step, all counted in units of a power of ten, so that
/// bounds like 0.1 are exact.
pub(super) fn number(facts: &NumberFacts, style: Style, random: &mut Random) -> Option<String> {
    let scale = scale_of(facts);
    let unit = 10_i128.checked_pow(scale)?;
    let mut step = if facts.integer { unit } else { 1 };
    for divisor in &facts.multiple_of {
        step = least_common_multiple(step, scaled(divisor, scale)?)?;
    }
    let (low, high) = range(facts, scale, step)?;
    let nearest_to_zero = 0_i128.clamp(low, high);
    let usual = if facts.integer || !facts.multiple_of.is_empty() {
        3
    } else {
        3 * unit + unit / 2
    };
    let mut candidates: Vec<i128> = match style {
        Style::Minimal => Vec::new(),
        Style::Maximal => vec![usual.clamp(low, high)],
        Style::Random => {
            let span = high.saturating_sub(low).min(1 << 20);
            let offset =
                i128::try_from(random.below(usize::try_from(span).unwrap_or(0) + 1)).unwrap_or(0);
            let small = i128::try_from(random.below(200))
                .unwrap_or(0)
                .clamp(low, high);
            match random.below(4) {
                0 => vec![low, high],
                1 => vec![high, low],
                2 => vec![low.saturating_add(offset)],
                _ => vec![small],
            }
        }
    };
    // Neighbours of what was preferred, for the values that are ruled out.
    let neighbours = (0..=64_i128).flat_map(|distance| {
        [
            nearest_to_zero.saturating_add(distance),
            nearest_to_zero.saturating_sub(distance),
        ]
    });
    candidates.extend(neighbours);
    candidates.retain(|count| (low..=high).contains(count));
    let texts = candidates
        .into_iter()
        .filter_map(|count| Some(spell(count.checked_mul(step)?, scale)));
    texts.into_iter().find(|text| facts.accepts(&literal(text)))
}

fn literal(text: &str) -> Literal {
    Literal::of(&wrap(Value::Number(text.into())))
}

/// Multiples of the step that the bounds leave, in counts of the step.
fn range(facts: &NumberFacts, scale: u32, step: i128) -> Option<(i128, i128)> {
    // Wide enough for any sample, narrow enough that every JSON reader keeps it exact.
    const FAR: i128 = 1 << 53;
    let unit = 10_i128.checked_pow(scale)?;
    let (mut low, mut high) = format_range(facts).unwrap_or((-FAR + 1, FAR - 1));
    low = low.saturating_mul(unit);
    high = high.saturating_mul(unit);
    let bound = |bound: &Bound| scaled(&bound.value, scale);
    if let Some(minimum) = &facts.minimum {
        // A bound beyond what is sampled leaves that end where it was.
        low = bound(minimum).map_or(low, |at| {
            low.max(at.saturating_add(i128::from(minimum.exclusive)))
        });
    }
    if let Some(maximum) = &facts.maximum {
        high = bound(maximum).map_or(high, |at| {
            high.min(at.saturating_sub(i128::from(maximum.exclusive)))
        });
    }
    let first = low.div_euclid(step) + i128::from(low.rem_euclid(step) != 0);
    let last = high.div_euclid(step);
    (first <= last).then_some((first, last))
}

/// Formats that name a machine integer; validators pass over them and typed readers do not.
fn format_range(facts: &NumberFacts) -> Option<(i128, i128)> {
    let ranges = facts.formats.iter().filter_map(|format| {
        Some(match format.as_str() {
            "int8" => (i128::from(i8::MIN), i128::from(i8::MAX)),
            "int16" => (i128::from(i16::MIN), i128::from(i16::MAX)),
            "int32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
            "uint8" => (0, i128::from(u8::MAX)),
            "uint16" => (0, i128::from(u16::MAX)),
            "uint32" => (0, i128::from(u32::MAX)),
            "uint64" | "uint" | "uint128" => (0, (1 << 53) - 1),
            _ => return None,
        })
    });
    ranges.reduce(|left, right| (left.0.max(right.0), left.1.min(right.1)))
}

fn scale_of(facts: &NumberFacts) -> u32 {
    let bounds = facts
        .minimum
        .iter()
        .chain(&facts.maximum)
        .map(|bound| &bound.value);
    let digits =
        bounds
            .chain(&facts.multiple_of)
            .map(|value| match value.to_text().split_once('.') {
                Some((_, fraction)) => u32::try_from(fraction.len()).unwrap_or(0),
                None => 0,
            });
    // One digit more leaves room between two exclusive bounds.
    digits.max().unwrap_or(0).min(15) + 1
}

/// A value in units of ten to the minus `scale`; `None` where it is none of them, or far too large.
fn scaled(value: &Decimal, scale: u32) -> Option<i128> {
    let text = value.to_text();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let missing = usize::try_from(scale).ok()?.checked_sub(fraction.len())?;
    format!("{whole}{fraction}{}", "0".repeat(missing))
        .parse()
        .ok()
}

fn least_common_multiple(left: i128, right: i128) -> Option<i128> {
    let (mut a, mut b) = (left.checked_abs()?, right.checked_abs()?);
    if a == 0 || b == 0 {
        return None;
    }
    let product = a.checked_mul(b)?;
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(product / a)
}

fn spell(units: i128, scale: u32) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let width = scale as usize + 1;
    let digits = format!("{:0width$}", units.unsigned_abs());
    let (whole, fraction) = digits.split_at(digits.len() - scale as usize);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        // Minus zero is a float to many readers.
        let sign = if whole.bytes().all(|digit| digit == b'0') {
            ""
        } else {
            sign
        };
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(text: &str, exclusive: bool) -> Option<Bound> {
        Some(Bound {
            value: Decimal::parse(text).expect(text),
            exclusive,
        })
    }

    #[test]
    fn samples_keep_their_facts_and_impossible_ones_are_given_up() {
        let mut random = Random::new(7);
        let cases = [
            (
                NumberFacts {
                    integer: true,
                    minimum: bound("0", false),
                    maximum: bound("9007199254740991", false),
                    ..Default::default()
                },
                true,
            ),
            (
                NumberFacts {
                    minimum: bound("0", true),
                    maximum: bound("0.1", true),
                    ..Default::default()
                },
                true,
            ),
            (
                NumberFacts {
                    multiple_of: vec![Decimal::parse("0.25").expect("quarter")],
                    minimum: bound("7.1", false),
                    ..Default::default()
                },
                true,
            ),
            (
                NumberFacts {
                    integer: true,
                    minimum: bound("0", true),
                    maximum: bound("1", true),
                    ..Default::default()
                },
                false,
            ),
            (
                NumberFacts {
                    integer: true,
                    minimum: bound("1e300", false),
                    ..Default::default()
                },
                false,
            ),
        ];
        for (facts, possible) in cases {
            for style in [Style::Minimal, Style::Maximal, Style::Random] {
                for _ in 0..50 {
                    let text = number(&facts, style, &mut random);
                    assert_eq!(text.is_some(), possible, "{facts:?} {style:?}");
                    if let Some(text) = text {
                        assert!(facts.accepts(&literal(&text)), "{text} for {facts:?}");
                    }
                }
            }
        }
    }
}
