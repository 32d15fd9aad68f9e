//! Revisions of a contract: the work tree, a commit, a folder or a lone schema.

use crate::beside::SchemaText;
use crate::config::{FILE_NAME, GOLDENS, Project, Settings, is_capability};
use crate::git::{self, Entry, Git};
use crate::{compat, files, package};
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wirelock_codegen::evolution::Level;
use wirelock_codegen::evolution::record::{self, Record};

/// A file: what messages call it, and its text.
pub(crate) type Named = (String, String);

/// A contract at one point in time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Revision {
    /// What messages call it.
    pub(crate) label: String,
    /// What messages put before the name of a golden or a record, as `schema/`.
    pub(crate) prefix: String,
    /// The capability; nothing for a lone schema.
    pub(crate) capability: Option<String>,
    /// The settings as they were read; nothing where it has none of its own.
    pub(crate) settings: Option<Named>,
    /// The levels it sets by rule id.
    pub(crate) levels: BTreeMap<String, Level>,
    /// Whether consumers build on types that are generated from it.
    pub(crate) has_types: bool,
    /// The package of these types, where the revision is the work tree.
    pub(crate) package: Option<PathBuf>,
    /// The consumer that was written against these types.
    pub(crate) consumer: Option<Named>,
    /// The schema, where there is one.
    pub(crate) schema: Option<SchemaText>,
    /// Whether goldens are kept, so that each addition needs one.
    pub(crate) keeps_goldens: bool,
    /// The folder of the goldens, below the contract's. Where none are kept it is the one in which
    /// there may be some all the same; nothing for a lone schema.
    pub(crate) golden_folder: String,
    /// The goldens that are kept, or that stay from before where none are.
    pub(crate) goldens: Vec<Named>,
    /// The decision records as they were read.
    pub(crate) record_files: Vec<Named>,
    /// The decision records.
    pub(crate) records: Vec<Record>,
    /// Records that could not be read.
    pub(crate) record_errors: Vec<record::RecordError>,
    /// Capabilities that were superseded and stay published.
    pub(crate) archives: BTreeMap<String, Archive>,
}

/// What is kept of a superseded capability.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Archive {
    /// Its schema.
    pub(crate) schema: Option<Named>,
    /// Its goldens.
    pub(crate) goldens: Vec<Named>,
}

/// Where the files of a contract are read from.
pub(crate) enum Tree<'a> {
    /// A folder on disk.
    Folder(PathBuf),
    /// A folder of a commit.
    Commit {
        /// The repository.
        git: &'a Git,
        /// The commit.
        commit: String,
        /// The folder, from the root of the repository.
        folder: String,
        /// All files below the folder.
        entries: Vec<Entry>,
    },
}

impl Revision {
    /// The contract that a tree holds. Its own `contract.toml` says where things are; where it has
    /// none, `settings` do. One that keeps no goldens names no folder of them, and those that exist
    /// stay what consumers were promised, so that they are read from `stayed`.
    pub(crate) fn read(
        tree: &Tree<'_>,
        settings: &Settings,
        label: String,
        stayed: &str,
    ) -> Result<Self> {
        let file = tree.file(FILE_NAME)?;
        let own = match (&file, tree) {
            (None, _) => None,
            (Some((name, text)), Tree::Folder(_)) => Some(Settings::parse(name, text)?),
            // What history holds can no longer be mended, and an older file may name rules by
            // ids that are gone: the settings of today then say where things are.
            (Some((name, text)), Tree::Commit { .. }) => Settings::parse(name, text).ok(),
        };
        let settings = own.as_ref().unwrap_or(settings);
        let golden_folder = settings.goldens.as_deref().unwrap_or(stayed);
        let record_files = tree.files(&settings.records, ".md")?;
        let (records, record_errors) = record::read(&record_files);
        let mut archives = BTreeMap::new();
        for record in &records {
            let capability = &record.capability;
            if *capability != settings.capability && is_capability(capability) {
                archives.insert(
                    capability.clone(),
                    Archive::read(tree, capability, golden_folder)?,
                );
            }
        }
        let consumer = match &settings.types {
            Some(types) => tree.nearby(&compat::consumer_path(types, &settings.capability))?,
            None => None,
        };
        Ok(Self {
            label,
            consumer,
            package: None,
            prefix: tree.name(""),
            capability: Some(settings.capability.clone()),
            settings: file,
            levels: settings.levels.clone(),
            has_types: settings.types.is_some(),
            schema: tree.schema(&settings.schema)?,
            keeps_goldens: settings.goldens.is_some(),
            golden_folder: golden_folder.to_owned(),
            goldens: tree.files(golden_folder, ".jsonl")?,
            record_files,
            records,
            record_errors,
            archives,
        })
    }

