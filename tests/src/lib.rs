//! Tests over the whole project; see the folder `tests`.

/// The Rust in the README compiles and does what it says.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
