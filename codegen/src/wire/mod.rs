//! What stands on the wire: a finite graph of shapes that is blind to how a schema spells them.
//!
//! A [`Node`] says what may stand at one place, type by type. `$ref`, `allOf`, `type` lists,
//! `anyOf` and `oneOf` are gone: a conjunction is merged, a disjunction is the list of
//! alternatives of each JSON type. The graph may be cyclic, and two schemas with the same wire
//! have graphs that are equal up to unrolling. Everything downstream (diff, strict reading,
//! sampler, canonical writer, types) reads this and never JSON Schema.

mod model;
mod subject;

pub use model::*;
pub use subject::{variant_label, Subject};
