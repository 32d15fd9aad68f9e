//! A schema document to formulas, keyword by keyword.

use super::term::{Map, Shape, Term, Terms, undecided};
use super::unevaluated;
use crate::json::{self, Decimal, Literal};
use crate::schema::{Document, Schema, SchemaId, Target, TypeSet};
use crate::wire::{Bound, Origin, Undecided};

/// A dynamic scope, by its number: which resources with dynamic anchors were entered, and in what
/// order.
type Scope = usize;

/// Scopes of one document; each order in which resources can be entered is one.
const MAX_SCOPES: usize = 1_000;

/// What is under way while a document is lowered.
pub(super) struct Lowering<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) document: &'a Document,
    lowered: Map<(SchemaId, Scope), Term>,
    /// The schemas that are under way, the outermost first.
    path: Vec<(SchemaId, Scope)>,
    /// The references to the targets of `$ref`, by target.
    references: Map<(SchemaId, Scope), Term>,
    waiting: Vec<(u32, SchemaId, Scope)>,
    scopes: Vec<Vec<u32>>,
    /// Where the schema at hand is looked at from.
    pub(super) scope: Scope,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(terms: &'a mut Terms, document: &'a Document) -> Self {
        let mut lowering = Self {
            terms,
            document,
            lowered: Map::default(),
            path: Vec::new(),
            references: Map::default(),
            waiting: Vec::new(),
            scopes: vec![Vec::new()],
            scope: 0,
        };
        lowering.scope = lowering.enter(document.root);
        lowering
    }

    /// The formula of a schema; what its references stand for is known when this returns.
    pub(super) fn root(&mut self, id: SchemaId) -> Term {
        let term = self.schema(id);
        let outer = self.scope;
        while let Some((number, target, scope)) = self.waiting.pop() {
            self.scope = scope;
            let body = self.schema(target);
            self.terms.bodies[number as usize] = body;
        }
        self.scope = outer;
        term
    }

    /// The recursion is along the nesting of the text, which its reader bounds.
    pub(super) fn schema(&mut self, id: SchemaId) -> Term {
        let scope = self.enter(id);
        if let Some(term) = self.lowered.get(&(id, scope)) {
            return *term;
        }
        self.path.push((id, scope));
        let term = self.seen_from(scope, |lowering| lowering.keywords(id));
        self.path.pop();
        self.lowered.insert((id, scope), term);
        term
    }

    /// The formula of a schema that a walk along references came to: such a walk can lead from a
    /// schema back to one around it, which is then spoken of and not lowered once more.
    pub(super) fn reached(&mut self, id: SchemaId) -> Term {
        let scope = self.enter(id);
        match self.path.contains(&(id, scope)) {
            true => self.recursive(id, scope),
            false => self.schema(id),
        }
    }

    /// The scope after a step to a schema: its resource comes in where it is the first that declares
    /// one of its dynamic anchors, as the outermost alone is where a dynamic reference leads.
    pub(super) fn enter(&mut self, id: SchemaId) -> Scope {
        let document = self.document;
        let resource = document.schema(id).resource;
        let entered = &self.scopes[self.scope];
        let is_known = |anchor: &String| {
            let declares = |other: &u32| {
                let other = &document.resources[*other as usize];
                other.dynamic_anchors.contains_key(anchor)
            };
            entered.iter().any(declares)
        };
        if document.resource(id).dynamic_anchors.keys().all(is_known) {
            return self.scope;
        }
        let mut scope = entered.clone();
        scope.push(resource);
        match self.scopes.iter().position(|other| *other == scope) {
            Some(known) => known,
            None => {
                self.scopes.push(scope);
                self.scopes.len() - 1
            }
        }
    }

    pub(super) fn seen_from<T>(&mut self, scope: Scope, call: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = call(self);
        self.scope = outer;
        result
    }

    /// Where the dynamic reference of a schema leads from here.
    pub(super) fn dynamic_target(&self, id: SchemaId) -> Option<Target> {
        self.document.dynamic_target(id, &self.scopes[self.scope])
    }

    fn keywords(&mut self, id: SchemaId) -> Term {
        let document = self.document;
        let schema = document.schema(id);
        if let Some(always) = schema.always {
            return if always { Term::TRUE } else { Term::FALSE };
        }
        let mut all = Vec::new();
        if let Some(target) = &schema.reference {
            all.push(self.reference(target, id, "$ref"));
        }
        if let Some(target) = self.dynamic_target(id) {
            all.push(self.reference(&target, id, "$dynamicRef"));
        }
        self.values(schema, &mut all);
        self.scalars(id, &mut all);
        self.arrays(schema, &mut all);
        self.objects(document, schema, &mut all);
        self.combinators(schema, &mut all);
        if schema.unevaluated_properties.is_some() || schema.unevaluated_items.is_some() {
            all.push(unevaluated::lower(self, id));
        }
        self.terms.and(all)
    }

    /// The recursive target of a reference, or a reason where it is not at hand.
    pub(super) fn reference(&mut self, target: &Target, from: SchemaId, keyword: &str) -> Term {
        match target {
            Target::Schema(target) => {
                let scope = self.enter(*target);
                let known = self.references.contains_key(&(*target, scope));
                if !known && self.scopes.len() > MAX_SCOPES {
                    let why = "there are too many ways that lead to a dynamic anchor".to_owned();
                    let about = vec![self.terms.unlike_any()];
                    return self.opaque(from, keyword, why, about);
                }
                self.recursive(*target, scope)
            }
            Target::External(_) => {
                let why = self.document.why_open(from).to_owned();
                // What leads back to itself is whatever a validator makes of this very document.
                let about = if self.document.leads_back(from) {
                    self.terms.unlike_any()
                } else {
                    self.terms.named(&why)
                };
                self.opaque(from, keyword, why, vec![about])
            }
        }
    }

    /// A formula that speaks of a schema, which may be under way or be lowered later.
    fn recursive(&mut self, target: SchemaId, scope: Scope) -> Term {
        if let Some(term) = self.references.get(&(target, scope)) {
            return *term;
        }
        let number = u32::try_from(self.terms.bodies.len()).unwrap_or(u32::MAX);
        self.terms.bodies.push(Term::TRUE);
        self.waiting.push((number, target, scope));
        let term = self.terms.atom(Shape::Reference(number));
        self.references.insert((target, scope), term);
        term
    }

    pub(super) fn opaque(
        &mut self,
        at: SchemaId,
        keyword: &str,
        why: String,
        about: Vec<Term>,
    ) -> Term {
        let origin: Origin = self.document.origin(at);
        let reason = Undecided {
            keyword: keyword.to_owned(),
            origin,
            why,
        };
        self.terms.opaque(reason, about)
    }

    fn values(&mut self, schema: &Schema, all: &mut Vec<Term>) {
        if let Some(types) = schema.types {
            // An integer is a number that is a multiple of one.
            let only_integers = types.integers_only();
            let types = if types.overlaps(TypeSet::NUMBER) {
                types.union(TypeSet::NUMBER)
            } else {
                types
            };
            all.push(self.terms.types(types));
            if only_integers {
                all.push(self.terms.atom(Shape::MultipleOf(Decimal::one())));
            }
        }
        for list in &schema.values {
            let values = list.iter().map(|entry| &entry.value);
            let term = self.one_of_values(values);
            all.push(term);
        }
    }

    /// A value out of a list.
    fn one_of_values<'v>(&mut self, values: impl Iterator<Item = &'v Literal>) -> Term {
        let (mut strings, mut numbers, mut any) = (Vec::new(), Vec::new(), Vec::new());
        for value in values {
            match value.type_name() {
                "string" => {
                    let text = value.as_string().unwrap_or_default();
                    strings.push(self.terms.name(&text));
                }
                "number" => match value.as_decimal() {
                    Some(number) => numbers.push(number),
                    None => any.push(self.terms.absurd_number(value.text())),
                },
                _ => match json::parse(value.text()) {
                    Ok(node) => any.push(self.terms.value(&node)),
                    // A literal is spelled by this project's own writer.
                    Err(_) => continue,
                },
            }
        }
        if !strings.is_empty() {
            any.push(self.terms.strings(strings));
        }
        if !numbers.is_empty() {
            any.push(self.terms.numbers(numbers));
        }
        self.terms.or(any)
    }

    fn scalars(&mut self, id: SchemaId, all: &mut Vec<Term>) {
        let document = self.document;
        let schema = document.schema(id);
        let terms = &mut *self.terms;
        if let Some(Bound { value, exclusive }) = schema.minimum.clone() {
            all.push(terms.atom(Shape::AtLeast { value, exclusive }));
        }
        if let Some(Bound { value, exclusive }) = schema.maximum.clone() {
            // Not above is not "above, the end excluded"; not at or above is not "from there on".
            let above = terms.atom(Shape::AtLeast {
                value,
                exclusive: !exclusive,
            });
            let number = terms.types(TypeSet::NUMBER);
            all.push(!terms.and([above, number]));
        }
        if let Some(step) = schema.multiple_of.clone() {
            all.push(terms.atom(Shape::MultipleOf(step)));
        }
        all.extend(
            schema
                .min_length
                .map(|length| terms.atom(Shape::MinLength(length))),
        );
        if let Some(length) = schema.max_length {
            all.push(terms.at_most(Shape::MinLength, length, TypeSet::STRING));
        }
        let at = || document.origin(id);
        all.extend(
            schema
                .pattern
                .as_ref()
                .map(|pattern| terms.pattern(pattern, at)),
        );
    }

    fn arrays(&mut self, schema: &Schema, all: &mut Vec<Term>) {
        for (index, item) in schema.prefix_items.iter().enumerate() {
            let item = self.schema(*item);
            all.push(self.terms.atom(Shape::Item(index, item)));
        }
        if let Some(items) = schema.items {
            let items = self.schema(items);
            all.push(
                self.terms
                    .atom(Shape::Items(schema.prefix_items.len(), items)),
            );
        }
        if let Some(contains) = schema.contains {
            let contains = self.schema(contains);
            let least = schema.min_contains.unwrap_or(1);
            all.push(self.terms.atom(Shape::Contains(contains, least)));
            if let Some(most) = schema.max_contains {
                let more = |count| Shape::Contains(contains, count);
                all.push(self.terms.at_most(more, most, TypeSet::ARRAY));
            }
        }
        let terms = &mut *self.terms;
        all.extend(
            schema
                .min_items
                .map(|count| terms.atom(Shape::MinItems(count))),
        );
        if let Some(count) = schema.max_items {
            all.push(terms.at_most(Shape::MinItems, count, TypeSet::ARRAY));
        }
        if schema.unique_items {
            all.push(terms.atom(Shape::Unique));
        }
    }

    fn objects(&mut self, document: &Document, schema: &Schema, all: &mut Vec<Term>) {
        for (name, value) in &schema.properties {
            let value = self.schema(*value);
            let name = self.terms.name(name);
            all.push(self.terms.atom(Shape::Property(name, value)));
        }
        for entry in &schema.pattern_properties {
            let value = self.schema(entry.schema);
            let names = self
                .terms
                .pattern(&entry.pattern, || document.origin(entry.schema));
            // A name is a string, so the formula needs to speak of strings alone.
            let names = self.terms.typed(names, TypeSet::STRING);
            all.push(self.terms.atom(Shape::Members(names, value)));
        }
        if let Some(value) = schema.additional_properties {
            let value = self.schema(value);
            let names = schema.properties.keys().map(String::as_str);
            let patterns = schema
                .pattern_properties
                .iter()
                .map(|entry| &*entry.pattern);
            all.push(self.terms.members_beside(names, patterns, value));
        }
        if let Some(names) = schema.property_names {
            let names = self.schema(names);
            all.push(self.terms.atom(Shape::Members(!names, Term::FALSE)));
        }
        for name in &schema.required {
            let name = self.terms.name(name);
            all.push(self.terms.atom(Shape::Required(name)));
        }
        let terms = &mut *self.terms;
        all.extend(
            schema
                .min_properties
                .map(|count| terms.atom(Shape::MinProperties(count))),
        );
        if let Some(count) = schema.max_properties {
            all.push(terms.at_most(Shape::MinProperties, count, TypeSet::OBJECT));
        }
        for (name, needs) in &schema.dependent.required {
            let present = terms.has(name);
            let needs: Vec<Term> = needs.iter().map(|name| terms.has(name)).collect();
            let needs = terms.and(needs);
            all.push(terms.or([!present, needs]));
        }
        for (name, schema) in &schema.dependent.schemas {
            let schema = self.schema(*schema);
            let present = self.terms.has(name);
            all.push(self.terms.or([!present, schema]));
        }
    }

    fn combinators(&mut self, schema: &Schema, all: &mut Vec<Term>) {
        for part in &schema.all_of {
            let part = self.schema(*part);
            all.push(part);
        }
        if !schema.any_of.is_empty() {
            let branches = self.schemas(&schema.any_of);
            all.push(self.terms.or(branches));
        }
        if !schema.one_of.is_empty() {
            let branches = self.schemas(&schema.one_of);
            all.push(self.terms.or(branches.iter().copied()));
            all.push(self.terms.at_most_one(branches));
        }
        if let Some(not) = schema.not {
            all.push(!self.schema(not));
        }
        if let Some(conditional) = schema.conditional {
            let condition = self.schema(conditional.condition);
            if let Some(then) = conditional.then {
                let then = self.schema(then);
                all.push(self.terms.or([!condition, then]));
            }
            if let Some(otherwise) = conditional.otherwise {
                let otherwise = self.schema(otherwise);
                all.push(self.terms.or([condition, otherwise]));
            }
        }
    }

    fn schemas(&mut self, ids: &[SchemaId]) -> Vec<Term> {
        ids.iter().map(|id| self.schema(*id)).collect()
    }
}

