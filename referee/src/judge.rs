//! One case through every checker, each answer held against set truth or against documents.

use crate::cases::Case;
use crate::checkers::{Answer, CHECKERS};
use serde_json::Value;
use std::time::{Duration, Instant};
use wirelock_tests::Chance;
use wirelock_tests::documents::{Stock, document};

/// Documents tried against a yes, in one direction.
const DOCUMENTS: usize = 300;
/// Schemas of more bytes than this are tried with few documents, since each costs most there.
const LARGE: usize = 100_000;

/// What an answer turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grade {
    Right,
    WrongYes,
    WrongNo,
    /// A definite answer that neither truth nor a document confirms or refutes.
    Unproved,
    Unknown,
    Error,
}

/// One direction of a case, judged.
pub(crate) struct Judged {
    /// The case and the direction, as `suites/karapace/some-pair:backward`.
    pub(crate) id: String,
    pub(crate) answers: Vec<Answer>,
    pub(crate) grades: Vec<Grade>,
    /// Whether the inclusion holds, where truth or a document settles it.
    pub(crate) settled: Option<bool>,
    /// A document that refutes the inclusion, where one is known.
    pub(crate) document: Option<String>,
    /// Checkers whose document does not show what they say it shows.
    pub(crate) false_witnesses: Vec<(usize, String)>,
    /// Whether a document contradicts the truth that came with the case.
    pub(crate) false_truth: bool,
}

/// Asks everyone about both directions; adds the time each took to `times`.
pub(crate) fn judge(case: &Case, times: &mut [Duration]) -> [Judged; 2] {
    let asked: Vec<[Answer; 2]> = CHECKERS
        .iter()
        .zip(times)
        .map(|(checker, time)| {
            let started = Instant::now();
            let answers = checker.ask(&case.old, &case.new);
            *time += started.elapsed();
            answers
        })
        .collect();
    let judges = Judges::of(case);
    [0, 1].map(|direction| {
        let answers: Vec<Answer> = asked.iter().map(|both| both[direction].clone()).collect();
        one_direction(case, direction, answers, judges.as_ref())
    })
}

fn one_direction(
    case: &Case,
    direction: usize,
    answers: Vec<Answer>,
    judges: Option<&Judges>,
) -> Judged {
    let mut found = None;
    let mut false_witnesses = Vec::new();
    for (at, answer) in answers.iter().enumerate() {
        let (Answer::No(Some(text)), Some(judges)) = (answer, judges) else {
            continue;
        };
        if judges.refutes(direction, text) {
            found = found.or_else(|| Some(text.clone()));
        } else {
            false_witnesses.push((at, text.clone()));
        }
    }
    let definite = |answer: &Answer| matches!(answer, Answer::Yes | Answer::No(None));
    let truth = case.truth[direction];
    // A pool is dear, and of use only where something is claimed that nothing has shown yet.
    if found.is_none()
        && truth != Some(false)
        && answers.iter().any(definite)
        && let Some(judges) = judges
    {
        found = judges.search(case, direction);
    }
    let settled = if found.is_some() { Some(false) } else { truth };
    let grades = answers
        .iter()
        .map(|answer| match (answer, settled) {
            (Answer::Yes, Some(true)) | (Answer::No(_), Some(false)) => Grade::Right,
            (Answer::Yes, Some(false)) => Grade::WrongYes,
            (Answer::No(_), Some(true)) => Grade::WrongNo,
            (Answer::Yes | Answer::No(_), None) => Grade::Unproved,
            (Answer::Unknown(_), _) => Grade::Unknown,
            (Answer::Error(_), _) => Grade::Error,
        })
        .collect();
    Judged {
        id: format!("{}:{}", case.id, ["backward", "forward"][direction]),
        answers,
        grades,
        settled,
        false_truth: truth == Some(true) && found.is_some(),
        document: found,
        false_witnesses,
    }
}

/// The two schemas as the independent validator reads them, formats being annotations.
struct Judges {
    schemas: [Value; 2],
    validators: [jsonschema::Validator; 2],
}

impl Judges {
    /// Nothing where the validator refuses one of them.
    fn of(case: &Case) -> Option<Self> {
        let read = |text: &str| serde_json::from_str::<Value>(text).ok();
        let schemas = [read(&case.old)?, read(&case.new)?];
        let compile = |schema: &Value| {
            jsonschema::options()
                .should_validate_formats(false)
                .offline()
                .build(schema)
                .ok()
        };
        let validators = [compile(&schemas[0])?, compile(&schemas[1])?];
        Some(Self {
            schemas,
            validators,
        })
    }

    /// Whether a document is valid on the left of a direction and invalid on its right.
    fn refutes(&self, direction: usize, text: &str) -> bool {
        serde_json::from_str(text).is_ok_and(|value| self.tells(direction, &value))
    }

    fn tells(&self, direction: usize, value: &Value) -> bool {
        self.validators[direction].is_valid(value)
            && !self.validators[1 - direction].is_valid(value)
    }

    /// The first document of a pool that refutes; the pool is a function of the case's id.
    fn search(&self, case: &Case, direction: usize) -> Option<String> {
        let seed = case.id.bytes().fold(0_u64, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        let mut chance = Chance::of(seed, direction);
        let stock = Stock::of(&[&self.schemas[0], &self.schemas[1]]);
        let count = if case.old.len() + case.new.len() > LARGE {
            DOCUMENTS / 10
        } else {
            DOCUMENTS
        };
        (0..count)
            .map(|number| {
                // Most documents are made for the side that has to take them.
                let side = if number % 4 == 3 {
                    1 - direction
                } else {
                    direction
                };
                document(&self.schemas[side], &stock, &mut chance)
            })
            .find(|value| self.tells(direction, value))
            .map(|value| value.to_string())
    }
}
