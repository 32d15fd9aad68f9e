//! Conflicts between checkers, and the table that explains each.

use crate::cases::{Case, Set};
use crate::checkers::{Answer, CHECKERS};
use crate::judge::Judged;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The explained conflicts, beside this package's manifest.
const TABLE: &str = "conflicts.toml";
/// What explains a conflict in which a confirmed document refutes peers and nobody else.
pub(crate) const REFUTED: &str = "refuted peers";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    #[serde(default)]
    kind: Vec<Kind>,
    #[serde(default)]
    truth: Vec<Correction>,
}

/// What a case says of a set and is not so.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Correction {
    id: String,
    holds: bool,
    why: String,
}

/// Reads the table, which is checked in.
pub(crate) fn read() -> Result<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

impl Table {
    /// The examples of the kinds, asked in every run, so that a kind that is none any more is seen.
    pub(crate) fn examples(&self) -> Set {
        let example = |kind: &Kind| Case {
            id: kind.example_id(),
            old: kind.example.old.clone(),
            new: kind.example.new.clone(),
            truth: [None, None],
            additive: None,
        };
        Set {
            name: "examples".to_owned(),
            cases: self.kind.iter().map(example).collect(),
        }
    }

    /// Puts right what the cases say; what is wrong with the corrections comes back.
    pub(crate) fn correct(&self, sets: &mut [Set]) -> Vec<String> {
        let mut faults = Vec::new();
        for row in &self.truth {
            if row.why.trim().is_empty() {
                faults.push(format!("{}: a correction without a reason", row.id));
            }
            let found = row.id.rsplit_once(':').and_then(|(id, direction)| {
                let mut cases = sets.iter_mut().flat_map(|set| &mut set.cases);
                let case = cases.find(|case| case.id == id)?;
                Some(&mut case.truth[usize::from(direction == "forward")])
            });
            // A set that was left out has nothing to put right.
            let Some(truth) = found else { continue };
            if truth.replace(row.holds) == Some(row.holds) {
                faults.push(format!("{}: the correction changes nothing", row.id));
            }
        }
        faults
    }
}

/// One kind of conflict that no document settles, explained.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    name: String,
    /// Who may be among those that say yes, and who among those that say no.
    yes: Vec<String>,
    no: Vec<String>,
    /// What those that say no show for it.
    shown: Shown,
    /// Words that all stand in the two schemas.
    words: Vec<String>,
    /// Whether the inclusion holds: `yes` or `no`.
    right: Right,
    why: String,
    example: Example,
}

/// Two schemas about which there is a conflict of the kind, in one direction or both.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    old: String,
    new: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Right {
    Yes,
    No,
}

/// What stands behind a no.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Shown {
    /// A document that the independent validator confirms.
    Confirmed,
    /// Documents alone that the validator denies.
    Denied,
    /// Nothing, from some of them at least.
    Nothing,
}

/// Two checkers said the opposite of each other.
#[derive(Serialize)]
pub(crate) struct Conflict {
    pub(crate) id: String,
    pub(crate) yes: Vec<&'static str>,
    pub(crate) no: Vec<&'static str>,
    shown: Shown,
    pub(crate) document: Option<String>,
    pub(crate) settled: Option<bool>,
    /// What explains it: a confirmed document that refutes nobody but peers, or a kind by its name.
    pub(crate) explained: Option<String>,
}

impl Kind {
    fn example_id(&self) -> String {
        format!("examples/{}", self.name)
    }

    fn covers(&self, conflict: &Conflict, case: &Case) -> bool {
        let within = |some: &[&str], all: &[String]| {
            some.iter().all(|name| all.iter().any(|one| one == name))
        };
        let says = |word: &String| case.old.contains(word) || case.new.contains(word);
        self.shown == conflict.shown
            && within(&conflict.yes, &self.yes)
            && within(&conflict.no, &self.no)
            && self.words.iter().all(says)
            && conflict
                .settled
                .is_none_or(|settled| settled == (self.right == Right::Yes))
    }
}

impl Table {
    /// The conflict in one direction of a case, where there is one, with what explains it.
    pub(crate) fn conflict(&self, case: &Case, judged: &Judged) -> Option<Conflict> {
        let who = |wanted: fn(&Answer) -> bool| -> Vec<usize> {
            let answers = judged.answers.iter().enumerate();
            let wanted = answers.filter(|(_, answer)| wanted(answer));
            wanted.map(|(at, _)| at).collect()
        };
        let yes = who(|answer| matches!(answer, Answer::Yes));
        let no = who(|answer| matches!(answer, Answer::No(_)));
        if yes.is_empty() || no.is_empty() {
            return None;
        }
        let is_denied = |at: &usize| judged.false_witnesses.iter().any(|(who, _)| who == at);
        let shown = match judged.document {
            Some(_) => Shown::Confirmed,
            None if no.iter().all(is_denied) => Shown::Denied,
            None => Shown::Nothing,
        };
        let refutes_peers_alone =
            shown == Shown::Confirmed && !yes.iter().any(|at| CHECKERS[*at].is_ours);
        let names = |who: Vec<usize>| who.into_iter().map(|at| CHECKERS[at].name).collect();
        let mut conflict = Conflict {
            id: judged.id.clone(),
            yes: names(yes),
            no: names(no),
            shown,
            document: judged.document.clone(),
            settled: judged.settled,
            explained: refutes_peers_alone.then(|| REFUTED.to_owned()),
        };
        if conflict.explained.is_none() {
            let kind = self.kind.iter().find(|kind| kind.covers(&conflict, case));
            conflict.explained = kind.map(|kind| kind.name.clone());
        }
        Some(conflict)
    }

