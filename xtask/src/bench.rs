//! `bench`: builds the benchmarks, which are a workspace of their own, and runs one of them.

use crate::exit::Exit;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The benchmarks' manifest, from the root of the repository.
const MANIFEST: &str = "benches/Cargo.toml";

/// Runs a benchmark by its name, with the arguments that are its own.
pub(crate) fn run(name: &str, arguments: &[String]) -> Result<Exit> {
    let here = std::env::current_dir().context("the current folder cannot be found")?;
    let Some(manifest) = manifest(&here) else {
        bail!("there is no {MANIFEST} here or above; run this in a clone of the repository");
    };
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let status = Command::new(cargo)
        .args(["run", "--release", "--locked", "--manifest-path"])
        .arg(&manifest)
        .args(["--", name])
        .args(arguments)
        .status()
        .context("cargo cannot be started")?;
    match status.success() {
        true => Ok(Exit::Accepted),
        // What went wrong is on the screen already.
        false => Ok(Exit::CouldNotRun),
    }
}

fn manifest(from: &Path) -> Option<PathBuf> {
    let mut folders = from.ancestors().map(|folder| folder.join(MANIFEST));
    folders.find(|path| path.is_file())
}
