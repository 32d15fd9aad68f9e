//! From a comparison and the answers about sets to a report, and from a report to its outcome.

use super::{
    Conflict, Evidence, Finding, Outcome, Policy, Question, Report, Side, Sources, Unknown, Wires,
    Witness, Witnesses,
};
use crate::evolution::{self, Answer, Answers, Comparison, Level, Refuted, Verdict};
use crate::wire::Undecided;

impl Report {
    /// A report on a comparison, judged by its changes alone.
    #[must_use]
    pub fn new(comparison: &Comparison) -> Self {
        let additive = comparison.additive();
        // Nothing but equal texts is told without the prover.
        let sets = match comparison.verdict() {
            Verdict::Identical => Answer::Yes,
            _ => Answer::Unknown,
        };
        let mut report = Self {
            id: None,
            verdict: comparison.verdict(),
            additive,
            backward: sets,
            forward: sets,
            policy: Policy::default(),
            accepted: additive == Answer::Yes,
            guards: Vec::new(),
            changes: comparison.changes.iter().map(Finding::from).collect(),
            missing_goldens: Vec::new(),
            unknown: Vec::new(),
            conflicts: Vec::new(),
            problems: Vec::new(),
            witnesses: Witnesses::default(),
            coverage: None,
            notes: Vec::new(),
            old_name: String::new(),
            new_name: String::new(),
            sources: Sources::default(),
            wires: Wires::default(),
        };
        report.leave_open(Question::Additive, &comparison.undecided);
        report
    }

    /// Adds the answers about sets of documents, with what they rest on. A conflict is refused.
    pub fn add_answers(&mut self, answers: &Answers) {
        (self.backward, self.forward) = (answers.backward.answer, answers.forward.answer);
        self.leave_open(Question::Backward, &answers.backward.undecided);
        self.leave_open(Question::Forward, &answers.forward.undecided);
        for refuted in [&answers.backward.refuted, &answers.forward.refuted] {
            if let Some(Refuted::By(witness)) = refuted {
                self.attach(witness);
            }
        }
        self.witnesses = Witnesses {
            backward: answers.backward.refuted.as_ref().map(Evidence::from),
            forward: answers.forward.refuted.as_ref().map(Evidence::from),
        };
        let conflicts = answers.conflicts.iter().map(|conflict| Conflict {
            message: conflict.message.clone(),
            witness: Witness::of(&conflict.witness),
        });
        self.conflicts.extend(conflicts);
        if !self.conflicts.is_empty() {
            // A document shows that what the rules call growth is none.
            (self.verdict, self.additive) = (Verdict::Breaking, Answer::No);
            self.accepted = false;
        }
    }

    /// Judges by a policy: accepted is what it asks for and nothing else. What the lock, records
    /// and goldens hold against a change belongs to the additive policy, and is up to the caller.
    pub fn settle(&mut self, policy: Policy) {
        self.policy = policy;
        self.accepted = self.answer() == Answer::Yes && self.conflicts.is_empty();
    }

    /// The answer to the question that the policy asks.
    #[must_use]
    pub fn answer(&self) -> Answer {
        match self.policy {
            Policy::Additive => self.additive,
            Policy::Backward => self.backward,
            Policy::Forward => self.forward,
            Policy::Full => match (self.backward, self.forward) {
                (Answer::No, _) | (_, Answer::No) => Answer::No,
                (Answer::Yes, Answer::Yes) => Answer::Yes,
                _ => Answer::Unknown,
            },
        }
    }

