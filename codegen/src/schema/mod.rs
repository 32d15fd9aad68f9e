//! JSON Schema as written: keywords read into typed fields, references resolved, places kept.

mod contract;

pub use contract::*;
