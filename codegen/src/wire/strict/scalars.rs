//! Numbers and strings of an emitted schema.

use super::{Emitter, Mode};
use crate::json::{self, Literal};
use crate::wire::make::{count, decimal, list, literal, object, string, typed};
use crate::wire::{NumberFacts, Residual, Scalar, StringFacts};

impl Emitter<'_> {
    pub(super) fn scalar<F: Default>(
        &mut self,
        scalar: &Scalar<F>,
        mode: Mode,
        name: &str,
        facts: fn(&mut Self, &F) -> json::Node,
    ) -> Vec<json::Node> {
        let open_enum = scalar.is_open_enum();
        if open_enum && mode == Mode::Open {
            return vec![typed(name, Vec::new())];
        }
        let mut all = Vec::new();
        if !scalar.known.is_empty() {
            let known = scalar
                .known
                .iter()
                .map(|known| literal(&known.value))
                .collect();
            all.push(object(vec![("enum", list(known))]));
        }
        if !(open_enum && mode == Mode::Strict) {
            all.extend(scalar.tails.iter().map(|tail| facts(self, tail)));
        }
        all
    }

    pub(super) fn number(&mut self, facts: &NumberFacts) -> json::Node {
        let mut members = Vec::new();
        let bounds = [
            ("minimum", "exclusiveMinimum", &facts.minimum),
            ("maximum", "exclusiveMaximum", &facts.maximum),
        ];
        for (inclusive, exclusive, bound) in bounds {
            if let Some(bound) = bound {
                members.push((
                    if bound.exclusive {
                        exclusive
                    } else {
                        inclusive
                    },
                    decimal(&bound.value),
                ));
            }
        }
        let divisors = facts
            .multiple_of
            .iter()
            .map(|divisor| ("multipleOf", decimal(divisor)));
        let formats = facts
            .formats
            .iter()
            .map(|format| ("format", string(format)));
        let repeated = divisors.chain(formats).collect();
        let name = if facts.integer { "integer" } else { "number" };
        self.assemble(name, members, repeated, &facts.excluded, &facts.residual)
    }

    pub(super) fn string(&mut self, facts: &StringFacts) -> json::Node {
        let mut members = Vec::new();
        if facts.min_length > 0 {
            members.push(("minLength", count(facts.min_length)));
        }
        if let Some(max) = facts.max_length {
            members.push(("maxLength", count(max)));
        }
        let patterns = facts
            .patterns
            .iter()
            .map(|pattern| ("pattern", string(pattern)));
        let formats = facts
            .formats
            .iter()
            .map(|format| ("format", string(format)));
        // What bytes a text stands for is for readers; no reading accepts other documents for it.
        let content = facts.content.iter().filter_map(|said| {
            let (name, value) = said.split_once('=')?;
            let keywords = ["contentEncoding", "contentMediaType"].into_iter();
            let keyword = keywords.filter(|_| self.described.is_some());
            Some((
                keyword.into_iter().find(|keyword| *keyword == name)?,
                string(value),
            ))
        });
        let repeated = patterns.chain(formats).chain(content).collect();
        self.assemble(
            "string",
            members,
            repeated,
            &facts.excluded,
            &facts.residual,
        )
    }

    /// A scalar's schema; keywords that occur more than once need a subschema each.
    fn assemble(
        &mut self,
        name: &str,
        mut members: Vec<(&'static str, json::Node)>,
        repeated: Vec<(&'static str, json::Node)>,
        excluded: &[Literal],
        residual: &[Residual],
    ) -> json::Node {
        let mut together = Vec::new();
        for (keyword, value) in repeated {
            if members.iter().any(|(present, _)| *present == keyword) {
                together.push(vec![(keyword, value)]);
            } else {
                members.push((keyword, value));
            }
        }
        if !excluded.is_empty() {
            let values = list(excluded.iter().map(literal).collect());
            members.push(("not", object(vec![("enum", values)])));
        }
        self.finish(name, members, together, residual)
    }
}
