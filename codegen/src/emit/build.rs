//! Builds items: what a struct, a union or an enum is made of.

use super::names::{self, Scope};
use super::plan::{
    Arm, ArmTag, Context, EnumValue, Field, Item, ItemId, JsonType, Kind, MixedArm, Quiet, Rest,
    Struct, Type, Union,
};
use super::planner::{Planner, Source, called};
use super::{scalars, unknown};
use crate::wire::{
    Docs, Known, NodeId, Object, ObjectId, Scalar, StringFacts, Variant, Wire, plain,
};
use std::collections::HashMap;

impl Planner<'_> {
    /// The item of a source.
    pub(super) fn build(&mut self, id: ItemId, source: &Source) -> Item {
        let context = self.contexts.get(id.0).cloned().unwrap_or(Context {
            parent: None,
            part: String::new(),
        });
        let (docs, definition, kind) = match source {
            Source::Object(object) => {
                let shape = self.wire.object(*object);
                (
                    shape.docs.clone(),
                    shape.definition.clone(),
                    Kind::Struct(self.structure(id, *object)),
                )
            }
            Source::Union(node) => {
                let place = self.wire.node(*node);
                (
                    place.docs.clone(),
                    place.definition.clone(),
                    self.union(id, *node),
                )
            }
            Source::Unknown(node, catch_alls) => unknown::holder(self, id, *node, catch_alls),
            Source::Node(node) => {
                let place = self.wire.node(*node);
                (
                    place.docs.clone(),
                    place.definition.clone(),
                    Kind::Mixed(self.mixed(id, *node)),
                )
            }
            Source::String(node) => {
                let place = self.wire.node(*node);
                let kind = place
                    .string
                    .as_ref()
                    .map_or(Kind::Text(StringFacts::default()), string_kind);
                // A place that may hold other types as well gives its name to what holds them all.
                let sole = place.boolean.is_none()
                    && place.number.is_none()
                    && place.arrays.is_empty()
                    && place.objects.is_empty();
                if sole {
                    (place.docs.clone(), place.definition.clone(), kind)
                } else {
                    (Docs::default(), None, kind)
                }
            }
        };
        let called = called(&docs, definition.as_deref()).or_else(|| self.called.get(&id).cloned());
        let docs = match self.docs.get(&id) {
            Some(root) if docs.title.is_none() && docs.description.is_none() => root.clone(),
            _ => docs,
        };
        Item {
            name: String::new(),
            called,
            context,
            docs,
            origins: self.origins(source),
            source: Quiet(Some(source.clone())),
            kind,
        }
    }

    pub(super) fn structure(&mut self, id: ItemId, object: ObjectId) -> Struct {
        let shape = self.wire.object(object);
        let taken = Scope::with(&["extra"]);
        let declared = shape.fields.iter().filter(|(_, field)| field.declared);
        let names = names::unique(
            declared.clone().map(|(name, _)| name.as_str()),
            names::snake,
            taken,
        );
        let mut fields = Vec::new();
        for ((wire, field), rust) in declared.zip(names) {
            fields.push(self.field(id, wire, field, rust));
        }
        let rest = match self.rest_is_refused(object) {
            true => Rest::Refused,
            false => Rest::Kept(self.rest(
                object,
                &Context {
                    parent: Some(id),
                    part: "Extra".to_owned(),
                },
            )),
        };
        Struct {
            fields,
            rest,
            unknown_tags: 0,
            required_tags: 0,
            undeclared: undeclared(shape),
        }
    }

    fn field(&mut self, id: ItemId, wire: &str, field: &crate::wire::Field, rust: String) -> Field {
        let constant = scalars::constant(self.wire, field.node).filter(|_| field.required);
        let own = Context {
            parent: Some(id),
            part: wire.to_owned(),
        };
        let context = self.shared.get(&field.node).cloned().unwrap_or(own);
        // A constant needs no type, and typing it would only leave an item nobody uses.
        let ty = if constant.is_some() {
            Type::Json
        } else {
            self.place(field.node, &context)
        };
        Field {
            wire: wire.to_owned(),
            rust,
            ty,
            required: field.required,
            constant,
            docs: Quiet(field.docs.clone()),
            formats: Quiet(formats(self.wire, field.node)),
            origins: Quiet(field.origins.clone()),
        }
    }

    fn union(&mut self, id: ItemId, node: NodeId) -> Kind {
        let place = self.wire.node(node);
        let catch_alls = unknown::groups(self.wire, place);
        self.share(id, place);
        let mut arms = Vec::new();
        for (index, variant) in place.objects.iter().enumerate() {
            let held = catch_alls.iter().find(|group| group.contains(&index));
            let label = label(self.wire, variant);
            let context = Context {
                parent: Some(id),
                part: label.clone(),
            };
            let (name, ty) = match held {
                Some(group) => {
                    let name = if group.len() > 1 || catch_alls.len() == 1 {
                        "Unknown".to_owned()
                    } else {
                        format!("Unknown {label}")
                    };
                    (
                        name,
                        self.item(
                            Source::Unknown(node, group.clone()),
                            &Context {
                                parent: Some(id),
                                part: "Unknown".to_owned(),
                            },
                        ),
                    )
                }
                None => (label, self.object(variant.object, &context)),
            };
            arms.push(Arm {
                name,
                ty,
                tags: self.tags(variant),
                is_unknown: held.is_some(),
                docs: Quiet(variant.docs.clone()),
                origin: Quiet(Some(variant.origin.clone())),
            });
        }
        Kind::Union(Union {
            node: Quiet(Some(node)),
            arms,
        })
    }

    /// Keeps which places several variants have at a member of one name.
    fn share(&mut self, id: ItemId, place: &crate::wire::Node) {
        let mut seen: HashMap<(&str, NodeId), ObjectId> = HashMap::new();
        for variant in place
            .objects
            .iter()
            .filter(|variant| !variant.is_catch_all())
        {
            for (name, field) in &self.wire.object(variant.object).fields {
                let first = *seen.entry((name, field.node)).or_insert(variant.object);
                if first != variant.object {
                    self.shared.entry(field.node).or_insert_with(|| Context {
                        parent: Some(id),
                        part: name.clone(),
                    });
                }
            }
        }
    }

    fn tags(&self, variant: &Variant) -> Vec<ArmTag> {
        let object = self.wire.object(variant.object);
        let excluded = |name: &str| {
            let node = object
                .fields
                .get(name)
                .map(|field| self.wire.node(field.node));
            let string = node.and_then(|node| node.string.as_ref());
            string
                .map(|string| {
                    string
                        .tails
                        .iter()
                        .flat_map(|facts| facts.excluded.clone())
                        .collect()
                })
                .unwrap_or_default()
        };
        variant
            .tags
            .iter()
            .map(|tag| ArmTag {
                name: tag.name.clone(),
                values: tag.values.clone(),
                excluded: excluded(&tag.name),
            })
            .collect()
    }

    fn mixed(&mut self, id: ItemId, node: NodeId) -> Vec<MixedArm> {
        let place = self.wire.node(node);
        let context = |part: &str| Context {
            parent: Some(id),
            part: part.to_owned(),
        };
        let mut arms = Vec::new();
        let mut add = |name: String, json, ty| arms.push(MixedArm { name, json, ty });
        if let Some(shape) = &place.boolean {
            add("Bool".to_owned(), JsonType::Bool, scalars::boolean(shape));
        }
        if let Some(number) = &place.number {
            let ty = self.number(number, &context("Number"));
            let name = if matches!(ty, Type::Integer(..)) {
                "Integer"
            } else {
                "Number"
            };
            add(name.to_owned(), JsonType::Number, ty);
        }
        if let Some(string) = &place.string {
            add(
                "String".to_owned(),
                JsonType::String,
                self.string(node, string, &context("String")),
            );
        }
        for (index, array) in place.arrays.iter().enumerate() {
            let name = if index == 0 {
                "Array".to_owned()
            } else {
                format!("Array{}", index + 1)
            };
            let ty = self.array(array, &context(&name));
            add(name, JsonType::Array, ty);
        }
        if !place.objects.is_empty() {
            let ty = self.objects(node, &context("Object"));
            add("Object".to_owned(), JsonType::Object, ty);
        }
        arms
    }
}

