//! `report-schema`: the JSON Schema of what `check-evolution` writes as JSON.

use crate::cli::ReportSchema;
use crate::exit::Exit;
use crate::{generate, output};
use anyhow::Result;
use schemars::JsonSchema;
use wirelock_codegen::emit::File;
use wirelock_codegen::report::{Failure, Report, Step, json_schema};

/// What a line of `check-evolution` as JSON holds: a report, as it comes from one judgement or from
/// a pair of `--pairs`; why there is none; or a step of `--history`.
#[derive(JsonSchema)]
#[schemars(untagged, rename = "CheckEvolution")]
#[expect(
    dead_code,
    reason = "the type tells the schema, and each part is written where it arises"
)]
enum Line {
    Report(Box<Report>),
    Failure(Failure),
    Step(Box<Step>),
}

/// The file of the schema in the folder of its contract.
pub(crate) const FILE_NAME: &str = "check-evolution.schema.json";

/// The name of the schema, under which other schemas can refer to it. Nothing is fetched from there.
const ID: &str = "urn:wirelock:check-evolution:report_v1";

/// Prints the schema, writes it to a file, or checks that the file is up to date.
pub(crate) fn run(flags: &ReportSchema) -> Result<Exit> {
    let content = json_schema::<Line>(ID);
    let Some(out) = &flags.out else {
        output::print(&content)?;
        return Ok(Exit::Accepted);
    };
    let (folder, path) = generate::split(out)?;
    let mode = generate::mode(flags.check);
    generate::settle(&[(folder, File { path, content })], &[], mode)
}
