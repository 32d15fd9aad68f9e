//! Formulas over JSON values: each schema an and-not graph of atoms in which equal formulas are one.
//!
//! An atom speaks of values of one JSON type and holds for those of every other, as JSON Schema's
//! keywords do. Negation is a bit of the handle, so a formula and its negation are seen at once.

use super::close::{RED_ZONE, STACK};
use crate::json::{Decimal, Position};
use crate::schema::TypeSet;
use crate::wire::{Origin, Undecided, pattern};
use std::ops::Not;
use std::rc::Rc;

pub(super) use crate::maps::HashMap as Map;

/// A formula or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term(u32);

impl Term {
    pub(super) const TRUE: Self = Self(0);
    pub(super) const FALSE: Self = Self(1);

    pub(super) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The formula without its negation.
    pub(super) fn bare(self) -> Self {
        Self(self.0 & !1)
    }

    /// This, negated where that is asked for.
    pub(super) fn negated_if(self, negated: bool) -> Self {
        Self(self.0 ^ u32::from(negated))
    }
}

impl Not for Term {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A member name or a string value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name(pub(super) u32);

/// What a formula says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    True,
    /// All of these, sorted; a disjunction is the negation of one.
    And(Rc<[Term]>),
    /// No two of these hold; gone once references are known.
    AtMostOne(Rc<[Term]>),
    /// A definition that leads to itself, by its number.
    Reference(u32),
    /// The value is of one of the types.
    Types(u8),
    /// The boolean is true.
    IsTrue,
    /// The number is one of these, sorted.
    Numbers(Rc<[Decimal]>),
    /// The number is not below this, or above it where `exclusive`.
    AtLeast {
        value: Decimal,
        exclusive: bool,
    },
    MultipleOf(Decimal),
    /// The string is one of these, sorted.
    Strings(Rc<[Name]>),
    MinLength(u64),
    /// By the number of the pattern.
    Pattern(u32),
    /// The element of that index, where there is one.
    Item(usize, Term),
    /// Every element from that index on.
    Items(usize, Term),
    MinItems(u64),
    /// At least that many elements are so.
    Contains(Term, u64),
    Unique,
    Required(Name),
    /// The member of that name, where there is one.
    Property(Name, Term),
    /// Every member whose name is as the first says has a value as the second says.
    Members(Term, Term),
    MinProperties(u64),
    /// What cannot be decided: the number of the reason, and what it is about. What is about the
    /// same is the same, whatever it may be; what only fails for the same reason is not.
    Opaque(u32, Rc<[Term]>),
}

/// The JSON types that are told apart here; integers are numbers without a fraction.
pub(super) const KINDS: [TypeSet; 6] = [
    TypeSet::NULL,
    TypeSet::BOOLEAN,
    TypeSet::NUMBER,
    TypeSet::STRING,
    TypeSet::ARRAY,
    TypeSet::OBJECT,
];

/// Parts of all conjunctions together.
const MAX_SIZE: usize = 20_000_000;

/// The formulas of one proof.
pub(super) struct Terms {
    shapes: Vec<Shape>,
    ids: Map<Shape, u32>,
    /// Of which types a value can be that the formula, or its negation, takes.
    masks: Vec<[TypeSet; 2]>,
    names: Vec<Rc<str>>,
    name_ids: Map<Rc<str>, Name>,
    pub(super) patterns: Vec<(String, Origin)>,
    pattern_ids: Map<String, u32>,
    pub(super) reasons: Vec<Undecided>,
    reason_numbers: Map<(String, String), u32>,
    /// What the references stand for.
    pub(super) bodies: Vec<Term>,
    /// Whether some formula is an [`Shape::AtMostOne`].
    pub(super) has_at_most_one: bool,
    /// Parts of all conjunctions so far; past the limit nothing that follows means anything.
    size: usize,
    /// The formula as seen by values of one type, by formula and type.
    typed: Map<(u32, u8), Option<Term>>,
    /// Where the parts of a conjunction are put together, so that most cost no memory.
    parts: Vec<Term>,
}

