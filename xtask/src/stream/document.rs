//! The one-document form: each file is the item that ends a run, alone.

use super::inputs::Input;
use super::report::Report;
use crate::exit::Exit;
use anyhow::{Context as _, Result};
use std::io::Read;
use wirelock_codegen::audit::Audit;

pub(super) fn run(audit: &Audit, inputs: &[Input], mut report: Report<'_>) -> Result<Exit> {
    for input in inputs {
        match read(input, audit.max_frame_bytes()) {
            Ok(bytes) => {
                let (findings, totals) = audit.check_document(&bytes);
                for finding in &findings {
                    report.finding(&input.name(), finding);
                }
                report.file(&totals);
            }
            Err(error) => report.unreadable(&format!("{error:#}")),
        }
    }
    report.finish()
}

/// The bytes of a document, as far as it takes to see that one is too large.
fn read(input: &Input, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A byte order mark, the bound, and one byte more; space at the end does not count.
    input
        .open()?
        .take(most.saturating_add(1 << 16))
        .read_to_end(&mut bytes)
        .with_context(|| format!("{}: it cannot be read", input.name()))?;
    Ok(bytes)
}
