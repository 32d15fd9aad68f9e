//! The root annotation `x-contract`: what JSON Schema itself cannot say about a stream.

use crate::json::Literal;
use indexmap::IndexMap;

/// The `x-contract` annotation of a stream contract.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {
    /// The capability whose rule of growth holds, as `stream_v1`.
    pub capability: String,
    /// `item` or `envelope`.
    pub framing: String,
    /// Member values of the first line of a run.
    pub first: IndexMap<String, Literal>,
    /// Member values of the line that ends a run.
    pub terminal: IndexMap<String, Literal>,
    /// JSON Pointer of the strictly increasing sequence number.
    pub sequence: Option<String>,
    /// JSON Pointer of the identifier that is constant in a run.
    pub session: Option<String>,
    /// JSON Pointer of the time of a line.
    pub timestamp: Option<String>,
    /// `allow` or `require-newline`.
    pub final_line: String,
    /// The largest frame, in bytes without the line end.
    pub max_frame_bytes: u64,
    /// Where the first line advertises capabilities, and which lines each of them gates.
    pub capabilities: Option<Capabilities>,
    /// Names of the members that are the homes of provider detail.
    pub extension_points: Vec<String>,
}

/// Capabilities that a run advertises in its first line.
#[derive(Debug, Clone, PartialEq)]
pub struct Capabilities {
    /// JSON Pointer, in the first line, of the array of advertised capabilities.
    pub at: String,
    /// For each gating capability, the lines (as member values) that stand only where it is advertised.
    pub gates: IndexMap<String, Vec<IndexMap<String, Literal>>>,
}
