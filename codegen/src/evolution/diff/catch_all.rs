//! What a catch-all refuses: the tags that its union knows, and what is refused beyond those.

use super::Differ;
use super::scalars::Ignored;
use super::unions::Union;
use crate::evolution::equal::Mode;
use crate::json::Literal;
use crate::wire::{Node, NodeId, Object, Says, Subject, Variant, tag_says};

impl Differ<'_> {
    /// A catch-all's list of known tags changes with the variants, and is claimed with them; what
    /// it refuses beyond those is a constraint of its own.
    pub(super) fn catch_all_tags(
        &mut self,
        union: &Union<'_>,
        from: usize,
        to: usize,
        subject: &Subject,
    ) {
        let (was, is) = (&union.old.2.objects[from], &union.new.2.objects[to]);
        for tag in was.tags.iter().filter(|tag| tag.values.is_empty()) {
            let fields = (
                self.old.object(was.object).fields.get(&tag.name),
                self.new.object(is.object).fields.get(&tag.name),
            );
            let (Some(before), Some(after)) = fields else {
                continue;
            };
            let scalars = (
                &self.old.node(before.node).string,
                &self.new.node(after.node).string,
            );
            let (Some(left), Some(right)) = scalars else {
                continue;
            };
            // A tag that takes other types than strings is compared like any member.
            if !self.old.node(before.node).takes_strings_alone()
                || !self.new.node(after.node).takes_strings_alone()
            {
                continue;
            }
            if self.places.insert((before.node, after.node)) {
                let (one, other) = (self.old.node(before.node), self.new.node(after.node));
                let places = (before.origins.first(), after.origins.first());
                let tag_subject = subject.field(&tag.name);
                self.docs(&one.docs, &other.docs, &tag_subject, places, &[]);
                // The list follows the variants that came and went; what else it gained or lost is
                // a constraint of its own, also where it names a variant that stays.
                let known = known_tags(union.old.2, was, &tag.name);
                let knows = known_tags(union.new.2, is, &tag.name);
                let went = known.iter().filter(|value| !knows.contains(value));
                let came = knows.iter().filter(|value| !known.contains(value));
                let moved: Vec<Literal> = went.chain(came).cloned().collect();
                let ignored = Ignored {
                    old: &moved,
                    new: &moved,
                };
                let places = (before.origins.first(), after.origins.first());
                self.scalars(left, right, &subject.field(&tag.name), places, ignored);
            }
        }
    }

    /// Why a document of a new alternative would not have passed the old catch-all.
    pub(super) fn outside_catch_all(&mut self, union: &Union<'_>, to: usize) -> Option<String> {
        let (old, new) = (union.old.2, union.new.2);
        let newcomer = self.new.object(new.objects[to].object);
        for was in old.objects.iter().filter(|variant| variant.is_catch_all()) {
            // A catch-all takes what its closed tags name and its open tags do not know yet.
            let concerns = was.tags.iter().all(|tag| {
                let Says::Values(values) = tag_says(self.new, new.objects[to].object, &tag.name)
                else {
                    return false;
                };
                if tag.values.is_empty() {
                    let known = known_tags(old, was, &tag.name);
                    return values.iter().any(|value| !known.contains(value));
                }
                values.iter().any(|value| tag.values.contains(value))
            });
            if !concerns {
                continue;
            }
            let catch_all = self.old.object(was.object);
            for (name, field) in &catch_all.fields {
                if self.old.is_any(field.node) && !field.required {
                    continue;
                }
                let Some(own) = newcomer.fields.get(name) else {
                    return Some(format!(
                        "the catch-all of the old revision types {name:?}, which it does not declare"
                    ));
                };
                if field.required && !own.required {
                    return Some(format!(
                        "the catch-all of the old revision requires {name:?}, and it does not"
                    ));
                }
                if !self.fits(field.node, own.node) {
                    return Some(format!(
                        "the catch-all of the old revision refuses what it says of {name:?}"
                    ));
                }
            }
            let counted = |object: &Object| {
                (
                    object.min_properties,
                    object.max_properties,
                    object.dependent_required.clone(),
                )
            };
            if counted(catch_all) != counted(newcomer)
                || catch_all.names.is_some()
                || !catch_all.patterns.is_empty()
                || catch_all.values.is_some()
            {
                return Some(
                    "the catch-all of the old revision constrains the members as a whole"
                        .to_owned(),
                );
            }
            let rest_fits = self.old.is_any(catch_all.rest)
                || self.same(catch_all.rest, newcomer.rest, Mode::Wire);
            if !rest_fits || !catch_all.residual.is_empty() {
                return Some(
                    "the catch-all of the old revision constrains further members".to_owned(),
                );
            }
        }
        None
    }

    /// Whether what a new place takes fits an old one, told without a prover: the same, anything,
    /// or named values that the old one accepts.
    fn fits(&mut self, old: NodeId, new: NodeId) -> bool {
        if self.old.is_any(old) || self.same(old, new, Mode::Wire) {
            return true;
        }
        let (before, after) = (self.old.node(old), self.new.node(new));
        let scalar_only = !after.null
            && after.boolean.is_none()
            && after.arrays.is_empty()
            && after.objects.is_empty();
        scalar_only
            && values_fit(before.string.as_ref(), after.string.as_ref())
            && values_fit(before.number.as_ref(), after.number.as_ref())
    }
}

/// The values that one tag has in the variants beside a catch-all.
pub(super) fn known_tags(node: &Node, catch_all: &Variant, name: &str) -> Vec<Literal> {
    let Some(depth) = catch_all.tags.iter().position(|tag| tag.name == name) else {
        return Vec::new();
    };
    let beside = node
        .objects
        .iter()
        .filter(|variant| variant.tags.get(..depth) == catch_all.tags.get(..depth));
    let of = |variant: &Variant| {
        variant
            .tags
            .get(depth)
            .filter(|tag| tag.name == name)
            .map(|tag| tag.values.clone())
    };
    beside.filter_map(of).flatten().collect()
}

fn values_fit<F: crate::wire::ScalarFacts>(
    old: Option<&crate::wire::Scalar<F>>,
    new: Option<&crate::wire::Scalar<F>>,
) -> bool {
    let Some(new) = new else { return true };
    let Some(old) = old else { return false };
    new.tails.is_empty()
        && new.known.iter().all(|known| {
            old.known.iter().any(|other| other.value == known.value)
                || old
                    .tails
                    .iter()
                    .any(|tail| tail.tells(&known.value) == Some(true))
        })
}
