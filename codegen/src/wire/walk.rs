//! Walks a document along a wire view: which elements it exercises, and what in it is unknown.

use super::openness::asserted_nodes;
use super::resolve::{Matcher, arrays_of, item_place, variants_of};
use super::{
    ElementKey, Kind, NodeId, NumberFacts, Object, ObjectId, Reading, Scalar, Start, Wire,
    is_closed_when_strict, is_variant_element, names_beyond, plain, value_elements,
};
use crate::json::{self, Literal, Value, child_pointer};
use crate::maps::IndexSet;
use std::sync::Arc;

/// What a walk found, in the order of the document.
#[derive(Debug, Clone, Default)]
pub struct Walk {
    /// Elements, each with the place in the document that exercises it.
    pub exercised: Vec<Exercised>,
    /// What the contract does not know.
    pub unknown: Vec<Unknown>,
    /// Numbers with a fraction or an exponent where the contract says integer.
    pub loose_integers: Vec<Place>,
}

/// An element that a document holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exercised {
    /// Which element.
    pub key: ElementKey,
    /// JSON Pointer into the document.
    pub at: String,
}

/// A field, variant or value that the contract does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// What kind of thing is unknown.
    pub kind: Kind,
    /// JSON Pointer into the document; for a field that of its value, for a variant that of the object.
    pub at: String,
    /// Byte offset of the place.
    pub offset: u32,
    /// The unknown name, value or tags.
    pub name: String,
}

/// A place in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// JSON Pointer into the document.
    pub at: String,
    /// Byte offset of the value.
    pub offset: u32,
}

/// Walks a document from one place of a wire view.
///
/// The walk does not validate: in an invalid document it follows what fits and says nothing about
/// the rest. An unknown variant is one finding, and nothing below it is looked at.
#[must_use]
pub fn walk(wire: &Wire, start: NodeId, document: &json::Node, matcher: &dyn Matcher) -> Walk {
    let mut walker = Walker {
        wire,
        matcher,
        found: Walk::default(),
    };
    walker.places(std::iter::once(start).collect(), document, "");
    walker.found
}

/// Walks a document from the root, or from each definition that takes it where there is no root.
#[must_use]
pub fn walk_document(wire: &Wire, document: &json::Node, matcher: &dyn Matcher) -> Walk {
    let roots: Vec<NodeId> = wire.roots.iter().map(|root| root.node).collect();
    let mut walker = Walker {
        wire,
        matcher,
        found: Walk::default(),
    };
    walker.places(roots_of(&roots, document, matcher), document, "");
    walker.found
}

fn roots_of(roots: &[NodeId], document: &json::Node, matcher: &dyn Matcher) -> IndexSet<NodeId> {
    if roots.len() < 2 {
        return roots.iter().copied().collect();
    }
    for reading in [Reading::Strict, Reading::Published] {
        let fitting = roots
            .iter()
            .filter(|root| matcher.matches(reading, Start::Node(**root), document));
        let fitting: IndexSet<NodeId> = fitting.copied().collect();
        if !fitting.is_empty() {
            return fitting;
        }
    }
    IndexSet::default()
}

struct Walker<'a> {
    wire: &'a Wire,
    matcher: &'a dyn Matcher,
    found: Walk,
}

