//! Schema document to wire view: places are conjunctions of schemas, and equal conjunctions are one place.
//!
//! A place starts as a list of schemas that all hold there. [`expand`] follows references and
//! `allOf` until only keywords of single schemas and open choices are left; [`alternatives`] takes
//! the choices (`oneOf`, `anyOf`, tag dispatch); [`scalars`], [`arrays`] and [`objects`] merge the
//! keywords of each alternative, type by type; [`unions`] finds the tags at the end, when every
//! place is known. Work is queued, never recursive, so that depth costs memory and not the stack.

mod alternatives;
mod arrays;
mod covered;
mod exclusive;
mod expand;
mod objects;
mod residual;
mod scalars;
mod tags;
mod unions;

pub use tags::{Says, tag_says};
pub use unions::disjoint;

use super::pattern::Patterns;
use super::{
    Array, BooleanShape, Node, NodeId, NumberFacts, Object, ObjectId, Origin, Root, Scalar,
    StringFacts, Undecided, Variant, Wire,
};
use crate::maps::{HashMap, IndexMap, IndexSet};
use crate::schema::{Document, Files, SchemaError, SchemaId, TypeSet};
use alternatives::Alternative;
use expand::Item;

/// Bounds on what one document may cost; past them building fails with a message.
const MAX_NODES: usize = 400_000;

/// The index of the place where anything may stand.
const ANY: NodeId = Wire::ANY;
/// The index of the place where nothing may stand.
const NEVER: NodeId = NodeId(1);

/// Reads a schema text into its wire view.
///
/// # Errors
/// See [`Document::read`] and [`build`].
///
/// ```
/// let wire = wirelock_codegen::wire::read("s.json", r#"{"type": ["string", "null"]}"#).unwrap();
/// let root = wire.node(wire.roots[0].node);
/// assert!(root.null && root.string.is_some() && root.objects.is_empty());
/// ```
pub fn read(name: &str, text: &str) -> Result<Wire, SchemaError> {
    build(&Document::read(crate::json::Source::new(name, text))?)
}

/// Reads a schema text into its wire view, with the files beside it that it refers to.
///
/// # Errors
/// See [`Document::read_with`] and [`build`].
pub fn read_with(
    name: &str,
    text: &str,
    path: &str,
    files: &mut dyn Files,
) -> Result<Wire, SchemaError> {
    let source = crate::json::Source::new(name, text);
    build(&Document::read_with(source, path, files)?)
}

/// Builds the wire view of a document.
///
/// # Errors
/// A schema whose references or alternatives outgrow the budget.
pub fn build(document: &Document) -> Result<Wire, SchemaError> {
    // Most schemas make one place each, beside the two that every graph has.
    let places = document.schemas.len() + 2;
    let mut builder = Builder {
        document,
        nodes: Vec::with_capacity(places),
        objects: Vec::new(),
        places: HashMap::with_capacity_and_hasher(places, Default::default()),
        shapes: HashMap::default(),
        queue: std::collections::VecDeque::new(),
        undecided: IndexSet::default(),
        choices: HashMap::default(),
        patterns: Patterns::default(),
        looks: exclusive::Looks::default(),
        steps: 0,
    };
    builder.seed();
    let roots = builder.roots()?;
    while let Some((id, items)) = builder.queue.pop_front() {
        builder.fill(id, &items)?;
        if builder.nodes.len() + builder.objects.len() > MAX_NODES {
            return Err(SchemaError::at(&document.source, 0, format!("the schema unfolds into more than {MAX_NODES} places"))
                .help("nested combinations of `allOf` with `anyOf` multiply; name the alternatives one by one"));
        }
    }
    let Builder {
        mut nodes,
        mut objects,
        mut undecided,
        choices,
        mut looks,
        ..
    } = builder;
    let spent = looks.spent;
    let unfit = unions::finish(&mut nodes, &mut objects, &choices, &mut looks);
    if looks.spent {
        // Places are filled before unions are finished, so an earlier one has no name here.
        let root = || document.origin(document.root);
        let place = unfit.too_many.filter(|_| !spent);
        undecided.insert(Undecided {
            keyword: "oneOf".to_owned(),
            origin: place.unwrap_or_else(root),
            why: "there are too many alternatives to tell which of them exclude each other"
                .to_owned(),
        });
    }
    Ok(Wire {
        nodes,
        objects,
        roots,
        contract: document.contract.clone(),
        undecided: undecided.into_iter().collect(),
        definitions: definitions(document),
        unsatisfiable: unfit.impossible.into_iter().collect(),
        document: document.node.clone(),
    })
}

