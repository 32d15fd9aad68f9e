//! Booleans, numbers and strings of an alternative, and their disjunction at a place.

use super::Builder;
use super::alternatives::Alternative;
use super::expand::Item;
use crate::json::Literal;
use crate::schema::{EnumValue, SchemaError, TypeSet};
use crate::wire::{
    BooleanShape, Known, Node, NumberFacts, Residual, Scalar, ScalarFacts, StringFacts,
};

/// What one alternative says of one scalar type: named values alone, or facts.
pub(super) struct Part<F> {
    pub(super) values: Option<Vec<Known>>,
    pub(super) facts: F,
}

impl<F: ScalarFacts> Part<F> {
    /// How much there is to compare.
    pub(super) fn weight(&self) -> usize {
        self.values.as_ref().map_or(1, |values| 1 + values.len())
    }

    /// Whether no value satisfies both.
    pub(super) fn disjoint(&self, other: &Self) -> bool {
        let within =
            |values: &[Known], facts: &F| values.iter().any(|known| facts.accepts(&known.value));
        match (&self.values, &other.values) {
            (Some(mine), Some(theirs)) => {
                let theirs: crate::maps::HashSet<_> =
                    theirs.iter().map(|known| &known.value).collect();
                !mine.iter().any(|known| theirs.contains(&known.value))
            }
            (Some(values), None) => !within(values, &other.facts),
            (None, Some(values)) => !within(values, &self.facts),
            (None, None) => self.facts.disjoint(&other.facts),
        }
    }
}

impl<F> Part<F> {
    /// Named values have no facts of their own, so what constrains them beyond being named is
    /// kept at the place.
    pub(super) fn settle(&mut self, node: &mut Node, residual: fn(&mut F) -> &mut Vec<Residual>) {
        if let Some(values) = &self.values {
            let about: Vec<&str> = values.iter().map(|known| known.value.text()).collect();
            let residual = std::mem::take(residual(&mut self.facts));
            node.keep_others(&about.join(" "), residual);
        }
    }
}

impl Node {
    /// Keeps what constrains something that has no facts; `about` names it.
    pub(super) fn keep_others(&mut self, about: &str, residual: Vec<Residual>) {
        for mut part in residual {
            part.names.insert(0, about.to_owned());
            if !self.others.contains(&part) {
                self.others.push(part);
            }
        }
    }

    /// Adds an alternative's booleans.
    pub(super) fn add_boolean(&mut self, shape: &BooleanShape) {
        self.boolean = Some(match &self.boolean {
            None => shape.clone(),
            Some(other) => BooleanShape {
                allow_false: shape.allow_false || other.allow_false,
                allow_true: shape.allow_true || other.allow_true,
            },
        });
    }
}

/// Puts the alternatives of one type together: named values first, then what else is accepted.
pub(super) fn merge<F: ScalarFacts>(parts: Vec<Part<F>>, apart: bool) -> Option<Scalar<F>> {
    let takes_any = |part: &Part<F>| part.values.as_ref().is_none_or(|known| !known.is_empty());
    if !parts.iter().any(takes_any) {
        return None;
    }
    if let [Part { values: None, .. }] = parts.as_slice() {
        let tails = parts.into_iter().map(|part| part.facts).collect();
        return Some(Scalar {
            known: Vec::new(),
            tails,
        });
    }
    let mut known: Vec<Known> = Vec::new();
    let mut seen = crate::maps::HashSet::default();
    let mut tails: Vec<F> = Vec::new();
    for part in parts {
        match part.values {
            Some(values) => known.extend(
                values
                    .into_iter()
                    .filter(|value| seen.insert(value.value.clone())),
            ),
            None => tails.push(part.facts),
        }
    }
    if apart {
        // Exactly one of them is to hold, so each of them counts, also one that repeats another.
        return Some(Scalar { known, tails });
    }
    for tail in &mut tails {
        // Ruling out what another alternative allows changes nothing.
        tail.excluded_mut().retain(|value| !seen.contains(value));
    }
    if tails.contains(&F::default()) {
        tails = vec![F::default()];
    }
    let mut distinct: Vec<F> = Vec::new();
    for tail in tails {
        if !distinct.contains(&tail) {
            distinct.push(tail);
        }
    }
    Some(Scalar {
        known,
        tails: distinct,
    })
}