/// Most proofs make that many formulas, for which there is room from the beginning.
const FEW: usize = 56;

fn map<K, V>() -> Map<K, V> {
    Map::with_capacity_and_hasher(FEW, Default::default())
}

impl Terms {
    pub(super) fn new() -> Self {
        let mut terms = Self {
            shapes: Vec::with_capacity(FEW),
            ids: map(),
            masks: Vec::with_capacity(FEW),
            names: Vec::new(),
            name_ids: Map::default(),
            patterns: Vec::new(),
            pattern_ids: Map::default(),
            reasons: Vec::new(),
            reason_numbers: Map::default(),
            bodies: Vec::new(),
            has_at_most_one: false,
            size: 0,
            typed: map(),
            parts: Vec::new(),
        };
        terms.intern(Shape::True);
        terms
    }

    pub(super) fn shape(&self, term: Term) -> &Shape {
        &self.shapes[term.index()]
    }

    /// Whether the formulas grew beyond what is worked with.
    pub(super) fn is_exhausted(&self) -> bool {
        self.size > MAX_SIZE
    }

    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// The types of the values that the formula can take.
    pub(super) fn mask(&self, term: Term) -> TypeSet {
        self.masks[term.index()][usize::from(term.is_negated())]
    }

    pub(super) fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.name_ids.get(text) {
            return *name;
        }
        let name = Name(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let text: Rc<str> = text.into();
        self.names.push(text.clone());
        self.name_ids.insert(text, name);
        name
    }

    pub(super) fn text(&self, name: Name) -> &Rc<str> {
        &self.names[name.0 as usize]
    }

    /// The name of a text that some formula mentions.
    pub(super) fn known_name(&self, text: &str) -> Option<Name> {
        self.name_ids.get(text).copied()
    }

    /// The strings that an unanchored pattern matches in; `at` is where the pattern is said first.
    pub(super) fn pattern(&mut self, pattern: &str, at: impl Fn() -> Origin) -> Term {
        let conjuncts = pattern::conjuncts(pattern);
        let parts = conjuncts.iter();
        let parts = parts.map(|(part, negated)| self.one_pattern(part, &at).negated_if(*negated));
        let parts: Vec<Term> = parts.collect();
        let all = self.and(parts);
        if !conjuncts.iter().any(|(_, negated)| *negated) {
            return all;
        }
        // Patterns speak of strings alone: the negation of one takes strings alone, and its look
        // around takes whatever is no string.
        let others = self.types(TypeSet::ALL.without(TypeSet::STRING));
        self.or([all, others])
    }

    fn one_pattern(&mut self, pattern: &str, at: &dyn Fn() -> Origin) -> Term {
        let next = u32::try_from(self.patterns.len()).unwrap_or(u32::MAX);
        let id = match self.pattern_ids.get(pattern) {
            Some(id) => *id,
            None => {
                self.patterns.push((pattern.to_owned(), at()));
                self.pattern_ids.insert(pattern.to_owned(), next);
                next
            }
        };
        self.intern(Shape::Pattern(id))
    }

    /// A formula that nothing is known of but what it is about: an unknown schema on both sides is
    /// still equal to itself.
    pub(super) fn opaque(&mut self, reason: Undecided, about: Vec<Term>) -> Term {
        let number = self.reason(reason);
        self.intern(Shape::Opaque(number, about.into()))
    }

    /// The formula that a text names, for what is told apart by its text alone.
    pub(super) fn named(&mut self, text: &str) -> Term {
        let name = self.name(text);
        self.intern(Shape::Required(name))
    }

    /// A formula to be about that nothing else is about.
    pub(super) fn unlike_any(&mut self) -> Term {
        let text = format!("\0{}", self.len());
        self.named(&text)
    }

    /// The number of a reason; equal ones are kept once.
    pub(super) fn reason(&mut self, reason: Undecided) -> u32 {
        let next = u32::try_from(self.reasons.len()).unwrap_or(u32::MAX);
        let key = (reason.keyword.clone(), reason.why.clone());
        let number = *self.reason_numbers.entry(key).or_insert(next);
        if number == next {
            self.reasons.push(reason);
        }
        number
    }

