//! The facts that are local to a place or a shape, numbered so that equal facts have equal numbers.

use super::{Interner, Mode};
use crate::evolution::regular::Languages;
use crate::wire::{Array, Bound, Node, NumberFacts, Object, Residual, StringFacts};
use std::cell::RefCell;

/// The facts of one wire view, numbered; parts of a place in the order of the view.
pub(super) struct Facts {
    pub(super) nodes: Vec<NodeFacts>,
    pub(super) objects: Vec<u32>,
}

pub(super) struct NodeFacts {
    pub(super) own: u32,
    pub(super) numbers: Vec<u32>,
    pub(super) strings: Vec<u32>,
    pub(super) arrays: Vec<u32>,
}

/// Numbers the facts that are local to a place.
pub(super) struct Local<'l> {
    mode: Mode,
    interner: Interner<String>,
    languages: &'l RefCell<Languages>,
}

impl<'l> Local<'l> {
    pub(super) fn new(mode: Mode, languages: &'l RefCell<Languages>) -> Self {
        Self {
            mode,
            interner: Interner::default(),
            languages,
        }
    }

    pub(super) fn node(&mut self, node: &Node) -> NodeFacts {
        let mut known: Vec<&str> = Vec::new();
        let (mut numbers, mut strings) = (Vec::new(), Vec::new());
        if let Some(scalar) = &node.number {
            known.extend(scalar.known.iter().map(|known| known.value.text()));
            numbers = scalar
                .tails
                .iter()
                .map(|facts| self.numbers(facts))
                .collect();
        }
        if let Some(scalar) = &node.string {
            known.extend(scalar.known.iter().map(|known| known.value.text()));
            strings = scalar
                .tails
                .iter()
                .map(|facts| self.strings(facts))
                .collect();
        }
        known.sort_unstable();
        let types = (
            node.null,
            &node.boolean,
            node.number.is_some(),
            node.string.is_some(),
        );
        let text = format!(
            "{types:?} {known:?} {} {} {} {}",
            node.union,
            node.exclusive,
            node.docs_key(),
            residual_key(&node.others)
        );
        let own = self.interner.id(text);
        let arrays = node.arrays.iter().map(|array| self.array(array)).collect();
        NodeFacts {
            own,
            numbers,
            strings,
            arrays,
        }
    }

    fn numbers(&mut self, facts: &NumberFacts) -> u32 {
        let bound = |bound: &Option<Bound>, lower: bool| match bound {
            Some(bound) if facts.integer => Some(bound.clone().for_integers(lower)),
            bound => bound.clone(),
        };
        let formats = if self.mode == Mode::Wire {
            facts.formats.as_slice()
        } else {
            &[]
        };
        let ends = (bound(&facts.minimum, true), bound(&facts.maximum, false));
        let text = format!(
            "{} {ends:?} {:?} {formats:?} {:?} {}",
            facts.integer,
            facts.multiple_of,
            facts.excluded,
            residual_key(&facts.residual)
        );
        self.interner.id(text)
    }

    fn strings(&mut self, facts: &StringFacts) -> u32 {
        let formats = if self.mode == Mode::Wire {
            facts.formats.as_slice()
        } else {
            &[]
        };
        let mut patterns: Vec<String> = facts
            .patterns
            .iter()
            .map(|pattern| self.language(pattern))
            .collect();
        patterns.sort();
        let text = format!(
            "{} {:?} {patterns:?} {formats:?} {:?} {:?} {}",
            facts.min_length,
            facts.max_length,
            facts.content,
            facts.excluded,
            residual_key(&facts.residual)
        );
        self.interner.id(text)
    }

    pub(super) fn array(&mut self, array: &Array) -> u32 {
        let lengths = (
            array.min_items,
            array.max_items,
            array.unique,
            array.prefix.len(),
            array.contains.len(),
        );
        let text = format!(
            "{lengths:?} {:?} {}",
            array.values,
            residual_key(&array.residual)
        );
        self.interner.id(text)
    }

    pub(super) fn object(&mut self, object: &Object) -> u32 {
        let mut fields: Vec<_> = object
            .fields
            .iter()
            .map(|(name, field)| (name, field.required, field.declared))
            .collect();
        fields.sort();
        let patterns: Vec<String> = object
            .patterns
            .iter()
            .map(|entry| self.language(&entry.pattern))
            .collect();
        let counts = (object.min_properties, object.max_properties);
        let text = format!(
            "{fields:?} {patterns:?} {counts:?} {:?} {:?} {}",
            object.dependent_required,
            object.values,
            residual_key(&object.residual)
        );
        self.interner.id(text)
    }

    /// One spelling for all patterns of a language, as far as that can be told.
    fn language(&self, pattern: &str) -> String {
        match self.languages.borrow_mut().id(pattern) {
            Ok(id) => id.to_string(),
            Err(_) => format!("spelled {pattern}"),
        }
    }
}

/// Keywords and names of what is compared as a whole. What is undecided equals nothing, itself
/// included, so its place in the text keeps it apart.
fn residual_key(residual: &[Residual]) -> String {
    let mut parts: Vec<String> = residual
        .iter()
        .map(|part| {
            let undecided = part.undecided.then_some(&part.origin.pointer);
            format!(
                "{} {:?} {} {undecided:?}",
                part.keyword,
                part.names,
                part.nodes.len()
            )
        })
        .collect();
    parts.sort();
    format!("{parts:?}")
}

impl Node {
    /// Documentation that the rules treat as part of the wire: defaults and discriminators.
    fn docs_key(&self) -> String {
        format!(
            "{:?} {:?}",
            self.docs.default,
            self.docs.other.get("discriminator")
        )
    }
}

/// Whether two places are the same, where neither leads anywhere: then their own facts tell it,
/// and no partition has to be refined. `None` where one does lead on.
pub(in crate::evolution) fn same_leaves(
    old: &Node,
    new: &Node,
    mode: Mode,
    languages: &RefCell<Languages>,
) -> Option<bool> {
    let is_leaf = |node: &Node| {
        let numbers = node.number.iter().flat_map(|scalar| &scalar.tails);
        let strings = node.string.iter().flat_map(|scalar| &scalar.tails);
        node.arrays.is_empty()
            && node.objects.is_empty()
            && node.held_apart.is_empty()
            && node.others.is_empty()
            && numbers.map(|facts| &facts.residual).all(Vec::is_empty)
            && strings.map(|facts| &facts.residual).all(Vec::is_empty)
    };
    if !is_leaf(old) || !is_leaf(new) {
        // A leaf and a place that leads on are never the same.
        return (is_leaf(old) != is_leaf(new)).then_some(false);
    }
    Some(same_facts(old, new, mode, languages))
}

/// Whether two places have the same facts of their own, whatever they lead to.
pub(in crate::evolution) fn same_facts(
    old: &Node,
    new: &Node,
    mode: Mode,
    languages: &RefCell<Languages>,
) -> bool {
    let mut local = Local::new(mode, languages);
    let key = |facts: NodeFacts| {
        let sorted = |mut parts: Vec<u32>| {
            parts.sort_unstable();
            parts
        };
        (facts.own, sorted(facts.numbers), sorted(facts.strings))
    };
    // What is compared as a whole leads on, and what it leads to is not looked at here.
    old.others.is_empty() && new.others.is_empty() && key(local.node(old)) == key(local.node(new))
}

/// The same for two shapes.
pub(in crate::evolution) fn same_shape_facts(
    old: &Object,
    new: &Object,
    mode: Mode,
    languages: &RefCell<Languages>,
) -> bool {
    let mut local = Local::new(mode, languages);
    local.object(old) == local.object(new)
}
