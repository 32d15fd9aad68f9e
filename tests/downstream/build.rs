//! Writes the types of the contract of this repository, and of two schemas of this package's own.

use wirelock_codegen::{Config, ConfigError, Mode};

fn main() -> Result<(), ConfigError> {
    let contracts = Config::new()
        .mode(Mode::Borrowed)
        .schema("../../schema/stream-json.schema.json")
        .schema("event.schema.json");
    for compiled in contracts.compile()? {
        // What no Rust type fits is a JSON value; a contract that should have none can say so here.
        assert!(
            compiled.untyped.iter().all(|place| !place.is_value),
            "{:?}",
            compiled.untyped
        );
    }
    // Nothing in it is free-form, so that its types can be keys of a map.
    Config::new()
        .schema("level.json")
        .derive("Hash")
        .derive("std::fmt::Debug")
        .compile()?;
    Ok(())
}
