//! What keeps a schema from growing: sets that are closed. Legal, and worth knowing before the lock.

use super::{SchemaFault, Wire, places};

/// Each closed set of a schema, with what would open it.
///
/// Nothing here is a fault of the schema: a closed enum may be meant. But once a contract is
/// locked a closed set stays closed, so whoever writes one should know.
///
/// ```
/// use wirelock_codegen::wire;
/// let closed = wire::read("s.json", r#"{"properties": {"a": {"enum": ["x", "y"]}}}"#).unwrap();
/// assert!(wire::closed_sets(&closed)[0].message.contains("closed"));
/// ```
#[must_use]
pub fn closed_sets(wire: &Wire) -> Vec<SchemaFault> {
    let mut advice = Vec::new();
    for (id, subject) in places(wire) {
        let node = wire.node(id);
        let mut advise = |origin: &super::Origin, message: String, help: &str| {
            let help = help.to_owned();
            let origin = origin.clone();
            let subject = subject.to_string();
            advice.push(SchemaFault {
                origin,
                subject,
                message,
                help,
            });
        };
        let Some(place) = node.origins.first() else {
            continue;
        };
        let values = node
            .string
            .as_ref()
            .filter(|scalar| scalar.is_closed_enum());
        if values.is_some_and(|scalar| scalar.known.len() > 1) {
            let message = format!("the enum {subject} is closed: no value can be added to it");
            advise(
                place,
                message,
                "add {\"type\": \"string\"} as the last branch of an `anyOf`",
            );
        }
        let tagged = node.union && !node.tags.is_empty();
        if tagged && !node.objects.iter().any(super::Variant::is_catch_all) {
            let message = format!(
                "the union {subject} is closed: readers refuse variants that they do not know"
            );
            advise(
                place,
                message,
                "add a catch-all branch that excludes the known tags",
            );
        }
        for variant in &node.objects {
            let object = wire.object(variant.object);
            let declares = object.fields.values().any(|field| field.declared);
            if declares && wire.is_never(object.rest) {
                let message = format!(
                    "an object at {subject} is closed: readers refuse members that they do not know"
                );
                let origin = object.origins.first().unwrap_or(place);
                advise(origin, message, "leave out `additionalProperties: false`");
            }
        }
    }
    advice
}
