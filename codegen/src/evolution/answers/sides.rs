//! Two revisions from their texts, for tests that ask the layers with a prover of their own.

use super::{Answers, Revision, answer};
use crate::evolution::prove::Prove;
use crate::evolution::{Comparison, compare};
use crate::json::Source;
use crate::schema::Document;
use crate::wire::{self, Wire};

/// Reads a schema that a test gives.
pub(crate) fn document(text: &str) -> Document {
    Document::read(Source::new("s.json", text)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Two revisions, read.
pub(crate) struct Sides {
    pub(crate) old: (Document, Wire),
    pub(crate) new: (Document, Wire),
}

impl Sides {
    pub(crate) fn read(old: &str, new: &str) -> Self {
        let side = |text| {
            let document = document(text);
            let wire = wire::build(&document).unwrap_or_else(|error| panic!("{error}\n{text}"));
            (document, wire)
        };
        Self {
            old: side(old),
            new: side(new),
        }
    }

    pub(crate) fn comparison(&self) -> Comparison {
        compare(&self.old.1, &self.new.1)
    }

    /// The answers beside a comparison, which a test may have made wrong.
    pub(crate) fn answers(&self, comparison: &Comparison, prover: impl Prove) -> Answers {
        let [old, new] = [&self.old, &self.new].map(|(document, wire)| Revision { document, wire });
        answer(old, new, comparison, prover)
    }
}
