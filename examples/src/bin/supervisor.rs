//! Runs a command whose standard output is a run: `supervisor COMMAND ARGUMENT...`.
//!
//! Neither a child that stays, nor grandchildren that hold its pipes, nor standard error that
//! nobody reads keeps it from its end; a child that is silent for a minute is killed.

use anyhow::{Context as _, Result, ensure};
use std::time::Duration;
use stream_json::Line;
use wirelock_examples::Outcome;
use wirelock_runtime::framing::{Policy, Protocol};
use wirelock_runtime::process;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut words = std::env::args_os().skip(1);
    let mut command = tokio::process::Command::new(words.next().context("no command")?);
    command.args(words);
    let mut child = process::spawn(command, Protocol::of::<Line>(), Policy::default())?;
    child.items = child.items.idle_within(Duration::from_secs(60));
    let mut outcome = Outcome::default();
    while let Some(event) = child.items.next().await {
        if let Some(line) = event?.into_item() {
            outcome.take(&line);
        }
    }
    let ended = child.ended().await;
    println!("{}", outcome.text.as_deref().unwrap_or_default());
    // The run's own word decides; how the process ended stands beside it.
    if let Some(status) = ended.status {
        println!("the process ended with {status}");
    }
    ensure!(outcome.success == Some(true), "the run failed");
    Ok(())
}
