//! What every benchmark takes, read in one way, and how one that fails says so.

use clap::{Args, Parser, ValueEnum};
use std::num::NonZeroUsize;
use std::process::ExitCode;

/// The options that all benchmarks share.
#[derive(Args)]
pub(crate) struct Shared {
    /// How the figures are written
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// How much is measured, and how often.
#[derive(Args)]
pub(crate) struct Load {
    /// How many MiB each way goes through
    #[arg(long, value_name = "MIB", default_value = "64")]
    size: NonZeroUsize,
    /// How many times each way is measured, in turn; each benchmark has a number of its own
    #[arg(long, value_name = "COUNT")]
    rounds: Option<NonZeroUsize>,
}

/// How figures are written.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for a reader
    #[default]
    Human,
    /// JSON for programs
    Json,
}

impl Shared {
    pub(crate) fn as_json(&self) -> bool {
        self.format == Format::Json
    }
}

impl Load {
    /// The size in MiB.
    pub(crate) fn mib(&self) -> usize {
        self.size.get()
    }

    /// The rounds that were asked for, else those that the benchmark needs for a steady median.
    pub(crate) fn rounds(&self, usual: usize) -> usize {
        self.rounds.map_or(usual, NonZeroUsize::get)
    }
}

/// Reads the command line and runs what it asks for. What went wrong is one message: where it went
/// wrong in the code says nothing to who runs a benchmark.
pub(crate) fn main<T: Parser>(run: impl FnOnce(T) -> anyhow::Result<ExitCode>) -> ExitCode {
    match run(T::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
