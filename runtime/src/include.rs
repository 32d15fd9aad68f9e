//! Brings in what a build script generated.

/// A module with the types that a build script wrote by `wirelock_codegen::Config`.
///
/// The name is that of the schema's file without `.schema` and `.json`. Lints that are about code
/// written by hand are off in the module; documentation of yours goes in front of it.
///
/// ```ignore
/// wirelock_runtime::include_contract!(
///     /// The events of this service.
///     pub mod events = "events"
/// );
/// ```
///
/// (The example needs a build script; `tests/downstream` is a package that has one.)
#[macro_export]
macro_rules! include_contract {
    ($(#[$attribute:meta])* $visibility:vis mod $module:ident = $name:literal) => {
        $(#[$attribute])*
        // A package uses some of its contract's types, and decides by its own `mod` who sees them.
        #[allow(dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
        $visibility mod $module {
            ::core::include!(::core::concat!(::core::env!("OUT_DIR", "`include_contract!` brings in what a build script generates, and this package has none; see `wirelock_codegen::Config`"), "/", $name, ".rs"));
        }
    };
}
