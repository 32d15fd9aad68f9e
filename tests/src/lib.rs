//! Tests over the whole project, see the folder `tests`; here, what makes the random ones: schemas,
//! pairs of them, documents that tell the two sides of a pair apart, and the search for a smaller case;
//! the cases that come from elsewhere; the schema that every report follows; and packages that a test
//! hands to cargo.
//!
//! ```
//! let (old, new) = wirelock_tests::pairs::pair(1, 0);
//! assert_eq!((old, new), wirelock_tests::pairs::pair(1, 0));
//! ```

mod chance;
pub mod documents;
pub mod growth;
pub mod handed;
pub mod pairs;
pub mod report_schema;
pub mod schemas;
pub mod scratch;
pub mod shrink;
pub mod spots;

pub use chance::Chance;

/// The Rust in the README compiles and does what it says.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
