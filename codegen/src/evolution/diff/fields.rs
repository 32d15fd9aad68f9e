//! Named members: gone, new, renamed, required or not, and what they hold.

use super::Differ;
use super::alike::Assumed;
use crate::evolution::equal::Mode;
use crate::evolution::{ElementKind, describe};
use crate::json::Literal;
use crate::maps::{HashMap, HashSet};
use crate::wire::{
    Docs, DocsText, Field, NodeId, Object, ObjectId, ScalarFacts as _, Subject, Wire,
};
use std::cell::Cell;

/// Past this many candidates in one comparison names are not paired any more: pairing shapes a
/// message, never a verdict.
pub(super) const MAX_CANDIDATES: usize = 250_000;

impl<'w> Differ<'w> {
    pub(super) fn fields(&mut self, shapes: (ObjectId, ObjectId), subject: &Subject) {
        let (old, new) = (self.old.object(shapes.0), self.new.object(shapes.1));
        for (name, before) in &old.fields {
            if let Some(after) = new.fields.get(name) {
                self.field(before, after, &subject.field(name));
            }
        }
        let removed: Vec<(&'w String, &'w Field)> = old
            .fields
            .iter()
            .filter(|(name, field)| {
                field.declared && !new.fields.get(*name).is_some_and(|after| after.declared)
            })
            .collect();
        let mut added: Vec<(&'w String, &'w Field)> = new
            .fields
            .iter()
            .filter(|(name, field)| {
                field.declared && !old.fields.get(*name).is_some_and(|before| before.declared)
            })
            .collect();
        let names = |fields: &[(&String, &Field)]| {
            fields
                .iter()
                .map(|(name, _)| (*name).clone())
                .collect::<Vec<_>>()
        };
        let pairs = pair_names(
            &names(&removed),
            &names(&added),
            &self.candidates,
            |from, to| {
                let (before, after) = (removed[from].1, added[to].1);
                let assumed = Assumed {
                    shapes: HashSet::from_iter([shapes]),
                    ..Assumed::default()
                };
                self.alike(before.node, after.node, assumed)
            },
        );
        let mut renamed = HashSet::default();
        for (from, (name, before)) in removed.into_iter().enumerate() {
            let subject = subject.field(name);
            let old_place = before.origins.first();
            match pairs.get(&from) {
                Some(to) => {
                    renamed.insert(*to);
                    let (other, after) = added[*to];
                    let message = format!("{subject} was renamed to {other:?}");
                    self.claim(
                        "property-renamed",
                        &subject,
                        old_place,
                        after.origins.first(),
                        message,
                    );
                    self.visit(
                        before.node,
                        after.node,
                        subject,
                        (old_place, after.origins.first()),
                    );
                }
                None => {
                    let what = if before.required {
                        "required field"
                    } else {
                        "field"
                    };
                    let message = format!("the {what} {subject} was removed");
                    self.claim(
                        "property-removed",
                        &subject,
                        old_place,
                        new.origins.first(),
                        message,
                    );
                }
            }
        }
        let mut index = 0;
        added.retain(|_| {
            index += 1;
            !renamed.contains(&(index - 1))
        });
        for (name, after) in added {
            self.added_field((old, new), name, after, &subject.field(name));
        }
        self.undeclared(old, new, subject);
    }

    fn field(&mut self, before: &'w Field, after: &'w Field, subject: &Subject) {
        let places = (before.origins.first(), after.origins.first());
        if before.declared && after.declared {
            // A free place has no words of its own: all that is said there is the member's.
            let free = self.old.is_any(before.node) || self.new.is_any(after.node);
            let (was, is) = if free {
                (before.docs.clone(), after.docs.clone())
            } else {
                (own_docs(self.old, before), own_docs(self.new, after))
            };
            let added = self.added_members(before.node, after.node);
            self.docs(&was, &is, subject, places, &added);
        }
        match (before.required, after.required) {
            (false, true) => {
                self.claim(
                    "required-added",
                    subject,
                    places.0,
                    places.1,
                    format!("{subject} was optional and is required"),
                );
            }
            (true, false) => {
                self.claim(
                    "required-removed",
                    subject,
                    places.0,
                    places.1,
                    format!("{subject} was required and is optional"),
                );
            }
            _ => {}
        }
        // A name that only one side declares is claimed as gone or new.
        if before.declared == after.declared {
            self.visit(before.node, after.node, subject.clone(), places);
        }
    }

