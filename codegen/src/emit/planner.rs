//! From the wire view to a plan: every place gets a type, and what needs a name becomes an item.

use super::plan::{Context, Item, ItemId, Note, Plan, Root, Type};
use super::{loose, scalars};
use crate::wire::{Array, Docs, NodeId, ObjectId, Origin, Scalar, StringFacts, Wire};
use std::collections::{HashMap, VecDeque};

/// Rust has traits for tuples up to twelve places.
const MOST_TUPLE_PLACES: usize = 12;
/// Lists in lists in lists: a schema may nest them without end, a Rust type may not.
const DEEPEST_PLACE: usize = 32;

/// What an item is made from; the same source gives the same item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Node(NodeId),
    Union(NodeId),
    Object(ObjectId),
    /// The holder of the unknown of a union, for the catch-alls at these indices.
    Unknown(NodeId, Vec<usize>),
    String(NodeId),
}

pub(super) struct Planner<'w> {
    pub(super) wire: &'w Wire,
    items: Vec<Option<Item>>,
    pub(super) contexts: Vec<Context>,
    by_source: HashMap<Source, ItemId>,
    queue: VecDeque<(ItemId, Source)>,
    /// Places that are being typed, to notice one that refers to itself through lists alone.
    open: Vec<NodeId>,
    notes: Vec<Note>,
    /// The declarations of the item that is being built.
    building: Vec<Origin>,
    /// What the place calls an item whose own declaration has no name.
    pub(super) called: HashMap<ItemId, String>,
    /// What a root says about an item that says nothing itself.
    pub(super) docs: HashMap<ItemId, Docs>,
    /// Places that several variants of a union share: they are named by the union, since which
    /// variant comes first may change.
    pub(super) shared: HashMap<NodeId, Context>,
}

/// Plans the items of a whole wire view, with notes on what is typed loosely. Names are given later.
pub(super) fn plan(wire: &Wire, root_name: &str) -> Plan {
    let mut planner = Planner {
        wire,
        items: Vec::new(),
        contexts: Vec::new(),
        by_source: HashMap::new(),
        queue: VecDeque::new(),
        open: Vec::new(),
        notes: Vec::new(),
        building: Vec::new(),
        called: HashMap::new(),
        docs: HashMap::new(),
        shared: HashMap::new(),
    };
    let mut roots = Vec::new();
    for root in &wire.roots {
        let own = called(&root.docs, root.name.as_deref());
        let name = own.clone().unwrap_or_else(|| root_name.to_owned());
        let context = Context {
            parent: None,
            part: root.name.clone().unwrap_or_else(|| root_name.to_owned()),
        };
        let ty = planner.place(root.node, &context);
        // A root that only wraps another schema has its name and its words for itself.
        if let (Type::Named(item), Some(own)) = (&ty, &own) {
            planner.called.entry(*item).or_insert_with(|| own.clone());
            planner
                .docs
                .entry(*item)
                .or_insert_with(|| root.docs.clone());
        }
        roots.push(Root {
            name,
            is_called: own.is_some(),
            ty,
            docs: root.docs.clone(),
        });
        planner.drain();
    }
    let items = planner.items.into_iter().flatten().collect();
    Plan {
        items,
        roots,
        notes: planner.notes,
        lends: Vec::new(),
    }
}

