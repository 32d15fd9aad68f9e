//! The elements of a wire view: what a golden has to exercise, one per declaration.

use super::openness::asserted_nodes;
use super::{Field, Known, Node, NodeId, Object, ObjectId, Origin, Subject, Variant, Wire};
use crate::json::Literal;
use crate::maps::{IndexMap, IndexSet};
use std::collections::BTreeSet;

/// What kind of declaration an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A named member of an object.
    Field,
    /// An alternative of an object union.
    Variant,
    /// A known value of an enum.
    Value,
}

/// What makes two mentions of an element the same: its kind and the pointer of its declaration.
pub type ElementKey = (Kind, std::sync::Arc<str>);

/// One declaration of a contract, wherever it is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Field, variant or value.
    pub kind: Kind,
    /// The declaration.
    pub origin: Origin,
    /// The name of the first place where it is reached.
    pub subject: Subject,
    /// What the declaration says about itself.
    pub description: Option<String>,
}

impl Element {
    /// The identity of this element.
    #[must_use]
    pub fn key(&self) -> ElementKey {
        (self.kind, self.origin.pointer.clone())
    }
}

/// All elements, in the order of their first places, nearest the root first.
///
/// What only a catch-all branch declares is no element: a golden holds what the contract knows,
/// and a document that takes a catch-all is by definition not known.
#[must_use]
pub fn elements(wire: &Wire) -> Vec<Element> {
    let starts = wire
        .roots
        .iter()
        .map(|root| (root.node, Subject::root(root)))
        .collect();
    let mut found: IndexMap<ElementKey, Element> = IndexMap::default();
    traverse(wire, starts, &mut |kind, origin, subject, description| {
        found
            .entry((kind, origin.pointer.clone()))
            .or_insert_with(|| Element {
                kind,
                origin: origin.clone(),
                subject: subject(),
                description: description.cloned(),
            });
    });
    found.into_values().collect()
}

/// Every place that a known document can reach, with the name of its first mention.
#[must_use]
pub fn places(wire: &Wire) -> IndexMap<NodeId, Subject> {
    let starts = wire
        .roots
        .iter()
        .map(|root| (root.node, Subject::root(root)))
        .collect();
    traverse(wire, starts, &mut |_, _, _, _| {})
}

/// The identities of all elements. Unlike [`elements`] it names none, so that a chain of members
/// costs no more than its length.
#[must_use]
pub fn element_keys(wire: &Wire) -> BTreeSet<ElementKey> {
    keys(wire, wire.roots.iter().map(|root| root.node))
}

/// The elements that can be exercised below a place.
#[must_use]
pub fn reachable(wire: &Wire, node: NodeId) -> BTreeSet<ElementKey> {
    keys(wire, [node])
}

/// The elements that can be exercised in an object of that shape.
#[must_use]
pub fn reachable_in(wire: &Wire, object: ObjectId) -> BTreeSet<ElementKey> {
    let mut found = BTreeSet::new();
    let mut pending = Vec::new();
    let mut visit = |kind: Kind, origin: &Origin, _: &dyn Fn() -> Unnamed, _: Option<&String>| {
        found.insert((kind, origin.pointer.clone()));
    };
    visit_object(
        wire,
        wire.object(object),
        &Unnamed,
        &mut pending,
        &mut visit,
    );
    traverse(wire, pending, &mut visit);
    found
}

fn keys(wire: &Wire, starts: impl IntoIterator<Item = NodeId>) -> BTreeSet<ElementKey> {
    let mut found = BTreeSet::new();
    let starts = starts.into_iter().map(|node| (node, Unnamed)).collect();
    traverse(wire, starts, &mut |kind, origin, _, _| {
        found.insert((kind, origin.pointer.clone()));
    });
    found
}

/// Whether the alternative is an element: one that a written union names.
#[must_use]
pub fn is_variant_element(node: &Node, variant: &Variant) -> bool {
    node.union && !variant.is_catch_all()
}

/// The known values at a place that are elements: those that have others, named or not, beside them.
pub fn value_elements(node: &Node) -> impl Iterator<Item = &Known> {
    let strings = node.string.iter().flat_map(|scalar| &scalar.known);
    let numbers = node.number.iter().flat_map(|scalar| &scalar.known);
    let open = node
        .string
        .as_ref()
        .is_some_and(super::Scalar::is_open_enum)
        || node
            .number
            .as_ref()
            .is_some_and(super::Scalar::is_open_enum);
    let several = strings.clone().count() + numbers.clone().count() > 1;
    strings.chain(numbers).filter(move |_| open || several)
}

/// How a traversal names what it meets.
trait Name: Clone {
    fn field(&self, name: &str) -> Self;
    fn item(&self) -> Self;
    fn tuple(&self, index: usize) -> Self;
    fn map_value(&self) -> Self;
    fn pattern(&self, pattern: &str) -> Self;
    fn value(&self, value: &Literal) -> Self;
    fn variant(&self, wire: &Wire, node: NodeId, index: usize) -> Self;
}

impl Name for Subject {
    fn field(&self, name: &str) -> Self {
        self.field(name)
    }

