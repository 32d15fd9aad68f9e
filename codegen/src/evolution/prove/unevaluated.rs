//! `unevaluatedProperties` and `unevaluatedItems`: what the schemas in place looked at, as formulas.
//!
//! A schema in place looks at members and elements on the condition that the branches around it
//! hold. Per member that anybody looks at, the keyword says: one of the conditions holds, or the
//! value is as the keyword demands; so the formula grows with the schemas in place and not with the
//! combinations of their branches. It needs to be right only where the rest of its schema holds,
//! since both stand in one conjunction.

use super::close::{RED_ZONE, STACK};
use super::lower::Lowering;
use super::term::{Map, Shape, Term, undecided};
use crate::schema::{SchemaId, Target, TypeSet};
use std::collections::HashSet;

/// Schemas in place that one keyword asks.
const MAX_PLACES: usize = 20_000;
/// References in references, branches in branches.
const MAX_DEPTH: usize = 1_000;
/// Patterns, or `contains`, that look at something on a condition: their combinations count.
const MAX_CONDITIONAL: usize = 6;

/// What the schemas in place evaluate, each on a condition.
#[derive(Default)]
struct Evaluated {
    names: Vec<(String, Term)>,
    patterns: Vec<(String, Term)>,
    all_members: Vec<Term>,
    prefixes: Vec<(usize, Term)>,
    all_items: Vec<Term>,
    /// Elements that satisfy the first.
    contained: Vec<(Term, Term)>,
}

/// The walk over the schemas in place.
struct Walk<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    found: Evaluated,
    /// What was asked on which condition; a second time says nothing new.
    seen: HashSet<(SchemaId, usize, Term)>,
    path: Vec<(SchemaId, usize)>,
}

/// The formula of both keywords of a schema that has at least one of them.
pub(super) fn lower(lowering: &mut Lowering<'_>, id: SchemaId) -> Term {
    let document = lowering.document;
    let schema = document.schema(id);
    let mut walk = Walk {
        lowering,
        found: Evaluated::default(),
        seen: HashSet::new(),
        path: Vec::new(),
    };
    let walked = walk.schema(id, Term::TRUE, false);
    let found = walk.found;
    let mut term = |id: Option<SchemaId>| id.map(|id| lowering.schema(id));
    let members = term(schema.unevaluated_properties);
    let items = term(schema.unevaluated_items);
    let mut all = Vec::new();
    for (keyword, value) in [
        ("unevaluatedProperties", members),
        ("unevaluatedItems", items),
    ] {
        let Some(value) = value else { continue };
        let formula = walked.and_then(|()| match keyword {
            "unevaluatedProperties" => found.members(lowering, value),
            _ => found.items(lowering, value),
        });
        all.push(formula.unwrap_or_else(|why| {
            let about = vec![lowering.terms.unlike_any()];
            lowering.opaque(id, keyword, why.to_owned(), about)
        }));
    }
    lowering.terms.and(all)
}

impl Walk<'_, '_> {
    /// Asks a schema in place; its own `unevaluated*` count where it is not the one in question.
    fn schema(&mut self, id: SchemaId, condition: Term, counts: bool) -> Result<(), &'static str> {
        let scope = self.lowering.enter(id);
        if self.path.contains(&(id, scope)) {
            return Err("a definition leads back to itself without a step into the value");
        }
        if condition == Term::FALSE || !self.seen.insert((id, scope, condition)) {
            return Ok(());
        }
        if self.seen.len() > MAX_PLACES || self.path.len() > MAX_DEPTH {
            return Err("too many branches decide what is evaluated");
        }
        self.path.push((id, scope));
        let outer = std::mem::replace(&mut self.lowering.scope, scope);
        let walked = stacker::maybe_grow(RED_ZONE, STACK, || self.keywords(id, condition, counts));
        self.lowering.scope = outer;
        self.path.pop();
        walked
    }

    /// Asks the keywords of one schema, those of the schemas in place included.
    fn keywords(
        &mut self,
        id: SchemaId,
        condition: Term,
        counts: bool,
    ) -> Result<(), &'static str> {
        let document = self.lowering.document;
        let schema = document.schema(id);
        let found = &mut self.found;
        let names = schema.properties.keys().cloned();
        found.names.extend(names.map(|name| (name, condition)));
        let patterns = schema.pattern_properties.iter();
        let patterns = patterns.map(|entry| (entry.pattern.clone(), condition));
        found.patterns.extend(patterns);
        if schema.additional_properties.is_some()
            || (counts && schema.unevaluated_properties.is_some())
        {
            found.all_members.push(condition);
        }
        if !schema.prefix_items.is_empty() {
            let count = schema.prefix_items.len();
            found.prefixes.push((count, condition));
        }
        if schema.items.is_some() || (counts && schema.unevaluated_items.is_some()) {
            found.all_items.push(condition);
        }
        if let Some(contains) = schema.contains
            && document.resource(id).contains_evaluates
        {
            let contained = self.lowering.reached(contains);
            self.found.contained.push((contained, condition));
        }
        let dynamic = self.lowering.dynamic_target(id);
        for target in schema.reference.iter().chain(&dynamic) {
            match target {
                Target::Schema(target) => self.schema(*target, condition, true)?,
                Target::External(_) => return Err("a schema beside it is not in this document"),
            }
        }
        for part in &schema.all_of {
            self.schema(*part, condition, true)?;
        }
        for branch in schema.any_of.iter().chain(&schema.one_of) {
            let holds = self.lowering.reached(*branch);
            self.branch(*branch, condition, holds)?;
        }
        if let Some(conditional) = schema.conditional {
            let holds = self.lowering.reached(conditional.condition);
            self.branch(conditional.condition, condition, holds)?;
            if let Some(then) = conditional.then {
                self.branch(then, condition, holds)?;
            }
            if let Some(otherwise) = conditional.otherwise {
                self.branch(otherwise, condition, !holds)?;
            }
        }
        for (name, dependent) in &schema.dependent.schemas {
            let present = self.lowering.terms.has(name);
            self.branch(*dependent, condition, present)?;
        }
        Ok(())
    }

    /// Asks a schema that is in place where one more condition holds.
    fn branch(&mut self, id: SchemaId, condition: Term, more: Term) -> Result<(), &'static str> {
        let condition = self.lowering.terms.and([condition, more]);
        self.schema(id, condition, true)
    }
}

