//! A conjunction with choices in it, multiplied out into alternatives without any.

use super::Builder;
use super::expand::Item;
use crate::json::Literal;
use crate::maps::HashMap;
use crate::schema::{SchemaError, SchemaId, TypeSet};
use crate::wire::Origin;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// At one place; unions that multiply past this are refused.
const MAX_ALTERNATIVES: usize = 20_000;

/// How deep a union may lie in branches of others at one place.
const MAX_NESTED: usize = 500;

/// Items that are copied while one place is multiplied out; they can be many in few alternatives.
const MAX_COPIED: usize = 5_000_000;

/// One way to satisfy a place.
#[derive(Debug, Clone)]
pub(super) struct Alternative {
    /// What holds in it, in order; no choice is left.
    pub(super) items: Vec<Item>,
    /// The types that instances of it can have.
    pub(super) types: TypeSet,
    /// The branch that was taken last, where any was.
    pub(super) branch: Option<SchemaId>,
    /// The choices of `oneOf` that led here: its schema and the branch's index.
    pub(super) choices: Vec<(SchemaId, u32)>,
}

/// An alternative that is still being multiplied out.
#[derive(Clone)]
struct Partial {
    done: Vec<Item>,
    /// Items still to be looked at, last first, each with the choices whose branch brought it in.
    pending: Vec<(Item, Vec<Item>)>,
    taken: Vec<Item>,
    branch: Option<SchemaId>,
    choices: Vec<(SchemaId, u32)>,
}

impl Partial {
    /// About how much it takes to copy this.
    fn size(&self) -> usize {
        let ancestors = self.pending.iter().map(|(_, ancestors)| ancestors.len());
        self.done.len() + self.pending.len() + ancestors.sum::<usize>() + self.taken.len()
    }
}

