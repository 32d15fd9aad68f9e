//! Object shapes: openness, counts, names and what members depend on; fields have a file of their own.

use super::{Differ, Place};
use crate::maps::{HashMap, HashSet};
use crate::wire::{Object, ObjectId, Subject, Wire};
use std::collections::VecDeque;

impl<'w> Differ<'w> {
    pub(super) fn object(&mut self, old: ObjectId, new: ObjectId, subject: &Subject) {
        let (before, after) = (self.old.object(old), self.new.object(new));
        let places = (before.origins.first(), after.origins.first());
        let added = super::places::added(before, after);
        self.docs(&before.docs, &after.docs, subject, places, &added);
        let structured =
            after.fields.values().any(|field| field.declared) || !after.patterns.is_empty();
        if self.old.is_free_form(old) && (structured || !self.new.is_any(after.rest)) {
            let message = format!("{subject} was free-form, and now declares what its members are");
            return self.claim("freeform-structured", subject, places.0, places.1, message);
        }
        self.fields((old, new), subject);
        self.patterns(before, after, subject);
        self.rest(before, after, subject, places);
        self.limit(
            "minProperties",
            Some(before.min_properties),
            Some(after.min_properties),
            true,
            subject,
            places,
        );
        self.limit(
            "maxProperties",
            before.max_properties,
            after.max_properties,
            false,
            subject,
            places,
        );
        let names = subject.keyword("propertyNames");
        match (before.names, after.names) {
            (Some(was), Some(is)) => self.visit(was, is, names, places),
            (None, Some(_)) => {
                let message = format!("the names of the members of {subject} are now constrained");
                self.claim("constraint-narrowed", &names, places.0, places.1, message);
            }
            (Some(_), None) => {
                let message =
                    format!("the names of the members of {subject} are no longer constrained");
                self.claim("constraint-widened", &names, places.0, places.1, message);
            }
            (None, None) => {}
        }
        self.dependent_required(before, after, subject, places);
        self.whole_values(before, after, subject, places);
        self.residual(&before.residual, &after.residual, subject, places);
    }

    fn dependent_required(
        &mut self,
        old: &Object,
        new: &Object,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        let pairs = |object: &Object| -> std::collections::BTreeSet<(String, String)> {
            let dependents = object.dependent_required.iter();
            dependents
                .flat_map(|(name, others)| {
                    others
                        .iter()
                        .map(move |other| (name.clone(), other.clone()))
                })
                .collect()
        };
        let (was, is) = (pairs(old), pairs(new));
        for (name, other) in is.difference(&was) {
            let message = format!(
                "where {} stands, {} must now stand too",
                subject.field(name),
                subject.field(other)
            );
            self.claim("constraint-narrowed", subject, places.0, places.1, message);
        }
        for (name, other) in was.difference(&is) {
            // A member that became required altogether is claimed as that.
            if new.fields.get(other).is_some_and(|field| field.required) {
                continue;
            }
            let message = format!(
                "where {} stands, {} no longer has to",
                subject.field(name),
                subject.field(other)
            );
            self.claim("constraint-widened", subject, places.0, places.1, message);
        }
    }

