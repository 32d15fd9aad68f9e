//! Reads a run from the standard input and prints its text, or with `--json` all that it came to;
//! fails where the run did.

use anyhow::{Result, ensure};
use stream_json::Line;
use wirelock_examples::Outcome;
use wirelock_runtime::blocking::ItemReader;
use wirelock_runtime::framing::{Policy, Protocol};

fn main() -> Result<()> {
    let mut outcome = Outcome::default();
    let input = std::io::stdin().lock();
    for event in ItemReader::new(input, Protocol::of::<Line>(), Policy::default()) {
        if let Some(line) = event?.into_item() {
            outcome.take(&line);
        }
    }
    match std::env::args().nth(1).as_deref() {
        Some("--json") => println!("{}", serde_json::to_string_pretty(&outcome)?),
        _ => println!("{}", outcome.text.as_deref().unwrap_or_default()),
    }
    ensure!(outcome.success == Some(true), "the run failed");
    Ok(())
}
