//! Cases from elsewhere, which stand in a folder beside the repository on some machines only.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// A pair of a suite of another project, with what set truth says of it.
#[derive(Deserialize)]
pub struct Suite {
    /// Its name, unique in its file.
    pub id: String,
    /// The old schema, as JSON Schema 2020-12.
    pub old_2020: Box<RawValue>,
    /// The new schema, likewise.
    pub new_2020: Box<RawValue>,
    /// Whether every document of old is one of new, where that is settled.
    pub semantic_backward: Option<bool>,
    /// The other way round.
    pub semantic_forward: Option<bool>,
}

/// A pair from a public bug report.
#[derive(Deserialize)]
pub struct Reported {
    /// Its name, unique in its file.
    pub id: String,
    /// The old schema.
    pub old: Box<RawValue>,
    /// The new schema.
    pub new: Box<RawValue>,
    /// Whether every document of old is one of new, where that is settled.
    pub backward: Option<bool>,
    /// The other way round.
    pub forward: Option<bool>,
    /// What the rule of growth says, where someone said it.
    pub additive: Option<bool>,
    /// The rules that have to fire.
    pub rules: Vec<String>,
}

/// Neighbouring revisions of a real schema, with a reviewer's verdict.
#[derive(Deserialize)]
pub struct Reviewed {
    /// Its name, unique in its file.
    pub id: String,
    /// The file of the old revision, in the folder of the list.
    pub old: String,
    /// The file of the new revision.
    pub new: String,
    /// Whether every document of old is one of new, where that is settled.
    pub backward: Option<bool>,
    /// The other way round.
    pub forward: Option<bool>,
    /// What the rule of growth says, where someone said it.
    pub additive: Option<bool>,
    /// What the reviewer found changed.
    pub changes: Vec<Listed>,
}

/// One change that a reviewer listed.
#[derive(Deserialize)]
pub struct Listed {
    /// Which kind of change, as `removed_required`.
    pub kind: String,
    /// The place in the old revision, as a JSON pointer.
    pub old_ptr: Option<String>,
    /// The place in the new revision.
    pub new_ptr: Option<String>,
}

/// The folder, whether it is there or not.
#[must_use]
pub fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")
}

/// Reads a file with one case a line; nothing where there is no such file, which is said on the
/// error stream, past the capture of the test harness, because what is skipped must be seen.
///
/// # Errors
/// A file that cannot be read, and a line that is no such case.
///
/// ```
/// use wirelock_tests::handed::{Reported, read};
/// assert!(read::<Reported>("no/such/file.jsonl".as_ref()).unwrap().is_none());
/// ```
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<Vec<T>>> {
    let fault = |error: &dyn std::fmt::Display, kind| {
        Error::new(kind, format!("{}: {error}", path.display()))
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            use std::io::Write as _;
            writeln!(
                std::io::stderr(),
                "not present, not asked: {}",
                path.display()
            )?;
            return Ok(None);
        }
        Err(error) => return Err(fault(&error, error.kind())),
    };
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    let cases = filled
        .map(serde_json::from_str)
        .collect::<serde_json::Result<_>>();
    cases
        .map(Some)
        .map_err(|error| fault(&error, ErrorKind::InvalidData))
}
