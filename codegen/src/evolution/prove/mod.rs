//! The inclusion prover: whether every document of one schema is a document of another.
//!
//! `left` is in `right` where no value satisfies `left` and the negation of `right`. Both become
//! formulas of one arena ([`lower`]), in which equal definitions are one ([`close`]); then a value
//! is looked for ([`solve`]). The value that is found is the document that shows why not; where
//! the search ends without one, there is none. This knows nothing of the wire view, so that the two
//! can check each other.
//!
//! ```
//! use wirelock_codegen::evolution::prove::{Inclusion, included};
//! use wirelock_codegen::{json::Source, schema::Document};
//! let read = |text| Document::read(Source::new("s.json", text)).unwrap();
//! let any = read(r#"{"type": "integer"}"#);
//! let low = read(r#"{"type": "integer", "maximum": 9}"#);
//! assert_eq!(included(&low, &any), Inclusion::Holds);
//! let Inclusion::Fails(refutation) = included(&any, &low) else { panic!() };
//! assert_eq!(refutation.document.as_deref(), Ok("10"));
//! ```

mod arrays;
mod close;
mod document;
mod evaluate;
mod known;
mod lower;
mod matching;
mod numbers;
mod objects;
mod shortest;
mod solve;
mod term;
mod text;
mod unevaluated;
mod values;

use crate::schema::{Document, SchemaId};
use crate::wire::Undecided;
use lower::Lowering;
use solve::{Outcome, Prover};
use term::{Term, Terms, undecided};

/// The answer to whether every document valid under one schema is valid under another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inclusion {
    /// Every document is.
    Holds,
    /// Some document is not.
    Fails(Refutation),
    /// It could not be decided, and why.
    Open(Vec<Undecided>),
}

/// What shows that an inclusion fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    /// A document, as JSON text, that the left schema takes and the right one refuses; without one,
    /// why there is none (it would be too large to write down, say).
    pub document: Result<String, String>,
    /// The definition it is a document of, where the schemas have no root and are compared
    /// definition by definition.
    pub definition: Option<String>,
}

/// Whether every document valid under `left` is valid under `right`.
///
/// Schemas whose roots constrain nothing are compared definition by definition, as far as both
/// have a definition of the name.
#[must_use]
pub fn included(left: &Document, right: &Document) -> Inclusion {
    match Pair::read(left, right) {
        Ok(mut pair) => pair.decide(|one, other| (one, other)),
        Err(open) => Inclusion::Open(vec![open]),
    }
}

/// Both inclusions, of `left` in `right` and the other way round; see [`included`].
#[must_use]
pub fn both(left: &Document, right: &Document) -> [Inclusion; 2] {
    match Pair::read(left, right) {
        Ok(mut pair) => [
            pair.decide(|one, other| (one, other)),
            pair.decide(|one, other| (other, one)),
        ],
        Err(open) => [
            Inclusion::Open(vec![open.clone()]),
            Inclusion::Open(vec![open]),
        ],
    }
}

/// Something that decides inclusions.
pub trait Prove {
    /// See [`included`].
    fn included(&self, left: &Document, right: &Document) -> Inclusion;

    /// See [`both`].
    fn both(&self, left: &Document, right: &Document) -> [Inclusion; 2] {
        [self.included(left, right), self.included(right, left)]
    }
}

impl<F: Fn(&Document, &Document) -> Inclusion> Prove for F {
    fn included(&self, left: &Document, right: &Document) -> Inclusion {
        self(left, right)
    }
}

/// The prover of this module.
#[derive(Debug, Clone, Copy)]
pub struct Search;

impl Prove for Search {
    fn included(&self, left: &Document, right: &Document) -> Inclusion {
        included(left, right)
    }

    fn both(&self, left: &Document, right: &Document) -> [Inclusion; 2] {
        both(left, right)
    }
}

/// Two schemas as formulas: root by root, or definition by definition where both have no root.
struct Pair {
    prover: Prover,
    parts: Vec<(Option<String>, Term, Term)>,
}

impl Pair {
    fn read(left: &Document, right: &Document) -> Result<Self, Undecided> {
        for document in [left, right] {
            if let Some((name, id, _)) = &document.unknown_vocabulary {
                return Err(Undecided {
                    keyword: "$vocabulary".to_owned(),
                    origin: document.origin(*id),
                    why: format!("the vocabulary {name:?} is required and not known here"),
                });
            }
        }
        let mut names = vec![(None, left.root, right.root)];
        if left.is_rootless() && right.is_rootless() {
            let shared = left.definitions.iter().filter_map(|(name, id)| {
                let (_, other) = right.definitions.iter().find(|(other, _)| other == name)?;
                Some((Some(name.clone()), *id, *other))
            });
            names = shared.collect();
        }
        let mut terms = Terms::new();
        let mut roots = Vec::new();
        for (document, right) in [(left, false), (right, true)] {
            let mut lowering = Lowering::new(&mut terms, document);
            for (_, one, other) in &names {
                let id: SchemaId = if right { *other } else { *one };
                roots.push(lowering.root(id));
            }
        }
        let roots = terms.close(&roots);
        let (ones, others) = roots.split_at(names.len());
        let sides = ones.iter().zip(others);
        let part = |((name, ..), (one, other)): ((Option<String>, _, _), (&Term, &Term))| {
            (name, *one, *other)
        };
        Ok(Self {
            parts: names.into_iter().zip(sides).map(part).collect(),
            prover: Prover::new(terms),
        })
    }

    /// Decides an inclusion; `turn` says which side is in which.
    fn decide(&mut self, turn: fn(Term, Term) -> (Term, Term)) -> Inclusion {
        let prover = &mut self.prover;
        prover.refill();
        let mut open = Vec::new();
        for (definition, one, other) in &self.parts {
            let (inner, outer) = turn(*one, *other);
            let goal = prover.terms.and([inner, !outer]);
            let outcome = prover.solve(goal);
            if prover.terms.is_exhausted() {
                let why = "the formulas of the schemas grow beyond what is worked with";
                return Inclusion::Open(vec![undecided("(budget)", why)]);
            }
            match outcome {
                Outcome::Unsat => {}
                Outcome::Unknown(reason) => {
                    open.push(prover.terms.reasons[reason as usize].clone());
                }
                Outcome::Sat(model) => {
                    let document = model.text().ok_or_else(|| {
                        "a document that shows it would be too large to write down".to_owned()
                    });
                    return Inclusion::Fails(Refutation {
                        document,
                        definition: definition.clone(),
                    });
                }
            }
        }
        if open.is_empty() {
            Inclusion::Holds
        } else {
            Inclusion::Open(open)
        }
    }
}
