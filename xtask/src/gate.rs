//! The judgement on one step of a contract: findings, levels, lock, records and goldens together.

use crate::baseline::Revision;
use crate::beside::SchemaText;
use crate::compat::{self, Execute, Executed};
use crate::engine::{self, Schema};
use crate::exit::Exit;
use crate::{guards, lock};
use anyhow::{Context as _, Result, bail};
use wirelock_codegen::evolution::{Answer, Answers, Comparison, Level, Verdict};
use wirelock_codegen::report::{
    Outcome, Policy, Problem, ProblemKind, Question, Report, Sources, Wires,
};

/// Judges two schemas alone: no lock, no records, no goldens, and the levels that are given.
pub(crate) fn judge_schemas(
    (old, new): (&SchemaText, &SchemaText),
    levels: impl Fn(&str) -> Option<Level>,
    policy: Policy,
) -> Result<Report> {
    let (old, new) = (engine::read(old)?, engine::read(new)?);
    let mut comparison = engine::compare(&old, &new);
    let answers = engine::answers(&comparison, &old, &new);
    comparison.apply_levels(levels);
    let mut report = report_of(&comparison, &answers, &old, &new);
    report.settle(policy);
    Ok(report)
}

/// The levels of the catalogue, as they stand there.
pub(crate) fn usual_levels(_: &str) -> Option<Level> {
    None
}

/// Judges the schemas of two revisions under the levels of their contract, and nothing beside them.
pub(crate) fn judge_wire(base: &Revision, new: &Revision, policy: Policy) -> Result<Report> {
    match (&base.schema, &new.schema) {
        (Some(before), Some(now)) => {
            let levels = |rule: &str| level(rule, base, new, base.is_locked());
            judge_schemas((before, now), levels, policy)
        }
        _ => judge(base, new, policy, Execute::No),
    }
}

/// Judges the step from one revision of a contract to the next.
///
/// What belongs to growth (the lock, its records, the goldens) is looked at where growth is the
/// policy; any other policy asks about documents alone.
pub(crate) fn judge(
    base: &Revision,
    new: &Revision,
    policy: Policy,
    execute: Execute,
) -> Result<Report> {
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
        return first_version(base, new, &new_schema, policy);
    };
    let old_schema = engine::read(old_schema)
        .context("the base cannot be read, name another one with --against")?;

    let locked = base.is_locked();
    let mut comparison = engine::compare(&old_schema, &new_schema);
    let answers = engine::answers(&comparison, &old_schema, &new_schema);
    let mut executed = Executed::default();
    if has_types(base, new) {
        engine::compare_types(&mut comparison, &old_schema, &new_schema);
        if policy == Policy::Additive {
            executed = compat::run(execute, (base, &old_schema), (new, &new_schema))?;
            comparison.changes.append(&mut executed.changes);
        }
    }
    comparison.apply_levels(|rule| level(rule, base, new, locked));
    let mut report = report_of(&comparison, &answers, &old_schema, &new_schema);
    report.guards = guards::guards(base, new);
    report.notes.extend(executed.note);
    for error in &base.record_errors {
        report.notes.push(format!(
            "passed over at the base: {}",
            base.shown(&error.to_string())
        ));
    }

    if policy != Policy::Additive {
        report.settle(policy);
        return Ok(report);
    }
    tell_records(&mut report, base, new);
    if locked {
        guards::refuse_lowered(&mut report, base, new);
        lock::apply(&mut report, &comparison.changes, base, new);
        report.problems.extend(lock::capability_mismatch(
            engine::capability(&new_schema),
            new,
        ));
    }
    if asks_goldens(base, new, locked) {
        let evidence =
            engine::prove_goldens(&old_schema, &new_schema, &comparison.changes, base, new);
        for (finding, proof) in report.changes.iter_mut().zip(evidence.proofs) {
            finding.golden = proof;
        }
        report.missing_goldens = evidence.missing;
        report.coverage = evidence.coverage;
        let mut problems = evidence.problems;
        if report.has_uncovered() {
            gather_invalid_goldens(&mut problems);
        }
        report.problems.extend(problems);
    } else if locked {
        // None is asked for any more, and those that exist stay what consumers were promised.
        let altered = engine::altered_goldens(&new_schema, base, new);
        report.problems.extend(altered);
    }
    settle(&mut report, base, locked);
    Ok(report)
}

