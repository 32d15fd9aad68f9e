//! The commands that look at one revision: check-schema, check-goldens.

use crate::baseline::{Named, Revision};
use crate::beside::SchemaText;
use crate::config::{GOLDENS, Project};
use crate::engine::{self, Schema};
use crate::exit::Exit;
use crate::{files, lock, output};
use anyhow::{Context as _, Result};
use std::fmt::Write as _;
use std::path::Path;
use wirelock_codegen::report::visible;
use wirelock_codegen::schema::file_of;

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
    let revision = Revision::of_work_tree(&project, GOLDENS)?;
    let schema = match &revision.schema {
        Some(schema) => engine::read(schema)?,
        // Reading it tells why there is none.
        None => engine::read(&SchemaText::alone((
            String::new(),
            files::read_text(&project.path(&project.settings.schema))?,
        )))?,
    };
    Ok((project, revision, schema))
}

/// Checks that a schema keeps the conventions of a contract.
pub(crate) fn schema(contract: Option<&Path>, file: Option<&Path>) -> Result<Exit> {
    let (schema, mismatch) = match file {
        Some(file) => (engine::read(&SchemaText::of_file(file)?)?, None),
        None => {
            let (_, revision, schema) = work_tree(contract)?;
            let mismatch = lock::capability_mismatch(engine::capability(&schema), &revision);
            (schema, mismatch)
        }
    };
    for advice in engine::closed_sets(&schema) {
        output::note(&advice);
    }
    let mut faults = engine::schema_faults(&schema);
    faults.extend(mismatch.map(|problem| problem.to_string()));
    let name = visible(schema.name()).into_owned();
    tell(
        &faults,
        &format!("{name} keeps the conventions of a contract"),
        &format!("{name} breaks them"),
    )
}

/// Checks the goldens of the contract, and those of the capabilities it superseded.
pub(crate) fn goldens(contract: Option<&Path>) -> Result<Exit> {
    let (_, revision, schema) = work_tree(contract)?;
    if !revision.keeps_goldens {
        return tell(&[], "the contract keeps no goldens", "");
    }
    let mut faults = Vec::new();
    let mut sums = vec![goldens_of(
        &revision,
        &schema,
        &revision.goldens,
        &mut faults,
    )];
    for archive in revision.archives.values() {
        if let Some((name, text)) = &archive.schema {
            let schema = engine::read(&SchemaText::alone((revision.shown(name), text.clone())))?;
            sums.push(goldens_of(
                &revision,
                &schema,
                &archive.goldens,
                &mut faults,
            ));
        }
    }
    let sum = sums.join("; ");
    tell(&faults, &sum, &sum)
}

/// Adds the faults of goldens under their schema, and gives the sum in words.
fn goldens_of(
    revision: &Revision,
    schema: &Schema,
    goldens: &[Named],
    faults: &mut Vec<String>,
) -> String {
    let report = engine::check_goldens(schema, goldens);
    for fault in &report.faults {
        let column = fault
            .column
            .map(|column| format!(":{column}"))
            .unwrap_or_default();
        let file = revision.shown(&fault.file);
        faults.push(format!(
            "{file}:{}{column}: {} ({})",
            fault.line, fault.message, fault.help
        ));
    }
    for element in &report.uncovered {
        let position = element.origin.position;
        let (file, _) = file_of(&element.origin.pointer, schema.name());
        faults.push(format!(
            "{file}:{}:{}: no golden exercises {} (`draft-golden` writes a candidate)",
            position.line, position.column, element.subject
        ));
    }
    let total = report.covered + report.uncovered.len();
    format!(
        "{} lines in {} goldens exercise {} of {total} elements of {}",
        report.lines,
        goldens.len(),
        report.covered,
        visible(schema.name())
    )
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
