//! The commands and their flags.

use crate::exit::Exit;
use crate::{adr, bench, checks, ci, evolution, generate, report_schema, rules, stream};
use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use wirelock_codegen::report::{self, FORMATS, Policy};

/// Keeps a wire contract: judges its evolution, checks its goldens, generates its types.
///
/// Exit codes: 0 accepted, 1 refused, 2 could not run, 3 undecided.
#[derive(Parser)]
#[command(version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// The contract: its folder, or its contract.toml (found from here upwards otherwise)
    #[arg(long, global = true, value_name = "DIR")]
    contract: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Judge what changed in the contract
    CheckEvolution(CheckEvolution),
    /// Check that the schema keeps the conventions of a contract
    CheckSchema {
        /// Another schema than the contract's
        #[arg(long, value_name = "FILE")]
        schema: Option<PathBuf>,
    },
    /// Check the goldens: valid lines, whole runs, every element exercised
    CheckGoldens,
    /// Write candidate goldens for the elements that no golden exercises
    DraftGolden,
    /// Draft the decision record that the findings of the change under way need
    NewAdr(NewAdr),
    /// Generate the types
    Codegen(Codegen),
    /// Audit recordings of the contract's stream
    CheckStream(CheckStream),
    /// List the rules of evolution, or the codes of recordings
    Rules {
        /// The codes of recordings, in place of the rules
        #[arg(long)]
        codes: bool,
        /// As a page of Markdown, with an example of each rule
        #[arg(long)]
        markdown: bool,
    },
    /// Explain a rule of evolution, another kind of finding, or a code of recordings
    Explain {
        /// Its id or its code, as reports print it
        name: String,
    },
    /// Tell the JSON Schema of what `check-evolution` writes as JSON
    ReportSchema(ReportSchema),
    /// Run everything that CI runs
    Ci,
    /// Measure the gate, the runtime and the generator beside their peers
    Bench {
        /// The benchmark: audit, build, decode, framing or judge
        name: String,
        /// What the benchmark takes; `cargo xtask bench NAME --help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

/// Which revisions are judged, and how the judgement is told.
#[derive(Args)]
pub(crate) struct CheckEvolution {
    /// Compare with this revision: a ref, a schema file, or a folder laid out as the contract's
    #[arg(long, value_name = "REF|FILE|DIR", conflicts_with_all = ["old", "new", "pairs", "history"])]
    pub(crate) against: Option<String>,
    /// Judge this schema as the new revision
    #[arg(long, value_name = "FILE", conflicts_with_all = ["old", "new", "pairs", "history"])]
    pub(crate) schema: Option<PathBuf>,
    /// The old one of two schemas that are compared alone
    #[arg(long, value_name = "FILE", requires = "new", conflicts_with_all = ["pairs", "history"])]
    pub(crate) old: Option<PathBuf>,
    /// The new one of two schemas that are compared alone
    #[arg(long, value_name = "FILE", requires = "old", conflicts_with_all = ["pairs", "history"])]
    pub(crate) new: Option<PathBuf>,
    /// Judge pairs of schemas, one {"id","old","new"} a line, `-` for standard input; a line that
    /// cannot be judged gives {"id","error"} and the others go on. The exit code is that of the
    /// worst line: 2 before 1 before 3 before 0
    #[arg(long, value_name = "FILE|-", conflicts_with = "history")]
    pub(crate) pairs: Option<PathBuf>,
    /// Judge every step of first-parent history, and each revision against the newest
    #[arg(long)]
    pub(crate) history: bool,
    /// Neither compile nor run the consumer that was written against the base
    #[arg(long)]
    pub(crate) no_compile: bool,
    /// The question that decides acceptance; goldens, records and the lock belong to `additive`
    /// alone
    #[arg(long, value_enum, default_value_t)]
    pub(crate) policy: PolicyFlag,
    /// How the report is written (pairs are always JSON, a history is `human`, `json` or `html`)
    #[arg(long, value_name = "FORMAT", value_parser = ReportFormat::parser(), default_value = FORMATS[0].name)]
    pub(crate) format: ReportFormat,
    /// Write the report to this file, whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What a decision record is called.
#[derive(Args)]
pub(crate) struct NewAdr {
    /// What is decided, in a few words
    pub(crate) title: String,
    /// Neither compile nor run the consumer that was written against the base
    #[arg(long)]
    pub(crate) no_compile: bool,
}

/// What is generated, and where it goes.
#[derive(Args)]
pub(crate) struct Codegen {
    /// Only check that what is there is up to date
    #[arg(long)]
    pub(crate) check: bool,
    /// List what is typed more loosely than the schema says, and why; write nothing
    #[arg(long, conflicts_with_all = ["check", "out"])]
    pub(crate) explain: bool,
    /// Another schema than the contract's
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// The file to write, for a schema that is named
    #[arg(long, value_name = "FILE", requires = "schema")]
    pub(crate) out: Option<PathBuf>,
}

/// Where the schema of the report goes; standard output where no file is named.
#[derive(Args)]
pub(crate) struct ReportSchema {
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Only check that the file is up to date
    #[arg(long, requires = "out")]
    pub(crate) check: bool,
}

/// Which recordings are audited, and how.
#[derive(Args)]
pub(crate) struct CheckStream {
    /// Recordings: files, patterns as `runs/**/*.jsonl`, `-` for standard input
    #[arg(required = true, value_name = "FILE|PATTERN|-")]
    pub(crate) files: Vec<String>,
    /// Another schema than the contract's; one without `x-contract` has lines and no runs
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Take members, values and types that the contract does not know for errors, and assert
    /// formats
    #[arg(long)]
    pub(crate) strict: bool,
    /// A change of the session begins a new run
    #[arg(long)]
    pub(crate) many_runs: bool,
    /// Each file is the item that ends a run, alone, as one JSON document over any lines
    #[arg(long, conflicts_with_all = ["many_runs", "final_line"])]
    pub(crate) document: bool,
    /// The largest frame, in place of the contract's
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_frame_bytes: Option<u64>,
    /// What a last line without a line end means, in place of the contract's word
    #[arg(long, value_enum)]
    pub(crate) final_line: Option<FinalLineFlag>,
    /// How many threads read; all cores where nothing is said
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// How the findings are written
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What a last line without a line end means.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FinalLineFlag {
    /// It is a line
    Allow,
    /// It was cut off
    RequireNewline,
}

/// A format of the report on an evolution.
#[derive(Clone, Copy)]
pub(crate) struct ReportFormat(pub(crate) &'static report::Format);

impl ReportFormat {
    /// Takes the names that the table of formats has.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let row =
            |format: &'static report::Format| PossibleValue::new(format.name).help(format.help);
        PossibleValuesParser::new(FORMATS.iter().map(row)).try_map(|name| {
            let format = report::format_named(&name);
            format.map(Self).ok_or("there is no such format")
        })
    }
}

/// The formats of an audit.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for a reader
    #[default]
    Human,
    /// JSON, one object a line
    Json,
}

/// The policies that can be asked for.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyFlag {
    /// Growth within a capability, and nothing else
    #[default]
    Additive,
    /// Every old document stays valid
    Backward,
    /// Every new document was valid before
    Forward,
    /// Backward and forward
    Full,
}

impl From<PolicyFlag> for Policy {
    fn from(flag: PolicyFlag) -> Self {
        match flag {
            PolicyFlag::Additive => Self::Additive,
            PolicyFlag::Backward => Self::Backward,
            PolicyFlag::Forward => Self::Forward,
            PolicyFlag::Full => Self::Full,
        }
    }
}

/// Reads the command line, without the program's name, and runs what it asks for.
pub(crate) fn run(name: &'static str, arguments: Vec<OsString>) -> Result<Exit> {
    let command = Cli::command()
        .name(name)
        .bin_name(name)
        .no_binary_name(true);
    let parsed = command
        .try_get_matches_from(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers, everything else is a mistake in the command line.
            let exit = if error.use_stderr() {
                Exit::CouldNotRun
            } else {
                Exit::Accepted
            };
            let _ = error.print();
            return Ok(exit);
        }
    };
    let contract = cli.contract.as_deref();
    match cli.command {
        Command::CheckEvolution(flags) => evolution::run(contract, &flags),
        Command::CheckSchema { schema } => checks::schema(contract, schema.as_deref()),
        Command::CheckGoldens => checks::goldens(contract),
        Command::DraftGolden => generate::draft_golden(contract),
        Command::NewAdr(flags) => adr::run(contract, &flags),
        Command::Codegen(flags) => generate::codegen(contract, &flags),
        Command::CheckStream(flags) => stream::run(contract, &flags),
        Command::Rules { codes, markdown } => rules::list(codes, markdown),
        Command::Explain { name } => rules::explain(&name),
        Command::ReportSchema(flags) => report_schema::run(&flags),
        Command::Ci => ci::run(contract),
        Command::Bench { name, arguments } => bench::run(&name, &arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
