//! `check-evolution`: finds the two revisions, has them judged, and reports.

use crate::baseline::Revision;
use crate::beside::SchemaText;
use crate::cli::CheckEvolution;
use crate::compat::Execute;
use crate::config::{FILE_NAME, GOLDENS, Project};
use crate::exit::Exit;
use crate::gate;
use crate::git::Git;
use crate::tell::tell;
use crate::{checks, files, history, pairs};
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use wirelock_codegen::report::{Policy, Report};

/// How two revisions are judged.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) policy: Policy,
    pub(crate) execute: Execute,
}

/// Runs the command.
pub(crate) fn run(contract: Option<&Path>, flags: &CheckEvolution) -> Result<Exit> {
    if let Some(out) = &flags.output {
        refuse_input(contract, flags, out)?;
    }
    let policy = flags.policy.into();
    if let Some(path) = &flags.pairs {
        return pairs::run(path, flags.output.as_deref(), policy);
    }
    if let (Some(old), Some(new)) = (&flags.old, &flags.new) {
        let pair = (&read(old)?, &read(new)?);
        let report = gate::judge_schemas(pair, gate::usual_levels, policy)?;
        return tell(&report, flags);
    }
    if flags.history {
        return history::run(&checks::project(contract)?, flags);
    }
    let how = How {
        policy,
        execute: match flags.no_compile {
            true => Execute::Declined,
            false => Execute::Yes,
        },
    };
    let report = match (&flags.against, &flags.schema) {
        (Some(against), schema) => against_named(contract, against, schema.as_deref(), how)?,
        (None, schema) => against_base(contract, schema.as_deref(), how)?,
    };
    tell(&report, flags)
}

/// Refuses an output that is one of the files this run is about.
fn refuse_input(contract: Option<&Path>, flags: &CheckEvolution, out: &Path) -> Result<()> {
    let named = [&flags.schema, &flags.old, &flags.new, &flags.pairs];
    let mut inputs: Vec<PathBuf> = named.into_iter().flatten().cloned().collect();
    if out.file_name().is_some_and(|name| name == FILE_NAME) {
        inputs.push(out.to_owned());
    }
    let here = std::env::current_dir().context("the current folder cannot be found")?;
    // Where the settings cannot be read, the run that needs them tells so.
    let project = Project::find(contract, &here).ok().flatten();
    if let Some(against) = flags.against.as_ref().map(PathBuf::from) {
        if !against.is_dir() {
            inputs.push(against);
        } else if let Ok(Some(other)) = Project::find(Some(&against), &here) {
            inputs.extend(other.inputs());
        } else if let Some(project) = &project {
            let folder = against;
            inputs.extend(
                Project {
                    folder,
                    ..project.clone()
                }
                .inputs(),
            );
        }
    }
    if let Some(project) = project {
        inputs.extend(project.inputs());
        // Only the records tell which capabilities have a folder of their own.
        if out.exists()
            && let Ok(revision) = Revision::of_work_tree(&project, GOLDENS)
        {
            let capabilities = revision.archives.keys();
            inputs.extend(capabilities.map(|capability| project.path(capability)));
        }
    }
    files::refuse_input(out, &inputs)
}

/// Compares with the revision where the branch of the work tree began.
pub(crate) fn against_base(
    contract: Option<&Path>,
    schema: Option<&Path>,
    how: How,
) -> Result<Report> {
    let here = std::env::current_dir().context("the current folder cannot be found")?;
    let Some(project) = Project::find(contract, &here)? else {
        let Some(schema) = schema else {
            // Opening it tells where it was looked for.
            return Project::open(contract, &here).and_then(|_| bail!("there is no contract here"));
        };
        return lone_against_base(schema, how.policy);
    };
    let new = work_tree(&project, schema, GOLDENS)?;
    let git = Git::discover(&project.folder_or_here())?;
    let nothing = || Revision {
        label: "history, which begins here".to_owned(),
        ..Revision::default()
    };
    let Some(fork) = git.fork(project.settings.default_branch.as_deref())? else {
        return gate::judge(&nothing(), &new, how.policy, how.execute);
    };
    let mut old = Revision::of_commit(&git, &fork.commit, &project, GOLDENS)?;
    let mut why = format!("the merge base with {}", fork.branch);
    if fork.is_head {
        // On the default branch the change under way is what is not committed yet; where that is
        // nothing, it is the last commit.
        why = "HEAD".to_owned();
        if new.same_contract(&old) {
            match git.first_parent(&fork.commit)? {
                Some(parent) => old = Revision::of_commit(&git, &parent, &project, GOLDENS)?,
                None => old = nothing(),
            }
            why = format!("the first parent of HEAD, which is on {}", fork.branch);
        }
    }
    let new = with_stayed(new, &old, &project, schema)?;
    let mut report = gate::judge(&old, &new, how.policy, how.execute)?;
    if old.schema.is_some() {
        report
            .notes
            .insert(0, format!("compared with {}, {why}", old.label));
    }
    Ok(report)
}

