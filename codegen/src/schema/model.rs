//! The data of a schema document: one record for each schema, in an arena.

use super::{Contract, SchemaError};
use crate::json::{Decimal, Literal, Node, Position, Source};
use crate::maps::{HashMap, HashSet, IndexMap};
use crate::wire::{Bound, Docs, Origin};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Index of a [`Schema`] in its [`Document`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaId(pub(crate) u32);

/// One schema document, read and with its references resolved.
#[derive(Debug)]
pub struct Document {
    /// The text, for places.
    pub source: Source,
    /// The texts of the further files that belong to it.
    pub(crate) other_sources: Vec<Source>,
    /// The whole document as one value, its further files included.
    pub(crate) node: Arc<Node>,
    pub(crate) schemas: Vec<Schema>,
    pub(crate) root: SchemaId,
    /// The entries of the root's `$defs` and `definitions`.
    pub(crate) definitions: Vec<(String, SchemaId)>,
    /// Whether some schema has an `unevaluated*` keyword, for which an `if` alone matters too.
    pub(crate) unevaluated: bool,
    /// The root's `x-contract`.
    pub(crate) contract: Option<Contract>,
    /// The schema resources; the document itself is the first. [`Schema::resource`] is an index here.
    pub(crate) resources: Vec<Resource>,
    /// A vocabulary that is required and not known here, with the schema that requires it and the place.
    pub(crate) unknown_vocabulary: Option<(String, SchemaId, u32)>,
    /// Why the references of these schemas are [`Target::External`].
    pub(crate) open: HashMap<SchemaId, String>,
    /// Those of them that are only open because they lead back to themselves.
    pub(crate) loops: HashSet<SchemaId>,
}

/// A schema resource: the part of a document that one address (`$id`) owns, without the resources
/// inside it. A walk that goes from one schema to another enters the other's resource, and the list of the
/// resources entered so far, outermost first, is the dynamic scope that [`Document::dynamic_target`]
/// asks for.
#[derive(Debug, Clone)]
pub struct Resource {
    /// The schema that the address names.
    pub root: SchemaId,
    /// The schemas that `$dynamicAnchor` names here; what `$recursiveAnchor` of 2019-09 marks has
    /// the name `""`.
    pub(crate) dynamic_anchors: BTreeMap<String, SchemaId>,
    /// Whether an element that `contains` accepts counts as evaluated for `unevaluatedItems`, as it
    /// does from 2020-12 on. Some validators let it count in 2019-09 too.
    pub contains_evaluates: bool,
    /// Whether nothing states the dialect that it is written in.
    #[cfg(feature = "evolution")]
    pub(crate) states_no_dialect: bool,
    /// The file it stands in: 0 for the document itself, then one of its further files.
    pub(crate) file: usize,
}

/// Where a reference leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// To a schema of this document.
    Schema(SchemaId),
    /// Nowhere that is known: out of this document and its folder, to a file that is not there, or
    /// back to itself for the same value. [`Document::why_open`] tells.
    External(String),
}

/// A set of JSON types; `integer` is a type of its own here.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct TypeSet(pub(crate) u8);

impl TypeSet {
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    /// Numbers with a fraction; no schema names these alone.
    pub(crate) const FRACTION: Self = Self(8);
    /// Numbers with and without fraction.
    pub(crate) const NUMBER: Self = Self(8 | 4);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ALL: Self = Self(127);
    pub(crate) const NONE: Self = Self(0);
    /// All but arrays and objects.
    pub(crate) const SCALARS: Self = Self(31);

    /// The set of one type by its JSON Schema name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the two share a type.
    pub(crate) const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each type alone.
    pub(crate) fn each(self) -> impl Iterator<Item = Self> {
        let single = (0..7).map(|bit| Self(1 << bit));
        single.filter(move |one| self.overlaps(*one))
    }

    /// Whether numbers are allowed, but only those without fraction.
    pub(crate) const fn integers_only(self) -> bool {
        self.0 & 12 == 4
    }
}

/// A value of `enum` or `const`.
#[derive(Debug, Clone)]
pub struct EnumValue {
    /// The value.
    pub value: Literal,
    /// The place of the value, or of the schema where that holds a `const` alone.
    pub origin: Origin,
    /// Documentation that belongs to the value: that of a schema that holds a `const` alone.
    pub docs: Docs,
}

/// One entry of `patternProperties`.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The pattern as written.
    pub pattern: String,
    /// The schema of matching members.
    pub schema: SchemaId,
}

/// `if` with its `then` and `else`.
#[derive(Debug, Clone, Copy)]
pub struct Conditional {
    pub(crate) condition: SchemaId,
    pub(crate) then: Option<SchemaId>,
    pub(crate) otherwise: Option<SchemaId>,
}

/// Entries of `dependentRequired` and `dependentSchemas`.
#[derive(Debug, Clone, Default)]
pub struct Dependent {
    pub(crate) required: Vec<(String, Vec<String>)>,
    pub(crate) schemas: Vec<(String, SchemaId)>,
}

