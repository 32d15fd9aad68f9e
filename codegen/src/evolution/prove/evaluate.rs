//! Whether a value is as a formula says: plain evaluation, no search.

use super::close::{RED_ZONE, STACK};
use super::document::Model;
use super::solve::Prover;
use super::term::{Name, Shape, Term};
use crate::schema::TypeSet;
use std::collections::HashSet;
use std::rc::Rc;

impl Prover {
    /// `None` where that cannot be told: an opaque formula, a pattern that no automaton has, or a
    /// value that was never written out.
    ///
    /// The recursion is along the value, with the formula's own nesting in each step.
    pub(super) fn holds(&mut self, term: Term, value: &Model) -> Option<bool> {
        self.spend(1);
        let kind = kind_of(value)?;
        if !self.terms.mask(term).overlaps(kind) {
            return Some(false);
        }
        if !self.terms.mask(!term).overlaps(kind) {
            return Some(true);
        }
        let typed = self.terms.typed(term, kind);
        let holds = || self.holds_typed(typed.bare(), value);
        let answer = stacker::maybe_grow(RED_ZONE, STACK, holds)?;
        Some(answer != typed.is_negated())
    }

    fn holds_typed(&mut self, term: Term, value: &Model) -> Option<bool> {
        let shape = self.terms.shape(term).clone();
        Some(match (&shape, value) {
            (Shape::True, _) => true,
            (Shape::And(parts), _) => return self.all(parts.iter().map(|part| (*part, value))),
            (Shape::Opaque(..) | Shape::AtMostOne(_) | Shape::Reference(_), _) => return None,
            (Shape::IsTrue, Model::Boolean(value)) => *value,
            (Shape::Numbers(numbers), Model::Number(number)) => {
                numbers.binary_search(number).is_ok()
            }
            (Shape::AtLeast { value, exclusive }, Model::Number(number)) => {
                number > value || (!exclusive && number == value)
            }
            (Shape::MultipleOf(step), Model::Number(number)) => return number.is_multiple_of(step),
            (Shape::Strings(names), Model::String(text)) => {
                let known = self.terms.known_name(text);
                known.is_some_and(|name| names.binary_search(&name).is_ok())
            }
            (Shape::MinLength(length), Model::String(text)) => {
                text.chars().count() as u64 >= *length
            }
            (Shape::Pattern(number), Model::String(text)) => {
                self.spend(text.len() / 16);
                return self.automata.matches(&self.terms, *number, text);
            }
            (Shape::Item(index, part), Model::Array(elements)) => match elements.get(*index) {
                Some(element) => return self.holds(*part, element),
                None => true,
            },
            (Shape::Items(from, part), Model::Array(elements)) => {
                return self.all(
                    elements
                        .iter()
                        .skip(*from)
                        .map(|element| (*part, &**element)),
                );
            }
            (Shape::MinItems(count), Model::Array(elements)) => elements.len() as u64 >= *count,
            (Shape::Contains(part, count), Model::Array(elements)) => {
                let (mut sure, mut unsure) = (0, 0);
                for element in elements {
                    match self.holds(*part, element) {
                        Some(true) => sure += 1,
                        Some(false) => {}
                        None => unsure += 1,
                    }
                }
                if sure >= *count {
                    true
                } else if sure + unsure < *count {
                    false
                } else {
                    return None;
                }
            }
            (Shape::Unique, Model::Array(_)) if !value.is_written() => return None,
            (Shape::Unique, Model::Array(elements)) => {
                let distinct: HashSet<&Rc<Model>> = elements.iter().collect();
                distinct.len() == elements.len()
            }
            (Shape::Required(name), Model::Object(members)) => {
                member(members, self.terms.text(*name)).is_some()
            }
            (Shape::Property(name, part), Model::Object(members)) => {
                match member(members, &self.terms.text(*name).clone()) {
                    Some(value) => return self.holds(*part, value),
                    None => true,
                }
            }
            (Shape::Members(names, part), Model::Object(members)) => {
                let mut unsure = false;
                for (name, value) in members {
                    match self.holds(*names, &Model::String(name.clone())) {
                        Some(false) => continue,
                        answer => match (answer, self.holds(*part, value)) {
                            (_, Some(true)) => {}
                            (Some(true), Some(false)) => return Some(false),
                            _ => unsure = true,
                        },
                    }
                }
                if unsure {
                    return None;
                }
                true
            }
            (Shape::MinProperties(count), Model::Object(members)) => members.len() as u64 >= *count,
            // An atom of another type holds.
            _ => true,
        })
    }

    /// Whether all hold; one that does not decides, whatever is unknown of others.
    fn all<'m>(&mut self, parts: impl Iterator<Item = (Term, &'m Model)>) -> Option<bool> {
        let mut unsure = false;
        for (part, value) in parts {
            match self.holds(part, value) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => unsure = true,
            }
        }
        (!unsure).then_some(true)
    }

    /// Whether a member name is as a formula says.
    pub(super) fn name_holds(&mut self, names: Term, name: Name) -> Option<bool> {
        if let Shape::Strings(strings) = self.terms.shape(names) {
            return Some(strings.binary_search(&name).is_ok() != names.is_negated());
        }
        let text = self.terms.text(name).clone();
        self.holds(names, &Model::String(text))
    }
}

fn member<'m>(members: &'m [(Rc<str>, Rc<Model>)], name: &str) -> Option<&'m Model> {
    let index = members
        .binary_search_by(|(other, _)| (**other).cmp(name))
        .ok()?;
    Some(&members[index].1)
}

fn kind_of(value: &Model) -> Option<TypeSet> {
    Some(match value {
        Model::Null => TypeSet::NULL,
        Model::Boolean(_) => TypeSet::BOOLEAN,
        Model::Number(_) => TypeSet::NUMBER,
        Model::String(_) => TypeSet::STRING,
        Model::Array(_) => TypeSet::ARRAY,
        Model::Object(_) => TypeSet::OBJECT,
        Model::Unwritable => return None,
    })
}
