//! Formulas of exact values: those of `const` and `enum`, and those that a proof found.

use super::term::{Name, Shape, Term, Terms, undecided};
use crate::json::{Decimal, Node, Value};
use crate::schema::TypeSet;

impl Terms {
    /// One of some strings.
    pub(super) fn strings(&mut self, mut names: Vec<Name>) -> Term {
        names.sort_unstable();
        names.dedup();
        let strings = self.atom(Shape::Strings(names.into()));
        let kind = self.types(TypeSet::STRING);
        self.and([strings, kind])
    }

    /// One of some numbers.
    pub(super) fn numbers(&mut self, mut numbers: Vec<Decimal>) -> Term {
        numbers.sort();
        numbers.dedup();
        let numbers = self.atom(Shape::Numbers(numbers.into()));
        let kind = self.types(TypeSet::NUMBER);
        self.and([numbers, kind])
    }

    /// A number whose exponent is past anything that can be worked with.
    pub(super) fn absurd_number(&mut self, text: &str) -> Term {
        let about = self.named(text);
        let why = "a number has an exponent beyond reason";
        let value = self.opaque(undecided("enum", why), vec![about]);
        let kind = self.types(TypeSet::NUMBER);
        self.and([value, kind])
    }

    /// Exactly this value. The recursion is along the value, whose reader bounds its depth.
    pub(super) fn value(&mut self, node: &Node) -> Term {
        match &node.value {
            Value::Null => self.types(TypeSet::NULL),
            Value::Bool(value) => {
                let is_true = self.atom(Shape::IsTrue);
                let kind = self.types(TypeSet::BOOLEAN);
                self.and([is_true.negated_if(!value), kind])
            }
            Value::Number(text) => match Decimal::parse(text) {
                Some(number) => self.numbers(vec![number]),
                None => self.absurd_number(text),
            },
            Value::String(text) => {
                let name = self.name(text);
                self.strings(vec![name])
            }
            Value::Array(elements) => {
                let parts: Vec<Term> = elements.iter().map(|element| self.value(element)).collect();
                self.array_of(parts)
            }
            Value::Object(members) => {
                let parts: Vec<(&str, Term)> = members
                    .iter()
                    .map(|member| (&*member.name, self.value(&member.node)))
                    .collect();
                self.object_of(parts)
            }
        }
    }

    /// An array of exactly these elements.
    pub(super) fn array_of(&mut self, elements: Vec<Term>) -> Term {
        let count = elements.len() as u64;
        let mut all = vec![
            self.types(TypeSet::ARRAY),
            self.atom(Shape::MinItems(count)),
            !self.atom(Shape::MinItems(count + 1)),
        ];
        for (index, element) in elements.into_iter().enumerate() {
            all.push(self.atom(Shape::Item(index, element)));
        }
        self.and(all)
    }

    /// An object of exactly these members.
    pub(super) fn object_of(&mut self, members: Vec<(&str, Term)>) -> Term {
        let mut all = vec![self.types(TypeSet::OBJECT)];
        let names = members.iter().map(|(name, _)| *name);
        all.push(self.members_beside(names, std::iter::empty(), Term::FALSE));
        for (name, value) in members {
            let name = self.name(name);
            all.push(self.atom(Shape::Required(name)));
            all.push(self.atom(Shape::Property(name, value)));
        }
        self.and(all)
    }
}
