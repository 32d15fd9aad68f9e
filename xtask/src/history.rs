//! `check-evolution --history`: every step along first parents, and each revision against the newest.

use crate::baseline::Revision;
use crate::cli::CheckEvolution;
use crate::compat::Execute;
use crate::config::Project;
use crate::exit::Exit;
use crate::git::{self, Git};
use crate::{gate, output};
use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use wirelock_codegen::report::{Failure, Policy, Report, questions, summary, visible};

/// The judgement on one revision of the history.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Step {
    /// The revision.
    revision: String,
    /// The revision it follows.
    follows: Option<String>,
    /// The step from that one to this one.
    step: Judged,
    /// From this one straight to the newest: what a consumer of this revision meets today.
    to_newest: Option<Judged>,
    /// Whether the step decides the exit code.
    #[serde(skip)]
    counts: bool,
}

/// A judgement, or why there is none.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Judged {
    Report(Box<Report>),
    Failure(Failure),
}

/// Runs the command.
pub(crate) fn run(project: &Project, flags: &CheckEvolution) -> Result<Exit> {
    let policy = flags.policy.into();
    let write = match flags.format.0.name {
        "human" => table,
        "json" => lines,
        other => bail!("a history is written as `human` or `json`, not as `{other}`"),
    };
    let git = Git::discover(&project.folder_or_here())?;
    let revisions = revisions(&git, project)?;
    let newest = revisions.last();
    let mut steps = Vec::with_capacity(revisions.len());
    let mut before: Option<&Result<Revision>> = None;
    let mut locked = false;
    for revision in &revisions {
        let nothing = Ok(Revision {
            label: "history, which begins here".to_owned(),
            ..Revision::default()
        });
        // Consumers are executed on the change under way: what each step of the past compiled to stays so.
        let whole =
            |old: &Revision, new: &Revision, policy| gate::judge(old, new, policy, Execute::No);
        let step = judged(before.unwrap_or(&nothing), revision, whole, policy);
        let is_newest = newest.is_some_and(|newest| std::ptr::eq(newest, revision));
        let to_newest = newest
            .filter(|_| !is_newest)
            .map(|newest| judged(revision, newest, gate::judge_wire, policy));
        steps.push(Step {
            revision: label(revision),
            follows: before.map(label),
            // Before the lock nothing is refused, and what could not even be read then can no
            // longer be mended; the newest revision can. The lock is about growth alone, so
            // another policy holds for every step that can be judged.
            counts: locked
                || is_newest
                || (policy != Policy::Additive && matches!(step, Judged::Report(_))),
            step,
            to_newest,
        });
        locked |= revision.as_ref().is_ok_and(Revision::is_locked);
        before = Some(revision);
    }
    if git.is_shallow()? {
        output::note(
            "this clone is shallow, so older steps are not judged; `git fetch --unshallow` brings them",
        );
    }
    output::write(flags.output.as_deref(), &write(&steps)?)?;
    // What an old consumer meets today is told and decides nothing: a superseded capability is
    // meant to differ from the newest.
    Ok(steps
        .iter()
        .filter(|step| step.counts)
        .map(|step| step.step.exit())
        .max()
        .unwrap_or(Exit::Accepted))
}

/// The revisions where the contract changed, oldest first, and the work tree where it differs.
fn revisions(git: &Git, project: &Project) -> Result<Vec<Result<Revision>>> {
    let folder = git.relative(&project.folder)?;
    let mut revisions: Vec<Result<Revision>> = Vec::new();
    if let Some(head) = git.head()? {
        let paths = if folder.is_empty() {
            Vec::new()
        } else {
            vec![folder]
        };
        for commit in git.history(&head, &paths)?.iter().rev() {
            let revision = Revision::of_commit(git, commit, project)
                .map_err(|error| error.context(git::short(commit).to_owned()));
            match (&revision, revisions.last()) {
                // Before the contract began there is nothing to judge.
                (Ok(revision), None) if revision.schema.is_none() => continue,
                (Ok(revision), Some(Ok(before))) if revision.same_contract(before) => continue,
                _ => revisions.push(revision),
            }
        }
    }
    let now = Revision::of_work_tree(project)?;
    if !matches!(revisions.last(), Some(Ok(last)) if now.same_contract(last)) {
        revisions.push(Ok(now));
    }
    Ok(revisions)
}

fn judged(
    old: &Result<Revision>,
    new: &Result<Revision>,
    judge: impl Fn(&Revision, &Revision, Policy) -> Result<Report>,
    policy: Policy,
) -> Judged {
    let report = match (old, new) {
        (Err(error), _) | (_, Err(error)) => Err(anyhow::anyhow!("{error:#}")),
        (Ok(old), Ok(new)) => judge(old, new, policy),
    };
    match report {
        Ok(report) => Judged::Report(Box::new(report)),
        Err(error) => Judged::Failure(Failure {
            id: None,
            error: format!("{error:#}"),
        }),
    }
}

fn label(revision: &Result<Revision>) -> String {
    match revision {
        Ok(revision) => revision.label.clone(),
        Err(error) => error.to_string(),
    }
}

impl Judged {
    fn exit(&self) -> Exit {
        match self {
            Self::Report(report) => gate::exit_of(report),
            Self::Failure(_) => Exit::CouldNotRun,
        }
    }

    fn line(&self) -> String {
        match self {
            Self::Report(report) => summary(report),
            Self::Failure(failure) => format!("could not run: {}", visible(&failure.error)),
        }
    }
}

/// The steps as JSON, one a line.
fn lines(steps: &[Step]) -> Result<String> {
    let line = |step: &Step| Ok(format!("{}\n", serde_json::to_string(step)?));
    steps.iter().map(line).collect()
}

/// The steps as text for a reader.
fn table(steps: &[Step]) -> Result<String> {
    let mut text = String::new();
    for step in steps {
        let _ = writeln!(text, "{}", visible(&step.revision));
        let follows = step.follows.as_deref().unwrap_or("nothing");
        let _ = writeln!(text, "  after {:<14}{}", visible(follows), step.step.line());
        if let Judged::Report(report) = &step.step {
            for finding in report
                .changes
                .iter()
                .filter(|finding| finding.covered_by.is_none() && !report.accepted)
            {
                let _ = writeln!(
                    text,
                    "    {}  {}",
                    visible(&finding.rule),
                    visible(&finding.subject)
                );
            }
            for problem in &report.problems {
                let _ = writeln!(text, "    {}", visible(&problem.to_string()));
            }
            if report.policy != Policy::Additive && !report.accepted {
                for line in questions(report).lines() {
                    let _ = writeln!(text, "    {line}");
                }
            }
        }
        if let Some(newest) = &step.to_newest {
            let _ = writeln!(text, "  to the newest       {}", newest.line());
        }
    }
    let exit = |exit: Exit| steps.iter().filter(|step| step.step.exit() == exit).count();
    let _ = writeln!(
        text,
        "steps: {} accepted, {} refused, {} undecided, {} could not run",
        exit(Exit::Accepted),
        exit(Exit::Refused),
        exit(Exit::Undecided),
        exit(Exit::CouldNotRun)
    );
    Ok(text)
}
