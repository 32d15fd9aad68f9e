//! The data of the wire view.

use crate::json::{Decimal, Literal, Position};
use crate::maps::IndexMap;
use crate::schema::Contract;
use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

/// Index of a [`Node`] in [`Wire::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Index of an [`Object`] in [`Wire::objects`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// One schema, read as what stands on the wire.
#[derive(Debug)]
pub struct Wire {
    /// Every place; index with [`Wire::node`].
    pub nodes: Vec<Node>,
    /// Every object shape; index with [`Wire::object`]. One shape serves all places that use it.
    pub objects: Vec<Object>,
    /// Where reading starts: one unnamed root, or each definition where the root says nothing.
    pub roots: Vec<Root>,
    /// The `x-contract` annotation.
    pub contract: Option<Contract>,
    /// What could not be read with certainty; whatever depends on it is undecided.
    pub undecided: Vec<Undecided>,
    /// The definitions of the document, also those that stand at no place of the wire.
    pub definitions: Vec<Definition>,
    /// Branches of object unions that no document satisfies. They still are variants, so that what
    /// made one impossible can be told; one that is new adds nothing.
    pub unsatisfiable: Vec<Origin>,
    /// The whole document: two revisions with equal documents are identical.
    pub document: Arc<crate::json::Node>,
}

/// A place where reading starts.
#[derive(Debug, Clone)]
pub struct Root {
    /// The definition's name; `None` for the document's own root.
    pub name: Option<String>,
    /// What may stand there.
    pub node: NodeId,
    /// Where it is declared.
    pub origin: Origin,
    /// What its own schema says about it, which the place does not know where that schema only
    /// wraps another.
    pub docs: Docs,
    /// Whether some `$ref` reaches this definition (only told for definitions).
    pub referenced: bool,
}

/// An entry of `$defs` or `definitions` at the document's root.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Its key.
    pub name: String,
    /// Its own `title`.
    pub title: Option<String>,
    /// Where it stands.
    pub origin: Origin,
}

/// A place in the schema text that said something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// JSON Pointer into the schema document, in plain (not URI) form.
    pub pointer: Arc<str>,
    /// Line and column of what the pointer names.
    pub position: Position,
}

/// Documentation found at a place. Nothing here constrains an instance.
///
/// Most places have none, and one text is shared by each place that it documents, so a copy costs
/// nothing. Its fields are those of [`DocsText`].
#[derive(Debug, Clone, Default)]
pub struct Docs(Option<Arc<DocsText>>);

impl PartialEq for Docs {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(two)) if Arc::ptr_eq(one, two) => true,
            _ => **self == **other,
        }
    }
}

impl std::ops::Deref for Docs {
    type Target = DocsText;

    fn deref(&self) -> &DocsText {
        static NONE: LazyLock<DocsText> = LazyLock::new(DocsText::default);
        self.0.as_deref().unwrap_or_else(|| &NONE)
    }
}

impl std::ops::DerefMut for Docs {
    fn deref_mut(&mut self) -> &mut DocsText {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl Docs {
    /// Whether nothing is documented.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl From<DocsText> for Docs {
    fn from(text: DocsText) -> Self {
        Self(Some(Arc::new(text)))
    }
}

/// What [`Docs`] hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocsText {
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `$comment`
    pub comment: Option<String>,
    /// `default`
    pub default: Option<Literal>,
    /// `examples`
    pub examples: Vec<Literal>,
    /// `deprecated`
    pub deprecated: bool,
    /// `readOnly`, `writeOnly`, `discriminator` and keywords of no standard vocabulary, by name.
    pub other: IndexMap<String, Literal>,
}

/// What may stand at one place: the disjunction, over JSON types, of what is listed per type.
///
/// A type with nothing listed may not stand there.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Documentation of the schema that makes this place (not of the member that leads here).
    pub docs: Docs,
    /// The `$defs`/`definitions` key of the schema that makes this place, where it is one.
    pub definition: Option<String>,
    /// Where it is declared; the schemas that speak here, most specific first. Never empty in a built wire.
    pub origins: Vec<Origin>,
    /// Documentation of the branches that are neither objects nor named values, in order: those
    /// have a place of their own to document, and these have none.
    pub branches: Vec<(Docs, Origin)>,
    /// Whether `null` may stand here.
    pub null: bool,
    /// Which booleans may stand here.
    pub boolean: Option<BooleanShape>,
    /// Which numbers may stand here.
    pub number: Option<Scalar<NumberFacts>>,
    /// Which strings may stand here.
    pub string: Option<Scalar<StringFacts>>,
    /// The alternatives among arrays.
    pub arrays: Vec<Array>,
    /// The alternatives among objects, in the order written.
    pub objects: Vec<Variant>,
    /// Whether a union (`oneOf`, `anyOf`, tag dispatch by `if`) was written here.
    pub union: bool,
    /// Names of the tag members that tell the object alternatives apart, outermost first.
    pub tags: Vec<String>,
    /// Whether a `oneOf` here has branches that are not provably disjoint, which makes the
    /// exclusive "exactly one" a constraint of its own.
    pub exclusive: bool,
    /// Alternatives in their order, where what they say cannot be put together: those that a
    /// `oneOf` holds apart with those beside them that take some of the same documents, and scalars
    /// that conditions constrain.
    pub held_apart: Vec<HeldApart>,
    /// The scalars of alternatives that add nothing, because others take all of them, each as a place
    /// of its own. They change no document, and what they tell a reader may change.
    pub covered: Vec<NodeId>,
    /// What constrains `null`, booleans and named values beyond being listed. Each entry's names
    /// tell which of them it is about.
    pub others: Vec<Residual>,
}

