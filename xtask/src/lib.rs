//! The command line: it reads files and git, asks the library, and turns answers into exit codes.
//!
//! Everything that decides is in `wirelock-codegen` and does no IO; everything here is IO. This
//! package never links the crate that it generates, so stale output can always be made anew.

mod adr;
mod baseline;
mod bench;
mod beside;
mod checks;
mod ci;
mod cli;
mod compat;
mod config;
mod engine;
mod evolution;
mod exit;
mod files;
mod gate;
mod generate;
mod git;
mod guards;
mod history;
mod lock;
mod output;
mod package;
mod pairs;
mod rules;
mod stream;
mod tell;

use std::process::ExitCode;
use wirelock_codegen::report::visible_lines;

/// Runs the command line; `name` is what help and messages call it.
#[must_use]
pub fn main(name: &'static str) -> ExitCode {
    // A panic is a fault of this program. It is told as one, and never passes for a verdict.
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = std::panic::catch_unwind(|| cli::run(name));
    let exit = match outcome {
        Ok(Ok(exit)) => exit,
        Ok(Err(error)) => {
            let chain: Vec<String> = error.chain().map(ToString::to_string).collect();
            eprintln!("error: {}", visible_lines(&chain.join(": ")));
            exit::Exit::CouldNotRun
        }
        Err(panic) => {
            eprintln!(
                "error: a fault of this program ({}); please report it with the input",
                visible_lines(&output::panic_text(&*panic))
            );
            exit::Exit::CouldNotRun
        }
    };
    exit.into()
}
