//! Object alternatives: which stayed, are gone, new or renamed.

use super::Differ;
use super::alike::Assumed;
use crate::evolution::ElementKind;
use crate::maps::{HashMap, HashSet};
use crate::wire::{
    Node, NodeId, Object, ObjectId, Says, Scalar, Subject, Variant, Wire, disjoint,
    is_tagged_union, tag_says, variant_labels,
};

/// Two sides of a union and the tags that either uses.
pub(super) struct Union<'w> {
    pub(super) old: (&'w Wire, NodeId, &'w Node),
    pub(super) new: (&'w Wire, NodeId, &'w Node),
    pub(super) tags: Vec<String>,
    /// Whether each side is one whose alternatives tags tell apart.
    tagged: (bool, bool),
    /// What messages call the alternatives of each side.
    labels: (Vec<String>, Vec<String>),
    pub(super) pairs: Vec<(usize, usize)>,
    /// Those of the pairs that are told apart by other tags than before.
    pub(super) lost_tag: HashSet<(usize, usize)>,
    /// Whether what is left unpaired could not be compared with one another.
    pub(super) untold: bool,
}

impl Differ<'_> {
    /// Compares the alternatives among objects; gives which new shape each old one is.
    pub(super) fn unions(
        &mut self,
        old: NodeId,
        new: NodeId,
        subject: &Subject,
    ) -> HashMap<ObjectId, ObjectId> {
        let (before, after) = (self.old.node(old), self.new.node(new));
        let places = (before.origins.first(), after.origins.first());
        match (before.union, after.union) {
            (false, false) => {
                if let (Some(was), Some(is)) = (before.objects.first(), after.objects.first()) {
                    self.visit_object(was.object, is.object, subject.clone());
                    return HashMap::from_iter([(was.object, is.object)]);
                }
                return HashMap::default();
            }
            // An object among alternatives of other types stood in a union already.
            (false, true) if !self.grows_by_type(old, new) => {
                let message = format!(
                    "{subject} was one object and is a union of {}",
                    after.objects.len()
                );
                self.claim("union-introduced", subject, places.0, places.1, message);
                return HashMap::default();
            }
            (true, false) if before.objects.len() == 1 => {
                let message = format!("{subject} was a union that could grow and is one object");
                self.claim(
                    "discriminator-changed",
                    subject,
                    places.0,
                    places.1,
                    message,
                );
            }
            _ => {}
        }
        let mut union = Union {
            old: (self.old, old, before),
            new: (self.new, new, after),
            tags: before.tags.clone(),
            tagged: (is_tagged_union(before), is_tagged_union(after)),
            labels: (variant_labels(self.old, old), variant_labels(self.new, new)),
            pairs: Vec::new(),
            lost_tag: HashSet::default(),
            untold: false,
        };
        union.tags.extend(
            after
                .tags
                .iter()
                .filter(|tag| !before.tags.contains(tag))
                .cloned(),
        );
        self.match_variants(&mut union);
        self.discriminator(&union, subject);
        for (from, to) in union.pairs.clone() {
            let (was, is) = (&before.objects[from], &after.objects[to]);
            let subject = subject.labelled(&union.labels.0[from]);
            // Documentation of the shape itself is compared with the shape.
            let own =
                |wire: &Wire, variant: &Variant| variant.docs != wire.object(variant.object).docs;
            if own(self.old, was) || own(self.new, is) {
                self.docs(
                    &was.docs,
                    &is.docs,
                    &subject,
                    (Some(&was.origin), Some(&is.origin)),
                    &[],
                );
            }
            if union.lost_tag.contains(&(from, to)) {
                self.claim_lost_tag(was, is, &subject);
            }
            match (was.is_catch_all(), is.is_catch_all()) {
                (true, true) => self.catch_all_tags(&union, from, to, &subject),
                // What was known by itself is unknown to the strict reading from now on.
                (false, true) => {
                    let message =
                        format!("{subject} was an alternative of its own and now is the catch-all");
                    let places = (Some(&was.origin), Some(&is.origin));
                    self.claim("union-introduced", &subject, places.0, places.1, message);
                }
                (_, false) => {}
            }
            self.visit_object(was.object, is.object, subject);
        }
        match union.untold {
            true => {
                if let Some(origin) = places.1.or(places.0) {
                    let why =
                        format!("{subject} has too many alternatives to compare each with each");
                    self.undecided("oneOf", origin, why);
                }
            }
            false => self.unmatched(&union, subject),
        }
        let shapes = union.pairs.iter().chain(&union.lost_tag);
        let shapes =
            shapes.map(|(from, to)| (before.objects[*from].object, after.objects[*to].object));
        shapes.collect()
    }

    fn claim_lost_tag(&mut self, was: &Variant, is: &Variant, subject: &Subject) {
        let (rule, message) = if was.is_catch_all() && !is.is_catch_all() {
            (
                "union-closed",
                format!("{subject} no longer takes every unknown variant"),
            )
        } else {
            (
                "discriminator-changed",
                format!("{subject} is no longer told apart by the tags it had"),
            )
        };
        let places = (Some(&was.origin), Some(&is.origin));
        self.claim(rule, subject, places.0, places.1, message);
    }

    fn unmatched(&mut self, union: &Union<'_>, subject: &Subject) {
        let (old, new) = (union.old.2, union.new.2);
        let paired: (HashSet<usize>, HashSet<usize>) = union.pairs.iter().copied().unzip();
        let removed: Vec<usize> = (0..old.objects.len())
            .filter(|from| !paired.0.contains(from))
            .collect();
        let added: Vec<usize> = (0..new.objects.len())
            .filter(|to| !paired.1.contains(to))
            .collect();
        let labels = |variants: &[Variant], indices: &[usize]| {
            indices
                .iter()
                .map(|index| variants[*index].label())
                .collect::<Vec<_>>()
        };
        let renames = pair_variants(
            self,
            union,
            &labels(&old.objects, &removed),
            &labels(&new.objects, &added),
            &removed,
            &added,
        );
        let mut renamed = HashSet::default();
        for (index, from) in removed.iter().enumerate() {
            let was = &old.objects[*from];
            let subject = subject.labelled(&union.labels.0[*from]);
            if let Some(to) = renames.get(&index) {
                renamed.insert(*to);
                let is = &new.objects[added[*to]];
                let message = format!("the variant {subject} was renamed to {}", is.label());
                self.claim(
                    "variant-renamed",
                    &subject,
                    Some(&was.origin),
                    Some(&is.origin),
                    message,
                );
                continue;
            }
            let (rule, message) = if was.is_catch_all() {
                (
                    "union-closed",
                    format!("the catch-all {subject} was removed, so unknown variants are refused"),
                )
            } else {
                (
                    "variant-removed",
                    format!("the variant {subject} was removed"),
                )
            };
            self.claim(
                rule,
                &subject,
                Some(&was.origin),
                new.origins.first(),
                message,
            );
        }
        for (index, to) in added.iter().enumerate() {
            if !renamed.contains(&index) {
                self.added_variant(union, *to, subject);
            }
        }
    }

    fn added_variant(&mut self, union: &Union<'_>, to: usize, subject: &Subject) {
        let (old, new) = (union.old.2, union.new.2);
        let is = &new.objects[to];
        let subject = subject.labelled(&union.labels.1[to]);
        let place = old.origins.first();
        let refusal = if self.new.unsatisfiable.contains(&is.origin) {
            Some("no document satisfies it".to_owned())
        } else if is.is_catch_all() {
            Some("it takes whatever the others do not, and there was no catch-all".to_owned())
        } else {
            // Each newcomer is compared with every other alternative, and there may be thousands.
            let looks = self.looks.get().checked_sub(new.objects.len());
            let Some(looks) = looks else {
                let why = format!(
                    "{subject} is one of too many new alternatives to compare each with each"
                );
                return self.undecided("oneOf", &is.origin, why);
            };
            self.looks.set(looks);
            self.not_told_apart(union, to)
                .or_else(|| self.outside_catch_all(union, to))
        };
        match refusal {
            Some(why) => {
                let message =
                    format!("{subject} is a new alternative that cannot be taken in: {why}");
                self.claim(
                    "variant-added-untagged",
                    &subject,
                    place,
                    Some(&is.origin),
                    message,
                );
            }
            None => {
                let message = format!("{subject} is a new variant");
                self.claim_element(
                    "variant-added",
                    &subject,
                    place,
                    Some(&is.origin),
                    message,
                    Some(ElementKind::Variant),
                );
            }
        }
    }

    /// Whether one tag tells the alternatives apart, and a new one has values of it that no old one
    /// had.
    fn has_new_tag(&self, union: &Union<'_>, to: usize) -> bool {
        let [tag] = union.tags.as_slice() else {
            return false;
        };
        let Says::Values(values) = tag_says(self.new, union.new.2.objects[to].object, tag) else {
            return false;
        };
        let mut old = union.old.2.objects.iter();
        !old.any(|variant| match tag_says(self.old, variant.object, tag) {
            Says::Values(known) => known.iter().any(|value| values.contains(value)),
            _ => false,
        })
    }

    /// Why a new alternative could be taken for another one of its union.
    fn not_told_apart(&self, union: &Union<'_>, to: usize) -> Option<String> {
        let (wire, _, new) = union.new;
        let object = |index: usize| wire.object(new.objects[index].object);
        let required = |index: usize| {
            let fields = object(index).fields.iter();
            fields
                .filter(|(_, field)| field.required)
                .map(|(name, _)| name)
        };
        let carries = |name: &String| {
            object(to).fields.get(name).is_some_and(|field| {
                let node = wire.node(field.node);
                let values = node.string.as_ref();
                let is_closed = values.is_some_and(Scalar::is_closed_enum);
                field.required && is_closed && node.takes_strings_alone()
            })
        };
        // A newcomer that the tag does not name leaves the others without one as well.
        if union.tagged == (true, false) && !union.tags.iter().any(carries) {
            let tags = union.tags.join(", ");
            return Some(format!("`{tags}` tells the others apart, and it has none"));
        }
        let mine: HashSet<&String> = required(to).collect();
        // Where more is said of members than which there are, others may come by that.
        let is_plain = |index: usize| {
            let object = object(index);
            wire.is_any(object.rest)
                && object.patterns.is_empty()
                && object.residual.is_empty()
                && object.names.is_none()
                && object.dependent_required.is_empty()
                && object.min_properties == 0
        };
        // A member that must stand here and that the other does not know.
        let has_own = |one: usize, other: usize| {
            required(one).any(|name| !object(other).fields.contains_key(name))
        };
        let is_beside_all = !new.exclusive && self.has_new_tag(union, to);
        let clash = (0..new.objects.len())
            .filter(|index| *index != to)
            // A plain catch-all of an `anyOf` takes what the others take, too. That a newcomer with a
            // tag of its own fits it is looked at beside this.
            .filter(|index| !(is_beside_all && new.objects[*index].is_catch_all()))
            .find(|index| {
                // Who reads a tagged union looks at the tag first, whatever else is required.
                let by_members = !union.tagged.0
                    && is_plain(to)
                    && is_plain(*index)
                    && required(*index).all(|name| !mine.contains(name))
                    && has_own(to, *index)
                    && has_own(*index, to);
                !by_members && !disjoint(&wire.nodes, object(to), object(*index))
            })?;
        let other = Subject::document().labelled(&union.labels.1[clash]);
        let hint = if new.objects[clash].is_catch_all() {
            "; add its tag to the list that the catch-all excludes"
        } else {
            ""
        };
        Some(format!("a document may match it and {other} at once{hint}"))
    }
}