    fn added_field(
        &mut self,
        (old, new): (&Object, &Object),
        name: &str,
        after: &Field,
        subject: &Subject,
    ) {
        let place = old.origins.first();
        let new_place = after.origins.first();
        // What the old side said of this name without declaring it: by pattern, or of all others.
        let patterns = old.patterns.iter();
        let patterns = patterns.filter(|entry| matches(&entry.pattern, name));
        let mut typed: Vec<NodeId> = patterns.map(|entry| entry.node).collect();
        let by_pattern = !typed.is_empty();
        // Where patterns meet, one of anything takes nothing away from what the others say.
        if !typed.iter().all(|node| self.old.is_any(*node)) {
            typed.retain(|node| !self.old.is_any(*node));
        }
        if !by_pattern {
            typed.push(old.rest);
        }
        // A pattern knows its names whatever their values are; an open object knows none.
        let is_known =
            |node: NodeId| (by_pattern || !self.old.is_any(node)) && !self.old.is_never(node);
        let was_required = old.fields.get(name).is_some_and(|before| before.required);
        let to = describe::place(self.new, after.node);
        if after.required && !was_required {
            let message = format!("{subject} is new and required");
            return self.claim(
                "required-property-added",
                subject,
                place,
                new_place,
                message,
            );
        }
        if self.has_no_room(new, name, after) {
            // An addition that no document can hold adds nothing, and no golden could prove it.
            let message = format!("{subject} is new, and no document can hold it");
            return self.claim("unclaimed-change", subject, place, new_place, message);
        }
        if old.values.is_some() {
            // Whole objects are listed, so a member more can only rule some of them out.
            let message = format!("{subject} is declared where only listed objects may stand");
            return self.claim("constraint-narrowed", subject, place, new_place, message);
        }
        if was_required && !self.new.is_any(after.node) {
            // Every document has it already, so what it may be is a constraint and no growth.
            let message = format!("{subject} had to stand and could be anything, and now is {to}");
            return self.claim("freeform-structured", subject, place, new_place, message);
        }
        if self.new.is_never(after.node) {
            // Nothing can stand there, so nothing was added: a name was forbidden.
            let message = format!("{subject} is declared so that no value can stand there");
            return self.claim("constraint-narrowed", subject, place, new_place, message);
        }
        for &node in &typed {
            if is_known(node) && !self.same(node, after.node, Mode::Wire) {
                let was = describe::place(self.old, node);
                let message =
                    format!("{subject} is named as {to}, and members of that name were {was}");
                return self.claim("map-value-changed", subject, place, new_place, message);
            }
        }
        // What a map took under every name is nothing that the old revision would not know.
        let known = typed.iter().any(|node| is_known(*node));
        let element = (!known).then_some(ElementKind::Field);
        let message = format!("{subject} is a new optional field: {to}");
        self.claim_element(
            "property-added",
            subject,
            place,
            new_place,
            message,
            element,
        );
    }

    /// Whether an object can never have one more member of that name: its name is not allowed, or
    /// the members that must stand leave no room.
    fn has_no_room(&self, object: &Object, name: &str, field: &Field) -> bool {
        let names = object.names.map(|id| &self.new.node(id).string);
        let refused = names.is_some_and(|names| match names {
            None => true,
            Some(names) => {
                let name = Literal::string(name);
                let known = names.known.iter().any(|known| known.value == name);
                !known
                    && names
                        .tails
                        .iter()
                        .all(|tail| tail.tells(&name) == Some(false))
            }
        });
        let required = object
            .fields
            .values()
            .filter(|field| field.required)
            .count() as u64;
        let full = object.max_properties.is_some_and(|most| required >= most);
        refused || (full && !field.required)
    }

