//! Samples of what may stand at a place: smallest, fullest, by chance, or with a given element.
//!
//! A sample keeps the facts of every place it visits; what facts do not express (`not`, `if`,
//! exclusive unions) it does not look at. Who needs certainty asks a validator afterwards and
//! takes the next seed.
//!
//! ```
//! use wirelock_codegen::{json, wire};
//! let text = r#"{"type":"object","properties":{"n":{"type":"integer","minimum":5},"s":{"type":"string"}},"required":["n"]}"#;
//! let wire = wire::read("s.json", text).unwrap();
//! let mut out = String::new();
//! json::write(&wire::sample(&wire, wire.roots[0].node, &wire::SampleOptions::minimal()).unwrap(), &mut out);
//! assert_eq!(out, r#"{"n":5}"#);
//! ```

mod height;
mod members;
mod number;
mod path;
mod random;
mod sampler;
mod text;

use super::{ElementKey, NodeId, Wire};
use crate::json;
use height::heights;
use path::{Step, path_to};
use sampler::Sampler;

/// How much a sample holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// What must stand and nothing else.
    Minimal,
    /// Every member, and an element for every alternative, as far as the budgets go.
    Maximal,
    /// By the seed.
    Random,
}

/// What a sample may hold and cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleOptions {
    /// How much it holds.
    pub style: Style,
    /// The same seed gives the same sample.
    pub seed: u64,
    /// Whether it may hold what the contract does not know: catch-alls, other values of open
    /// enums, undeclared members.
    pub unknown: bool,
    /// The deepest nesting.
    pub depth: u32,
    /// About how many values; past it a sample goes on with what must stand.
    pub size: usize,
}

impl SampleOptions {
    /// The smallest document.
    #[must_use]
    pub fn minimal() -> Self {
        Self {
            style: Style::Minimal,
            seed: 0,
            unknown: false,
            depth: 100,
            size: 10_000,
        }
    }

    /// A document with everything in it.
    #[must_use]
    pub fn maximal() -> Self {
        Self {
            style: Style::Maximal,
            depth: 12,
            size: 400,
            ..Self::minimal()
        }
    }

    /// A document by chance.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self {
            style: Style::Random,
            seed,
            depth: 12,
            size: 200,
            ..Self::minimal()
        }
    }
}

/// A document for a place; `None` where the facts there were too much for the sampler.
///
/// Who takes many samples keeps a [`Samples`].
#[must_use]
pub fn sample(wire: &Wire, node: NodeId, options: &SampleOptions) -> Option<json::Node> {
    Samples::new(wire).any(node, options)
}

/// The source of samples of one wire view: what all of them need is found out once.
#[derive(Debug)]
pub struct Samples<'a> {
    wire: &'a Wire,
    /// How deep the shallowest value of each place is; `None` where none is within reach.
    heights: Vec<Option<u32>>,
}

/// The choices on the way from a place to an element, see [`Samples::way_to`].
#[derive(Debug, Clone)]
pub struct Way {
    start: NodeId,
    steps: Vec<Step>,
}

impl<'a> Samples<'a> {
    /// Looks at every place once.
    #[must_use]
    pub fn new(wire: &'a Wire) -> Self {
        Self {
            wire,
            heights: heights(wire),
        }
    }

    /// A document for a place; `None` where the facts there were too much for the sampler.
    #[must_use]
    pub fn any(&self, node: NodeId, options: &SampleOptions) -> Option<json::Node> {
        Sampler::new(self, options).value(node, &[], "text", options.depth)
    }

    /// A shortest way to an element below `start`.
    ///
    /// `first` says which object alternatives of the start may be taken, which is how a caller
    /// keeps to lines that may stand in the middle of a run.
    #[must_use]
    pub fn way_to(
        &self,
        start: NodeId,
        key: &ElementKey,
        first: &dyn Fn(usize) -> bool,
    ) -> Option<Way> {
        let steps = path_to(self.wire, start, key, first)?;
        Some(Way { start, steps })
    }

    /// A document that exercises the element at the end of a way.
    ///
    /// The members on the way are as few as possible, whatever the style; what the element itself
    /// holds follows the style.
    #[must_use]
    pub fn along(&self, way: &Way, options: &SampleOptions) -> Option<json::Node> {
        if way.steps.len() > options.depth as usize {
            return None;
        }
        Sampler::new(self, options).value(way.start, &way.steps, "text", options.depth)
    }
}
