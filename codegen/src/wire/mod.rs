//! What stands on the wire: a finite graph of shapes that is blind to how a schema spells them.
//!
//! A [`Node`] says what may stand at one place, type by type. `$ref`, `allOf`, `type` lists,
//! `anyOf` and `oneOf` are gone: a conjunction is merged, a disjunction is the list of
//! alternatives of each JSON type. The graph may be cyclic, and two schemas with the same wire
//! have graphs that are equal up to unrolling. Everything downstream (diff, strict reading,
//! sampler, canonical writer, types) reads this and never JSON Schema.

mod advice;
mod annotation;
mod build;
mod canonical;
mod catchall;
mod elements;
mod facts;
mod free;
mod make;
mod model;
mod openness;
pub mod pattern;
mod resolve;
mod sample;
mod strict;
mod subject;
mod walk;

#[cfg(test)]
mod convention_tests;

pub use advice::closed_sets;
pub use build::{Says, build, disjoint, read, read_with, tag_says};
pub use canonical::{canonical, canonical_at};
pub use catchall::{SchemaFault, check_schema, check_unions};
pub use elements::{
    Element, ElementKey, Kind, element_keys, elements, is_variant_element, places, reachable,
    reachable_in, value_elements,
};
#[cfg(feature = "evolution")]
pub(crate) use elements::{is_field_element, parts};
pub use facts::ScalarFacts;
pub use model::*;
pub use openness::{
    is_closed_when_strict, is_tagged_union, may_gain_types, names_beyond, told_apart,
};
pub use resolve::{Matcher, Untold, arrays_of, catch_all_of, variants_of};
pub use sample::{SampleOptions, Samples, Style, Way, sample};
pub use strict::{
    Definitions, Part, Reading, Start, open_schema, published_schema, schema_at, strict_schema,
};
pub use subject::{Subject, variant_label, variant_labels};
#[cfg(feature = "audit")]
pub(crate) use walk::is_integer_place;
pub use walk::{Exercised, Place, Unknown, Walk, walk, walk_document};
