//! The package of the generated types: where it is, and what its consumers call it.

use crate::config::Project;
use crate::files;
use anyhow::{Context as _, Result, bail};
use std::path::{Component, Path, PathBuf};

/// Where the package is, seen from the contract's folder, unless that says.
const PACKAGE: &str = "../generated";

/// The package's folder.
pub(crate) fn folder(project: &Project) -> PathBuf {
    let types = project.settings.types.as_deref().unwrap_or(PACKAGE);
    below_or_beside(&project.folder_or_here(), types)
}

/// What Rust calls the package's library; nothing where there is no package yet.
pub(crate) fn library(folder: &Path) -> Result<Option<String>> {
    let path = folder.join("Cargo.toml");
    let name = path.display();
    let Some(text) = files::read_text_if_present(&path)? else {
        return Ok(None);
    };
    let manifest: toml::Table = match text.parse() {
        Ok(manifest) => manifest,
        Err(error) => bail!("{name}: {error}"),
    };
    let named = |table: &str| {
        let own = manifest.get(table)?.get("name")?.as_str()?;
        Some(own.replace('-', "_"))
    };
    match named("lib").or_else(|| named("package")) {
        Some(library) => Ok(Some(library)),
        None => bail!("{name}: it names no package; the types belong to one"),
    }
}

/// The way from one folder to another, with `/` between names. The second need not be there.
pub(crate) fn way(from: &Path, to: &Path) -> Result<String> {
    let from = from
        .canonicalize()
        .with_context(|| format!("{}: cannot be found", from.display()))?;
    let (parent, last) = match (to.parent(), to.file_name()) {
        (Some(parent), Some(last)) if !parent.as_os_str().is_empty() => (parent, last),
        (_, Some(last)) => (Path::new("."), last),
        _ => bail!("{}: this is no folder's name", to.display()),
    };
    let to = parent
        .canonicalize()
        .with_context(|| format!("{}: cannot be found", parent.display()))?
        .join(last);
    let (mut here, mut there) = (from.components().peekable(), to.components().peekable());
    while here.peek().is_some() && here.peek() == there.peek() {
        here.next();
        there.next();
    }
    let up = here.map(|_| "..".to_owned());
    let down = there.map(|name| name.as_os_str().to_string_lossy().into_owned());
    Ok(up.chain(down).collect::<Vec<_>>().join("/"))
}

/// A path from a folder, without the detour through it where it goes up again.
pub(crate) fn below_or_beside(folder: &Path, path: &str) -> PathBuf {
    let (mut folder, mut rest) = (folder.to_owned(), path);
    while let Some(up) = rest.strip_prefix("../") {
        let leaves = matches!(folder.components().next_back(), Some(Component::Normal(_)));
        if !leaves || !folder.pop() {
            break;
        }
        rest = up;
    }
    folder.join(rest)
}
