//! The wire diff: visits each reachable pair of an old and a new place once and claims every difference.
//!
//! Facts are local to a place, so a pair is compared once whatever leads to it, and the walk is a
//! queue: cycles end because a pair that was seen is not seen again.

mod alike;
mod annotated;
mod arrays;
mod catch_all;
mod constraints;
mod contract;
mod covered;
mod discriminator;
mod docs;
mod exclusive;
mod fields;
mod matching;
mod objects;
mod places;
mod residual;
mod roots;
mod scalars;
mod unions;

use super::equal::{self, Classes, Mode};
use super::regular::Languages;
use super::{Change, Comparison, ElementKind, Level, rules};
use crate::json::Position;
use crate::maps::{HashSet, IndexMap, IndexSet};
use crate::wire::{NodeId, ObjectId, Origin, Subject, Undecided, Wire};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;

/// Compares two revisions.
#[must_use]
pub fn compare(old: &Wire, new: &Wire) -> Comparison {
    if old.document.is_equal(&new.document) {
        return Comparison::default();
    }
    let mut differ = Differ::new(old, new);
    differ.contract();
    differ.roots();
    differ.run();
    let mut comparison = Comparison {
        changes: differ.found.into_values().collect(),
        ..Comparison::default()
    };
    let read = old.undecided.iter().chain(&new.undecided).cloned();
    let undecided: IndexSet<Undecided> = read.chain(differ.undecided).collect();
    comparison.undecided = undecided.into_iter().collect();
    let editorial = |change: &Change| change.level == Level::Editorial;
    if !comparison.undecided.is_empty()
        && comparison.changes.iter().all(editorial)
        && annotated::same_but_annotations(&old.document, &new.document)
    {
        // Whatever could not be worked out, it is what it was.
        comparison.undecided.clear();
    }
    if comparison.changes.is_empty() && comparison.undecided.is_empty() {
        comparison.changes.push(Change {
            rule: "restructured",
            level: Level::Editorial,
            message: "the schema is spelled in another way; what stands on the wire is the same"
                .to_owned(),
            subject: "(schema)".to_owned(),
            old: old.roots.first().map(|root| root.origin.clone()),
            new: new.roots.first().map(|root| root.origin.clone()),
            further_places: 0,
            element: None,
        });
    }
    comparison.sort();
    comparison
}

/// A pair that is still to be compared.
enum Task<'w> {
    Place(NodeId, NodeId, Subject, (Place<'w>, Place<'w>)),
    Object(ObjectId, ObjectId, Subject),
}

struct Differ<'w> {
    old: &'w Wire,
    new: &'w Wire,
    places: HashSet<(NodeId, NodeId)>,
    objects: HashSet<(ObjectId, ObjectId)>,
    queue: VecDeque<Task<'w>>,
    found: IndexMap<Key, Change>,
    undecided: Vec<Undecided>,
    equal: OnceCell<Classes>,
    equal_but_format: OnceCell<Classes>,
    languages: RefCell<Languages>,
    /// Candidates for renames that may still be looked at, for all places together.
    candidates: Cell<usize>,
    /// Pairs of alternatives of unions that may still be looked at, for all places together.
    looks: Cell<usize>,
    /// Bytes of the subjects of pairs that may still be visited: of two long cycles each place
    /// meets each, at ever longer paths.
    paths: usize,
}

/// See [`Differ::looks`].
const MAX_LOOKS: usize = 10_000_000;
/// See [`Differ::paths`]; it also bounds the pairs.
const MAX_PATHS: usize = 1_000_000_000;
/// What a pair takes beside its subject.
const PAIR: usize = 1_000;

