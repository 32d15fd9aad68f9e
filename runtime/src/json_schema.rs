//! Generated types as `schemars` asks for them: their schemas, and what these refer to.

/// `JsonSchema` for generated types, where the feature `schemars` is on; nothing otherwise.
///
/// Definitions come first, by name, as JSON text whose references begin with `#/$defs/`; then types,
/// each with the name of its definition.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "schemars"))]
macro_rules! impl_json_schema {
    ($($all:tt)*) => {};
}

/// `JsonSchema` for generated types, where the feature `schemars` is on; nothing otherwise.
///
/// Definitions come first, by name, as JSON text whose references begin with `#/$defs/`; then types,
/// each with the name of its definition.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "schemars")]
macro_rules! impl_json_schema {
    ($($definition:literal: $text:literal,)* ; $($type:ident = $name:literal,)*) => {
        const __DEFINITIONS: &[(&str, &str)] = &[$(($definition, $text)),*];
        $(
            impl $crate::schemars::JsonSchema for $type {
                // Every schema here is a reference to a definition of the contract's own name.
                fn inline_schema() -> bool {
                    true
                }
                fn schema_name() -> ::std::borrow::Cow<'static, str> {
                    $name.into()
                }
                fn schema_id() -> ::std::borrow::Cow<'static, str> {
                    ::core::concat!(::core::module_path!(), "::", $name).into()
                }
                fn json_schema(
                    generator: &mut $crate::schemars::SchemaGenerator,
                ) -> $crate::schemars::Schema {
                    $crate::json_schema(generator, ::core::module_path!(), __DEFINITIONS, $name)
                }
            }
        )*
    };
}

#[cfg(feature = "schemars")]
pub use generate::json_schema;

#[cfg(feature = "schemars")]
mod generate {
    use schemars::{Schema, SchemaGenerator};
    use serde_json::{Map, Value};
    use std::fmt::Write as _;

    const HERE: &str = "#/$defs/";

    /// The schema of a generated type: a reference to its definition, which is added to those of the
    /// generator with whatever it refers to.
    #[doc(hidden)]
    pub fn json_schema(
        generator: &mut SchemaGenerator,
        module: &str,
        definitions: &[(&str, &str)],
        name: &str,
    ) -> Schema {
        let path = generator.settings().definitions_path.clone().into_owned();
        let mut missing = vec![name.to_owned()];
        while let Some(name) = missing.pop() {
            // Definitions of several contracts may stand in one schema.
            let key = format!("{module}::{name}");
            if generator.definitions().contains_key(&key) {
                continue;
            }
            let text = definitions.iter().find(|(own, _)| *own == name);
            let mut value: Value = text
                .and_then(|(_, text)| serde_json::from_str(text).ok())
                .unwrap_or(Value::Bool(true));
            move_references(&mut value, &mut |name| {
                missing.push(name.to_owned());
                reference(&path, module, name)
            });
            generator.definitions_mut().insert(key, value);
        }
        let mut schema = Map::new();
        let reference = reference(&path, module, name);
        schema.insert("$ref".to_owned(), Value::String(reference));
        schema.into()
    }

    /// Rewrites the references of a schema; what looks like one in a value is none.
    fn move_references(schema: &mut Value, moved: &mut dyn FnMut(&str) -> String) {
        match schema {
            Value::Array(schemas) => {
                for schema in schemas {
                    move_references(schema, moved);
                }
            }
            Value::Object(members) => {
                for (keyword, value) in members {
                    match keyword.as_str() {
                        "$ref" => {
                            if let Some(name) = value.as_str().and_then(|to| to.strip_prefix(HERE))
                            {
                                *value = Value::String(moved(name));
                            }
                        }
                        "const" | "enum" | "default" | "examples" => {}
                        "properties" | "patternProperties" | "dependentSchemas" => {
                            for schema in
                                value.as_object_mut().into_iter().flat_map(Map::values_mut)
                            {
                                move_references(schema, moved);
                            }
                        }
                        _ => move_references(value, moved),
                    }
                }
            }
            _ => {}
        }
    }

    fn reference(path: &str, module: &str, name: &str) -> String {
        let mut address = format!("#{path}/");
        for byte in format!("{module}::{name}").bytes() {
            if byte.is_ascii_alphanumeric() || b"-._:".contains(&byte) {
                address.push(char::from(byte));
            } else {
                let _ = write!(address, "%{byte:02X}");
            }
        }
        address
    }
}
