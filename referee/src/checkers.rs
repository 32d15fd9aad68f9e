//! Who is asked: one function a checker, from two texts to an answer for each direction.

use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;
use wirelock_codegen::evolution::prove::{Inclusion, included};
use wirelock_codegen::evolution::{self, Verdict};
use wirelock_codegen::json::Source;
use wirelock_codegen::schema::Document;
use wirelock_codegen::wire;

/// How long one checker may take over one pair.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Peers recurse, and a stack that overflows would take the other answers with it.
const STACK: usize = 512 << 20;

/// Whether every document of the one schema is one of the other.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    Yes,
    /// With a document, as JSON text, where the checker gives one.
    No(Option<String>),
    Unknown(String),
    Error(String),
}

/// The answers for backward (old in new) and forward (new in old).
pub(crate) type Answers = [Answer; 2];

/// One who is asked.
pub(crate) struct Checker {
    pub(crate) name: &'static str,
    /// Whether it is this project's; a wrong answer of such a one fails the run.
    pub(crate) is_ours: bool,
    ask: fn(&str, &str) -> Answers,
}

/// The prover, which everything is about.
pub(crate) const PROVER: usize = 0;

/// Everyone, the project's own first.
pub(crate) const CHECKERS: [Checker; 4] = [
    Checker {
        name: "prover",
        is_ours: true,
        ask: prover,
    },
    Checker {
        name: "wire diff",
        is_ours: true,
        ask: wire_diff,
    },
    Checker {
        name: "jsoncompat",
        is_ours: false,
        ask: jsoncompat,
    },
    Checker {
        name: "canonical",
        is_ours: false,
        ask: canonical,
    },
];

impl Checker {
    /// Asks within the time limit; a panic is an error and no end.
    ///
    /// A thread that is out of time cannot be stopped and is left behind.
    pub(crate) fn ask(&self, old: &str, new: &str) -> Answers {
        let (send, receive) = mpsc::channel();
        let (ask, old, new) = (self.ask, old.to_owned(), new.to_owned());
        let spawned = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || {
                let answers = catch_unwind(AssertUnwindSafe(|| ask(&old, &new)));
                let answers = answers.unwrap_or_else(|panic| {
                    both(Answer::Error(format!("panicked: {}", panic_text(&*panic))))
                });
                // Nobody listens any more where the time was up.
                let _ = send.send(answers);
            });
        if let Err(error) = spawned {
            return both(Answer::Error(error.to_string()));
        }
        receive
            .recv_timeout(TIME_LIMIT)
            .unwrap_or_else(|_| both(Answer::Unknown("out of time".to_owned())))
    }
}

fn prover(old: &str, new: &str) -> Answers {
    let read = |name: &str, text: &str| Document::read(Source::new(name, text));
    let (old, new) = match (read("old", old), read("new", new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(error), _) | (_, Err(error)) => return both(Answer::Error(error.to_string())),
    };
    let ask = |left: &Document, right: &Document| match included(left, right) {
        Inclusion::Holds => Answer::Yes,
        // Roots that constrain nothing make it ask about definitions, which no other checker does.
        Inclusion::Fails(refutation) if refutation.definition.is_some() => {
            Answer::Unknown("it answers definition by definition".to_owned())
        }
        Inclusion::Fails(refutation) => Answer::No(refutation.document.ok()),
        Inclusion::Open(why) => Answer::Unknown(why.first().map_or_else(
            || "no reason given".to_owned(),
            |one| format!("{} at {}: {}", one.keyword, one.origin.pointer, one.why),
        )),
    };
    [ask(&old, &new), ask(&new, &old)]
}

/// The diff says yes where it takes the wire for the same, and claims nothing elsewhere.
fn wire_diff(old: &str, new: &str) -> Answers {
    match (wire::read("old", old), wire::read("new", new)) {
        (Ok(old), Ok(new)) => match evolution::compare(&old, &new).verdict() {
            Verdict::Identical | Verdict::Editorial => both(Answer::Yes),
            Verdict::Additive | Verdict::Breaking | Verdict::Unknown => {
                both(Answer::Unknown("it claims nothing".to_owned()))
            }
        },
        (Err(error), _) | (_, Err(error)) => both(Answer::Error(error.to_string())),
    }
}

/// Inclusion of the sets as they are is what its role of a serializer asks, with the sides swapped
/// for backward; its other role leaves out documents that it takes for unlikely.
fn jsoncompat(old: &str, new: &str) -> Answers {
    use jsoncompat::{CompatibilityResult, Role, SchemaDocument, analyze_compat};
    let read = |text: &str| -> Result<SchemaDocument, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        SchemaDocument::from_json(&value).map_err(|error| error.to_string())
    };
    let (old, new) = match (read(old), read(new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(error), _) | (_, Err(error)) => return both(Answer::Error(error)),
    };
    let ask = |left: &SchemaDocument, right: &SchemaDocument| match analyze_compat(
        right,
        left,
        Role::Serializer,
    ) {
        Ok(CompatibilityResult::Compatible) => Answer::Yes,
        Ok(CompatibilityResult::Incompatible { counterexample, .. }) => {
            Answer::No(Some(counterexample.to_string()))
        }
        Ok(CompatibilityResult::Unknown { reason }) => Answer::Unknown(reason),
        Err(error) => Answer::Error(error.to_string()),
    };
    [ask(&old, &new), ask(&new, &old)]
}

fn canonical(old: &str, new: &str) -> Answers {
    use jsonschema::CanonicalizationError;
    use jsonschema::canonical::{CanonicalSchema, Containment, options};
    let read = |text: &str| -> Result<CanonicalSchema, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        options()
            .offline()
            .should_validate_formats(false)
            .canonicalize(&value)
            .map_err(|error| error.to_string())
    };
    let (old, new) = match (read(old), read(new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(error), _) | (_, Err(error)) => return both(Answer::Error(error)),
    };
    let ask = |left: &CanonicalSchema, right: &CanonicalSchema| match right.covers(left) {
        Ok(Containment::Yes) => Answer::Yes,
        Ok(Containment::No) => Answer::No(None),
        Ok(Containment::Unknown) => Answer::Unknown("neither was established".to_owned()),
        // It says so itself of what its form has no room for.
        Err(
            error @ (CanonicalizationError::UnsupportedOperand
            | CanonicalizationError::UnsupportedResult),
        ) => Answer::Unknown(error.to_string()),
        Err(error) => Answer::Error(error.to_string()),
    };
    [ask(&old, &new), ask(&new, &old)]
}

fn both(answer: Answer) -> Answers {
    [answer.clone(), answer]
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