/// What makes two findings one: the rule and the declarations concerned.
type Key = (&'static str, Option<Arc<str>>, Option<Arc<str>>, String);

/// One side's place of a finding.
type Place<'o> = Option<&'o Origin>;

impl<'w> Differ<'w> {
    fn new(old: &'w Wire, new: &'w Wire) -> Self {
        Self {
            old,
            new,
            places: HashSet::default(),
            objects: HashSet::default(),
            queue: VecDeque::new(),
            found: IndexMap::default(),
            undecided: Vec::new(),
            equal: OnceCell::new(),
            equal_but_format: OnceCell::new(),
            languages: RefCell::default(),
            candidates: Cell::new(fields::MAX_CANDIDATES),
            looks: Cell::new(MAX_LOOKS),
            paths: MAX_PATHS,
        }
    }

    /// Works the queue off.
    fn run(&mut self) {
        while let Some(task) = self.queue.pop_front() {
            match task {
                Task::Place(old, new, subject, at) => self.place(old, new, &subject, at),
                Task::Object(old, new, subject) => self.object(old, new, &subject),
            }
        }
    }

    /// Queues a pair of places; `at` are the declarations that lead there.
    fn visit(&mut self, old: NodeId, new: NodeId, subject: Subject, at: (Place<'w>, Place<'w>)) {
        if self.places.insert((old, new)) && self.can_visit(&subject) {
            self.queue.push_back(Task::Place(old, new, subject, at));
        }
    }

    fn can_visit(&mut self, subject: &Subject) -> bool {
        if self.paths == 0 {
            return false;
        }
        self.paths = self.paths.saturating_sub(subject.as_str().len() + PAIR);
        if self.paths == 0 {
            let root = self.new.roots.first();
            let origin = root.map_or_else(
                || Origin {
                    pointer: "".into(),
                    position: Position { line: 1, column: 1 },
                },
                |root| root.origin.clone(),
            );
            self.undecided.push(Undecided {
                keyword: "(budget)".to_owned(),
                origin,
                why: "there are too many pairs of places to compare".to_owned(),
            });
        }
        true
    }

    fn visit_object(&mut self, old: ObjectId, new: ObjectId, subject: Subject) {
        if self.objects.insert((old, new)) && self.can_visit(&subject) {
            self.queue.push_back(Task::Object(old, new, subject));
        }
    }

    /// Whether two places are the same on the wire; documentation does not count.
    fn same(&self, old: NodeId, new: NodeId, mode: Mode) -> bool {
        equal::same_leaves(
            self.old.node(old),
            self.new.node(new),
            mode,
            &self.languages,
        )
        .unwrap_or_else(|| self.classes(mode).same(old, new))
    }

    /// The classes of equal places, worked out when they are first asked for.
    fn classes(&self, mode: Mode) -> &Classes {
        let cell = if mode == Mode::Wire {
            &self.equal
        } else {
            &self.equal_but_format
        };
        cell.get_or_init(|| Classes::of(self.old, self.new, mode, &self.languages))
    }

    /// Claims a difference under a rule. The first place names it, the others are counted.
    fn claim(
        &mut self,
        rule: &'static str,
        subject: &Subject,
        old: Place<'_>,
        new: Place<'_>,
        message: String,
    ) {
        self.claim_element(rule, subject, old, new, message, None);
    }

    fn claim_element(
        &mut self,
        rule: &'static str,
        subject: &Subject,
        old: Place<'_>,
        new: Place<'_>,
        message: String,
        element: Option<ElementKind>,
    ) {
        // The catalogue polices itself in tests; an id that is not in it weighs as breaking.
        let level = rules::find(rule).map_or(Level::Breaking, |rule| rule.level);
        self.claim_at(level, (rule, subject), old, new, message, element);
    }

    fn claim_at(
        &mut self,
        level: Level,
        (rule, subject): (&'static str, &Subject),
        old: Place<'_>,
        new: Place<'_>,
        message: String,
        element: Option<ElementKind>,
    ) {
        let pointer = |origin: Place<'_>| origin.map(|origin| origin.pointer.clone());
        // One declaration may change in two ways under one rule; what is said tells them apart,
        // less the place that it is said of.
        let said = message.replacen(subject.as_str(), "", 1);
        match self.found.entry((rule, pointer(old), pointer(new), said)) {
            indexmap::map::Entry::Occupied(mut entry) => entry.get_mut().further_places += 1,
            indexmap::map::Entry::Vacant(entry) => {
                entry.insert(Change {
                    rule,
                    level,
                    message,
                    subject: subject.to_string(),
                    old: old.cloned(),
                    new: new.cloned(),
                    further_places: 0,
                    element,
                });
            }
        }
    }

    /// Records that something could not be compared.
    fn undecided(&mut self, keyword: &str, origin: &Origin, why: String) {
        self.undecided.push(Undecided {
            keyword: keyword.to_owned(),
            origin: origin.clone(),
            why,
        });
    }
}
