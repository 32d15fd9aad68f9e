//! Schemas that the validator would take forever to compile, or all the stack to follow: untrusted
//! ones must neither hang nor end the judge.

use crate::schema::{Document, SchemaId, Target};

/// Schemas in place, each counted once for every way that leads to it.
const MAX_UNROLLED: u64 = 100_000;
/// Schemas in place inside one another; the validator takes a few calls for each.
const MAX_DEPTH: u64 = 1_000;
/// Resources with dynamic anchors; the validator follows each order in which they are entered.
const MAX_DYNAMIC: usize = 20;

/// Why a schema cannot be given to the validator, where it cannot.
pub(in crate::evolution) fn endless(document: &Document) -> Option<&'static str> {
    let resources = document.resources.iter();
    let dynamic = resources.filter(|resource| !resource.dynamic_anchors.is_empty());
    if dynamic.count() > MAX_DYNAMIC {
        return Some("it has too many resources with dynamic anchors for the validator");
    }
    // Only for what is not evaluated the validator compiles a schema in place for each way to it.
    if document.unevaluated && most(document, u64::saturating_add) > MAX_UNROLLED {
        return Some("it unfolds into too many schemas in place for the validator");
    }
    if most(document, |deepest, part| deepest.max(part + 1)) > MAX_DEPTH {
        return Some("its references lead on for too long for the validator");
    }
    None
}

/// The most that one schema comes to, which is one and what is added for each schema in place. One
/// that leads back to itself counts as one there, as it is compiled once.
fn most(document: &Document, add: fn(u64, u64) -> u64) -> u64 {
    const OPEN: u64 = 0;
    let mut counts: Vec<Option<u64>> = vec![None; document.schemas.len()];
    let mut most = 0;
    for start in 0..document.schemas.len() {
        // What is left to do: a schema the first time, and again once its parts are counted.
        let mut stack = vec![start];
        while let Some(at) = stack.last().copied() {
            let parts = in_place(document, at);
            match counts[at] {
                None => {
                    counts[at] = Some(OPEN);
                    stack.extend(parts.iter().filter(|part| counts[**part].is_none()));
                }
                Some(OPEN) => {
                    stack.pop();
                    let part = |part: &usize| counts[*part].unwrap_or(1).max(1);
                    let parts = parts.iter().map(part);
                    let count = parts.fold(1, add);
                    counts[at] = Some(count);
                    most = most.max(count);
                }
                Some(_) => {
                    stack.pop();
                }
            }
        }
    }
    most
}

/// The schemas that hold for the same value as a schema, or may.
fn in_place(document: &Document, at: usize) -> Vec<usize> {
    let schema = &document.schemas[at];
    let dynamic = schema.dynamic_reference.iter().map(|(_, target)| target);
    let targets = schema.reference.iter().chain(dynamic);
    let targets = targets.filter_map(|target| match target {
        Target::Schema(id) => Some(*id),
        Target::External(_) => None,
    });
    let branches = [&schema.all_of, &schema.any_of, &schema.one_of];
    let branches = branches.into_iter().flatten().chain(&schema.not).copied();
    let conditional = schema.conditional.iter().flat_map(|conditional| {
        [
            Some(conditional.condition),
            conditional.then,
            conditional.otherwise,
        ]
    });
    let dependent = schema.dependent.schemas.iter().map(|(_, id)| *id);
    let all = targets
        .chain(branches)
        .chain(conditional.flatten())
        .chain(dependent);
    all.map(|SchemaId(id)| id as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::endless;
    use crate::json::Source;
    use crate::schema::Document;
    use std::fmt::Write as _;

    fn doubling(steps: usize, keyword: &str) -> Document {
        let mut definitions = String::new();
        for step in 0..steps {
            let next = format!("{{\"$ref\": \"#/$defs/d{}\"}}", step + 1);
            let _ = write!(
                definitions,
                "\"d{step}\": {{\"{keyword}\": [{next}, {next}], \"unevaluatedItems\": false}},"
            );
        }
        let text = format!(
            "{{\"$ref\": \"#/$defs/d0\", \"$defs\": {{{definitions} \"d{steps}\": {{}}}}}}"
        );
        Document::read(Source::new("s.json", text)).unwrap_or_else(|error| panic!("{error}"))
    }

    fn chain(steps: usize, link: &str) -> Document {
        let link = |step: usize| link.replace('?', &format!("{{\"$ref\": \"#/$defs/d{step}\"}}"));
        let definitions: String = (0..steps)
            .map(|step| format!("\"d{step}\": {},", link(step + 1)))
            .collect();
        let text = format!("{{\"$defs\": {{{definitions} \"d{steps}\": {{}}}}}}");
        Document::read(Source::new("s.json", text)).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_leads_on_for_too_long_is_not_compiled() {
        for link in [
            r#"{"if": {"type": "integer"}, "then": ?}"#,
            r#"{"not": ?}"#,
            r#"{"dependentSchemas": {"a": ?}}"#,
        ] {
            assert_eq!(endless(&chain(100, link)), None, "{link}");
            assert!(endless(&chain(1000, link)).is_some(), "{link}");
        }
        assert_eq!(endless(&chain(1000, r#"{"items": ?}"#)), None);
    }

    #[test]
    fn what_doubles_too_often_is_not_compiled() {
        assert_eq!(endless(&doubling(5, "allOf")), None);
        assert!(endless(&doubling(40, "allOf")).is_some());
        assert!(endless(&doubling(40, "anyOf")).is_some());
    }
}