    fn whole_values(
        &mut self,
        old: &Object,
        new: &Object,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) {
        if old.values == new.values {
            return;
        }
        let message = format!("the objects that {subject} may be are others");
        let lost = |from: &Object, to: &Object| match (&from.values, &to.values) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(from), Some(to)) => from.iter().any(|value| !to.contains(value)),
        };
        if lost(old, new) {
            self.claim(
                "constraint-narrowed",
                subject,
                places.0,
                places.1,
                message.clone(),
            );
        }
        if lost(new, old) {
            self.claim("constraint-widened", subject, places.0, places.1, message);
        }
    }

    fn patterns(&mut self, old: &'w Object, new: &'w Object, subject: &Subject) {
        // Spelled alike is the same language; only what is left is worth an automaton.
        let spelled = |object: &Object, pattern: &str| {
            object
                .patterns
                .binary_search_by(|entry| entry.pattern.as_str().cmp(pattern))
                .ok()
        };
        let mut right: Vec<_> = new
            .patterns
            .iter()
            .filter(|after| spelled(old, &after.pattern).is_none())
            .collect();
        let left = old.patterns.iter();
        let mut left = left.filter(|before| spelled(new, &before.pattern).is_none());
        let mut untold = None;
        let mut languages: HashMap<u32, VecDeque<usize>> = HashMap::default();
        if left.next().is_some() {
            for (index, after) in right.iter().enumerate() {
                match self.languages.borrow_mut().id(&after.pattern) {
                    Ok(id) => languages.entry(id).or_default().push_back(index),
                    Err(why) => untold = Some((after.origin.clone(), why)),
                }
            }
        }
        let mut taken = HashSet::default();
        for before in &old.patterns {
            let subject = subject.pattern(&before.pattern);
            if let Some(index) = spelled(new, &before.pattern) {
                let after = &new.patterns[index];
                let places = (Some(&before.origin), Some(&after.origin));
                self.visit(before.node, after.node, subject, places);
                continue;
            }
            let language = match right.is_empty() {
                true => None,
                false => match self.languages.borrow_mut().id(&before.pattern) {
                    Ok(id) => Some(id),
                    Err(why) => {
                        untold = Some((before.origin.clone(), why));
                        None
                    }
                },
            };
            let twin = language
                .and_then(|id| languages.get_mut(&id))
                .and_then(VecDeque::pop_front);
            match twin {
                Some(index) => {
                    taken.insert(index);
                    let after = right[index];
                    self.visit(
                        before.node,
                        after.node,
                        subject,
                        (Some(&before.origin), Some(&after.origin)),
                    );
                }
                // It may be one of those whose language cannot be told.
                None if untold.is_some() => {}
                None => {
                    let message = format!(
                        "members whose names match {:?} are no longer typed",
                        before.pattern
                    );
                    self.claim(
                        "map-value-changed",
                        &subject,
                        Some(&before.origin),
                        new.origins.first(),
                        message,
                    );
                }
            }
        }
        if let Some((origin, why)) = untold {
            return self.undecided("patternProperties", &origin, why);
        }
        let mut index = 0;
        right.retain(|_| {
            index += 1;
            !taken.contains(&(index - 1))
        });
        for after in right {
            let subject = subject.pattern(&after.pattern);
            let message = format!(
                "members whose names match {:?} are now typed",
                after.pattern
            );
            self.claim(
                "map-value-changed",
                &subject,
                old.origins.first(),
                Some(&after.origin),
                message,
            );
        }
    }

    /// What members without a name in the schema may be: anything, nothing, or a map's value.
    fn rest(
        &mut self,
        old: &Object,
        new: &Object,
        subject: &Subject,
        places: (Place<'w>, Place<'w>),
    ) {
        #[derive(PartialEq)]
        enum Rest {
            Open,
            Closed,
            Map,
        }
        let kind = |wire: &Wire, object: &Object| {
            if wire.is_any(object.rest) {
                Rest::Open
            } else if wire.is_never(object.rest) {
                Rest::Closed
            } else {
                Rest::Map
            }
        };
        let value = subject.map_value();
        match (kind(self.old, old), kind(self.new, new)) {
            (Rest::Map, Rest::Map) => self.visit(old.rest, new.rest, value, places),
            (was, is) if was == is => {}
            (_, Rest::Closed) => {
                let message = format!("{subject} no longer takes members that it does not name");
                self.claim("object-closed", subject, places.0, places.1, message);
            }
            (Rest::Closed, _) => {
                let message = format!("{subject} now takes members that it does not name");
                self.claim("object-opened", subject, places.0, places.1, message);
            }
            (_, Rest::Map) => {
                let message = format!(
                    "the members of {subject} that have no name of their own are now typed"
                );
                self.claim("map-value-changed", &value, places.0, places.1, message);
            }
            _ => {
                let message = format!(
                    "the members of {subject} that have no name of their own are no longer typed"
                );
                self.claim("map-value-changed", &value, places.0, places.1, message);
            }
        }
    }
}