/// An alternative that other alternatives of its place may exclude.
///
/// A document is valid there where some alternative takes it and, for each of that alternative's
/// branches, no alternative on another branch of the same `oneOf` does; an alternative that an inner
/// `oneOf` refuses counts for no outer one.
#[derive(Debug, Clone)]
pub struct HeldApart {
    /// The alternative.
    pub what: Separate,
    /// The branches that led to it: the number of the `oneOf` among those of the place, and that
    /// of its branch. None for an alternative that stands beside the `oneOf`.
    pub branches: Vec<(u32, u32)>,
}

/// An alternative among those of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Separate {
    /// Its scalars, as a place of their own.
    Scalars(NodeId),
    /// One of the place's arrays, by index.
    Array(usize),
    /// An object shape.
    Object(ObjectId),
}

/// Which booleans may stand at a place; at least one is `true`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BooleanShape {
    /// `false` may.
    pub allow_false: bool,
    /// `true` may.
    pub allow_true: bool,
}

/// Scalars of one type: known values and, where the set is open, what else is accepted.
///
/// `known` empty: plain. `tails` empty: a closed enum (or a const). Both filled: an open enum.
#[derive(Debug, Clone)]
pub struct Scalar<F> {
    /// The values that are named.
    pub known: Vec<Known>,
    /// What other values must satisfy (any one of these).
    pub tails: Vec<F>,
}

impl<F> Scalar<F> {
    /// Known values with a tail that takes unknown ones.
    #[must_use]
    pub fn is_open_enum(&self) -> bool {
        !self.known.is_empty() && !self.tails.is_empty()
    }

    /// Known values and nothing else.
    #[must_use]
    pub fn is_closed_enum(&self) -> bool {
        !self.known.is_empty() && self.tails.is_empty()
    }
}

/// One named value of an enum.
#[derive(Debug, Clone)]
pub struct Known {
    /// The value.
    pub value: Literal,
    /// Its documentation.
    pub docs: Docs,
    /// The `const` branch or the `enum` entry that declares it.
    pub origin: Origin,
}

/// Constraints on numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NumberFacts {
    /// Only numbers without a fraction.
    pub integer: bool,
    /// The lower bound.
    pub minimum: Option<Bound>,
    /// The upper bound.
    pub maximum: Option<Bound>,
    /// Every one of these divides the value.
    pub multiple_of: Vec<Decimal>,
    /// `format`
    pub formats: Vec<String>,
    /// Values that are ruled out by `not`.
    pub excluded: Vec<Literal>,
    /// What is beyond these facts.
    pub residual: Vec<Residual>,
}

/// An end of an interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// Its place.
    pub value: Decimal,
    /// Whether the end itself is outside.
    pub exclusive: bool,
}

impl Bound {
    /// The stricter of two lower bounds.
    #[must_use]
    pub fn tighter_minimum(self, other: Self) -> Self {
        match self.value.cmp(&other.value) {
            Ordering::Less => other,
            Ordering::Greater => self,
            Ordering::Equal => Self {
                exclusive: self.exclusive || other.exclusive,
                ..self
            },
        }
    }

    /// The stricter of two upper bounds.
    #[must_use]
    pub fn tighter_maximum(self, other: Self) -> Self {
        match self.value.cmp(&other.value) {
            Ordering::Less => self,
            Ordering::Greater => other,
            Ordering::Equal => Self {
                exclusive: self.exclusive || other.exclusive,
                ..self
            },
        }
    }
}

/// Constraints on strings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StringFacts {
    /// `minLength`; 0 where none is given.
    pub min_length: u64,
    /// `maxLength`
    pub max_length: Option<u64>,
    /// Patterns that all match, sorted.
    pub patterns: Vec<String>,
    /// `format`, sorted.
    pub formats: Vec<String>,
    /// `contentEncoding`, `contentMediaType`: annotations that producers and consumers rely on.
    pub content: Vec<String>,
    /// Values that are ruled out by `not`, sorted.
    pub excluded: Vec<Literal>,
    /// What is beyond these facts.
    pub residual: Vec<Residual>,
}

