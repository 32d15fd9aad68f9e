//! The schema that a type tells of itself, held against the one that the type comes from.

use super::cases::Case;
use wirelock_codegen::evolution::{Level, compare};
use wirelock_codegen::wire::{self, Reading, Start, Wire};

/// What differs all the same, by case and subject, with the reason.
const KNOWN: &[(&str, &str, &str)] = &[(
    "no-rust-type",
    "far",
    "schemars holds schemas as `serde_json::Value`, which rounds a bound of 30 digits",
)];

/// What differs, of a line that names the case, the root's index and the schema that was told.
pub(crate) fn fault(cases: &[Case], line: &str) -> Option<String> {
    let mut parts = line.splitn(3, ' ');
    let mut part = || parts.next().expect("three parts");
    let (name, root, told) = (part(), part(), part());
    let case = cases.iter().find(|case| case.name == name);
    let case = case.expect("a case of this run");
    let root: usize = root.parse().expect("an index");
    let own = match wire::read("told", told) {
        Ok(own) => own,
        Err(error) => return Some(format!("{name}, root {root} tells no schema: {error}")),
    };
    let source = source(case, root);
    // A reference that leads nowhere says nothing that a type could repeat. Changes are told at it, or at
    // the place that it makes.
    let nowhere: Vec<&str> = case
        .wire
        .undecided
        .iter()
        .map(|undecided| &*undecided.origin.pointer)
        .collect();
    let says = |place: &str, origin: Option<&wire::Origin>| {
        origin.is_some_and(|origin| {
            let rest = place.strip_prefix(&*origin.pointer);
            !origin.pointer.is_empty() && rest.is_some_and(|rest| rest.matches('/').count() <= 1)
        })
    };
    for (old, new) in [(&source, &own), (&own, &source)] {
        let known = |subject: &str| {
            let mut known = KNOWN.iter();
            known.any(|(case, known, _)| (*case, *known) == (name, subject))
        };
        let mut changes = compare(old, new).changes.into_iter();
        let heavy = changes.find(|change| {
            let at_nowhere =
                |place: &&str| says(place, change.old.as_ref()) || says(place, change.new.as_ref());
            change.level != Level::Editorial
                && !known(&change.subject)
                && !nowhere.iter().any(at_nowhere)
        });
        if let Some(change) = heavy {
            return Some(format!(
                "{name}, root {root} tells another schema: {} {} ({})",
                change.rule, change.message, change.subject
            ));
        }
    }
    None
}

/// The schema of one root: the document's own text, or one of several definitions.
fn source(case: &Case, root: usize) -> Wire {
    let mut source = match case.wire.roots.as_slice() {
        [_] => wire::read(&case.name, &case.text).expect("a schema"),
        roots => {
            let text = wire::schema_at(
                &case.wire,
                Reading::Published,
                Start::Node(roots[root].node),
            );
            wire::read("source", &text).expect("what the wire view writes")
        }
    };
    // What a stream is made of is no part of what one of its lines is.
    source.contract = None;
    source
}
