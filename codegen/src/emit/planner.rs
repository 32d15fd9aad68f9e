//! From the wire view to a plan: every place gets a type, and what needs a name becomes an item.

use super::names::{self, Scope};
use super::plan::{Arm, ArmTag, Context, EnumValue, Item, ItemId, JsonType, Kind, MixedArm, Plan, Quiet, Rest, Struct, Type};
use super::scalars;
use super::unknown;
use crate::wire::{Array, Docs, Known, NodeId, ObjectId, Scalar, StringFacts, Variant, Wire, plain};
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
    contexts: Vec<Context>,
    by_source: HashMap<Source, ItemId>,
    queue: VecDeque<(ItemId, Source)>,
    /// Places that are being typed, to notice one that refers to itself through lists alone.
    open: Vec<NodeId>,
    notes: Vec<(Context, String)>,
    /// What the place calls an item whose own declaration has no name.
    called: HashMap<ItemId, String>,
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
        called: HashMap::new(),
    };
    let mut roots = Vec::new();
    for root in &wire.roots {
        let name = root.name.clone().unwrap_or_else(|| root_name.to_owned());
        let context = Context { parent: None, part: name.clone() };
        roots.push((name, planner.place(root.node, &context)));
        planner.drain();
    }
    let items = planner.items.into_iter().flatten().collect();
    Plan { items, roots, notes: planner.notes }
}

