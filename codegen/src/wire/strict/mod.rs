//! Writes a wire view back as JSON Schema 2020-12, in one of its three readings.
//!
//! One emitter serves all three, so that they differ in nothing but what each reading is about:
//! **published** tightens nothing, **strict** knows only what the contract names, **open** accepts
//! what later revisions may add. Any validator runs the text; no reading is re-implemented.

mod described;
mod scalars;

pub use described::Definitions;

use super::make::{
    any_of, boolean, count, list, literal, member, object, one_of, string, typed, wrap, write,
};
use super::openness::{held_apart, is_closed_when_strict, names_beyond, room_to_grow, told_apart};
use super::{Array, Node, NodeId, ObjectId, Residual, Wire};
use crate::json::{self, Member, Value};
use crate::maps::IndexSet;
use std::collections::HashMap;

/// How a schema is read; see the module's first lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(transform = crate::open_set::open))]
pub enum Reading {
    /// What any validator says about the schema as published.
    Published,
    /// Published, and nothing in the document is unknown to the contract.
    Strict,
    /// Published, and every set that may grow takes anything.
    Open,
}

/// Where an emitted schema starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Start {
    /// The document: its root, or any one of the definitions of a schema without a root.
    Document,
    /// One place.
    Node(NodeId),
    /// One object shape.
    Object(ObjectId),
    /// One array alternative of a place.
    Array(NodeId, usize),
}

/// The strict reading as a schema of its own.
#[must_use]
pub fn strict_schema(wire: &Wire) -> String {
    schema_at(wire, Reading::Strict, Start::Document)
}

/// The schema as the wire view understood it: it accepts what the original accepts.
#[must_use]
pub fn published_schema(wire: &Wire) -> String {
    schema_at(wire, Reading::Published, Start::Document)
}

/// The open reading as a schema of its own.
#[must_use]
pub fn open_schema(wire: &Wire) -> String {
    schema_at(wire, Reading::Open, Start::Document)
}

/// A reading of one part of the wire view, with only the definitions that it reaches.
#[must_use]
pub fn schema_at(wire: &Wire, reading: Reading, start: Start) -> String {
    let mode = Mode::of(reading);
    let mut emitter = Emitter {
        wire,
        parts: IndexSet::default(),
        described: None,
    };
    let top = match start {
        Start::Node(node) => emitter.refer_node(node, mode),
        Start::Object(object) => emitter.refer(Part::Object(object), mode),
        Start::Array(node, index) => match wire.node(node).arrays.get(index) {
            Some(array) => emitter.array(array, mode),
            None => boolean(false),
        },
        Start::Document => {
            let roots = wire
                .roots
                .iter()
                .map(|root| emitter.refer_node(root.node, mode))
                .collect();
            any_of(roots)
        }
    };
    let definitions = emitter.definitions();
    let mut members = vec![(
        "$schema",
        string("https://json-schema.org/draft/2020-12/schema"),
    )];
    match top.value {
        Value::Object(rest) => {
            let mut all: Vec<Member> = members
                .drain(..)
                .map(|(name, node)| member(name, node))
                .collect();
            all.extend(rest);
            all.push(member("$defs", definitions));
            write(&wrap(Value::Object(all)))
        }
        _ => {
            members.push(("allOf", list(vec![top])));
            members.push(("$defs", definitions));
            write(&object(members))
        }
    }
}

/// What an emitted part is tightened or widened to; two of the modes serve parts of strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Mode {
    Published,
    Strict,
    /// Strict inside, but not closed itself: the union around it closes over all its branches.
    StrictBranch,
    Open,
}

impl Mode {
    fn of(reading: Reading) -> Self {
        match reading {
            Reading::Published => Self::Published,
            Reading::Strict => Self::Strict,
            Reading::Open => Self::Open,
        }
    }

    /// The mode of what stands below a part.
    fn below(self) -> Self {
        if self == Self::StrictBranch {
            Self::Strict
        } else {
            self
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Strict => "strict",
            Self::StrictBranch => "branch",
            Self::Open => "open",
        }
    }
}

