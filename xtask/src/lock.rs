//! What a lock asks for: records that cover, records that stay, and capabilities that are kept.

use crate::baseline::{Named, Revision};
use wirelock_codegen::evolution::Change;
use wirelock_codegen::evolution::record::{self, Cover, Record};
use wirelock_codegen::report::{Problem, ProblemKind, Report};

/// What a draft gives as the reason of each cover, until somebody writes one.
pub(crate) const REASON: &str = "say here why this is right all the same";

/// The line of a drafted first record below which somebody writes the promise.
pub(crate) const PROMISE: &str =
    "What is promised to those who rely on the contract, and from when on:";

/// Applies the records of a change to its findings, and adds what the lock holds against it.
pub(crate) fn apply(report: &mut Report, changes: &[Change], base: &Revision, new: &Revision) {
    let accepted = record::newly_accepted(&base.records, &new.records);
    // A record about another capability decides nothing about this one.
    let (own, foreign): (Vec<&Record>, Vec<&Record>) = accepted
        .into_iter()
        .partition(|record| Some(&record.capability) == new.capability.as_ref());
    // A cover without a reason covers nothing, and `unfinished` tells it where it stands.
    let reasoned: Vec<Record> = own.into_iter().cloned().map(reasoned).collect();
    let applied = record::apply(&reasoned.iter().collect::<Vec<_>>(), changes);
    for (finding, covered_by) in report.changes.iter_mut().zip(applied.covered_by) {
        finding.covered_by = covered_by;
    }
    let foreign = foreign.iter().flat_map(|record| {
        let why = format!(
            "covers nothing, because its record is about {} and the contract is {}",
            record.capability,
            new.capability.as_deref().unwrap_or("none")
        );
        record
            .covers
            .iter()
            .map(move |cover| (record.file.clone(), cover.clone(), why.clone()))
    });
    let unused = applied.unused.into_iter().map(|(file, cover)| {
        (
            file,
            cover,
            "meets no refused finding; spell it as the finding does, or remove it".to_owned(),
        )
    });
    for (file, cover, why) in unused.chain(foreign) {
        report.problems.push(Problem {
            kind: ProblemKind::CoverUnused,
            message: format!("the cover of {} for {} {why}", cover.rule, cover.subject),
            file: new.shown(&file),
            line: Some(cover.position.line),
            column: Some(cover.position.column),
        });
    }
    report.problems.extend(altered_records(base, new));
    report.problems.extend(unlocked(base, new));
    report.problems.extend(archives(base, new));
}

fn reasoned(mut record: Record) -> Record {
    record.covers.retain(is_reasoned);
    record
}

fn altered_records(base: &Revision, new: &Revision) -> Vec<Problem> {
    let altered = record::altered(&base.records, &base.record_files, &new.record_files);
    let problem = |altered: record::Altered| {
        let (kind, what) = if altered.removed {
            (
                ProblemKind::RecordRemoved,
                "this record is in force and is gone; restore it",
            )
        } else {
            (
                ProblemKind::RecordAltered,
                "this record is in force and reads otherwise now; restore it",
            )
        };
        Problem {
            kind,
            message: format!("{what}, and decide anew in a record that supersedes it"),
            file: new.shown(&altered.file),
            line: None,
            column: None,
        }
    };
    altered.into_iter().map(problem).collect()
}

/// Says that a lock begins, which is all there is to see where there is nothing to compare.
pub(crate) fn begins(base: &Revision, new: &Revision) -> Option<String> {
    let capability = new.capability.as_ref()?;
    if base.is_locked() {
        return None;
    }
    let accepted = record::newly_accepted(&base.records, &new.records);
    let mut own = accepted
        .iter()
        .filter(|record| record.capability == *capability);
    let record = own.next()?;
    Some(format!("locked: {capability} by record {}", record.id()))
}

/// How a capability is superseded, in one sentence for whoever was refused.
pub(crate) fn steps(capability: &str) -> String {
    format!(
        "to supersede {capability}, name the new capability in contract.toml, in `x-contract` where the schema has it and in the record, and keep the old schema and goldens in {capability}/"
    )
}

