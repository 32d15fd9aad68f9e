//! The answers about sets of documents, and the check of the wire diff and the prover against each other.
//!
//! ```
//! use wirelock_codegen::evolution::{self, Answer, Revision, prove};
//! use wirelock_codegen::{json::Source, schema::Document, wire};
//! let document = |text: &str| Document::read(Source::new("s.json", text)).unwrap();
//! let (old, new) = (document(r#"{"type": "null"}"#), document(r#"{"type": "null"}"#));
//! let (old_wire, new_wire) = (wire::build(&old).unwrap(), wire::build(&new).unwrap());
//! let comparison = evolution::compare(&old_wire, &new_wire);
//! let old = Revision { document: &old, wire: &old_wire };
//! let new = Revision { document: &new, wire: &new_wire };
//! let answers = evolution::answer(old, new, &comparison, prove::Search);
//! assert_eq!(answers.backward.answer, Answer::Yes);
//! ```

use super::prove::{Inclusion, Prove};
use super::witness::{Doubt, Judge, Side, Witness, confirm_refutation};
use super::{Answer, Comparison, Verdict};
use crate::json::Source;
use crate::schema::Document;
use crate::wire::{Reading, Root, Start, Undecided, Wire, schema_at};

/// A revision as it is written and as it stands on the wire.
#[derive(Clone, Copy)]
pub struct Revision<'a> {
    /// As written.
    pub document: &'a Document,
    /// The wire view of that document.
    pub wire: &'a Wire,
}

/// The answers about sets of documents for one pair of revisions.
#[derive(Debug, Clone)]
pub struct Answers {
    /// Whether every document valid under the old revision is valid under the new one.
    pub backward: Direction,
    /// Whether every document valid under the new revision is valid under the old one.
    pub forward: Direction,
    /// Where the wire diff and the prover contradict each other.
    pub conflicts: Vec<Contradiction>,
}

/// The answer in one direction.
#[derive(Debug, Clone)]
pub struct Direction {
    /// The answer.
    pub answer: Answer,
    /// What a *no* rests on; nothing for the other answers.
    pub refuted: Option<Refuted>,
    /// What kept the question open; nothing where it is not, or where nobody asked further.
    pub undecided: Vec<Undecided>,
}

/// What a *no* rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refuted {
    /// A document that changes sides, as an independent validator confirmed.
    By(Witness),
    /// There is no such document to show, and this is why.
    Stated(String),
}

/// Two statements that cannot both hold.
#[derive(Debug, Clone)]
pub struct Contradiction {
    /// Which statements.
    pub message: String,
    /// The document that shows it.
    pub witness: Witness,
}

/// Answers both directions, and checks them against the comparison.
///
/// The comparison has to be that of the two wire views at the levels of the catalogue, with
/// nothing added: settings say what is allowed, and these answers are about what is.
pub fn answer(
    old: Revision<'_>,
    new: Revision<'_>,
    comparison: &Comparison,
    prover: impl Prove,
) -> Answers {
    let verdict = comparison.verdict();
    if verdict == Verdict::Identical {
        // It is the verdict on equal texts alone, and equal texts take the same documents.
        return Answers::same();
    }
    let judges = (Judge::new(old.document), Judge::new(new.document));
    let same_wire = verdict == Verdict::Editorial;
    let mut conflicts = Vec::new();
    let mut direction = |side, inclusion| {
        let (from, to) = match side {
            Side::Old => ((old, &judges.0), (new, &judges.1)),
            Side::New => ((new, &judges.1), (old, &judges.0)),
        };
        let about = (Reading::Published, side);
        let found = match inclusion {
            Inclusion::Holds => Direction::of(Answer::Yes),
            Inclusion::Open(_) if same_wire => Direction::of(Answer::Yes),
            Inclusion::Open(undecided) => Direction {
                undecided,
                ..Direction::of(Answer::Unknown)
            },
            Inclusion::Fails(refutation) => {
                match confirm_refutation((from.1, to.1), about, &refutation) {
                    Ok(Ok(witness)) => Direction::no(Refuted::By(witness)),
                    Ok(Err(why)) if same_wire => Direction::doubtful(
                        to.0.document,
                        &format!(
                            "the wire is the same, and the prover says that documents change sides without showing one: {why}"
                        ),
                    ),
                    Ok(Err(why)) => Direction::no(Refuted::Stated(why)),
                    Err(doubt) => Direction::doubted(to.0.document, &doubt),
                }
            }
        };
        if let (true, Some(Refuted::By(witness))) = (same_wire, &found.refuted) {
            conflicts.push(Contradiction {
                message: "the wire diff says that the same documents are valid before and after, and this document changes sides".to_owned(),
                witness: witness.clone(),
            });
        }
        found
    };
    let [kept, known] = prover.both(old.document, new.document);
    let backward = direction(Side::Old, kept);
    let forward = direction(Side::New, known);
    if matches!(verdict, Verdict::Editorial | Verdict::Additive) {
        conflicts.extend(readings_that_shrank(old.wire, new.wire, &prover));
    }
    Answers {
        backward,
        forward,
        conflicts,
    }
}

