//! The commands that look at one revision: check-schema, check-goldens, rules, explain.

use crate::baseline::Revision;
use crate::config::Project;
use crate::engine::{self, Schema};
use crate::exit::Exit;
use crate::{files, output};
use anyhow::{Context as _, Result};
use std::fmt::Write as _;
use std::path::Path;
use wirelock_codegen::report::visible;

/// The contract around the current folder, or the one that is named.
pub(crate) fn project(contract: Option<&Path>) -> Result<Project> {
    Project::open(
        contract,
        &std::env::current_dir().context("the current folder cannot be found")?,
    )
}

/// The contract in the work tree, with its schema.
pub(crate) fn work_tree(contract: Option<&Path>) -> Result<(Project, Revision, Schema)> {
    let project = project(contract)?;
    let revision = Revision::of_work_tree(&project)?;
    let schema = match &revision.schema {
        Some(schema) => engine::read(schema)?,
        // Reading it tells why there is none.
        None => engine::read(&(
            String::new(),
            files::read_text(&project.path(&project.settings.schema))?,
        ))?,
    };
    Ok((project, revision, schema))
}

/// Checks that a schema keeps the conventions of a contract.
pub(crate) fn schema(contract: Option<&Path>, file: Option<&Path>) -> Result<Exit> {
    let schema = match file {
        Some(file) => engine::read(&(file.display().to_string(), files::read_text(file)?))?,
        None => work_tree(contract)?.2,
    };
    let faults = engine::schema_faults(&schema);
    let name = visible(schema.name()).into_owned();
    tell(
        &faults,
        &format!("{name} keeps the conventions of a contract"),
        &format!("{name} breaks them"),
    )
}

/// Checks the goldens of the contract.
pub(crate) fn goldens(contract: Option<&Path>) -> Result<Exit> {
    let (_, revision, schema) = work_tree(contract)?;
    let report = engine::check_goldens(&schema, &revision.goldens);
    let mut faults: Vec<String> = Vec::new();
    for fault in &report.faults {
        let column = fault
            .column
            .map(|column| format!(":{column}"))
            .unwrap_or_default();
        faults.push(format!(
            "{}:{}{column}: {} ({})",
            revision.shown(&fault.file),
            fault.line,
            fault.message,
            fault.help
        ));
    }
    for element in &report.uncovered {
        let position = element.origin.position;
        faults.push(format!(
            "{}:{}:{}: no golden exercises {} (`draft-golden` writes a candidate)",
            schema.name(),
            position.line,
            position.column,
            element.subject
        ));
    }
    let total = report.covered + report.uncovered.len();
    let sum = format!(
        "{} lines in {} goldens exercise {} of {total} elements",
        report.lines,
        revision.goldens.len(),
        report.covered
    );
    tell(&faults, &sum, &sum)
}

/// Shows faults and a line that sums up.
fn tell(faults: &[String], fine: &str, otherwise: &str) -> Result<Exit> {
    let mut text = String::new();
    for fault in faults {
        let _ = writeln!(text, "{}", visible(fault));
    }
    let exit = if faults.is_empty() {
        let _ = writeln!(text, "accepted: {fine}");
        Exit::Accepted
    } else {
        let noun = if faults.len() == 1 { "fault" } else { "faults" };
        let _ = writeln!(text, "refused: {} {noun}, {otherwise}", faults.len());
        Exit::Refused
    };
    output::print(&text)?;
    Ok(exit)
}

/// Lists the rules of evolution.
pub(crate) fn rules() -> Result<Exit> {
    let width = engine::all_rules()
        .iter()
        .map(|rule| rule.id.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for rule in engine::all_rules() {
        let level = format!("{:?}", rule.level).to_lowercase();
        let _ = writeln!(text, "{:<width$}  {level:<9}  {}", rule.id, rule.summary);
    }
    output::print(&text)?;
    Ok(Exit::Accepted)
}

/// Explains a rule of evolution.
pub(crate) fn explain(id: &str) -> Result<Exit> {
    let rule = engine::known_rule(id)?;
    let level = format!("{:?}", rule.level).to_lowercase();
    output::print(&format!(
        "{}: {level}\n{}\nWhy: {}\nInstead: {}\n",
        rule.id, rule.summary, rule.why, rule.instead
    ))?;
    Ok(Exit::Accepted)
}
