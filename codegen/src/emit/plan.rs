//! The plan: which Rust items there will be, before any of them is written.

// Where things are declared is for the comparison of revisions, which light builds are without.
#![cfg_attr(not(feature = "evolution"), allow(dead_code))]

use super::planner::Source;
use crate::json::Literal;
use crate::wire::{Docs, NodeId, Origin, StringFacts};

/// Index of an [`Item`] in [`Plan::items`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ItemId(pub(super) usize);

/// All items of one output.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) items: Vec<Item>,
    pub(super) roots: Vec<Root>,
    /// Places that are typed more loosely than the schema says.
    pub(super) notes: Vec<Note>,
    /// Which items have a lifetime, by index; empty where all texts are owned.
    pub(super) lends: Vec<bool>,
}

/// A place where reading starts.
#[derive(Debug, Clone)]
pub(super) struct Root {
    pub(super) name: String,
    /// Whether the schema gives it that name.
    pub(super) is_called: bool,
    pub(super) ty: Type,
    pub(super) docs: Docs,
}

/// A place that is typed more loosely than the schema says.
#[derive(Debug, Clone)]
pub(super) struct Note {
    pub(super) context: Context,
    pub(super) reason: String,
    /// Where the schema says more.
    pub(super) origin: Option<Origin>,
    /// Whether the place is a JSON value for want of a type.
    pub(super) is_value: bool,
}

/// One Rust item.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The Rust name; empty until names are given.
    pub(super) name: String,
    /// What the schema calls it (`title`, else definition key).
    pub(super) called: Option<String>,
    /// Where it was first met: the item around it and the part of the name that this place gives.
    pub(super) context: Context,
    pub(super) docs: Docs,
    /// Where the schema declares it, most specific first.
    pub(super) origins: Vec<Origin>,
    /// What of the wire view it is made from.
    pub(super) source: Quiet<Option<Source>>,
    pub(super) kind: Kind,
}

/// The place that gives an item without a name of its own one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) parent: Option<ItemId>,
    pub(super) part: String,
}

/// What a Rust item is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Struct(Struct),
    Union(Union),
    /// Alternatives of several JSON types.
    Mixed(Vec<MixedArm>),
    OpenEnum(Vec<EnumValue>),
    ClosedEnum(Vec<EnumValue>),
    /// A string with constraints.
    Text(StringFacts),
}

#[derive(Debug, Clone)]
pub(super) struct Struct {
    pub(super) fields: Vec<Field>,
    pub(super) rest: Rest,
    /// For the holder of unknown variants: how many of the leading fields are tags that it keeps,
    pub(super) unknown_tags: usize,
    /// and how many of these every unknown variant has.
    pub(super) required_tags: usize,
    /// Members that must stand but have no type of their own.
    pub(super) undeclared: Vec<String>,
}

/// Members that are not declared.
#[derive(Debug, Clone)]
pub(super) enum Rest {
    Refused,
    Kept(Type),
}

#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) wire: String,
    pub(super) rust: String,
    pub(super) ty: Type,
    pub(super) required: bool,
    /// The one value that may stand, where the member is required and so needs no field.
    pub(super) constant: Option<Literal>,
    pub(super) docs: Quiet<Docs>,
    /// Formats of a string, which the type does not check.
    pub(super) formats: Quiet<Vec<String>>,
    pub(super) origins: Quiet<Vec<Origin>>,
}

#[derive(Debug, Clone)]
pub(super) struct Union {
    /// The place whose object alternatives the arms are, in their order.
    pub(super) node: Quiet<Option<NodeId>>,
    pub(super) arms: Vec<Arm>,
}

#[derive(Debug, Clone)]
pub(super) struct Arm {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) tags: Vec<ArmTag>,
    /// Whether the type is the holder of unknown variants.
    pub(super) is_unknown: bool,
    pub(super) docs: Quiet<Docs>,
    pub(super) origin: Quiet<Option<Origin>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ArmTag {
    pub(super) name: String,
    /// Empty where the tag is open.
    pub(super) values: Vec<Literal>,
    /// Values that an open tag does not take.
    pub(super) excluded: Vec<Literal>,
}

