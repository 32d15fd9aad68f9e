//! Reading and writing files, with messages that say what to do.

use anyhow::{Context as _, Result, bail};
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use wirelock_codegen::config::beside;

/// The largest input that is read. A contract is far below it; what is above is a mistake.
pub(crate) const SIZE_LIMIT: u64 = 64 * 1024 * 1024;
/// What some editors put before UTF-8 text, and no format here allows.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a text file.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    read_limited(&path.display().to_string(), open(path, false)?)
}

/// Reads a text file that the command line names, which may also be an open descriptor.
pub(crate) fn read_argument(path: &Path) -> Result<String> {
    read_limited(&path.display().to_string(), open_argument(path)?)
}

/// Opens a file that the command line names, which may also be an open descriptor.
pub(crate) fn open_argument(path: &Path) -> Result<File> {
    open(path, is_descriptor(path))
}

/// Opening a pipe waits for a writer, and a device may never end, so neither is opened unless a
/// shell handed it over.
fn open(path: &Path, is_handed_over: bool) -> Result<File> {
    let name = path.display().to_string();
    let metadata = fs::metadata(path).map_err(|error| explain(&name, &error))?;
    if metadata.is_dir() {
        bail!("{name}: this is a folder; name a file in it");
    }
    if !metadata.is_file() && !is_handed_over {
        bail!(
            "{name}: this is {}, no regular file; save what it gives to a file and name that",
            kind(metadata.file_type())
        );
    }
    File::open(path).map_err(|error| explain(&name, &error))
}

/// Whether a path stands for a descriptor of this process, as process substitution names them.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    let Some(text) = path.to_str() else {
        return false;
    };
    let number = text
        .strip_prefix("/dev/fd/")
        .or_else(|| text.strip_prefix("/proc/self/fd/"));
    text == "/dev/stdin"
        || number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

#[cfg(unix)]
fn kind(kind: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(_: fs::FileType) -> &'static str {
    "something else"
}

/// Refuses to write over what the same run reads: files, and whatever is in a folder among them.
pub(crate) fn refuse_input(out: &Path, inputs: &[PathBuf]) -> Result<()> {
    // What is not there yet is no input.
    let Ok(target) = out.canonicalize() else {
        return Ok(());
    };
    for input in inputs {
        if input
            .canonicalize()
            .is_ok_and(|input| target.starts_with(input))
        {
            bail!(
                "{}: this is read as input and would be written over; name another file to write to",
                out.display()
            );
        }
    }
    Ok(())
}

/// Reads a text file where there is one.
pub(crate) fn read_text_if_present(path: &Path) -> Result<Option<String>> {
    match fs::symlink_metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        _ => read_text(path).map(Some),
    }
}

/// Reads a file of a folder that a schema in that folder refers to.
pub(crate) fn read_beside(
    folder: &Path,
    relative: &str,
) -> std::result::Result<Option<String>, String> {
    let (true, path) = beside(folder, relative)? else {
        return Ok(None);
    };
    read_text(&path)
        .map(Some)
        .map_err(|error| error.to_string())
}

/// Reads text to its end, up to the size limit.
pub(crate) fn read_limited(name: &str, source: impl Read) -> Result<String> {
    let mut bytes = Vec::new();
    source
        .take(SIZE_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| explain(name, &error))?;
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bail!("{name}: it starts with a byte order mark; save it without");
    }
    text_of(name, bytes)
}

/// Takes bytes as text, with the limits that hold for a file.
pub(crate) fn text_of(name: &str, bytes: Vec<u8>) -> Result<String> {
    if bytes.len() as u64 > SIZE_LIMIT {
        bail!(
            "{name}: it is larger than {} MiB, the most that is read; check that it is the right file",
            SIZE_LIMIT >> 20
        );
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        anyhow::anyhow!("{name}:{line}: it is not UTF-8 from byte {at} on; save it as UTF-8")
    })
}

/// Writes a file so that it is never seen half-written: all of it, or what was there before.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let name = path.display();
    if path.is_dir() {
        bail!("{name}: this is a folder; name a file in it");
    }
    // A device or a pipe has no content that could be half-written, and must not be replaced.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(path, text).with_context(|| format!("{name}: cannot write it"));
    }
    // Where the name is a link, the file behind it is the one to replace.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wirelock-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // What was there keeps its mode; a new file gets what the user's mask leaves of the usual.
        let permissions = fs::metadata(&target).map_or_else(
            |_| fs::Permissions::from_mode(0o666),
            |was| was.permissions(),
        );
        builder.permissions(permissions);
    }
    let attempt = || -> std::io::Result<()> {
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(&target).map_err(|error| error.error)?;
        Ok(())
    };
    attempt().with_context(|| {
        format!("{name}: cannot write it; check that its folder exists and may be written to")
    })
}

/// Adds text to the end of a file that others write to as well.
pub(crate) fn append(path: &Path, text: &str) -> Result<()> {
    let mut options = File::options();
    let file = options.append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("{}: cannot write to it", path.display()))
}

fn explain(name: &str, error: &std::io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::NotFound => anyhow::anyhow!("{name}: there is no such file; check the path"),
        ErrorKind::PermissionDenied => {
            anyhow::anyhow!("{name}: it may not be read; check its permissions")
        }
        ErrorKind::IsADirectory => anyhow::anyhow!("{name}: this is a folder; name a file in it"),
        _ => anyhow::anyhow!("{name}: it cannot be read: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_files_are_named_with_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let fail = |path: &Path| read_text(path).expect_err("bad").to_string();
        assert!(
            fail(&folder.path().join("none"))
                .ends_with("none: there is no such file; check the path")
        );
        assert!(fail(folder.path()).ends_with("this is a folder; name a file in it"));
        let latin = folder.path().join("latin");
        fs::write(&latin, b"a\nb\xe9").expect("written");
        assert!(
            fail(&latin).ends_with("latin:2: it is not UTF-8 from byte 3 on; save it as UTF-8")
        );
        let huge = File::create(folder.path().join("huge")).expect("created");
        huge.set_len(SIZE_LIMIT + 1).expect("sparse");
        assert!(fail(&folder.path().join("huge")).contains("larger than 64 MiB"));
        assert_eq!(
            read_text_if_present(&latin.join("below")).expect("absent"),
            None
        );
    }

    #[test]
    fn a_write_replaces_the_whole_file_or_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        write(&path, "one").expect("new");
        write(&path, "two").expect("replaced");
        assert_eq!(fs::read_to_string(&path).expect("read"), "two");
        assert!(write(&folder.path().join("no/such/out"), "x").is_err());
        assert_eq!(
            fs::read_dir(folder.path()).expect("listed").count(),
            1,
            "nothing is left behind"
        );
    }
}
