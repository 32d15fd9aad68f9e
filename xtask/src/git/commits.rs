//! The commits that made a history.

use super::Git;
use anyhow::Result;

/// A commit of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) id: String,
    /// The day when it was committed, as `2026-11-30`.
    pub(crate) day: String,
    /// The first line of what it says.
    pub(crate) title: String,
}

impl Git {
    /// The commits along first parents that touch one of the paths, newest first.
    pub(crate) fn history(&self, head: &str, paths: &[String]) -> Result<Vec<Commit>> {
        // Two lines a commit: `commit ID`, and what the format says.
        let fixed = ["rev-list", "--first-parent", "--format=%cs %s", head, "--"];
        let paths = paths.iter().map(String::as_str);
        let answer = self.answer(fixed.into_iter().chain(paths))?;
        let lines: Vec<&str> = answer.lines().collect();
        let commit = |lines: &[&str]| {
            let said = lines.get(1).copied().unwrap_or_default();
            let (day, title) = said.split_once(' ').unwrap_or((said, ""));
            Some(Commit {
                id: lines.first()?.strip_prefix("commit ")?.to_owned(),
                day: day.to_owned(),
                title: title.to_owned(),
            })
        };
        Ok(lines.chunks(2).filter_map(commit).collect())
    }
}