#[derive(Debug, Clone)]
pub(super) struct MixedArm {
    pub(super) name: String,
    pub(super) json: JsonType,
    pub(super) ty: Type,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonType {
    Bool,
    Number,
    String,
    Array,
    Object,
}

#[derive(Debug, Clone)]
pub(super) struct EnumValue {
    pub(super) wire: String,
    pub(super) rust: String,
    pub(super) docs: Quiet<Docs>,
    pub(super) origin: Quiet<Option<Origin>>,
}

/// The Rust type of one place.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Type {
    Json,
    JsonObject,
    /// No value may stand there.
    Never,
    Null,
    Bool,
    String,
    /// `u64`, `i64`.
    Integer(&'static str, Limits),
    /// A number that keeps its text; `true` where it has to be an integer.
    Number(bool, Limits),
    /// One of these scalars, held by the type.
    OneOf(Vec<Literal>, Box<Type>),
    Named(ItemId),
    List(Box<Type>, u64, Option<u64>),
    Tuple(Vec<Type>),
    Map(Box<Type>),
    Nullable(Box<Type>),
    Boxed(Box<Type>),
}

/// Bounds of a number, as JSON numbers with whether they are exclusive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) min: Option<(String, bool)>,
    pub(super) max: Option<(String, bool)>,
    pub(super) multiple_of: Vec<String>,
}

/// Something that takes no part in comparing plans.
#[derive(Clone, Default)]
pub(super) struct Quiet<T>(pub(super) T);

impl<T> std::fmt::Debug for Quiet<T> {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

impl Type {
    /// Changes every reference to an item; `inline` says whether it is stored by value.
    pub(super) fn visit(&mut self, inline: bool, change: &mut impl FnMut(&mut Self, bool)) {
        match self {
            Self::Named(_) => change(self, inline),
            Self::Boxed(inner) | Self::List(inner, ..) | Self::Map(inner) => {
                inner.visit(false, change)
            }
            Self::Nullable(inner) | Self::OneOf(_, inner) => inner.visit(inline, change),
            Self::Tuple(places) => places
                .iter_mut()
                .for_each(|place| place.visit(inline, change)),
            Self::Json
            | Self::JsonObject
            | Self::Never
            | Self::Null
            | Self::Bool
            | Self::String
            | Self::Integer(..)
            | Self::Number(..) => {}
        }
    }
}

impl Kind {
    /// Changes every type that this item mentions.
    pub(super) fn types(&mut self) -> Vec<&mut Type> {
        match self {
            Self::Struct(shape) => {
                let rest = match &mut shape.rest {
                    Rest::Kept(ty) => Some(ty),
                    Rest::Refused => None,
                };
                shape
                    .fields
                    .iter_mut()
                    .map(|field| &mut field.ty)
                    .chain(rest)
                    .collect()
            }
            Self::Union(union) => union.arms.iter_mut().map(|arm| &mut arm.ty).collect(),
            Self::Mixed(arms) => arms.iter_mut().map(|arm| &mut arm.ty).collect(),
            Self::OpenEnum(_) | Self::ClosedEnum(_) | Self::Text(_) => Vec::new(),
        }
    }

    /// Calls back for every item this one refers to, and whether it holds it by value.
    pub(super) fn references(&self) -> Vec<(ItemId, bool)> {
        let mut found = Vec::new();
        let mut copy = self.clone();
        // The rest of a struct is a map, which stores on the heap.
        let rest_at = match &copy {
            Self::Struct(shape) if matches!(shape.rest, Rest::Kept(_)) => shape.fields.len(),
            _ => usize::MAX,
        };
        for (index, ty) in copy.types().into_iter().enumerate() {
            ty.visit(index != rest_at, &mut |ty, inline| {
                if let Type::Named(id) = ty {
                    found.push((*id, inline));
                }
            });
        }
        found
    }
}