/// Removed and added variants whose bodies, tags aside, are of equal shape.
fn pair_variants(
    differ: &Differ<'_>,
    union: &Union<'_>,
    old_labels: &[String],
    new_labels: &[String],
    removed: &[usize],
    added: &[usize],
) -> HashMap<usize, usize> {
    let budget = &differ.candidates;
    super::fields::pair_names(old_labels, new_labels, budget, |from, to| {
        let (was, is) = (
            &union.old.2.objects[removed[from]],
            &union.new.2.objects[added[to]],
        );
        let named = |variant: &Variant| {
            variant.tags.iter().any(|tag| !tag.values.is_empty()) && !variant.is_catch_all()
        };
        named(was) && named(is) && same_body(differ, union, was.object, is.object)
    })
}

fn same_body(differ: &Differ<'_>, union: &Union<'_>, old: ObjectId, new: ObjectId) -> bool {
    let (before, after) = (differ.old.object(old), differ.new.object(new));
    let same = |old: NodeId, new: NodeId| {
        // A variant may hold its own union, which has another tag for it now.
        let assumed = Assumed {
            places: HashSet::from_iter([(union.old.1, union.new.1)]),
            ..Assumed::default()
        };
        differ.alike(old, new, assumed)
    };
    let body = |object: &Object| {
        object
            .fields
            .iter()
            .filter(|(name, _)| !union.tags.contains(name))
            .map(|(name, field)| (name.clone(), field.clone()))
            .collect::<Vec<_>>()
    };
    let kept = body(before).into_iter().all(|(name, field)| {
        after
            .fields
            .get(&name)
            .is_some_and(|other| field.required == other.required && same(field.node, other.node))
    });
    // Fields may have come with the new name, but none that old documents lack.
    kept && body(after)
        .iter()
        .all(|(name, field)| !field.required || before.fields.contains_key(name))
}
