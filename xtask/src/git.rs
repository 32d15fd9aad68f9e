//! Reads a repository's history by running `git`, without touching the repository or its hooks.

mod commits;

pub(crate) use commits::Commit;

use crate::beside::SchemaText;
use crate::files::{self, SIZE_LIMIT};
use anyhow::{Context as _, Result, bail};
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A repository with a work tree.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    root: PathBuf,
}

/// A file as a commit has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Path from the root of the repository.
    pub(crate) path: String,
    /// The content's object id.
    pub(crate) object: String,
    /// Its size in bytes; nothing where git has no content for it here.
    pub(crate) size: Option<u64>,
    /// Whether it is a link, whose content is only the name of another file.
    pub(crate) is_link: bool,
}

/// Where the checked out branch left the default branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fork {
    /// The commit.
    pub(crate) commit: String,
    /// The default branch.
    pub(crate) branch: String,
    /// Whether HEAD is that commit, so that nothing has been committed since.
    pub(crate) is_head: bool,
}

impl Git {
    /// The repository around a folder.
    pub(crate) fn discover(folder: &Path) -> Result<Self> {
        let output = run(folder, ["rev-parse", "--show-toplevel"], b"")?;
        if !output.status.success() {
            let said = said(&output);
            if said.contains("not a git repository") {
                bail!(
                    "{}: this is no git repository, so there is no earlier revision to compare with; name one with --against FILE or --against DIR, or two schemas with --old and --new",
                    folder.display()
                );
            }
            bail!("git cannot be used in {}: {said}", folder.display());
        }
        let root = text(&output.stdout);
        if root.is_empty() {
            bail!(
                "{}: the repository has no work tree; run this in a checkout",
                folder.display()
            );
        }
        Ok(Self {
            root: PathBuf::from(root),
        })
    }

    /// The path of a folder of the work tree as git names it, with `/` and without a leading one.
    pub(crate) fn relative(&self, folder: &Path) -> Result<String> {
        let unlinked = |path: &Path| {
            path.canonicalize()
                .with_context(|| format!("{}: cannot be found", path.display()))
        };
        let (root, folder) = (unlinked(&self.root)?, unlinked(folder)?);
        let Ok(relative) = folder.strip_prefix(&root) else {
            bail!(
                "{} is outside the repository {}",
                folder.display(),
                root.display()
            );
        };
        let parts: Option<Vec<&str>> = relative
            .components()
            .map(|part| part.as_os_str().to_str())
            .collect();
        parts
            .map(|parts| parts.join("/"))
            .with_context(|| format!("{}: the path is not UTF-8", folder.display()))
    }

    /// The commit that is checked out; nothing in a repository without commits.
    ///
    /// A commit that is named and cannot be read is no missing one: taken for that, a damaged
    /// repository would let everything pass as a first version.
    pub(crate) fn head(&self) -> Result<Option<String>> {
        if let Some(commit) = self.commit("HEAD")? {
            return Ok(Some(commit));
        }
        if self.is_unborn()? {
            return Ok(None);
        }
        bail!(
            "HEAD names no commit that can be read; look with `git fsck` at what is damaged, and fetch it again"
        )
    }

    /// Whether HEAD names a branch that has no commit yet.
    fn is_unborn(&self) -> Result<bool> {
        let output = self.run(["symbolic-ref", "--quiet", "HEAD"])?;
        if !output.status.success() {
            return Ok(false);
        }
        let branch = text(&output.stdout);
        let output = self.run(["for-each-ref", "--format=%(refname)", "--", &branch])?;
        // A ref that holds no object id is left out of the list, and only this remark tells of it.
        let is_damaged = said(&output).contains("ignoring");
        let is_there = text(&output.stdout).lines().any(|line| line == branch);
        Ok(output.status.success() && !is_damaged && !is_there)
    }

    /// The commit that a ref names, if there is such a ref.
    pub(crate) fn commit(&self, reference: &str) -> Result<Option<String>> {
        if reference.starts_with('-') {
            bail!("{reference:?} is refused: a ref does not begin with `-`");
        }
        let peeled = format!("{reference}^{{commit}}");
        let output = self.run([
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &peeled,
        ])?;
        if output.status.success() {
            return Ok(Some(text(&output.stdout)));
        }
        // Without peeling, git tells what a ref names whether or not that object is there.
        let named = self.run([
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            reference,
        ])?;
        let is_lost = || -> Result<bool> {
            let object = text(&named.stdout);
            Ok(!self.run(["cat-file", "-e", &object])?.status.success())
        };
        if named.status.success() && is_lost()? {
            bail!(
                "{reference} names {}, which cannot be read here; fetch it again, and look with `git fsck` at what is missing",
                short(&text(&named.stdout))
            );
        }
        Ok(None)
    }

