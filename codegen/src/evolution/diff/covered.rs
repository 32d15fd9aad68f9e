//! Alternatives that others cover: which say something else than before, though no document tells.

use super::{Differ, Place};
use crate::evolution::equal::Mode;
use crate::maps::HashMap;
use crate::wire::{Node, NodeId, Scalar, Subject, Wire};

impl<'w> Differ<'w> {
    /// Compares the covered alternatives of two places, in their order where they are not the same.
    /// One that came or went is another spelling of the same place, unless it had a format: what a
    /// format tells its reader stands nowhere else.
    pub(super) fn covered(
        &mut self,
        (old, new): (NodeId, NodeId),
        subject: &Subject,
        places: (Place<'w>, Place<'w>),
    ) {
        let (before, after) = (self.old.node(old), self.new.node(new));
        if before.covered.is_empty() && after.covered.is_empty() {
            return;
        }
        let classes = self.classes(Mode::Wire);
        let any = (Wire::ANY, Wire::ANY);
        let was = before.covered.iter();
        let was: Option<Vec<(NodeId, u32)>> = was
            .map(|id| Some((*id, classes.of_places(*id, any.1)?.0)))
            .collect();
        let is = after.covered.iter();
        let is: Option<Vec<(NodeId, u32)>> = is
            .map(|id| Some((*id, classes.of_places(any.0, *id)?.1)))
            .collect();
        let (Some(was), Some(is)) = (was, is) else {
            if let Some(origin) = places.1.or(places.0) {
                let why = format!("the alternatives of {subject} could not be compared");
                self.undecided("anyOf", origin, why);
            }
            return;
        };
        let (lost, gained) = (beyond(&was, &is), beyond(&is, &was));
        for (from, to) in lost.iter().zip(&gained) {
            self.visit(*from, *to, subject.clone(), places);
        }
        let both = lost.len().min(gained.len());
        for id in &lost[both..] {
            self.covered_format(subject, (self.old.node(*id), after), places, false);
        }
        for id in &gained[both..] {
            self.covered_format(subject, (self.new.node(*id), before), places, true);
        }
    }

    /// Claims the formats of a covered alternative that only one side has, unless the other side has
    /// it uncovered.
    fn covered_format(
        &mut self,
        subject: &Subject,
        (one, other): (&Node, &Node),
        places: (Place<'w>, Place<'w>),
        is_new: bool,
    ) {
        let strings = tails_beyond(one.string.as_ref(), other.string.as_ref());
        let strings = strings.flat_map(|facts| facts.formats.iter().chain(&facts.content));
        let numbers = tails_beyond(one.number.as_ref(), other.number.as_ref());
        let numbers = numbers.flat_map(|facts| &facts.formats);
        let formats: Vec<&str> = strings.chain(numbers).map(String::as_str).collect();
        if formats.is_empty() {
            return;
        }
        let formats = formats.join(" and ");
        let message = match is_new {
            true => format!("{subject} has a new alternative with the format {formats}"),
            false => format!("{subject} lost its alternative with the format {formats}"),
        };
        self.claim("format-changed", subject, places.0, places.1, message);
    }
}

/// What one side takes of a scalar type in words that the other side does not have.
fn tails_beyond<'s, F: PartialEq>(
    one: Option<&'s Scalar<F>>,
    other: Option<&'s Scalar<F>>,
) -> impl Iterator<Item = &'s F> {
    let tails = one.into_iter().flat_map(|scalar| &scalar.tails);
    tails.filter(move |facts| !other.is_some_and(|scalar| scalar.tails.contains(facts)))
}

/// The places of one side that have no equal one left on the other.
fn beyond(one: &[(NodeId, u32)], other: &[(NodeId, u32)]) -> Vec<NodeId> {
    let mut left: HashMap<u32, usize> = HashMap::default();
    for (_, class) in other {
        *left.entry(*class).or_default() += 1;
    }
    let unmatched = one.iter().filter(|(_, class)| match left.get_mut(class) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    unmatched.map(|(id, _)| *id).collect()
}
