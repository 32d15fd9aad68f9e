//! `check-evolution --history`: every step along first parents, and each revision against the newest.

use crate::baseline::Revision;
use crate::cli::CheckEvolution;
use crate::compat::Execute;
use crate::config::{GOLDENS, Project};
use crate::exit::Exit;
use crate::git::{self, Commit, Git};
use crate::{engine, gate, output, tell};
use anyhow::{Result, bail};
use wirelock_codegen::report::{
    FORMATS, Failure, History, Judged, Policy, Report, Size, Step, View, Wires,
};

/// Runs the command.
pub(crate) fn run(project: &Project, flags: &CheckEvolution) -> Result<Exit> {
    let policy = flags.policy.into();
    let Some(write) = flags.format.0.history else {
        let names = FORMATS.iter().filter(|format| format.history.is_some());
        let names: Vec<String> = names.map(|format| format!("`{}`", format.name)).collect();
        bail!(
            "a history is written as one of {}, not as `{}`",
            names.join(", "),
            flags.format.0.name
        );
    };
    let git = Git::discover(&project.folder_or_here())?;
    let revisions = revisions(&git, project)?;
    let newest = revisions.last().map(|past| &past.revision);
    let mut history = History::default();
    let mut exit = Exit::Accepted;
    let mut before: Option<&Result<Revision>> = None;
    let mut locked = false;
    for Past { revision, commit } in &revisions {
        let nothing = Ok(Revision {
            label: "history, which begins here".to_owned(),
            ..Revision::default()
        });
        // Consumers are executed on the change under way: what each step of the past compiled to stays so.
        let whole =
            |old: &Revision, new: &Revision, policy| gate::judge(old, new, policy, Execute::No);
        let (step, wires) = judged(before.unwrap_or(&nothing), revision, whole, policy);
        let is_newest = newest.is_some_and(|newest| std::ptr::eq(newest, revision));
        let to_newest = newest
            .filter(|_| !is_newest)
            .map(|newest| judged(revision, newest, gate::judge_wire, policy).0);
        // Before the lock no change is refused, and what could not even be read then can no longer be
        // mended; the newest revision can. The lock is about growth alone, so another policy holds
        // for every step that can be judged. What an old consumer meets today is told and decides
        // nothing: a superseded capability is meant to differ from the newest.
        if locked || is_newest || (policy != Policy::Additive && matches!(step, Judged::Report(_)))
        {
            exit = exit.max(exit_of(&step));
        }
        history.steps.push(Step {
            revision: label(revision),
            follows: before.map(label),
            day: commit.as_ref().map(|commit| commit.day.clone()),
            title: commit.as_ref().map(|commit| commit.title.clone()),
            links: commit
                .as_ref()
                .and_then(|commit| tell::links_to(&commit.id)),
            size: wires
                .new
                .as_deref()
                .map(Size::of)
                .or_else(|| size(revision)),
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
    let view = View {
        links: tell::links(),
        ..View::default()
    };
    output::write(flags.output.as_deref(), &write(&history, &view)?)?;
    Ok(exit)
}

/// A revision, or why it cannot be read, and the commit that made it; none for the work tree.
struct Past {
    revision: Result<Revision>,
    commit: Option<Commit>,
}

/// The revisions where the contract changed, oldest first, and the work tree where it differs.
fn revisions(git: &Git, project: &Project) -> Result<Vec<Past>> {
    let folder = git.relative(&project.folder_or_here())?;
    let mut revisions: Vec<Past> = Vec::new();
    if let Some(head) = git.head()? {
        let paths = if folder.is_empty() {
            Vec::new()
        } else {
            vec![folder]
        };
        for commit in git.history(&head, &paths)?.into_iter().rev() {
            let stayed = stayed(&revisions);
            let revision = Revision::of_commit(git, &commit.id, project, stayed)
                .map_err(|error| error.context(git::short(&commit.id).to_owned()));
            match (&revision, revisions.last().map(|past| &past.revision)) {
                // Before the contract began there is nothing to judge.
                (Ok(revision), None) if revision.schema.is_none() => continue,
                (Ok(revision), Some(Ok(before))) if revision.same_contract(before) => continue,
                _ => {}
            }
            let commit = Some(commit);
            revisions.push(Past { revision, commit });
        }
    }
    let now = Revision::of_work_tree(project, stayed(&revisions))?;
    let last = revisions.last().map(|past| &past.revision);
    if !matches!(last, Some(Ok(last)) if now.same_contract(last)) {
        revisions.push(Past {
            revision: Ok(now),
            commit: None,
        });
    }
    Ok(revisions)
}

/// The folder in which goldens stay that the next revision may keep no longer.
fn stayed(revisions: &[Past]) -> &str {
    let before = revisions
        .iter()
        .rev()
        .find_map(|past| past.revision.as_ref().ok());
    before.map_or(GOLDENS, |before| before.golden_folder.as_str())
}

fn judged(
    old: &Result<Revision>,
    new: &Result<Revision>,
    judge: impl Fn(&Revision, &Revision, Policy) -> Result<Report>,
    policy: Policy,
) -> (Judged, Wires) {
    let report = match (old, new) {
        (Err(error), _) | (_, Err(error)) => Err(anyhow::anyhow!("{error:#}")),
        (Ok(old), Ok(new)) => judge(old, new, policy),
    };
    match report {
        Ok(mut report) => {
            // A wire view is many times as large as its schema, and a history may be long.
            let wires = std::mem::take(&mut report.wires);
            (Judged::Report(Box::new(report)), wires)
        }
        Err(error) => {
            let failure = Failure {
                id: None,
                error: format!("{error:#}"),
            };
            (Judged::Failure(failure), Wires::default())
        }
    }
}

/// What a revision declares that was not judged, since the one before it cannot be read.
fn size(revision: &Result<Revision>) -> Option<Size> {
    let schema = revision.as_ref().ok()?.schema.as_ref()?;
    let schema = engine::read(schema).ok()?;
    Some(Size::of(&schema.wire()))
}

fn exit_of(judged: &Judged) -> Exit {
    match judged {
        Judged::Report(report) => gate::exit_of(report),
        Judged::Failure(_) => Exit::CouldNotRun,
    }
}

fn label(revision: &Result<Revision>) -> String {
    match revision {
        Ok(revision) => revision.label.clone(),
        Err(error) => error.to_string(),
    }
}