    /// Where the branch of the work tree left the default branch; nothing before the first commit.
    pub(crate) fn fork(&self, configured: Option<&str>) -> Result<Option<Fork>> {
        let Some(head) = self.head()? else {
            return Ok(None);
        };
        let (branch, tip) = self.default_branch(configured)?;
        let Some(commit) = self.merge_base(&head, &tip)? else {
            if self.is_shallow()? {
                bail!(
                    "this shallow clone does not reach back to where HEAD left {branch}; run `git fetch --unshallow`, or name a base with --against"
                );
            }
            bail!("HEAD and {branch} have no commit in common; name a base with --against");
        };
        let is_head = commit == head;
        Ok(Some(Fork {
            commit,
            branch,
            is_head,
        }))
    }

    /// The branch that changes go to, and its commit.
    fn default_branch(&self, configured: Option<&str>) -> Result<(String, String)> {
        let mut candidates: Vec<String> = Vec::new();
        // What the other side calls its default branch goes first: the setting is part of the
        // change under judgement, and must not choose what that is judged against.
        candidates.push("refs/remotes/origin/HEAD".to_owned());
        for name in ["main", "master"] {
            candidates.extend([
                format!("refs/heads/{name}"),
                format!("refs/remotes/origin/{name}"),
            ]);
        }
        if let Some(name) = configured {
            self.require_branch_name(name)?;
            candidates.extend([
                format!("refs/remotes/origin/{name}"),
                format!("refs/heads/{name}"),
            ]);
        }
        for candidate in &candidates {
            if let Some(commit) = self.commit(candidate)? {
                let short = candidate
                    .trim_start_matches("refs/heads/")
                    .trim_start_matches("refs/remotes/");
                return Ok((short.to_owned(), commit));
            }
        }
        bail!(
            "there is no default branch here ({}); fetch it, set default-branch in contract.toml, or name a base with --against",
            match configured {
                Some(name) => format!("tried origin/HEAD, main, master and {name}"),
                None => "tried origin/HEAD, main and master".to_owned(),
            }
        )
    }

    /// Refuses what git would read as anything but the name of a branch.
    fn require_branch_name(&self, name: &str) -> Result<()> {
        let output = self.run(["check-ref-format", "--branch", name])?;
        // Git also takes the likes of `@{-1}` here, and answers with the branch they stand for.
        if !output.status.success() || text(&output.stdout) != name {
            bail!(
                "default-branch in contract.toml is {name:?}, which is no name of a branch; write one as `main`"
            );
        }
        Ok(())
    }

    fn merge_base(&self, left: &str, right: &str) -> Result<Option<String>> {
        let output = self.run(["merge-base", "--", left, right])?;
        match output.status.code() {
            Some(0) => Ok(text(&output.stdout).lines().next().map(str::to_owned)),
            Some(1) => Ok(None),
            _ => bail!("git merge-base failed: {}", said(&output)),
        }
    }

    /// The first parent of a commit; nothing for the first one.
    pub(crate) fn first_parent(&self, commit: &str) -> Result<Option<String>> {
        let line = self.answer(["rev-list", "--parents", "--max-count=1", commit, "--"])?;
        if let Some(parent) = line.split_whitespace().nth(1) {
            return Ok(Some(parent.to_owned()));
        }
        // A shallow clone hides the parents of its oldest commits, which must not pass for first ones.
        if self.is_shallow()? {
            bail!(
                "this shallow clone ends at {}, before the revision to compare with; run `git fetch --unshallow`, or name a base with --against",
                short(commit)
            );
        }
        Ok(None)
    }

    /// Whether older history was left out when this clone was made.
    pub(crate) fn is_shallow(&self) -> Result<bool> {
        Ok(self.answer(["rev-parse", "--is-shallow-repository"])? == "true")
    }

    /// The files of a commit below a folder; of all folders where none is named.
    pub(crate) fn tree(&self, commit: &str, folder: &str) -> Result<Vec<Entry>> {
        let mut arguments = vec!["ls-tree", "-r", "-z", "--long", "--full-tree", commit, "--"];
        if !folder.is_empty() {
            arguments.push(folder);
        }
        let output = self.run(arguments)?;
        if !output.status.success() {
            bail!("git cannot list {}: {}", short(commit), said(&output));
        }
        let mut entries = Vec::new();
        for record in output.stdout.split(|byte| *byte == 0) {
            // A name that is not UTF-8 cannot be one that the settings name.
            let Ok(record) = std::str::from_utf8(record) else {
                continue;
            };
            let Some((facts, path)) = record.split_once('\t') else {
                continue;
            };
            let facts: Vec<&str> = facts.split_whitespace().collect();
            if let [mode, "blob", object, size] = facts.as_slice() {
                entries.push(Entry {
                    path: path.to_owned(),
                    object: (*object).to_owned(),
                    size: size.parse().ok(),
                    is_link: *mode == "120000",
                });
            }
        }
        Ok(entries)
    }

