//! One pair of places: which JSON types may stand there, then each type's facts.

use super::exclusive::Pairs;
use super::{Differ, Place};
use crate::evolution::{ElementKind, describe};
use crate::maps::HashSet;
use crate::wire::{Node, NodeId, NumberFacts, Object, Residual, Scalar, Subject, Wire};

/// A JSON type at a place; numbers are told apart, `null` is a matter of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Boolean,
        Self::Number,
        Self::String,
        Self::Array,
        Self::Object,
    ];

    fn stands_in(self, node: &Node) -> bool {
        match self {
            Self::Boolean => node.boolean.is_some(),
            Self::Number => node.number.is_some(),
            Self::String => node.string.is_some(),
            Self::Array => !node.arrays.is_empty(),
            Self::Object => !node.objects.is_empty(),
        }
    }
}

impl<'w> Differ<'w> {
    pub(super) fn place(
        &mut self,
        old: NodeId,
        new: NodeId,
        subject: &Subject,
        at: (Place<'w>, Place<'w>),
    ) {
        let (before, after) = (self.old.node(old), self.new.node(new));
        let free = (self.old.is_any(old), self.new.is_any(new));
        // Free and empty places are shared by all that declare one, so what leads there names it.
        let place = |wire: &'w Wire, id: NodeId, at: Place<'w>| match at {
            Some(at) if wire.is_any(id) || wire.is_never(id) => Some(at),
            _ => wire.node(id).origins.first(),
        };
        let places = (place(self.old, old, at.0), place(self.new, new, at.1));
        self.covered((old, new), subject, places);
        // A free place has no words of its own either.
        if free == (false, false) {
            let added = self.added_members(old, new);
            self.docs(&before.docs, &after.docs, subject, places, &added);
        }
        match free {
            (true, true) => return,
            (true, false) => {
                let message = format!(
                    "{subject} took any value, and now takes {}",
                    describe::place(self.new, new)
                );
                return self.claim("freeform-structured", subject, places.0, places.1, message);
            }
            _ => {}
        }
        if !self.types(old, new, subject, places) {
            return;
        }
        match (&before.boolean, &after.boolean) {
            (Some(was), Some(is)) if was != is => {
                let message = format!(
                    "{subject} was {} and is {}",
                    describe::place(self.old, old),
                    describe::place(self.new, new)
                );
                let lost =
                    (was.allow_true && !is.allow_true) || (was.allow_false && !is.allow_false);
                let gained =
                    (is.allow_true && !was.allow_true) || (is.allow_false && !was.allow_false);
                if lost {
                    self.claim(
                        "constraint-narrowed",
                        subject,
                        places.0,
                        places.1,
                        message.clone(),
                    );
                }
                if gained {
                    self.claim("constraint-widened", subject, places.0, places.1, message);
                }
            }
            _ => {}
        }
        // Branches that come or go bring findings of their own.
        if before.branches.len() == after.branches.len() {
            for ((was, from), (is, to)) in before.branches.iter().zip(&after.branches) {
                self.docs(was, is, subject, (Some(from), Some(to)), &[]);
            }
        }
        if !(before.others.is_empty() && after.others.is_empty()) {
            let (was, is) = (
                beside_shared_values(before, after),
                beside_shared_values(after, before),
            );
            self.residual(&was, &is, subject, places);
        }
        if let (Some(was), Some(is)) = (&before.number, &after.number) {
            self.scalars(was, is, subject, places, super::scalars::Ignored::default());
        }
        if let (Some(was), Some(is)) = (&before.string, &after.string) {
            self.scalars(was, is, subject, places, super::scalars::Ignored::default());
        }
        let mut pairs = Pairs::default();
        if !before.arrays.is_empty() && !after.arrays.is_empty() {
            pairs.arrays = self.arrays(old, new, subject);
        }
        if !before.objects.is_empty() && !after.objects.is_empty() {
            pairs.objects = self.unions(old, new, subject);
        }
        self.exclusive(old, new, subject, places, &pairs);
    }

