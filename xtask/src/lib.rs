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
mod report_schema;
mod rules;
mod stream;
mod tell;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use wirelock_codegen::report::visible_lines;

/// Runs a command line as the program `wirelock` does, and tells how it ended: 0 accepted, 1 refused,
/// 2 could not run, 3 undecided.
///
/// `name` is what help and messages call the program; `arguments` are those behind its name. Reports go
/// to standard output, remarks and errors to standard error. A fault of this library is told as an
/// error, so that nothing passes for a verdict that is none.
///
/// While it runs, the panic hook of the whole process is one that says nothing, and the one that was there
/// is put back at its end: a panic of another thread in between is not printed, and a hook that another
/// thread sets in between is lost. Call it where nothing else runs, as at the end of `main`.
///
/// ```
/// use std::process::ExitCode;
/// let exit = wirelock_xtask::run("cargo xtask", ["explain", "property-renamed"]);
/// assert_eq!(format!("{exit:?}"), format!("{:?}", ExitCode::SUCCESS));
/// let exit = wirelock_xtask::run("cargo xtask", ["no-such-command"]);
/// assert_eq!(format!("{exit:?}"), format!("{:?}", ExitCode::from(2)));
/// ```
#[must_use]
pub fn run<A: Into<OsString>>(
    name: &'static str,
    arguments: impl IntoIterator<Item = A>,
) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    // A panic is told below; the program around this one keeps its own way for its own.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(AssertUnwindSafe(|| cli::run(name, arguments)));
    std::panic::set_hook(hook);
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