/// One alternative among arrays.
#[derive(Debug, Clone)]
pub struct Array {
    /// Documentation of the branch or schema that declares it.
    pub docs: Docs,
    /// Where it is declared.
    pub origin: Origin,
    /// Places of the leading elements (tuples).
    pub prefix: Vec<NodeId>,
    /// The place of every further element.
    pub items: NodeId,
    /// Elements that must occur.
    pub contains: Vec<Contains>,
    /// `minItems`; 0 where none is given.
    pub min_items: u64,
    /// `maxItems`
    pub max_items: Option<u64>,
    /// `uniqueItems`
    pub unique: bool,
    /// Whole arrays that are the only ones allowed (`const`, `enum`), if any.
    pub values: Option<Vec<Literal>>,
    /// What is beyond these facts.
    pub residual: Vec<Residual>,
}

/// A `contains` with its bounds.
#[derive(Debug, Clone)]
pub struct Contains {
    /// What the counted elements satisfy.
    pub node: NodeId,
    /// `minContains`; 1 where none is given.
    pub min: u64,
    /// `maxContains`
    pub max: Option<u64>,
}

/// One alternative among objects at a place.
#[derive(Debug, Clone)]
pub struct Variant {
    /// Its shape.
    pub object: ObjectId,
    /// What its tags say, in the order of [`Node::tags`]; empty where it has none.
    pub tags: Vec<Tag>,
    /// Documentation of the branch (that of the shape where the branch has none).
    pub docs: Docs,
    /// The branch that declares it.
    pub origin: Origin,
}

impl Variant {
    /// Whether this alternative takes what no other knows: one of its tags is open.
    #[must_use]
    pub fn is_catch_all(&self) -> bool {
        self.tags.iter().any(|tag| tag.values.is_empty())
    }

    /// The tag values joined by `/`, with `*` for an open one: `system/init`, `system/*`.
    #[must_use]
    pub fn label(&self) -> String {
        let part = |tag: &Tag| match tag.values.as_slice() {
            [] => "*".to_owned(),
            values => values.iter().map(plain).collect::<Vec<_>>().join("|"),
        };
        self.tags.iter().map(part).collect::<Vec<_>>().join("/")
    }
}

/// A literal as people write it in a message: strings without quotes.
#[must_use]
pub fn plain(value: &Literal) -> String {
    value.as_string().unwrap_or_else(|| value.text().to_owned())
}

/// What one tag member says in a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The member's name.
    pub name: String,
    /// The values that select the variant; empty for a catch-all.
    pub values: Vec<Literal>,
}

/// The shape of an object.
#[derive(Debug, Clone)]
pub struct Object {
    /// Documentation of the schema that declares it.
    pub docs: Docs,
    /// The `$defs`/`definitions` key of the schema that declares it, where it is one.
    pub definition: Option<String>,
    /// The schemas that speak here, most specific first.
    pub origins: Vec<Origin>,
    /// Members by name, in canonical order: tags first, then as the schema declares them
    /// (`allOf` and `$ref` before own `properties`).
    pub fields: IndexMap<String, Field>,
    /// Members by pattern.
    pub patterns: Vec<PatternField>,
    /// The place of every other member: anything (open), nothing (closed), or a map's value.
    pub rest: NodeId,
    /// What every member name satisfies.
    pub names: Option<NodeId>,
    /// `minProperties`; 0 where none is given.
    pub min_properties: u64,
    /// `maxProperties`
    pub max_properties: Option<u64>,
    /// Members that must stand where another stands, sorted.
    pub dependent_required: Vec<(String, Vec<String>)>,
    /// Whole objects that are the only ones allowed (`const`, `enum`), if any.
    pub values: Option<Vec<Literal>>,
    /// What is beyond these facts.
    pub residual: Vec<Residual>,
}

/// One named member of an object.
#[derive(Debug, Clone)]
pub struct Field {
    /// What may stand there.
    pub node: NodeId,
    /// Whether the member must stand.
    pub required: bool,
    /// Whether some `properties` names it (a name in `required` alone does not).
    pub declared: bool,
    /// Documentation of the member (what its own schema says first, then what that refers to).
    pub docs: Docs,
    /// The declarations, most specific first. Never empty.
    pub origins: Vec<Origin>,
}

/// Members whose names match a pattern.
#[derive(Debug, Clone)]
pub struct PatternField {
    /// The pattern as written (ECMA-262, not anchored).
    pub pattern: String,
    /// What may stand there.
    pub node: NodeId,
    /// The declaration.
    pub origin: Origin,
}

/// An assertion that the facts beside it do not express; it is compared as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Residual {
    /// The keyword.
    pub keyword: &'static str,
    /// Where it stands.
    pub origin: Origin,
    /// The names it goes by (a dependent schema's trigger), in order.
    pub names: Vec<String>,
    /// The places of its subschemas, in the keyword's order.
    pub nodes: Vec<NodeId>,
    /// Whether its meaning is not known here, so that nothing that depends on it is decided.
    pub undecided: bool,
}

/// Something that could not be read with certainty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Undecided {
    /// The keyword.
    pub keyword: String,
    /// Where it stands.
    pub origin: Origin,
    /// Why it could not be read.
    pub why: String,
}
