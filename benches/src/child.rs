//! A checker in a process of its own: its CPU time, its peak memory, its answers, within a limit.

use crate::checkers::named;
use crate::clock::{cpu_time, cpu_time_so_far};
use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Peers recurse as deep as schemas do; only the pages that are used count as memory.
const STACK: usize = 1 << 30;
/// The exit code of a child whose time was up.
const OUT_OF_TIME: i32 = 70;

/// What a child tells.
#[derive(Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) cpu_us: f64,
    pub(crate) peak_mib: Option<f64>,
    pub(crate) said: String,
}

/// How a child ended.
pub(crate) enum Ended {
    Answered(Outcome),
    OutOfTime,
    Failed(String),
}

/// What a child is told.
#[derive(Args)]
pub(crate) struct Options {
    checker: String,
    /// Seconds of CPU
    limit: u64,
    old: PathBuf,
    new: PathBuf,
}

/// The child's part: judges once and writes what it took.
pub(crate) fn answer(options: &Options) -> Result<()> {
    end_after(Duration::from_secs(options.limit));
    let judge = named(&options.checker)?;
    let text =
        |path: &Path| std::fs::read_to_string(path).with_context(|| path.display().to_string());
    let (old, new) = (text(&options.old)?, text(&options.new)?);
    let worker =
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || -> Result<Outcome> {
                let mut said = String::new();
                let time = cpu_time(|| {
                    said = crate::table::words(judge(&old, &new)?);
                    Ok(())
                })?;
                Ok(Outcome {
                    cpu_us: crate::table::micros(time),
                    peak_mib: None,
                    said,
                })
            })?;
    let Ok(outcome) = worker.join() else {
        bail!("it panicked");
    };
    let outcome = Outcome {
        peak_mib: peak_mib(),
        ..outcome?
    };
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(())
}

/// Ends this process once it has used that much CPU time: on a machine that is busy with something
/// else, the time of the clock says nothing.
fn end_after(limit: Duration) {
    std::thread::spawn(move || {
        while cpu_time_so_far() < limit {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::process::exit(OUT_OF_TIME);
    });
}

/// The most memory this process held, where the system tells.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}

/// The parent's part: starts a child and waits for it; the limit is one of CPU time.
pub(crate) fn ask(checker: &str, old: &Path, new: &Path, limit: Duration) -> Result<Ended> {
    let output = Command::new(std::env::current_exe()?)
        .args(["child", checker, &limit.as_secs().to_string()])
        .args([old, new])
        .stdin(Stdio::null())
        .output()?;
    if output.status.code() == Some(OUT_OF_TIME) {
        return Ok(Ended::OutOfTime);
    }
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        let line = error.lines().next().unwrap_or_default();
        let short: String = line.chars().take(160).collect();
        return Ok(Ended::Failed(format!("{}: {short}", output.status)));
    }
    Ok(Ended::Answered(serde_json::from_slice(&output.stdout)?))
}