impl Terms {
    /// Fewer than one more than `count`, of a count that the atom bounds from below.
    fn at_most(&mut self, least: impl FnOnce(u64) -> Shape, count: u64, kind: TypeSet) -> Term {
        // Nothing that fits a machine has more than that many of anything.
        let Some(more) = count.checked_add(1) else {
            return Term::TRUE;
        };
        let more = self.atom(least(more));
        let kind = self.types(kind);
        !self.and([more, kind])
    }

    /// No two of the formulas hold. Which pairs could is seen once all references are known.
    fn at_most_one(&mut self, mut branches: Vec<Term>) -> Term {
        if branches.len() < 2 {
            return Term::TRUE;
        }
        branches.sort_unstable();
        self.atom(Shape::AtMostOne(branches.into()))
    }

    /// The value is an object with a member of that name.
    pub(super) fn has(&mut self, name: &str) -> Term {
        let name = self.name(name);
        let required = self.atom(Shape::Required(name));
        let object = self.types(TypeSet::OBJECT);
        self.and([required, object])
    }

    /// Members that neither a name nor a pattern speaks of have a value as given.
    pub(super) fn members_beside<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
        patterns: impl Iterator<Item = &'n str>,
        value: Term,
    ) -> Term {
        let names: Vec<_> = names.map(|name| self.name(name)).collect();
        // Each of these patterns was lowered before, with its place.
        let nowhere = || undecided("", "").origin;
        let mut beside: Vec<Term> = patterns
            .map(|pattern| !self.pattern(pattern, nowhere))
            .collect();
        if !names.is_empty() {
            beside.push(!self.strings(names));
        }
        let beside = self.and(beside);
        // A name is a string, so the formula needs to speak of strings alone.
        let beside = self.typed(beside, TypeSet::STRING);
        self.atom(Shape::Members(beside, value))
    }
}
