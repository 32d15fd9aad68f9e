//! `check-evolution --pairs`: a verdict a line for pairs of schemas that come a line each.

use crate::beside::SchemaText;
use crate::exit::Exit;
use crate::files::{self, BYTE_ORDER_MARK, SIZE_LIMIT};
use crate::{gate, output};
use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::{BufRead, BufReader, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use wirelock_codegen::report::{self, Failure, Policy};

#[derive(Deserialize)]
struct Pair<'a> {
    // Required: a verdict that nobody can assign to its pair is of no use. It may be null.
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    old: &'a RawValue,
    #[serde(borrow)]
    new: &'a RawValue,
}

#[derive(Deserialize)]
struct Id<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

/// Judges every pair of a file, or of standard input for `-`, in order.
pub(crate) fn run(path: &Path, out: Option<&Path>, policy: Policy) -> Result<Exit> {
    let mut worst = Exit::Accepted;
    let mut verdicts = String::new();
    let mut take = |number: usize, line: Line| -> Result<()> {
        let (verdict, exit) = match &line {
            Ok(line) => judge(number, line, policy),
            Err(why) => (error_line(None, why), Exit::CouldNotRun),
        };
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
        let file = files::open_argument(path)?;
        each_line(&name, BufReader::new(file), &mut take)?;
    }
    if out.is_some() {
        output::write(out, &verdicts)?;
    }
    Ok(worst)
}

/// A line, or why it is no text that can be judged.
type Line = std::result::Result<String, String>;

/// Takes each line that is not blank. One that is no text is told in its place, so that the others
/// still get their verdicts.
fn each_line(
    name: &str,
    mut source: impl BufRead,
    take: &mut dyn FnMut(usize, Line) -> Result<()>,
) -> Result<()> {
    let unreadable = || format!("{name}: it cannot be read");
    for number in 1.. {
        let mut bytes = Vec::new();
        let read = source
            .by_ref()
            .take(SIZE_LIMIT + 1)
            .read_until(b'\n', &mut bytes);
        if read.with_context(unreadable)? == 0 {
            break;
        }
        if bytes.len() as u64 > SIZE_LIMIT {
            if !bytes.ends_with(b"\n") {
                source.skip_until(b'\n').with_context(unreadable)?;
            }
            let limit = SIZE_LIMIT >> 20;
            let why = format!("line {number} is larger than {limit} MiB, the most that is read");
            take(number, Err(why))?;
            continue;
        }
        if number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            let why = "line 1 starts with a byte order mark; save the file without";
            take(number, Err(why.to_owned()))?;
            continue;
        }
        let line = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            format!("line {number} is not UTF-8 from byte {at} on; save it as UTF-8")
        });
        if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
            continue;
        }
        take(number, line)?;
    }
    Ok(())
}

/// The verdict on one line, with its line end, and what it means for the exit code.
fn judge(number: usize, line: &str, policy: Policy) -> (String, Exit) {
    let pair: Pair<'_> = match serde_json::from_str(line) {
        Ok(pair) => pair,
        Err(error) => {
            // What is wrong beside the id leaves the id to answer with.
            let id = serde_json::from_str::<Id<'_>>(line)
                .ok()
                .and_then(|pair| pair.id);
            // The parser saw this line alone, and its own count would always say line 1.
            let message = error.to_string();
            let what = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(what, _)| what);
            let column = error.column();
            let message = format!("line {number}, column {column}: this is no pair: {what}");
            return (error_line(id, &message), Exit::CouldNotRun);
        }
    };
    let name = |side: &str| format!("line {number}, {side}");
    // A line has no folder, so what its schemas refer to beside themselves stays unknown.
    let old = SchemaText::alone((name("old"), pair.old.get().to_owned()));
    let new = SchemaText::alone((name("new"), pair.new.get().to_owned()));
    // One pair that meets a fault of this program must not take the others with it.
    let judged = catch_unwind(AssertUnwindSafe(|| {
        gate::judge_schemas((&old, &new), gate::usual_levels, policy)
    }));
    let mut report = match judged {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => {
            return (
                error_line(Some(pair.id), &format!("{error:#}")),
                Exit::CouldNotRun,
            );
        }
        Err(panic) => {
            let message = format!("a fault of this program: {}", output::panic_text(&*panic));
            return (error_line(Some(pair.id), &message), Exit::CouldNotRun);
        }
    };
    report.id = Some(pair.id.to_owned());
    match report::json(&report) {
        Ok(text) => (format!("{text}\n"), gate::exit_of(&report)),
        Err(error) => (
            error_line(Some(pair.id), &error.to_string()),
            Exit::CouldNotRun,
        ),
    }
}

fn error_line(id: Option<&RawValue>, message: &str) -> String {
    let failure = Failure {
        // A pair whose id could not be read is answered all the same, in its place.
        id: Some(id.unwrap_or(RawValue::NULL).to_owned()),
        error: message.to_owned(),
    };
    // The model gives the writer no reason to fail, and a pair is never left without an answer.
    let line = serde_json::to_string(&failure);
    format!(
        "{}\n",
        line.unwrap_or_else(|_| r#"{"id":null,"error":"it cannot be written"}"#.to_owned())
    )
}
