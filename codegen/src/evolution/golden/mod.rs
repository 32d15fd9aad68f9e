//! Goldens: recorded runs that hold every element of a contract, in canonical bytes.
//!
//! ```
//! # use wirelock_codegen::wire::Wire;
//! # fn show(wire: &Wire, schema: &str) {
//! let report = wirelock_codegen::evolution::check_goldens(wire, schema, &[("run.jsonl", "{\"type\":\"x\"}\n")]);
//! for fault in &report.faults {
//!     eprintln!("{}:{}: {}", fault.file, fault.line, fault.message);
//! }
//! for element in &report.uncovered {
//!     eprintln!("no golden holds {}", element.subject);
//! }
//! # }
//! ```

mod append;
mod framing;
mod place;
mod proof;
#[cfg(test)]
mod proof_tests;
#[cfg(test)]
mod reading_tests;
mod shared;
#[cfg(test)]
pub(super) mod tests;
mod validators;

pub use append::check_append_only;
pub(super) use framing::has_members;
pub(super) use place::{set, unset};
pub use proof::{Proof, prove_additions};
pub(super) use validators::shortened;
pub use validators::{Problem, Validators, compile, instance};

use crate::json::{self, Position, Source};
use crate::wire::{
    Element, ElementKey, Kind, Reading, Unknown, Walk, Wire, canonical, elements, walk_document,
};
use std::collections::HashSet;

/// Something in a golden that is not as it has to be.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Fault {
    /// Name of the file, as it was handed in.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1, where one place can be named.
    pub column: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// All that a check of goldens yields.
#[derive(Debug, Clone, Default)]
pub struct GoldenReport {
    /// What is wrong, by file and line.
    pub faults: Vec<Fault>,
    /// Elements that no line exercises.
    pub uncovered: Vec<Element>,
    /// How many lines were read.
    pub lines: usize,
    /// How many elements are exercised.
    pub covered: usize,
}

/// One line of a golden.
pub(super) struct Line<'a> {
    /// From 1.
    pub(crate) number: u32,
    /// Without its line end.
    pub(crate) text: &'a str,
    /// The document, where the line holds one.
    pub(crate) node: Option<json::Node>,
}

/// Checks goldens, given as name and text of each file, against a contract.
///
/// `schema_text` is the schema as published; it is run through the validator as it is, so that a
/// mistake of the wire view cannot hide one of a golden.
#[must_use]
pub fn check_goldens(wire: &Wire, schema_text: &str, files: &[(&str, &str)]) -> GoldenReport {
    let mut report = GoldenReport::default();
    let published = match compile(schema_text, false) {
        Ok(validator) => Some(validator),
        Err(message) => {
            report.faults.push(Fault {
                file: "the schema".to_owned(),
                line: 1,
                column: None,
                message: format!("the published schema cannot be used: {message}"),
                help: "check it with `cargo xtask check-schema`".to_owned(),
            });
            None
        }
    };
    let validators = Validators::new(wire);
    let mut exercised: HashSet<ElementKey> = HashSet::new();
    for (file, text) in files {
        check_final_newline(file, text, &mut report.faults);
        let lines = read_lines(text);
        report.lines += lines.len();
        for line in &lines {
            let mut checker = Checker {
                file,
                line,
                source: Source::new(*file, line.text),
                faults: &mut report.faults,
            };
            if let Some(walk) = checker.check(wire, published.as_ref(), &validators) {
                exercised.extend(walk.exercised.into_iter().map(|found| found.key));
            }
        }
        if let Some(contract) = &wire.contract {
            framing::check_run(contract, file, &lines, &mut report.faults);
        }
    }
    let all = elements(wire);
    report.covered = all
        .iter()
        .filter(|element| exercised.contains(&element.key()))
        .count();
    report.uncovered = all
        .into_iter()
        .filter(|element| !exercised.contains(&element.key()))
        .collect();
    report
}

/// The lines of a text, each with what it holds.
pub(super) fn read_lines(text: &str) -> Vec<Line<'_>> {
    let pieces = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let pieces = pieces.filter(|_| !text.is_empty()).zip(1..);
    pieces
        .map(|(text, number)| Line {
            number,
            text,
            node: json::parse(text).ok(),
        })
        .collect()
}

fn check_final_newline(file: &str, text: &str, faults: &mut Vec<Fault>) {
    if !text.is_empty() && !text.ends_with('\n') {
        let line = u32::try_from(text.split('\n').count()).unwrap_or(u32::MAX);
        let message = "the last line has no line end".to_owned();
        faults.push(Fault {
            file: file.to_owned(),
            line,
            column: None,
            message,
            help: "end the file with a newline".to_owned(),
        });
    }
}

struct Checker<'a> {
    file: &'a str,
    line: &'a Line<'a>,
    source: Source,
    faults: &'a mut Vec<Fault>,
}

