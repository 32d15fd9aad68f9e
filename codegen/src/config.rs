//! Types from a schema in a build script: the one place of this library that reads and writes files.

use crate::emit::{self, File, FileError, Options, Outcome, Untyped};
use crate::json::Source;
use crate::schema::{Document, SchemaError};
use crate::wire;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The largest schema that is read. A contract is far below it; what is above is a mistake.
const SIZE_LIMIT: u64 = 64 * 1024 * 1024;

/// Which types a build script wants, and where they go.
///
/// In `build.rs`, where the schema's path starts at the package:
///
/// ```no_run
/// fn main() -> Result<(), wirelock_codegen::ConfigError> {
///     wirelock_codegen::Config::new().schema("schema/events.schema.json").compile()?;
///     Ok(())
/// }
/// ```
///
/// The types are in `events.rs` below `OUT_DIR` then, which the package brings in with
/// `wirelock_runtime::include_contract!(pub mod events = "events");`. Anywhere else a folder has to be
/// named:
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = std::env::temp_dir().join(format!("wirelock-{}", std::process::id()));
/// let schema = folder.join("point.schema.json");
/// std::fs::create_dir_all(&folder)?;
/// std::fs::write(&schema, r#"{"title": "Point", "properties": {"x": {"type": "integer"}}, "type": "object"}"#)?;
/// let config = wirelock_codegen::Config::new().schema(&schema).out_dir(&folder).derive("Hash");
/// let compiled = config.clone().compile()?;
/// assert!(compiled[0].path.ends_with("point.rs"));
/// assert!(std::fs::read_to_string(&compiled[0].path)?.contains("pub x: Option<i64>"));
///
/// std::fs::write(&schema, "{\n  \"type\": \"objekt\"}")?;
/// let error = config.compile().unwrap_err().to_string();
/// assert!(error.contains("point.schema.json:2:11: "), "{error}");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Config {
    schemas: Vec<PathBuf>,
    out_dir: Option<PathBuf>,
    mode: Mode,
    derives: Vec<String>,
    json_schema: bool,
}

/// How types hold the text that they are read from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// Each holds its own copy.
    #[default]
    Owned,
    /// So they do; and there is a module `borrowed` beside them with the same types once more, as they
    /// borrow the text, and with types that peek at the tags and the envelope of a line.
    Borrowed,
}

/// The types of one schema, written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Compiled {
    /// The file that holds them.
    pub path: PathBuf,
    /// What is typed more loosely than the schema says, with the reason.
    pub untyped: Vec<Untyped>,
}

