//! How a report is told: in its format, to where it goes, with what the surroundings know.

use crate::cli::CheckEvolution;
use crate::exit::Exit;
use crate::git::Git;
use crate::{files, gate, output};
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use wirelock_codegen::report::{Report, View};

/// Writes a report the way the flags ask for.
pub(crate) fn tell(report: &Report, flags: &CheckEvolution) -> Result<Exit> {
    let format = flags.format.0;
    if !format.has_notes {
        for note in &report.notes {
            output::note(note);
        }
    }
    let mut located;
    let report = match format.from_root {
        true => {
            located = report.clone();
            from_root(&mut located)?;
            &located
        }
        false => report,
    };
    let view = View {
        colour: flags.output.is_none() && may_colour(),
        links: links(),
    };
    output::write(flags.output.as_deref(), &(format.write)(report, &view)?)?;
    if let Some(summary) = format.step_summary
        && let Some(path) = variable("GITHUB_STEP_SUMMARY")
    {
        files::append(Path::new(&path), &summary(report, &view)?)?;
    }
    Ok(gate::exit_of(report))
}

/// Whether standard output is a terminal whose user wants colours, see <https://no-color.org>.
fn may_colour() -> bool {
    let is_dumb = variable("TERM").is_some_and(|terminal| terminal == "dumb");
    variable("NO_COLOR").is_none() && !is_dumb && std::io::stdout().is_terminal()
}

/// A variable of the environment that holds something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// What links to files of the commit under test begin with, in a job of a GitHub workflow.
pub(crate) fn links() -> Option<String> {
    links_by(&variable, None)
}

/// What links to files of a commit begin with, in a job of a GitHub workflow.
pub(crate) fn links_to(commit: &str) -> Option<String> {
    links_by(&variable, Some(commit))
}

fn links_by(variable: &dyn Fn(&str) -> Option<String>, commit: Option<&str>) -> Option<String> {
    let server = variable("GITHUB_SERVER_URL")?;
    let repository = variable("GITHUB_REPOSITORY")?;
    let commit = commit
        .map(str::to_owned)
        .or_else(|| variable("GITHUB_SHA"))?;
    let is_plain = |text: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte);
        text.bytes().all(fits)
    };
    let all = format!("{server}/{repository}/blob/{commit}/");
    // Whatever set these is trusted no further than to name a place on the web.
    (all.starts_with("https://") && is_plain(&all)).then_some(all)
}

/// Names files from the root of the repository, where programs that show a report look for them.
fn from_root(report: &mut Report) -> Result<()> {
    let here = std::env::current_dir().context("the current folder cannot be found")?;
    let Ok(git) = Git::discover(&here) else {
        // Outside of a repository the paths are what they are.
        return Ok(());
    };
    let mut folders: BTreeMap<PathBuf, Option<String>> = BTreeMap::new();
    let mut name = |file: &mut String| {
        let path = here.join(&*file);
        let (Some(folder), Some(own)) = (path.parent(), path.file_name()) else {
            return;
        };
        let known = folders
            .entry(folder.to_owned())
            .or_insert_with(|| git.relative(folder).ok());
        match known.as_deref() {
            Some("") => *file = own.to_string_lossy().into_owned(),
            Some(folder) => *file = format!("{folder}/{}", own.to_string_lossy()),
            None => {}
        }
    };
    // The old revision is mostly in a commit, whose files have no path here.
    if here.join(&report.old_name).is_file() {
        name(&mut report.old_name);
        for (file, _) in &mut report.sources.old {
            name(file);
        }
    }
    name(&mut report.new_name);
    for (file, _) in &mut report.sources.new {
        name(file);
    }
    for guard in &mut report.guards {
        name(&mut guard.file);
    }
    for problem in &mut report.problems {
        name(&mut problem.file);
    }
    for golden in report
        .changes
        .iter_mut()
        .filter_map(|one| one.golden.as_mut())
    {
        name(&mut golden.file);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::links_by;

    #[test]
    fn links_lead_to_the_commit_under_test_and_nowhere_else() {
        let with = |server: &'static str, repository: &'static str| {
            let variable = move |name: &str| match name {
                "GITHUB_SERVER_URL" => Some(server.to_owned()),
                "GITHUB_REPOSITORY" => Some(repository.to_owned()),
                "GITHUB_SHA" => Some("0123abc".to_owned()),
                _ => None,
            };
            links_by(&variable, None)
        };
        assert_eq!(
            with("https://github.com", "owner/project").as_deref(),
            Some("https://github.com/owner/project/blob/0123abc/")
        );
        assert_eq!(with("javascript:alert(1)//", "owner/project"), None);
        assert_eq!(with("https://github.com", "a)[b](c"), None);
        assert_eq!(links_by(&|_| None, Some("0123abc")), None);
    }
}
