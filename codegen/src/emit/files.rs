//! Puts generated files in place: nothing where they are equal, and never half a file.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it belongs, relative to a folder that the caller chooses.
    pub path: String,
    /// What it holds.
    pub content: String,
}

/// What to do with a file that is not as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Write it.
    Write,
    /// Leave it, and say so.
    Check,
}

/// What was found and done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The file was as it should be.
    Unchanged,
    /// The file was written.
    Written,
    /// The file is missing or holds something else, and was left.
    Stale,
}

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot {action}: {source}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What was tried.
    pub action: &'static str,
    /// What the system said.
    pub source: std::io::Error,
}

/// Compares a file with what it should be, and writes it where the mode says so.
///
/// The new content goes into a temporary file beside it, which then takes its name: a reader sees
/// the old file or the new one, whatever interrupts.
///
/// # Errors
/// The file cannot be read or written.
pub fn settle(folder: &Path, file: &File, mode: Mode) -> Result<Outcome, FileError> {
    let path = folder.join(&file.path);
    let failed = |action| {
        let path = path.clone();
        move |source| FileError {
            path,
            action,
            source,
        }
    };
    // A device or a pipe may never end when it is read, and must not be replaced.
    if std::fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        let source = std::io::Error::other("it is no regular file; name another one");
        return Err(failed("replace it")(source));
    }
    match std::fs::read(&path) {
        Ok(found) if same(&found, &file.content) => return Ok(Outcome::Unchanged),
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(failed("read it")(error));
        }
        _ => {}
    }
    if mode == Mode::Check {
        return Ok(Outcome::Stale);
    }
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).map_err(failed("create its folder"))?;
    let temporary = parent.join(temporary_name());
    let written = write_all(&temporary, file.content.as_bytes())
        .and_then(|()| std::fs::rename(&temporary, &path));
    if written.is_err() {
        // What cannot be removed either is harmless: it has a name nobody reads.
        let _ = std::fs::remove_file(&temporary);
    }
    written.map_err(failed("write it"))?;
    Ok(Outcome::Written)
}

/// A checkout may have turned line ends into those of its system; that is no difference.
fn same(found: &[u8], content: &str) -> bool {
    found == content.as_bytes()
        || std::str::from_utf8(found).is_ok_and(|found| found.replace("\r\n", "\n") == content)
}

fn temporary_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!(
        ".wirelock-{}-{}.tmp",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

fn write_all(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::File::create_new(path)?;
    file.write_all(content)?;
    file.sync_all()
}