impl Planner<'_> {
    fn drain(&mut self) {
        while let Some((id, source)) = self.queue.pop_front() {
            self.building = self.origins(&source);
            let item = self.build(id, &source);
            if let Some(slot) = self.items.get_mut(id.0) {
                *slot = Some(item);
            }
        }
    }

    /// The item of a source, planned later where it is new.
    pub(super) fn item(&mut self, source: Source, context: &Context) -> Type {
        if let Some(id) = self.by_source.get(&source) {
            return Type::Named(*id);
        }
        let id = ItemId(self.items.len());
        self.items.push(None);
        self.contexts.push(context.clone());
        self.by_source.insert(source.clone(), id);
        self.queue.push_back((id, source));
        Type::Named(id)
    }

    /// The type of a place.
    pub(super) fn place(&mut self, id: NodeId, context: &Context) -> Type {
        if self.wire.is_any(id) {
            return Type::Json;
        }
        if self.open.contains(&id) {
            return self.json(context, "it refers to itself through arrays or maps alone, so that no Rust type could name it");
        }
        if self.open.len() >= DEEPEST_PLACE {
            return self.json(context, "it is nested too deeply in arrays and maps");
        }
        self.open.push(id);
        let ty = match loose::unresolved(self.wire, id) {
            Some(reason) => self.json(context, &reason),
            None => self.typed(id, context),
        };
        self.open.pop();
        ty
    }

    fn typed(&mut self, id: NodeId, context: &Context) -> Type {
        let node = self.wire.node(id);
        let kinds = [
            node.boolean.is_some(),
            node.number.is_some(),
            node.string.is_some(),
            !node.arrays.is_empty(),
            !node.objects.is_empty(),
        ];
        let alone = kinds.iter().filter(|present| **present).count() == 1 && node.arrays.len() < 2;
        if !kinds.contains(&true) {
            return if node.null { Type::Null } else { Type::Never };
        }
        let ty = if !alone {
            self.item(Source::Node(id), context)
        } else if let Some(shape) = &node.boolean {
            scalars::boolean(shape)
        } else if let Some(number) = &node.number {
            self.number(number, context)
        } else if let Some(string) = &node.string {
            self.string(id, string, context)
        } else if let [array] = node.arrays.as_slice() {
            self.array(array, context)
        } else {
            self.objects(id, context)
        };
        if node.null {
            Type::Nullable(Box::new(ty))
        } else {
            ty
        }
    }

    pub(super) fn number(
        &mut self,
        number: &Scalar<crate::wire::NumberFacts>,
        context: &Context,
    ) -> Type {
        let (ty, unchecked) = scalars::number(number);
        if let Some(reason) = unchecked {
            self.note(context, reason);
        }
        ty
    }

    pub(super) fn string(
        &mut self,
        id: NodeId,
        string: &Scalar<StringFacts>,
        context: &Context,
    ) -> Type {
        match (string.known.is_empty(), string.tails.as_slice()) {
            (false, _) => self.item(Source::String(id), context),
            (true, [facts]) if scalars::is_constrained(facts) => {
                self.item(Source::String(id), context)
            }
            (true, [_]) => Type::String,
            (true, _) => {
                self.note(context, "its alternatives among strings are not told apart, so that they are not checked");
                Type::String
            }
        }
    }

    pub(super) fn array(&mut self, array: &Array, context: &Context) -> Type {
        if array.values.is_some() {
            return self.json(context, "only certain whole arrays may stand there");
        }
        if array.unique || !array.contains.is_empty() {
            self.note(
                context,
                "that its elements are unique, or that some must occur, is not checked",
            );
        }
        if array.prefix.is_empty() {
            let element = self.place(array.items, &part(context, "Item"));
            return Type::List(Box::new(element), array.min_items, array.max_items);
        }
        let places = array.prefix.len();
        let fixed = array.min_items >= places as u64
            && (self.wire.is_never(array.items) || array.max_items == Some(places as u64));
        if fixed
            && places <= MOST_TUPLE_PLACES
            && array.max_items.is_none_or(|max| max >= places as u64)
        {
            let number = |index: usize| part(context, &format!("Item{}", index + 1));
            return Type::Tuple(
                array
                    .prefix
                    .iter()
                    .enumerate()
                    .map(|(index, node)| self.place(*node, &number(index)))
                    .collect(),
            );
        }
        self.json(context, "it is a tuple of no fixed length")
    }

    pub(super) fn objects(&mut self, id: NodeId, context: &Context) -> Type {
        let node = self.wire.node(id);
        let [only] = node.objects.as_slice() else {
            return self.item(Source::Union(id), context);
        };
        let ty = self.object(only.object, context);
        // A declaration that is put together from others (`allOf`) has its name at the place.
        if let (Type::Named(item), Some(called)) =
            (&ty, called(&node.docs, node.definition.as_deref()))
        {
            self.called.entry(*item).or_insert(called);
        }
        ty
    }

    /// The type of an object shape.
    pub(super) fn object(&mut self, id: ObjectId, context: &Context) -> Type {
        let object = self.wire.object(id);
        if object.values.is_some() {
            let reason = "only certain whole objects may stand there; it is any object";
            self.told(context, reason, true);
            return Type::JsonObject;
        }
        if self.wire.is_free_form(id) {
            return Type::JsonObject;
        }
        if let Some(reason) = loose::unchecked(object) {
            self.note(context, &reason);
        }
        if object.fields.values().any(|field| field.declared) || self.rest_is_refused(id) {
            return self.item(Source::Object(id), context);
        }
        let value = self.rest(id, context);
        Type::Map(Box::new(value))
    }

    pub(super) fn rest_is_refused(&self, id: ObjectId) -> bool {
        let object = self.wire.object(id);
        object.patterns.is_empty() && self.wire.is_never(object.rest)
    }

    /// The type of members that are not declared.
    pub(super) fn rest(&mut self, id: ObjectId, context: &Context) -> Type {
        let object = self.wire.object(id);
        match object.patterns.as_slice() {
            [] => self.place(object.rest, &part(context, "Value")),
            [pattern] if self.wire.is_never(object.rest) => {
                self.note(context, "the pattern of its member names is not checked");
                self.place(pattern.node, &part(context, "Value"))
            }
            _ => self.json(
                context,
                "its members are typed by the patterns of their names",
            ),
        }
    }

    fn json(&mut self, context: &Context, reason: &str) -> Type {
        self.told(context, reason, true);
        Type::Json
    }

    pub(super) fn note(&mut self, context: &Context, reason: &str) {
        self.told(context, reason, false);
    }

    fn told(&mut self, context: &Context, reason: &str, is_value: bool) {
        let place = self.open.last().map(|id| &self.wire.node(*id).origins);
        self.notes.push(Note {
            context: context.clone(),
            reason: reason.to_owned(),
            origin: place.unwrap_or(&self.building).first().cloned(),
            is_value,
        });
    }

    /// Where the schema declares what an item is made from.
    pub(super) fn origins(&self, source: &Source) -> Vec<Origin> {
        match source {
            Source::Object(object) => self.wire.object(*object).origins.clone(),
            Source::Node(node) | Source::Union(node) | Source::String(node) => {
                self.wire.node(*node).origins.clone()
            }
            Source::Unknown(node, catch_alls) => {
                let variants = &self.wire.node(*node).objects;
                let held = catch_alls.iter().filter_map(|index| variants.get(*index));
                held.map(|variant| variant.origin.clone()).collect()
            }
        }
    }
}

pub(super) fn called(docs: &Docs, definition: Option<&str>) -> Option<String> {
    // A title may be a whole sentence, which is no name where a definition has one.
    let title = docs
        .title
        .as_deref()
        .filter(|title| !title.trim().is_empty());
    match (title, definition) {
        (Some(title), Some(definition)) if title.split_whitespace().count() > 4 => {
            Some(definition.to_owned())
        }
        (Some(title), _) => Some(
            title
                .split_whitespace()
                .take(6)
                .collect::<Vec<_>>()
                .join(" "),
        ),
        (None, definition) => definition.map(str::to_owned),
    }
}

fn part(context: &Context, name: &str) -> Context {
    Context {
        parent: context.parent,
        part: format!("{} {name}", context.part),
    }
}