impl Walker<'_> {
    /// Walks one value at all the places that speak about it. The recursion is along the
    /// document, whose depth the reader bounds; places of the same value are a worklist.
    fn places(&mut self, places: IndexSet<NodeId>, value: &json::Node, at: &str) {
        match &value.value {
            Value::Object(_) => self.object(&places, value, at),
            Value::Array(elements) => self.array(&places, value, elements, at),
            Value::String(_) | Value::Number(_) => {
                places.iter().for_each(|id| self.scalar(*id, value, at))
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn scalar(&mut self, id: NodeId, value: &json::Node, at: &str) {
        let node = self.wire.node(id);
        let literal = Literal::of(value);
        if let Some(known) = value_elements(node).find(|known| known.value == literal) {
            self.exercise(Kind::Value, &known.origin.pointer, at);
        }
        let unknown = match &value.value {
            Value::Number(text) => {
                if node.number.as_ref().is_some_and(is_integer_place)
                    && text.contains(['.', 'e', 'E'])
                {
                    self.found.loose_integers.push(Place {
                        at: at.to_owned(),
                        offset: value.at,
                    });
                }
                node.number
                    .as_ref()
                    .is_some_and(|scalar| misses(scalar, &literal))
            }
            _ => node
                .string
                .as_ref()
                .is_some_and(|scalar| misses(scalar, &literal)),
        };
        if unknown {
            self.unknown(Kind::Value, at, value.at, plain(&literal));
        }
    }

    fn array(
        &mut self,
        places: &IndexSet<NodeId>,
        value: &json::Node,
        elements: &[json::Node],
        at: &str,
    ) {
        let mut arrays = Vec::new();
        for id in places {
            let taken = arrays_of(self.wire, *id, value, self.matcher);
            arrays.extend(
                taken
                    .into_iter()
                    .map(|index| &self.wire.node(*id).arrays[index]),
            );
        }
        for (index, element) in elements.iter().enumerate() {
            let below: IndexSet<NodeId> = arrays
                .iter()
                .map(|array| item_place(array, index))
                .collect();
            if !below.is_empty() {
                self.places(below, element, &child_pointer(at, &index.to_string()));
            }
        }
    }

    fn object(&mut self, places: &IndexSet<NodeId>, value: &json::Node, at: &str) {
        let mut shapes = IndexSet::default();
        let mut any_alternative = false;
        for id in places {
            let node = self.wire.node(*id);
            any_alternative |= !node.objects.is_empty();
            for index in variants_of(self.wire, *id, value, self.matcher) {
                let variant = &node.objects[index];
                if is_variant_element(node, variant) {
                    self.exercise(Kind::Variant, &variant.origin.pointer, at);
                }
                shapes.insert(variant.object);
            }
        }
        if shapes.is_empty() {
            if any_alternative {
                let name = self.tags_of(places, value);
                self.unknown(Kind::Variant, at, value.at, name);
            }
            return;
        }
        let conditional = self.conditional(&shapes, value);
        for member in value.members() {
            let mut below = IndexSet::default();
            let mut known = false;
            for shape in shapes.iter().chain(&conditional) {
                let own = shapes.contains(shape);
                known |= self.member(
                    *shape,
                    own,
                    &member.name,
                    &child_pointer(at, &member.name),
                    &mut below,
                );
            }
            let pointer = child_pointer(at, &member.name);
            if known {
                self.places(below, &member.node, &pointer);
            } else {
                self.unknown(Kind::Field, &pointer, member.at, member.name.to_string());
            }
        }
    }

    /// What one shape says about a member: its places go to `below`; whether it knows the member.
    fn member(
        &mut self,
        id: ObjectId,
        own: bool,
        name: &str,
        at: &str,
        below: &mut IndexSet<NodeId>,
    ) -> bool {
        let object = self.wire.object(id);
        let mut known = false;
        if let Some(field) = object.fields.get(name) {
            known = true;
            below.insert(field.node);
            if field.declared && !self.wire.is_never(field.node) {
                for origin in &field.origins {
                    self.exercise(Kind::Field, &origin.pointer, at);
                }
            }
        }
        for pattern in &object.patterns {
            if self.matcher.name_matches(&pattern.pattern, name) {
                known = true;
                below.insert(pattern.node);
            }
        }
        // A conditional part adds members; what it leaves open is still for the shape to say.
        if known || !own {
            return known;
        }
        if is_closed_when_strict(self.wire, id) || self.wire.is_never(object.rest) {
            return names_beyond(self.wire, object).contains(name);
        }
        below.insert(object.rest);
        true
    }

    /// Shapes of the conditional parts that hold for this object.
    fn conditional(&self, shapes: &IndexSet<ObjectId>, value: &json::Node) -> IndexSet<ObjectId> {
        let mut found = IndexSet::default();
        let mut pending: Vec<&Object> = shapes.iter().map(|id| self.wire.object(*id)).collect();
        while let Some(object) = pending.pop() {
            for residual in &object.residual {
                let asserted = asserted_nodes(residual);
                let holding: Vec<NodeId> = match residual.keyword {
                    "if" => {
                        let holds = residual
                            .nodes
                            .first()
                            .is_some_and(|test| self.holds(*test, value));
                        asserted
                            .get(usize::from(!holds))
                            .copied()
                            .into_iter()
                            .collect()
                    }
                    "dependentSchemas" => {
                        let pairs = residual.names.iter().zip(asserted);
                        pairs
                            .filter(|(name, _)| value.get(name).is_some())
                            .map(|(_, node)| node)
                            .collect()
                    }
                    "allOf" => asserted,
                    _ => asserted
                        .into_iter()
                        .filter(|node| self.holds(*node, value))
                        .collect(),
                };
                for id in holding {
                    for index in variants_of(self.wire, id, value, self.matcher) {
                        let shape = self.wire.node(id).objects[index].object;
                        if !shapes.contains(&shape) && found.insert(shape) {
                            pending.push(self.wire.object(shape));
                        }
                    }
                }
            }
        }
        found
    }

    fn holds(&self, node: NodeId, value: &json::Node) -> bool {
        self.matcher
            .matches(Reading::Published, Start::Node(node), value)
    }

    fn tags_of(&self, places: &IndexSet<NodeId>, value: &json::Node) -> String {
        let tags = places.iter().flat_map(|id| &self.wire.node(*id).tags);
        let values: Vec<String> = tags
            .filter_map(|tag| value.get(tag))
            .map(|tag| plain(&Literal::of(tag)))
            .collect();
        values.join("/")
    }

    fn exercise(&mut self, kind: Kind, pointer: &Arc<str>, at: &str) {
        self.found.exercised.push(Exercised {
            key: (kind, pointer.clone()),
            at: at.to_owned(),
        });
    }

    fn unknown(&mut self, kind: Kind, at: &str, offset: u32, name: String) {
        self.found.unknown.push(Unknown {
            kind,
            at: at.to_owned(),
            offset,
            name,
        });
    }
}

/// Whether known values are named at a place and this is none of them.
fn misses<F>(scalar: &Scalar<F>, value: &Literal) -> bool {
    !scalar.known.is_empty() && scalar.known.iter().all(|known| known.value != *value)
}

/// Whether every number that may stand at a place is an integer.
#[must_use]
pub(crate) fn is_integer_place(scalar: &Scalar<NumberFacts>) -> bool {
    let whole = |literal: &Literal| literal.as_decimal().is_some_and(|value| value.is_integer());
    scalar.tails.iter().all(|facts| facts.integer)
        && scalar.known.iter().all(|known| whole(&known.value))
}
