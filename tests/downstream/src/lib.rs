//! A package that generates its types in a build script.

wirelock_runtime::include_contract!(
    /// Lines of the contract of this repository.
    pub mod stream = "stream-json"
);
wirelock_runtime::include_contract!(
    /// Events in the manner of CloudEvents 1.0.
    pub mod event = "event"
);
wirelock_runtime::include_contract!(
    /// Levels, which can be keys of a map.
    pub mod level = "level"
);
