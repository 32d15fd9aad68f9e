//! A schema as a finite tree of what it declares: each shape once, nearest the root, then a link.

mod words;

use crate::maps::HashMap;
use crate::wire::{
    self, Docs, Field, Node, NodeId, Object, ObjectId, Origin, Subject, Wire, is_field_element,
    value_elements, variant_labels,
};
use std::mem::{Discriminant, discriminant};

/// The tree. Items stand in the order in which they were reached, nearest the root first, so that
/// each comes after the one that it belongs to.
pub(super) struct Catalogue<'w> {
    pub(super) wire: &'w Wire,
    pub(super) items: Vec<Item<'w>>,
    /// By pointer: the items that are declared there, or whose value is.
    declared: HashMap<&'w str, Vec<usize>>,
    /// By pointer: the item that tells the shape that stands there.
    spoken: HashMap<&'w str, usize>,
    /// By the name that findings use: the first item of that name.
    named: HashMap<String, usize>,
    /// Below each item, and at the top, by kind: the first item of that name. A place may have
    /// thousands of values, each of which a change may ask for.
    beside: HashMap<(Option<usize>, Discriminant<Kind>), HashMap<String, usize>>,
}

/// One declaration at one place.
pub(super) struct Item<'w> {
    pub(super) kind: Kind,
    /// What tells it from those beside it.
    pub(super) name: String,
    /// How findings name it; empty where that would be too long for a name.
    subject: Subject,
    /// What may stand there; nothing for a known value and for a variant.
    node: Option<NodeId>,
    pub(super) docs: &'w Docs,
    /// What documents it where `docs` are silent.
    shape_docs: Option<&'w Docs>,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// The items that tell what stands here too.
    pub(super) links: Vec<usize>,
    depth: usize,
}

/// What kind of declaration an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Where reading starts.
    Root,
    /// An alternative among objects.
    Variant,
    /// The alternative that takes what no other knows.
    CatchAll,
    /// A member that has to stand, or may.
    Field { required: bool },
    /// Whatever has no name: elements of an array, further members.
    Rest,
    /// A known value.
    Value,
    /// What lies too deep to be nested any further.
    Continued,
}

/// What stands at an item and is still to be unfolded.
enum Pending {
    Place(NodeId),
    /// What the elements of an array are, and how findings name them. That they are not unfolded at
    /// once keeps arrays of arrays from nesting calls.
    Elements(NodeId, Subject),
    Shape(ObjectId),
}

/// Items nest no deeper; what is below stands in an item of its own at the top.
const DEPTH: usize = 10;
/// Findings name no element by more bytes, so that a chain of members needs no long names.
const SUBJECT: usize = 2_000;

impl<'w> Catalogue<'w> {
    /// The tree of a schema.
    pub(super) fn of(wire: &'w Wire) -> Self {
        let mut builder = Builder {
            catalogue: Self {
                wire,
                items: Vec::new(),
                declared: HashMap::default(),
                spoken: HashMap::default(),
                named: HashMap::default(),
                beside: HashMap::default(),
            },
            places: HashMap::default(),
            shapes: HashMap::default(),
            pending: Vec::new(),
        };
        for root in &wire.roots {
            let node = wire.node(root.node);
            let name = root.name.clone().or_else(|| root.docs.title.clone());
            let name = name.unwrap_or_else(|| "document".to_owned());
            let at = builder.add(Item {
                node: Some(root.node),
                shape_docs: Some(&node.docs),
                ..Item::new(Kind::Root, name, Subject::root(root), &root.docs)
            });
            builder.declare(at, std::slice::from_ref(&root.origin));
            builder.pending.push((at, Pending::Place(root.node)));
        }
        let mut next = 0;
        while let Some((at, pending)) = builder.pending.get_mut(next) {
            let at = *at;
            match std::mem::replace(pending, Pending::Place(Wire::ANY)) {
                Pending::Place(node) => builder.unfold(at, node),
                Pending::Elements(node, subject) => builder.unfold_elements(at, node, subject),
                Pending::Shape(object) => builder.unfold_shape(at, object),
            }
            next += 1;
        }
        builder.finish()
    }

    /// The items at the top.
    pub(super) fn tops(&self) -> impl Iterator<Item = usize> {
        (0..self.items.len()).filter(|at| self.items[*at].parent.is_none())
    }

    /// The item that is declared at a pointer; where several places share the declaration, the one
    /// that is named.
    pub(super) fn declared_at(&self, pointer: &str, subject: &str) -> Option<usize> {
        let candidates = self.declared.get(pointer)?;
        let named = candidates.iter().find(|at| self.is_named(**at, subject));
        named.or(candidates.first()).copied()
    }

    /// The item that findings call by that name.
    pub(super) fn named(&self, subject: &str) -> Option<usize> {
        self.named.get(subject).copied()
    }

    /// The item nearest around a pointer.
    pub(super) fn around(&self, pointer: &str, subject: &str) -> Option<usize> {
        let mut pointer = pointer;
        loop {
            let found = self.declared_at(pointer, subject);
            if let Some(found) = found.or_else(|| self.spoken.get(pointer).copied()) {
                return Some(found);
            }
            pointer = &pointer[..pointer.rfind('/')?];
        }
    }