impl Evaluated {
    /// Every member that is not evaluated has such a value.
    fn members(&self, lowering: &mut Lowering<'_>, value: Term) -> Result<Term, &'static str> {
        let terms = &mut *lowering.terms;
        // The conditions on which each name, and each pattern, is looked at.
        let mut names: Map<&str, Vec<Term>> = Map::default();
        for (name, condition) in &self.names {
            names.entry(name).or_default().push(*condition);
        }
        let mut patterns: Vec<(Term, Vec<Term>)> = Vec::new();
        for (pattern, condition) in &self.patterns {
            // Each of these patterns is lowered with its place as well.
            let pattern = terms.pattern(pattern, || undecided("", "").origin);
            match patterns.iter_mut().find(|(other, _)| *other == pattern) {
                Some((_, conditions)) => conditions.push(*condition),
                None => patterns.push((pattern, vec![*condition])),
            }
        }
        let always: Vec<Term> = patterns
            .extract_if(.., |(_, conditions)| conditions.contains(&Term::TRUE))
            .map(|(pattern, _)| !pattern)
            .collect();
        let always = terms.and(always);
        // Names that are looked at on the same conditions go together.
        let mut groups: Map<Term, Vec<&str>> = Map::default();
        for (name, conditions) in &names {
            let condition = terms.or(conditions.iter().copied());
            groups.entry(condition).or_default().push(name);
        }
        let mut groups: Vec<(Term, Vec<&str>)> = groups.into_iter().collect();
        groups.sort_unstable();
        let all = terms.or(self.all_members.iter().copied());
        let mut parts = Vec::new();
        for chosen in subsets(patterns.len())? {
            let mut region = vec![always];
            let mut excuses = vec![all];
            for (index, (pattern, conditions)) in patterns.iter().enumerate() {
                let inside = chosen & (1 << index) != 0;
                region.push(pattern.negated_if(!inside));
                if inside {
                    excuses.extend(conditions);
                }
            }
            let region = terms.and(region);
            let excused = terms.or(excuses);
            for (condition, names) in &groups {
                if *condition == Term::TRUE {
                    continue;
                }
                let names: Vec<_> = names.iter().map(|name| terms.name(name)).collect();
                let members = if region == Term::TRUE {
                    let members = names
                        .into_iter()
                        .map(|name| terms.atom(Shape::Property(name, value)));
                    let members: Vec<Term> = members.collect();
                    terms.and(members)
                } else {
                    let names = terms.strings(names);
                    let names = terms.and([names, region]);
                    let names = terms.typed(names, TypeSet::STRING);
                    terms.atom(Shape::Members(names, value))
                };
                parts.push(terms.or([excused, *condition, members]));
            }
            let beside = names.keys().map(|name| terms.name(name)).collect();
            let beside = terms.strings(beside);
            let beside = terms.and([!beside, region]);
            let beside = terms.typed(beside, TypeSet::STRING);
            let members = terms.atom(Shape::Members(beside, value));
            parts.push(terms.or([excused, members]));
        }
        Ok(terms.and(parts))
    }

    /// Every element that is not evaluated is so.
    fn items(&self, lowering: &mut Lowering<'_>, value: Term) -> Result<Term, &'static str> {
        let terms = &mut *lowering.terms;
        let all = terms.or(self.all_items.iter().copied());
        let mut bounds: Vec<usize> = self.prefixes.iter().map(|(count, _)| *count).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let (always, conditional): (Vec<_>, Vec<_>) = self
            .contained
            .iter()
            .partition(|(_, condition)| *condition == Term::TRUE);
        let mut parts = Vec::new();
        for excused in subsets(conditional.len())? {
            // An element that is not as demanded is contained in what some condition excuses.
            let mut excuses = vec![all];
            let mut demands = vec![value];
            demands.extend(always.iter().map(|(contained, _)| *contained));
            for (index, (contained, condition)) in conditional.iter().enumerate() {
                if excused & (1 << index) != 0 {
                    excuses.push(*condition);
                } else {
                    demands.push(*contained);
                }
            }
            let demand = terms.or(demands);
            let mut from = 0;
            for to in &bounds {
                // Elements before this bound are looked at where a prefix at least as long is.
                let longer = self.prefixes.iter().filter(|(count, _)| count >= to);
                let longer: Vec<Term> = longer.map(|(_, condition)| *condition).collect();
                let elements = (from..*to).map(|index| terms.atom(Shape::Item(index, demand)));
                let elements: Vec<Term> = elements.collect();
                let elements = terms.and(elements);
                parts.push(terms.or(excuses.iter().copied().chain(longer).chain([elements])));
                from = *to;
            }
            let rest = terms.atom(Shape::Items(from, demand));
            parts.push(terms.or(excuses.into_iter().chain([rest])));
        }
        Ok(terms.and(parts))
    }
}

/// All choices out of so many, each as a set of bits.
fn subsets(count: usize) -> Result<std::ops::Range<usize>, &'static str> {
    if count > MAX_CONDITIONAL {
        return Err("too many branches decide what is evaluated");
    }
    Ok(0..1 << count)
}
