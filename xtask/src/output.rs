//! Where results go: reports to standard output or a file, remarks to standard error.

use crate::files;
use anyhow::{Context as _, Result};
use std::any::Any;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use wirelock_codegen::report::visible;

/// Writes a result to a file where one is named, else to standard output.
pub(crate) fn write(path: Option<&Path>, text: &str) -> Result<()> {
    match path {
        Some(path) => files::write(path, text),
        None => print(text),
    }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // A reader that has seen enough, as `head`, changes nothing about the answer.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}

/// Tells something that is no part of the result.
pub(crate) fn note(text: &str) {
    eprintln!("note: {}", visible(text));
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
        .to_owned()
}
