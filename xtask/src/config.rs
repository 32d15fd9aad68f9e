//! `contract.toml`: where a contract's parts are, and the levels it sets by rule.

use crate::files;
use anyhow::{Result, anyhow, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use toml::Spanned;
use wirelock_codegen::evolution::Level;
use wirelock_codegen::json::Source;

/// The name of the settings file in a contract's folder.
pub(crate) const FILE_NAME: &str = "contract.toml";

/// The folder of the goldens, below the contract's, unless the settings name another.
pub(crate) const GOLDENS: &str = "golden";

/// One contract: a folder that holds a schema, goldens and decision records.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    /// The folder with `contract.toml`.
    pub(crate) folder: PathBuf,
    /// What that file says.
    pub(crate) settings: Settings,
}

/// What `contract.toml` says. Paths are relative to its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The capability whose rule of growth holds.
    pub(crate) capability: String,
    /// The schema.
    pub(crate) schema: String,
    /// The folder of the goldens; nothing where none are kept.
    pub(crate) goldens: Option<String>,
    /// The folder of the decision records.
    pub(crate) records: String,
    /// The branch that changes are compared with.
    pub(crate) default_branch: Option<String>,
    /// The package of the generated types, where consumers build on them.
    pub(crate) types: Option<String>,
    /// Levels of the contract's own, by rule id.
    pub(crate) levels: BTreeMap<String, Level>,
}

impl Project {
    /// Reads the contract that `--contract` names, or the one that is found from `start` upwards.
    pub(crate) fn open(named: Option<&Path>, start: &Path) -> Result<Self> {
        if let Some(project) = Self::find(named, start)? {
            return Ok(project);
        }
        bail!(
            "no {FILE_NAME} here, in schema/ or further up; run this in a repository that has a contract, name its folder with --contract, or begin one: docs/adopt.md shows how, and `check-evolution --schema FILE` judges a schema without"
        )
    }

    /// As [`Project::open`], where having none is fine.
    pub(crate) fn find(named: Option<&Path>, start: &Path) -> Result<Option<Self>> {
        if let Some(path) = named {
            let file = if path.is_dir() {
                path.join(FILE_NAME)
            } else {
                path.to_owned()
            };
            return Self::read(&file).map(Some);
        }
        for folder in start.ancestors() {
            for file in [
                folder.join("schema").join(FILE_NAME),
                folder.join(FILE_NAME),
            ] {
                // What is there and no regular file is refused when it is read.
                if std::fs::metadata(&file).is_ok_and(|metadata| !metadata.is_dir()) {
                    // Short paths read better in messages, and an editor follows them.
                    let file = file.strip_prefix(start).unwrap_or(&file);
                    return Self::read(file).map(Some);
                }
            }
            // A contract of some other repository around this one is not this one's.
            if folder.join(".git").exists() {
                break;
            }
        }
        Ok(None)
    }

    fn read(file: &Path) -> Result<Self> {
        let settings = Settings::parse(&file.display().to_string(), &files::read_text(file)?)?;
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { folder, settings })
    }

    /// The folder as a path that can be opened: an empty one means the current folder.
    pub(crate) fn folder_or_here(&self) -> PathBuf {
        if self.folder.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            self.folder.clone()
        }
    }

    /// What is read of the contract: its settings, the schema, and the folders beside it.
    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        let settings = &self.settings;
        let goldens = settings.goldens.as_deref();
        [FILE_NAME, &settings.schema, &settings.records]
            .into_iter()
            .chain(goldens)
            .map(|part| self.path(part))
            .collect()
    }

    /// The folder of the goldens.
    pub(crate) fn goldens(&self) -> Result<PathBuf> {
        let Some(goldens) = &self.settings.goldens else {
            bail!(
                "the contract keeps no goldens: {} says `goldens = false`",
                self.path(FILE_NAME).display()
            );
        };
        Ok(self.path(goldens))
    }

    /// The path of one of the contract's files.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.join(relative)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    capability: Spanned<String>,
    schema: Spanned<String>,
    goldens: Option<Spanned<toml::Value>>,
    records: Option<Spanned<String>>,
    default_branch: Option<Spanned<String>>,
    types: Option<Spanned<String>>,
    #[serde(default)]
    levels: BTreeMap<Spanned<String>, Level>,
}

