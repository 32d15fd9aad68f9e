//! Which object alternative of the new side an old one is: by its tags, else by its content.

use super::Differ;
use super::unions::Union;
use crate::evolution::equal::Mode;
use crate::json::Literal;
use crate::maps::{HashMap, HashSet};
use crate::wire::{Node, Says, Variant, Wire, tag_says};
use std::cell::Cell;
use std::collections::VecDeque;
use std::hash::Hash;

/// What is left to be paired, in order.
struct Left<'b> {
    old: Vec<usize>,
    new: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    /// How many pairs may still be looked at in this comparison.
    looks: &'b Cell<usize>,
    untold: bool,
}

impl Left<'_> {
    /// Pairs those with equal keys, the first ones first.
    fn by_key<K: Hash + Eq>(
        &mut self,
        old: impl Fn(usize) -> Option<K>,
        new: impl Fn(usize) -> Option<K>,
    ) {
        let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::default();
        for to in &self.new {
            if let Some(key) = new(*to) {
                waiting.entry(key).or_default().push_back(*to);
            }
        }
        let mut taken = HashSet::default();
        let pairs = &mut self.pairs;
        self.old.retain(|from| {
            let twins = old(*from).and_then(|key| waiting.get_mut(&key));
            let Some(to) = twins.and_then(VecDeque::pop_front) else {
                return true;
            };
            taken.insert(to);
            pairs.push((*from, to));
            false
        });
        self.new.retain(|to| !taken.contains(to));
    }

    /// Pairs each of those that come into question with the first one that fits; gives them.
    /// Looking at each pair has to stay within the budget, or what is left stays untold.
    fn by_look(
        &mut self,
        may: (impl Fn(usize) -> bool, impl Fn(usize) -> bool),
        fits: impl Fn(usize, usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let mut right: Vec<usize> = self.new.iter().copied().filter(|to| may.1(*to)).collect();
        let left = self.old.iter().filter(|from| may.0(**from)).count();
        let cost = left.saturating_mul(right.len());
        let Some(looks) = self.looks.get().checked_sub(cost) else {
            self.untold = true;
            return Vec::new();
        };
        self.looks.set(looks);
        let mut found = Vec::new();
        self.old.retain(|from| {
            let at = match may.0(*from) {
                true => right.iter().position(|to| fits(*from, *to)),
                false => None,
            };
            found.extend(at.map(|at| (*from, right.remove(at))));
            at.is_none()
        });
        let taken: HashSet<usize> = found.iter().map(|(_, to)| *to).collect();
        self.new.retain(|to| !taken.contains(to));
        self.pairs.extend(&found);
        found
    }
}