/// Why no types were written.
///
/// A build script that returns an error is shown by `Debug`, so that this says the same as `Display`:
/// the file, the line and the column, what is wrong and what to do.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// No schema was named.
    #[error("no schema is named; call `schema` with the path of one before `compile`")]
    NoSchema,
    /// It is not known where the types go.
    #[error(
        "OUT_DIR is not set; call `compile` in a build script, or name a folder with `out_dir`"
    )]
    NoFolder,
    /// Two schemas would write the same file.
    #[error("{}: its types would go to {file}, as those of {} do; compile one of them into a folder of its own", second.display(), first.display())]
    SameFile {
        /// The schema that came first.
        first: PathBuf,
        /// The schema that came second.
        second: PathBuf,
        /// The name of the file.
        file: String,
    },
    /// A schema cannot be read.
    #[error("{}: {message}", path.display())]
    Unreadable {
        /// The schema.
        path: PathBuf,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A schema is none.
    #[error("{0}")]
    Schema(#[from] SchemaError),
    /// The types could not be generated.
    #[error("{0}")]
    Emit(#[from] emit::Error),
    /// The types could not be written.
    #[error("{0}")]
    Write(#[from] FileError),
}

impl fmt::Debug for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Config {
    /// Nothing asked for yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a schema; a relative path starts at the package whose build script runs.
    ///
    /// The file of its types has its name, without `.schema` and `.json`. Further files that it refers
    /// to are looked for in its folder.
    #[must_use]
    pub fn schema(mut self, path: impl Into<PathBuf>) -> Self {
        self.schemas.push(path.into());
        self
    }

    /// The folder that the types go to; `OUT_DIR` where none is named.
    #[must_use]
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// How the types hold the text that they are read from; [`Mode::Owned`] where nothing is said.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Derives a trait for every type, beside those that all types have. A field may hold any JSON, whose
    /// types have to implement the trait as well.
    #[must_use]
    pub fn derive(mut self, name: impl Into<String>) -> Self {
        self.derives.push(name.into());
        self
    }

    /// Lets every type tell its schema by schemars' `JsonSchema`, where the runtime's feature `schemars` is
    /// on.
    #[must_use]
    pub fn json_schema(mut self) -> Self {
        self.json_schema = true;
        self
    }

    /// Writes the types, and tells cargo which files they depend on.
    ///
    /// # Errors
    /// See [`ConfigError`]. Where one schema cannot be read, no file is written or changed.
    pub fn compile(self) -> Result<Vec<Compiled>, ConfigError> {
        if self.schemas.is_empty() {
            return Err(ConfigError::NoSchema);
        }
        let from_cargo = || std::env::var_os("OUT_DIR").map(PathBuf::from);
        let folder = self.out_dir.clone().or_else(from_cargo);
        let folder = folder.ok_or(ConfigError::NoFolder)?;
        let mut files: Vec<(&Path, File, Vec<Untyped>)> = Vec::new();
        for path in &self.schemas {
            let (file, untyped) = self.types(path)?;
            if let Some((first, ..)) = files.iter().find(|(_, other, _)| other.path == file.path) {
                return Err(ConfigError::SameFile {
                    first: (*first).to_owned(),
                    second: path.clone(),
                    file: file.path,
                });
            }
            files.push((path, file, untyped));
        }
        let mut compiled = Vec::new();
        for (_, file, untyped) in files {
            let _: Outcome = emit::settle_file(&folder, &file, emit::Mode::Write)?;
            let path = folder.join(file.path);
            compiled.push(Compiled { path, untyped });
        }
        Ok(compiled)
    }

    /// The types of one schema as a file to be.
    fn types(&self, path: &Path) -> Result<(File, Vec<Untyped>), ConfigError> {
        // Told before anything can fail, so that the script runs again once the file is mended.
        depend_on(path);
        let shown = path.display().to_string();
        let unreadable = |message| ConfigError::Unreadable {
            path: path.to_owned(),
            message,
        };
        let bytes = read(path).map_err(unreadable)?;
        let text = text_of(bytes).map_err(|(valid, message)| {
            let at = u32::try_from(valid.len()).unwrap_or(u32::MAX);
            SchemaError::at(&Source::new(shown.as_str(), valid), at, message)
        })?;
        let own = path.file_name().and_then(|name| name.to_str());
        let own = own.ok_or_else(|| unreadable("its name is not UTF-8; rename it".to_owned()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut beside = |relative: &str| {
            let (found, place) = beside(folder, relative)?;
            depend_on(&place);
            match found {
                true => {
                    let text = |bytes| text_of(bytes).map_err(|(_, why)| why.to_owned());
                    let named = |why| format!("{}: {why}", place.display());
                    read(&place).and_then(text).map(Some).map_err(named)
                }
                false => Ok(None),
            }
        };
        let source = Source::new(shown, text);
        let document = Document::read_with(source, own, &mut beside)?;
        let wire = wire::build(&document)?;
        let mut options = Options::new(own, "");
        options.borrowed = self.mode == Mode::Borrowed;
        options.derives = self.derives.clone();
        options.json_schema = self.json_schema;
        let emitted = emit::rust(&wire, &options)?;
        let stem = own.strip_suffix(".json").unwrap_or(own);
        let stem = stem.strip_suffix(".schema").unwrap_or(stem);
        let file = File {
            path: format!("{stem}.rs"),
            content: emitted.code,
        };
        Ok((file, emitted.untyped))
    }
}

fn depend_on(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// Where a file of a folder is that a schema in that folder refers to, and whether it is there. A link
/// is never followed, because a commit keeps of it only where it leads, and because it may lead anywhere.
///
/// Where there is none the place is what will change once there is one: the last folder on the way.
///
/// # Errors
/// Why it cannot be told, as a sentence.
pub fn beside(folder: &Path, relative: &str) -> Result<(bool, PathBuf), String> {
    let mut path = folder.to_owned();
    for name in relative.split('/') {
        let next = path.join(name);
        match std::fs::symlink_metadata(&next) {
            Ok(metadata) if metadata.is_symlink() => return Ok((false, next)),
            Ok(_) => path = next,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                let here = Path::new(".");
                let is_here = path.as_os_str().is_empty();
                return Ok((false, if is_here { here.to_owned() } else { path }));
            }
            Err(error) => return Err(format!("{}: {}", next.display(), explain(&error))),
        }
    }
    Ok((true, path))
}

/// Reads a file, with what to do where that fails.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| explain(&error))?;
    if metadata.is_dir() {
        return Err("this is a folder; name a file in it".to_owned());
    }
    // Opening a pipe waits for a writer, and a device may never end.
    if !metadata.is_file() {
        return Err("this is no regular file; name one".to_owned());
    }
    if metadata.len() > SIZE_LIMIT {
        return Err(format!(
            "it is larger than {} MiB, the most that is read; check that it is the right file",
            SIZE_LIMIT >> 20
        ));
    }
    std::fs::read(path).map_err(|error| explain(&error))
}

/// Bytes as text; where they are none, what is text before them and why the rest is not.
fn text_of(bytes: Vec<u8>) -> Result<String, (String, &'static str)> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let mut bytes = error.into_bytes();
        bytes.truncate(valid);
        let valid = String::from_utf8(bytes).unwrap_or_default();
        (valid, "this is not UTF-8; save the file as UTF-8")
    })
}

fn explain(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file; check the path, which starts at the package where it is relative".to_owned(),
        ErrorKind::PermissionDenied => "it may not be read; check its permissions".to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}
