//! The commands that write into the work tree: codegen and draft-golden.

use crate::beside::SchemaText;
use crate::cli::Codegen;
use crate::config::FILE_NAME;
use crate::exit::Exit;
use crate::{checks, engine, files, output, package};
use anyhow::{Context as _, Result, bail};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use wirelock_codegen::emit::{File, Mode, Outcome, Package, Untyped, settle_file};
use wirelock_codegen::report::visible;

/// The file, in the contract's folder, that lists all of the contract for a reader.
const CATALOG: &str = "CATALOG.md";

/// Generates the types, or checks that they are up to date.
pub(crate) fn codegen(contract: Option<&Path>, flags: &Codegen) -> Result<Exit> {
    let mode = mode(flags.check);
    if let Some(file) = &flags.schema {
        let name = file.display().to_string();
        let schema = engine::read(&SchemaText::of_file(file)?)?;
        // The file's own name goes into the output: the way to it depends on where one stands.
        let own_name = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(&name);
        let (code, untyped) = engine::types(&schema, own_name)?;
        let Some(out) = &flags.out else {
            if flags.explain {
                return explain(&schema, &untyped);
            }
            bail!("--schema needs --out, the file that the types go to, or --explain");
        };
        files::refuse_input(out, std::slice::from_ref(file))?;
        let (folder, name) = split(out)?;
        let file = File {
            path: name,
            content: code,
        };
        return settle(&[(folder, file)], &untyped, mode);
    }
    let (project, _, schema) = checks::work_tree(contract)?;
    let folder = project.folder_or_here();
    // The name goes into the output, so it must not depend on where the command runs.
    let whole = folder
        .canonicalize()
        .with_context(|| format!("{}: cannot be found", folder.display()))?;
    let below = whole
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let name = format!("{below}/{}", project.settings.schema);
    let (sources, untyped) = engine::package(&schema, &name)?;
    if flags.explain {
        return explain(&schema, &untyped);
    }
    let target = package::folder(&project);
    if project.settings.types.is_none() && !target.join("Cargo.toml").is_file() {
        bail!(
            "{} names no package of types, and there is none at {}; set `types` to the folder of a package, or name a schema and a file: codegen --schema FILE --out FILE",
            project.path(FILE_NAME).display(),
            target.display()
        );
    }
    let mut all: Vec<(PathBuf, File)> = sources
        .into_iter()
        .map(|file| (target.clone(), file))
        .collect();
    // Its test speaks of the library by its name, so that there is one only where there is a package.
    if let Some(library) = package::library(&target)? {
        let goldens = package::way(&target, &project.goldens()?)?;
        let consumer = engine::consumer(&schema, &name, Package { library, goldens })?;
        all.extend(consumer.map(|file| (target.clone(), file)));
    }
    let catalog = File {
        path: CATALOG.to_owned(),
        content: engine::catalog(&schema),
    };
    all.push((folder.clone(), catalog));
    let inputs = project.inputs();
    for (folder, file) in &all {
        files::refuse_input(&folder.join(&file.path), &inputs)?;
    }
    settle(&all, &untyped, mode)
}

/// Lists what is typed more loosely than the schema says.
fn explain(schema: &engine::Schema, untyped: &[Untyped]) -> Result<Exit> {
    let mut text = String::new();
    for place in untyped {
        let (line, column, pointer) = match &place.origin {
            Some(origin) => (
                origin.position.line,
                origin.position.column,
                &*origin.pointer,
            ),
            None => (1, 1, ""),
        };
        let line = format!(
            "{}:{line}:{column}: {} (at {pointer:?}): {}",
            schema.name(),
            place.place,
            place.reason
        );
        let _ = writeln!(text, "{}", visible(&line));
    }
    let _ = match untyped.len() {
        0 => writeln!(text, "accepted: every type says what the schema says"),
        _ => writeln!(
            text,
            "accepted: {} typed more loosely than the schema says",
            places(untyped)
        ),
    };
    output::print(&text)?;
    Ok(Exit::Accepted)
}

fn places(untyped: &[Untyped]) -> String {
    match untyped.len() {
        1 => "1 place is".to_owned(),
        count => format!("{count} places are"),
    }
}

/// What is done with files that are generated.
pub(crate) fn mode(check: bool) -> Mode {
    match check {
        true => Mode::Check,
        false => Mode::Write,
    }
}

/// Puts files in place, or tells which of them are stale.
pub(crate) fn settle(all: &[(PathBuf, File)], untyped: &[Untyped], mode: Mode) -> Result<Exit> {
    if !untyped.is_empty() {
        output::note(&format!(
            "{} typed more loosely than the schema says; `codegen --explain` lists them",
            places(untyped)
        ));
    }
    let mut text = String::new();
    let mut stale = 0;
    for (folder, file) in all {
        let outcome = settle_file(folder, file, mode)?;
        stale += usize::from(outcome == Outcome::Stale);
        let what = match outcome {
            Outcome::Unchanged => "is up to date",
            Outcome::Written => "was written",
            Outcome::Stale => {
                "is stale; run the same command without --check and commit what it writes"
            }
        };
        let path = folder.join(&file.path);
        let _ = writeln!(text, "{} {what}", visible(&path.display().to_string()));
    }
    let _ = match stale {
        0 => writeln!(
            text,
            "accepted: {} generated files are up to date",
            all.len()
        ),
        _ => writeln!(
            text,
            "refused: {stale} of {} generated files are stale",
            all.len()
        ),
    };
    output::print(&text)?;
    Ok(if stale == 0 {
        Exit::Accepted
    } else {
        Exit::Refused
    })
}

/// The folder of a file that is to be written, and its name there.
pub(crate) fn split(path: &Path) -> Result<(PathBuf, String)> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        bail!("{}: this is no file's name", path.display());
    };
    if path.is_dir() {
        bail!("{}: this is a folder; name a file in it", path.display());
    }
    // The new file takes the name of the old one, so a link would be lost instead of followed.
    if path.is_symlink() {
        bail!("{}: this is a link; name the file itself", path.display());
    }
    Ok((
        path.parent().unwrap_or(Path::new("")).to_owned(),
        name.to_owned(),
    ))
}

/// Writes candidate goldens for the elements that no golden exercises.
pub(crate) fn draft_golden(contract: Option<&Path>) -> Result<Exit> {
    let (project, revision, schema) = checks::work_tree(contract)?;
    // A variant that its catch-all takes too has no valid sample, which says nothing of the cause.
    engine::unions_fit(&schema)?;
    let folder = project.goldens()?;
    let missing = engine::check_goldens(&schema, &revision.goldens).uncovered;
    let drafts = engine::draft_goldens(&schema, &missing, &revision.goldens);
    let mut text = String::new();
    // All are looked at before any is written, so that a refusal leaves nothing half done.
    let taken = drafts.files.iter().map(|(name, _)| folder.join(name));
    if let Some(path) = taken.into_iter().find(|path| path.exists()) {
        bail!(
            "{}: it exists already; review it, or move it away",
            path.display()
        );
    }
    for (name, draft) in &drafts.files {
        let path = folder.join(name);
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
