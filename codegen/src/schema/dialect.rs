//! The JSON Schema dialects that are told apart, and which keywords each of them knows.

use super::SchemaError;
use crate::json::{Node, Source};

/// A dialect; whatever it is, a schema is read into the terms of 2020-12.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
    /// No `$schema`: read as 2020-12, and with it those spellings of older dialects that 2020-12 has
    /// no meaning of its own for, because such schemas were seldom written for the newest dialect.
    Unstated,
}

impl Dialect {
    fn named(uri: &str) -> Option<Self> {
        let bare = uri.trim_end_matches('#');
        let bare = bare
            .strip_prefix("https://")
            .or_else(|| bare.strip_prefix("http://"))?;
        Some(match bare {
            "json-schema.org/draft-04/schema" => Self::Draft4,
            "json-schema.org/draft-06/schema" => Self::Draft6,
            "json-schema.org/draft-07/schema" => Self::Draft7,
            "json-schema.org/draft/2019-09/schema" => Self::Draft2019,
            "json-schema.org/draft/2020-12/schema" => Self::Draft2020,
            _ => return None,
        })
    }

    /// The dialect that a resource states for itself; nothing where it states none.
    pub(super) fn stated(source: &Source, root: &Node) -> Result<Option<Self>, SchemaError> {
        let Some(node) = root.get("$schema") else {
            return Ok(None);
        };
        let Some(uri) = node.as_str() else {
            return Err(SchemaError::at(source, node.at, "`$schema` takes a string"));
        };
        let known = Self::named(uri).ok_or_else(|| {
            SchemaError::at(
                source,
                node.at,
                format!("the dialect {uri:?} is not one that this tool reads"),
            )
            .help("drafts 4, 6, 7, 2019-09 and 2020-12 are; leave `$schema` out for the last")
        });
        known.map(Some)
    }

    /// Whether a keyword means something here. What a dialect does not know annotates in it, also
    /// where an older or a newer one gives it a meaning.
    pub(super) fn knows(self, keyword: &str) -> bool {
        match keyword {
            "const" | "contains" | "propertyNames" | "examples" | "contentEncoding"
            | "contentMediaType" => self >= Self::Draft6,
            "if" | "then" | "else" | "$comment" => self >= Self::Draft7,
            "$anchor"
            | "$vocabulary"
            | "contentSchema"
            | "deprecated"
            | "dependentRequired"
            | "dependentSchemas"
            | "minContains"
            | "maxContains"
            | "unevaluatedItems"
            | "unevaluatedProperties" => self >= Self::Draft2019,
            "$recursiveRef" | "$recursiveAnchor" => {
                matches!(self, Self::Draft2019 | Self::Unstated)
            }
            "prefixItems" | "$dynamicRef" | "$dynamicAnchor" => self >= Self::Draft2020,
            "additionalItems" => self != Self::Draft2020,
            _ => true,
        }
    }

    /// Up to draft 7 a `$ref` hides its siblings; what they say documents only.
    pub(super) fn reference_hides_siblings(self) -> bool {
        self <= Self::Draft7
    }

    /// The keyword that gives a schema its address.
    pub(super) fn id_keyword(self) -> &'static str {
        match self {
            Self::Draft4 => "id",
            _ => "$id",
        }
    }

    /// Whether `exclusiveMinimum` is a boolean that sharpens `minimum`.
    pub(super) fn has_boolean_exclusives(self) -> bool {
        matches!(self, Self::Draft4 | Self::Unstated)
    }

    /// Whether `exclusiveMinimum` is a bound of its own.
    pub(super) fn has_exclusive_bounds(self) -> bool {
        self != Self::Draft4
    }

    /// Whether an array of `items` is a tuple.
    pub(super) fn has_tuple_items(self) -> bool {
        self != Self::Draft2020
    }

    /// Whether an element that `contains` accepts counts as evaluated.
    pub(super) fn contains_evaluates(self) -> bool {
        self >= Self::Draft2020
    }
}