    /// Names of the members that came with this change, where both sides are one object.
    pub(super) fn added_members(&self, old: NodeId, new: NodeId) -> Vec<&'w str> {
        let (before, after) = (self.old.node(old), self.new.node(new));
        match (before.objects.as_slice(), after.objects.as_slice()) {
            ([was], [is]) => added(self.old.object(was.object), self.new.object(is.object)),
            _ => Vec::new(),
        }
    }

    /// Compares the sets of types; `false` where nothing is left to compare inside.
    fn types(
        &mut self,
        old: NodeId,
        new: NodeId,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
    ) -> bool {
        let (before, after) = (self.old.node(old), self.new.node(new));
        let kinds = |node: &Node| -> Vec<Kind> {
            Kind::ALL
                .into_iter()
                .filter(|kind| kind.stands_in(node))
                .collect()
        };
        let (was, is) = (kinds(before), kinds(after));
        let lost: Vec<Kind> = was
            .iter()
            .copied()
            .filter(|kind| !is.contains(kind))
            .collect();
        let gained: Vec<Kind> = is
            .iter()
            .copied()
            .filter(|kind| !was.contains(kind))
            .collect();
        let shared = was.iter().any(|kind| is.contains(kind));
        let (from, to) = (
            describe::place(self.old, old),
            describe::place(self.new, new),
        );
        if before.null != after.null {
            if was.is_empty() || is.is_empty() {
                // `null` alone on one side: the whole type is another.
                let message = format!("{subject} was {from} and is {to}");
                self.claim("type-changed", subject, places.0, places.1, message);
                return false;
            }
            let message = if after.null {
                format!("{subject} may now be null")
            } else {
                format!("{subject} may no longer be null")
            };
            // A place that comes to take anything gains `null` along with the other types.
            if gained.is_empty() || !self.new.is_any(new) {
                self.claim("nullability-changed", subject, places.0, places.1, message);
            }
        }
        if !(shared || was.is_empty() && is.is_empty()) {
            let message = format!("{subject} was {from} and is {to}");
            self.claim("type-changed", subject, places.0, places.1, message);
            return false;
        }
        match (lost.is_empty(), gained.is_empty()) {
            (true, true) => {}
            (true, false) if self.grows_by_type(old, new) => {
                for kind in gained {
                    self.variants_of_type(old, new, kind, subject);
                }
            }
            (true, false) => {
                let message = format!("{subject} was {from}, and now may be {to}");
                self.claim("type-widened", subject, places.0, places.1, message);
            }
            (false, true) => {
                let message = format!("{subject} was {from}, and now may only be {to}");
                self.claim("type-narrowed", subject, places.0, places.1, message);
                self.variants_lost(old, &lost, subject, places.1);
            }
            (false, false) => {
                let message = format!("{subject} was {from} and is {to}");
                self.claim("type-changed", subject, places.0, places.1, message);
                self.variants_lost(old, &lost, subject, places.1);
            }
        }
        if let (Some(was), Some(is)) = (&before.number, &after.number) {
            match (integers(was), integers(is)) {
                (true, false) => {
                    let message = format!("{subject} was {from}, and now may have a fraction");
                    self.claim("type-widened", subject, places.0, places.1, message);
                }
                (false, true) => {
                    let message = format!("{subject} was {from}, and now may have no fraction");
                    self.claim("type-narrowed", subject, places.0, places.1, message);
                }
                _ => {}
            }
        }
        true
    }

    /// Whether a new type is a new variant. A place that comes to take anything is no union that
    /// grows.
    pub(super) fn grows_by_type(&self, old: NodeId, new: NodeId) -> bool {
        crate::wire::may_gain_types(self.old, old) && !self.new.is_any(new)
    }

    fn variants_of_type(&mut self, old: NodeId, new: NodeId, kind: Kind, subject: &Subject) {
        let (before, after) = (self.old.node(old), self.new.node(new));
        let place = before.origins.first();
        match kind {
            Kind::Object => {
                for (index, variant) in after.objects.iter().enumerate() {
                    let subject = subject.variant(self.new, new, index);
                    let message =
                        format!("{subject} is a new variant, told apart by being an object");
                    let element = Some(ElementKind::Variant);
                    self.claim_element(
                        "variant-added",
                        &subject,
                        place,
                        Some(&variant.origin),
                        message,
                        element,
                    );
                }
            }
            Kind::Array => {
                for array in &after.arrays {
                    let message =
                        format!("{subject} has a new variant, told apart by being an array");
                    self.claim(
                        "variant-added",
                        subject,
                        place,
                        Some(&array.origin),
                        message,
                    );
                }
            }
            Kind::Boolean | Kind::Number | Kind::String => {
                let message = format!(
                    "{subject} has a new variant, told apart by its type: it now may be {}",
                    describe::place(self.new, new)
                );
                self.claim(
                    "variant-added",
                    subject,
                    place,
                    after.origins.first(),
                    message,
                );
            }
        }
    }

    /// Variants and known values that went with their type are named one by one, because a message about types
    /// alone would lose them.
    fn variants_lost(&mut self, old: NodeId, lost: &[Kind], subject: &Subject, new: Place<'_>) {
        let wire = self.old;
        let before = wire.node(old);
        let known = |kind: Kind| match (kind, &before.number, &before.string) {
            (Kind::Number, Some(scalar), _) => scalar.known.as_slice(),
            (Kind::String, _, Some(scalar)) => scalar.known.as_slice(),
            _ => &[],
        };
        for value in lost.iter().flat_map(|kind| known(*kind)) {
            let subject = subject.value(&value.value);
            let message = format!("the known value {subject} was removed");
            self.claim(
                "enum-value-removed",
                &subject,
                Some(&value.origin),
                new,
                message,
            );
        }
        // An array that is a branch is a variant too; one that a list of types names is a type.
        let branches = before
            .arrays
            .iter()
            .filter(|array| !before.origins.contains(&array.origin));
        for array in branches.filter(|_| lost.contains(&Kind::Array)) {
            let message = format!("{subject} lost an alternative among its arrays");
            self.claim(
                "variant-removed",
                subject,
                Some(&array.origin),
                new,
                message,
            );
        }
        if before.union && lost.contains(&Kind::Object) {
            for (index, variant) in before.objects.iter().enumerate() {
                let subject = subject.variant(wire, old, index);
                let message = format!("the variant {subject} was removed");
                self.claim(
                    "variant-removed",
                    &subject,
                    Some(&variant.origin),
                    new,
                    message,
                );
            }
        }
    }
}

