//! `bench`: builds the benchmarks, which are a workspace of their own, and runs one of them.

use crate::exit::Exit;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the benchmarks, from the root of the repository.
const FOLDER: &str = "benches";

/// Runs a benchmark by its name, with the arguments that are its own.
pub(crate) fn run(name: &str, arguments: &[String]) -> Result<Exit> {
    let here = std::env::current_dir().context("the current folder cannot be found")?;
    let Some(folder) = folder(&here) else {
        bail!(
            "there is no {FOLDER}/Cargo.toml here or above; run this in a clone of the repository"
        );
    };
    // A benchmark whose peers want other features of shared crates is a package of its own.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase());
    let own = folder.join(name).join("Cargo.toml");
    let manifest = match is_plain && own.is_file() {
        true => own,
        false => folder.join("Cargo.toml"),
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

fn folder(from: &Path) -> Option<PathBuf> {
    let mut folders = from.ancestors().map(|folder| folder.join(FOLDER));
    folders.find(|path| path.join("Cargo.toml").is_file())
}
