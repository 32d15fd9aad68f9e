//! The array shape of an alternative.

use super::alternatives::Alternative;
use super::expand::Item;
use super::{Builder, NEVER};
use crate::schema::{Schema, SchemaError, SchemaId, TypeSet};
use crate::wire::{Array, Contains};

impl Builder<'_> {
    pub(super) fn array(
        &mut self,
        alternative: &Alternative,
    ) -> Result<Option<Array>, SchemaError> {
        let locals = self.locals(alternative);
        let unevaluated = self.unevaluated_items(alternative)?;
        let length = locals
            .iter()
            .map(|id| self.document.schema(*id).prefix_items.len())
            .max()
            .unwrap_or(0);
        let mut prefix = Vec::with_capacity(length);
        for index in 0..length {
            let mut schemas = Vec::new();
            for id in &locals {
                let schema = self.document.schema(*id);
                schemas.extend(schema.prefix_items.get(index).copied().or(schema.items));
            }
            schemas.extend(
                unevaluated
                    .iter()
                    .filter(|rule| index >= rule.evaluated)
                    .map(|rule| rule.schema),
            );
            prefix.push(self.place(&schemas)?);
        }
        let mut rest: Vec<SchemaId> = locals
            .iter()
            .filter_map(|id| self.document.schema(*id).items)
            .collect();
        rest.extend(unevaluated.iter().map(|rule| rule.schema));
        let items = self.place(&rest)?;
        let mut residual = self.residual(alternative, TypeSet::ARRAY)?;
        residual.extend(self.undecided_unevaluated(alternative, "unevaluatedItems"));
        let values = self.values(alternative, TypeSet::ARRAY, |_| true);
        if values.as_ref().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        let mut array = Array {
            docs: match alternative.branch {
                Some(branch) => self.docs(&[branch]),
                None => crate::wire::Docs::default(),
            },
            origin: self.branch_origin(alternative),
            prefix,
            items,
            values: values.map(|values| values.into_iter().map(|known| known.value).collect()),
            residual,
            ..Array::free(self.document.origin(self.document.root))
        };
        for id in &locals {
            let schema = self.document.schema(*id);
            array.min_items = array.min_items.max(schema.min_items.unwrap_or(0));
            array.max_items = [array.max_items, schema.max_items]
                .into_iter()
                .flatten()
                .min();
            array.unique |= schema.unique_items;
            let (min, max) = (schema.min_contains.unwrap_or(1), schema.max_contains);
            if let Some(contains) = schema.contains {
                let node = self.place(&[contains])?;
                if min > 0 || max.is_some() {
                    array.contains.push(Contains { node, min, max });
                }
            }
        }
        // Trailing tuple places that say what every further element says are no tuple.
        while array.prefix.last() == Some(&array.items) {
            array.prefix.pop();
        }
        if array.items == NEVER
            && array
                .max_items
                .is_none_or(|most| most >= array.prefix.len() as u64)
        {
            // `items: false` and the `maxItems` of the same length say one thing.
            array.max_items = Some(array.prefix.len() as u64);
        }
        if let Some(most) = array.max_items {
            if most <= array.prefix.len() as u64 {
                array
                    .prefix
                    .truncate(usize::try_from(most).unwrap_or(usize::MAX));
                array.items = NEVER;
            }
            if most < array.min_items {
                return Ok(None);
            }
        }
        Ok(Some(array))
    }

    /// The schemas whose own keywords hold in an alternative, in order.
    pub(super) fn locals(&self, alternative: &Alternative) -> Vec<SchemaId> {
        let local = |item: &Item| match item {
            Item::Local(id) => Some(*id),
            _ => None,
        };
        alternative.items.iter().filter_map(local).collect()
    }

    /// Whether a branch may evaluate members or elements: it says something of them, or leads on.
    fn evaluates(&self, branch: SchemaId) -> bool {
        let schema = self.document.schema(branch);
        schema.asserts_on_objects()
            || schema.asserts_on_arrays()
            || schema.reference.is_some()
            || schema.dynamic_reference.is_some()
            || !schema.all_of.is_empty()
            || !schema.any_of.is_empty()
            || !schema.one_of.is_empty()
            || schema.conditional.is_some()
    }

    /// Whether one of these schemas declares a member by its name, the one aside that only tests it.
    fn declares(
        &self,
        schemas: &std::collections::BTreeSet<SchemaId>,
        aside: SchemaId,
        name: &str,
    ) -> bool {
        let others = schemas.iter().filter(|id| **id != aside);
        others.map(|id| self.document.schema(*id)).any(|schema| {
            schema.properties.contains_key(name) || schema.additional_properties.is_some()
        })
    }

    /// Where `unevaluatedItems` starts to apply, for each schema that has it.
    fn unevaluated_items(
        &mut self,
        alternative: &Alternative,
    ) -> Result<Vec<UnevaluatedItems>, SchemaError> {
        let mut rules = Vec::new();
        for item in &alternative.items {
            let Item::Unevaluated(owner, within) = item else {
                continue;
            };
            let Some(schema) = self.document.schema(*owner).unevaluated_items else {
                continue;
            };
            let inside = || within.iter().map(|id| (id, self.document.schema(*id)));
            let everything = |(id, schema): (&SchemaId, &Schema)| {
                schema.items.is_some() || id != owner && schema.unevaluated_items.is_some()
            };
            if inside().any(everything) {
                continue;
            }
            let evaluated = inside().map(|(_, schema)| schema.prefix_items.len()).max();
            let evaluated = evaluated.unwrap_or(0);
            rules.push(UnevaluatedItems { schema, evaluated });
        }
        Ok(rules)
    }

    /// `unevaluated*` beside keywords whose evaluation depends on the instance is not decided.
    pub(super) fn undecided_unevaluated(
        &mut self,
        alternative: &Alternative,
        keyword: &'static str,
    ) -> Vec<crate::wire::Residual> {
        let items = keyword == "unevaluatedItems";
        let mut residual = Vec::new();
        for item in &alternative.items {
            let Item::Unevaluated(owner, within) = item else {
                continue;
            };
            let schema = self.document.schema(*owner);
            let rule = if items {
                schema.unevaluated_items
            } else {
                schema.unevaluated_properties
            };
            let Some(rule) = rule else { continue };
            if self.document.schema(rule).always == Some(true) {
                continue;
            }
            let depends = |other: &Item| match other {
                Item::If(id) | Item::DependentSchemas(id) | Item::Undecided(id) => {
                    within.contains(id)
                }
                Item::Local(id) => {
                    items && within.contains(id) && self.document.schema(*id).contains.is_some()
                }
                // A condition that fails evaluates nothing, also not the member that it tests.
                Item::MemberOutside(id) if !items && within.contains(id) => {
                    let tested = self.document.schema(*id).properties.keys();
                    tested
                        .into_iter()
                        .any(|name| !self.declares(within, *id, name))
                }
                _ => false,
            };
            // Every branch of an `anyOf` that holds evaluates, and only one of them was taken here.
            let several = within.iter().any(|id| {
                let branches = &self.document.schema(*id).any_of;
                branches.len() > 1 && branches.iter().any(|branch| self.evaluates(*branch))
            });
            if several || alternative.items.iter().any(depends) {
                let owner = *owner;
                self.note(
                    owner,
                    keyword,
                    "what is evaluated here depends on the instance".to_owned(),
                );
                residual.push(self.leftover(keyword, owner, Vec::new(), Vec::new(), true));
            }
        }
        residual
    }
}

/// `unevaluatedItems` of one schema.
struct UnevaluatedItems {
    schema: SchemaId,
    /// How many leading elements other keywords have evaluated.
    evaluated: usize,
}