    /// The revision in the work tree.
    pub(crate) fn of_work_tree(project: &Project, stayed: &str) -> Result<Self> {
        let mut revision = Self::read(
            &Tree::Folder(project.folder.clone()),
            &project.settings,
            "the work tree".to_owned(),
            stayed,
        )?;
        let package = package::folder(project);
        revision.package = package.join("Cargo.toml").is_file().then_some(package);
        Ok(revision)
    }

    /// The revision in a folder in contract layout.
    pub(crate) fn of_folder(folder: &Path, settings: &Settings) -> Result<Self> {
        let revision = Self::read(
            &Tree::Folder(folder.to_owned()),
            settings,
            folder.display().to_string(),
            GOLDENS,
        )?;
        if revision.schema.is_none() {
            bail!(
                "{}: the folder has no schema {:?}; name a folder laid out as the contract's, or the schema itself",
                folder.display(),
                settings.schema
            );
        }
        Ok(revision)
    }

    /// The revision of a commit.
    ///
    /// A contract that moved to another folder is still the same one: it is looked for by its
    /// capability, so that a move is no way around the lock.
    pub(crate) fn of_commit(
        git: &Git,
        commit: &str,
        project: &Project,
        stayed: &str,
    ) -> Result<Self> {
        let folder = git.relative(&project.folder_or_here())?;
        let label = git::short(commit).to_owned();
        let tree = Tree::at_commit(git, commit, &folder)?;
        let revision = Self::read(&tree, &project.settings, label.clone(), stayed)?;
        if revision.schema.is_some() {
            return Ok(revision);
        }
        for entry in git.tree(commit, "")? {
            let Some(elsewhere) = entry.path.strip_suffix(FILE_NAME) else {
                continue;
            };
            let elsewhere = elsewhere.trim_end_matches('/');
            if elsewhere == folder
                || !(entry.path == FILE_NAME || entry.path.ends_with(&format!("/{FILE_NAME}")))
            {
                continue;
            }
            let tree = Tree::at_commit(git, commit, elsewhere)?;
            // Any `contract.toml` may be someone else's file, so one that cannot be read is passed over.
            let Ok(moved) = Self::read(&tree, &project.settings, label.clone(), stayed) else {
                continue;
            };
            if moved.schema.is_some()
                && moved.capability.as_deref() == Some(project.settings.capability.as_str())
            {
                return Ok(moved);
            }
        }
        Ok(revision)
    }

    /// How messages name a golden or a record of this revision.
    pub(crate) fn shown(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Whether another revision says the same in all its parts.
    pub(crate) fn same_contract(&self, other: &Self) -> bool {
        let same_schema = match (&self.schema, &other.schema) {
            (Some(one), Some(two)) => one.says_the_same(two),
            (one, two) => one.is_none() && two.is_none(),
        };
        same_schema
            && self.goldens == other.goldens
            && self.record_files == other.record_files
            && self.capability == other.capability
            && self.levels == other.levels
            && self.keeps_goldens == other.keeps_goldens
            && self.has_types == other.has_types
            && self.archives == other.archives
    }

    /// Whether an accepted record locks the contract.
    pub(crate) fn is_locked(&self) -> bool {
        self.capability
            .as_deref()
            .is_some_and(|capability| record::is_locked(&self.records, capability))
    }
}

impl Archive {
    /// Reads the folder that is named after the capability and laid out as the contract's.
    fn read(tree: &Tree<'_>, capability: &str, golden_folder: &str) -> Result<Self> {
        Ok(Self {
            schema: tree.files(capability, ".json")?.into_iter().next(),
            goldens: tree.files(&format!("{capability}/{golden_folder}"), ".jsonl")?,
        })
    }
}

impl<'a> Tree<'a> {
    /// A folder of a commit.
    pub(crate) fn at_commit(git: &'a Git, commit: &str, folder: &str) -> Result<Self> {
        let entries = git.tree(commit, folder)?;
        Ok(Self::Commit {
            git,
            commit: commit.to_owned(),
            folder: folder.to_owned(),
            entries,
        })
    }

    /// How messages name a file of the tree.
    fn name(&self, relative: &str) -> String {
        match self {
            Self::Folder(folder) => folder.join(relative).display().to_string(),
            Self::Commit { commit, folder, .. } => git::shown(commit, &join(folder, relative)),
        }
    }

