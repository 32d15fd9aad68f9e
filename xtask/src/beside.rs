//! A schema as text, with the files of its folder that it refers to.

use crate::baseline::Named;
use crate::files;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::Path;
use wirelock_codegen::json::Source;
use wirelock_codegen::schema::Document;

/// What there is at a path of the folder: text, nothing, or why it cannot be read.
pub(crate) type Loaded = std::result::Result<Option<String>, String>;

/// A schema and what goes with it. The further files are read once and kept, so that two revisions
/// can be compared, and so that nothing is read while a judgement is under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct SchemaText {
    /// What messages call it.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
    /// Its own name in its folder; empty where it has no folder.
    path: String,
    /// The further files by their paths in the folder, as far as it refers to them.
    beside: BTreeMap<String, Loaded>,
}

impl SchemaText {
    /// A schema without a folder.
    pub(crate) fn alone((name, text): Named) -> Self {
        Self {
            name,
            text,
            ..Self::default()
        }
    }

    /// A schema with the files that `load` gives for paths in its folder.
    pub(crate) fn with(
        (name, text): Named,
        path: &str,
        load: &mut dyn FnMut(&str) -> Loaded,
    ) -> Self {
        let mut beside = BTreeMap::new();
        let mut keep = |path: &str| {
            let loaded = load(path);
            beside.insert(path.to_owned(), loaded.clone());
            loaded
        };
        let source = Source::new(name.as_str(), text.as_str());
        // This is about which files are asked for; a fault is told when the schema is judged.
        drop(Document::read_with(source, path, &mut keep));
        Self {
            name,
            text,
            path: path.to_owned(),
            beside,
        }
    }

    /// A schema that the command line names. One that comes through a descriptor has no folder.
    pub(crate) fn of_file(path: &Path) -> Result<Self> {
        let named = (path.display().to_string(), files::read_argument(path)?);
        let own = path.file_name().and_then(|name| name.to_str());
        Ok(match own {
            Some(own) if !files::is_descriptor(path) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                Self::with(named, own, &mut |relative| {
                    files::read_beside(folder, relative)
                })
            }
            _ => Self::alone(named),
        })
    }

    /// Its own name in its folder.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The file at a path of the folder.
    pub(crate) fn load(&self, path: &str) -> Loaded {
        self.beside.get(path).cloned().unwrap_or(Ok(None))
    }

    /// The further files that are there.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.beside.iter().filter_map(|(path, loaded)| {
            let text = loaded.as_ref().ok()?.as_deref()?;
            Some((path.as_str(), text))
        })
    }

    /// Whether two say the same, whatever they are called.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        self.text == other.text && self.beside == other.beside
    }
}