    /// What is wrong with the table, given what was asked: each line is one fault.
    pub(crate) fn check(&self, conflicts: &[Conflict]) -> Vec<String> {
        let mut faults = Vec::new();
        let mut names = BTreeSet::from([REFUTED]);
        for kind in &self.kind {
            if !names.insert(&kind.name) {
                faults.push(format!("{}: a name of two kinds in {TABLE}", kind.name));
            }
            if kind.why.trim().is_empty() || kind.words.is_empty() {
                let name = &kind.name;
                faults.push(format!(
                    "{name}: a kind in {TABLE} without a reason or without words"
                ));
            }
            let id = kind.example_id();
            let is_example = |one: &Conflict| {
                let case = one.id.rsplit_once(':').map(|(case, _)| case);
                case == Some(&id) && one.explained.as_ref() == Some(&kind.name)
            };
            if !conflicts.iter().any(is_example) {
                faults.push(format!(
                    "{}: its example is no conflict of this kind any more, so the kind in {TABLE} goes",
                    kind.name
                ));
            }
        }
        for conflict in conflicts.iter().filter(|one| one.explained.is_none()) {
            faults.push(format!(
                "{}: {} says yes and {} says no, and no kind in {TABLE} says who is right{}",
                conflict.id,
                conflict.yes.join(", "),
                conflict.no.join(", "),
                conflict.document.as_ref().map_or_else(
                    || "; no document is known".to_owned(),
                    |document| format!("; refuted by {}", crate::table::shortened(document))
                ),
            ));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::{REFUTED, Table};
    use crate::cases::Case;
    use crate::checkers::{Answer, CHECKERS};
    use crate::judge::Judged;

    fn case() -> Case {
        Case {
            id: "examples/some-kind".to_owned(),
            old: r#"{"required": ["a"]}"#.to_owned(),
            new: "true".to_owned(),
            truth: [None, None],
            additive: None,
        }
    }

    /// The prover's answer and jsoncompat's; the others leave the question open.
    fn judged(prover: Answer, jsoncompat: Answer, document: Option<&str>) -> Judged {
        let denied = matches!(&jsoncompat, Answer::No(Some(_))) && document.is_none();
        let open = || Answer::Unknown(String::new());
        let answers = CHECKERS.iter().map(|checker| match checker.name {
            "prover" => prover.clone(),
            "jsoncompat" => jsoncompat.clone(),
            _ => open(),
        });
        let at = CHECKERS.iter().position(|one| one.name == "jsoncompat");
        Judged {
            id: "examples/some-kind:backward".to_owned(),
            answers: answers.collect(),
            grades: Vec::new(),
            settled: document.map(|_| false),
            document: document.map(str::to_owned),
            false_witnesses: at
                .filter(|_| denied)
                .map(|at| (at, "{}".to_owned()))
                .into_iter()
                .collect(),
            false_truth: false,
        }
    }

    fn table(words: &str) -> Table {
        let text = format!(
            r#"[[kind]]
            name = "some-kind"
            yes = ["prover"]
            no = ["jsoncompat"]
            shown = "denied"
            words = ["{words}"]
            right = "yes"
            why = "its document is none"
            example = {{old = "true", new = "true"}}"#
        );
        toml::from_str(&text).expect("a table")
    }

    fn explained(table: &Table, judged: &Judged) -> Option<String> {
        table
            .conflict(&case(), judged)
            .expect("a conflict")
            .explained
    }

    #[test]
    fn a_confirmed_document_explains_what_refutes_peers_alone() {
        let no = || Answer::No(Some("{}".to_owned()));
        let (empty, table) = (Table::default(), table("required"));
        let peers = judged(no(), Answer::Yes, Some("{}"));
        assert_eq!(explained(&empty, &peers).as_deref(), Some(REFUTED));
        let ours = judged(Answer::Yes, no(), Some("{}"));
        for table in [&empty, &table] {
            assert_eq!(explained(table, &ours), None);
            let found = table.conflict(&case(), &ours);
            assert!(
                table
                    .check(found.as_slice())
                    .iter()
                    .any(|fault| fault.contains("refuted by {}"))
            );
        }
    }

    #[test]
    fn a_kind_explains_what_it_is_about_and_nothing_else() {
        let denied = judged(Answer::Yes, Answer::No(Some("{}".to_owned())), None);
        let bare = judged(Answer::Yes, Answer::No(None), None);
        let turned = judged(Answer::No(None), Answer::Yes, None);
        let table = table("required");
        assert_eq!(explained(&table, &denied).as_deref(), Some("some-kind"));
        for other in [&bare, &turned] {
            assert_eq!(explained(&table, other), None);
        }
        assert_eq!(explained(&self::table("uniqueItems"), &denied), None);
        let found = table.conflict(&case(), &denied);
        assert!(table.check(found.as_slice()).is_empty());
        assert_eq!(
            table.check(&[]).len(),
            1,
            "the example is no conflict any more"
        );
    }
}