impl Builder<'_> {
    /// Which booleans an alternative takes, where it takes any.
    pub(super) fn boolean(&self, alternative: &Alternative) -> Option<BooleanShape> {
        let values = self.values(alternative, TypeSet::BOOLEAN, |_| true);
        let excluded = self.excluded(alternative, TypeSet::BOOLEAN);
        let allows = |text: &str| {
            let named = values
                .as_ref()
                .is_none_or(|values| values.iter().any(|known| known.value.text() == text));
            named && !excluded.iter().any(|value| value.text() == text)
        };
        let shape = BooleanShape {
            allow_false: allows("false"),
            allow_true: allows("true"),
        };
        (shape.allow_false || shape.allow_true).then_some(shape)
    }

    pub(super) fn numbers(
        &mut self,
        alternative: &Alternative,
    ) -> Result<Option<Part<NumberFacts>>, SchemaError> {
        let mut facts = NumberFacts {
            integer: alternative.types.integers_only(),
            excluded: self.excluded(alternative, TypeSet::NUMBER),
            residual: self.residual(alternative, TypeSet::NUMBER)?,
            ..NumberFacts::default()
        };
        for item in &alternative.items {
            let Item::Local(id) = item else { continue };
            let schema = self.document.schema(*id);
            if let Some(bound) = schema.minimum.clone() {
                facts.minimum = Some(match facts.minimum.take() {
                    Some(other) => other.tighter_minimum(bound),
                    None => bound,
                });
            }
            if let Some(bound) = schema.maximum.clone() {
                facts.maximum = Some(match facts.maximum.take() {
                    Some(other) => other.tighter_maximum(bound),
                    None => bound,
                });
            }
            if let Some(step) = &schema.multiple_of
                && !facts.multiple_of.contains(step)
            {
                facts.multiple_of.push(step.clone());
            }
            // A format is a string's matter unless strings cannot stand here at all.
            if let Some(format) = &schema.format
                && !alternative.types.overlaps(TypeSet::STRING)
                && !facts.formats.contains(format)
            {
                facts.formats.push(format.clone());
            }
        }
        if facts.integer {
            // Every whole number is a multiple of one.
            facts.multiple_of.retain(|step| !step.is_one());
        }
        facts.multiple_of.sort();
        facts.formats.sort();
        let values = self.named(alternative, TypeSet::NUMBER, &facts);
        facts.residual.extend(self.formats_of_values(
            alternative,
            values.is_some(),
            &facts.formats,
        ));
        Ok(part(values, facts))
    }

    pub(super) fn strings(
        &mut self,
        alternative: &Alternative,
    ) -> Result<Option<Part<StringFacts>>, SchemaError> {
        let mut facts = StringFacts {
            excluded: self.excluded(alternative, TypeSet::STRING),
            residual: self.residual(alternative, TypeSet::STRING)?,
            ..StringFacts::default()
        };
        for item in &alternative.items {
            let Item::Local(id) = item else { continue };
            let schema = self.document.schema(*id);
            facts.min_length = facts.min_length.max(schema.min_length.unwrap_or(0));
            facts.max_length = [facts.max_length, schema.max_length]
                .into_iter()
                .flatten()
                .min();
            facts.patterns.extend(schema.pattern.clone());
            facts.formats.extend(schema.format.clone());
            facts.content.extend(schema.content.iter().cloned());
        }
        for list in [&mut facts.patterns, &mut facts.formats, &mut facts.content] {
            list.sort();
            list.dedup();
        }
        let values = self.named(alternative, TypeSet::STRING, &facts);
        facts.residual.extend(self.formats_of_values(
            alternative,
            values.is_some(),
            &facts.formats,
        ));
        Ok(part(values, facts))
    }

    /// The named values that may satisfy the facts beside them. Where that cannot be told, and no
    /// condition is the reason that is kept beside them anyway, it is noted as undecided.
    fn named<F: ScalarFacts + Clone>(
        &mut self,
        alternative: &Alternative,
        of: TypeSet,
        facts: &F,
    ) -> Option<Vec<Known>> {
        let has_values = |item: &Item| match item {
            Item::Local(id) => !self.document.schema(*id).values.is_empty(),
            _ => false,
        };
        if !alternative.items.iter().any(has_values) {
            return None;
        }
        let mut bare = facts.clone();
        bare.residual_mut().clear();
        let values = self.values(alternative, of, |value| bare.tells(value) != Some(false))?;
        if values
            .iter()
            .any(|known| bare.tells(&known.value).is_none())
            && let Some(id) = self.locals(alternative).last().copied()
        {
            let why = "whether a named value satisfies what stands beside it cannot be told";
            self.note(id, "enum", why.to_owned());
        }
        Some(values)
    }

    /// Formats of named values, which have no facts of their own to keep them in.
    fn formats_of_values(
        &self,
        alternative: &Alternative,
        named: bool,
        formats: &[String],
    ) -> Vec<Residual> {
        let last = self.locals(alternative).last().copied();
        let Some(id) = last.filter(|_| named && !formats.is_empty()) else {
            return Vec::new();
        };
        vec![self.leftover("format", id, formats.to_vec(), Vec::new(), false)]
    }

    /// The named values of one type, where the alternative names values at all.
    pub(super) fn values(
        &self,
        alternative: &Alternative,
        of: TypeSet,
        accepts: impl Fn(&Literal) -> bool,
    ) -> Option<Vec<Known>> {
        let mut lists: Vec<&Vec<EnumValue>> = Vec::new();
        for item in &alternative.items {
            if let Item::Local(id) = item {
                lists.extend(&self.document.schema(*id).values);
            }
        }
        let (first, others) = lists.split_first()?;
        let others: Vec<crate::maps::HashSet<&Literal>> = others
            .iter()
            .map(|list| list.iter().map(|entry| &entry.value).collect())
            .collect();
        let only = first.len() == 1;
        let known = first.iter().filter(|entry| {
            super::alternatives::type_of(&entry.value).overlaps(of.intersection(alternative.types))
                && others.iter().all(|list| list.contains(&entry.value))
                && accepts(&entry.value)
        });
        let known = known.map(|entry| Known {
            value: entry.value.clone(),
            docs: match alternative.branch {
                // `{"$ref": .., "description": ..}` may document a value that is named elsewhere.
                Some(branch) if only => self.docs(&[branch]),
                _ => entry.docs.clone(),
            },
            origin: entry.origin.clone(),
        });
        Some(known.collect())
    }

    /// The values of one type that the alternative rules out, sorted.
    pub(super) fn excluded(&self, alternative: &Alternative, of: TypeSet) -> Vec<Literal> {
        let mut excluded = Vec::new();
        for item in &alternative.items {
            match item {
                Item::Not(id) => excluded.extend(self.excluded_values(*id).unwrap_or_default()),
                Item::Outside(id) => {
                    excluded.extend(
                        self.document
                            .schema(*id)
                            .values
                            .iter()
                            .flatten()
                            .map(|entry| entry.value.clone()),
                    );
                }
                _ => {}
            }
        }
        excluded.retain(|value| super::alternatives::type_of(value).overlaps(of));
        excluded.sort();
        excluded.dedup();
        excluded
    }
}

/// No value left is no alternative.
fn part<F>(values: Option<Vec<Known>>, facts: F) -> Option<Part<F>> {
    if values.as_ref().is_some_and(Vec::is_empty) {
        return None;
    }
    Some(Part { values, facts })
}