    /// The contents of files of a commit, in order, as text; one process reads them all.
    pub(crate) fn texts(&self, commit: &str, entries: &[&Entry]) -> Result<Vec<String>> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        for entry in entries {
            let name = shown(commit, &entry.path);
            if entry.is_link {
                bail!("{name}: it is a link; the contract's files have to be files themselves");
            }
            let Some(size) = entry.size else {
                bail!(
                    "{name}: git has no content for it here; fetch it again, and look with `git fsck` at what else is missing"
                );
            };
            if size > SIZE_LIMIT {
                bail!(
                    "{name}: it is larger than {} MiB, the most that is read",
                    SIZE_LIMIT >> 20
                );
            }
        }
        let request: String = entries
            .iter()
            .map(|entry| format!("{}\n", entry.object))
            .collect();
        let output = run(&self.root, ["cat-file", "--batch"], request.as_bytes())?;
        let mut reader = BufReader::new(output.stdout.as_slice());
        let mut texts = Vec::with_capacity(entries.len());
        for entry in entries {
            let name = shown(commit, &entry.path);
            let mut header = String::new();
            reader.read_line(&mut header)?;
            let size = header
                .split_whitespace()
                .nth(2)
                .and_then(|size| size.parse().ok());
            let Some(size) = size.filter(|size: &u64| Some(*size) == entry.size) else {
                bail!(
                    "{name}: git has no content for it here ({}); fetch it and try again",
                    header.trim()
                );
            };
            let mut bytes = Vec::new();
            reader.by_ref().take(size).read_to_end(&mut bytes)?;
            reader.read_exact(&mut [0])?;
            texts.push(files::text_of(&name, bytes)?);
        }
        Ok(texts)
    }

    /// A schema in a folder of a commit, where the commit has it, with the files of the folder that it
    /// refers to; `entries` are the files of the commit in that folder.
    pub(crate) fn schema(
        &self,
        commit: &str,
        entries: &[Entry],
        folder: &str,
        name: &str,
    ) -> Result<Option<SchemaText>> {
        let find = |name: &str| {
            let path = match folder {
                "" => name.to_owned(),
                folder => format!("{folder}/{name}"),
            };
            entries.iter().find(|entry| entry.path == path)
        };
        let Some(entry) = find(name) else {
            return Ok(None);
        };
        let Some(text) = self.texts(commit, &[entry])?.pop() else {
            return Ok(None);
        };
        let mut load = |path: &str| match find(path) {
            // As in the work tree, a link is not followed.
            Some(entry) if !entry.is_link => self
                .texts(commit, &[entry])
                .map(|mut texts| texts.pop())
                .map_err(|error| error.to_string()),
            _ => Ok(None),
        };
        let named = (shown(commit, &entry.path), text);
        Ok(Some(SchemaText::with(named, name, &mut load)))
    }

    fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<Output> {
        run(&self.root, arguments, b"")
    }

    fn answer<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<String> {
        let arguments: Vec<&str> = arguments.into_iter().collect();
        let output = self.run(arguments.iter().copied())?;
        if !output.status.success() {
            bail!(
                "git {} failed: {}",
                arguments.first().unwrap_or(&""),
                said(&output)
            );
        }
        Ok(text(&output.stdout))
    }
}

/// How messages name a file of a commit: as `git show` takes it.
pub(crate) fn shown(commit: &str, path: &str) -> String {
    format!("{}:{path}", short(commit))
}

/// The first characters of a commit's id.
pub(crate) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// Variables that point git at another repository, index or configuration. Inside a hook they are
/// set for the hook's own purpose, and here they would mix two repositories.
const FOREIGN: [&str; 16] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_CONFIG_PARAMETERS",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_EXTERNAL_DIFF",
];

fn run<'a>(
    folder: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
    input: &[u8],
) -> Result<Output> {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(["--no-pager", "-c", "core.fsmonitor=false"]);
    command.args(arguments.into_iter().map(OsStr::new));
    for variable in FOREIGN {
        command.env_remove(variable);
    }
    command
        .env("LC_ALL", "C")
        .env("LANGUAGE", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_LITERAL_PATHSPECS", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!(
                "git was not found; install it, or compare without it: --against FILE or DIR, or --old and --new"
            )
        }
        Err(error) => return Err(error).context("git cannot be started"),
    };
    // Fed from a second thread: git may fill its output before it has read all of its input.
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // Where git ends early its exit code tells, not this pipe.
                let _ = stdin.write_all(input);
            }
        });
        child.wait_with_output().context("git did not finish")
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .trim_end_matches(['\n', '\r'])
        .to_owned()
}

fn said(output: &Output) -> String {
    let text = text(&output.stderr);
    text.strip_prefix("fatal: ").unwrap_or(&text).to_owned()
}
