//! Which entry of a report belongs to which item of the catalogue, and which items are gone.

use super::super::Report;
use super::super::catalogue::{Catalogue, Item};
use super::super::entries;
use crate::maps::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

/// An item of the new revision, or one of the old that the new revision has no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum At {
    New(usize),
    Gone(usize),
}

/// The catalogue of the new revision, with what the old one had beside it.
pub(super) struct Placed<'r> {
    pub(super) new: Catalogue<'r>,
    old: Option<Catalogue<'r>>,
    /// The entries at each item, by their numbers.
    entries: HashMap<At, Vec<usize>>,
    /// What is gone below each item of the new revision, and at the top.
    gone: HashMap<Option<usize>, Vec<usize>>,
    /// By item that is gone: the first entry that tells of it.
    gone_by: HashMap<usize, usize>,
    /// Entries that are about nothing in the catalogue.
    pub(super) beside: Vec<usize>,
}

impl<'r> Placed<'r> {
    /// Places the entries; nothing where there is no schema to show.
    pub(super) fn of(report: &'r Report, entries: &[entries::Entry<'r>]) -> Option<Self> {
        let mut placed = Self {
            new: Catalogue::of(report.wires.new.as_deref()?),
            old: report.wires.old.as_deref().map(Catalogue::of),
            entries: HashMap::default(),
            gone: HashMap::default(),
            gone_by: HashMap::default(),
            beside: Vec::new(),
        };
        for (number, entry) in entries.iter().enumerate() {
            match placed.find(entry, number) {
                Some(at) => placed.entries.entry(at).or_default().push(number),
                None => placed.beside.push(number),
            }
        }
        Some(placed)
    }

    /// The numbers of the entries at an item.
    pub(super) fn entries_at(&self, at: At) -> &[usize] {
        self.entries.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The number of the entry that tells that an item is gone; nothing for what went with another.
    pub(super) fn gone_by(&self, at: At) -> Option<usize> {
        match at {
            At::New(_) => None,
            At::Gone(at) => self.gone_by.get(&at).copied(),
        }
    }

    pub(super) fn item(&self, at: At) -> Option<&Item<'r>> {
        match at {
            At::New(at) => self.new.items.get(at),
            At::Gone(at) => self.old.as_ref()?.items.get(at),
        }
    }

    /// What may stand at an item, in a few words.
    pub(super) fn words(&self, at: At) -> String {
        let catalogue = match at {
            At::New(_) => Some(&self.new),
            At::Gone(_) => self.old.as_ref(),
        };
        match (catalogue, self.item(at)) {
            (Some(catalogue), Some(item)) => catalogue.words(item),
            _ => String::new(),
        }
    }

    /// What stands below an item (at the top where there is none), with what is gone in the place
    /// that it had.
    pub(super) fn below(&self, at: Option<At>) -> Vec<At> {
        let parent = match at {
            None => None,
            Some(At::New(at)) => Some(at),
            // What was below something that is gone is gone with it.
            Some(at @ At::Gone(_)) => {
                let children = self.item(at).map_or(&[][..], |item| &item.children);
                return children.iter().map(|child| At::Gone(*child)).collect();
            }
        };
        let mut behind = self.behind(parent);
        let mut all = behind.remove(&None).unwrap_or_default();
        let mut add = |at: usize| {
            all.push(At::New(at));
            all.extend(behind.remove(&Some(at)).unwrap_or_default());
        };
        match parent {
            None => self.new.tops().for_each(&mut add),
            Some(at) => self.new.items[at].children.iter().copied().for_each(add),
        }
        all
    }

    /// What is gone from an item (from the top where there is none), by the nearest of those that
    /// stood before it and still stand; each old place is walked once, however much of it is gone.
    fn behind(&self, parent: Option<usize>) -> HashMap<Option<usize>, Vec<At>> {
        let mut behind: HashMap<Option<usize>, Vec<At>> = HashMap::default();
        let (Some(old), Some(gone)) = (&self.old, self.gone.get(&parent)) else {
            return behind;
        };
        let wanted: HashSet<usize> = gone.iter().copied().collect();
        let parents = gone.iter().map(|one| old.items[*one].parent);
        for old_parent in parents.collect::<BTreeSet<_>>() {
            let beside = match old_parent {
                Some(parent) => old.items[parent].children.clone(),
                None => old.tops().collect(),
            };
            let mut before = None;
            for one in beside {
                if wanted.contains(&one) {
                    behind.entry(before).or_default().push(At::Gone(one));
                } else {
                    before = self.new.like(parent, &old.items[one]).or(before);
                }
            }
        }
        behind
    }

    /// The items with entries, and those that lost something.
    pub(super) fn touched(&self) -> impl Iterator<Item = usize> {
        let with_entries = self.entries.keys().filter_map(|at| match at {
            At::New(at) => Some(*at),
            At::Gone(_) => None,
        });
        with_entries.chain(self.gone.keys().filter_map(|at| *at))
    }

    /// The items of the old revision that are shown as gone: those that an entry tells of, with what
    /// leads to them, then as many of those below them as `fits` takes.
    pub(super) fn gone(&self, mut fits: impl FnMut(usize) -> bool) -> HashSet<usize> {
        let mut shown = HashSet::default();
        let Some(old) = &self.old else {
            return shown;
        };
        let mut pending: Vec<usize> = self.gone_by.keys().copied().collect();
        pending.sort_unstable();
        shown.extend(pending.iter().copied());
        for at in self.entries.keys() {
            let At::Gone(at) = *at else {
                continue;
            };
            let mut around = Some(at);
            // Each ends at an item that is shown already, since that is what it went with.
            while let Some(at) = around.filter(|at| shown.insert(*at)) {
                around = old.items[at].parent;
            }
        }
        let mut next = 0;
        while let Some(at) = pending.get(next).copied() {
            next += 1;
            for child in &old.items[at].children {
                if shown.contains(child) || fits(at) {
                    shown.insert(*child);
                    pending.push(*child);
                }
            }
        }
        shown
    }

    fn find(&mut self, entry: &entries::Entry<'r>, number: usize) -> Option<At> {
        let subject = entry.subject.as_str();
        let (old, new) = match entry.place {
            Some((old, new)) => (
                old.map(|place| place.pointer.as_str()),
                new.map(|place| place.pointer.as_str()),
            ),
            None => (None, entry.about),
        };
        let before = old
            .zip(self.old.as_ref())
            .and_then(|(pointer, catalogue)| catalogue.declared_at(pointer, subject));
        let gone = before.and_then(|before| self.bury(before, number));
        let now = new.and_then(|pointer| self.new.declared_at(pointer, subject));
        match (gone, now) {
            // What is gone is told at what it was gone from, what was renamed at its new name.
            (Some((at, below)), Some(now)) if self.is_around(now, below) => return Some(at),
            (_, Some(now)) => return Some(At::New(now)),
            (Some((at, _)), None) => return Some(at),
            (None, None) => {}
        }
        // What is said of a branch is declared nowhere of its own, and is told of the place by name.
        if entry.place.is_some()
            && let Some(at) = self.new.named(subject)
        {
            return Some(At::New(at));
        }
        if let Some(at) = new.and_then(|pointer| self.new.around(pointer, subject)) {
            return Some(At::New(at));
        }
        let (pointer, catalogue) = old.zip(self.old.as_ref())?;
        let around = catalogue.around(pointer, subject)?;
        self.counterpart(around).map(At::New)
    }

    /// Whether an item is another one, or one that the other belongs to.
    fn is_around(&self, around: usize, at: Option<usize>) -> bool {
        let step = |at: &usize| self.new.items[*at].parent;
        std::iter::successors(at, step).any(|at| at == around)
    }

    /// Notes that an item of the old revision is gone, where it is, as an entry tells; with the item
    /// of the new one that it is gone from.
    fn bury(&mut self, at: usize, number: usize) -> Option<(At, Option<usize>)> {
        let old = self.old.as_ref()?;
        let mut top = at;
        let below = loop {
            match old.items[top].parent {
                None => match self.counterpart(top) {
                    Some(_) => return None,
                    None => break None,
                },
                Some(parent) => match self.counterpart(parent) {
                    None => top = parent,
                    Some(home) if self.new.child(home, &old.items[top]).is_some() => return None,
                    Some(home) => break Some(self.home_of(home)),
                },
            }
        };
        let gone = self.gone.entry(below).or_default();
        // A place may lose thousands of values, each told by an entry of its own.
        if let Entry::Vacant(free) = self.gone_by.entry(top) {
            free.insert(number);
            gone.push(top);
        }
        Some((At::Gone(at), below))
    }

    /// What an item that is told elsewhere would have below it stands there.
    fn home_of(&self, at: usize) -> usize {
        let item = &self.new.items[at];
        match item.links.as_slice() {
            [first, ..] if item.children.is_empty() => *first,
            _ => at,
        }
    }

    /// The same element in the new revision, by what it and those around it are called.
    fn counterpart(&self, at: usize) -> Option<usize> {
        let item = &self.old.as_ref()?.items[at];
        match item.parent {
            None => self.new.like(None, item),
            Some(parent) => self.new.child(self.counterpart(parent)?, item),
        }
    }
}
