//! JSON Schema as written: keywords read into typed fields, references resolved, places kept.
//!
//! Every dialect from draft 4 on is folded to the terms of 2020-12 while it is read (`definitions`
//! and `$defs`, tuple `items`, boolean `exclusiveMinimum`, `dependencies`, `$recursiveRef`); a
//! keyword that a dialect does not know annotates in it. Relative references may lead to further
//! files, whose text the caller gives ([`Files`]).
//!
//! ```
//! use wirelock_codegen::{json::Source, schema::Document};
//! let text = r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "strin"}}}"##;
//! let error = Document::read(Source::new("s.json", text)).unwrap_err();
//! assert!(error.to_string().starts_with("s.json:1:47: "), "{error}");
//! ```

mod contract;
mod dialect;
mod error;
mod files;
mod identify;
mod keywords;
mod loops;
mod model;
mod read;
mod refs;
mod rootless;
mod values;

#[cfg(test)]
mod tests;

pub use contract::{Capabilities, Contract};
pub use error::SchemaError;
pub use files::{Files, file_of, pointer_prefix};
pub use model::{
    Conditional, Dependent, Document, EnumValue, Pattern, Resource, Schema, SchemaId, Target,
    TypeSet,
};