/// Compares a schema of a repository without a contract with its own past.
fn lone_against_base(schema: &Path, policy: Policy) -> Result<Report> {
    let new = read(schema)?;
    let folder = match schema.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let git = Git::discover(folder)?;
    let mut why = "HEAD".to_owned();
    let mut old = None;
    if let Some(fork) = git.fork(None)? {
        old = past_of(&git, &fork.commit, schema, folder)?;
        let unchanged = old.as_ref().is_some_and(|old| old.says_the_same(&new));
        if !fork.is_head {
            why = format!("the merge base with {}", fork.branch);
        } else if unchanged {
            why = format!("the first parent of HEAD, which is on {}", fork.branch);
            old = match git.first_parent(&fork.commit)? {
                Some(parent) => past_of(&git, &parent, schema, folder)?,
                None => None,
            };
        }
    }
    let Some(old) = old else {
        let nothing = Revision {
            label: "the base".to_owned(),
            ..Revision::default()
        };
        let new = Revision {
            label: new.name.clone(),
            schema: Some(new),
            ..Revision::default()
        };
        return gate::judge(&nothing, &new, policy, Execute::No);
    };
    let mut report = gate::judge_schemas((&old, &new), gate::usual_levels, policy)?;
    report.notes.push(format!(
        "compared with {}, without goldens and records: there is no contract.toml",
        why
    ));
    Ok(report)
}

/// The schema's text as a commit has it.
fn past_of(git: &Git, commit: &str, schema: &Path, folder: &Path) -> Result<Option<SchemaText>> {
    let Some(name) = schema.file_name().and_then(|name| name.to_str()) else {
        bail!("{}: this is no file's name", schema.display());
    };
    let folder = git.relative(folder)?;
    let entries = git.tree(commit, &folder)?;
    git.schema(commit, &entries, &folder, name)
}

/// Compares with what `--against` names.
fn against_named(
    contract: Option<&Path>,
    against: &str,
    schema: Option<&Path>,
    how: How,
) -> Result<Report> {
    let path = Path::new(against);
    let here = std::env::current_dir().context("the current folder cannot be found")?;
    let is_path = path.exists();
    if is_path && path.components().count() == 1 && !against.starts_with('.') {
        let is_ref = Git::discover(&here)
            .and_then(|git| git.commit(against))
            .ok()
            .flatten()
            .is_some();
        if is_ref {
            bail!(
                "{against:?} is a ref and a path; write ./{against} for the path or refs/heads/{against} for the branch"
            );
        }
    }
    if is_path && !path.is_dir() {
        let old = read(path)?;
        // A schema that is named may stand outside of any contract.
        let project = match schema {
            Some(_) => Project::find(contract, &here)?,
            None => Some(Project::open(contract, &here)?),
        };
        let settings = project.as_ref().map(|project| &project.settings);
        let new = match (schema, &project) {
            (None, Some(project)) => read(&project.path(&project.settings.schema))?,
            (Some(schema), _) => read(schema)?,
            (None, None) => bail!("there is no schema here to compare with {against}"),
        };
        let levels = |rule: &str| settings.and_then(|own| own.levels.get(rule).copied());
        let mut report = gate::judge_schemas((&old, &new), levels, how.policy)?;
        report.notes.push(
            "compared with a schema alone: no goldens and no records are asked for".to_owned(),
        );
        return Ok(report);
    }
    let project = Project::open(contract, &here)?;
    let new = work_tree(&project, schema, GOLDENS)?;
    if is_path {
        let old = Revision::of_folder(path, &project.settings)?;
        let new = with_stayed(new, &old, &project, schema)?;
        return gate::judge(&old, &new, how.policy, how.execute);
    }
    let git = Git::discover(&project.folder_or_here())
        .with_context(|| format!("{against:?} is no path here, and no ref"))?;
    let Some(commit) = git.commit(against)? else {
        bail!("{against:?} is neither a ref nor a path here; check the spelling, or fetch it");
    };
    let old = Revision::of_commit(&git, &commit, &project, GOLDENS)?;
    let new = with_stayed(new, &old, &project, schema)?;
    gate::judge(&old, &new, how.policy, how.execute)
}

/// The contract in the work tree, with another schema in its place where one is named.
fn work_tree(project: &Project, schema: Option<&Path>, stayed: &str) -> Result<Revision> {
    let mut revision = Revision::of_work_tree(project, stayed)?;
    if let Some(schema) = schema {
        revision.schema = Some(read(schema)?);
    }
    Ok(revision)
}

/// The work tree with the goldens that the base kept, where it keeps none itself: its settings no
/// longer say where they are.
fn with_stayed(
    new: Revision,
    base: &Revision,
    project: &Project,
    schema: Option<&Path>,
) -> Result<Revision> {
    let stayed = &base.golden_folder;
    if new.keeps_goldens || stayed.is_empty() || new.golden_folder == *stayed {
        return Ok(new);
    }
    work_tree(project, schema, stayed)
}

fn read(path: &Path) -> Result<SchemaText> {
    SchemaText::of_file(path)
}