impl Settings {
    /// Reads the text of a `contract.toml`; `name` is what messages call it.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self> {
        let source = Source::new(name, text);
        let fail = |at: usize, message: &str| {
            let position = source.position(u32::try_from(at).unwrap_or(u32::MAX));
            anyhow!("{name}:{}:{}: {message}", position.line, position.column)
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let message = error.message().trim_end().replace('\n', "; ");
            fail(error.span().map_or(0, |span| span.start), &message)
        })?;
        let inside = |path: Spanned<String>| -> Result<String> {
            let at = path.span().start;
            let path = path.into_inner();
            let climbs = Path::new(&path)
                .components()
                .any(|part| !matches!(part, Component::Normal(_)));
            if path.is_empty() || climbs {
                return Err(fail(
                    at,
                    &format!(
                        "{path:?} has to be a path below the folder of this file, without `.` or `..`"
                    ),
                ));
            }
            Ok(path.trim_end_matches('/').to_owned())
        };
        if !is_capability(file.capability.get_ref()) {
            return Err(fail(
                file.capability.span().start,
                "a capability is a name of letters, digits, `_`, `-` and `.`",
            ));
        }
        if let Some(branch) = file.default_branch.as_ref().filter(|branch| {
            let name = branch.get_ref();
            name.is_empty() || name.starts_with('-') || name.contains(char::is_control)
        }) {
            return Err(fail(branch.span().start, "this is no name of a branch"));
        }
        if let Some(types) = &file.types
            && !is_folder_nearby(types.get_ref())
        {
            return Err(fail(
                types.span().start,
                "`types` is the folder of a package, as a path from the folder of this file",
            ));
        }
        let goldens = match file.goldens {
            None => Some(GOLDENS.to_owned()),
            Some(goldens) => {
                let span = goldens.span();
                match goldens.into_inner() {
                    toml::Value::Boolean(false) => None,
                    toml::Value::String(path) => Some(inside(Spanned::new(span, path))?),
                    _ => {
                        let message = "`goldens` is a folder, or false where none are kept";
                        return Err(fail(span.start, message));
                    }
                }
            }
        };
        if let (None, Some(types)) = (&goldens, &file.types) {
            return Err(fail(
                types.span().start,
                "`types` needs goldens, which the types of the base are held against; leave `goldens = false` out",
            ));
        }
        let mut levels = BTreeMap::new();
        for (rule, level) in file.levels {
            if let Err(error) = crate::engine::known_rule(rule.get_ref()) {
                return Err(fail(rule.span().start, &error.to_string()));
            }
            levels.insert(rule.into_inner(), level);
        }
        Ok(Self {
            capability: file.capability.into_inner(),
            schema: inside(file.schema)?,
            goldens,
            records: file.records.map_or(Ok("adr".to_owned()), inside)?,
            default_branch: file.default_branch.map(Spanned::into_inner),
            types: file.types.map(Spanned::into_inner),
            levels,
        })
    }
}

/// Whether a path goes up first, if at all, and then down to a folder.
fn is_folder_nearby(path: &str) -> bool {
    let mut parts = Path::new(path)
        .components()
        .skip_while(|part| *part == Component::ParentDir)
        .peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a text can be a capability, which also names the folder that keeps it once it is
/// superseded.
pub(crate) fn is_capability(text: &str) -> bool {
    let fits = |character: char| character.is_alphanumeric() || "_-.".contains(character);
    !text.is_empty() && !text.starts_with('.') && text.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_their_place() {
        for (text, expected) in [
            ("capability = \"v1\"\n", "missing field `schema`"),
            (
                "capability = \"v1\"\nschema = \"s.json\"\nrecord = \"x\"\n",
                "c.toml:3:1: unknown field `record`",
            ),
            (
                "capability = \"v1\"\nschema = \"../s.json\"\n",
                "c.toml:2:10: \"../s.json\" has to be a path below",
            ),
            (
                "capability = \"v1\"\nschema = \"/s.json\"\n",
                "c.toml:2:10: ",
            ),
            (
                "capability = \"a/b\"\nschema = \"s.json\"\n",
                "c.toml:1:14: a capability is a name",
            ),
            (
                "capability = \"v1\"\nschema = \"s.json\"\ndefault-branch = \"-x\"\n",
                "c.toml:3:18: this is no name of a branch",
            ),
            (
                "capability = \"v1\"\nschema = \"s.json\"\n[levels]\nproperty-removed = \"fine\"\n",
                "c.toml:4:20: unknown variant `fine`",
            ),
            (
                "capability = \"v1\"\nschema = \"s.json\"\ntypes = \"/types\"\n",
                "c.toml:3:9: `types` is the folder of a package",
            ),
            (
                "capability = \"v1\"\nschema = \"s.json\"\ntypes = \"a/../..\"\n",
                "c.toml:3:9: `types` is the folder of a package",
            ),
            (
                "capability = \"v1\"\nschema = \"s.json\"\ngoldens = true\n",
                "c.toml:3:11: `goldens` is a folder, or false",
            ),
            (
                "capability = \"v1\"\nschema = \"s.json\"\ngoldens = \"../g\"\n",
                "c.toml:3:11: \"../g\" has to be a path below",
            ),
            (
                "capability = \"v1\"\nschema = \"s.json\"\ngoldens = false\ntypes = \"../t\"\n",
                "c.toml:4:9: `types` needs goldens",
            ),
            ("capability = \n", "c.toml:1:14: "),
        ] {
            let error = Settings::parse("c.toml", text)
                .expect_err(expected)
                .to_string();
            assert!(error.contains(expected), "{error} lacks {expected}");
        }
    }

    /// The error for an unknown key lists all that there are, so it is what the page is held to.
    #[test]
    fn the_reference_describes_every_key() {
        let error = Settings::parse("c.toml", "no-such-key = 1\n")
            .expect_err("unknown")
            .to_string();
        let (_, listed) = error.split_once("expected one of ").expect(&error);
        let mut keys: Vec<&str> = listed.split('`').skip(1).step_by(2).collect();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/contract.md");
        let page = std::fs::read_to_string(path).expect("the page of the contract");
        let (_, table) = page
            .split_once("\n## `contract.toml`")
            .expect("a section for each place");
        let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
        let mut documented: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
        documented.sort_unstable();
        keys.sort_unstable();
        assert_eq!(documented, keys);
    }

    #[test]
    fn folders_have_the_usual_names() {
        let settings =
            Settings::parse("c.toml", "capability = \"v1\"\nschema = \"s.json\"\n").expect("valid");
        assert_eq!(
            (settings.goldens.as_deref(), settings.records.as_str()),
            (Some("golden"), "adr")
        );
    }
}
