//! Types of booleans and numbers, and what counts as constrained or constant.

use super::leaf;
use super::plan::{Limits, Type};
use crate::json::{Decimal, Literal};
use crate::wire::{BooleanShape, Bound, NodeId, NumberFacts, Scalar, StringFacts, Wire};

/// The type of booleans.
pub(super) fn boolean(shape: &BooleanShape) -> Type {
    match (shape.allow_false, shape.allow_true) {
        (true, true) => Type::Bool,
        (_, value) => Type::OneOf(vec![bool_literal(value)], Box::new(Type::Bool)),
    }
}

fn bool_literal(value: bool) -> Literal {
    let node = crate::json::Node {
        value: crate::json::Value::Bool(value),
        at: 0,
    };
    Literal::of(&node)
}

/// The type of numbers, and what of their constraints it does not check.
pub(super) fn number(number: &Scalar<NumberFacts>) -> (Type, Option<&'static str>) {
    let integers = |values: &Scalar<NumberFacts>| {
        let known = values.known.iter().all(|known| {
            known
                .value
                .as_decimal()
                .is_some_and(|value| value.is_integer())
        });
        known && values.tails.iter().all(|facts| facts.integer)
    };
    if number.is_closed_enum() {
        let values: Vec<Literal> = number
            .known
            .iter()
            .map(|known| known.value.clone())
            .collect();
        let held = if integers(number) {
            enclosing(&values)
        } else {
            Type::Number(false, Limits::default())
        };
        return (Type::OneOf(values, Box::new(held)), None);
    }
    match (number.known.as_slice(), number.tails.as_slice()) {
        ([], [facts]) => {
            let beyond = !facts.excluded.is_empty() || !facts.residual.is_empty();
            (
                plain(facts),
                beyond.then_some("that some numbers are ruled out is not checked"),
            )
        }
        // Known values lie beside what the tail accepts, so that no bound holds for all.
        _ => (
            Type::Number(integers(number), Limits::default()),
            (number.tails.len() > 1).then_some("the bounds of its alternatives are not checked"),
        ),
    }
}

fn plain(facts: &NumberFacts) -> Type {
    let limits = Limits {
        min: facts.minimum.as_ref().map(bound),
        max: facts.maximum.as_ref().map(bound),
        multiple_of: facts.multiple_of.iter().map(Decimal::to_text).collect(),
    };
    if !facts.integer {
        return Type::Number(false, limits);
    }
    match leaf::integer(facts) {
        Some(rust) => Type::Integer(rust, limits),
        None => Type::Number(true, limits),
    }
}

fn bound(bound: &Bound) -> (String, bool) {
    (bound.value.to_text(), bound.exclusive)
}

/// The integer type that holds all of some values.
fn enclosing(values: &[Literal]) -> Type {
    let fits = |parse: fn(&str) -> bool| values.iter().all(|value| parse(value.text()));
    if fits(|text| text.parse::<u64>().is_ok()) {
        Type::Integer("u64", Limits::default())
    } else if fits(|text| text.parse::<i64>().is_ok()) {
        Type::Integer("i64", Limits::default())
    } else {
        Type::Number(true, Limits::default())
    }
}

/// Whether strings need a type that checks them.
pub(super) fn is_constrained(facts: &StringFacts) -> bool {
    facts.min_length > 0 || facts.max_length.is_some() || !facts.patterns.is_empty()
}

/// The one value that may stand at a place, where there is exactly one and it is a scalar.
pub(super) fn constant(wire: &Wire, id: NodeId) -> Option<Literal> {
    let node = wire.node(id);
    if !node.arrays.is_empty() || !node.objects.is_empty() {
        return None;
    }
    let mut values: Vec<Literal> = Vec::new();
    if node.null {
        let null = crate::json::Node {
            value: crate::json::Value::Null,
            at: 0,
        };
        values.push(Literal::of(&null));
    }
    if let Some(shape) = &node.boolean {
        values.extend(shape.allow_false.then(|| bool_literal(false)));
        values.extend(shape.allow_true.then(|| bool_literal(true)));
    }
    let strings = node
        .string
        .as_ref()
        .map(|scalar| (&scalar.known, scalar.tails.is_empty()));
    let numbers = node
        .number
        .as_ref()
        .map(|scalar| (&scalar.known, scalar.tails.is_empty()));
    for (known, closed) in strings.into_iter().chain(numbers) {
        if !closed {
            return None;
        }
        values.extend(known.iter().map(|known| known.value.clone()));
    }
    match values.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}