/// A breaking change makes goldens invalid by the dozen; that is one problem, and correcting the
/// goldens is not its remedy.
fn gather_invalid_goldens(problems: &mut Vec<Problem>) {
    let is_invalid = |problem: &Problem| problem.kind == ProblemKind::GoldenInvalid;
    let count = problems
        .iter()
        .filter(|problem| is_invalid(problem))
        .count();
    let mut first = true;
    problems.retain_mut(|problem| {
        if !is_invalid(problem) {
            return true;
        }
        problem.message = match count {
            1 => "a golden line is not valid under the new revision".to_owned(),
            _ => format!(
                "{count} golden lines, this one first, are not valid under the new revision"
            ),
        };
        problem.message.push_str(
            "; undo the breaking changes, or supersede the contract, before looking at goldens",
        );
        std::mem::take(&mut first)
    });
}

/// The exit code that a report stands for.
pub(crate) fn exit_of(report: &Report) -> Exit {
    match report.outcome() {
        Outcome::Accepted => Exit::Accepted,
        Outcome::Refused => Exit::Refused,
        Outcome::Undecided => Exit::Undecided,
    }
}

fn report_of(comparison: &Comparison, answers: &Answers, old: &Schema, new: &Schema) -> Report {
    let mut report = Report::new(comparison);
    report.add_answers(answers);
    report.old_name = old.name().to_owned();
    report.new_name = new.name().to_owned();
    report.sources = Sources {
        old: old.sources(),
        new: new.sources(),
    };
    report.wires = Wires {
        old: Some(old.wire()),
        new: Some(new.wire()),
    };
    report
}

/// A contract that begins: there is nothing it could break.
fn first_version(
    base: &Revision,
    new: &Revision,
    schema: &Schema,
    policy: Policy,
) -> Result<Report> {
    if base.is_locked() {
        bail!(
            "{} is locked by a decision record but has no schema where its contract.toml says; name another base with --against",
            base.label
        );
    }
    let mut report = Report::new(&Comparison::default());
    report.verdict = Verdict::Additive;
    report.policy = policy;
    (report.backward, report.forward) = (Answer::Unknown, Answer::Unknown);
    report.new_name = schema.name().to_owned();
    report.wires.new = Some(schema.wire());
    report.notes.push(format!(
        "first version: there is no schema in {}, so there is nothing to compare with",
        base.label
    ));
    if policy == Policy::Additive {
        tell_records(&mut report, base, new);
        report.accepted = report.problems.is_empty();
    }
    Ok(report)
}

/// Tells of a record that begins the lock, or of one that is accepted as it was drafted.
fn tell_records(report: &mut Report, base: &Revision, new: &Revision) {
    report.problems.extend(lock::unfinished(base, new));
    if report.problems.is_empty() {
        report.notes.extend(lock::begins(base, new));
    }
}

/// Whether there are types whose names must not move. The base tells, for its consumers are the ones
/// to break; a lone schema has no settings of its own.
fn has_types(base: &Revision, new: &Revision) -> bool {
    match base.capability {
        Some(_) => base.has_types,
        None => new.has_types,
    }
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

/// Whether additions need goldens. As with levels, a locked contract does without them by one change
/// and makes use of that by a later one.
fn asks_goldens(base: &Revision, new: &Revision, locked: bool) -> bool {
    new.keeps_goldens || (locked && base.keeps_goldens)
}

fn settle(report: &mut Report, base: &Revision, locked: bool) {
    if !locked {
        let is_clean =
            report.accepted && report.missing_goldens.is_empty() && report.problems.is_empty();
        let is_unfinished = |problem: &Problem| problem.kind == ProblemKind::RecordUnfinished;
        report.accepted = !report.problems.iter().any(is_unfinished);
        if !is_clean {
            let capability = base.capability.as_deref().unwrap_or("the contract");
            let refused = match report.accepted {
                true => "nothing is refused",
                false => "only the record that would begin it is refused",
            };
            report.notes.push(format!(
                "before the lock: no accepted decision record for {capability} in {}, so findings are shown and {refused}",
                base.label
            ));
        }
        return;
    }
    if let (true, Some(capability)) = (report.has_uncovered(), &base.capability) {
        report.notes.push(format!(
            "where it has to be all the same, `new-adr TITLE` drafts the decision record; {}",
            lock::steps(capability)
        ));
    }
    report.accepted = !report.has_uncovered()
        && !report.is_open(Question::Additive)
        && report.conflicts.is_empty()
        && report.missing_goldens.is_empty()
        && report.problems.is_empty();
}