    /// Names that no `properties` declares: what is ruled out of them, and which of them `required` lists.
    fn undeclared(&mut self, old: &'w Object, new: &'w Object, subject: &Subject) {
        // What is ruled out of a member that nothing declares, beside what the other side says of
        // that name.
        let is_ruled = |field: &Field| !field.declared && !field.required;
        let otherwise = |object: &Object, name: &str| {
            let patterns = object.patterns.iter();
            let mut patterns = patterns.filter(|entry| matches(&entry.pattern, name));
            patterns.next().map_or(object.rest, |entry| entry.node)
        };
        for (name, after) in &new.fields {
            if is_ruled(after) && !old.fields.contains_key(name) {
                let places = (old.origins.first(), after.origins.first());
                self.visit(
                    otherwise(old, name),
                    after.node,
                    subject.field(name),
                    places,
                );
            }
        }
        for (name, before) in &old.fields {
            if is_ruled(before) && !new.fields.contains_key(name) {
                let places = (before.origins.first(), new.origins.first());
                self.visit(
                    before.node,
                    otherwise(new, name),
                    subject.field(name),
                    places,
                );
            }
        }
        for (name, after) in &new.fields {
            if after.required && !after.declared && !old.fields.contains_key(name) {
                let subject = subject.field(name);
                let message = format!("{subject} is required, though it is not declared");
                self.claim(
                    "required-property-added",
                    &subject,
                    old.origins.first(),
                    after.origins.first(),
                    message,
                );
            }
        }
        for (name, before) in &old.fields {
            if before.required && !before.declared && !new.fields.contains_key(name) {
                let subject = subject.field(name);
                let message = format!("{subject} is no longer required");
                self.claim(
                    "required-removed",
                    &subject,
                    before.origins.first(),
                    new.origins.first(),
                    message,
                );
            }
        }
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    crate::wire::pattern::matches(pattern, name).unwrap_or(false)
}

/// What a member says of itself, less what it takes over from the place that it refers to: that
/// is compared where it stands.
fn own_docs(wire: &Wire, field: &Field) -> Docs {
    let node = wire.node(field.node);
    let inherited = match node.objects.as_slice() {
        [only] if !node.union => &wire.object(only.object).docs,
        _ => &node.docs,
    };
    let own = |own: &Option<String>, other: &Option<String>| {
        if own == other { None } else { own.clone() }
    };
    let docs = &field.docs;
    if docs.is_empty() || inherited.is_empty() {
        return docs.clone();
    }
    let text = DocsText {
        title: own(&docs.title, &inherited.title),
        description: own(&docs.description, &inherited.description),
        comment: own(&docs.comment, &inherited.comment),
        default: if docs.default == inherited.default {
            None
        } else {
            docs.default.clone()
        },
        examples: if docs.examples == inherited.examples {
            Vec::new()
        } else {
            docs.examples.clone()
        },
        deprecated: docs.deprecated && !inherited.deprecated,
        other: docs
            .other
            .iter()
            .filter(|(name, value)| inherited.other.get(*name) != Some(value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    };
    text.into()
}

/// How far apart two names are. Long ones are told by their beginnings: distance costs the product
/// of lengths, and it only chooses between candidates.
fn distance(old: &str, new: &str) -> usize {
    let beginning = |name: &str| name.chars().take(64).collect::<String>();
    strsim::levenshtein(&beginning(old), &beginning(new))
}

/// Pairs removed with added names that `same` allows: the nearest names first, ties in order.
/// `budget` is how many candidates may still be looked at.
pub(super) fn pair_names(
    removed: &[String],
    added: &[String],
    budget: &Cell<usize>,
    mut same: impl FnMut(usize, usize) -> bool,
) -> HashMap<usize, usize> {
    let count = removed.len().saturating_mul(added.len());
    let Some(left) = budget.get().checked_sub(count) else {
        return HashMap::default();
    };
    budget.set(left);
    let mut candidates = Vec::new();
    for (from, old) in removed.iter().enumerate() {
        for (to, new) in added.iter().enumerate() {
            candidates.push((distance(old, new), from, to));
        }
    }
    candidates.sort_unstable();
    let mut used = HashSet::default();
    let mut pairs = HashMap::default();
    for (_, from, to) in candidates {
        if !pairs.contains_key(&from) && !used.contains(&to) && same(from, to) {
            used.insert(to);
            pairs.insert(from, to);
        }
    }
    pairs
}
