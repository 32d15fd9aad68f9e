//! Arrays: their elements' places, lengths, and what must occur.

use super::Differ;
use crate::evolution::equal::Mode;
use crate::maps::{HashMap, HashSet};
use crate::wire::{Array, Contains, NodeId, Subject};
use std::collections::VecDeque;

impl<'w> Differ<'w> {
    /// Compares the alternatives among arrays; gives which new one each old one is.
    pub(super) fn arrays(
        &mut self,
        old: NodeId,
        new: NodeId,
        subject: &Subject,
    ) -> HashMap<usize, usize> {
        let (from, to) = (old, new);
        let (old, new) = (self.old.node(old), self.new.node(new));
        let mut pairs = HashMap::default();
        if let Some((was, is)) = self.classes_of_arrays(from, to) {
            let mut same: HashMap<u32, VecDeque<usize>> = HashMap::default();
            for (index, class) in is.iter().enumerate() {
                same.entry(*class).or_default().push_back(index);
            }
            for (index, class) in was.iter().enumerate() {
                let twin = same.get_mut(class).and_then(VecDeque::pop_front);
                pairs.extend(twin.map(|twin| (index, twin)));
            }
        }
        let taken: HashSet<usize> = pairs.values().copied().collect();
        let left = old.arrays.iter().enumerate();
        let left: Vec<(usize, &'w Array)> = left
            .filter(|(index, _)| !pairs.contains_key(index))
            .collect();
        let right = new.arrays.iter().enumerate();
        let right: Vec<(usize, &'w Array)> =
            right.filter(|(index, _)| !taken.contains(index)).collect();
        match (left.as_slice(), right.as_slice()) {
            ([(from, before)], [(to, after)]) => {
                pairs.insert(*from, *to);
                self.array(before, after, subject);
            }
            (left, right) => {
                for (_, before) in left {
                    let message = format!("{subject} lost an alternative among its arrays");
                    self.claim(
                        "variant-removed",
                        subject,
                        Some(&before.origin),
                        new.origins.first(),
                        message,
                    );
                }
                for (_, after) in right {
                    let message = format!(
                        "{subject} has a new alternative among its arrays, which nothing tells from the others"
                    );
                    self.claim(
                        "variant-added-untagged",
                        subject,
                        old.origins.first(),
                        Some(&after.origin),
                        message,
                    );
                }
            }
        }
        pairs
    }

    /// The classes of the arrays of two places, where one of them has several.
    fn classes_of_arrays(&self, old: NodeId, new: NodeId) -> Option<(Vec<u32>, Vec<u32>)> {
        if self.old.node(old).arrays.len() < 2 && self.new.node(new).arrays.len() < 2 {
            return None;
        }
        let classes = self.classes(Mode::Wire).of_arrays(old, new);
        classes.map(|(old, new)| (old.to_vec(), new.to_vec()))
    }

    fn array(&mut self, old: &'w Array, new: &'w Array, subject: &Subject) {
        let places = (Some(&old.origin), Some(&new.origin));
        for index in 0..old.prefix.len().max(new.prefix.len()) {
            let before = old.prefix.get(index).copied().unwrap_or(old.items);
            let after = new.prefix.get(index).copied().unwrap_or(new.items);
            self.visit(before, after, subject.tuple(index), places);
        }
        match (self.old.is_never(old.items), self.new.is_never(new.items)) {
            (false, false) => self.visit(old.items, new.items, subject.item(), places),
            (true, true) => {}
            (lost, _) => self.no_further(old, new, lost, subject),
        }
        self.limit(
            "minItems",
            Some(old.min_items),
            Some(new.min_items),
            true,
            subject,
            places,
        );
        self.limit(
            "maxItems",
            old.max_items,
            new.max_items,
            false,
            subject,
            places,
        );
        match (old.unique, new.unique) {
            (false, true) => {
                self.claim(
                    "constraint-narrowed",
                    subject,
                    places.0,
                    places.1,
                    format!("the elements of {subject} must now be unique"),
                );
            }
            (true, false) => {
                let message = format!("the elements of {subject} no longer have to be unique");
                self.claim("constraint-widened", subject, places.0, places.1, message);
            }
            _ => {}
        }
        self.contains(old, new, subject);
        if old.values != new.values {
            let none = Vec::new();
            let (was, is) = (
                old.values.as_ref().unwrap_or(&none),
                new.values.as_ref().unwrap_or(&none),
            );
            let message = format!("the values of {subject} are others");
            if new.values.is_some()
                && (old.values.is_none() || was.iter().any(|value| !is.contains(value)))
            {
                self.claim(
                    "constraint-narrowed",
                    subject,
                    places.0,
                    places.1,
                    message.clone(),
                );
            }
            if old.values.is_some()
                && (new.values.is_none() || is.iter().any(|value| !was.contains(value)))
            {
                self.claim("constraint-widened", subject, places.0, places.1, message);
            }
        }
        self.residual(&old.residual, &new.residual, subject, places);
    }

    /// No further element may stand on one side. Lengths tell it where they are bounded by it;
    /// elements that nothing satisfies leave no mark there.
    fn no_further(&mut self, old: &Array, new: &Array, was: bool, subject: &Subject) {
        let room = |array: &Array| {
            let most = array.max_items.unwrap_or(u64::MAX);
            most > array.prefix.len() as u64
        };
        if !room(old) || !room(new) {
            return;
        }
        let (rule, message) = if was {
            (
                "constraint-widened",
                format!("{subject} may now have elements"),
            )
        } else {
            (
                "constraint-narrowed",
                format!("no element can stand in {subject} any more"),
            )
        };
        self.claim(rule, subject, Some(&old.origin), Some(&new.origin), message);
    }

    fn contains(&mut self, old: &'w Array, new: &'w Array, subject: &Subject) {
        let places = (Some(&old.origin), Some(&new.origin));
        let subject = subject.keyword("contains");
        let mut left: Vec<&Contains> = old.contains.iter().collect();
        let mut right: Vec<&Contains> = Vec::new();
        for after in &new.contains {
            let same = left
                .iter()
                .position(|before| self.same(before.node, after.node, Mode::Wire));
            match same {
                Some(index) => {
                    let before = left.remove(index);
                    self.limit(
                        "minContains",
                        Some(before.min),
                        Some(after.min),
                        true,
                        &subject,
                        places,
                    );
                    self.limit(
                        "maxContains",
                        before.max,
                        after.max,
                        false,
                        &subject,
                        places,
                    );
                }
                None => right.push(after),
            }
        }
        if !left.is_empty() && !right.is_empty() {
            // What looks like growth inside makes fewer elements count, so nothing in there is
            // compared part by part.
            let message = format!("what must occur among the elements of {subject} is another");
            self.claim("constraint-narrowed", &subject, places.0, places.1, message);
            return;
        }
        if !left.is_empty() {
            self.claim(
                "constraint-widened",
                &subject,
                places.0,
                places.1,
                format!("{subject} was removed"),
            );
        }
        if !right.is_empty() {
            self.claim(
                "constraint-narrowed",
                &subject,
                places.0,
                places.1,
                format!("{subject} is new"),
            );
        }
    }
}
