//! What stands on the wire: a finite graph of shapes that is blind to how a schema spells them.
//!
//! A [`Node`] says what may stand at one place, type by type. `$ref`, `allOf`, `type` lists,
//! `anyOf` and `oneOf` are gone: a conjunction is merged, a disjunction is the list of
//! alternatives of each JSON type. The graph may be cyclic, and two schemas with the same wire
//! have graphs that are equal up to unrolling. Everything downstream (diff, strict reading,
//! sampler, canonical writer, types) reads this and never JSON Schema.

mod build;
mod canonical;
mod catchall;
mod elements;
mod make;
mod model;
mod openness;
pub mod pattern;
mod resolve;
mod strict;
mod subject;
mod walk;

pub use build::{build, read};
pub use canonical::{canonical, canonical_at};
pub use catchall::{check_schema, SchemaFault};
pub use elements::{elements, is_variant_element, places, reachable, reachable_in, value_elements, Element, ElementKey, Kind};
pub use model::*;
pub use openness::{is_closed_when_strict, names_beyond, told_apart};
pub use resolve::{arrays_of, catch_all_of, variants_of, Matcher, Untold};
pub use strict::{open_schema, published_schema, schema_at, strict_schema, Reading, Start};
pub use subject::{variant_label, Subject};
pub use walk::{walk, walk_document, Exercised, Place, Unknown, Walk};
