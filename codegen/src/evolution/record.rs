//! Decision records: reads their front matter, tells what is locked, and applies what they cover.

mod front_matter;

use super::{Change, Level};
use crate::json::Position;

/// One decision record, `NNNN-title.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The file it was read from, as messages call it.
    pub file: String,
    /// Its number, which its file name repeats.
    pub number: u32,
    /// Whether it is in force.
    pub status: Status,
    /// The day of the decision, `YYYY-MM-DD`.
    pub date: String,
    /// The record it takes the place of.
    pub supersedes: Option<u32>,
    /// The capability it decides about.
    pub capability: String,
    /// The findings it accounts for.
    pub covers: Vec<Cover>,
}

/// Whether a record is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Written, not decided: it locks nothing and covers nothing.
    Draft,
    /// Decided.
    Accepted,
}

/// One finding that a record accounts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The rule's id.
    pub rule: String,
    /// The element, spelled as the finding spells it.
    pub subject: String,
    /// Why the change is right all the same.
    pub reason: String,
    /// Where the record says so.
    pub position: Position,
}

/// Why a file is no decision record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{}:{}: {message}", position.line, position.column)]
pub struct RecordError {
    /// The file.
    pub file: String,
    /// The place in it.
    pub position: Position,
    /// What is wrong and what to do.
    pub message: String,
}

/// What the covers of some records do to some changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// For each change, in order: the id of the record that covers it.
    pub covered_by: Vec<Option<String>>,
    /// Covers that meet no refused finding: the record's file and the cover.
    pub unused: Vec<(String, Cover)>,
}

impl Record {
    /// How reports name the record.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{:04}", self.number)
    }

    fn is_accepted(&self) -> bool {
        self.status == Status::Accepted
    }
}

/// Reads all records of a folder, given as file names and texts, in the order of their numbers.
///
/// A `README.md` beside the records is none of them and is passed over.
///
/// Every fault of every file comes back beside what could be read, so that one run shows them all
/// and the caller decides: a fault in a change is refused, one in history can no longer be mended.
///
/// ```
/// use wirelock_codegen::evolution::record::{read, Status};
/// let text = "---\nnumber: 1\nstatus: accepted\ndate: 2026-12-01\ncapability: stream_v1\n---\n\n# Lock\n";
/// let (records, errors) = read(&[("adr/0001-lock.md".to_owned(), text.to_owned())]);
/// assert!(errors.is_empty());
/// assert_eq!((records[0].id().as_str(), records[0].status), ("0001", Status::Accepted));
/// ```
#[must_use]
pub fn read(files: &[(String, String)]) -> (Vec<Record>, Vec<RecordError>) {
    let mut records: Vec<Record> = Vec::new();
    let mut errors = Vec::new();
    for (name, text) in files
        .iter()
        .filter(|(name, _)| file_name(name) != "README.md")
    {
        match front_matter::parse(name, text) {
            Ok((record, position)) => {
                match records.iter().find(|other| other.number == record.number) {
                    Some(other) => {
                        let message = format!(
                            "{} has the number {} too; take the next free one",
                            other.file, record.number
                        );
                        errors.push(RecordError {
                            file: name.clone(),
                            position,
                            message,
                        });
                    }
                    None => records.push(record),
                }
            }
            Err(error) => errors.push(error),
        }
    }
    records.sort_by_key(|record| record.number);
    for record in &records {
        let Some(superseded) = record.supersedes else {
            continue;
        };
        if superseded >= record.number || !records.iter().any(|other| other.number == superseded) {
            let message =
                format!("it supersedes {superseded}, which is no earlier record of this folder");
            errors.push(RecordError {
                file: record.file.clone(),
                position: START,
                message,
            });
        }
    }
    (records, errors)
}

/// Whether an accepted record locks the capability.
#[must_use]
pub fn is_locked(records: &[Record], capability: &str) -> bool {
    records
        .iter()
        .any(|record| record.is_accepted() && record.capability == capability)
}

/// The records that a change accepts: accepted now, and not yet at the base.
#[must_use]
pub fn newly_accepted<'a>(base: &[Record], new: &'a [Record]) -> Vec<&'a Record> {
    let was_accepted = |number| {
        base.iter()
            .any(|record| record.number == number && record.is_accepted())
    };
    new.iter()
        .filter(|record| record.is_accepted() && !was_accepted(record.number))
        .collect()
}

