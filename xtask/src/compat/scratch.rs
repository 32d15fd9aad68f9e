//! The scratch package that consumers are compiled in, and cargo, which does it.

use crate::baseline::Named;
use crate::files;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use wirelock_codegen::emit::{self, File, Mode, settle_file};

/// The variable that tells a test where the goldens are.
pub(super) const GOLDENS: &str = emit::GOLDENS_VARIABLE;
/// The crate that generated types lean on.
const RUNTIME: &str = "wirelock-runtime";
/// How much of a message is shown.
const MESSAGE_LIMIT: usize = 300;

/// The package. While this lives no other run uses the same one.
pub(super) struct Scratch {
    folder: PathBuf,
    target: PathBuf,
    /// The runtime as a dependency, as the package of the types has it.
    runtime: String,
    /// The versions that the package of the types builds with.
    lock: Option<String>,
    _held: std::fs::File,
}

/// What a build gave.
pub(super) struct Built {
    pub(super) faults: Vec<Diagnostic>,
    tests: Vec<(String, PathBuf)>,
}

/// An error of the compiler.
pub(super) struct Diagnostic {
    /// The target that it is in.
    pub(super) target: String,
    /// What is wrong, in one line.
    pub(super) message: String,
    /// Where in the target's file; 0 where it has no place.
    pub(super) line: usize,
}

impl Scratch {
    /// The scratch package of the consumers of a library, whose types are in `package`.
    pub(super) fn open(package: &Path, library: &str) -> Result<Self> {
        let manifest = package.join("Cargo.toml");
        let name = manifest.display();
        let metadata = metadata(&manifest)
            .with_context(|| format!("{name}: mend the package, or pass --no-compile"))?;
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let here = manifest.canonicalize().ok();
        let own = packages.into_iter().find(|package| {
            let path = package["manifest_path"].as_str().unwrap_or_default();
            Path::new(path).canonicalize().ok() == here
        });
        let needed = own.and_then(|own| {
            let mut dependencies = own["dependencies"].as_array()?.iter();
            dependencies.find(|dependency| dependency["name"] == RUNTIME)
        });
        let Some(needed) = needed else {
            bail!(
                "{name}: it does not depend on {RUNTIME}, which generated types lean on; add it, or pass --no-compile"
            );
        };
        let folder = |key: &str| Path::new(metadata[key].as_str().unwrap_or_default());
        let lock = folder("workspace_root").join("Cargo.lock");
        let all = folder("target_directory").join("wirelock");
        let folder = all.join(library);
        let unusable = || format!("{}: the scratch folder cannot be used", folder.display());
        std::fs::create_dir_all(&folder).with_context(unusable)?;
        let held = std::fs::File::create(folder.join("held")).with_context(unusable)?;
        held.lock().with_context(unusable)?;
        Ok(Self {
            target: all.join("target"),
            runtime: dependency(needed),
            lock: files::read_text_if_present(&lock)?,
            folder,
            _held: held,
        })
    }

    /// Writes the package: what is equal stays as it was, so that cargo has nothing to do for it.
    pub(super) fn write(&self, library: &str, files: &[File], goldens: &[Named]) -> Result<()> {
        let runtime = &self.runtime;
        let manifest = format!(
            "[package]\nname = \"wirelock-compat\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [lib]\nname = {library:?}\n\n[dependencies]\n{RUNTIME} = {{ {runtime} }}\n\n\
             [profile.dev]\ndebug = false\n"
        );
        let settle = |path: &str, content: &str| -> Result<bool> {
            let file = File {
                path: path.to_owned(),
                content: content.to_owned(),
            };
            let outcome = settle_file(&self.folder, &file, Mode::Write)?;
            Ok(outcome == emit::Outcome::Written)
        };
        settle("Cargo.toml", &manifest)?;
        // Cargo drops from its own copy what is not needed here, so the whole one is kept beside it.
        if let Some(lock) = &self.lock
            && settle("workspace.lock", lock)?
        {
            settle("Cargo.lock", lock)?;
        }
        for file in files {
            settle(&file.path, &file.content)?;
        }
        let folder = self.folder.join("goldens");
        let stale = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let names: Vec<&str> = goldens.iter().map(|(name, _)| last(name)).collect();
        for entry in stale {
            if !names.iter().any(|name| entry.file_name() == *name) {
                std::fs::remove_file(entry.path())?;
            }
        }
        for (name, text) in goldens {
            settle(&format!("goldens/{}", last(name)), text)?;
        }
        Ok(())
    }

