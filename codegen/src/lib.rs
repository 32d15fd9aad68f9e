//! Reads JSON Schema contracts into a wire view, judges their evolution, and generates Rust types.
//!
//! The parts depend on each other in one direction: [`json`] reads text, [`schema`] reads JSON
//! Schema as written, [`wire`] says what stands on the wire whatever spelling said so; everything
//! that decides or generates works on the wire view alone.

#[cfg(any(feature = "audit", feature = "evolution"))]
mod about;
#[cfg(feature = "audit")]
pub mod audit;
#[cfg(feature = "emit")]
pub mod config;
#[cfg(feature = "emit")]
pub mod emit;
#[cfg(feature = "evolution")]
pub mod evolution;
pub mod json;
mod maps;
#[cfg(feature = "schemars")]
mod open_set;
#[cfg(feature = "evolution")]
pub mod report;
pub mod schema;
mod seen;
pub mod wire;

#[cfg(feature = "emit")]
pub use config::{Compiled, Config, ConfigError, Mode};
