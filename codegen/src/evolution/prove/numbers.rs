//! Numbers that satisfy a conjunction of numeric atoms: intervals, steps and lists, all exact.

use super::document::Model;
use super::solve::{Outcome, Prover};
use super::term::{Shape, Term};
use crate::json::Decimal;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};
use std::collections::HashSet;
use std::rc::Rc;

/// Powers of ten beyond which numbers are not worked with.
const MAX_EXPONENT: i64 = 2_000;
/// Candidates that are tried before a system of steps counts as too hard.
const MAX_CANDIDATES: usize = 5_000;

#[derive(Default)]
struct Facts<'t> {
    lower: Option<(Decimal, bool)>,
    upper: Option<(Decimal, bool)>,
    steps: Vec<Decimal>,
    not_steps: Vec<Decimal>,
    one_of: Option<Vec<&'t Decimal>>,
    none_of: HashSet<&'t Decimal, foldhash::fast::FixedState>,
}

impl Prover {
    pub(super) fn numbers(&mut self, literals: &[Term]) -> Outcome {
        let mut facts = Facts::default();
        let mut listed = 0;
        for literal in literals {
            let negated = literal.is_negated();
            match self.terms.shape(*literal) {
                Shape::AtLeast { value, exclusive } if negated => {
                    // Not at least this is below it; the end belongs to what was excluded before.
                    let bound = (value.clone(), !exclusive);
                    let tighter = facts.upper.as_ref().is_none_or(|(upper, open)| {
                        bound.0 < *upper || (bound.0 == *upper && bound.1 && !open)
                    });
                    if tighter {
                        facts.upper = Some(bound);
                    }
                }
                Shape::AtLeast { value, exclusive } => {
                    let bound = (value.clone(), *exclusive);
                    let tighter = facts.lower.as_ref().is_none_or(|(lower, open)| {
                        bound.0 > *lower || (bound.0 == *lower && bound.1 && !open)
                    });
                    if tighter {
                        facts.lower = Some(bound);
                    }
                }
                Shape::MultipleOf(step) if negated => facts.not_steps.push(step.clone()),
                Shape::MultipleOf(step) => facts.steps.push(step.clone()),
                Shape::Numbers(numbers) if negated => {
                    listed += numbers.len();
                    facts.none_of.extend(numbers.iter());
                }
                Shape::Numbers(numbers) => {
                    listed += numbers.len();
                    facts.one_of = Some(match facts.one_of.take() {
                        Some(list) => list
                            .into_iter()
                            .filter(|number| numbers.binary_search(number).is_ok())
                            .collect(),
                        None => numbers.iter().collect(),
                    });
                }
                _ => {}
            }
        }
        let solved = facts.solve();
        self.spend(listed / 8);
        match solved {
            Ok(Some(number)) => Outcome::Sat(Rc::new(Model::Number(number))),
            Ok(None) => Outcome::Unsat,
            Err(why) => self.unknown("multipleOf", why),
        }
    }
}