/// What constrains the values of a place, less the formats of those that the other side does not
/// know: a value that came or went is claimed as that, with all that is said of it.
fn beside_shared_values(node: &Node, other: &Node) -> Vec<Residual> {
    fn known(node: &Node) -> HashSet<&str> {
        let numbers = node.number.iter().flat_map(|scalar| &scalar.known);
        let strings = node.string.iter().flat_map(|scalar| &scalar.known);
        numbers
            .chain(strings)
            .map(|known| known.value.text())
            .collect()
    }
    let (own, others) = (known(node), known(other));
    let is_shared = |part: &&Residual| match part.names.first() {
        Some(about) if part.keyword == "format" => {
            !own.contains(about.as_str()) || others.contains(about.as_str())
        }
        _ => true,
    };
    node.others.iter().filter(is_shared).cloned().collect()
}

/// Names that the new shape declares and the old one does not mention.
pub(super) fn added<'w>(old: &Object, new: &'w Object) -> Vec<&'w str> {
    let fields = new.fields.iter();
    fields
        .filter(|(name, field)| field.declared && !old.fields.contains_key(*name))
        .map(|(name, _)| name.as_str())
        .collect()
}

/// Whether numbers have no fraction here. Named values alone say nothing of a type.
fn integers(scalar: &Scalar<NumberFacts>) -> bool {
    if scalar.tails.is_empty() {
        return scalar.known.iter().all(|known| {
            known
                .value
                .as_decimal()
                .is_some_and(|value| value.is_integer())
        });
    }
    scalar.tails.iter().all(|tail| tail.integer)
}
