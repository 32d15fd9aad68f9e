//! A list of schemas that all hold, unfolded into keywords of single schemas and open choices.

use super::Builder;
use crate::schema::{SchemaError, SchemaId, Target};
use crate::seen::Seen;
use crate::wire::{Docs, Undecided};
use std::collections::BTreeSet;

/// One conjunct of a place. Equal sets of items are equal places.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Item {
    /// Nothing may stand here.
    Never,
    /// The keywords of a schema itself: its references and combinators are items of their own.
    Local(SchemaId),
    /// The `oneOf` of a schema.
    OneOf(SchemaId),
    /// The `anyOf` of a schema.
    AnyOf(SchemaId),
    /// `if` with `then` and `else`.
    If(SchemaId),
    /// `not`.
    Not(SchemaId),
    /// `dependentSchemas`.
    DependentSchemas(SchemaId),
    /// `unevaluatedProperties` and `unevaluatedItems` of a schema, with what has been evaluated in it.
    Unevaluated(SchemaId, BTreeSet<SchemaId>),
    /// The condition of a tag dispatch fails: its member is absent or outside the condition's values.
    MemberOutside(SchemaId),
    /// The value is none of a schema's `const` or `enum`.
    Outside(SchemaId),
    /// A reference that cannot be followed.
    Undecided(SchemaId),
    /// Only the scalars of the place are looked at.
    Scalars,
}

impl Item {
    /// The keyword that a choice is written with.
    pub(super) fn keyword(&self) -> &'static str {
        match self {
            Self::OneOf(_) => "oneOf",
            Self::If(_) => "if",
            _ => "anyOf",
        }
    }

    /// The schema whose keyword this is.
    pub(super) fn schema(&self) -> Option<SchemaId> {
        match self {
            Self::Never | Self::Scalars => None,
            Self::Local(id)
            | Self::OneOf(id)
            | Self::AnyOf(id)
            | Self::If(id)
            | Self::Not(id)
            | Self::DependentSchemas(id)
            | Self::Unevaluated(id, _)
            | Self::MemberOutside(id)
            | Self::Outside(id)
            | Self::Undecided(id) => Some(*id),
        }
    }
}

/// Schemas that are looked at for one document, again for each place that they take part in.
const MAX_STEPS: usize = 20_000_000;

/// What is still to be done while a list of schemas is unfolded.
enum Step {
    Enter(SchemaId),
    /// The schema's own keywords, after what it refers to.
    Leave {
        id: SchemaId,
        from: usize,
    },
}