impl Facts<'_> {
    fn solve(&self) -> Result<Option<Decimal>, &'static str> {
        if let Some(list) = &self.one_of {
            // One number that cannot be told of says nothing of the others.
            let mut found = Ok(None);
            for number in list {
                match self.admits(number) {
                    Ok(true) => return Ok(Some((*number).clone())),
                    Ok(false) => {}
                    Err(why) => found = Err(why),
                }
            }
            return found;
        }
        let grid = Grid::of(self)?;
        match grid.step() {
            Some(step) => self.on_grid(&grid, &step?),
            None => self.between(&grid),
        }
    }

    fn admits(&self, number: &Decimal) -> Result<bool, &'static str> {
        let above = self
            .lower
            .as_ref()
            .is_none_or(|(lower, open)| number > lower || (!open && number == lower));
        let below = self
            .upper
            .as_ref()
            .is_none_or(|(upper, open)| number < upper || (!open && number == upper));
        if !above || !below || self.none_of.contains(number) {
            return Ok(false);
        }
        for (steps, expected) in [(&self.steps, true), (&self.not_steps, false)] {
            for step in steps {
                if is_multiple(number, step)? != expected {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The multiples of one step, counted: the nearest to zero first.
    fn on_grid(&self, grid: &Grid, step: &BigInt) -> Result<Option<Decimal>, &'static str> {
        let low = self.lower.as_ref().map(|(bound, open)| {
            let bound = grid.scaled(bound);
            let first = bound.div_ceil(step);
            if *open && &first * step == bound {
                first + 1
            } else {
                first
            }
        });
        let high = self.upper.as_ref().map(|(bound, open)| {
            let bound = grid.scaled(bound);
            let last = bound.div_floor(step);
            if *open && &last * step == bound {
                last - 1
            } else {
                last
            }
        });
        if let (Some(low), Some(high)) = (&low, &high)
            && low > high
        {
            return Ok(None);
        }
        // Which counts give a multiple of a step that is excluded.
        let mut periods = Vec::new();
        for other in &self.not_steps {
            let other = grid.scaled(other);
            let period = step.lcm(&other) / step;
            if period == BigInt::from(1) {
                return Ok(None);
            }
            periods.push(period);
        }
        let start = nearest_to_zero(low.as_ref(), high.as_ref());
        let inside = |count: &BigInt| {
            low.as_ref().is_none_or(|low| count >= low)
                && high.as_ref().is_none_or(|high| count <= high)
        };
        let fits = |count: &BigInt| !periods.iter().any(|period| count.is_multiple_of(period));
        let far = beyond_floats(&(&start * step)).map(|far| far / step);
        if let Some(count) = far.filter(|count| inside(count) && fits(count)) {
            let number = grid.unscaled(&(&count * step));
            if !self.none_of.contains(&number) {
                return Ok(Some(number));
            }
        }
        let mut exhausted = false;
        // Each number of a list takes one candidate away at most.
        for offset in 0..MAX_CANDIDATES + self.none_of.len() {
            let (up, down) = (&start + offset, &start - offset);
            let (is_up, is_down) = (inside(&up), inside(&down));
            for (count, is_inside) in [(up, is_up), (down, is_down)] {
                if is_inside && fits(&count) {
                    let number = grid.unscaled(&(&count * step));
                    if !self.none_of.contains(&number) {
                        return Ok(Some(number));
                    }
                }
            }
            if !is_up && !is_down {
                exhausted = true;
                break;
            }
        }
        if exhausted {
            return Ok(None);
        }
        // One more than a common multiple of all periods is a multiple of none of them.
        let common = periods
            .iter()
            .fold(BigInt::from(1), |all, period| all.lcm(period));
        let base = (&start / &common) * &common;
        for turn in -3..=(3 + self.none_of.len() as i64) {
            let count = &base + &common * turn + 1;
            let number = grid.unscaled(&(&count * step));
            if inside(&count) && fits(&count) && !self.none_of.contains(&number) {
                return Ok(Some(number));
            }
        }
        Err("the steps of `multipleOf` have too long a common period")
    }

    /// Any number of an interval, whole ones first, then with ever more decimals.
    fn between(&self, grid: &Grid) -> Result<Option<Decimal>, &'static str> {
        if let (Some((lower, open)), Some((upper, other_open))) = (&self.lower, &self.upper) {
            if lower > upper || (lower == upper && (*open || *other_open)) {
                return Ok(None);
            }
            if lower == upper {
                return Ok(self.admits(lower)?.then(|| lower.clone()));
            }
        }
        // With one decimal more than anything here has, a number is a multiple of nothing here,
        // and with two more there are enough of them in any interval.
        let listed = self.none_of.len().checked_ilog10().unwrap_or(0) as usize;
        for places in (0..).take(usize::try_from(grid.places).unwrap_or(0) + listed + 5) {
            let fine = Grid {
                places: places as i64,
                step: None,
            };
            // Where every number of so many decimals is a multiple of a step, so are those in here.
            let unit = fine.unscaled(&BigInt::from(1));
            let mut refused = self.not_steps.iter();
            if refused.any(|step| is_multiple(&unit, step) == Ok(true)) {
                continue;
            }
            let scale = |bound: &Option<(Decimal, bool)>| {
                bound.as_ref().map(|(bound, _)| fine.rounded(bound))
            };
            let (low, high) = (scale(&self.lower), scale(&self.upper));
            let start = nearest_to_zero(low.as_ref(), high.as_ref());
            let offsets = 0..=(30 + self.none_of.len());
            let near = offsets.flat_map(|offset| [&start + offset, &start - offset]);
            for count in beyond_floats(&start).into_iter().chain(near) {
                let number = fine.unscaled(&count);
                if self.admits(&number)? {
                    return Ok(Some(number));
                }
            }
        }
        Err("no number was found in an interval that holds some")
    }
}

