//! Two wire views to a verdict: what changed, under which rule, and whether that is allowed.
//!
//! ```
//! use wirelock_codegen::{evolution, wire};
//! let read = |text| wire::read("s.json", text).unwrap();
//! let old = read(r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#);
//! let new = read(r#"{"type": "object", "properties": {"text": {"type": "string"}}}"#);
//! let comparison = evolution::compare(&old, &new);
//! assert_eq!(comparison.changes[0].rule, "property-renamed");
//! assert_eq!(comparison.verdict(), evolution::Verdict::Breaking);
//! ```

pub(crate) mod answers;
mod automaton;
mod describe;
mod diff;
mod draft;
mod equal;
#[cfg(feature = "emit")]
mod generated_api;
mod golden;
mod judge;
mod model;
mod partition;
pub mod prove;
pub mod record;
mod regular;
pub mod rules;
pub mod witness;

pub use answers::{Answers, Contradiction, Direction, Refuted, Revision, answer};
pub(crate) use describe::scalars;
pub use diff::compare;
pub use draft::{Drafts, draft};
#[cfg(feature = "emit")]
pub use generated_api::{executed, generated_api};
pub use golden::{
    Fault, GoldenReport, Problem, Proof, Validators, check_append_only, check_goldens, compile,
    instance, prove_additions,
};
pub use model::*;
pub use witness::{Side, Witness};
