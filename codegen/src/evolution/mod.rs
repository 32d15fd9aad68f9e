//! Two wire views to a verdict: what changed, under which rule, and whether that is allowed.

mod golden;
mod model;
pub mod record;

pub use golden::{
    Fault, GoldenReport, Problem, Proof, Validators, check_append_only, check_goldens, compile,
    instance, prove_additions,
};
pub use model::*;