impl Builder<'_> {
    /// Unfolds schemas that all hold at one place. What a schema refers to comes before its own
    /// keywords, so that the order of members is base first, and later items are more specific.
    pub(super) fn expand(&mut self, schemas: &[SchemaId]) -> Result<Vec<Item>, SchemaError> {
        let mut items: Vec<Item> = Vec::new();
        let mut entered = Seen::new();
        let mut steps: Vec<Step> = schemas.iter().rev().map(|id| Step::Enter(*id)).collect();
        while let Some(step) = steps.pop() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                let (Step::Enter(id) | Step::Leave { id, .. }) = step;
                let message = "the references of this schema unfold without end in sight";
                return Err(self
                    .document
                    .error(id, message)
                    .help("shorten the chains of `$ref` and `allOf` that lead here"));
            }
            match step {
                Step::Enter(id) => {
                    if !entered.insert(&id) {
                        // A schema that reaches itself through references alone adds nothing that is
                        // not already said; validators would not end, and there is nothing to read.
                        continue;
                    }
                    let from = items.len();
                    steps.push(Step::Leave { id, from });
                    let schema = self.document.schema(id);
                    let children = schema.all_of.iter().rev().copied();
                    steps.extend(children.map(Step::Enter));
                    match self.document.settled_dynamic_target(id) {
                        Some(Ok(Target::Schema(target))) => steps.push(Step::Enter(target)),
                        Some(Ok(Target::External(_))) | None => {}
                        Some(Err(why)) => {
                            items.push(Item::Undecided(id));
                            self.note(id, "$dynamicRef", why);
                        }
                    }
                    match &schema.reference {
                        Some(Target::Schema(target)) => steps.push(Step::Enter(*target)),
                        Some(Target::External(_)) => {
                            items.push(Item::Undecided(id));
                            self.note(id, "$ref", self.document.why_open(id).to_owned());
                        }
                        None => {}
                    }
                }
                Step::Leave { id, from } => {
                    self.leave(id, from, &mut items);
                    // Sets of what lies within are copied wherever the item goes.
                    if let Some(Item::Unevaluated(_, within)) = items.last() {
                        self.steps += 10 * within.len();
                    }
                }
            }
        }
        let mut seen = Seen::new();
        items.retain(|item| seen.insert(item));
        Ok(items)
    }

    /// Whether a `not` tests one member for values, and the schema beside it declares that member.
    fn negates_a_value(&self, id: SchemaId, inner: SchemaId) -> bool {
        let test = self.tag_test(self.unwrapped(inner));
        test.is_some_and(|(name, _)| self.document.schema(id).properties.contains_key(&name))
    }

    fn leave(&self, id: SchemaId, from: usize, items: &mut Vec<Item>) {
        let schema = self.document.schema(id);
        match schema.always {
            Some(false) => items.push(Item::Never),
            Some(true) => {}
            None => {
                // A definition that only puts others together still names the whole.
                let composes = schema.all_of.len() > 1
                    && (schema.docs.title.is_some() || schema.definition.is_some());
                if schema.asserts() || composes {
                    items.push(Item::Local(id));
                }
                if !schema.any_of.is_empty() {
                    items.push(Item::AnyOf(id));
                }
                if !schema.one_of.is_empty() {
                    items.push(Item::OneOf(id));
                }
                // An `if` without `then` and `else` constrains nothing, but it evaluates members.
                let speaks = schema.conditional.is_some_and(|conditional| {
                    let branches = conditional.then.or(conditional.otherwise);
                    branches.is_some() || self.document.unevaluated
                });
                if speaks {
                    items.push(Item::If(id));
                }
                // A negation of nothing or of everything is no conjunct of its own, so that what
                // allows everything is one place however it is spelled.
                match schema.not.map(|inner| (inner, self.comes_down_to(inner))) {
                    Some((_, Some(true))) => items.push(Item::Never),
                    // A declared member that is to be none of some values, said of the object.
                    Some((inner, None)) if self.negates_a_value(id, inner) => {
                        items.insert(from, Item::MemberOutside(self.unwrapped(inner)));
                    }
                    Some((_, None)) => items.push(Item::Not(id)),
                    Some((_, Some(false))) | None => {}
                }
                if !schema.dependent.schemas.is_empty() {
                    items.push(Item::DependentSchemas(id));
                }
                if schema.unevaluated_properties.is_some() || schema.unevaluated_items.is_some() {
                    // What a negation looks at is not evaluated by it.
                    let within = items[from..].iter();
                    let within = within.filter(|item| !matches!(item, Item::MemberOutside(_)));
                    let within = within.filter_map(Item::schema).collect();
                    items.push(Item::Unevaluated(id, within));
                }
            }
        }
    }

    /// Records that something cannot be read with certainty.
    pub(super) fn note(&mut self, id: SchemaId, keyword: &str, why: String) {
        let undecided = Undecided {
            keyword: keyword.to_owned(),
            origin: self.document.origin(id),
            why,
        };
        self.undecided.insert(undecided);
    }

    /// The schema that says all of a conjunction: the last one, where unfolding it alone gives every item.
    pub(super) fn top(&mut self, items: &[Item]) -> Result<Option<SchemaId>, SchemaError> {
        let Some(last) = items.iter().rev().find_map(Item::schema) else {
            return Ok(None);
        };
        if items.iter().all(|item| item.schema() == Some(last)) {
            return Ok(Some(last));
        }
        let alone = self.expand(&[last])?;
        Ok(items
            .iter()
            .all(|item| alone.contains(item))
            .then_some(last))
    }

    /// What is documented where these schemas meet: each schema's own words first, then those of
    /// what it refers to, the most specific schema first.
    pub(super) fn docs(&self, schemas: &[SchemaId]) -> Docs {
        let mut docs = Docs::default();
        let mut seen = Seen::new();
        let mut parts = Vec::new();
        let mut next: std::collections::VecDeque<SchemaId> =
            schemas.iter().rev().copied().collect();
        while let Some(id) = next.pop_front() {
            if !seen.insert(&id) {
                continue;
            }
            let schema = self.document.schema(id);
            docs.fill_from(&schema.docs);
            if let Some(Target::Schema(id)) = &schema.reference {
                next.push_back(*id);
            }
            if let Some(Ok(Target::Schema(id))) = self.document.settled_dynamic_target(id) {
                next.push_back(id);
            }
            // One member of `allOf` is a wrapped reference; several are parts, not the whole.
            if let [only] = schema.all_of.as_slice() {
                next.push_back(*only);
            }
            parts.extend(schema.all_of.iter().copied());
        }
        // A default holds for the value, whichever part gives it.
        while let (None, Some(id)) = (&docs.default, parts.pop()) {
            if seen.insert(&id) {
                let schema = self.document.schema(id);
                docs.default.clone_from(&schema.docs.default);
                parts.extend(schema.all_of.iter().copied());
                if let Some(Target::Schema(target)) = &schema.reference {
                    parts.push(*target);
                }
            }
        }
        docs
    }
}

impl Docs {
    fn fill_from(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            *self = other.clone();
            return;
        }
        let fill = |slot: &mut Option<String>, from: &Option<String>| {
            if slot.is_none() {
                slot.clone_from(from);
            }
        };
        fill(&mut self.title, &other.title);
        fill(&mut self.description, &other.description);
        fill(&mut self.comment, &other.comment);
        if self.default.is_none() {
            self.default.clone_from(&other.default);
        }
        if self.examples.is_empty() {
            self.examples.clone_from(&other.examples);
        }
        self.deprecated |= other.deprecated;
        for (name, value) in &other.other {
            self.other
                .entry(name.clone())
                .or_insert_with(|| value.clone());
        }
    }
}
