//! Reads a run from the standard input and prints its text; fails where the run did.

use anyhow::{Result, ensure};
use stream_json::Line;
use wirelock_examples::Summary;
use wirelock_runtime::blocking::ItemReader;
use wirelock_runtime::framing::{Policy, Protocol};

fn main() -> Result<()> {
    let mut summary = Summary::default();
    let input = std::io::stdin().lock();
    for event in ItemReader::new(input, Protocol::of::<Line>(), Policy::default()) {
        if let Some(line) = event?.into_item() {
            summary.take(&line);
        }
    }
    println!("{}", summary.text);
    ensure!(summary.success, "the run failed");
    Ok(())
}