/// Accepted records of the base whose file is gone or reads otherwise now, by file name.
///
/// Line ends are compared as text, because a checkout may write them as the platform likes.
#[must_use]
pub fn altered(
    base: &[Record],
    base_files: &[(String, String)],
    new_files: &[(String, String)],
) -> Vec<Altered> {
    let find = |files: &[(String, String)], name: &str| {
        let file = files.iter().find(|(other, _)| file_name(other) == name);
        file.map(|(_, text)| text.replace("\r\n", "\n"))
    };
    let accepted = base.iter().filter(|record| record.is_accepted());
    accepted
        .filter_map(|record| {
            let now = find(new_files, file_name(&record.file));
            let removed = now.is_none();
            let same = now == find(base_files, file_name(&record.file));
            (!same).then(|| Altered {
                file: record.file.clone(),
                removed,
            })
        })
        .collect()
}

/// An accepted record that a change touches although it is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Altered {
    /// Its file at the base.
    pub file: String,
    /// Whether it is gone; it reads otherwise where it is not.
    pub removed: bool,
}

/// Finds for each change the record that covers it, and the covers that are left over.
///
/// Only breaking changes are covered: nothing else needs it, and a cover that says otherwise
/// would hide what a later change does.
#[must_use]
pub fn apply(records: &[&Record], changes: &[Change]) -> Applied {
    let mut applied = Applied {
        covered_by: vec![None; changes.len()],
        unused: Vec::new(),
    };
    for record in records {
        for cover in &record.covers {
            let mut used = false;
            for (change, covered_by) in changes.iter().zip(&mut applied.covered_by) {
                if change.level == Level::Breaking && matches(cover, change.rule, &change.subject) {
                    used = true;
                    covered_by.get_or_insert_with(|| record.id());
                }
            }
            if !used {
                applied.unused.push((record.file.clone(), cover.clone()));
            }
        }
    }
    applied
}

/// A rename is a removal seen beside an addition, and which of the two is reported depends on what
/// else the change adds, so a cover of either holds for both.
fn matches(cover: &Cover, rule: &str, subject: &str) -> bool {
    let family = |rule: &str| match rule {
        "property-renamed" => "property-removed".to_owned(),
        other => other.to_owned(),
    };
    cover.subject == subject && family(&cover.rule) == family(rule)
}

