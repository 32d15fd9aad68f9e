//! `judge`: the whole judgement of a pair of schemas, beside the prover alone and two peers.

use crate::options::Shared;
use crate::table::Table;
use crate::{checkers, contract, grown, large, small};
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// The whole judgement of a pair of schemas, beside the prover alone and two peers
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    shared: Shared,
    /// What is measured; may be given again, and all of it is where it is not given
    #[arg(long, value_enum)]
    part: Vec<Part>,
    /// How long a checker may take for a large pair, in seconds of CPU
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    limit: u64,
    /// Judge each change of the contract once by this checker, without measuring, for instruction counters
    #[arg(long, value_name = "CHECKER", conflicts_with_all = ["part", "limit", "format"])]
    once: Option<String>,
    /// The one pair of files that is judged once
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], requires = "once")]
    pair: Vec<PathBuf>,
}

/// A part of what is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Small pairs of the suites
    Small,
    /// Revisions of the Agent Client Protocol
    Acp,
    /// Two versions of vega-lite
    Vega,
    /// Growth with size
    Growth,
    /// The history of this contract
    Contract,
}

/// Runs the parts that were asked for, all of them otherwise.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(checker) = &options.once {
        return once(checker, &options.pair);
    }
    let wanted = |part: Part| options.part.is_empty() || options.part.contains(&part);
    let mut table = Table::default();
    if wanted(Part::Small) {
        small::measure(&mut table)?;
    }
    if wanted(Part::Acp) {
        large::protocols(&mut table, options.limit)?;
    }
    if wanted(Part::Vega) {
        large::charts(&mut table, options.limit)?;
    }
    if wanted(Part::Growth) {
        grown::measure(&mut table)?;
    }
    if wanted(Part::Contract) {
        contract::measure(&mut table)?;
    }
    table.write(options.shared.as_json())
}

fn once(checker: &str, pair: &[PathBuf]) -> Result<()> {
    let judge = checkers::named(checker)?;
    let [old, new] = pair else {
        return contract::once(judge);
    };
    let text =
        |path: &PathBuf| std::fs::read_to_string(path).with_context(|| path.display().to_string());
    std::hint::black_box(judge(&text(old)?, &text(new)?)?);
    Ok(())
}

/// The folder of third-party data that stands beside the repository on some machines only.
pub(crate) fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")
}
