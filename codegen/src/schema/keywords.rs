//! One schema object's keywords, each checked for the kind of value it takes.

use super::dialect::Dialect;
use super::read::{PendingReference, Reader};
use super::{Conditional, EnumValue, Pattern, SchemaError, SchemaId, TypeSet};
use crate::json::{Literal, Member, Node, Value, child_pointer};
use crate::wire::{Bound, Docs, Origin};
use std::sync::Arc;

impl Reader<'_> {
    /// Reads the members of a schema object into its record.
    pub(super) fn keywords(
        &mut self,
        id: SchemaId,
        node: &Node,
        resource: usize,
    ) -> Result<(), SchemaError> {
        let pointer = self.schemas[id.0 as usize].pointer.clone();
        let members = node.members();
        let resource = self.identify(id, node, &pointer, resource)?;
        self.record(id).resource = u32::try_from(resource).unwrap_or(u32::MAX);
        let dialect = self.resources.get(resource).dialect;
        let hidden = dialect.reference_hides_siblings() && node.get("$ref").is_some();
        for member in members {
            let value = &member.node;
            match &*member.name {
                "$ref" => self.reference(id, value, resource, false)?,
                // `$defs` is a convention in older dialects, which may hold anything under it.
                "$defs" if !dialect.knows("$defs") && !holds_schemas(value) => {}
                "$defs" | "definitions" => self.definitions(member, &pointer, resource)?,
                "title" => self.docs(id).title = Some(self.string(value, "title")?),
                "description" => {
                    self.docs(id).description = Some(self.string(value, "description")?)
                }
                "default" => self.docs(id).default = Some(Literal::of(value)),
                // Older dialects do not know these, and take any value for them; where it is of
                // the usual kind, it means the usual thing.
                "$comment" if dialect.knows("$comment") || value.as_str().is_some() => {
                    self.docs(id).comment = Some(self.string(value, "$comment")?)
                }
                "deprecated" if dialect.knows("deprecated") || value.as_bool().is_some() => {
                    self.docs(id).deprecated = self.boolean(value, "deprecated")?
                }
                "examples"
                    if dialect.knows("examples") || matches!(value.value, Value::Array(_)) =>
                {
                    let examples = self
                        .array(value, "examples")?
                        .iter()
                        .map(Literal::of)
                        .collect();
                    self.docs(id).examples = examples;
                }
                "$schema" | "$id" | "id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor"
                | "$vocabulary" | "x-contract" => {}
                _ if hidden => {}
                name if !dialect.knows(name) => self.annotation(id, member),
                "$dynamicRef" | "$recursiveRef" => self.reference(id, value, resource, true)?,
                _ => self.assertion(id, member, node, &pointer, resource, dialect)?,
            }
        }
        if !hidden && dialect.knows("if") {
            self.conditional(id, node, &pointer, resource)?;
        }
        self.attach_value_docs(id);
        Ok(())
    }

    fn assertion(
        &mut self,
        id: SchemaId,
        member: &Member,
        parent: &Node,
        pointer: &str,
        resource: usize,
        dialect: Dialect,
    ) -> Result<(), SchemaError> {
        let value = &member.node;
        let name = &*member.name;
        match name {
            "type" => self.record(id).types = Some(self.types(value)?),
            "const" => {
                self.workable(value)?;
                let entry = EnumValue {
                    value: Literal::of(value),
                    origin: self.origin(child_pointer(pointer, name), value),
                    docs: Docs::default(),
                };
                self.record(id).values.push(vec![entry]);
            }
            "enum" => {
                let entries = self.array(value, name)?;
                entries.iter().try_for_each(|entry| self.workable(entry))?;
                let here = child_pointer(pointer, name);
                let entries = entries.iter().enumerate().map(|(index, entry)| EnumValue {
                    value: Literal::of(entry),
                    origin: self.origin(child_pointer(&here, &index.to_string()), entry),
                    docs: Docs::default(),
                });
                let entries = entries.collect();
                self.record(id).values.push(entries);
            }
            "minimum" | "maximum" => {
                let beside = match name {
                    "minimum" => parent.get("exclusiveMinimum"),
                    _ => parent.get("exclusiveMaximum"),
                };
                let beside = beside.filter(|_| dialect.has_boolean_exclusives());
                self.bound(id, value, beside, name)?;
            }
            // These sharpen `minimum` and `maximum`, and are read there.
            "exclusiveMinimum" | "exclusiveMaximum"
                if dialect.has_boolean_exclusives() && value.as_bool().is_some() => {}
            "exclusiveMinimum" | "exclusiveMaximum" if dialect.has_exclusive_bounds() => {
                self.bound(id, value, None, name)?
            }
            "exclusiveMinimum" | "exclusiveMaximum" => {
                let error = self.wrong(value, name, "a boolean in draft 4");
                return Err(
                    error.help("state a later dialect in `$schema`, where it takes the bound")
                );
            }
            "multipleOf" => {
                let step = self.decimal(value, name)?;
                if !step.is_positive() {
                    return Err(self.error(value.at, "`multipleOf` takes a number above 0"));
                }
                self.record(id).multiple_of = Some(step);
            }
            "minLength" => self.record(id).min_length = Some(self.count(value, name)?),
            "maxLength" => self.record(id).max_length = Some(self.count(value, name)?),
            "pattern" => self.record(id).pattern = Some(self.string(value, name)?),
            "format" => self.record(id).format = Some(self.string(value, name)?),
            "contentEncoding" | "contentMediaType" => {
                let text = format!("{name}={}", self.string(value, name)?);
                self.record(id).content.push(text);
            }
            "contentSchema" => {
                let text = format!("{name}={}", Literal::of(value).text());
                self.record(id).content.push(text);
            }
            "prefixItems" => {
                self.record(id).prefix_items = self.list(value, pointer, resource, name)?
            }
            "items" => match &value.value {
                Value::Array(_) if dialect.has_tuple_items() => {
                    self.record(id).prefix_items = self.list(value, pointer, resource, name)?;
                }
                Value::Array(_) => {
                    let error = self.wrong(value, name, "one schema in 2020-12");
                    return Err(error.help("that dialect writes a tuple as `prefixItems`"));
                }
                _ => self.record(id).items = Some(self.child(value, pointer, &[name], resource)?),
            },
            // It speaks only beside tuple `items`.
            "additionalItems"
                if matches!(
                    parent.get("items").map(|node| &node.value),
                    Some(Value::Array(_))
                ) =>
            {
                self.record(id).items = Some(self.child(value, pointer, &[name], resource)?);
            }
            "additionalItems" => {}
            "contains" => {
                self.record(id).contains = Some(self.child(value, pointer, &[name], resource)?)
            }
            "minContains" => self.record(id).min_contains = Some(self.count(value, name)?),
            "maxContains" => self.record(id).max_contains = Some(self.count(value, name)?),
            "minItems" => self.record(id).min_items = Some(self.count(value, name)?),
            "maxItems" => self.record(id).max_items = Some(self.count(value, name)?),
            "uniqueItems" => self.record(id).unique_items = self.boolean(value, name)?,
            "unevaluatedItems" => {
                self.record(id).unevaluated_items =
                    Some(self.child(value, pointer, &[name], resource)?)
            }
            "properties" => {
                for (key, schema) in self.map(value, pointer, resource, name)? {
                    self.record(id).properties.insert(key, schema);
                }
            }
            "patternProperties" => {
                let entries = self.map(value, pointer, resource, name)?;
                self.record(id).pattern_properties = entries
                    .into_iter()
                    .map(|(pattern, schema)| Pattern { pattern, schema })
                    .collect();
            }
            "additionalProperties" => {
                self.record(id).additional_properties =
                    Some(self.child(value, pointer, &[name], resource)?);
            }
            "unevaluatedProperties" => {
                self.record(id).unevaluated_properties =
                    Some(self.child(value, pointer, &[name], resource)?);
            }
            "propertyNames" => {
                self.record(id).property_names =
                    Some(self.child(value, pointer, &[name], resource)?)
            }
            // Draft 3 wrote `required: true`; it is no keyword of any dialect read here.
            "required" => self.record(id).required = self.strings(value, name)?,
            "minProperties" => self.record(id).min_properties = Some(self.count(value, name)?),
            "maxProperties" => self.record(id).max_properties = Some(self.count(value, name)?),
            "dependentRequired" | "dependentSchemas" | "dependencies" => {
                self.dependent(id, value, pointer, resource, name)?
            }
            "allOf" => self.record(id).all_of = self.branches(value, pointer, resource, name)?,
            "anyOf" => self.record(id).any_of = self.branches(value, pointer, resource, name)?,
            "oneOf" => self.record(id).one_of = self.branches(value, pointer, resource, name)?,
            "not" => {
                let refused = self.child(value, pointer, &[name], resource)?;
                // Refusing nothing says nothing, and must not count as a constraint.
                if self.record(refused).always != Some(false) {
                    self.record(id).not = Some(refused);
                }
            }
            "if" | "then" | "else" => {}
            _ => self.annotation(id, member),
        }
        Ok(())
    }

    /// A keyword that constrains nothing here.
    fn annotation(&mut self, id: SchemaId, member: &Member) {
        let value = Literal::of(&member.node);
        self.docs(id).other.insert(member.name.to_string(), value);
    }

    fn conditional(
        &mut self,
        id: SchemaId,
        node: &Node,
        pointer: &str,
        resource: usize,
    ) -> Result<(), SchemaError> {
        let mut read = |keyword: &str| match node.get(keyword) {
            Some(value) => self.child(value, pointer, &[keyword], resource).map(Some),
            None => Ok(None),
        };
        let (condition, then, otherwise) = (read("if")?, read("then")?, read("else")?);
        // `then` and `else` say nothing without an `if`.
        if let Some(condition) = condition {
            self.record(id).conditional = Some(Conditional {
                condition,
                then,
                otherwise,
            });
        }
        Ok(())
    }

    fn dependent(
        &mut self,
        id: SchemaId,
        value: &Node,
        pointer: &str,
        resource: usize,
        name: &str,
    ) -> Result<(), SchemaError> {
        for member in self.object(value, name)? {
            let key = member.name.to_string();
            let names = matches!(member.node.value, Value::Array(_));
            if name == "dependentRequired" || (name == "dependencies" && names) {
                let names = self.strings(&member.node, name)?;
                self.record(id).dependent.required.push((key, names));
            } else {
                let schema = self.child(&member.node, pointer, &[name, &member.name], resource)?;
                self.record(id).dependent.schemas.push((key, schema));
            }
        }
        Ok(())
    }

    /// A schema that holds one `const` and nothing else documents that value.
    fn attach_value_docs(&mut self, id: SchemaId) {
        let schema = self.record(id);
        if schema.values.is_empty() || schema.asserts_beyond_values() {
            return;
        }
        let (docs, origin) = (schema.docs.clone(), schema.origin());
        if let [values] = schema.values.as_mut_slice()
            && let [value] = values.as_mut_slice()
        {
            value.docs = docs;
            value.origin = origin;
        }
    }

    fn reference(
        &mut self,
        id: SchemaId,
        value: &Node,
        resource: usize,
        dynamic: bool,
    ) -> Result<(), SchemaError> {
        let text = self.string(value, if dynamic { "$dynamicRef" } else { "$ref" })?;
        self.references.push(PendingReference {
            from: id,
            resource,
            text,
            at: value.at,
            dynamic,
        });
        Ok(())
    }

    fn definitions(
        &mut self,
        keyword: &Member,
        pointer: &str,
        resource: usize,
    ) -> Result<(), SchemaError> {
        let name = &*keyword.name;
        for member in self.object(&keyword.node, "$defs")? {
            let id = self.child(&member.node, pointer, &[name, &member.name], resource)?;
            self.record(id).definition = Some(member.name.to_string());
        }
        Ok(())
    }

    fn bound(
        &mut self,
        id: SchemaId,
        value: &Node,
        beside: Option<&Node>,
        name: &str,
    ) -> Result<(), SchemaError> {
        let exclusive =
            name.starts_with("exclusive") || beside.and_then(Node::as_bool) == Some(true);
        let bound = Bound {
            value: self.decimal(value, name)?,
            exclusive,
        };
        let lower = name.ends_with("inimum");
        let schema = self.record(id);
        let slot = if lower {
            &mut schema.minimum
        } else {
            &mut schema.maximum
        };
        *slot = Some(match slot.take() {
            Some(other) => {
                if lower {
                    other.tighter_minimum(bound)
                } else {
                    other.tighter_maximum(bound)
                }
            }
            None => bound,
        });
        Ok(())
    }

    fn types(&self, value: &Node) -> Result<TypeSet, SchemaError> {
        let named = |node: &Node| {
            node.as_str().and_then(TypeSet::named).ok_or_else(|| {
                self.error(node.at, "`type` takes null, boolean, integer, number, string, array or object, or a list of them")
            })
        };
        match &value.value {
            Value::Array(elements) if elements.is_empty() => {
                Err(self.error(value.at, "`type` takes at least one type"))
            }
            Value::Array(elements) => elements.iter().try_fold(TypeSet::NONE, |types, element| {
                Ok(types.union(named(element)?))
            }),
            _ => named(value),
        }
    }

    fn branches(
        &mut self,
        value: &Node,
        pointer: &str,
        resource: usize,
        name: &str,
    ) -> Result<Vec<SchemaId>, SchemaError> {
        let list = self.list(value, pointer, resource, name)?;
        if list.is_empty() {
            return Err(self.error(value.at, format!("`{name}` takes at least one schema")));
        }
        Ok(list)
    }

    fn list(
        &mut self,
        value: &Node,
        pointer: &str,
        resource: usize,
        name: &str,
    ) -> Result<Vec<SchemaId>, SchemaError> {
        let elements = self.array(value, name)?;
        elements
            .iter()
            .enumerate()
            .map(|(index, element)| {
                self.child(element, pointer, &[name, &index.to_string()], resource)
            })
            .collect()
    }

    fn map(
        &mut self,
        value: &Node,
        pointer: &str,
        resource: usize,
        name: &str,
    ) -> Result<Vec<(String, SchemaId)>, SchemaError> {
        let members = self.object(value, name)?;
        members
            .iter()
            .map(|member| {
                let id = self.child(&member.node, pointer, &[name, &member.name], resource)?;
                Ok((member.name.to_string(), id))
            })
            .collect()
    }

    fn record(&mut self, id: SchemaId) -> &mut super::Schema {
        &mut self.schemas[id.0 as usize]
    }

    fn docs(&mut self, id: SchemaId) -> &mut Docs {
        &mut self.record(id).docs
    }

    fn origin(&self, pointer: impl Into<Arc<str>>, node: &Node) -> Origin {
        Origin {
            pointer: pointer.into(),
            position: self.source().position(node.at),
        }
    }
}

/// Whether a value has the form of a map of schemas.
fn holds_schemas(value: &Node) -> bool {
    let is_schema = |node: &Node| matches!(node.value, Value::Object(_) | Value::Bool(_));
    matches!(value.value, Value::Object(_))
        && value.members().iter().all(|member| is_schema(&member.node))
}