    /// The item of that kind and name below another one, or below where that one leads.
    pub(super) fn child(&self, at: usize, like: &Item<'_>) -> Option<usize> {
        let mut homes = std::iter::once(&at).chain(&self.items[at].links);
        homes.find_map(|home| self.like(Some(*home), like))
    }

    /// The item that is the same element to a reader, whatever else is said about it, right below
    /// another one or at the top.
    pub(super) fn like(&self, parent: Option<usize>, item: &Item<'_>) -> Option<usize> {
        let beside = self.beside.get(&(parent, discriminant(&item.kind)))?;
        beside.get(item.own_name()).copied()
    }

    /// What may stand at an item, in a few words; empty where its name says it all.
    pub(super) fn words(&self, item: &Item<'_>) -> String {
        item.node
            .map_or(String::new(), |node| words::place(self.wire, node))
    }

    fn is_named(&self, at: usize, subject: &str) -> bool {
        self.items[at].subject.as_str() == subject
    }
}

impl<'w> Item<'w> {
    fn new(kind: Kind, name: String, subject: Subject, docs: &'w Docs) -> Self {
        Self {
            kind,
            name,
            subject,
            node: None,
            docs,
            shape_docs: None,
            parent: None,
            children: Vec::new(),
            links: Vec::new(),
            depth: 0,
        }
    }

    /// What the schema says about it.
    pub(super) fn description(&self) -> Option<&'w str> {
        let docs = std::iter::once(self.docs).chain(self.shape_docs);
        let mut texts = docs.flat_map(|docs| [&docs.description, &docs.title]);
        let text = texts.find_map(|text| text.as_deref());
        // A title that is the name already says nothing more.
        text.filter(|text| *text != self.name)
    }

    /// What tells it from those of its kind beside it.
    fn own_name(&self) -> &str {
        match self.parent {
            // A root without a name of its own goes by its title, which may change.
            None => self.subject.as_str(),
            Some(_) => &self.name,
        }
    }
}

struct Builder<'w> {
    catalogue: Catalogue<'w>,
    /// The item that unfolds a place.
    places: HashMap<NodeId, usize>,
    /// The item that unfolds a shape.
    shapes: HashMap<ObjectId, usize>,
    pending: Vec<(usize, Pending)>,
}

impl<'w> Builder<'w> {
    fn add(&mut self, item: Item<'w>) -> usize {
        let at = self.catalogue.items.len();
        if let Some(parent) = item.parent {
            self.catalogue.items[parent].children.push(at);
        }
        let beside = (item.parent, discriminant(&item.kind));
        let beside = self.catalogue.beside.entry(beside).or_default();
        beside.entry(item.own_name().to_owned()).or_insert(at);
        let named = self.catalogue.named.entry(item.subject.as_str().to_owned());
        named.or_insert(at);
        self.catalogue.items.push(item);
        at
    }

    fn add_below(&mut self, parent: usize, item: Item<'w>) -> usize {
        let depth = self.catalogue.items[parent].depth + 1;
        self.add(Item {
            parent: Some(parent),
            depth,
            subject: short(item.subject),
            ..item
        })
    }

    fn declare(&mut self, at: usize, origins: &'w [Origin]) {
        for origin in origins {
            let declared = self.catalogue.declared.entry(&*origin.pointer);
            declared.or_default().push(at);
        }
    }

    fn speak(&mut self, at: usize, origins: &'w [Origin]) {
        for origin in origins {
            let spoken = self.catalogue.spoken.entry(&*origin.pointer);
            spoken.or_insert(at);
        }
    }

    /// An item that is told elsewhere leads there.
    fn lead(&mut self, at: usize, home: usize) {
        let links = &mut self.catalogue.items[at].links;
        // One for the place and one for its lone shape is the most there can be, so no set is kept.
        if home != at && !links.contains(&home) {
            links.push(home);
        }
    }