impl Answers {
    /// The same documents are valid under both revisions.
    #[must_use]
    pub fn same() -> Self {
        Self {
            backward: Direction::of(Answer::Yes),
            forward: Direction::of(Answer::Yes),
            conflicts: Vec::new(),
        }
    }
}

impl Direction {
    fn of(answer: Answer) -> Self {
        Self {
            answer,
            refuted: None,
            undecided: Vec::new(),
        }
    }

    fn no(refuted: Refuted) -> Self {
        Self {
            refuted: Some(refuted),
            ..Self::of(Answer::No)
        }
    }

    fn doubted(document: &Document, doubt: &Doubt) -> Self {
        Self::doubtful(document, &doubt.to_string())
    }

    /// Open for a reason that is no keyword's: it is told at the root of the schema that should
    /// have refused.
    fn doubtful(document: &Document, why: &str) -> Self {
        let undecided = Undecided {
            keyword: "(witness)".to_owned(),
            origin: document.origin(document.root),
            why: why.to_owned(),
        };
        Self {
            undecided: vec![undecided],
            ..Self::of(Answer::Unknown)
        }
    }
}

/// What growth must not do: the strict reading of old is part of that of new, and the open reading
/// of new is part of that of old. Each follows from an additive change and neither suffices for
/// one, so a failure is a contradiction, and an open question is nothing.
fn readings_that_shrank(old: &Wire, new: &Wire, prover: &impl Prove) -> Vec<Contradiction> {
    let mut found = Vec::new();
    for before in &old.roots {
        // Without a root each definition is a schema of its own, and those of one side alone have
        // no counterpart that could contradict them.
        let Some(after) = new.roots.iter().find(|root| root.name == before.name) else {
            continue;
        };
        let strict = [(old, before), (new, after)];
        let open = [(new, after), (old, before)];
        for (reading, side, pair) in [
            (Reading::Strict, Side::Old, strict),
            (Reading::Open, Side::New, open),
        ] {
            let witness = shrank(reading, side, pair, prover);
            found.extend(witness.map(|witness| Contradiction {
                message: match reading {
                    Reading::Strict => "the wire diff finds nothing but growth, and the strict reading of old takes a document that the strict reading of new refuses".to_owned(),
                    _ => "the wire diff finds nothing but growth, and the open reading of new takes a document that the open reading of old refuses".to_owned(),
                },
                witness: Witness {
                    definition: before.name.clone(),
                    ..witness
                },
            }));
        }
    }
    found
}

/// A document that shows one reading not to be part of the other, where there is one.
fn shrank(
    reading: Reading,
    side: Side,
    [from, to]: [(&Wire, &Root); 2],
    prover: &impl Prove,
) -> Option<Witness> {
    let emit = |(wire, root): (&Wire, &Root)| schema_at(wire, reading, Start::Node(root.node));
    let (from, to) = (emit(from), emit(to));
    if from == to {
        return None;
    }
    // A reading that cannot be read back proves nothing either way.
    let read = |text| Document::read(Source::new("reading", text)).ok();
    let (from, to) = (read(from)?, read(to)?);
    let Inclusion::Fails(refutation) = prover.included(&from, &to) else {
        return None;
    };
    let judges = (&Judge::new(&from), &Judge::new(&to));
    confirm_refutation(judges, (reading, side), &refutation)
        .ok()?
        .ok()
}

#[cfg(test)]
pub(crate) mod sides;
#[cfg(test)]
mod tests;
