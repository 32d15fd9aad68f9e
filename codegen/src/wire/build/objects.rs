//! The object shape of an alternative.

use super::alternatives::Alternative;
use super::expand::Item;
use super::{ANY, Builder};
use crate::maps::{HashMap, IndexMap, IndexSet};
use crate::schema::{SchemaError, SchemaId, TypeSet};
use crate::wire::pattern::Patterns;
use crate::wire::{Field, Object, ObjectId, PatternField, Variant};
use std::collections::BTreeSet;

/// So many schemas are each asked for every name, which costs less than to look up whom to ask.
const FEW: usize = 4;

impl Builder<'_> {
    /// The alternative as one object shape among those of its place.
    pub(super) fn variant(
        &mut self,
        alternative: &Alternative,
    ) -> Result<Option<Variant>, SchemaError> {
        let mut key = alternative.items.clone();
        key.sort_unstable();
        let object = match self.shapes.get(&key) {
            Some(id) => *id,
            None => {
                let Some(object) = self.object(alternative)? else {
                    return Ok(None);
                };
                let id = ObjectId(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
                self.objects.push(object);
                self.shapes.insert(key, id);
                id
            }
        };
        let docs = match alternative.branch {
            Some(branch) => self.docs(&[branch]),
            None => self.objects[object.0 as usize].docs.clone(),
        };
        Ok(Some(Variant {
            object,
            tags: Vec::new(),
            docs,
            origin: self.branch_origin(alternative),
        }))
    }

    fn object(&mut self, alternative: &Alternative) -> Result<Option<Object>, SchemaError> {
        let locals = self.locals(alternative);
        let values = self.values(alternative, TypeSet::OBJECT, |_| true);
        if values.as_ref().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        let mut object = Object {
            origins: self.origins(&alternative.items),
            values: values.map(|values| values.into_iter().map(|known| known.value).collect()),
            residual: self.residual(alternative, TypeSet::OBJECT)?,
            ..Object::free(self.document.origin(self.document.root))
        };
        if object.origins.is_empty() {
            object
                .origins
                .push(self.document.origin(self.document.root));
        }
        if let Some(top) = self.top(&alternative.items)? {
            let schema = self.document.schema(top);
            object.docs = self.docs(&[top]);
            object.definition = schema.definition.clone();
        }
        object
            .residual
            .extend(self.undecided_unevaluated(alternative, "unevaluatedProperties"));
        let closers = self.unevaluated_properties(alternative);
        object.fields = match self.fields(alternative, &locals, &closers)? {
            Some(fields) => fields,
            None => return Ok(None),
        };
        let (patterns, unclear) = self.patterns(&locals, &closers)?;
        object.patterns = patterns;
        for (keyword, id) in unclear {
            let why =
                "which names it is about beside the patterns of other schemas is not worked out";
            self.note(id, keyword, why.to_owned());
            let leftover = self.leftover(keyword, id, Vec::new(), Vec::new(), true);
            object.residual.push(leftover);
        }
        let mut rest: Vec<SchemaId> = locals
            .iter()
            .filter_map(|id| self.document.schema(*id).additional_properties)
            .collect();
        rest.extend(
            closers
                .iter()
                .filter(|closer| !closer.everything)
                .map(|closer| closer.schema),
        );
        object.rest = self.place(&rest)?;
        self.bounds(&locals, &mut object)?;
        if object
            .max_properties
            .is_some_and(|most| most < object.min_properties)
        {
            return Ok(None);
        }
        Ok(Some(object))
    }

    fn fields(
        &mut self,
        alternative: &Alternative,
        locals: &[SchemaId],
        closers: &[Closer],
    ) -> Result<Option<IndexMap<String, Field>>, SchemaError> {
        let mut names: IndexSet<&str> = IndexSet::default();
        let mut required: BTreeSet<&str> = BTreeSet::new();
        for id in locals {
            let schema = self.document.schema(*id);
            names.extend(schema.properties.keys().map(String::as_str));
            required.extend(schema.required.iter().map(String::as_str));
        }
        let declared = names.len();
        // The order of `required` documents nothing, but it is the only order there is.
        for id in locals {
            names.extend(
                self.document
                    .schema(*id)
                    .required
                    .iter()
                    .map(String::as_str),
            );
        }
        let outside: Vec<(String, SchemaId)> = self.members_outside(alternative);
        names.extend(outside.iter().map(|(name, _)| name.as_str()));
        // A condition that an object passes by not having the member fails only where it has it.
        for item in &alternative.items {
            if let Item::MemberOutside(id) = item {
                let schema = self.document.schema(*id);
                if schema.required.is_empty() {
                    required.extend(schema.properties.keys().map(String::as_str));
                }
            }
        }
        // Most schemas say nothing of a name that they do not declare, and thousands may meet here:
        // each name looks at those that declare it and at those that speak of any name.
        let mut declaring: HashMap<&str, Vec<usize>> = HashMap::default();
        let mut general = Vec::new();
        for (index, id) in locals.iter().enumerate() {
            if locals.len() <= FEW {
                general.push(index);
                continue;
            }
            let schema = self.document.schema(*id);
            for name in schema.properties.keys() {
                declaring.entry(name).or_default().push(index);
            }
            if !schema.pattern_properties.is_empty() || schema.additional_properties.is_some() {
                general.push(index);
            }
        }
        let mut fields = IndexMap::default();
        fields.reserve(names.len());
        for (index, name) in names.iter().enumerate() {
            let mut holding = Vec::new();
            let mut origins = Vec::new();
            let own = declaring.get(name).map_or(&[][..], Vec::as_slice);
            for id in merged(own, &general).map(|index| locals[index]) {
                let schema = self.document.schema(id);
                let own = schema.properties.get(*name);
                origins.extend(own.map(|id| self.document.origin(*id)));
                holding.extend(own.copied());
                let mut matched = own.is_some();
                for entry in &schema.pattern_properties {
                    if self.patterns.matches(&entry.pattern, name) {
                        holding.push(entry.schema);
                        matched = true;
                    }
                }
                if !matched {
                    holding.extend(schema.additional_properties);
                }
            }
            holding.extend(
                closers
                    .iter()
                    .filter(|closer| !closer.evaluates(name, &self.patterns))
                    .map(|closer| closer.schema),
            );
            origins.reverse();
            if origins.is_empty() {
                origins.extend(locals.iter().rev().map(|id| self.document.origin(*id)));
                if origins.is_empty() {
                    origins.push(self.branch_origin(alternative));
                }
            }
            let mut items = self.expand(&holding)?;
            for (outside, member) in &outside {
                if outside == name {
                    items.push(Item::Outside(*member));
                }
            }
            let node = self.place_of(items);
            let required = required.contains(name);
            fields.insert(
                (*name).to_owned(),
                Field {
                    node,
                    required,
                    declared: index < declared,
                    docs: self.docs(&holding),
                    origins,
                },
            );
        }
        // A name that only `required` mentions, and that nothing constrains, still is a fact;
        // one that only a failed dispatch mentions is a fact by its excluded values.
        fields.retain(|_, field: &mut Field| field.declared || field.required || field.node != ANY);
        Ok(Some(fields))
    }

    /// The tag members that failed conditions of a dispatch talk about, with their schemas there.
    fn members_outside(&self, alternative: &Alternative) -> Vec<(String, SchemaId)> {
        let mut outside = Vec::new();
        for item in &alternative.items {
            if let Item::MemberOutside(id) = item {
                let schema = self.document.schema(*id);
                outside.extend(
                    schema
                        .properties
                        .iter()
                        .map(|(name, member)| (name.clone(), self.unwrapped(*member))),
                );
            }
        }
        outside
    }

    /// The members by pattern, and the keywords about all other members that may be about some of
    /// those names and not about others.
    fn patterns(
        &mut self,
        locals: &[SchemaId],
        closers: &[Closer],
    ) -> Result<(Vec<PatternField>, Unclear), SchemaError> {
        let mut unclear = Unclear::new();
        let mut patterns: IndexMap<String, SchemaId> = IndexMap::default();
        for id in locals {
            for entry in &self.document.schema(*id).pattern_properties {
                patterns
                    .entry(entry.pattern.clone())
                    .or_insert(entry.schema);
            }
        }
        let mut fields = Vec::with_capacity(patterns.len());
        // Patterns of many schemas that meet here are looked up and not searched for.
        let own: Vec<HashMap<&str, SchemaId>> = locals
            .iter()
            .map(|id| {
                let entries = self.document.schema(*id).pattern_properties.iter().rev();
                entries
                    .map(|entry| (entry.pattern.as_str(), entry.schema))
                    .collect()
            })
            .collect();
        for (pattern, first) in patterns {
            if let Err(error) = self.patterns.check(&pattern) {
                let why = format!("which members {pattern:?} is about cannot be told: {error}");
                self.note(first, "patternProperties", why);
            }
            let mut holding = Vec::new();
            for (id, own) in locals.iter().zip(&own) {
                let others = self.document.schema(*id).additional_properties;
                match (own.get(pattern.as_str()), others) {
                    (Some(value), _) => holding.push(*value),
                    // Names that one of its own patterns takes as well are none of the others.
                    (None, Some(others)) if !own.is_empty() => {
                        if self.document.schema(others).always != Some(true) {
                            unclear.insert(("additionalProperties", *id));
                        }
                    }
                    (None, others) => holding.extend(others),
                }
            }
            for closer in closers {
                match closer.everything || closer.patterns.contains(&pattern) {
                    true => {}
                    false if closer.patterns.is_empty() => holding.push(closer.schema),
                    false => {
                        if self.document.schema(closer.schema).always != Some(true) {
                            unclear.insert(("unevaluatedProperties", closer.owner));
                        }
                    }
                }
            }
            fields.push(PatternField {
                pattern,
                node: self.place(&holding)?,
                origin: self.document.origin(first),
            });
        }
        fields.sort_by(|left, right| left.pattern.cmp(&right.pattern));
        Ok((fields, unclear))
    }

    fn bounds(&mut self, locals: &[SchemaId], object: &mut Object) -> Result<(), SchemaError> {
        let mut names = Vec::new();
        for id in locals {
            let schema = self.document.schema(*id);
            object.min_properties = object
                .min_properties
                .max(schema.min_properties.unwrap_or(0));
            object.max_properties = [object.max_properties, schema.max_properties]
                .into_iter()
                .flatten()
                .min();
            names.extend(schema.property_names);
            for (name, dependents) in &schema.dependent.required {
                let mut dependents = dependents.clone();
                // What must stand anyway, or is the trigger itself, depends on nothing.
                dependents.retain(|other| {
                    other != name && !object.fields.get(other).is_some_and(|field| field.required)
                });
                if !dependents.is_empty() {
                    object.dependent_required.push((name.clone(), dependents));
                }
            }
        }
        object.dependent_required.sort();
        object.dependent_required.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1.append(&mut later.1);
            }
            same
        });
        for (_, dependents) in &mut object.dependent_required {
            dependents.sort();
            dependents.dedup();
        }
        if !names.is_empty() {
            let node = self.place(&names)?;
            object.names = (node != ANY).then_some(node);
        }
        Ok(())
    }

    fn unevaluated_properties(&self, alternative: &Alternative) -> Vec<Closer> {
        let mut closers = Vec::new();
        for item in &alternative.items {
            let Item::Unevaluated(owner, within) = item else {
                continue;
            };
            let Some(schema) = self.document.schema(*owner).unevaluated_properties else {
                continue;
            };
            let mut closer = Closer {
                owner: *owner,
                schema,
                names: BTreeSet::new(),
                patterns: BTreeSet::new(),
                everything: false,
            };
            for id in within {
                let inside = self.document.schema(*id);
                closer.names.extend(inside.properties.keys().cloned());
                closer.patterns.extend(
                    inside
                        .pattern_properties
                        .iter()
                        .map(|entry| entry.pattern.clone()),
                );
                closer.everything |= inside.additional_properties.is_some();
                closer.everything |= *id != *owner && inside.unevaluated_properties.is_some();
            }
            closers.push(closer);
        }
        closers
    }
}