fn definitions(document: &Document) -> Vec<super::Definition> {
    let define = |(name, id): &(String, SchemaId)| super::Definition {
        name: name.clone(),
        title: document.schema(*id).docs.title.clone(),
        origin: document.origin(*id),
    };
    document.definitions.iter().map(define).collect()
}

/// What is under way while a wire view is built.
struct Builder<'d> {
    document: &'d Document,
    nodes: Vec<Node>,
    objects: Vec<Object>,
    /// Places by their sorted conjunction.
    places: HashMap<Vec<Item>, NodeId>,
    /// Object shapes by their sorted conjunction.
    shapes: HashMap<Vec<Item>, ObjectId>,
    queue: std::collections::VecDeque<(NodeId, Vec<Item>)>,
    undecided: IndexSet<Undecided>,
    /// What `oneOf` choices led to the alternatives of a place, for places that have any.
    choices: HashMap<NodeId, exclusive::Choices>,
    /// Patterns of member names, each compiled once.
    patterns: Patterns,
    /// Pairs of alternatives that may still be compared, for all places together.
    looks: exclusive::Looks,
    /// Schemas looked at so far, against the budget.
    steps: usize,
}

impl Builder<'_> {
    /// The two places that every graph shares, and the free object shape.
    fn seed(&mut self) {
        let origin = self.document.origin(self.document.root);
        self.objects.push(Object::free(origin.clone()));
        self.nodes.push(Node {
            null: true,
            boolean: Some(BooleanShape {
                allow_false: true,
                allow_true: true,
            }),
            number: Some(Scalar {
                known: Vec::new(),
                tails: vec![NumberFacts::default()],
            }),
            string: Some(Scalar {
                known: Vec::new(),
                tails: vec![StringFacts::default()],
            }),
            arrays: vec![Array::free(origin.clone())],
            objects: vec![Variant {
                object: ObjectId(0),
                tags: Vec::new(),
                docs: super::Docs::default(),
                origin: origin.clone(),
            }],
            origins: vec![origin.clone()],
            ..Node::default()
        });
        self.nodes.push(Node {
            origins: vec![origin],
            ..Node::default()
        });
        self.places.insert(Vec::new(), ANY);
        self.places.insert(vec![Item::Never], NEVER);
        self.shapes.insert(Vec::new(), ObjectId(0));
    }

    /// The document's root, or each definition where the root constrains nothing.
    fn roots(&mut self) -> Result<Vec<Root>, SchemaError> {
        let document = self.document;
        if let Some((name, id, at)) = &document.unknown_vocabulary {
            let origin = Origin {
                pointer: format!("{}/$vocabulary", document.origin(*id).pointer).into(),
                position: document.source_of(*id).position(*at),
            };
            let why = format!("the vocabulary {name:?} is required and not known here");
            self.undecided.insert(Undecided {
                keyword: "$vocabulary".to_owned(),
                origin,
                why,
            });
        }
        if !document.is_rootless() {
            return Ok(vec![Root {
                name: None,
                node: self.place(&[document.root])?,
                origin: document.origin(document.root),
                docs: document.schema(document.root).docs.clone(),
                referenced: true,
            }]);
        }
        let mut referenced = vec![false; document.schemas.len()];
        for schema in &document.schemas {
            let dynamic = schema.dynamic_reference.as_ref().map(|(_, target)| target);
            for target in schema.reference.iter().chain(dynamic) {
                if let crate::schema::Target::Schema(id) = target {
                    referenced[id.0 as usize] = true;
                }
            }
        }
        let define = |(name, id): &(String, SchemaId)| {
            let node = self.place(&[*id])?;
            let origin = document.origin(*id);
            Ok(Root {
                name: Some(name.clone()),
                node,
                origin,
                docs: document.schema(*id).docs.clone(),
                referenced: referenced[id.0 as usize],
            })
        };
        document.definitions.iter().map(define).collect()
    }

    /// The place where all these schemas hold.
    fn place(&mut self, schemas: &[SchemaId]) -> Result<NodeId, SchemaError> {
        let items = self.expand(schemas)?;
        Ok(self.place_of(items))
    }

    /// The place of an expanded conjunction.
    fn place_of(&mut self, items: Vec<Item>) -> NodeId {
        if items.contains(&Item::Never) {
            return NEVER;
        }
        let mut key = items.clone();
        key.sort_unstable();
        if let Some(id) = self.places.get(&key) {
            return *id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node::default());
        self.places.insert(key, id);
        self.queue.push_back((id, items));
        id
    }

    /// Works out what may stand at a place.
    fn fill(&mut self, id: NodeId, items: &[Item]) -> Result<(), SchemaError> {
        let mut node = Node {
            origins: self.origins(items),
            ..Node::default()
        };
        if node.origins.is_empty() {
            node.origins.push(self.document.origin(self.document.root));
        }
        if let Some(top) = self.top(items)? {
            let schema = self.document.schema(top);
            node.docs = schema.docs.clone();
            node.definition = schema.definition.clone();
        }
        let alternatives = self.alternatives(items)?;
        let mut choices = exclusive::Choices::default();
        let mut strings = Vec::with_capacity(alternatives.len());
        let mut numbers = Vec::with_capacity(alternatives.len());
        // One alternative is held apart from no other.
        let several = alternatives.len() > 1;
        let mut cover = covered::Cover::default();
        for alternative in &alternatives {
            let types = alternative.types;
            if let Some(branch) = alternative.branch
                && !types.overlaps(TypeSet::OBJECT)
                && !self.names_one_value(alternative)
            {
                let docs = self.docs(&[branch]);
                node.branches.push((docs, self.document.origin(branch)));
            }
            if types.overlaps(TypeSet::NULL) {
                node.null = true;
                if several {
                    choices.nulls.push(alternative.choices.clone());
                }
                let residual = self.residual(alternative, TypeSet::NULL)?;
                node.keep_others("null", residual);
            }
            let mut boolean = None;
            if types.overlaps(TypeSet::BOOLEAN)
                && let Some(shape) = self.boolean(alternative)
            {
                node.add_boolean(&shape);
                boolean = Some(shape.clone());
                if several {
                    choices.booleans.push((alternative.choices.clone(), shape));
                }
                let residual = self.residual(alternative, TypeSet::BOOLEAN)?;
                node.keep_others("boolean", residual);
            }
            let before = (numbers.len(), strings.len());
            if types.overlaps(TypeSet::NUMBER)
                && let Some(mut part) = self.numbers(alternative)?
            {
                part.settle(&mut node, |facts| &mut facts.residual);
                if several {
                    choices.numbers.push(alternative.choices.clone());
                }
                numbers.push(part);
            }
            if types.overlaps(TypeSet::STRING)
                && let Some(mut part) = self.strings(alternative)?
            {
                part.settle(&mut node, |facts| &mut facts.residual);
                if several {
                    choices.strings.push(alternative.choices.clone());
                }
                strings.push(part);
            }
            if several {
                let parts = (numbers.get(before.0), strings.get(before.1));
                cover.push(types, boolean.as_ref(), parts.0, parts.1);
            }
            if types.overlaps(TypeSet::ARRAY)
                && let Some(array) = self.array(alternative)?
            {
                choices.arrays.push(alternative.choices.clone());
                node.arrays.push(array);
            }
            if types.overlaps(TypeSet::OBJECT)
                && let Some(variant) = self.variant(alternative)?
            {
                choices.objects.push(alternative.choices.clone());
                node.objects.push(variant);
            }
        }
        let mut apart = (false, false);
        if several {
            let shared = [
                exclusive::drop_shared(&choices.numbers, &mut numbers),
                exclusive::drop_shared(&choices.strings, &mut strings),
            ];
            apart = (
                exclusive::overlap(&choices.numbers, &numbers, &mut self.looks),
                exclusive::overlap(&choices.strings, &strings, &mut self.looks),
            );
            choices.overlap =
                apart.0 || apart.1 || shared.contains(&true) || choices.constants_overlap();
        }
        // What constrains named values is kept beside all of them, which does not tell one
        // alternative with two conditions from two with one each. Formats assert nothing.
        let conditions = node.others.iter().any(|part| part.keyword != "format");
        if choices.overlap || conditions {
            node.held_apart = self.scalars_apart(&alternatives)?;
        } else {
            node.covered = self.covered(&alternatives, &cover);
        }
        node.number = scalars::merge(numbers, apart.0);
        node.string = scalars::merge(strings, apart.1);
        node.union = !node.objects.is_empty() && self.is_written_union(items, &alternatives);
        if choices.matter() {
            self.choices.insert(id, choices);
        }
        self.nodes[id.0 as usize] = node;
        Ok(())
    }

    /// Whether an alternative is one named value, which is documented as that.
    fn names_one_value(&self, alternative: &Alternative) -> bool {
        let locals = self.locals(alternative);
        let mut values = locals
            .iter()
            .flat_map(|id| &self.document.schema(*id).values);
        values.any(|values| values.len() == 1)
    }

    /// A union of objects: several alternatives, or one that stands alone in a union that could grow.
    fn is_written_union(&self, items: &[Item], alternatives: &[Alternative]) -> bool {
        let objects = alternatives
            .iter()
            .filter(|alternative| alternative.types.overlaps(TypeSet::OBJECT))
            .count();
        let alone = items.iter().any(|item| match item {
            Item::OneOf(id) => self.document.schema(*id).one_of.len() == 1,
            Item::AnyOf(id) => self.document.schema(*id).any_of.len() == 1,
            _ => false,
        });
        objects > 1 || (alone && objects == 1)
    }

    /// The places of the schemas that speak here, most specific first.
    fn origins(&self, items: &[Item]) -> Vec<Origin> {
        let mut ids: Vec<SchemaId> = items.iter().filter_map(Item::schema).collect();
        ids.reverse();
        if ids.len() > 1 {
            let mut seen = crate::seen::Seen::new();
            ids.retain(|id| seen.insert(id));
        }
        ids.into_iter().map(|id| self.document.origin(id)).collect()
    }
}

impl Object {
    fn free(origin: Origin) -> Self {
        Self {
            docs: super::Docs::default(),
            definition: None,
            origins: vec![origin],
            fields: IndexMap::default(),
            patterns: Vec::new(),
            rest: ANY,
            names: None,
            min_properties: 0,
            max_properties: None,
            dependent_required: Vec::new(),
            values: None,
            residual: Vec::new(),
        }
    }
}

impl Array {
    fn free(origin: Origin) -> Self {
        Self {
            docs: super::Docs::default(),
            origin,
            prefix: Vec::new(),
            items: ANY,
            contains: Vec::new(),
            min_items: 0,
            max_items: None,
            unique: false,
            values: None,
            residual: Vec::new(),
        }
    }
}