    /// Where there is nothing more to see than an item's own words, no link leads.
    fn finish(mut self) -> Catalogue<'w> {
        let items = &mut self.catalogue.items;
        let has_more: Vec<bool> = items
            .iter()
            .map(|item| !item.children.is_empty() || !item.links.is_empty())
            .collect();
        for item in items {
            item.links.retain(|home| has_more[*home]);
        }
        self.catalogue
    }

    /// Adds what stands at a place below its item.
    fn unfold(&mut self, at: usize, id: NodeId) {
        let wire = self.catalogue.wire;
        if wire.is_any(id) {
            return;
        }
        if let Some(home) = self.places.get(&id) {
            return self.lead(at, *home);
        }
        let node = wire.node(id);
        let at = self.continued(at, node);
        self.places.insert(id, at);
        self.speak(at, &node.origins);
        let subject = self.catalogue.items[at].subject.clone();
        for known in value_elements(node) {
            let name = wire::plain(&known.value);
            let subject = subject.value(&known.value);
            let value = self.add_below(at, Item::new(Kind::Value, name, subject, &known.docs));
            self.declare(value, std::slice::from_ref(&known.origin));
        }
        let labels = variant_labels(wire, id);
        for (variant, label) in node.objects.iter().zip(labels) {
            let object = wire.object(variant.object);
            if label.is_empty() {
                self.unfold_shape(at, variant.object);
                continue;
            }
            let kind = match variant.is_catch_all() {
                true => Kind::CatchAll,
                false => Kind::Variant,
            };
            let subject = subject.labelled(&label);
            let below = self.add_below(
                at,
                Item {
                    shape_docs: Some(&object.docs),
                    ..Item::new(kind, label, subject, &variant.docs)
                },
            );
            self.declare(below, std::slice::from_ref(&variant.origin));
            // What takes the unknown declares nothing of its own.
            if kind == Kind::Variant {
                self.pending.push((below, Pending::Shape(variant.object)));
            }
        }
        for array in &node.arrays {
            for (place, index) in array.prefix.iter().zip(0..) {
                self.rest(at, format!("[{index}]"), subject.tuple(index), *place);
            }
            // Elements of what is an array and nothing else need no step of their own.
            if array.prefix.is_empty() && node.objects.is_empty() && node.arrays.len() == 1 {
                let subject = short(subject.item());
                self.pending
                    .push((at, Pending::Elements(array.items, subject)));
            } else {
                self.rest(at, "[]".to_owned(), subject.item(), array.items);
            }
        }
    }

    /// Adds what the elements of an array are right below the array.
    fn unfold_elements(&mut self, at: usize, items: NodeId, subject: Subject) {
        let whole = std::mem::replace(&mut self.catalogue.items[at].subject, subject);
        self.unfold(at, items);
        self.catalogue.items[at].subject = whole;
    }

    fn unfold_shape(&mut self, at: usize, id: ObjectId) {
        if let Some(home) = self.shapes.get(&id) {
            return self.lead(at, *home);
        }
        let wire = self.catalogue.wire;
        let object = wire.object(id);
        let at = match self.catalogue.items[at].kind {
            Kind::Variant => self.moved(at, !object.fields.is_empty()),
            _ => at,
        };
        self.shapes.insert(id, at);
        self.speak(at, &object.origins);
        let subject = self.catalogue.items[at].subject.clone();
        for part in wire::parts(wire, object) {
            self.members(at, part, &subject);
        }
    }

    fn members(&mut self, at: usize, object: &'w Object, subject: &Subject) {
        let wire = self.catalogue.wire;
        for (name, field) in &object.fields {
            if is_field_element(wire, field) {
                self.field(at, name, field, subject.field(name));
            }
        }
        for field in &object.patterns {
            let name = format!("{{{}}}", field.pattern);
            let below = self.rest(at, name, subject.pattern(&field.pattern), field.node);
            if let Some(below) = below {
                self.declare(below, std::slice::from_ref(&field.origin));
            }
        }
        self.rest(at, "{}".to_owned(), subject.map_value(), object.rest);
    }

    fn field(&mut self, at: usize, name: &str, field: &'w Field, subject: Subject) {
        let kind = Kind::Field {
            required: field.required,
        };
        let below = self.add_below(
            at,
            Item {
                node: Some(field.node),
                ..Item::new(kind, name.to_owned(), subject, &field.docs)
            },
        );
        self.declare(below, &field.origins);
        self.pending.push((below, Pending::Place(field.node)));
    }

    /// Adds a place without a name, where not just anything or nothing may stand there.
    fn rest(&mut self, at: usize, name: String, subject: Subject, node: NodeId) -> Option<usize> {
        let wire = self.catalogue.wire;
        if wire.is_any(node) || wire.is_never(node) {
            return None;
        }
        let docs = &wire.node(node).docs;
        let below = self.add_below(
            at,
            Item {
                node: Some(node),
                ..Item::new(Kind::Rest, name, subject, docs)
            },
        );
        self.pending.push((below, Pending::Place(node)));
        Some(below)
    }

    /// Where what stands at a place is told: at its item, or at the top where that is too deep.
    fn continued(&mut self, at: usize, node: &Node) -> usize {
        let has_more = !node.objects.is_empty() || !node.arrays.is_empty();
        self.moved(at, has_more || value_elements(node).next().is_some())
    }

    fn moved(&mut self, at: usize, has_more: bool) -> usize {
        let item = &self.catalogue.items[at];
        if item.depth < DEPTH || !has_more {
            return at;
        }
        let (name, subject, docs) = (item.name.clone(), item.subject.clone(), item.docs);
        let node = item.node;
        let top = self.add(Item {
            node,
            ..Item::new(Kind::Continued, name, subject, docs)
        });
        self.catalogue.items[at].links.push(top);
        top
    }
}

fn short(subject: Subject) -> Subject {
    match subject.as_str().len() > SUBJECT {
        true => Subject::document(),
        false => subject,
    }
}

#[cfg(test)]
mod tests;