/// What is a definition of its own where a wire view is written back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// A place.
    Node(NodeId),
    /// An object shape.
    Object(ObjectId),
}

struct Emitter<'a> {
    wire: &'a Wire,
    /// Every part that was referred to, in that order; it is a queue as well, since wire graphs
    /// may be longer than a stack is deep.
    parts: IndexSet<(Part, Mode)>,
    /// The names of parts that have one of their own; where there are any, documentation is written
    /// as well.
    described: Option<HashMap<Part, String>>,
}

impl Emitter<'_> {
    fn definitions(&mut self) -> json::Node {
        let mut members = Vec::new();
        let mut next = 0;
        while let Some(&(part, mode)) = self.parts.get_index(next) {
            next += 1;
            let schema = match part {
                Part::Node(id) => self.node(id, mode),
                Part::Object(id) => self.object(id, mode),
            };
            members.push(member(&self.name(part, mode), schema));
        }
        wrap(Value::Object(members))
    }

    fn refer(&mut self, part: Part, mode: Mode) -> json::Node {
        self.parts.insert((part, mode));
        let name = self.name(part, mode);
        object(vec![("$ref", string(&format!("#/$defs/{name}")))])
    }

    fn name(&self, part: Part, mode: Mode) -> String {
        let own = self.described.as_ref().and_then(|names| names.get(&part));
        own.cloned().unwrap_or_else(|| part_name(part, mode))
    }

    fn refer_node(&mut self, id: NodeId, mode: Mode) -> json::Node {
        if self.wire.is_any(id) {
            boolean(true)
        } else if self.wire.is_never(id) {
            boolean(false)
        } else {
            self.refer(Part::Node(id), mode)
        }
    }

    fn refer_nodes(&mut self, ids: &[NodeId], mode: Mode) -> json::Node {
        list(ids.iter().map(|id| self.refer_node(*id, mode)).collect())
    }

    fn node(&mut self, id: NodeId, mode: Mode) -> json::Node {
        let wire = self.wire;
        let node = wire.node(id);
        let schema = self.shape(id, node, mode);
        self.described(schema, &node.docs)
    }

    /// A place as it is, or without some of the types that may stand there.
    fn shape(&mut self, id: NodeId, node: &Node, mode: Mode) -> json::Node {
        let mut groups = Vec::new();
        if node.null {
            groups.push(vec![typed("null", Vec::new())]);
        }
        if let Some(shape) = &node.boolean {
            groups.push(vec![match (shape.allow_false, shape.allow_true) {
                (false, only) => object(vec![("const", boolean(only))]),
                (true, false) => object(vec![("const", boolean(false))]),
                (true, true) => typed("boolean", Vec::new()),
            }]);
        }
        if let Some(scalar) = &node.number {
            groups.push(self.scalar(scalar, mode, "number", Self::number));
        }
        if let Some(scalar) = &node.string {
            groups.push(self.scalar(scalar, mode, "string", Self::string));
        }
        let scalars = groups.len();
        groups.push(
            node.arrays
                .iter()
                .map(|array| self.array(array, mode))
                .collect(),
        );
        groups.push(self.objects(node, mode));
        if mode == Mode::Open {
            groups.push(room_to_grow(self.wire, id));
        }
        if node.exclusive && mode == Mode::Published {
            let only_scalars = node.arrays.is_empty() && node.objects.is_empty();
            for group in &mut groups[..scalars] {
                // Beside arrays and objects the mark may be about those alone.
                if only_scalars {
                    *group = vec![one_of(std::mem::take(group))];
                }
            }
            let arrays: Vec<_> = node.arrays.iter().map(|array| &array.origin).collect();
            let objects: Vec<_> = node.objects.iter().map(|one| &one.origin).collect();
            for (group, origins) in groups[scalars..].iter_mut().zip([arrays, objects]) {
                *group = held_apart(std::mem::take(group), &origins);
            }
        }
        if !node.exclusive || matches!(mode, Mode::Published | Mode::Open) {
            return any_of(groups.into_iter().flatten().collect());
        }
        // "Exactly one branch" is said of the branches as published: a document that only one
        // strict branch takes, but two published ones, is refused by both readings.
        let published = self.refer(Part::Node(id), Mode::Published);
        let strict = any_of(groups.into_iter().flatten().collect());
        object(vec![("allOf", list(vec![published, strict]))])
    }

    fn objects(&mut self, node: &Node, mode: Mode) -> Vec<json::Node> {
        if mode != Mode::Strict {
            return node
                .objects
                .iter()
                .map(|variant| self.refer(Part::Object(variant.object), mode))
                .collect();
        }
        let known: Vec<_> = node
            .objects
            .iter()
            .filter(|variant| !variant.is_catch_all())
            .collect();
        if told_apart(node) {
            return known
                .iter()
                .map(|variant| self.refer(Part::Object(variant.object), mode))
                .collect();
        }
        // Several branches may match at once, and a member that any of them declares is known.
        let branches = known
            .iter()
            .map(|variant| self.refer(Part::Object(variant.object), Mode::StrictBranch));
        let branches = branches.collect();
        vec![typed(
            "object",
            vec![
                ("anyOf", list(branches)),
                ("unevaluatedProperties", boolean(false)),
            ],
        )]
    }

    fn array(&mut self, array: &Array, mode: Mode) -> json::Node {
        let mode = mode.below();
        let mut members = Vec::new();
        if !array.prefix.is_empty() {
            members.push(("prefixItems", self.refer_nodes(&array.prefix, mode)));
        }
        if !self.wire.is_any(array.items) {
            members.push(("items", self.refer_node(array.items, mode)));
        }
        if array.min_items > 0 {
            members.push(("minItems", count(array.min_items)));
        }
        if let Some(max) = array.max_items {
            members.push(("maxItems", count(max)));
        }
        if array.unique {
            members.push(("uniqueItems", boolean(true)));
        }
        if let Some(values) = &array.values {
            members.push(("enum", list(values.iter().map(literal).collect())));
        }
        let mut together = Vec::new();
        for contains in &array.contains {
            // What must occur is a constraint on top of what each element is, so it is left as
            // published: tightening it could turn a matching element into one that is missing.
            let mut one = vec![("contains", self.refer_node(contains.node, Mode::Published))];
            if contains.min != 1 {
                one.push(("minContains", count(contains.min)));
            }
            if let Some(max) = contains.max {
                one.push(("maxContains", count(max)));
            }
            together.push(one);
        }
        self.finish("array", members, together, &array.residual)
    }

    fn object(&mut self, id: ObjectId, mode: Mode) -> json::Node {
        let wire = self.wire;
        let shape = wire.object(id);
        let below = mode.below();
        let mut properties: Vec<Member> = Vec::new();
        for (name, field) in &shape.fields {
            let schema = self.refer_node(field.node, below);
            properties.push(member(name, self.described(schema, &field.docs)));
        }
        let closes = matches!(mode, Mode::Strict | Mode::StrictBranch);
        if closes {
            for name in names_beyond(wire, shape) {
                properties.push(member(&name, boolean(true)));
            }
        }
        let mut members = Vec::new();
        if !properties.is_empty() {
            members.push(("properties", wrap(Value::Object(properties))));
        }
        let required = shape.fields.iter().filter(|(_, field)| field.required);
        let required: Vec<_> = required.map(|(name, _)| string(name)).collect();
        if !required.is_empty() {
            members.push(("required", list(required)));
        }
        if !shape.patterns.is_empty() {
            let patterns = shape.patterns.iter();
            let patterns =
                patterns.map(|field| member(&field.pattern, self.refer_node(field.node, below)));
            members.push(("patternProperties", wrap(Value::Object(patterns.collect()))));
        }
        let rest = match mode {
            Mode::Strict if is_closed_when_strict(wire, id) => Some(boolean(false)),
            // A branch that is free-form vouches for every member, and must say so to be heard.
            Mode::StrictBranch if wire.is_free_form(id) => Some(boolean(true)),
            // One that lists whole objects has named their members with them.
            Mode::StrictBranch
                if shape.values.is_some()
                    && wire.is_any(shape.rest)
                    && !is_closed_when_strict(wire, id) =>
            {
                Some(boolean(true))
            }
            Mode::Open if wire.is_never(shape.rest) => None,
            _ if wire.is_any(shape.rest) => None,
            _ => Some(self.refer_node(shape.rest, below)),
        };
        members.extend(rest.map(|rest| ("additionalProperties", rest)));
        if let Some(names) = shape.names {
            members.push(("propertyNames", self.refer_node(names, Mode::Published)));
        }
        if shape.min_properties > 0 {
            members.push(("minProperties", count(shape.min_properties)));
        }
        if let Some(max) = shape.max_properties {
            members.push(("maxProperties", count(max)));
        }
        if !shape.dependent_required.is_empty() {
            let dependent = shape.dependent_required.iter();
            let dependent = dependent.map(|(name, needs)| {
                member(name, list(needs.iter().map(|name| string(name)).collect()))
            });
            members.push((
                "dependentRequired",
                wrap(Value::Object(dependent.collect())),
            ));
        }
        if let Some(values) = &shape.values {
            members.push(("enum", list(values.iter().map(literal).collect())));
        }
        let lifted = |residual: &&Residual| {
            mode == Mode::Open && residual.keyword == "unevaluatedProperties"
        };
        let residual: Vec<Residual> = shape
            .residual
            .iter()
            .filter(|one| !lifted(one))
            .cloned()
            .collect();
        let schema = self.finish("object", members, Vec::new(), &residual);
        self.described(schema, &shape.docs)
    }

    fn finish(
        &mut self,
        name: &str,
        mut members: Vec<(&'static str, json::Node)>,
        together: Vec<Vec<(&'static str, json::Node)>>,
        residual: &[Residual],
    ) -> json::Node {
        let mut all: Vec<json::Node> = together.into_iter().map(object).collect();
        for one in residual {
            let said = self.residual(one);
            if one.keyword.starts_with("unevaluated") {
                // These look at what stands beside them, so they must stand there themselves.
                members.extend(said);
            } else {
                all.push(object(said));
            }
        }
        if !all.is_empty() {
            members.push(("allOf", list(all)));
        }
        typed(name, members)
    }

    /// What a residual says. Its subschemas stay as published in every reading: below a `not` or
    /// an `if`, tightening would loosen, and closing a `then` would refuse its own base.
    fn residual(&mut self, residual: &Residual) -> Vec<(&'static str, json::Node)> {
        let mode = Mode::Published;
        if residual.undecided {
            return Vec::new();
        }
        match (residual.keyword, residual.nodes.as_slice()) {
            ("if", nodes) => {
                let keywords = ["if", "then", "else"];
                let pairs = keywords.into_iter().zip(nodes);
                pairs
                    .map(|(keyword, node)| (keyword, self.refer_node(*node, mode)))
                    .collect()
            }
            ("allOf" | "anyOf" | "oneOf", nodes) => {
                vec![(residual.keyword, self.refer_nodes(nodes, mode))]
            }
            (keyword, [node]) if residual.names.is_empty() => {
                vec![(keyword, self.refer_node(*node, mode))]
            }
            (keyword, nodes) => {
                let pairs = residual.names.iter().zip(nodes);
                let members = pairs
                    .map(|(name, node)| member(name, self.refer_node(*node, mode)))
                    .collect();
                vec![(keyword, wrap(Value::Object(members)))]
            }
        }
    }
}

fn part_name(part: Part, mode: Mode) -> String {
    match part {
        Part::Node(NodeId(id)) => format!("n{id}-{}", mode.suffix()),
        Part::Object(ObjectId(id)) => format!("o{id}-{}", mode.suffix()),
    }
}
