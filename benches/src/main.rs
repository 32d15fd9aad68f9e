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
mod options;
mod recording;
mod small;
mod table;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Measures the gate and the runtime beside their peers.
///
/// One more, `decode`, is a package of its own: `cargo xtask bench decode --help`.
#[derive(Parser)]
#[command(bin_name = "cargo xtask bench", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    Judge(judge::Options),
    Framing(framing::Options),
    Audit(audit::Options),
    Build(cold_build::Options),
    /// The command itself, which a benchmark starts to see it as a whole.
    #[command(hide = true, disable_help_flag = true)]
    CheckStream {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// How a benchmark starts itself anew, to have the memory of one checker alone.
    #[command(hide = true)]
    Child(child::Options),
}

fn main() -> ExitCode {
    options::main(|cli: Cli| {
        match cli.benchmark {
            Benchmark::Judge(options) => judge::run(&options),
            Benchmark::Framing(options) => framing::run(&options),
            Benchmark::Audit(options) => audit::run(&options),
            Benchmark::Build(options) => cold_build::run(&options),
            Benchmark::Child(options) => child::answer(&options),
            Benchmark::CheckStream { arguments } => {
                let command = std::iter::once("check-stream".into()).chain(arguments);
                return Ok(wirelock_xtask::run("check-stream", command));
            }
        }?;
        Ok(ExitCode::SUCCESS)
    })
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::{CommandFactory as _, Parser as _};

    #[test]
    fn the_options_are_consistent_and_what_the_documents_name_is_taken() {
        Cli::command().debug_assert();
        for line in [
            "judge --part small --part acp --format json --limit 5",
            "judge --once wirelock --pair old.json new.json",
            "framing --size 1 --rounds 2",
            "audit --size 1 --once jsonschema",
            "build --rounds 3 --format json",
            "check-stream --strict --help -",
        ] {
            let words = std::iter::once("bench").chain(line.split(' '));
            assert!(Cli::try_parse_from(words).is_ok(), "{line}");
        }
        for line in [
            "",
            "judge --part none",
            "framing --size 0",
            "audit --pair a b",
        ] {
            let words = std::iter::once("bench").chain(line.split_terminator(' '));
            assert!(Cli::try_parse_from(words).is_err(), "{line}");
        }
    }
}