    /// Whether a value is of one of the types.
    pub(super) fn types(&mut self, types: TypeSet) -> Term {
        if types == TypeSet::ALL {
            return Term::TRUE;
        }
        if types.is_empty() {
            return Term::FALSE;
        }
        self.intern(Shape::Types(types.0))
    }

    /// The handle of an atom, or of what it comes down to.
    pub(super) fn atom(&mut self, shape: Shape) -> Term {
        match shape {
            Shape::Item(_, Term::TRUE)
            | Shape::Items(_, Term::TRUE)
            | Shape::Property(_, Term::TRUE)
            | Shape::Members(_, Term::TRUE)
            | Shape::Members(Term::FALSE, _)
            | Shape::MinLength(0)
            | Shape::MinItems(0)
            | Shape::MinProperties(0)
            | Shape::Contains(_, 0) => Term::TRUE,
            Shape::Contains(Term::TRUE, count) => self.intern(Shape::MinItems(count)),
            Shape::Property(name, Term::FALSE) => {
                let required = self.intern(Shape::Required(name));
                let object = self.types(TypeSet::OBJECT);
                !self.and([required, object])
            }
            Shape::Items(from, Term::FALSE) => {
                let more = self.intern(Shape::MinItems(from as u64 + 1));
                let array = self.types(TypeSet::ARRAY);
                !self.and([more, array])
            }
            Shape::Item(index, Term::FALSE) => self.atom(Shape::Items(index, Term::FALSE)),
            Shape::Contains(Term::FALSE, _) => !self.types(TypeSet::ARRAY),
            shape => self.intern(shape),
        }
    }

    /// The formula that a member is there, if any formula says so.
    pub(super) fn known_required(&self, name: Name) -> Option<Term> {
        self.ids
            .get(&Shape::Required(name))
            .map(|id| Term(*id << 1))
    }

    fn intern(&mut self, shape: Shape) -> Term {
        if let Some(id) = self.ids.get(&shape) {
            return Term(*id << 1);
        }
        self.size += 8;
        self.has_at_most_one |= matches!(shape, Shape::AtMostOne(_));
        let id = u32::try_from(self.shapes.len()).unwrap_or(u32::MAX);
        let masks = self.masks_of(&shape);
        self.masks.push(masks);
        self.ids.insert(shape.clone(), id);
        self.shapes.push(shape);
        Term(id << 1)
    }

    fn masks_of(&self, shape: &Shape) -> [TypeSet; 2] {
        match shape {
            Shape::True => [TypeSet::ALL, TypeSet::NONE],
            Shape::And(parts) => {
                let takes = parts.iter().fold(TypeSet::ALL, |mask, part| {
                    mask.intersection(self.mask(*part))
                });
                let refuses = parts
                    .iter()
                    .fold(TypeSet::NONE, |mask, part| mask.union(self.mask(!*part)));
                [takes, refuses]
            }
            Shape::Types(types) => [TypeSet(*types), TypeSet::ALL.without(TypeSet(*types))],
            Shape::AtMostOne(_) | Shape::Reference(_) | Shape::Opaque(..) => {
                [TypeSet::ALL, TypeSet::ALL]
            }
            shape => [TypeSet::ALL, kind_of(shape)],
        }
    }

    /// All of the formulas.
    pub(super) fn and(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        let all = self.and_of(terms, &mut parts);
        self.parts = parts;
        all
    }

