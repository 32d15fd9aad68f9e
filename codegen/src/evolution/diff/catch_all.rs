//! What a catch-all refuses: the tags that its union knows, and what is refused beyond those.

use super::Differ;
use super::scalars::Ignored;
use super::unions::Union;
use crate::json::Literal;
use crate::wire::{Node, Subject, Variant};

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
            if self.places.insert((before.node, after.node)) {
                let (one, other) = (self.old.node(before.node), self.new.node(after.node));
                let places = (before.origins.first(), after.origins.first());
                let tag_subject = subject.field(&tag.name);
                self.docs(&one.docs, &other.docs, &tag_subject, places, &[]);
                let mut known = known_tags(union.old.2, was, &tag.name);
                let mut knows = known_tags(union.new.2, is, &tag.name);
                // A value that the catch-all refuses as before is no change of the catch-all.
                let mut kept: Vec<Literal> = left
                    .tails
                    .first()
                    .map_or_else(Vec::new, |tail| tail.excluded.clone());
                kept.retain(|value| {
                    let mut tails = left.tails.iter().chain(&right.tails);
                    tails.all(|tail| tail.excluded.contains(value))
                });
                known.extend(kept.iter().cloned());
                knows.extend(kept);
                let ignored = Ignored {
                    old: &known,
                    new: &knows,
                };
                let places = (before.origins.first(), after.origins.first());
                self.scalars(left, right, &subject.field(&tag.name), places, ignored);
            }
        }
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
