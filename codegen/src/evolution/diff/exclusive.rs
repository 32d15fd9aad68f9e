//! "Exactly one": what a `oneOf` holds apart although a document may match several of its branches.

use super::{Differ, Place};
use crate::evolution::equal::Mode;
use crate::maps::{HashMap, HashSet};
use crate::wire::{HeldApart, Node, NodeId, ObjectId, Separate, Subject};

/// Which new alternative each old one of a place is.
#[derive(Default)]
pub(super) struct Pairs {
    pub(super) objects: HashMap<ObjectId, ObjectId>,
    pub(super) arrays: HashMap<usize, usize>,
}

impl Differ<'_> {
    /// Compares what excludes what, where alternatives overlap. What the alternatives themselves
    /// say, and which came or went, is claimed elsewhere.
    pub(super) fn exclusive(
        &mut self,
        old: NodeId,
        new: NodeId,
        subject: &Subject,
        places: (Place<'_>, Place<'_>),
        pairs: &Pairs,
    ) {
        let (before, after) = (self.old.node(old), self.new.node(new));
        match (before.exclusive, after.exclusive) {
            (false, false) => {}
            // What newcomers alone overlap is told of them: whether they are told apart.
            (false, true) if only_newcomers_overlap(after, pairs) => {}
            (false, true) => {
                let message =
                    format!("{subject} must now match exactly one of alternatives that overlap");
                self.claim("constraint-narrowed", subject, places.0, places.1, message);
            }
            (true, false) => {
                let message =
                    format!("{subject} no longer has to match exactly one of its alternatives");
                self.claim("constraint-widened", subject, places.0, places.1, message);
            }
            (true, true) => {
                if !self.classes(Mode::Wire).same_apart(old, new)
                    && !same_pairs_apart(before, after, pairs)
                    && let Some(origin) = places.1.or(places.0)
                {
                    // Which documents match several branches depends on all that overlap, and the
                    // alternatives alone do not tell whether those are the same documents.
                    let why = format!(
                        "other alternatives of {subject} exclude each other than before, and which documents match several of them cannot be told"
                    );
                    self.undecided("oneOf", origin, why);
                }
            }
        }
        if before.exclusive == after.exclusive && !self.same_scalars_apart(before, after) {
            let message = if before.exclusive {
                format!(
                    "{subject} must match exactly one of alternatives that overlap in another way"
                )
            } else {
                format!("{subject} must satisfy other conditions than before in its alternatives")
            };
            self.claim("unclaimed-change", subject, places.0, places.1, message);
        }
    }

    fn same_scalars_apart(&self, before: &Node, after: &Node) -> bool {
        if before.held_apart.is_empty() && after.held_apart.is_empty() {
            return true;
        }
        let classes = self.classes(Mode::Wire);
        let any = (crate::wire::Wire::ANY, crate::wire::Wire::ANY);
        let old = |what| match what {
            Separate::Scalars(id) => Some(classes.of_places(id, any.1)?.0),
            _ => None,
        };
        let new = |what| match what {
            Separate::Scalars(id) => Some(classes.of_places(any.0, id)?.1),
            _ => None,
        };
        correspond(&before.held_apart, &after.held_apart, old, new)
    }
}

/// Whether each two alternatives that exclude each other are objects, one of which is new.
fn only_newcomers_overlap(after: &Node, pairs: &Pairs) -> bool {
    let stayed: HashSet<&ObjectId> = pairs.objects.values().collect();
    let mut known = 0;
    let objects = after.held_apart.iter().all(|apart| match &apart.what {
        Separate::Object(id) => {
            known += usize::from(stayed.contains(id));
            true
        }
        _ => false,
    });
    objects && known <= 1 && known < after.held_apart.len()
}

/// Whether the arrays and objects that stand on both sides exclude each other on both alike.
fn same_pairs_apart(before: &Node, after: &Node, pairs: &Pairs) -> bool {
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let arrays = {
        let back: HashMap<usize, usize> =
            pairs.arrays.iter().map(|(from, to)| (*to, *from)).collect();
        let old = |what| match what {
            Separate::Array(at) => pairs.arrays.contains_key(&at).then(|| number(at)),
            _ => None,
        };
        let new = |what| match what {
            Separate::Array(at) => back.get(&at).copied().map(number),
            _ => None,
        };
        correspond(&before.held_apart, &after.held_apart, old, new)
    };
    let back: HashMap<ObjectId, ObjectId> = pairs
        .objects
        .iter()
        .map(|(from, to)| (*to, *from))
        .collect();
    let old = |what| match what {
        Separate::Object(id) => pairs.objects.contains_key(&id).then_some(id.0),
        _ => None,
    };
    let new = |what| match what {
        Separate::Object(id) => back.get(&id).map(|id| id.0),
        _ => None,
    };
    arrays && correspond(&before.held_apart, &after.held_apart, old, new)
}

/// Whether alternatives with the same number stand on corresponding branches: there is one way to
/// take each `oneOf` and each of its branches for one of the other side. Alternatives without a
/// number are left aside.
fn correspond(
    old: &[HeldApart],
    new: &[HeldApart],
    number_old: impl Fn(Separate) -> Option<u32>,
    number_new: impl Fn(Separate) -> Option<u32>,
) -> bool {
    let mut left: HashMap<u32, Vec<&HeldApart>> = HashMap::default();
    let mut count = 0;
    for apart in new {
        if let Some(number) = number_new(apart.what) {
            left.entry(number).or_default().push(apart);
            count += 1;
        }
    }
    let mut owners = Correspondence::default();
    let mut branches = Correspondence::default();
    for apart in old {
        let Some(number) = number_old(apart.what) else {
            continue;
        };
        let Some(twins) = left.get_mut(&number) else {
            return false;
        };
        let fits = |twin: &&HeldApart| {
            let pairs = || apart.branches.iter().zip(&twin.branches);
            apart.branches.len() == twin.branches.len()
                && pairs().all(|(one, other)| owners.allows(one.0, other.0))
                && pairs().all(|(one, other)| branches.allows(*one, *other))
        };
        let Some(at) = twins.iter().position(fits) else {
            return false;
        };
        for (one, other) in apart.branches.iter().zip(&twins.remove(at).branches) {
            owners.take(one.0, other.0);
            branches.take(*one, *other);
        }
        count -= 1;
    }
    count == 0
}

/// What stands for what, one for one.
struct Correspondence<T> {
    there: HashMap<T, T>,
    back: HashMap<T, T>,
}

impl<T> Default for Correspondence<T> {
    fn default() -> Self {
        Self {
            there: HashMap::default(),
            back: HashMap::default(),
        }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Correspondence<T> {
    fn allows(&self, one: T, other: T) -> bool {
        match (self.there.get(&one), self.back.get(&other)) {
            (None, None) => true,
            (there, back) => there == Some(&other) && back == Some(&one),
        }
    }

    fn take(&mut self, one: T, other: T) {
        self.there.insert(one, other);
        self.back.insert(other, one);
    }
}