    /// What the report comes to.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let is_refused = match self.policy {
            Policy::Additive => {
                self.has_uncovered()
                    || !self.missing_goldens.is_empty()
                    || !self.problems.is_empty()
            }
            _ => self.answer() == Answer::No,
        };
        if self.accepted {
            Outcome::Accepted
        } else if is_refused || !self.conflicts.is_empty() {
            Outcome::Refused
        } else {
            Outcome::Undecided
        }
    }

    /// How many changes have that weight.
    #[must_use]
    pub fn count(&self, level: Level) -> usize {
        self.changes
            .iter()
            .filter(|change| change.level == level)
            .count()
    }

    /// Whether a refused finding stands that no record covers.
    #[must_use]
    pub fn has_uncovered(&self) -> bool {
        self.changes
            .iter()
            .any(|change| change.level == Level::Breaking && change.covered_by.is_none())
    }

    /// Whether something keeps a question open.
    #[must_use]
    pub fn is_open(&self, question: Question) -> bool {
        let mut unknown = self.unknown.iter();
        unknown.any(|unknown| unknown.questions.contains(&question))
    }

    /// One place often keeps several questions open, and is told once.
    fn leave_open(&mut self, question: Question, undecided: &[Undecided]) {
        for one in undecided {
            let mut entry = Unknown {
                pointer: one.origin.pointer.to_string(),
                keyword: one.keyword.clone(),
                why: one.why.clone(),
                questions: Vec::new(),
            };
            let known = self.unknown.iter_mut().find(|known| {
                (&known.pointer, &known.keyword, &known.why)
                    == (&entry.pointer, &entry.keyword, &entry.why)
            });
            match known {
                Some(known) if known.questions.contains(&question) => {}
                Some(known) => known.questions.push(question),
                None => {
                    entry.questions.push(question);
                    self.unknown.push(entry);
                }
            }
        }
    }

    /// Gives a witness to the change it shows: the one closest to where the refusing schema
    /// complains, of equally close ones the heaviest, and the heaviest of all where that tells
    /// nothing. A change keeps its first witness; the report has both at its top.
    fn attach(&mut self, witness: &evolution::Witness) {
        let findings = self.changes.iter().enumerate();
        let told = findings
            .filter(|(_, finding)| finding.level > Level::Editorial)
            .filter_map(|(index, finding)| Some((fit(finding, witness)?, finding.level, index)));
        // Of equals the first one, which is the order of the report.
        let best = told.max_by_key(|(fit, level, index)| (*fit, *level, std::cmp::Reverse(*index)));
        let index = best.map_or(0, |(.., index)| index);
        if let Some(finding) = self.changes.get_mut(index)
            && finding.level > Level::Editorial
            && finding.witness.is_none()
        {
            finding.witness = Witness::of(witness);
        }
    }
}

/// How closely the complaints of a witness are about a finding: whether they name its member, then
/// by how much of a place they share; nothing where they are about something else.
fn fit(finding: &Finding, witness: &evolution::Witness) -> Option<(bool, usize)> {
    let place = match witness.valid_under {
        Side::Old => finding.new.as_ref(),
        Side::New => finding.old.as_ref(),
    };
    let last = finding.subject.rsplit('.').next().unwrap_or_default();
    let fits = witness.complaints.iter().filter_map(|complaint| {
        let is_named = complaint.member.as_deref() == Some(last);
        let object = complaint
            .pointer
            .rsplit_once('/')
            .map_or("", |(above, _)| above);
        let place = place?.pointer.as_str();
        if is_named && place.starts_with(object) {
            return Some((true, place.len()));
        }
        let below = complaint.pointer.strip_prefix(place)?;
        // A member that is named belongs to the finding of that name, not to any one around it.
        let is_below = below.is_empty() || below.starts_with('/');
        (is_below && complaint.member.is_none()).then_some((false, place.len()))
    });
    fits.max()
}

impl Witness {
    /// A witness as reports show it.
    fn of(witness: &evolution::Witness) -> Option<Self> {
        // The text was written by this library, so it is JSON.
        let document = serde_json::value::RawValue::from_string(witness.document.clone()).ok()?;
        Some(Self {
            document,
            reading: witness.reading,
            valid_under: witness.valid_under,
            definition: witness.definition.clone(),
        })
    }
}

impl From<&Refuted> for Evidence {
    fn from(refuted: &Refuted) -> Self {
        let by = match refuted {
            Refuted::By(witness) => Witness::of(witness).map(Self::Document),
            Refuted::Stated(_) => None,
        };
        by.unwrap_or_else(|| Self::Reason {
            why: match refuted {
                Refuted::By(_) => "the document cannot be written down".to_owned(),
                Refuted::Stated(why) => why.clone(),
            },
        })
    }
}

#[cfg(test)]
mod tests;