/// Two ascending lists of indices as one, each index once.
fn merged<'i>(left: &'i [usize], right: &'i [usize]) -> impl Iterator<Item = usize> + 'i {
    let (mut one, mut other) = (left.iter().peekable(), right.iter().peekable());
    std::iter::from_fn(move || match (one.peek(), other.peek()) {
        (Some(left), Some(right)) => {
            let (left, right) = (**left, **right);
            if left <= right {
                one.next();
            }
            if right <= left {
                other.next();
            }
            Some(left.min(right))
        }
        (Some(_), None) => one.next().copied(),
        (None, _) => other.next().copied(),
    })
}

/// Keywords of which it is not worked out which names they are about, each with its schema.
type Unclear = BTreeSet<(&'static str, SchemaId)>;

/// `unevaluatedProperties` of one schema, with the members that other keywords have evaluated.
struct Closer {
    owner: SchemaId,
    schema: SchemaId,
    names: BTreeSet<String>,
    patterns: BTreeSet<String>,
    everything: bool,
}

impl Closer {
    fn evaluates(&self, name: &str, patterns: &Patterns) -> bool {
        self.everything
            || self.names.contains(name)
            || self
                .patterns
                .iter()
                .any(|pattern| patterns.matches(pattern, name))
    }
}

impl Object {
    /// Whether nothing can satisfy this shape because a member that must stand cannot.
    pub(super) fn asks_for_nothing(&self, is_never: impl Fn(crate::wire::NodeId) -> bool) -> bool {
        self.fields
            .values()
            .any(|field| field.required && is_never(field.node))
    }
}