impl Planner<'_> {
    fn drain(&mut self) {
        while let Some((id, source)) = self.queue.pop_front() {
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
        let ty = self.typed(id, context);
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
            return match node.null {
                true => Type::Null,
                false => self.json(context, "no value may stand there"),
            };
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
        if node.null { Type::Nullable(Box::new(ty)) } else { ty }
    }

    fn number(&mut self, number: &Scalar<crate::wire::NumberFacts>, context: &Context) -> Type {
        let (ty, unchecked) = scalars::number(number);
        if let Some(reason) = unchecked {
            self.note(context, reason);
        }
        ty
    }

    fn string(&mut self, id: NodeId, string: &Scalar<StringFacts>, context: &Context) -> Type {
        match (string.known.is_empty(), string.tails.as_slice()) {
            (false, _) => self.item(Source::String(id), context),
            (true, [facts]) if scalars::is_constrained(facts) => self.item(Source::String(id), context),
            (true, [_]) => Type::String,
            (true, _) => {
                self.note(context, "its alternatives among strings are not told apart, so that they are not checked");
                Type::String
            }
        }
    }

    fn array(&mut self, array: &Array, context: &Context) -> Type {
        if array.values.is_some() {
            return self.json(context, "only certain whole arrays may stand there");
        }
        if array.unique || !array.contains.is_empty() {
            self.note(context, "that its elements are unique, or that some must occur, is not checked");
        }
        if array.prefix.is_empty() {
            let element = self.place(array.items, &part(context, "Item"));
            return Type::List(Box::new(element), array.min_items, array.max_items);
        }
        let places = array.prefix.len();
        let fixed = array.min_items >= places as u64 && (self.wire.is_never(array.items) || array.max_items == Some(places as u64));
        if fixed && places <= MOST_TUPLE_PLACES && array.max_items.is_none_or(|max| max >= places as u64) {
            let number = |index: usize| part(context, &format!("Item{}", index + 1));
            return Type::Tuple(array.prefix.iter().enumerate().map(|(index, node)| self.place(*node, &number(index))).collect());
        }
        self.json(context, "it is a tuple of no fixed length")
    }

    fn objects(&mut self, id: NodeId, context: &Context) -> Type {
        let node = self.wire.node(id);
        let [only] = node.objects.as_slice() else {
            return self.item(Source::Union(id), context);
        };
        let ty = self.object(only.object, context);
        // A declaration that is put together from others (`allOf`) has its name at the place.
        if let (Type::Named(item), Some(called)) = (&ty, called(&node.docs, node.definition.as_deref())) {
            self.called.entry(*item).or_insert(called);
        }
        ty
    }

    /// The type of an object shape.
    pub(super) fn object(&mut self, id: ObjectId, context: &Context) -> Type {
        let object = self.wire.object(id);
        if object.values.is_some() {
            self.note(context, "only certain whole objects may stand there; it is any object");
            return Type::JsonObject;
        }
        if self.wire.is_free_form(id) {
            return Type::JsonObject;
        }
        if object.fields.values().any(|field| field.declared) || self.rest_is_refused(id) {
            return self.item(Source::Object(id), context);
        }
        let value = self.rest(id, context);
        Type::Map(Box::new(value))
    }

    fn rest_is_refused(&self, id: ObjectId) -> bool {
        let object = self.wire.object(id);
        object.patterns.is_empty() && self.wire.is_never(object.rest)
    }

    /// The type of members that are not declared.
    fn rest(&mut self, id: ObjectId, context: &Context) -> Type {
        let object = self.wire.object(id);
        match object.patterns.as_slice() {
            [] => self.place(object.rest, &part(context, "Value")),
            [pattern] if self.wire.is_never(object.rest) => {
                self.note(context, "the pattern of its member names is not checked");
                self.place(pattern.node, &part(context, "Value"))
            }
            _ => self.json(context, "its members are typed by the patterns of their names"),
        }
    }

    fn build(&mut self, id: ItemId, source: &Source) -> Item {
        let context = self.contexts.get(id.0).cloned().unwrap_or(Context { parent: None, part: String::new() });
        let (docs, definition, kind) = match source {
            Source::Object(object) => {
                let shape = self.wire.object(*object);
                (shape.docs.clone(), shape.definition.clone(), Kind::Struct(self.structure(id, *object)))
            }
            Source::Union(node) => {
                let place = self.wire.node(*node);
                (place.docs.clone(), place.definition.clone(), self.union(id, *node))
            }
            Source::Unknown(node, catch_alls) => unknown::holder(self, id, *node, catch_alls),
            Source::Node(node) => {
                let place = self.wire.node(*node);
                (place.docs.clone(), place.definition.clone(), Kind::Mixed(self.mixed(id, *node)))
            }
            Source::String(node) => {
                let place = self.wire.node(*node);
                let kind = place.string.as_ref().map_or(Kind::Text(StringFacts::default()), string_kind);
                // A place that may hold other types as well gives its name to what holds them all.
                let sole = place.boolean.is_none() && place.number.is_none() && place.arrays.is_empty() && place.objects.is_empty();
                if sole { (place.docs.clone(), place.definition.clone(), kind) } else { (Docs::default(), None, kind) }
            }
        };
        let called = called(&docs, definition.as_deref()).or_else(|| self.called.get(&id).cloned());
        Item { name: String::new(), called, context, docs, kind }
    }

    pub(super) fn structure(&mut self, id: ItemId, object: ObjectId) -> Struct {
        let shape = self.wire.object(object);
        let taken = Scope::with(&["extra"]);
        let declared = shape.fields.iter().filter(|(_, field)| field.declared);
        let names = names::unique(declared.clone().map(|(name, _)| name.as_str()), names::snake, taken);
        let mut fields = Vec::new();
        for ((wire, field), rust) in declared.zip(names) {
            fields.push(self.field(id, wire, field, rust));
        }
        let rest = match self.rest_is_refused(object) {
            true => Rest::Refused,
            false => Rest::Kept(self.rest(object, &Context { parent: Some(id), part: "Extra".to_owned() })),
        };
        Struct { fields, rest, unknown_tags: 0, required_tags: 0, undeclared: undeclared(shape) }
    }

    fn field(&mut self, id: ItemId, wire: &str, field: &crate::wire::Field, rust: String) -> super::plan::Field {
        let constant = scalars::constant(self.wire, field.node).filter(|_| field.required);
        let context = Context { parent: Some(id), part: wire.to_owned() };
        // A constant needs no type, and typing it would only leave an item nobody uses.
        let ty = if constant.is_some() { Type::Json } else { self.place(field.node, &context) };
        super::plan::Field { wire: wire.to_owned(), rust, ty, required: field.required, constant, docs: Quiet(field.docs.clone()), formats: Quiet(formats(self.wire, field.node)) }
    }

    fn union(&mut self, id: ItemId, node: NodeId) -> Kind {
        let place = self.wire.node(node);
        let catch_alls = unknown::groups(self.wire, place);
        let mut arms = Vec::new();
        for (index, variant) in place.objects.iter().enumerate() {
            let held = catch_alls.iter().find(|group| group.contains(&index));
            let label = label(variant);
            let context = Context { parent: Some(id), part: label.clone() };
            let (name, ty) = match held {
                Some(group) => {
                    let name = if group.len() > 1 || catch_alls.len() == 1 { "Unknown".to_owned() } else { format!("Unknown {label}") };
                    (name, self.item(Source::Unknown(node, group.clone()), &Context { parent: Some(id), part: "Unknown".to_owned() }))
                }
                None => (label, self.object(variant.object, &context)),
            };
            arms.push(Arm { name, ty, tags: self.tags(variant), is_unknown: held.is_some(), docs: Quiet(variant.docs.clone()) });
        }
        Kind::Union(super::plan::Union { arms })
    }

    fn tags(&self, variant: &Variant) -> Vec<ArmTag> {
        let object = self.wire.object(variant.object);
        let excluded = |name: &str| {
            let node = object.fields.get(name).map(|field| self.wire.node(field.node));
            let string = node.and_then(|node| node.string.as_ref());
            string.map(|string| string.tails.iter().flat_map(|facts| facts.excluded.clone()).collect()).unwrap_or_default()
        };
        variant.tags.iter().map(|tag| ArmTag { name: tag.name.clone(), values: tag.values.clone(), excluded: excluded(&tag.name) }).collect()
    }

    fn mixed(&mut self, id: ItemId, node: NodeId) -> Vec<MixedArm> {
        let place = self.wire.node(node);
        let context = |part: &str| Context { parent: Some(id), part: part.to_owned() };
        let mut arms = Vec::new();
        let mut add = |name: String, json, ty| arms.push(MixedArm { name, json, ty });
        if let Some(shape) = &place.boolean {
            add("Bool".to_owned(), JsonType::Bool, scalars::boolean(shape));
        }
        if let Some(number) = &place.number {
            let ty = self.number(number, &context("Number"));
            let name = if matches!(ty, Type::Integer(..)) { "Integer" } else { "Number" };
            add(name.to_owned(), JsonType::Number, ty);
        }
        if let Some(string) = &place.string {
            add("String".to_owned(), JsonType::String, self.string(node, string, &context("String")));
        }
        for (index, array) in place.arrays.iter().enumerate() {
            let name = if index == 0 { "Array".to_owned() } else { format!("Array{}", index + 1) };
            let ty = self.array(array, &context(&name));
            add(name, JsonType::Array, ty);
        }
        if !place.objects.is_empty() {
            let ty = self.objects(node, &context("Object"));
            add("Object".to_owned(), JsonType::Object, ty);
        }
        arms
    }

    fn json(&mut self, context: &Context, reason: &str) -> Type {
        self.note(context, reason);
        Type::Json
    }

    pub(super) fn note(&mut self, context: &Context, reason: &str) {
        self.notes.push((context.clone(), reason.to_owned()));
    }
}