impl Builder<'_> {
    /// Every alternative of a place that an instance could take, in the order written.
    pub(super) fn alternatives(&mut self, items: &[Item]) -> Result<Vec<Alternative>, SchemaError> {
        let mut finished = Vec::new();
        let is_choice = |item: &Item| match item {
            Item::AnyOf(_) | Item::OneOf(_) => true,
            Item::If(id) => self.dispatch(*id).is_some(),
            _ => false,
        };
        if !items.iter().any(is_choice) {
            let only = Partial {
                done: items.to_vec(),
                pending: Vec::new(),
                taken: Vec::new(),
                branch: None,
                choices: Vec::new(),
            };
            self.finish(only, &mut finished);
            return Ok(finished);
        }
        let first = Partial {
            done: Vec::new(),
            pending: items
                .iter()
                .rev()
                .map(|item| (item.clone(), Vec::new()))
                .collect(),
            taken: Vec::new(),
            branch: None,
            choices: Vec::new(),
        };
        let mut stack = vec![first];
        let mut copied = 0;
        while let Some(mut partial) = stack.pop() {
            let Some((item, ancestors)) = partial.pending.pop() else {
                self.finish(partial, &mut finished);
                continue;
            };
            if finished.len() + stack.len() > MAX_ALTERNATIVES || copied > MAX_COPIED {
                let id = item.schema().unwrap_or(self.document.root);
                let message = format!(
                    "the unions at this place multiply into more than {MAX_ALTERNATIVES} alternatives, or into fewer that are larger"
                );
                return Err(self.document.error(id, message));
            }
            let before = stack.len();
            if ancestors.len() > MAX_NESTED {
                let id = item.schema().unwrap_or(self.document.root);
                let message =
                    format!("unions stand inside unions more than {MAX_NESTED} deep here");
                return Err(self.document.error(id, message));
            }
            let dispatches = match item {
                Item::If(id) => self.dispatch(id).is_some(),
                _ => true,
            };
            match item {
                // The instance already satisfies this choice: it is the same schema again.
                Item::AnyOf(_) | Item::OneOf(_) | Item::If(_) if partial.taken.contains(&item) => {
                    stack.push(partial)
                }
                Item::AnyOf(id) => {
                    let branches = self.document.schema(id).any_of.clone();
                    self.choose(partial, &item, &ancestors, &branches, &mut stack)?;
                }
                Item::OneOf(id) => {
                    let branches = self.document.schema(id).one_of.clone();
                    self.choose(partial, &item, &ancestors, &branches, &mut stack)?;
                }
                Item::If(id) if dispatches => {
                    self.choose_dispatch(partial, id, &ancestors, &mut stack)?
                }
                item => {
                    partial.done.push(item);
                    stack.push(partial);
                    continue;
                }
            }
            copied += stack[before..].iter().map(Partial::size).sum::<usize>();
        }
        Ok(finished)
    }

    fn choose(
        &mut self,
        partial: Partial,
        choice: &Item,
        ancestors: &[Item],
        branches: &[SchemaId],
        stack: &mut Vec<Partial>,
    ) -> Result<(), SchemaError> {
        let mut next = Vec::with_capacity(branches.len());
        for (index, branch) in branches.iter().enumerate() {
            let expanded = self.expand(&[*branch])?;
            // A union that is its own branch adds no instance by it.
            if expanded
                .iter()
                .any(|item| item == choice || ancestors.contains(item))
            {
                let why = "a branch leads back to its own union, and validators differ on what that means";
                if let Some(id) = choice.schema() {
                    self.note(id, choice.keyword(), why.to_owned());
                }
                continue;
            }
            let mut taken = partial.clone();
            if branches.len() > 1 || taken.branch.is_none() {
                taken.branch = Some(*branch);
            }
            if let (Item::OneOf(id), true) = (choice, branches.len() > 1) {
                taken
                    .choices
                    .push((*id, u32::try_from(index).unwrap_or(u32::MAX)));
            }
            taken.take(choice, ancestors, expanded);
            if self.possible(&taken) {
                next.push(taken);
            }
        }
        stack.extend(next.into_iter().rev());
        Ok(())
    }

    /// A condition on a tag is a choice: either it holds and `then` does, or it fails and `else` does.
    fn choose_dispatch(
        &mut self,
        partial: Partial,
        id: SchemaId,
        ancestors: &[Item],
        stack: &mut Vec<Partial>,
    ) -> Result<(), SchemaError> {
        let Some(conditional) = self.document.schema(id).conditional else {
            return Ok(());
        };
        let choice = Item::If(id);
        let holds: Vec<SchemaId> = std::iter::once(conditional.condition)
            .chain(conditional.then)
            .collect();
        let mut then = partial.clone();
        then.branch = conditional.then.or(Some(conditional.condition));
        then.take(&choice, ancestors, self.expand(&holds)?);
        let mut otherwise = partial;
        let mut expanded = match conditional.otherwise {
            Some(schema) => self.expand(&[schema])?,
            None => Vec::new(),
        };
        expanded.insert(
            0,
            Item::MemberOutside(self.unwrapped(conditional.condition)),
        );
        otherwise.take(&choice, ancestors, expanded);
        let next: Vec<Partial> = [then, otherwise]
            .into_iter()
            .filter(|partial| self.possible(partial))
            .collect();
        stack.extend(next.into_iter().rev());
        Ok(())
    }

    /// Whether an `if` asks about one required member's values alone; gives its name and them.
    pub(super) fn dispatch(&self, id: SchemaId) -> Option<(String, Vec<Literal>)> {
        let condition = self.document.schema(id).conditional?.condition;
        self.tag_test(self.unwrapped(condition))
    }

    /// Reads a schema as a test of one member against values, and of nothing else. Where the test
    /// does not require the member itself, an object without it passes.
    pub(super) fn tag_test(&self, condition: SchemaId) -> Option<(String, Vec<Literal>)> {
        let schema = self.document.schema(condition);
        let (name, member) = schema.properties.first()?;
        let member = self.document.schema(self.unwrapped(*member));
        let [values] = member.values.as_slice() else {
            return None;
        };
        let alone = schema.properties.len() == 1
            && schema.required.iter().all(|required| required == name)
            && schema.types.is_none_or(|types| types == TypeSet::OBJECT)
            && schema.speaks_alone()
            && schema.values.is_empty()
            && !schema.asserts_on_scalars()
            && !schema.asserts_on_arrays()
            && !schema.asserts_on_other_members();
        // Places have no room for what excludes one `null`, array or object.
        let has_room = |value: &crate::schema::EnumValue| {
            !type_of(&value.value)
                .overlaps(TypeSet::NULL.union(TypeSet::ARRAY).union(TypeSet::OBJECT))
        };
        let plain =
            member.speaks_alone() && !member.asserts_beyond_values() && values.iter().all(has_room);
        let allowed = |value: &crate::schema::EnumValue| {
            member
                .types
                .is_none_or(|types| types.overlaps(type_of(&value.value)))
        };
        let tests = alone && plain && values.iter().all(allowed);
        tests.then(|| {
            let values = values.iter().map(|value| value.value.clone());
            (name.clone(), values.collect())
        })
    }

    fn finish(&self, partial: Partial, finished: &mut Vec<Alternative>) {
        let types = self.types(&partial.done);
        if types.is_empty() || !self.possible(&partial) {
            return;
        }
        let Partial {
            done,
            branch,
            choices,
            ..
        } = partial;
        finished.push(Alternative {
            items: done,
            types,
            branch,
            choices,
        });
    }

    /// Whether an alternative may have an instance: its types meet, and no member that must stand
    /// is asked for two different tag values. A cheap test; what it lets through may still be empty.
    fn possible(&self, partial: &Partial) -> bool {
        let settled = || {
            let pending = partial.pending.iter().map(|(item, _)| item);
            partial.done.iter().chain(pending)
        };
        if settled().any(|item| *item == Item::Never) || self.types(settled()).is_empty() {
            return false;
        }
        if partial.taken.len() < 2 {
            return true;
        }
        let mut tags: HashMap<&str, BTreeSet<Cow<'_, Literal>>> = HashMap::default();
        let mut required: BTreeSet<&str> = BTreeSet::new();
        let mut outside: Vec<(String, Vec<Literal>)> = Vec::new();
        for item in settled() {
            match item {
                Item::Local(id) => {
                    let schema = self.document.schema(*id);
                    required.extend(schema.required.iter().map(String::as_str));
                    for (name, member) in &schema.properties {
                        let values: BTreeSet<_> = match &self.document.schema(*member).values[..] {
                            [] => match self.values_alone(*member, 0) {
                                Some(values) => values.into_iter().map(Cow::Owned).collect(),
                                None => continue,
                            },
                            [values] => {
                                let values = values.iter().map(|value| &value.value);
                                values.map(Cow::Borrowed).collect()
                            }
                            _ => continue,
                        };
                        tags.entry(name)
                            .and_modify(|known| known.retain(|value| values.contains(value)))
                            .or_insert(values);
                    }
                }
                Item::MemberOutside(id) => {
                    let test = self.tag_test(*id);
                    if self.document.schema(*id).required.is_empty() {
                        let name = self.document.schema(*id).properties.keys().next();
                        required.extend(name.map(String::as_str));
                    }
                    outside.extend(test);
                }
                _ => {}
            }
        }
        for (name, values) in &outside {
            if let Some(known) = tags.get_mut(name.as_str()) {
                known.retain(|value| !values.contains(&**value));
            }
        }
        let object_only = self
            .types(&partial.done)
            .without(TypeSet::OBJECT)
            .is_empty();
        !object_only
            || !tags
                .iter()
                .any(|(name, values)| values.is_empty() && required.contains(name))
    }

    /// The types that a conjunction leaves.
    pub(super) fn types<'i>(&self, items: impl IntoIterator<Item = &'i Item>) -> TypeSet {
        let mut types = TypeSet::ALL;
        for item in items {
            match item {
                Item::Local(id) => {
                    let schema = self.document.schema(*id);
                    if let Some(own) = schema.types {
                        types = types.intersection(own);
                    }
                    for values in &schema.values {
                        let of_values = values.iter().map(|value| type_of(&value.value));
                        types = types.intersection(of_values.fold(TypeSet::NONE, TypeSet::union));
                    }
                }
                // Without a `type` the condition holds for all but objects; with one, all but
                // objects fail it, as the objects do that this is about.
                Item::MemberOutside(id) if self.document.schema(*id).types.is_none() => {
                    types = types.intersection(TypeSet::OBJECT);
                }
                Item::Not(id) => types = types.without(self.excluded_types(*id)),
                Item::Never => return TypeSet::NONE,
                Item::Scalars => {
                    types = types.intersection(TypeSet::SCALARS);
                }
                _ => {}
            }
        }
        types
    }

    /// The branch's place, or that of the whole where no branch was taken.
    pub(super) fn branch_origin(&self, alternative: &Alternative) -> Origin {
        let last = alternative.items.iter().rev().find_map(Item::schema);
        self.document
            .origin(alternative.branch.or(last).unwrap_or(self.document.root))
    }
}