impl Checker<'_> {
    /// The walk of a line that is valid in every respect that decides what it exercises.
    fn check(
        &mut self,
        wire: &Wire,
        published: Option<&jsonschema::Validator>,
        validators: &Validators<'_>,
    ) -> Option<Walk> {
        let text = self.line.text;
        if let Some(at) = text.bytes().position(|byte| byte < 0x20) {
            let message = "a raw control byte stands in the line".to_owned();
            self.fault(
                offset(at),
                message,
                "escape it (terminal colours begin with one); lines end with a newline alone",
            );
        }
        let bound = wire
            .contract
            .as_ref()
            .map_or(u64::MAX, |contract| contract.max_frame_bytes);
        if text.len() as u64 > bound {
            self.fault(
                0,
                format!("the line is longer than the frame bound of {bound} bytes"),
                "keep the line shorter",
            );
        }
        let Some(node) = &self.line.node else {
            let (at, message) = match json::parse(text) {
                Err(error) => (error.at, error.message),
                Ok(_) => (0, String::new()),
            };
            self.fault(
                at,
                format!("no JSON: {message}"),
                "each line is one JSON object",
            );
            return None;
        };
        // A run is made of objects; what other contracts hold is for their schema to say.
        if wire.contract.is_some() && !matches!(node.value, json::Value::Object(_)) {
            self.fault(
                node.at,
                format!("a JSON {} stands here", node.type_name()),
                "each line is one JSON object",
            );
            return None;
        }
        let Some(value) = instance(node) else {
            self.fault(
                node.at,
                "a number is beyond what JSON readers take".to_owned(),
                "write a number that a double holds",
            );
            return None;
        };
        if published.is_some_and(|validator| !validator.is_valid(&value)) {
            let mut problems = validators.problems(Reading::Published, node);
            if problems.is_empty() {
                let errors = published
                    .into_iter()
                    .flat_map(|validator| validator.iter_errors(&value));
                problems.extend(errors.map(|error| {
                    Problem {
                        at: error.instance_path().as_str().to_owned(),
                        offset: node
                            .pointer(error.instance_path().as_str())
                            .map_or(node.at, |node| node.at),
                        message: validators::shortened(&error.to_string()),
                    }
                }));
            }
            self.problems("the schema", problems);
            return None;
        }
        let walk = walk_document(wire, node, validators);
        for place in &walk.loose_integers {
            let message = format!(
                "the integer at {} is written with a fraction or an exponent",
                shown(&place.at)
            );
            self.fault(place.offset, message, "write plain digits");
        }
        let strict = validators.accepts(Reading::Strict, node);
        if !strict {
            for unknown in &walk.unknown {
                self.unknown(unknown);
            }
            if walk.unknown.is_empty() {
                self.problems(
                    "the strict reading",
                    validators.problems(Reading::Strict, node),
                );
            }
            return None;
        }
        self.canonical(&canonical(wire, node, validators));
        walk.unknown.is_empty().then_some(walk)
    }

    fn unknown(&mut self, unknown: &Unknown) {
        let at = shown(&unknown.at);
        let what = match unknown.kind {
            Kind::Field => format!("the contract does not know the member at {at}"),
            Kind::Value => format!(
                "the contract does not know the value {:?} at {at}",
                unknown.name
            ),
            Kind::Variant => format!(
                "the contract does not know the variant {:?} at {at}",
                unknown.name
            ),
        };
        let help = "goldens hold what the contract knows; declare it, or move the sample to the forward tests";
        self.fault(unknown.offset, what, help);
    }

    fn problems(&mut self, reading: &str, problems: Vec<Problem>) {
        for problem in problems {
            let message = format!(
                "{reading} refuses {}: {}",
                shown(&problem.at),
                problem.message
            );
            self.fault(
                problem.offset,
                message,
                "correct the golden, or the schema where it is the one that is wrong",
            );
        }
    }

    fn canonical(&mut self, expected: &str) {
        if expected == self.line.text {
            return;
        }
        let same = expected
            .bytes()
            .zip(self.line.text.bytes())
            .take_while(|(left, right)| left == right)
            .count();
        // Step back to a character's start, so that the quoted rest is text.
        let at = (0..=same)
            .rev()
            .find(|at| expected.is_char_boundary(*at))
            .unwrap_or(0);
        let rest: String = expected[at..].chars().take(60).collect();
        let message = format!("the line is not in canonical bytes: here it goes on {rest:?}");
        self.fault(
            offset(at),
            message,
            "write members in the order of the schema, without spaces",
        );
    }

    fn fault(&mut self, at: u32, message: String, help: &str) {
        let Position { column, .. } = self.source.position(at);
        self.faults.push(Fault {
            file: self.file.to_owned(),
            line: self.line.number,
            column: Some(column),
            message,
            help: help.to_owned(),
        });
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn shown(pointer: &str) -> &str {
    if pointer.is_empty() {
        "the line"
    } else {
        pointer
    }
}