    /// One file, where there is one.
    fn file(&self, relative: &str) -> Result<Option<Named>> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(relative);
                let name = path.display().to_string();
                refuse_link(&path)?;
                Ok(files::read_text_if_present(&path)?.map(|text| (name, text)))
            }
            Self::Commit {
                git,
                commit,
                folder,
                entries,
            } => {
                let path = join(folder, relative);
                let found: Vec<&Entry> =
                    entries.iter().filter(|entry| entry.path == path).collect();
                let text = git.texts(commit, &found)?.pop();
                Ok(text.map(|text| (git::shown(commit, &path), text)))
            }
        }
    }

    /// One file outside of the folder, where there is one.
    fn nearby(&self, relative: &str) -> Result<Option<Named>> {
        match self {
            Self::Folder(folder) => {
                let path = package::below_or_beside(folder, relative);
                let name = path.display().to_string();
                refuse_link(&path)?;
                Ok(files::read_text_if_present(&path)?.map(|text| (name, text)))
            }
            Self::Commit {
                git,
                commit,
                folder,
                ..
            } => {
                let mut names: Vec<&str> =
                    folder.split('/').filter(|name| !name.is_empty()).collect();
                for name in relative.split('/') {
                    match name {
                        "." | "" => {}
                        // What lies outside of the repository is in no commit.
                        ".." if names.pop().is_none() => return Ok(None),
                        ".." => {}
                        name => names.push(name),
                    }
                }
                let path = names.join("/");
                let entries = git.tree(commit, &path)?;
                let found: Vec<&Entry> =
                    entries.iter().filter(|entry| entry.path == path).collect();
                let text = git.texts(commit, &found)?.pop();
                Ok(text.map(|text| (git::shown(commit, &path), text)))
            }
        }
    }

    /// A schema with the files of its folder that it refers to, where there is one.
    fn schema(&self, relative: &str) -> Result<Option<SchemaText>> {
        let (below, own) = relative.rsplit_once('/').unwrap_or(("", relative));
        match self {
            Self::Folder(folder) => Ok(self.file(relative)?.map(|named| {
                let folder = folder.join(below);
                SchemaText::with(named, own, &mut |path| files::read_beside(&folder, path))
            })),
            Self::Commit {
                git,
                commit,
                folder,
                entries,
            } => {
                let folder = match (folder.as_str(), below) {
                    (folder, "") => folder.to_owned(),
                    (folder, below) => join(folder, below),
                };
                git.schema(commit, entries, &folder, own)
            }
        }
    }

    /// The files of a folder with that ending, by name; what is in folders below is not among them.
    ///
    /// Their names are paths below the contract's folder, equal in every revision.
    fn files(&self, relative: &str, ending: &str) -> Result<Vec<Named>> {
        match self {
            Self::Folder(folder) => {
                let mut found = Vec::new();
                let path = folder.join(relative);
                refuse_link(&path)?;
                if !path.exists() {
                    return Ok(found);
                }
                let unreadable = || format!("{}: the folder cannot be read", path.display());
                for entry in std::fs::read_dir(&path).with_context(unreadable)? {
                    let entry = entry.with_context(unreadable)?;
                    let lossy = entry.file_name().to_string_lossy().into_owned();
                    if !lossy.ends_with(ending) {
                        continue;
                    }
                    let shown = entry.path();
                    let shown = shown.display();
                    // Passed over, these would pass for files that were looked at.
                    let Ok(name) = entry.file_name().into_string() else {
                        bail!("{shown}: its name is not UTF-8; rename it");
                    };
                    refuse_link(&entry.path())?;
                    if entry.path().is_dir() {
                        bail!(
                            "{shown}: this is a folder, and a name that ends in {ending} is for files; rename it or move it away"
                        );
                    }
                    found.push((
                        format!("{relative}/{name}"),
                        files::read_text(&entry.path())?,
                    ));
                }
                found.sort();
                Ok(found)
            }
            Self::Commit {
                git,
                commit,
                folder,
                entries,
            } => {
                let prefix = format!("{}/", join(folder, relative));
                let is_in = |path: &str| {
                    path.strip_prefix(&prefix)
                        .is_some_and(|name| name.ends_with(ending) && !name.contains('/'))
                };
                let found: Vec<&Entry> =
                    entries.iter().filter(|entry| is_in(&entry.path)).collect();
                let texts = git.texts(commit, &found)?;
                let names = found
                    .iter()
                    .map(|entry| format!("{relative}/{}", &entry.path[prefix.len()..]));
                Ok(names.zip(texts).collect())
            }
        }
    }
}

fn join(folder: &str, relative: &str) -> String {
    if folder.is_empty() {
        relative.to_owned()
    } else {
        format!("{folder}/{relative}")
    }
}

/// A commit keeps of a link only where it leads, so the two sides of a comparison would differ.
fn refuse_link(path: &Path) -> Result<()> {
    if std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
        bail!(
            "{}: it is a link; the contract's files have to be files themselves",
            path.display()
        );
    }
    Ok(())
}
