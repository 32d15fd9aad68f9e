//! Packages that a test writes below the target folder and hands to cargo.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package of a test's own. What was built for an earlier run is at hand.
pub struct Scratch {
    name: String,
    folder: PathBuf,
    target: PathBuf,
}

impl Scratch {
    /// A package of that name without any source in `temporary`, the test's own `CARGO_TARGET_TMPDIR`.
    ///
    /// # Panics
    /// `temporary` is no folder in another one.
    ///
    /// ```
    /// let folder = std::env::temp_dir().join(format!("wirelock-scratch-{}", std::process::id()));
    /// let scratch = wirelock_tests::scratch::Scratch::new(&folder, "program");
    /// scratch.write("src/main.rs", "fn main() {}");
    /// scratch.manifest("");
    /// assert!(scratch.folder().join("src/main.rs").is_file());
    /// if let Some(mut cargo) = scratch.cargo("metadata") {
    ///     assert!(cargo.arg("--no-deps").output().unwrap().status.success());
    /// }
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// ```
    #[must_use]
    pub fn new(temporary: &Path, name: &str) -> Self {
        let folder = temporary.join(name);
        // Modules of an earlier run would be compiled with those of this one.
        std::fs::remove_dir_all(folder.join("src")).ok();
        Self {
            name: name.to_owned(),
            folder,
            target: temporary.parent().expect("a folder").to_owned(),
        }
    }

    /// Where the package is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file of the package.
    ///
    /// # Panics
    /// It cannot be written.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        let written = std::fs::create_dir_all(path.parent().expect("a folder"))
            .and_then(|()| std::fs::write(&path, text));
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Writes the manifest, whose text after the package is `rest`. The versions of dependencies are
    /// those of this repository, which are at hand without a network.
    ///
    /// # Panics
    /// It cannot be written, or the lock file of the repository cannot be read.
    pub fn manifest(&self, rest: &str) {
        let text = format!(
            "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n{rest}",
            self.name
        );
        self.write("Cargo.toml", &text);
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
        self.write("Cargo.lock", &lock);
    }

    /// Cargo with a command for this package; nothing where there is no cargo, which is said.
    #[must_use]
    pub fn cargo(&self, command: &str) -> Option<Command> {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let there = Command::new(&program).arg("--version").output();
        if !there.is_ok_and(|output| output.status.success()) {
            println!("there is no cargo, so that nothing is compiled");
            return None;
        }
        let mut cargo = Command::new(program);
        cargo
            .args([command, "--quiet", "--offline", "--manifest-path"])
            .arg(self.folder.join("Cargo.toml"));
        if command != "metadata" {
            cargo.arg("--target-dir").arg(&self.target);
        }
        Some(cargo)
    }
}

/// The line of a manifest that depends on a package of this repository.
///
/// ```
/// let line = wirelock_tests::scratch::dependency("runtime", &["pattern"]);
/// assert!(line.starts_with("wirelock-runtime = { path = "), "{line}");
/// ```
///
/// # Panics
/// There is no such package.
#[must_use]
pub fn dependency(package: &str, features: &[&str]) -> String {
    let path = root().join(package).canonicalize();
    let path = path.unwrap_or_else(|error| panic!("{package}: {error}"));
    let mut line = format!("wirelock-{package} = {{ path = {path:?}");
    if !features.is_empty() {
        let _ = write!(line, ", features = {features:?}");
    }
    line.push_str(" }\n");
    line
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