    fn and_of(&mut self, terms: impl IntoIterator<Item = Term>, parts: &mut Vec<Term>) -> Term {
        let mut types = TypeSet::ALL;
        for term in terms {
            match (self.shape(term), term.is_negated()) {
                (Shape::And(inner), false) => parts.extend(inner.iter()),
                _ => parts.push(term),
            }
        }
        for part in parts.iter() {
            types = types.intersection(self.mask(*part));
        }
        if types.is_empty() {
            return Term::FALSE;
        }
        // What no value of the remaining types can break says nothing.
        let says = |part: &Term| {
            !matches!(self.shape(*part), Shape::True | Shape::Types(_))
                && self.mask(!*part).overlaps(types)
        };
        parts.retain(says);
        // A negated atom speaks of its own type alone, and needs no type beside it.
        let implied = parts.iter().fold(TypeSet::ALL, |mask, part| {
            mask.intersection(self.mask(*part))
        });
        if types != implied {
            let types = self.types(types);
            parts.push(types);
        }
        parts.sort_unstable();
        parts.dedup();
        if parts.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Term::FALSE;
        }
        match parts.as_slice() {
            [] => Term::TRUE,
            [only] => *only,
            _ => {
                self.size += parts.len();
                if self.is_exhausted() {
                    return Term::TRUE;
                }
                self.intern(Shape::And(parts.as_slice().into()))
            }
        }
    }

    /// Any of the formulas.
    pub(super) fn or(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let negated: Vec<Term> = terms.into_iter().map(|term| !term).collect();
        !self.and(negated)
    }

    /// The formula as values of one type see it: a combination of that type's atoms alone.
    ///
    /// A definition that leads back to itself without a step into a value has no meaning of its
    /// own, and is undecided.
    pub(super) fn typed(&mut self, term: Term, kind: TypeSet) -> Term {
        if !self.mask(term).overlaps(kind) {
            return Term::FALSE;
        }
        if !self.mask(!term).overlaps(kind) {
            return Term::TRUE;
        }
        let index = u32::try_from(term.index()).unwrap_or(u32::MAX);
        let key = (index, kind.0);
        match self.typed.get(&key) {
            Some(Some(known)) => return known.negated_if(term.is_negated()),
            Some(None) => {
                let why = "a definition leads back to itself without a step into the value";
                return self.opaque(undecided("$ref", why), vec![term.bare()]);
            }
            None => {}
        }
        let result = match self.shape(term) {
            Shape::And(parts) => {
                let parts = parts.clone();
                // Only references can lead back here, and those pass through below.
                let parts: Vec<Term> = stacker::maybe_grow(RED_ZONE, STACK, || {
                    parts.iter().map(|part| self.typed(*part, kind)).collect()
                });
                self.and(parts)
            }
            Shape::Reference(number) => {
                let body = self.bodies[*number as usize];
                self.typed.insert(key, None);
                stacker::maybe_grow(RED_ZONE, STACK, || self.typed(body, kind))
            }
            _ => term.bare(),
        };
        self.typed.insert(key, Some(result));
        result.negated_if(term.is_negated())
    }
}

/// A reason that stands at no place of its own.
pub(super) fn undecided(keyword: &str, why: &str) -> Undecided {
    Undecided {
        keyword: keyword.to_owned(),
        origin: Origin {
            pointer: "".into(),
            position: Position { line: 1, column: 1 },
        },
        why: why.to_owned(),
    }
}

/// The one type whose values an atom can refuse.
fn kind_of(shape: &Shape) -> TypeSet {
    match shape {
        Shape::IsTrue => TypeSet::BOOLEAN,
        Shape::Numbers(_) | Shape::AtLeast { .. } | Shape::MultipleOf(_) => TypeSet::NUMBER,
        Shape::Strings(_) | Shape::MinLength(_) | Shape::Pattern(_) => TypeSet::STRING,
        Shape::Item(..)
        | Shape::Items(..)
        | Shape::MinItems(_)
        | Shape::Contains(..)
        | Shape::Unique => TypeSet::ARRAY,
        Shape::Required(_) | Shape::Property(..) | Shape::Members(..) | Shape::MinProperties(_) => {
            TypeSet::OBJECT
        }
        Shape::True
        | Shape::And(_)
        | Shape::AtMostOne(_)
        | Shape::Reference(_)
        | Shape::Types(_)
        | Shape::Opaque(..) => TypeSet::ALL,
    }
}
