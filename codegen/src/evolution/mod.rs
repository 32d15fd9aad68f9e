//! Two wire views to a verdict: what changed, under which rule, and whether that is allowed.

mod model;
pub mod record;

pub use model::*;