const START: Position = Position { line: 1, column: 1 };

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, matter: &str) -> (String, String) {
        (
            name.to_owned(),
            format!("---\n{matter}---\n\n# A decision\n"),
        )
    }

    const FIRST: &str = "number: 1\nstatus: accepted\ndate: 2026-12-01\ncapability: stream_v1\n";
    const SECOND: &str = "number: 2\nstatus: accepted\ndate: 2026-12-02\nsupersedes: 1\ncapability: stream_v2\n\
        covers: [{rule: property-removed, subject: result.num_turns, reason: \"nobody read it\"}]\n";

    fn read_valid(files: &[(String, String)]) -> Vec<Record> {
        let (records, errors) = read(files);
        assert_eq!(errors, []);
        records
    }

    fn change(rule: &'static str, subject: &str, level: Level) -> Change {
        Change {
            rule,
            level,
            message: String::new(),
            subject: subject.to_owned(),
            old: None,
            new: None,
            further_places: 0,
            element: None,
        }
    }

    #[test]
    fn faults_are_told_with_their_place() {
        for (name, matter, expected) in [
            (
                "adr/1-x.md",
                FIRST,
                "adr/1-x.md:1:1: a record's file is named",
            ),
            (
                "adr/0002-x.md",
                FIRST,
                "adr/0002-x.md:2:9: the number is 1 here and 2 in the file name",
            ),
            (
                "adr/0001-x.md",
                "number: 1\nstatus: maybe\ndate: 2026-12-01\ncapability: a\n",
                ":3:9: the status is \"maybe\"",
            ),
            (
                "adr/0001-x.md",
                "number: 1\nstatus: draft\ndate: soon\ncapability: a\n",
                ":4:7: \"soon\" is no date",
            ),
            (
                "adr/0001-x.md",
                "number: 1\nstatus: draft\ndate: 2026-12-01\ncapability: a\nowner: me\n",
                ":6:1: unknown field `owner`",
            ),
            ("adr/0001-x.md", "number: 1\n", "missing field `status`"),
            ("adr/0001-x.md", "number: [\n", "adr/0001-x.md:"),
            (
                "adr/0002-x.md",
                SECOND,
                "it supersedes 1, which is no earlier record",
            ),
            (
                "adr/0002-x.md",
                &SECOND.replace("supersedes: 1\n", ""),
                ":6:10: only a superseding record covers",
            ),
            (
                "adr/0002-x.md",
                &SECOND.replace("nobody read it", " "),
                "gives no reason",
            ),
        ] {
            let errors = read(&[file(name, matter)]).1;
            assert!(
                errors[0].to_string().contains(expected),
                "{} lacks {expected}",
                errors[0]
            );
        }
        let unfenced = read(&[("0001-x.md".to_owned(), "# Title\n".to_owned())]).1;
        assert!(
            unfenced[0]
                .to_string()
                .contains("0001-x.md:1:1: a record begins with")
        );
        let open = read(&[("0001-x.md".to_owned(), "---\nnumber: 1\n".to_owned())]).1;
        assert!(open[0].to_string().contains("has no end"));
    }

    #[test]
    fn two_records_cannot_share_a_number() {
        let errors = read(&[file("0001-a.md", FIRST), file("0001-b.md", FIRST)]).1;
        assert_eq!(
            errors[0].to_string(),
            "0001-b.md:2:9: 0001-a.md has the number 1 too; take the next free one"
        );
    }

    #[test]
    fn only_an_accepted_record_of_the_capability_locks() {
        let records = read_valid(&[file("0001-a.md", FIRST)]);
        assert!(is_locked(&records, "stream_v1"));
        assert!(!is_locked(&records, "stream_v2"));
        let draft = read_valid(&[file("0001-a.md", &FIRST.replace("accepted", "draft"))]);
        assert!(!is_locked(&draft, "stream_v1"));
    }

    #[test]
    fn a_cover_takes_its_finding_and_no_other() {
        let records = read_valid(&[file("0001-a.md", FIRST), file("0002-b.md", SECOND)]);
        let accepted = newly_accepted(&records[..1], &records);
        assert_eq!(
            accepted
                .iter()
                .map(|record| record.number)
                .collect::<Vec<_>>(),
            [2]
        );

        let changes = [
            change("property-renamed", "result.num_turns", Level::Breaking),
            change("property-removed", "result.duration_ms", Level::Breaking),
            change("type-changed", "result.num_turns", Level::Breaking),
        ];
        let applied = apply(&accepted, &changes);
        assert_eq!(applied.covered_by, [Some("0002".to_owned()), None, None]);
        assert_eq!(applied.unused, []);

        // What is not refused needs no cover, so the cover is left over.
        let harmless = apply(
            &accepted,
            &[change(
                "property-removed",
                "result.num_turns",
                Level::Editorial,
            )],
        );
        assert_eq!(harmless.covered_by, [None]);
        assert_eq!(harmless.unused.len(), 1);
        assert_eq!(
            harmless.unused[0].1.position,
            Position {
                line: 7,
                column: 10
            }
        );
    }

    #[test]
    fn accepted_records_stay_as_they_are() {
        let base_files = [file("adr/0001-a.md", FIRST)];
        let base = read_valid(&base_files);
        let carriage_returns = [(
            base_files[0].0.clone(),
            base_files[0].1.replace('\n', "\r\n"),
        )];
        assert_eq!(altered(&base, &base_files, &carriage_returns), []);
        let file_of = |removed| {
            vec![Altered {
                file: "adr/0001-a.md".to_owned(),
                removed,
            }]
        };
        assert_eq!(altered(&base, &base_files, &[]), file_of(true));
        let changed = [(
            base_files[0].0.clone(),
            format!("{}more\n", base_files[0].1),
        )];
        assert_eq!(altered(&base, &base_files, &changed), file_of(false));
    }
}