/// Records that a change accepts although nobody finished their drafts.
///
/// It is asked before the lock too, because the record that begins it is one of them and can never
/// be mended afterwards.
pub(crate) fn unfinished(base: &Revision, new: &Revision) -> Vec<Problem> {
    let mut problems = Vec::new();
    for record in record::newly_accepted(&base.records, &new.records) {
        let mut refuse = |message: String, line, column| {
            problems.push(Problem {
                kind: ProblemKind::RecordUnfinished,
                message,
                file: new.shown(&record.file),
                line,
                column,
            });
        };
        for cover in record.covers.iter().filter(|cover| !is_reasoned(cover)) {
            let message = format!(
                "the cover of {} for {} has the reason of its draft still and covers nothing; write why the change is right all the same",
                cover.rule, cover.subject
            );
            let position = cover.position;
            refuse(message, Some(position.line), Some(position.column));
        }
        let mut files = new.record_files.iter();
        let text = files.find(|(name, _)| *name == record.file);
        if text.is_some_and(|(_, text)| text.trim_end().ends_with(PROMISE)) {
            let message = format!(
                "the record of {} is accepted and promises nothing yet; write below its last line what is promised",
                record.capability
            );
            refuse(message, None, None);
        }
    }
    problems
}

/// Whether somebody wrote why the change is right, in place of what the draft asks for.
fn is_reasoned(cover: &Cover) -> bool {
    !cover.reason.contains(REASON)
}

/// The settings and the schema have to name one capability, so that one lock holds for both.
pub(crate) fn capability_mismatch(named: Option<&str>, new: &Revision) -> Option<Problem> {
    let (named, settings) = (named?, new.capability.as_deref()?);
    (named != settings).then(|| Problem {
        kind: ProblemKind::CapabilityMismatch,
        message: format!("contract.toml names the capability {settings} and the schema names {named}; make them agree"),
        file: new.shown("contract.toml"),
        line: None,
        column: None,
    })
}

/// Another capability that no record locks would leave the next change free of any rule.
fn unlocked(base: &Revision, new: &Revision) -> Option<Problem> {
    (base.capability != new.capability && !new.is_locked()).then(|| Problem {
        kind: ProblemKind::CapabilityUnlocked,
        message: format!(
            "the capability was {} and is {} now, which no accepted record locks; add one that supersedes, or restore the capability",
            base.capability.as_deref().unwrap_or("none"),
            new.capability.as_deref().unwrap_or("none")
        ),
        file: new.shown("contract.toml"),
        line: None,
        column: None,
    })
}

/// What is superseded moves to a folder named after its capability, and stays there as it is.
fn archives(base: &Revision, new: &Revision) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut expect = |capability: &str, name: &str, kept: Option<&Named>, text: &str| {
        let what = match kept {
            None => "is not kept",
            Some((_, kept)) if unix(kept) != unix(text) => "is kept, but altered",
            Some(_) => return,
        };
        problems.push(Problem {
            kind: ProblemKind::ArchiveMissing,
            message: format!(
                "{name} of {capability} {what}; programs still read {capability}, so its files stay in {capability}/ as they were"
            ),
            file: new.shown(&format!("{capability}/{name}")),
            line: None,
            column: None,
        });
    };
    let superseded = base
        .capability
        .as_ref()
        .filter(|_| base.capability != new.capability);
    let own = base.schema.as_ref();
    let own = own.map(|schema| (schema.name.clone(), schema.text.clone()));
    let due = superseded.map(|capability| (capability, own.as_ref(), &base.goldens));
    let earlier = base
        .archives
        .iter()
        .map(|(capability, archive)| (capability, archive.schema.as_ref(), &archive.goldens));
    for (capability, schema, goldens) in due.into_iter().chain(earlier) {
        let kept = new.archives.get(capability);
        if let Some((name, text)) = schema {
            expect(
                capability,
                file_name(name),
                kept.and_then(|kept| kept.schema.as_ref()),
                text,
            );
        }
        for (name, text) in goldens {
            // Kept goldens stand under the same folder name, below the folder of their capability.
            let below = name.strip_prefix(&format!("{capability}/")).unwrap_or(name);
            let path = format!("{capability}/{below}");
            let found = kept.and_then(|kept| kept.goldens.iter().find(|(other, _)| *other == path));
            expect(capability, below, found, text);
        }
    }
    problems
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', ':']).next().unwrap_or(path)
}

/// A checkout may have turned line ends into those of its system.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}