/// One schema: its keywords as typed fields, absent ones as `None` or empty.
///
/// Most schemas have few keywords, so those beyond the ones here are [`Keywords`] that are allocated
/// when the first is read. Their fields are read and written as if they were fields of this.
#[derive(Debug)]
pub struct Schema {
    /// Its pointer; in a further file behind the path of that and `#`.
    pub(crate) pointer: Arc<str>,
    pub(crate) at: u32,
    pub(crate) position: Position,
    /// The index in [`Document::resources`] of the resource it stands in.
    pub(crate) resource: u32,
    /// A boolean schema.
    pub(crate) always: Option<bool>,
    pub(crate) types: Option<TypeSet>,
    /// The key of `$defs` or `definitions` it stands under.
    pub(crate) definition: Option<String>,
    pub(crate) docs: Docs,
    pub(crate) reference: Option<Target>,
    keywords: Option<Box<Keywords>>,
}

/// The keywords that fewer schemas have.
#[derive(Debug, Default)]
pub struct Keywords {
    /// `$dynamicRef` or `$recursiveRef`: the name it looks for (`""` for the latter), and where it
    /// leads without regard to the dynamic scope. [`Document::dynamic_target`] gives the other answer.
    pub(crate) dynamic_reference: Option<(String, Target)>,
    /// `const` and `enum`; both given means both hold, so each is a list of its own.
    pub(crate) values: Vec<Vec<EnumValue>>,
    pub(crate) minimum: Option<Bound>,
    pub(crate) maximum: Option<Bound>,
    pub(crate) multiple_of: Option<Decimal>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) pattern: Option<String>,
    pub(crate) format: Option<String>,
    pub(crate) content: Vec<String>,
    pub(crate) prefix_items: Vec<SchemaId>,
    pub(crate) items: Option<SchemaId>,
    pub(crate) contains: Option<SchemaId>,
    pub(crate) min_contains: Option<u64>,
    pub(crate) max_contains: Option<u64>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique_items: bool,
    pub(crate) unevaluated_items: Option<SchemaId>,
    pub(crate) properties: IndexMap<String, SchemaId>,
    pub(crate) pattern_properties: Vec<Pattern>,
    pub(crate) additional_properties: Option<SchemaId>,
    pub(crate) property_names: Option<SchemaId>,
    pub(crate) required: Vec<String>,
    pub(crate) min_properties: Option<u64>,
    pub(crate) max_properties: Option<u64>,
    pub(crate) dependent: Dependent,
    pub(crate) unevaluated_properties: Option<SchemaId>,
    pub(crate) all_of: Vec<SchemaId>,
    pub(crate) any_of: Vec<SchemaId>,
    pub(crate) one_of: Vec<SchemaId>,
    pub(crate) not: Option<SchemaId>,
    pub(crate) conditional: Option<Conditional>,
}

impl std::ops::Deref for Schema {
    type Target = Keywords;

    fn deref(&self) -> &Keywords {
        static NONE: LazyLock<Keywords> = LazyLock::new(Keywords::default);
        self.keywords.as_deref().unwrap_or_else(|| &NONE)
    }
}

impl std::ops::DerefMut for Schema {
    fn deref_mut(&mut self) -> &mut Keywords {
        self.keywords.get_or_insert_default()
    }
}

impl Schema {
    pub(crate) fn empty(pointer: Arc<str>, at: u32, position: Position, resource: u32) -> Self {
        Self {
            pointer,
            at,
            position,
            resource,
            always: None,
            types: None,
            definition: None,
            docs: Docs::default(),
            reference: None,
            keywords: None,
        }
    }

    /// Where it stands.
    pub(crate) fn origin(&self) -> Origin {
        Origin {
            pointer: self.pointer.clone(),
            position: self.position,
        }
    }

    /// Whether the schema itself, its references and combinators aside, constrains an instance.
    pub(crate) fn asserts(&self) -> bool {
        self.types.is_some() || !self.values.is_empty() || self.asserts_beyond_values()
    }

    /// Whether it constrains by more than `type`, `const` and `enum`.
    pub(crate) fn asserts_beyond_values(&self) -> bool {
        self.keywords.is_some()
            && (self.asserts_on_scalars() || self.asserts_on_arrays() || self.asserts_on_objects())
    }

    /// Whether it constrains numbers or strings by more than that.
    pub(crate) fn asserts_on_scalars(&self) -> bool {
        self.minimum.is_some()
            || self.maximum.is_some()
            || self.multiple_of.is_some()
            || self.min_length.is_some()
            || self.max_length.is_some()
            || self.pattern.is_some()
            || self.format.is_some()
            || !self.content.is_empty()
    }

    /// Whether nothing but keywords of its own speaks: no reference, no combinator, no condition.
    pub(crate) fn speaks_alone(&self) -> bool {
        self.any_of.is_empty() && self.speaks_alone_beside_any_of()
    }