    fn item(&self) -> Self {
        self.item()
    }

    fn tuple(&self, index: usize) -> Self {
        self.tuple(index)
    }

    fn map_value(&self) -> Self {
        self.map_value()
    }

    fn pattern(&self, pattern: &str) -> Self {
        self.pattern(pattern)
    }

    fn value(&self, value: &Literal) -> Self {
        self.value(value)
    }

    fn variant(&self, wire: &Wire, node: NodeId, index: usize) -> Self {
        self.variant(wire, node, index)
    }
}

/// No name, for a traversal that nobody asks for one.
#[derive(Clone, Copy)]
struct Unnamed;

impl Name for Unnamed {
    fn field(&self, _: &str) -> Self {
        Self
    }

    fn item(&self) -> Self {
        Self
    }

    fn tuple(&self, _: usize) -> Self {
        Self
    }

    fn map_value(&self) -> Self {
        Self
    }

    fn pattern(&self, _: &str) -> Self {
        Self
    }

    fn value(&self, _: &Literal) -> Self {
        Self
    }

    fn variant(&self, _: &Wire, _: NodeId, _: usize) -> Self {
        Self
    }
}

type Visit<'a, N> = dyn FnMut(Kind, &Origin, &dyn Fn() -> N, Option<&String>) + 'a;

/// Visits each place once, breadth first, so that an element's first place is a short one.
fn traverse<N: Name>(
    wire: &Wire,
    starts: Vec<(NodeId, N)>,
    visit: &mut Visit<'_, N>,
) -> IndexMap<NodeId, N> {
    let mut places: IndexMap<NodeId, N> = IndexMap::default();
    for (node, subject) in starts {
        places.entry(node).or_insert(subject);
    }
    let mut next = 0;
    while let Some((&id, subject)) = places.get_index(next) {
        let subject = subject.clone();
        next += 1;
        let mut below = Vec::new();
        visit_node(wire, id, &subject, &mut below, visit);
        for (node, subject) in below {
            places.entry(node).or_insert(subject);
        }
    }
    places
}

fn visit_node<N: Name>(
    wire: &Wire,
    id: NodeId,
    subject: &N,
    below: &mut Vec<(NodeId, N)>,
    visit: &mut Visit<'_, N>,
) {
    let node = wire.node(id);
    for known in value_elements(node) {
        visit(
            Kind::Value,
            &known.origin,
            &|| subject.value(&known.value),
            known.docs.description.as_ref(),
        );
    }
    for array in &node.arrays {
        below.extend(
            array
                .prefix
                .iter()
                .enumerate()
                .map(|(at, node)| (*node, subject.tuple(at))),
        );
        below.push((array.items, subject.item()));
    }
    for (at, variant) in node.objects.iter().enumerate() {
        if variant.is_catch_all() {
            continue;
        }
        let object = wire.object(variant.object);
        let subject = subject.variant(wire, id, at);
        if is_variant_element(node, variant) {
            let description = variant
                .docs
                .description
                .as_ref()
                .or(object.docs.description.as_ref());
            visit(
                Kind::Variant,
                &variant.origin,
                &|| subject.clone(),
                description,
            );
        }
        visit_object(wire, object, &subject, below, visit);
    }
}

fn visit_object<N: Name>(
    wire: &Wire,
    object: &Object,
    subject: &N,
    below: &mut Vec<(NodeId, N)>,
    visit: &mut Visit<'_, N>,
) {
    for part in parts(wire, object) {
        visit_members(wire, part, subject, below, visit);
    }
}

/// The shape, and the conditional parts that speak about the same object: their members belong to
/// the same subject.
pub(crate) fn parts<'w>(wire: &'w Wire, object: &'w Object) -> Vec<&'w Object> {
    let mut parts = vec![object];
    let mut conditional = IndexSet::default();
    let mut next = 0;
    conditional.extend(object.residual.iter().flat_map(asserted_nodes));
    while let Some(&id) = conditional.get_index(next) {
        next += 1;
        for variant in &wire.node(id).objects {
            let part = wire.object(variant.object);
            conditional.extend(part.residual.iter().flat_map(asserted_nodes));
            parts.push(part);
        }
    }
    parts
}

/// Whether a member is an element. One that may not stand cannot be exercised; it is a constraint.
pub(crate) fn is_field_element(wire: &Wire, field: &Field) -> bool {
    field.declared && !wire.is_never(field.node)
}

fn visit_members<N: Name>(
    wire: &Wire,
    object: &Object,
    subject: &N,
    below: &mut Vec<(NodeId, N)>,
    visit: &mut Visit<'_, N>,
) {
    for (name, field) in &object.fields {
        if !is_field_element(wire, field) {
            continue;
        }
        for origin in &field.origins {
            visit(
                Kind::Field,
                origin,
                &|| subject.field(name),
                field.docs.description.as_ref(),
            );
        }
        below.push((field.node, subject.field(name)));
    }
    for field in &object.patterns {
        below.push((field.node, subject.pattern(&field.pattern)));
    }
    below.push((object.rest, subject.map_value()));
}
