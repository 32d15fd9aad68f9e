//! The judgement on one step of a contract: findings, levels, lock, records and goldens together.

use crate::baseline::{Named, Revision};
use crate::engine::{self, Schema};
use crate::exit::Exit;
use anyhow::{Result, bail};
use wirelock_codegen::evolution::{Answer, Change, Comparison, Level, Verdict, record};
use wirelock_codegen::report::{Problem, ProblemKind, Report};

/// Judges two schemas alone: no lock, no records, no goldens, default levels.
pub(crate) fn judge_schemas(old: &Named, new: &Named) -> Result<Report> {
    let (old, new) = (engine::read(old)?, engine::read(new)?);
    let comparison = engine::compare(&old, &new);
    Ok(report_of(&comparison, &old, &new))
}

/// Judges the step from one revision of a contract to the next.
pub(crate) fn judge(base: &Revision, new: &Revision) -> Result<Report> {
    let Some(new_schema) = &new.schema else {
        bail!(
            "{} has no schema where contract.toml says; restore the file, or correct `schema` there",
            new.label
        );
    };
    if let Some(error) = new.record_errors.first() {
        bail!("{}", new.shown(&error.to_string()));
    }
    let new_schema = engine::read(new_schema)?;
    engine::unions_fit(&new_schema)?;
    let Some(old_schema) = &base.schema else {
        return first_version(base, &new_schema);
    };
    let old_schema = engine::read(old_schema)?;

    let locked = base.is_locked();
    let mut comparison = engine::compare(&old_schema, &new_schema);
    comparison.apply_levels(|rule| level(rule, base, new, locked));
    let mut report = report_of(&comparison, &old_schema, &new_schema);
    for error in &base.record_errors {
        report.notes.push(format!(
            "passed over at the base: {}",
            base.shown(&error.to_string())
        ));
    }

    if locked {
        apply_records(&mut report, &comparison.changes, base, new);
    }
    let superseded = base.capability != new.capability;
    let evidence = engine::prove_goldens(
        &old_schema,
        &new_schema,
        &comparison.changes,
        base,
        new,
        superseded,
    );
    for (finding, proof) in report.changes.iter_mut().zip(evidence.proofs) {
        finding.golden = proof;
    }
    report.missing_goldens = evidence.missing;
    report.problems.extend(evidence.problems);
    report
        .problems
        .extend(archive_problems(base, new, superseded));
    settle(&mut report, base, locked);
    Ok(report)
}

/// The exit code that a report stands for.
pub(crate) fn exit_of(report: &Report) -> Exit {
    if report.accepted {
        return Exit::Accepted;
    }
    let refused = report.has_uncovered()
        || !report.missing_goldens.is_empty()
        || !report.problems.is_empty()
        || !report.conflicts.is_empty();
    if refused {
        Exit::Refused
    } else {
        Exit::Undecided
    }
}

fn report_of(comparison: &Comparison, old: &Schema, new: &Schema) -> Report {
    let mut report = Report::new(comparison);
    report.old_name = old.name().to_owned();
    report.new_name = new.name().to_owned();
    report
}

/// A contract that begins: there is nothing it could break.
fn first_version(base: &Revision, new: &Schema) -> Result<Report> {
    if base.is_locked() {
        bail!(
            "{} is locked by a decision record but has no schema where its contract.toml says; name another base with --against",
            base.label
        );
    }
    let mut report = Report::new(&Comparison::default());
    report.verdict = Verdict::Additive;
    (report.backward, report.forward) = (Answer::Unknown, Answer::Unknown);
    report.new_name = new.name().to_owned();
    report.notes.push(format!(
        "first version: there is no schema in {}, so there is nothing to compare with",
        base.label
    ));
    Ok(report)
}

/// The weight of a rule under the contract's own levels, where these speak of it.
///
/// Once the contract is locked a level is relaxed by one change and used by a later one, so that
/// nobody refuses and allows in one step; a level that is tightened holds at once.
fn level(rule: &str, base: &Revision, new: &Revision, locked: bool) -> Option<Level> {
    let (before, now) = (base.levels.get(rule), new.levels.get(rule));
    if before.is_none() && now.is_none() {
        return None;
    }
    let usual = engine::known_rule(rule).ok()?.level;
    let (before, now) = (*before.unwrap_or(&usual), *now.unwrap_or(&usual));
    Some(if locked { before.max(now) } else { now })
}

fn apply_records(report: &mut Report, changes: &[Change], base: &Revision, new: &Revision) {
    let accepted = record::newly_accepted(&base.records, &new.records);
    let applied = record::apply(&accepted, changes);
    for (finding, covered_by) in report.changes.iter_mut().zip(applied.covered_by) {
        finding.covered_by = covered_by;
    }
    for (file, cover) in applied.unused {
        report.problems.push(Problem {
            kind: ProblemKind::CoverUnused,
            message: format!(
                "the cover of {} for {} meets no refused finding; spell it as the finding does, or remove it",
                cover.rule, cover.subject
            ),
            file: new.shown(&file),
            line: Some(cover.position.line),
            column: Some(cover.position.column),
        });
    }
    for altered in record::altered(&base.records, &base.record_files, &new.record_files) {
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
        report.problems.push(Problem {
            kind,
            message: format!("{what}, and decide anew in a record that supersedes it"),
            file: new.shown(&altered.file),
            line: None,
            column: None,
        });
    }
}

/// What is superseded moves to a folder named after its capability, and stays there as it is.
fn archive_problems(base: &Revision, new: &Revision, superseded: bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut expect = |capability: &str, name: &str, text: &str| {
        let kept = new.archives.get(capability).and_then(|files| {
            files
                .iter()
                .find(|(other, _)| file_below(other, capability) == name)
        });
        let what = match kept {
            None => "is not kept",
            Some((_, kept)) if kept.replace("\r\n", "\n") != text.replace("\r\n", "\n") => {
                "is kept, but altered"
            }
            Some(_) => return,
        };
        problems.push(Problem {
            kind: ProblemKind::ArchiveMissing,
            message: format!("{name} of {capability} {what}; programs still read {capability}, so its files stay in {capability}/ as they were"),
            file: new.shown(&format!("{capability}/{name}")),
            line: None,
            column: None,
        });
    };
    if let (true, Some(capability), Some((schema, text))) = (
        superseded && base.is_locked(),
        &base.capability,
        &base.schema,
    ) {
        expect(
            capability,
            schema.rsplit(['/', ':']).next().unwrap_or(schema),
            text,
        );
        for (golden, text) in &base.goldens {
            expect(capability, golden, text);
        }
    }
    for (capability, files) in &base.archives {
        for (name, text) in files {
            expect(capability, file_below(name, capability), text);
        }
    }
    problems
}

/// The name of a kept file below the folder of its capability.
fn file_below<'a>(name: &'a str, capability: &str) -> &'a str {
    let folder = format!("{capability}/");
    name.rfind(&folder)
        .map_or(name, |at| &name[at + folder.len()..])
}

fn settle(report: &mut Report, base: &Revision, locked: bool) {
    if !locked {
        let is_clean =
            report.accepted && report.missing_goldens.is_empty() && report.problems.is_empty();
        if !is_clean {
            let capability = base.capability.as_deref().unwrap_or("the contract");
            report.notes.push(format!(
                "before the lock: no accepted decision record for {capability} in {}, so findings are shown and nothing is refused",
                base.label
            ));
        }
        report.accepted = true;
        return;
    }
    report.accepted = !report.has_uncovered()
        && report.unknown.is_empty()
        && report.conflicts.is_empty()
        && report.missing_goldens.is_empty()
        && report.problems.is_empty();
}
