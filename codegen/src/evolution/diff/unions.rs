//! Object alternatives: matched by tag, else by content; gone, new or renamed.

use super::Differ;
use crate::evolution::ElementKind;
use crate::evolution::equal::Mode;
use crate::wire::{
    Node, NodeId, Object, ObjectId, Says, Subject, Variant, Wire, disjoint, tag_says,
};
use std::collections::HashSet;

/// Two sides of a union and the tags that either uses.
pub(super) struct Union<'w> {
    pub(super) old: (&'w Wire, NodeId, &'w Node),
    pub(super) new: (&'w Wire, NodeId, &'w Node),
    tags: Vec<String>,
    pairs: Vec<(usize, usize)>,
    /// Those of the pairs that are told apart by other tags than before.
    lost_tag: Vec<(usize, usize)>,
}

impl Differ<'_> {
    pub(super) fn unions(&mut self, old: NodeId, new: NodeId, subject: &Subject) {
        let (before, after) = (self.old.node(old), self.new.node(new));
        let places = (before.origins.first(), after.origins.first());
        match (before.union, after.union) {
            (false, false) => {
                if let (Some(was), Some(is)) = (before.objects.first(), after.objects.first()) {
                    self.visit_object(was.object, is.object, subject.clone());
                }
                return;
            }
            // An object among alternatives of other types stood in a union already.
            (false, true) if !self.grows_by_type(old, new) => {
                let message = format!(
                    "{subject} was one object and is a union of {}",
                    after.objects.len()
                );
                return self.claim("union-introduced", subject, places.0, places.1, message);
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
            pairs: Vec::new(),
            lost_tag: Vec::new(),
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
            let subject = subject.variant(self.old, old, from);
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
            if was.is_catch_all() && is.is_catch_all() {
                self.catch_all_tags(&union, from, to, &subject);
            }
            self.visit_object(was.object, is.object, subject);
        }
        self.unmatched(&union, subject);
    }

    /// Pairs alternatives: equal tags, then overlapping tags; untagged ones by content, then by
    /// name, then by members in common.
    fn match_variants(&mut self, union: &mut Union<'_>) {
        let (old, new) = (union.old.2, union.new.2);
        let of = |wire: &Wire, variant: &Variant| -> Vec<Says> {
            union
                .tags
                .iter()
                .map(|tag| tag_says(wire, variant.object, tag))
                .collect()
        };
        let was: Vec<Vec<Says>> = old
            .objects
            .iter()
            .map(|variant| of(self.old, variant))
            .collect();
        let is: Vec<Vec<Says>> = new
            .objects
            .iter()
            .map(|variant| of(self.new, variant))
            .collect();
        let tagged = |says: &[Says]| says.iter().any(|says| *says != Says::Nothing);
        let mut left: Vec<usize> = (0..was.len()).collect();
        let mut right: Vec<usize> = (0..is.len()).collect();
        let mut pairs = Vec::new();
        let shared_title = |from: usize, to: usize| {
            let title = |wire: &Wire, variant: &Variant| {
                let object = wire.object(variant.object);
                variant
                    .docs
                    .title
                    .clone()
                    .or_else(|| object.docs.title.clone())
                    .or_else(|| object.definition.clone())
            };
            let title_of_old = title(self.old, &old.objects[from]);
            title_of_old.is_some() && title_of_old == title(self.new, &new.objects[to])
        };
        let shared_members = |from: usize, to: usize| {
            let (one, other) = (
                self.old.object(old.objects[from].object),
                self.new.object(new.objects[to].object),
            );
            let shared = one
                .fields
                .keys()
                .filter(|name| other.fields.contains_key(*name))
                .count();
            shared * 2 > one.fields.len().max(other.fields.len())
        };
        let same = |from: usize, to: usize| {
            self.same_object(old.objects[from].object, new.objects[to].object)
        };
        // The same values of a tag that has another name: what happened is told by the tag.
        let shared_values = |from: usize, to: usize| {
            let (was, is) = (&old.objects[from], &new.objects[to]);
            !was.tags.is_empty()
                && was.label() == is.label()
                && was
                    .tags
                    .iter()
                    .all(|tag| is.tags.iter().all(|other| tag.name != other.name))
        };
        // What a further tag says in a variant that the first one alone tells apart is a fact of a
        // member, and may change without making the variant another.
        let alone = |says: &[Vec<Says>], at: usize| {
            let mut others = says.iter().enumerate().filter(|(index, _)| *index != at);
            others.all(|(_, other)| !share(other.first(), says[at].first()))
        };
        let rounds: [&dyn Fn(usize, usize) -> bool; 8] = [
            &|from, to| tagged(&was[from]) && was[from] == is[to] && same(from, to),
            &|from, to| tagged(&was[from]) && was[from] == is[to],
            &|from, to| {
                share(was[from].first(), is[to].first()) && alone(&was, from) && alone(&is, to)
            },
            &|from, to| overlap(&was[from], &is[to]),
            &shared_values,
            &|from, to| !tagged(&was[from]) && !tagged(&is[to]) && same(from, to),
            &|from, to| !tagged(&was[from]) && !tagged(&is[to]) && shared_title(from, to),
            &|from, to| !tagged(&was[from]) && !tagged(&is[to]) && shared_members(from, to),
        ];
        // Where tags alone decide, comparing contents first would only cost.
        let unique = |says: &[Vec<Says>]| {
            says.iter()
                .enumerate()
                .all(|(index, one)| !tagged(one) || !says[..index].contains(one))
        };
        let skip = usize::from(unique(&was) && unique(&is));
        for round in &rounds[skip..] {
            left.retain(|from| match right.iter().position(|to| round(*from, *to)) {
                Some(index) => {
                    pairs.push((*from, right.remove(index)));
                    false
                }
                None => true,
            });
        }
        // What is left alone on both sides of an untagged union is the same alternative, changed.
        if let ([from], [to]) = (left.as_slice(), right.as_slice())
            && ((!tagged(&was[*from]) && !tagged(&is[*to]))
                || (!new.union && union.tags.is_empty()))
        {
            pairs.push((*from, *to));
        }
        // A variant that lost or gained a tag is the same one, told apart in another way: what
        // became of the tag is then claimed of the member.
        let untagged = |says: &Says| !matches!(says, Says::Values(_));
        let lost_tag = |from: usize, to: usize| {
            let tags = was[from].iter().zip(&is[to]);
            let (mut other, mut renamed) = (false, false);
            for (one, now) in tags {
                other |= one != now && (untagged(one) || untagged(now));
                renamed |= one != now && !untagged(one) && !untagged(now);
            }
            other && !renamed && shared_title(from, to)
        };
        left.retain(
            |from| match right.iter().position(|to| lost_tag(*from, *to)) {
                Some(index) => {
                    let to = right.remove(index);
                    pairs.push((*from, to));
                    union.lost_tag.push((*from, to));
                    false
                }
                None => true,
            },
        );
        pairs.sort_unstable();
        union.pairs = pairs;
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
        let removed: Vec<usize> = (0..old.objects.len())
            .filter(|from| !union.pairs.iter().any(|(one, _)| one == from))
            .collect();
        let added: Vec<usize> = (0..new.objects.len())
            .filter(|to| !union.pairs.iter().any(|(_, other)| other == to))
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
        let mut renamed = HashSet::new();
        for (index, from) in removed.iter().enumerate() {
            let was = &old.objects[*from];
            let subject = subject.variant(self.old, union.old.1, *from);
            if let Some((_, to)) = renames.iter().find(|(one, _)| *one == index) {
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
        let subject = subject.variant(self.new, union.new.1, to);
        let place = old.origins.first();
        let refusal = if self.new.unsatisfiable.contains(&is.origin) {
            Some("no document satisfies it".to_owned())
        } else if is.is_catch_all() {
            Some("it takes whatever the others do not, and there was no catch-all".to_owned())
        } else {
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

    /// Why a new alternative could be taken for another one of its union.
    fn not_told_apart(&self, union: &Union<'_>, to: usize) -> Option<String> {
        let (wire, id, new) = union.new;
        let object = |index: usize| wire.object(new.objects[index].object);
        let required = |object: &Object| -> HashSet<String> {
            object
                .fields
                .iter()
                .filter(|(_, field)| field.required)
                .map(|(name, _)| name.clone())
                .collect()
        };
        let mine = required(object(to));
        let clash = (0..new.objects.len())
            .filter(|index| *index != to)
            .find(|index| {
                let theirs = required(object(*index));
                let by_members =
                    !mine.is_empty() && !theirs.is_empty() && mine.is_disjoint(&theirs);
                !by_members && !disjoint(&wire.nodes, object(to), object(*index))
            })?;
        let other = Subject::document().variant(wire, id, clash);
        let hint = if new.objects[clash].is_catch_all() {
            "; add its tag to the list that the catch-all excludes"
        } else {
            ""
        };
        Some(format!("a document may match it and {other} at once{hint}"))
    }
}

/// Whether two tags share a value.
fn share(left: Option<&Says>, right: Option<&Says>) -> bool {
    match (left, right) {
        (Some(Says::Values(one)), Some(Says::Values(other))) => {
            one.iter().any(|value| other.contains(value))
        }
        _ => false,
    }
}

/// Whether two signatures share a value in every tag that both name, and there is one.
fn overlap(left: &[Says], right: &[Says]) -> bool {
    let mut shared = false;
    for pair in left.iter().zip(right) {
        match pair {
            (Says::Values(one), Says::Values(other))
                if one.iter().any(|value| other.contains(value)) =>
            {
                shared = true
            }
            (one, other) if one == other => {}
            _ => return false,
        }
    }
    shared
}

/// Removed and added variants whose bodies, tags aside, are of equal shape.
fn pair_variants(
    differ: &mut Differ<'_>,
    union: &Union<'_>,
    old_labels: &[String],
    new_labels: &[String],
    removed: &[usize],
    added: &[usize],
) -> Vec<(usize, usize)> {
    super::fields::pair_names(old_labels, new_labels, |from, to| {
        let (was, is) = (
            &union.old.2.objects[removed[from]],
            &union.new.2.objects[added[to]],
        );
        let named = |variant: &Variant| {
            variant.tags.iter().any(|tag| !tag.values.is_empty()) && !variant.is_catch_all()
        };
        named(was) && named(is) && same_body(differ, was.object, is.object, &union.tags)
    })
}

fn same_body(differ: &mut Differ<'_>, old: ObjectId, new: ObjectId, tags: &[String]) -> bool {
    let (before, after) = (differ.old.object(old), differ.new.object(new));
    let body = |object: &Object| {
        object
            .fields
            .iter()
            .filter(|(name, _)| !tags.contains(name))
            .map(|(name, field)| (name.clone(), field.clone()))
            .collect::<Vec<_>>()
    };
    let kept = body(before).into_iter().all(|(name, field)| {
        after.fields.get(&name).is_some_and(|other| {
            field.required == other.required && differ.same(field.node, other.node, Mode::ButFormat)
        })
    });
    // Fields may have come with the new name, but none that old documents lack.
    kept && body(after)
        .iter()
        .all(|(name, field)| !field.required || before.fields.contains_key(name))
}