impl Partial {
    fn take(&mut self, choice: &Item, ancestors: &[Item], items: Vec<Item>) {
        self.taken.push(choice.clone());
        let chosen = choice.schema();
        let brought: Vec<SchemaId> = items.iter().filter_map(Item::schema).collect();
        // What a branch evaluates counts for every schema that the choice belongs to.
        let extend = |item: &mut Item| {
            if let Item::Unevaluated(_, within) = item
                && chosen.is_some_and(|id| within.contains(&id))
            {
                within.extend(brought.iter().copied());
            }
        };
        self.done.iter_mut().for_each(extend);
        self.pending.iter_mut().for_each(|(item, _)| extend(item));
        let lineage: Vec<Item> = ancestors.iter().chain([choice]).cloned().collect();
        for item in items.into_iter().rev() {
            let known =
                self.done.contains(&item) || self.pending.iter().any(|(other, _)| *other == item);
            if !known {
                self.pending.push((item, lineage.clone()));
            }
        }
    }
}

/// The type of one value; numbers without fraction are integers.
pub(super) fn type_of(value: &Literal) -> TypeSet {
    match value.as_decimal() {
        Some(number) if number.is_integer() => TypeSet::INTEGER,
        Some(_) => TypeSet::FRACTION,
        None => TypeSet::named(value.type_name()).unwrap_or(TypeSet::NONE),
    }
}
