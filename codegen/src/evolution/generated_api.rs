//! The rule `generated-api-changed`: a name in the generated Rust types moved, and its element did not.
//!
//! A title is documentation on the wire, and the name of a type in Rust. Where consumers build on
//! generated types, a name that moves stops them from compiling, whatever the wire says.

use super::equal::{Classes, Mode};
use super::{Change, Level, compare, rules};
use crate::emit::api::{Moved, Revision, moved};
use crate::wire::{Origin, Wire};
use std::cell::OnceCell;

/// The id of the rule.
pub(super) const RULE: &str = "generated-api-changed";

/// What an old consumer could have written and what has another name or type now, although its
/// element still stands on the wire.
///
/// What the wire itself lost or retyped is told by the rules of the wire, and not again here.
///
/// ```
/// use wirelock_codegen::{evolution, wire};
/// let read = |text| wire::read("s.json", text).unwrap();
/// let old = read(r#"{"title": "Count", "type": "object", "properties": {"n": {"type": "integer"}}}"#);
/// let new = read(r#"{"title": "Tally", "type": "object", "properties": {"n": {"type": "integer"}}}"#);
/// let changes = evolution::generated_api(&old, &new);
/// assert_eq!(changes[0].message, "the Rust type `Count` is `Tally` now");
/// assert!(evolution::generated_api(&old, &old).is_empty());
/// ```
#[must_use]
pub fn generated_api(old: &Wire, new: &Wire) -> Vec<Change> {
    // No way out for equal documents: the order of members is none of their value, and the order
    // of a constructor's arguments.
    let wire_changes = compare(old, new).changes;
    let classes = OnceCell::new();
    let same = |left, right| {
        classes
            .get_or_init(|| Classes::of(old, new, Mode::Wire, &std::cell::RefCell::default()))
            .same_object(left, right)
    };
    let found = moved(
        &Revision::of(old),
        &Revision::of(new),
        &roots(old, new, &wire_changes),
        &same,
    );
    let told = |moved: &Moved| moved.follows_wire && explained(moved, &wire_changes);
    let mut changes: Vec<Change> = Vec::new();
    for moved in found.into_iter().filter(|moved| !told(moved)) {
        let change = Change {
            rule: RULE,
            level: rules::find(RULE).map_or(Level::Breaking, |rule| rule.level),
            message: moved.message,
            subject: moved.subject.to_string(),
            old: moved.old.into_iter().next(),
            new: moved.new.into_iter().next(),
            further_places: 0,
            element: None,
        };
        // One declaration that is met on several ways says the same each time.
        let known = changes.iter_mut().find(|known| {
            (&known.message, &known.old, &known.new) == (&change.message, &change.old, &change.new)
        });
        match known {
            Some(known) => known.further_places += 1,
            None => changes.push(change),
        }
    }
    changes
}

/// The change that a consumer shows which no longer compiles or runs.
#[must_use]
pub fn executed(message: String, subject: String) -> Change {
    Change {
        rule: RULE,
        level: rules::find(RULE).map_or(Level::Breaking, |rule| rule.level),
        message,
        subject,
        old: None,
        new: None,
        further_places: 0,
        element: None,
    }
}

/// The pairs of roots: the documents', or definitions of one name; a definition that only got
/// another name goes with its new one.
fn roots(old: &Wire, new: &Wire, changes: &[Change]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (left, root) in old.roots.iter().enumerate() {
        let same_name = new.roots.iter().position(|other| other.name == root.name);
        let renamed = || {
            let change = changes.iter().find(|change| {
                change.rule == "definition-renamed" && change.old.as_ref() == Some(&root.origin)
            })?;
            let mut others = new.roots.iter();
            others.position(|other| change.new.as_ref() == Some(&other.origin))
        };
        if let Some(right) = same_name.or_else(renamed) {
            pairs.push((left, right));
        }
    }
    pairs
}

/// Whether the wire changed at the element itself, so that its type had to.
fn explained(moved: &Moved, changes: &[Change]) -> bool {
    let at = |origins: &[Origin], change: &Option<Origin>| {
        let Some(change) = change else { return false };
        origins.iter().any(|origin| {
            let below = change.pointer.strip_prefix(&*origin.pointer);
            // What a member below says is no news about the object that holds it.
            below.is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('/') && !rest.contains("/properties/")
            })
        })
    };
    changes
        .iter()
        .filter(|change| change.level == Level::Breaking)
        .any(|change| {
            at(&moved.old, &change.old)
                || at(&moved.new, &change.new)
                || change.subject == moved.subject.to_string()
        })
}

#[cfg(test)]
mod tests;
