//! Whether a document is one schema, or a folder of definitions that are judged one by one.

use super::{Document, Target};
use std::collections::HashSet;

impl Document {
    /// Whether only the definitions of a document say anything.
    ///
    /// This looks at what is written and not at what it comes down to: a root that allows anything
    /// by a union of everything, or by a negation of nothing, is a root.
    pub(crate) fn is_rootless(&self) -> bool {
        if self.definitions.is_empty() {
            return false;
        }
        let mut seen = HashSet::new();
        let mut next = vec![self.root];
        while let Some(id) = next.pop() {
            let schema = self.schema(id);
            if !seen.insert(id) || schema.always == Some(true) {
                continue;
            }
            // A definition that only puts others together still names the whole.
            let composes = schema.all_of.len() > 1
                && (schema.docs.title.is_some() || schema.definition.is_some());
            let chooses = !schema.any_of.is_empty()
                || !schema.one_of.is_empty()
                || schema.not.is_some()
                || schema.conditional.is_some()
                || !schema.dependent.schemas.is_empty()
                || schema.unevaluated_properties.is_some()
                || schema.unevaluated_items.is_some();
            if schema.always == Some(false) || schema.asserts() || composes || chooses {
                return false;
            }
            next.extend(&schema.all_of);
            let reference = schema.reference.clone().map(Ok);
            let dynamic = self.settled_dynamic_target(id);
            for target in reference.into_iter().chain(dynamic) {
                match target {
                    Ok(Target::Schema(target)) => next.push(target),
                    Ok(Target::External(_)) | Err(_) => return false,
                }
            }
        }
        true
    }
}
