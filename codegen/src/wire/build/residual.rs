//! Assertions that no fact expresses: kept as a whole, with the places of their subschemas.

use super::alternatives::{Alternative, type_of};
use super::expand::Item;
use super::{ANY, Builder};
use crate::json::Literal;
use crate::schema::{SchemaError, SchemaId, TypeSet};
use crate::wire::Residual;

impl Builder<'_> {
    /// What constrains instances of the given type in an alternative beyond the facts of that type.
    pub(super) fn residual(
        &mut self,
        alternative: &Alternative,
        of: TypeSet,
    ) -> Result<Vec<Residual>, SchemaError> {
        let mut residual = Vec::new();
        for item in &alternative.items {
            match item {
                Item::Not(id) => {
                    if !self.is_residual_not(*id, of)? {
                        continue;
                    }
                    let Some(inner) = self.document.schema(*id).not else {
                        continue;
                    };
                    let nodes = vec![self.place(&[inner])?];
                    residual.push(self.leftover("not", *id, Vec::new(), nodes, false));
                }
                Item::If(id) => {
                    let Some(conditional) = self.document.schema(*id).conditional else {
                        continue;
                    };
                    let mut nodes = vec![self.place(&[conditional.condition])?];
                    for branch in [conditional.then, conditional.otherwise] {
                        nodes.push(match branch {
                            Some(schema) => self.place(&[schema])?,
                            None => ANY,
                        });
                    }
                    residual.push(self.leftover("if", *id, Vec::new(), nodes, false));
                }
                Item::DependentSchemas(id) if of == TypeSet::OBJECT => {
                    for (name, schema) in self.document.schema(*id).dependent.schemas.clone() {
                        let nodes = vec![self.place(&[schema])?];
                        residual.push(self.leftover(
                            "dependentSchemas",
                            *id,
                            vec![name],
                            nodes,
                            false,
                        ));
                    }
                }
                Item::Undecided(id) => {
                    residual.push(self.leftover("$ref", *id, Vec::new(), Vec::new(), true))
                }
                _ => {}
            }
        }
        Ok(residual)
    }

    pub(super) fn leftover(
        &self,
        keyword: &'static str,
        id: SchemaId,
        names: Vec<String>,
        nodes: Vec<crate::wire::NodeId>,
        undecided: bool,
    ) -> Residual {
        Residual {
            keyword,
            origin: self.document.origin(id),
            names,
            nodes,
            undecided,
        }
    }

    /// Whether a `not` says something about instances of a type that the facts do not already hold.
    fn is_residual_not(&mut self, id: SchemaId, of: TypeSet) -> Result<bool, SchemaError> {
        let Some(inner) = self.document.schema(id).not else {
            return Ok(false);
        };
        if let Some(values) = self.excluded_values(id) {
            // Arrays and objects have no list of excluded values among their facts.
            let whole = TypeSet::ARRAY.union(TypeSet::OBJECT).intersection(of);
            return Ok(values.iter().any(|value| type_of(value).overlaps(whole)));
        }
        if !self.excluded_types(id).is_empty() {
            return Ok(false);
        }
        let items = self.expand(&[inner])?;
        Ok(self.types(&items).overlaps(of))
    }

    /// The types that a `not` rules out altogether.
    pub(super) fn excluded_types(&self, id: SchemaId) -> TypeSet {
        let Some(inner) = self.document.schema(id).not else {
            return TypeSet::NONE;
        };
        let rules_out_null = || {
            self.excluded_values(id)
                .is_some_and(|values| values.iter().any(|value| value.text() == "null"))
        };
        match self.types_alone(inner, 0) {
            // Numbers that are no integers have no type of their own, so this stays a whole.
            Some(types) if types.integers_only() => TypeSet::NONE,
            Some(types) => types,
            None if rules_out_null() => TypeSet::NULL,
            None => TypeSet::NONE,
        }
    }

    /// The types of a schema that is nothing but types: a `type`, no keyword at all, which takes
    /// everything, or an `anyOf` of those.
    fn types_alone(&self, id: SchemaId, depth: usize) -> Option<TypeSet> {
        if self.says_nothing(id) {
            return Some(TypeSet::ALL);
        }
        let schema = self.document.schema(self.unwrapped(id));
        // Unions of unions of types are written by hand at most; deeper ones stay whole.
        if depth > 4 || !schema.values.is_empty() || schema.asserts_beyond_values() {
            return None;
        }
        if schema.speaks_alone() {
            return Some(schema.types.unwrap_or(TypeSet::ALL));
        }
        if schema.any_of.is_empty() || !schema.speaks_alone_beside_any_of() {
            return None;
        }
        let mut types = TypeSet::NONE;
        for branch in &schema.any_of {
            types = types.union(self.types_alone(*branch, depth + 1)?);
        }
        Some(types.intersection(schema.types.unwrap_or(TypeSet::ALL)))
    }

    /// The values that a `not` rules out, where ruling out values is all it does.
    pub(super) fn excluded_values(&self, id: SchemaId) -> Option<Vec<Literal>> {
        self.values_alone(self.document.schema(id).not?, 0)
    }

    /// What a schema that does nothing but refer, or wrap another one in `allOf`, leads to.
    pub(super) fn unwrapped(&self, id: SchemaId) -> SchemaId {
        let mut id = id;
        // Wrappers of wrappers are written by hand at most; deeper ones stay as they are.
        for _ in 0..8 {
            let schema = self.document.schema(id);
            if schema.always.is_some() || !self.only_refers(id) {
                break;
            }
            let parts = schema.all_of.iter().copied();
            let mut leads: Vec<SchemaId> = parts.filter(|part| !self.says_nothing(*part)).collect();
            match &schema.reference {
                Some(crate::schema::Target::Schema(target)) => leads.push(*target),
                Some(crate::schema::Target::External(_)) => break,
                None => {}
            }
            let [only] = leads.as_slice() else { break };
            id = *only;
        }
        id
    }

    /// Whether a schema has no assertion but those of `allOf` and `$ref`.
    fn only_refers(&self, id: SchemaId) -> bool {
        let schema = self.document.schema(id);
        schema.not.is_none() && self.only_negates(id)
    }

    /// Whether a schema has no assertion but those of `allOf`, `$ref` and `not`.
    fn only_negates(&self, id: SchemaId) -> bool {
        let schema = self.document.schema(id);
        !schema.asserts()
            && schema.any_of.is_empty()
            && schema.one_of.is_empty()
            && schema.conditional.is_none()
            && schema.dynamic_reference.is_none()
            && schema.dependent.schemas.is_empty()
            && schema.unevaluated_items.is_none()
            && schema.unevaluated_properties.is_none()
    }

    fn says_nothing(&self, id: SchemaId) -> bool {
        self.comes_down_to(id) == Some(true)
    }

    /// Whether a schema of nothing but booleans, `allOf`, `$ref` and `not` takes everything or
    /// nothing; `None` for others, and for those that are nested deeper than is written by hand.
    pub(super) fn comes_down_to(&self, id: SchemaId) -> Option<bool> {
        self.truth(id, &mut 32)
    }

    fn truth(&self, id: SchemaId, left: &mut u32) -> Option<bool> {
        *left = left.checked_sub(1)?;
        let schema = self.document.schema(id);
        if schema.always.is_some() {
            return schema.always;
        }
        if !self.only_negates(id) {
            return None;
        }
        let mut all = Some(true);
        let mut hold = |part: Option<bool>| {
            all = match (all, part) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        };
        if let Some(inner) = schema.not {
            hold(self.truth(inner, left).map(|inner| !inner));
        }
        match &schema.reference {
            Some(crate::schema::Target::Schema(target)) => hold(self.truth(*target, left)),
            Some(crate::schema::Target::External(_)) => hold(None),
            None => {}
        }
        for part in &schema.all_of {
            hold(self.truth(*part, left));
        }
        all
    }

    /// The values of a schema that is nothing but values: `const`, `enum`, or a union of those.
    pub(super) fn values_alone(&self, id: SchemaId, depth: usize) -> Option<Vec<Literal>> {
        let schema = self.document.schema(self.unwrapped(id));
        // A union of unions of values is written by hand at most; deeper ones stay whole.
        if depth > 4
            || schema.asserts_beyond_values()
            || !schema.all_of.is_empty()
            || schema.not.is_some()
            || schema.conditional.is_some()
            || schema.dynamic_reference.is_some()
            || !schema.dependent.schemas.is_empty()
            || schema.unevaluated_items.is_some()
            || schema.unevaluated_properties.is_some()
        {
            return None;
        }
        let keep = |value: &Literal| {
            schema
                .types
                .is_none_or(|types| types.overlaps(type_of(value)))
        };
        let branches = match (&schema.any_of[..], &schema.one_of[..]) {
            ([], []) => &[],
            (any_of, []) => any_of,
            ([], one_of) => one_of,
            _ => return None,
        };
        let reference = match &schema.reference {
            Some(crate::schema::Target::Schema(target)) => Some(*target),
            Some(crate::schema::Target::External(_)) => return None,
            None => None,
        };
        match (schema.values.as_slice(), branches, reference) {
            ([values], [], None) => Some(
                values
                    .iter()
                    .map(|value| value.value.clone())
                    .filter(keep)
                    .collect(),
            ),
            ([], [], Some(target)) if schema.types.is_none() => {
                self.values_alone(target, depth + 1)
            }
            ([], [_, ..], None) => {
                let mut all: Vec<Literal> = Vec::new();
                let mut shared: Vec<Literal> = Vec::new();
                for branch in branches {
                    for value in self.values_alone(*branch, depth + 1)? {
                        let known = if all.contains(&value) {
                            &mut shared
                        } else {
                            &mut all
                        };
                        known.push(value);
                    }
                }
                // Exactly one branch is to hold, so a value of two is a value of none.
                if !schema.one_of.is_empty() {
                    all.retain(|value| !shared.contains(value));
                }
                all.retain(keep);
                Some(all)
            }
            _ => None,
        }
    }
}
