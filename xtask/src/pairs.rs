//! `check-evolution --pairs`: a verdict a line for pairs of schemas that come a line each.

use crate::exit::Exit;
use crate::files::{self, SIZE_LIMIT};
use crate::{gate, output};
use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::{BufRead, BufReader, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use wirelock_codegen::report;

#[derive(Deserialize)]
struct Pair<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    old: &'a RawValue,
    #[serde(borrow)]
    new: &'a RawValue,
}

/// Judges every pair of a file, or of standard input for `-`, in order.
pub(crate) fn run(path: &Path, out: Option<&Path>) -> Result<Exit> {
    let mut worst = Exit::Accepted;
    let mut verdicts = String::new();
    let mut take = |number: usize, line: &str| -> Result<()> {
        let (verdict, exit) = judge(number, line);
        worst = worst.max(exit);
        match out {
            // A file is written whole; a pipe is fed as verdicts come, so that a reader can follow.
            Some(_) => verdicts.push_str(&verdict),
            None => output::print(&verdict)?,
        }
        Ok(())
    };
    if path == Path::new("-") {
        each_line("standard input", std::io::stdin().lock(), &mut take)?;
    } else {
        // The whole of the file may be larger than one schema may be; its lines may not.
        let name = path.display().to_string();
        if path.is_dir() || !path.exists() {
            files::read_text(path)?;
        }
        let file =
            std::fs::File::open(path).with_context(|| format!("{name}: it cannot be read"))?;
        each_line(&name, BufReader::new(file), &mut take)?;
    }
    if out.is_some() {
        output::write(out, &verdicts)?;
    }
    Ok(worst)
}

fn each_line(
    name: &str,
    mut source: impl BufRead,
    take: &mut dyn FnMut(usize, &str) -> Result<()>,
) -> Result<()> {
    for number in 1.. {
        let mut bytes = Vec::new();
        let read = source
            .by_ref()
            .take(SIZE_LIMIT + 1)
            .read_until(b'\n', &mut bytes);
        if read.with_context(|| format!("{name}: it cannot be read"))? == 0 {
            break;
        }
        let line = files::text_of(&format!("{name}: line {number}"), bytes)?;
        if !line.trim().is_empty() {
            take(number, &line)?;
        }
    }
    Ok(())
}

/// The verdict on one line, with its line end, and what it means for the exit code.
fn judge(number: usize, line: &str) -> (String, Exit) {
    let pair: Pair<'_> = match serde_json::from_str(line) {
        Ok(pair) => pair,
        Err(error) => {
            return (
                error_line(None, &format!("line {number} is no pair: {error}")),
                Exit::CouldNotRun,
            );
        }
    };
    let name = |side: &str| format!("line {number}, {side}");
    let old = (name("old"), pair.old.get().to_owned());
    let new = (name("new"), pair.new.get().to_owned());
    // One pair that meets a fault of this program must not take the others with it.
    let judged = catch_unwind(AssertUnwindSafe(|| gate::judge_schemas(&old, &new)));
    let report = match judged {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => {
            return (
                error_line(pair.id, &format!("{error:#}")),
                Exit::CouldNotRun,
            );
        }
        Err(panic) => {
            let message = format!("a fault of this program: {}", output::panic_text(&*panic));
            return (error_line(pair.id, &message), Exit::CouldNotRun);
        }
    };
    match report::json(&report, Some(pair.id.unwrap_or(RawValue::NULL))) {
        Ok(text) => (format!("{text}\n"), gate::exit_of(&report)),
        Err(error) => (error_line(pair.id, &error.to_string()), Exit::CouldNotRun),
    }
}

fn error_line(id: Option<&RawValue>, message: &str) -> String {
    let id = id.map_or("null", RawValue::get);
    format!(
        "{{\"id\":{id},\"error\":{}}}\n",
        serde_json::Value::from(message)
    )
}