    /// The same, `anyOf` aside.
    pub(crate) fn speaks_alone_beside_any_of(&self) -> bool {
        self.always.is_none()
            && self.reference.is_none()
            && self.dynamic_reference.is_none()
            && self.all_of.is_empty()
            && self.one_of.is_empty()
            && self.not.is_none()
            && self.conditional.is_none()
            && self.dependent.schemas.is_empty()
            && self.unevaluated_items.is_none()
            && self.unevaluated_properties.is_none()
    }

    pub(crate) fn asserts_on_arrays(&self) -> bool {
        !self.prefix_items.is_empty()
            || self.items.is_some()
            || self.contains.is_some()
            || self.min_items.is_some()
            || self.max_items.is_some()
            || self.unique_items
    }

    pub(crate) fn asserts_on_objects(&self) -> bool {
        !self.properties.is_empty() || !self.required.is_empty() || self.asserts_on_other_members()
    }

    /// Whether it constrains objects by more than naming members and requiring them.
    pub(crate) fn asserts_on_other_members(&self) -> bool {
        !self.pattern_properties.is_empty()
            || self.additional_properties.is_some()
            || self.property_names.is_some()
            || self.min_properties.is_some()
            || self.max_properties.is_some()
            || !self.dependent.required.is_empty()
    }
}

impl Document {
    pub(crate) fn schema(&self, id: SchemaId) -> &Schema {
        &self.schemas[id.0 as usize]
    }

    /// The resource a schema stands in.
    pub(crate) fn resource(&self, id: SchemaId) -> &Resource {
        &self.resources[self.schema(id).resource as usize]
    }

    /// Where the dynamic reference of a schema leads in a dynamic scope: the resources that the walk
    /// to the schema entered, outermost first, each by its index in [`Document::resources`]. The
    /// outermost that declares the anchor wins. Nothing where the schema has no such reference.
    ///
    /// A reference that does not land on a dynamic anchor in the first place is an ordinary one.
    pub(crate) fn dynamic_target(&self, id: SchemaId, scope: &[u32]) -> Option<Target> {
        let (name, target) = self.schema(id).dynamic_reference.as_ref()?;
        if !self.is_dynamic(id) {
            return Some(target.clone());
        }
        let declared = |resource: &u32| {
            let resource = &self.resources[*resource as usize];
            resource.dynamic_anchors.get(name).copied()
        };
        let outermost = scope.iter().find_map(declared);
        Some(outermost.map_or_else(|| target.clone(), Target::Schema))
    }

    /// Whether where a schema's dynamic reference leads depends on the dynamic scope.
    pub(crate) fn is_dynamic(&self, id: SchemaId) -> bool {
        match &self.schema(id).dynamic_reference {
            Some((name, Target::Schema(target))) => {
                self.resource(*target).dynamic_anchors.get(name) == Some(target)
            }
            _ => false,
        }
    }

    #[cfg(feature = "evolution")]
    /// Whether the reference of a schema is cut because it leads back to itself.
    pub(crate) fn leads_back(&self, id: SchemaId) -> bool {
        self.loops.contains(&id)
    }

    /// Why the reference of a schema is [`Target::External`].
    pub(crate) fn why_open(&self, id: SchemaId) -> &str {
        self.open.get(&id).map_or("", String::as_str)
    }

    /// Where the dynamic reference of a schema leads in every evaluation that starts at the root, as
    /// far as that can be told without following one: the root's own resource is the outermost
    /// scope, so its anchor wins, and one anchor of a name leaves no choice either.
    pub(crate) fn settled_dynamic_target(&self, id: SchemaId) -> Option<Result<Target, String>> {
        let (name, target) = self.schema(id).dynamic_reference.as_ref()?;
        let first = self.dynamic_target(id, &[0])?;
        let declared = |resource: &Resource| resource.dynamic_anchors.contains_key(name);
        let rivals = self.resources.iter().filter(|one| declared(one)).count();
        let settled = !self.is_dynamic(id) || rivals == 1 || declared(&self.resources[0]);
        Some(match (settled, target) {
            (true, Target::External(_)) => Err(self.why_open(id).to_owned()),
            (true, Target::Schema(_)) => Ok(first),
            (false, _) => Err(format!(
                "several schemas declare the dynamic anchor \"#{name}\", and which one is meant depends on the path"
            )),
        })
    }

    /// The text that a schema stands in.
    pub(crate) fn source_of(&self, id: SchemaId) -> &Source {
        match self.resource(id).file.checked_sub(1) {
            Some(other) => &self.other_sources[other],
            None => &self.source,
        }
    }

    /// Whether nothing states the dialect that a schema is written in.
    #[cfg(feature = "evolution")]
    pub(crate) fn states_no_dialect(&self, id: SchemaId) -> bool {
        self.resource(id).states_no_dialect
    }

    /// A fault at a schema.
    pub(crate) fn error(&self, id: SchemaId, message: impl Into<String>) -> SchemaError {
        SchemaError::at(self.source_of(id), self.schema(id).at, message)
    }

    /// The place of a schema.
    pub(crate) fn origin(&self, id: SchemaId) -> Origin {
        self.schema(id).origin()
    }
}