fn formats(wire: &Wire, node: NodeId) -> Vec<String> {
    let string = wire.node(node).string.as_ref();
    string
        .map(|string| {
            string
                .tails
                .iter()
                .flat_map(|facts| facts.formats.clone())
                .collect()
        })
        .unwrap_or_default()
}

/// Names that are required but declared nowhere: they are kept among the undeclared members.
fn undeclared(shape: &Object) -> Vec<String> {
    let required = shape
        .fields
        .iter()
        .filter(|(_, field)| field.required && !field.declared);
    required.map(|(name, _)| name.clone()).collect()
}

/// What tells an alternative apart, as its name: the value of each tag. Of several values the first
/// one stands for all, so that one more moves no name.
fn label(wire: &Wire, variant: &Variant) -> String {
    let tags = variant.tags.iter().filter(|tag| !tag.values.is_empty());
    let object = wire.object(variant.object);
    let has_name = called(&object.docs, object.definition.as_deref()).is_some();
    if has_name && tags.clone().any(|tag| tag.values.len() > 1) {
        // Its own type says better what it is than one value among several.
        return String::new();
    }
    let parts: Vec<String> = tags
        .filter_map(|tag| tag.values.first().map(plain))
        .collect();
    parts.join(" ")
}

fn string_kind(string: &Scalar<StringFacts>) -> Kind {
    if string.is_closed_enum() {
        return Kind::ClosedEnum(values(&string.known, Scope::default()));
    }
    if string.is_open_enum() {
        return Kind::OpenEnum(values(&string.known, Scope::with(&["Unknown"])));
    }
    Kind::Text(string.tails.first().cloned().unwrap_or_default())
}

fn values(known: &[Known], scope: Scope) -> Vec<EnumValue> {
    let texts: Vec<String> = known.iter().map(|known| plain(&known.value)).collect();
    let names = names::unique(texts.iter().map(String::as_str), names::pascal, scope);
    let with_docs = known.iter().zip(texts.clone()).zip(names);
    with_docs
        .map(|((known, wire), rust)| EnumValue {
            wire,
            rust,
            docs: Quiet(known.docs.clone()),
            origin: Quiet(Some(known.origin.clone())),
        })
        .collect()
}
