//! `check-stream`: audits recordings, on all cores, in the order in which they were named.

mod document;
mod feed;
mod inputs;
mod report;
mod sequence;

use crate::beside::SchemaText;
use crate::cli::{CheckStream, FinalLineFlag};
use crate::exit::Exit;
use crate::{checks, engine, output};
use anyhow::{Context as _, Result, bail};
use feed::{Feed, Task};
use report::Report;
use sequence::{Done, Sequence};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use wirelock_codegen::audit::{Audit, Options};
use wirelock_runtime::FinalLine;

/// Values nest 127 deep, and each level takes a few calls.
const STACK: usize = 16 << 20;

/// Audits what the command line names.
pub(crate) fn run(contract: Option<&Path>, flags: &CheckStream) -> Result<Exit> {
    let schema = match &flags.schema {
        Some(file) => engine::read(&SchemaText::of_file(file)?)?,
        None => checks::work_tree(contract)?.2,
    };
    let options = Options {
        strict: flags.strict,
        many_runs: flags.many_runs,
        max_frame_bytes: flags.max_frame_bytes,
        final_line: flags.final_line.map(|flag| match flag {
            FinalLineFlag::Allow => FinalLine::Allow,
            FinalLineFlag::RequireNewline => FinalLine::RequireNewline,
        }),
    };
    let audit = engine::audit(&schema, &options)?;
    for open in audit.unchecked() {
        output::note(&format!("not checked: {open}"));
    }
    let inputs = inputs::find(&flags.files)?;
    let report = Report::new(flags.format, inputs::bytes(&inputs));
    if flags.document {
        return document::run(&audit, &inputs, report);
    }
    let threads = match flags.threads {
        Some(count) => usize::from(count),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let feed = Mutex::new(Feed::new(&inputs, audit.max_frame_bytes()));
    let sequence = Sequence::new(&audit, report, threads);
    std::thread::scope(|scope| -> Result<()> {
        for _ in 0..threads {
            let worker = || work(&audit, &feed, &sequence);
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, worker)
                .context("a thread cannot be started")?;
        }
        Ok(())
    })?;
    sequence.finish()
}

/// Reads blocks until there are none.
fn work(audit: &Audit, feed: &Mutex<Feed<'_>>, sequence: &Sequence<'_, '_>) {
    loop {
        // A fault in another thread is told by that one.
        let next = feed.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((number, task)) = next else { return };
        let done = match task {
            Task::Block { name, bytes, part } => {
                // Whoever waits for this block has to hear of it, whatever happens.
                let block = catch_unwind(AssertUnwindSafe(|| audit.block(&bytes, part)));
                feed.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .give_back(bytes);
                match block {
                    Ok(block) => Done::Block { name, block, part },
                    Err(panic) => Done::Fault(output::panic_text(&*panic)),
                }
            }
            Task::Unreadable(why) => Done::Unreadable(why),
        };
        if sequence.put(number, done).is_break() {
            return;
        }
    }
}

/// A fault of this program inside of a thread, told as any other.
fn fault(why: &str) -> Result<Exit> {
    bail!("a fault of this program ({why}); please report it with the input")
}