impl Differ<'_> {
    /// Pairs alternatives: equal tags, then overlapping tags; untagged ones by content, then by
    /// name, then by members in common.
    pub(super) fn match_variants(&self, union: &mut Union<'_>) {
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
        let titles = |wire: &Wire, variants: &[Variant]| -> Vec<Option<String>> {
            variants
                .iter()
                .map(|variant| title(wire, variant))
                .collect()
        };
        let titles = (
            titles(self.old, &old.objects),
            titles(self.new, &new.objects),
        );
        let shared_title =
            |from: usize, to: usize| titles.0[from].is_some() && titles.0[from] == titles.1[to];
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
        let classes = |from: usize, to: usize| {
            let shapes = (old.objects[from].object, new.objects[to].object);
            self.classes(Mode::Wire).of_objects(shapes.0, shapes.1)
        };
        // One side's class does not depend on what it is looked up beside.
        let class_of_old = |from: usize| Some(classes(from, 0)?.0);
        let class_of_new = |to: usize| Some(classes(0, to)?.1);
        // The same values of a tag that has another name: what happened is told by the tag.
        let shared_values = |from: usize, to: usize| {
            let (was, is) = (&old.objects[from], &new.objects[to]);
            !was.tags.is_empty()
                && was.tags.len() == is.tags.len()
                && was
                    .tags
                    .iter()
                    .all(|tag| is.tags.iter().all(|other| tag.name != other.name))
                && was.label() == is.label()
        };
        // What a further tag says in a variant that the first one alone tells apart is a fact of a
        // member, and may change without making the variant another.
        let lone = (alone(&was), alone(&is));
        let mut left = Left {
            old: (0..was.len()).collect(),
            new: (0..is.len()).collect(),
            pairs: Vec::new(),
            looks: &self.looks,
            untold: false,
        };
        // Where tags alone decide, comparing contents first would only cost.
        let unique = |says: &[Vec<Says>]| {
            let mut seen = HashSet::default();
            says.iter().all(|one| !tagged(one) || seen.insert(one))
        };
        let says_of_old = |from: usize| tagged(&was[from]).then(|| &was[from]);
        let says_of_new = |to: usize| tagged(&is[to]).then(|| &is[to]);
        if !(unique(&was) && unique(&is)) {
            left.by_key(
                |from| Some((says_of_old(from)?, class_of_old(from)?)),
                |to| Some((says_of_new(to)?, class_of_new(to)?)),
            );
        }
        left.by_key(says_of_old, says_of_new);
        let mut holders: HashMap<&Literal, usize> = HashMap::default();
        for to in left.new.iter().filter(|to| lone.1[**to]) {
            holders.extend(first(&is[*to]).iter().map(|value| (value, *to)));
        }
        // The first one that shares a value; each new alternative goes to one old one.
        let mut taken = HashSet::default();
        let mut shares: HashMap<usize, usize> = HashMap::default();
        for from in left.old.iter().filter(|from| lone.0[**from]) {
            let twins = first(&was[*from])
                .iter()
                .filter_map(|value| holders.get(value));
            let twin = twins.copied().filter(|to| !taken.contains(to)).min();
            if let Some(to) = twin {
                taken.insert(to);
                shares.insert(*from, to);
            }
        }
        left.by_key(
            |from| shares.get(&from).copied(),
            |to| taken.contains(&to).then_some(to),
        );
        left.by_look(
            (|from| tagged(&was[from]), |to| tagged(&is[to])),
            |from, to| overlap(&was[from], &is[to]),
        );
        left.by_look(
            (
                |from| !old.objects[from].tags.is_empty(),
                |to| !new.objects[to].tags.is_empty(),
            ),
            shared_values,
        );
        left.by_key(
            |from| class_of_old(from).filter(|_| !tagged(&was[from])),
            |to| class_of_new(to).filter(|_| !tagged(&is[to])),
        );
        left.by_key(
            |from| titles.0[from].as_ref().filter(|_| !tagged(&was[from])),
            |to| titles.1[to].as_ref().filter(|_| !tagged(&is[to])),
        );
        // Members that must stand tell alternatives apart where no tag does.
        let needs = (
            alone_by_needs(self.old, old, &left.old),
            alone_by_needs(self.new, new, &left.new),
        );
        left.by_key(
            |from| needs.0.get(&from).filter(|_| !tagged(&was[from])),
            |to| needs.1.get(&to).filter(|_| !tagged(&is[to])),
        );
        left.by_look(
            (|from| !tagged(&was[from]), |to| !tagged(&is[to])),
            shared_members,
        );
        // What is left alone on both sides of an untagged union is the same alternative, changed.
        let mut rest = None;
        if let ([from], [to]) = (left.old.as_slice(), left.new.as_slice())
            && ((!tagged(&was[*from]) && !tagged(&is[*to]))
                || (!new.union && union.tags.is_empty()))
        {
            rest = Some((*from, *to));
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
        if let Some(rest) = rest {
            left.pairs.push(rest);
            left.old.clear();
            left.new.clear();
        }
        let lost = left.by_look(
            (|from| titles.0[from].is_some(), |to| titles.1[to].is_some()),
            lost_tag,
        );
        let (mut pairs, untold) = (left.pairs, left.untold);
        pairs.sort_unstable();
        union.lost_tag = lost.into_iter().collect();
        union.pairs = pairs;
        union.untold = untold;
    }
}

/// The members that each of some alternatives requires, for those that no other one requires the
/// same of.
fn alone_by_needs<'w>(
    wire: &'w Wire,
    node: &Node,
    indices: &[usize],
) -> HashMap<usize, Vec<&'w str>> {
    let needs = |index: &usize| -> Vec<&'w str> {
        let fields = wire.object(node.objects[*index].object).fields.iter();
        let required = fields.filter(|(_, field)| field.required);
        let mut names: Vec<&str> = required.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    };
    let mut holders: HashMap<Vec<&str>, Vec<usize>> = HashMap::default();
    for index in indices {
        holders.entry(needs(index)).or_default().push(*index);
    }
    let alone = holders.into_iter();
    let alone = alone.filter(|(names, holders)| !names.is_empty() && holders.len() == 1);
    alone.map(|(names, holders)| (holders[0], names)).collect()
}

/// The values of the first tag.
fn first(says: &[Says]) -> &[Literal] {
    match says.first() {
        Some(Says::Values(values)) => values,
        _ => &[],
    }
}

/// Those whose first tag has values that no other alternative of their side has.
fn alone(says: &[Vec<Says>]) -> Vec<bool> {
    let mut holders: HashMap<&Literal, usize> = HashMap::default();
    for value in says.iter().flat_map(|says| first(says)) {
        *holders.entry(value).or_default() += 1;
    }
    let is_alone = |says: &Vec<Says>| first(says).iter().all(|value| holders[value] == 1);
    says.iter().map(is_alone).collect()
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

/// The name that an alternative has beside its tags.
fn title(wire: &Wire, variant: &Variant) -> Option<String> {
    let object = wire.object(variant.object);
    let title = variant.docs.title.as_ref().or(object.docs.title.as_ref());
    title.or(object.definition.as_ref()).cloned()
}
