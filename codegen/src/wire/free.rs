//! Looking places up, and telling those where anything or nothing may stand.

use super::{Array, BooleanShape, Node, NodeId, NumberFacts, Object, ObjectId, StringFacts, Wire};

impl Wire {
    /// The place where anything may stand; every built wire has it at this index.
    pub const ANY: NodeId = NodeId(0);

    /// The place of that index.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The object shape of that index.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// Whether anything at all may stand at a place.
    #[must_use]
    pub fn is_any(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let number = node.number.as_ref().is_some_and(|scalar| {
            scalar.known.is_empty() && scalar.tails == [NumberFacts::default()]
        });
        let boolean = node.boolean
            == Some(BooleanShape {
                allow_false: true,
                allow_true: true,
            });
        // A place that refers to itself through `rest` or `items` would recurse; only the one
        // shared free node does, and it is recognised by that.
        let array = matches!(node.arrays.as_slice(), [array] if array.is_free(id));
        let object =
            matches!(node.objects.as_slice(), [variant] if self.object(variant.object).is_free(id));
        let plain = node.others.is_empty();
        plain && node.null && boolean && number && node.takes_every_string() && array && object
    }

    /// Whether nothing may stand at a place.
    #[must_use]
    pub fn is_never(&self, id: NodeId) -> bool {
        self.node(id).is_never()
    }

    /// Whether an object shape is free-form: no declared members, and any other member may be anything.
    #[must_use]
    pub fn is_free_form(&self, id: ObjectId) -> bool {
        let object = self.object(id);
        object.fields.values().all(|field| !field.declared)
            && object.patterns.is_empty()
            && object.values.is_none()
            && self.is_any(object.rest)
    }
}

impl Node {
    /// Whether every string may stand here, and none has a name.
    pub(super) fn takes_every_string(&self) -> bool {
        let whole = self.string.as_ref().is_some_and(|scalar| {
            scalar.known.is_empty() && scalar.tails == [StringFacts::default()]
        });
        whole && !self.exclusive && self.held_apart.is_empty()
    }

    /// Whether strings, and values of no other type, may stand here.
    #[cfg(feature = "evolution")]
    pub(crate) fn takes_strings_alone(&self) -> bool {
        self.string.is_some()
            && !self.null
            && self.boolean.is_none()
            && self.number.is_none()
            && self.arrays.is_empty()
            && self.objects.is_empty()
    }

    /// Whether nothing may stand here.
    pub(super) fn is_never(&self) -> bool {
        !self.null
            && self.boolean.is_none()
            && self.number.is_none()
            && self.string.is_none()
            && self.arrays.is_empty()
            && self.objects.is_empty()
    }
}

impl Array {
    fn is_free(&self, any: NodeId) -> bool {
        self.prefix.is_empty()
            && (self.items == any || self.items == Wire::ANY)
            && self.contains.is_empty()
            && self.min_items == 0
            && self.max_items.is_none()
            && !self.unique
            && self.values.is_none()
            && self.residual.is_empty()
    }
}

impl Object {
    fn is_free(&self, any: NodeId) -> bool {
        self.fields.is_empty()
            && self.patterns.is_empty()
            && (self.rest == any || self.rest == Wire::ANY)
            && self.names.is_none()
            && self.min_properties == 0
            && self.max_properties.is_none()
            && self.dependent_required.is_empty()
            && self.values.is_none()
            && self.residual.is_empty()
    }
}
