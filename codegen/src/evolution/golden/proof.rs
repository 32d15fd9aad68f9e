//! Each addition is shown by a golden of the same change: known to the new revision, unknown to the old.

use super::append::compared;
use super::shared::shared_elements;
use super::{Validators, read_lines};
use crate::evolution::{Change, ElementKind};
use crate::json::Literal;
use crate::wire::{
    Element, ElementKey, Kind, Reading, Walk, Wire, elements, is_variant_element, reachable,
    reachable_in, walk_document,
};
use std::collections::{BTreeSet, HashSet};

/// What the goldens show of one addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Index of the addition among the changes that were handed in.
    pub change: usize,
    /// Name and line of the first golden that shows it.
    pub golden: Option<(String, u32)>,
    /// Members that came with the addition and that no new golden line holds.
    pub missing: Vec<String>,
}

impl Proof {
    /// Whether nothing is left to show.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.golden.is_some() && self.missing.is_empty()
    }
}

impl From<ElementKind> for Kind {
    fn from(kind: ElementKind) -> Self {
        match kind {
            ElementKind::Field => Self::Field,
            ElementKind::Variant => Self::Variant,
            ElementKind::Value => Self::Value,
        }
    }
}

/// A line that is new in the change and strictly valid under the new revision.
struct NewLine<'a> {
    file: &'a str,
    number: u32,
    under_new: Walk,
    /// Where the old revision meets something unknown.
    unknown: HashSet<(Kind, String)>,
}

/// Looks for the golden of every change that declares an element; the others are passed over.
#[must_use]
pub fn prove_additions(
    old: &Wire,
    new: &Wire,
    additions: &[Change],
    old_files: &[(&str, &str)],
    new_files: &[(&str, &str)],
) -> Vec<Proof> {
    let lines = new_lines(old, new, old_files, new_files);
    let all = elements(new);
    let declared: Vec<(usize, &Element)> = additions
        .iter()
        .enumerate()
        .filter_map(|(index, change)| Some((index, element_of(&all, change)?)))
        .collect();
    let own: HashSet<ElementKey> = declared.iter().map(|(_, element)| element.key()).collect();
    let shared = shared_elements(old, new);
    let exercised: HashSet<&ElementKey> = lines
        .iter()
        .flat_map(|line| &line.under_new.exercised)
        .map(|found| &found.key)
        .collect();
    let mut proofs = Vec::new();
    for (index, change) in additions.iter().enumerate() {
        if change.element.is_none() {
            continue;
        }
        let Some((_, element)) = declared.iter().find(|(declared, _)| *declared == index) else {
            // Nothing can exercise it, so nothing shows it.
            proofs.push(Proof {
                change: index,
                golden: None,
                missing: Vec::new(),
            });
            continue;
        };
        let key = element.key();
        let shows = |line: &&NewLine<'_>| {
            let places = line
                .under_new
                .exercised
                .iter()
                .filter(|found| found.key == key);
            places
                .into_iter()
                .any(|found| line.unknown.contains(&(element.kind, found.at.clone())))
        };
        let golden = lines
            .iter()
            .find(shows)
            .map(|line| (line.file.to_owned(), line.number));
        let members = members_of(new, element);
        let missing = all.iter().filter(|member| {
            let key = member.key();
            members.contains(&key)
                && !shared.contains(&key)
                && !own.contains(&key)
                && !exercised.contains(&key)
        });
        let missing = missing.map(|member| member.subject.to_string()).collect();
        proofs.push(Proof {
            change: index,
            golden,
            missing,
        });
    }
    proofs
}

fn new_lines<'a>(
    old: &Wire,
    new: &Wire,
    old_files: &[(&str, &str)],
    new_files: &[(&'a str, &str)],
) -> Vec<NewLine<'a>> {
    let contract = new.contract.as_ref();
    let before: HashSet<Literal> = old_files
        .iter()
        .flat_map(|(_, text)| read_lines(text))
        .map(|line| compared(contract, &line))
        .collect();
    let (under_old, under_new) = (Validators::new(old), Validators::new(new));
    let mut found = Vec::new();
    for (file, text) in new_files {
        for line in read_lines(text) {
            let Some(node) = &line.node else { continue };
            if before.contains(&compared(contract, &line))
                || !under_new.accepts(Reading::Strict, node)
            {
                continue;
            }
            let unknown = walk_document(old, node, &under_old).unknown;
            found.push(NewLine {
                file,
                number: line.number,
                under_new: walk_document(new, node, &under_new),
                unknown: unknown
                    .into_iter()
                    .map(|unknown| (unknown.kind, unknown.at))
                    .collect(),
            });
        }
    }
    found
}

/// The element that a change declares: by its declaration, else by its name.
fn element_of<'a>(all: &'a [Element], change: &Change) -> Option<&'a Element> {
    let kind = Kind::from(change.element?);
    let pointer = change.new.as_ref().map(|origin| &*origin.pointer);
    let by_pointer = all
        .iter()
        .find(|element| element.kind == kind && Some(&*element.origin.pointer) == pointer);
    by_pointer.or_else(|| {
        all.iter()
            .find(|element| element.kind == kind && element.subject.to_string() == change.subject)
    })
}

/// The elements that an element brings with it.
fn members_of(wire: &Wire, element: &Element) -> BTreeSet<ElementKey> {
    let pointer = &element.origin.pointer;
    let mut found = BTreeSet::new();
    match element.kind {
        Kind::Value => {}
        Kind::Variant => {
            for node in &wire.nodes {
                let variants = node
                    .objects
                    .iter()
                    .filter(|variant| is_variant_element(node, variant));
                for variant in variants.filter(|variant| variant.origin.pointer == *pointer) {
                    found.extend(reachable_in(wire, variant.object));
                }
            }
        }
        Kind::Field => {
            let fields = wire
                .objects
                .iter()
                .flat_map(|object| object.fields.values());
            let nodes: BTreeSet<_> = fields
                .filter(|field| {
                    field.declared
                        && field
                            .origins
                            .iter()
                            .any(|origin| origin.pointer == *pointer)
                })
                .map(|field| field.node)
                .collect();
            nodes
                .into_iter()
                .for_each(|node| found.extend(reachable(wire, node)));
        }
    }
    found
}
