//! The audit of recordings: every line against its contract, and every run against its rules.
//!
//! A wire view is laid out as tables once ([`Audit::new`]), and one pass over the bytes of a line
//! then says whether it is valid and what in it is unknown. Nothing is read or written here: the
//! caller hands in a recording in blocks that begin and end with lines. Blocks stand for
//! themselves, so several threads may read them; [`Recording`] takes them in their order.
//!
//! ```
//! use wirelock_codegen::audit::{Audit, Options};
//! let wire = wirelock_codegen::wire::read("s.json", r#"{
//!     "x-contract": {"capability": "v1", "terminal": {"type": "result"}},
//!     "type": "object", "required": ["type"], "properties": {"type": {"type": "string"}}
//! }"#).unwrap();
//! let audit = Audit::new(&wire, &Options::default()).unwrap();
//! let (findings, totals) = audit.check(b"{\"type\":\"step\"}\n{\"type\":7}\n");
//! let codes: Vec<_> = findings.iter().map(|finding| (finding.code.as_str(), finding.line)).collect();
//! assert_eq!(codes, [("STREAM_ITEM_INVALID", 2), ("STREAM_TERMINAL_MISSING", 2)]);
//! assert_eq!((totals.lines, totals.errors), (2, 2));
//! ```

mod apart;
mod check;
mod codes;
mod compile;
mod dispatch;
mod document;
mod explain;
mod finding;
mod lines;
mod objects;
mod rules;
mod runs;
mod scalars;
mod table;
mod text;
mod unknown;

pub use crate::about::About;
pub use codes::{CODES, Explained, explained};
pub use finding::{Code, Finding, Level, Totals};
pub use lines::Block;
pub use runs::Recording;

use crate::wire::Wire;
use rules::Rules;
use wirelock_runtime::FinalLine;

/// What the caller asks beyond the contract, and before it.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What the contract does not know is an error, and formats are asserted.
    pub strict: bool,
    /// A change of the session begins a new run.
    pub many_runs: bool,
    /// The largest frame, in bytes without the line end.
    pub max_frame_bytes: Option<u64>,
    /// What a last line without a line end means.
    pub final_line: Option<FinalLine>,
}

/// Where a block stands in its recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// It is the first one.
    pub first: bool,
    /// Nothing follows.
    pub last: bool,
}

/// A contract, laid out for recordings.
///
/// A schema without the annotation of a contract has no runs: its lines alone are checked.
#[derive(Debug)]
pub struct Audit {
    table: table::Table,
    rules: Rules,
    unchecked: Vec<String>,
    contract: bool,
    capability: String,
    strict: bool,
    many_runs: bool,
    max_frame_bytes: u64,
    final_line: FinalLine,
}

/// A contract is beyond what an audit takes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the annotation `x-contract` is beyond the audit: {0}")]
pub struct AuditError(&'static str);

impl Audit {
    /// Lays a contract out.
    ///
    /// # Errors
    /// Its annotation gates more lines than can be told apart.
    pub fn new(wire: &Wire, options: &Options) -> Result<Self, AuditError> {
        let contract = wire.contract.as_ref();
        let rules = match contract {
            Some(contract) => Rules::of(contract).map_err(AuditError)?,
            None => Rules::default(),
        };
        let (table, unchecked) = compile::compile(wire, rules.marks.clone());
        let final_line = contract.map(|contract| match contract.final_line.as_str() {
            "require-newline" => FinalLine::RequireNewline,
            _ => FinalLine::Allow,
        });
        let own_bytes = contract.map(|contract| contract.max_frame_bytes);
        Ok(Self {
            table,
            unchecked,
            contract: contract.is_some(),
            capability: contract.map_or_else(String::new, |one| one.capability.clone()),
            strict: options.strict,
            many_runs: options.many_runs,
            max_frame_bytes: options.max_frame_bytes.or(own_bytes).unwrap_or(16 << 20),
            final_line: options
                .final_line
                .or(final_line)
                .unwrap_or(FinalLine::Allow),
            rules,
        })
    }

    /// What of the contract is not checked, and why; mostly nothing.
    #[must_use]
    pub fn unchecked(&self) -> &[String] {
        &self.unchecked
    }

    /// The largest frame, in bytes without the line end.
    #[must_use]
    pub fn max_frame_bytes(&self) -> u64 {
        self.max_frame_bytes
    }

    /// Reads a block. It begins with a line; it ends with one, or is the last one, or is cut in a
    /// line that is too large.
    #[must_use]
    pub fn block(&self, bytes: &[u8], part: Part) -> Block {
        lines::read(self, bytes, part)
    }

    /// A recording that no block of has come yet.
    #[must_use]
    pub fn recording(&self) -> Recording<'_> {
        Recording::new(self)
    }

    /// Audits a recording that is there as a whole.
    #[must_use]
    pub fn check(&self, bytes: &[u8]) -> (Vec<Finding>, Totals) {
        let mut findings = Vec::new();
        let mut out = |finding| findings.push(finding);
        let mut recording = self.recording();
        let part = Part {
            first: true,
            last: true,
        };
        recording.add(self.block(bytes, part), &mut out);
        let totals = recording.finish(&mut out);
        (findings, totals)
    }

    /// Whether a text is one item of the contract, whatever of it is unknown; `true` in the second
    /// place where nothing is.
    #[must_use]
    pub fn accepts(&self, text: &str) -> (bool, bool) {
        let mut check = check::Check::new(&self.table, text, true, Vec::new(), Vec::new());
        let valid = check.run().is_ok();
        let known = check.found.iter().all(check::Found::is_spelling);
        (valid, valid && known)
    }
}
