//! The benchmarks, one file each; `cargo xtask bench NAME` runs one from anywhere in the repository.
//!
//! Everything is measured in the same run, in turn, so that a machine that slows down slows all.
//! What counts is the ratios; the times only tell their size.

mod audit;
mod checkers;
mod child;
mod clock;
mod cold_build;
mod contract;
mod framing;
mod grown;
mod judge;
mod large;
mod recording;
mod small;
mod table;

use anyhow::{Result, bail};
use std::process::ExitCode;

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.split_first() {
        Some((&"audit", rest)) => audit::run(rest),
        // The command itself, which a benchmark starts to see it as a whole.
        Some((&"check-stream", _)) => {
            return Ok(wirelock_xtask::run(
                "check-stream",
                std::env::args_os().skip(1),
            ));
        }
        Some((&"judge", rest)) => judge::run(rest),
        Some((&"framing", rest)) => framing::run(rest),
        Some((&"build", rest)) => cold_build::run(rest),
        // How a benchmark starts itself anew, to have the memory of one checker alone.
        Some((&"--child", rest)) => child::answer(rest),
        _ => bail!(
            "the benchmarks are: judge, framing, audit, build

{}

{}

{}

{}",
            judge::HELP,
            framing::HELP,
            audit::HELP,
            cold_build::HELP
        ),
    }?;
    Ok(ExitCode::SUCCESS)
}
