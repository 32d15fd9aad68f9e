//! `ci`: everything CI runs, each step shown with its command, all of them even after a failure.

use crate::config::FILE_NAME;
use crate::exit::Exit;
use crate::{checks, output, report_schema};
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// One command of a run.
struct Step {
    program: String,
    arguments: Vec<String>,
}

/// Runs every step.
pub(crate) fn run(contract: Option<&Path>) -> Result<Exit> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let itself = std::env::current_exe().context("the path of this program cannot be found")?;
    let itself = itself
        .to_str()
        .context("the path of this program is not UTF-8")?
        .to_owned();
    // Found once, so that every step sees the same contract whatever folder it runs in.
    let folder = checks::project(contract)?.folder_or_here();
    let contracts = contracts(&folder)?;
    run_steps(&steps(&cargo, &itself, &contracts, has_nextest(&cargo)))
}

/// The contract of that folder, and after it those in folders of their own in it.
fn contracts(folder: &Path) -> Result<Vec<String>> {
    let mut below = Vec::new();
    let unreadable = || format!("{}: the folder cannot be read", folder.display());
    for entry in std::fs::read_dir(folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.join(FILE_NAME).is_file() {
            below.push(path);
        }
    }
    below.sort();
    let text = |path: &Path| {
        let path = path.to_str();
        path.map(str::to_owned)
            .context("the path of the contract is not UTF-8")
    };
    std::iter::once(folder)
        .chain(below.iter().map(PathBuf::as_path))
        .map(text)
        .collect()
}

fn steps(cargo: &str, itself: &str, contracts: &[String], nextest: bool) -> Vec<Step> {
    let step = |program: &str, line: &str| Step {
        program: program.to_owned(),
        arguments: line.split(' ').map(str::to_owned).collect(),
    };
    let with = |line: &str, flag: &str, value: &str| {
        let mut step = step(itself, line);
        step.arguments.extend([flag.to_owned(), value.to_owned()]);
        step
    };
    let tests = if nextest {
        step(
            cargo,
            "nextest run --no-fail-fast --workspace --all-features --locked",
        )
    } else {
        // The doc tests have a step of their own below.
        step(
            cargo,
            "test --no-fail-fast --workspace --all-features --locked --lib --bins --tests --examples",
        )
    };
    let mut steps = vec![
        step(cargo, "fmt --all --check"),
        step(
            cargo,
            "clippy --workspace --all-targets --all-features --locked -- -D warnings",
        ),
        tests,
        step(
            cargo,
            "test --no-fail-fast --workspace --all-features --locked --doc",
        ),
    ];
    // Types are generated of the first contract alone; the others are there for other programs.
    let first = contracts.iter().take(1);
    steps.extend(first.map(|contract| with("codegen --check", "--contract", contract)));
    for contract in contracts {
        let report = Path::new(contract).join(report_schema::FILE_NAME);
        if let Some(report) = report.to_str().filter(|_| report.is_file()) {
            steps.push(with("report-schema --check", "--out", report));
        }
        for line in [
            "check-schema",
            "check-goldens",
            "check-evolution",
            "check-evolution --history",
        ] {
            steps.push(with(line, "--contract", contract));
        }
    }
    steps
}

fn run_steps(steps: &[Step]) -> Result<Exit> {
    let mut failed: Vec<String> = Vec::new();
    for (step, number) in steps.iter().zip(1..) {
        let shown = step.shown();
        output::print(&format!("\n== {number}/{} $ {shown}\n", steps.len()))?;
        let started = Instant::now();
        let status = Command::new(&step.program)
            .args(&step.arguments)
            .stdin(Stdio::null())
            .status();
        let outcome = match status {
            Ok(status) if status.success() => "passed".to_owned(),
            Ok(status) => format!("failed ({status})"),
            Err(error) => format!("could not be started ({error})"),
        };
        output::print(&format!(
            "== {number}/{} {outcome} after {:.1} s\n",
            steps.len(),
            started.elapsed().as_secs_f64()
        ))?;
        if outcome != "passed" {
            failed.push(format!("{shown}: {outcome}"));
        }
    }
    let mut text = "\n".to_owned();
    for line in &failed {
        text.push_str(&format!("failed: {line}\n"));
    }
    text.push_str(&format!(
        "steps: {} passed, {} failed\n",
        steps.len() - failed.len(),
        failed.len()
    ));
    output::print(&text)?;
    Ok(if failed.is_empty() {
        Exit::Accepted
    } else {
        Exit::Refused
    })
}

fn has_nextest(cargo: &str) -> bool {
    let quiet = Command::new(cargo)
        .args(["nextest", "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}

impl Step {
    fn shown(&self) -> String {
        let program = Path::new(&self.program)
            .file_name()
            .map_or(self.program.as_str().into(), |name| name.to_string_lossy());
        format!("{program} {}", self.arguments.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_and_the_later_steps_still_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let mark = folder.path().join("ran");
        let step = |program: &str, argument: &str| Step {
            program: program.to_owned(),
            arguments: vec![argument.to_owned()],
        };
        let exit = run_steps(&[
            step("false", ""),
            step("no-such-program", ""),
            step("touch", mark.to_str().expect("UTF-8")),
        ]);
        assert_eq!(exit.expect("ran"), Exit::Refused);
        assert!(mark.exists());
        assert_eq!(run_steps(&[step("true", "")]).expect("ran"), Exit::Accepted);
    }
}
