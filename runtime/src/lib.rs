//! Support types of generated wire types: reading, writing, and what a schema cannot name.
//!
//! Generated code leans on this crate so that every contract shares one decoder, one encoder and
//! one set of holders for the unknown. The crate itself knows no schema and no contract.
//!
//! ```
//! use wirelock_runtime::{Decode, Encode, Json};
//! let value = Json::from_str(r#"{"price": 1.50, "note": null}"#).unwrap();
//! // Numbers keep their text and members their order; only insignificant whitespace goes.
//! assert_eq!(value.to_json(), r#"{"price":1.50,"note":null}"#);
//! assert_eq!(value, Json::from_str(r#"{"note":null,"price":1.5}"#).unwrap());
//! ```
//!
//! Streams are behind features: `framing` for the core without input or output, and one for each
//! driver of it: `std`, `tokio`, `http` and `process`.

mod array;
#[cfg(feature = "std")]
pub mod blocking;
mod bridge;
mod decode;
mod encode;
mod error;
mod expect;
mod extra;
mod failure;
#[cfg(feature = "framing")]
pub mod framing;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod http;
mod include;
mod item;
mod json;
mod json_schema;
mod members;
mod number;
mod object;
mod open;
mod owned;
#[cfg(all(feature = "process", unix))]
pub mod process;
mod reader;
mod scalar;
mod scan;
#[cfg(feature = "tokio")]
pub mod stream;
mod tag;

pub use bridge::{deserialize, serialize};
pub use decode::{Decode, from_slice, from_str};
pub use encode::{Encode, ObjectWriter, write_list, write_string};
pub use error::{Code, ConversionError, Detail, Error, Result};
pub use extra::{Collector, Extra, Map, RawExtra, RawMap};
pub use failure::Failure;
pub use item::{Contract, FinalLine, Framing, Item};
pub use json::{Json, JsonObject, RawJson, RawObject};
pub use members::{Key, Member, Members};
pub use number::{Number, RawNumber};
pub use open::{Never, Null, Nullable, UnknownValue};
pub use owned::IntoOwned;
pub use reader::{Kind, MAX_DEPTH, Reader};
pub use scalar::{Integer, Limits};
pub use tag::Tag;

/// The matcher that generated types with a `pattern` use.
#[cfg(feature = "pattern")]
pub use regress;

/// Generated code says by it that it matches patterns, so that whoever lacks the feature is told of it.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "pattern")]
macro_rules! needs_pattern {
    () => {};
}

/// Generated code says by it that it matches patterns, so that whoever lacks the feature is told of it.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "pattern"))]
macro_rules! needs_pattern {
    () => {
        ::core::compile_error!(
            "the schema of these types has a `pattern`; switch on the feature that matches it, in Cargo.toml: wirelock-runtime = { .., features = [\"pattern\"] }"
        );
    };
}

#[cfg(feature = "schemars")]
#[doc(hidden)]
pub use json_schema::json_schema;
#[cfg(feature = "schemars")]
#[doc(hidden)]
pub use schemars;
#[doc(hidden)]
pub use serde;