    /// Compiles tests.
    pub(super) fn build(&self, tests: &[&str]) -> Result<Built> {
        let output = cargo()
            .args(["build", "--offline", "--keep-going"])
            .args(tests.iter().flat_map(|test| ["--test", test]))
            .args(["--message-format", "json", "--manifest-path"])
            .arg(self.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&self.target)
            .output()
            .context("cargo cannot be started; pass --no-compile to do without")?;
        let (mut faults, mut tests) = (Vec::new(), Vec::new());
        for line in output.stdout.split(|byte| *byte == b'\n') {
            let Ok(message) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            let target = message["target"]["name"].as_str().unwrap_or_default();
            if let Some(path) = message["executable"].as_str() {
                tests.push((target.to_owned(), path.into()));
            }
            faults.extend(diagnostic(target, &message["message"]));
        }
        if !output.status.success() && faults.is_empty() {
            bail!(
                "the consumer cannot be compiled: {}; mend that, or pass --no-compile",
                cut(&said(&output))
            );
        }
        Ok(Built { faults, tests })
    }

    /// Runs a test; what it found, where it fails.
    pub(super) fn run(&self, built: &Built, test: &str) -> Result<Option<String>> {
        let Some((_, path)) = built.tests.iter().find(|(name, _)| name == test) else {
            bail!("cargo built no test {test:?} in {}", self.folder.display());
        };
        let output = Command::new(path)
            .current_dir(&self.folder)
            .env(GOLDENS, self.folder.join("goldens"))
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("{} cannot be started", path.display()))?;
        if output.status.success() {
            return Ok(None);
        }
        let told = String::from_utf8_lossy(&output.stdout);
        let fault = told.lines().find_map(|line| line.strip_prefix("fault: "));
        let goldens = format!("{}/", self.folder.join("goldens").display());
        let told = match fault {
            Some(fault) => fault.replace(&goldens, ""),
            None => said(&output),
        };
        Ok(Some(cut(&told)))
    }
}

/// The name of a golden in its folder.
fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// A dependency as cargo tells it, as it stands in a manifest.
fn dependency(told: &Value) -> String {
    let features: Vec<&str> = told["features"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(Value::as_str)
        .collect();
    let source = told["source"].as_str().unwrap_or_default();
    let from = match (told["path"].as_str(), source.strip_prefix("git+")) {
        (Some(path), _) => format!("path = {path:?}"),
        (None, Some(git)) => {
            let (url, revision) = git.split_once('?').unwrap_or((git, ""));
            match revision.split_once('=') {
                Some((key @ ("branch" | "rev" | "tag"), value)) => {
                    format!("git = {url:?}, {key} = {value:?}")
                }
                _ => format!("git = {url:?}"),
            }
        }
        (None, None) => {
            let registry = told["registry"].as_str();
            let registry = registry.map(|index| format!(", registry-index = {index:?}"));
            format!("version = {}{}", told["req"], registry.unwrap_or_default())
        }
    };
    format!("{from}, features = {features:?}")
}

/// What cargo tells of the workspace that a manifest belongs to. Nothing is resolved for it, so that no
/// lock file is written.
fn metadata(manifest: &Path) -> Result<Value> {
    let output = cargo()
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
            "--manifest-path",
        ])
        .arg(manifest)
        .output()
        .context("cargo cannot be started")?;
    if !output.status.success() {
        bail!("{}", cut(&said(&output)));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.stdin(Stdio::null());
    cargo
}

/// What a command that failed says last.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("; ")
}

fn diagnostic(target: &str, message: &Value) -> Option<Diagnostic> {
    let spans = message["spans"].as_array()?;
    if message["level"] != "error" || spans.is_empty() {
        return None;
    }
    let primary = spans.iter().find(|span| span["is_primary"] == true);
    let line = primary.and_then(|span| span["line_start"].as_u64());
    let mut text = message["message"].as_str().unwrap_or_default().to_owned();
    if let Some(code) = message["code"]["code"].as_str() {
        text = format!("error[{code}]: {text}");
    }
    if let Some(label) = primary.and_then(|span| span["label"].as_str()) {
        text.push_str(&format!(" ({label})"));
    }
    Some(Diagnostic {
        target: target.to_owned(),
        message: cut(&text),
        line: line
            .and_then(|line| usize::try_from(line).ok())
            .unwrap_or(0),
    })
}

/// One line of at most so many letters.
fn cut(text: &str) -> String {
    let line = text.replace('\n', " ");
    match line.char_indices().nth(MESSAGE_LIMIT) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_runtime_comes_from_where_the_types_have_it_from() {
        let told = |source: Value, path: Value| {
            dependency(
                &json!({"source": source, "path": path, "req": "^0.1", "features": ["pattern"]}),
            )
        };
        assert_eq!(
            told(json!(null), json!("/a b")),
            r#"path = "/a b", features = ["pattern"]"#
        );
        assert_eq!(
            told(json!("git+https://example.com/w?rev=abc"), json!(null)),
            r#"git = "https://example.com/w", rev = "abc", features = ["pattern"]"#
        );
        assert_eq!(
            told(json!("registry+https://example.com/index"), json!(null)),
            r#"version = "^0.1", features = ["pattern"]"#
        );
    }

    #[test]
    fn messages_are_one_short_line() {
        assert_eq!(cut("a\nb"), "a b");
        assert_eq!(cut(&"é".repeat(400)).chars().count(), MESSAGE_LIMIT + 1);
    }
}