fn nearest_to_zero(low: Option<&BigInt>, high: Option<&BigInt>) -> BigInt {
    match (low, high) {
        (Some(low), _) if low.is_positive() => low.clone(),
        (_, Some(high)) if high.is_negative() => high.clone(),
        _ => BigInt::zero(),
    }
}

/// Twice a number that is so large that floats do not tell it from its neighbours. Validators
/// compare floats, so a neighbour would show them nothing, and this does.
fn beyond_floats(number: &BigInt) -> Option<BigInt> {
    (number.bits() > 53).then(|| number * 2)
}

fn is_multiple(number: &Decimal, step: &Decimal) -> Result<bool, &'static str> {
    if step.is_one() {
        return Ok(number.is_integer());
    }
    let places = places_of(number)?.max(places_of(step)?);
    let grid = Grid { places, step: None };
    let step = grid.scaled(step);
    Ok(!step.is_zero() && grid.scaled(number).is_multiple_of(&step))
}

/// How many decimals a number has; fewer than none where it ends in zeros.
fn places_of(number: &Decimal) -> Result<i64, &'static str> {
    let (_, digits, exponent) = number.parts();
    if exponent.abs() > MAX_EXPONENT || digits.len() > MAX_EXPONENT as usize {
        return Err("a number has an exponent beyond what is worked with");
    }
    Ok((-exponent).max(0))
}

/// A scale on which all numbers at hand are whole.
struct Grid {
    places: i64,
    step: Option<Result<BigInt, &'static str>>,
}

impl Grid {
    fn of(facts: &Facts<'_>) -> Result<Self, &'static str> {
        let bounds = facts
            .lower
            .iter()
            .chain(&facts.upper)
            .map(|(bound, _)| bound);
        let mut places = 0;
        for number in bounds.chain(&facts.steps).chain(&facts.not_steps) {
            places = places.max(places_of(number)?);
        }
        let mut grid = Self { places, step: None };
        let steps = facts.steps.iter().map(|step| grid.scaled(step));
        grid.step = steps.reduce(|all, step| all.lcm(&step)).map(Ok);
        Ok(grid)
    }

    fn step(&self) -> Option<Result<BigInt, &'static str>> {
        self.step.clone()
    }

    fn scaled(&self, number: &Decimal) -> BigInt {
        let (negative, digits, exponent) = number.parts();
        let zeros = usize::try_from(exponent + self.places).unwrap_or(0);
        let power = u32::try_from(zeros).ok();
        let power = power.and_then(|zeros| 10_i64.checked_pow(zeros));
        // Almost every number is small, and those need no text between.
        let small = digits.parse::<i64>().ok().zip(power);
        let whole = match small.and_then(|(digits, power)| digits.checked_mul(power)) {
            Some(small) => BigInt::from(small),
            None => format!("{digits}{}", "0".repeat(zeros))
                .parse()
                .unwrap_or_default(),
        };
        if negative { -whole } else { whole }
    }

    /// The whole part on this scale of a number that may have more decimals.
    fn rounded(&self, number: &Decimal) -> BigInt {
        let (_, _, exponent) = number.parts();
        let fine = Self {
            places: self.places.max(-exponent),
            step: None,
        };
        let over = u32::try_from(fine.places - self.places).unwrap_or(0);
        fine.scaled(number).div_floor(&BigInt::from(10).pow(over))
    }

    fn unscaled(&self, number: &BigInt) -> Decimal {
        if number.is_zero() {
            return Decimal::zero();
        }
        let digits = number
            .to_i64()
            .map_or_else(|| number.to_string(), |small| small.to_string());
        Decimal::scaled(&digits, -self.places).unwrap_or_else(Decimal::one)
    }
}
