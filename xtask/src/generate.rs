//! The commands that write into the work tree: codegen and draft-golden.

use crate::cli::Codegen;
use crate::exit::Exit;
use crate::{checks, engine, files, output};
use anyhow::{Result, bail};
use std::fmt::Write as _;
use std::path::Path;
use wirelock_codegen::report::visible;

/// Generates the types, or checks that they are up to date.
pub(crate) fn codegen(_contract: Option<&Path>, _flags: &Codegen) -> Result<Exit> {
    bail!("this build has no generator yet")
}

/// Writes candidate goldens for the elements that no golden exercises.
pub(crate) fn draft_golden(contract: Option<&Path>) -> Result<Exit> {
    let (project, revision, schema) = checks::work_tree(contract)?;
    let folder = project.path(&project.settings.goldens);
    let missing = engine::check_goldens(&schema, &revision.goldens).uncovered;
    let drafts = engine::draft_goldens(&schema, &missing, &revision.goldens);
    let mut text = String::new();
    for (name, draft) in &drafts.files {
        let path = folder.join(name);
        if path.exists() {
            bail!(
                "{}: it exists already; review it, or move it away",
                path.display()
            );
        }
        std::fs::create_dir_all(&folder)?;
        files::write(&path, draft)?;
        let lines = draft.lines().count();
        let _ = writeln!(
            text,
            "wrote {} ({lines} lines)",
            visible(&path.display().to_string())
        );
    }
    for element in &drafts.failed {
        let position = element.origin.position;
        let _ = writeln!(
            text,
            "{}:{}:{}: no valid sample of {} was found; write its golden by hand",
            visible(schema.name()),
            position.line,
            position.column,
            visible(&element.subject.to_string())
        );
    }
    let (written, failed) = (drafts.files.len(), drafts.failed.len());
    let _ = match (missing.len(), failed) {
        (0, _) => writeln!(
            text,
            "accepted: every element is exercised, so there is nothing to draft"
        ),
        (elements, 0) => writeln!(
            text,
            "accepted: {written} drafts for {elements} elements; review them and keep what says something true"
        ),
        (elements, _) => writeln!(
            text,
            "undecided: {written} drafts for {elements} elements, {failed} of them without a sample"
        ),
    };
    output::print(&text)?;
    Ok(if failed == 0 {
        Exit::Accepted
    } else {
        Exit::Undecided
    })
}