fn formats(wire: &Wire, node: NodeId) -> Vec<String> {
    let string = wire.node(node).string.as_ref();
    string.map(|string| string.tails.iter().flat_map(|facts| facts.formats.clone()).collect()).unwrap_or_default()
}

/// Names that are required but declared nowhere: they are kept among the undeclared members.
fn undeclared(shape: &crate::wire::Object) -> Vec<String> {
    let required = shape.fields.iter().filter(|(_, field)| field.required && !field.declared);
    required.map(|(name, _)| name.clone()).collect()
}

pub(super) fn called(docs: &Docs, definition: Option<&str>) -> Option<String> {
    // A title may be a whole sentence, which is no name where a definition has one.
    let title = docs.title.as_deref().filter(|title| !title.trim().is_empty());
    match (title, definition) {
        (Some(title), Some(definition)) if title.split_whitespace().count() > 4 => Some(definition.to_owned()),
        (Some(title), _) => Some(title.split_whitespace().take(6).collect::<Vec<_>>().join(" ")),
        (None, definition) => definition.map(str::to_owned),
    }
}

fn part(context: &Context, name: &str) -> Context {
    Context { parent: context.parent, part: format!("{} {name}", context.part) }
}

fn label(variant: &Variant) -> String {
    let tags = variant.tags.iter().filter(|tag| !tag.values.is_empty());
    tags.map(|tag| tag.values.iter().map(plain).collect::<Vec<_>>().join(" or ")).collect::<Vec<_>>().join(" ")
}

fn string_kind(string: &Scalar<StringFacts>) -> Kind {
    if string.is_closed_enum() {
        return Kind::ClosedEnum(values(&string.known, Scope::default()));
    }
    if string.is_open_enum() {
        return Kind::OpenEnum(values(&string.known, Scope::with(&["Unknown"])));
    }
    Kind::Text(string.tails.first().cloned().unwrap_or_default())
}

fn values(known: &[Known], scope: Scope) -> Vec<EnumValue> {
    let texts: Vec<String> = known.iter().map(|known| plain(&known.value)).collect();
    let names = names::unique(texts.iter().map(String::as_str), names::pascal, scope);
    let with_docs = known.iter().zip(texts.clone()).zip(names);
    with_docs.map(|((known, wire), rust)| EnumValue { wire, rust, docs: Quiet(known.docs.clone()) }).collect()
}
