//! The schemas that are tried: our contract, the fixtures under `tests/emit`, and real ones where they lie
//! beside the repository.

use std::path::{Path, PathBuf};
use wirelock_codegen::emit::{self, Emitted};
use wirelock_codegen::wire::{self, Wire};

/// Schemas whose types take minutes to compile; they are tried when a run asks for them.
const LARGE: usize = 1_000_000;
/// What is larger is tried where it is named: compiling it twice, as owned and as borrowed, takes minutes.
const USUAL: usize = 100_000;

/// Schemas up to this size tell theirs: our own, and small ones.
const TELLING: usize = 80 << 10;

/// One schema with its types.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) wire: Wire,
    pub(crate) emitted: Emitted,
}

impl Case {
    /// What its module is called.
    pub(crate) fn module(&self) -> String {
        let plain = |letter: char| {
            if letter.is_alphanumeric() {
                letter
            } else {
                '_'
            }
        };
        self.name.chars().map(plain).collect()
    }

    pub(crate) fn is_large(&self) -> bool {
        self.text.len() > LARGE
    }

    /// The roots that have a type of their own which tells its schema, by their indices.
    pub(crate) fn telling(&self) -> Vec<(usize, &str)> {
        let roots = self.emitted.roots.iter().map(String::as_str).enumerate();
        let is_item = |name: &str| !self.emitted.code.contains(&format!("pub type {name} ="));
        let tells = self.emitted.code.contains("impl_json_schema!");
        roots.filter(|(_, name)| tells && is_item(name)).collect()
    }
}

/// The schemas that this run is about.
pub(crate) fn chosen() -> Vec<Case> {
    let wanted = std::env::var("WIRELOCK_TYPES").unwrap_or_default();
    let names: Vec<&str> = wanted.split(',').filter(|name| !name.is_empty()).collect();
    let mut cases = Vec::new();
    for (name, path) in all() {
        let text = read(&path);
        let is_wanted = match names.as_slice() {
            [] => text.len() <= USUAL,
            ["all"] => true,
            names => names.contains(&name.as_str()),
        };
        if is_wanted {
            cases.push(case(name, text));
        } else if names.is_empty() {
            println!("{name}: not tried, because it is large; WIRELOCK_TYPES={name} tries it");
        }
    }
    assert!(!cases.is_empty(), "no schema is called {wanted}");
    cases
}

/// Every schema, our own first, by name and file.
pub(crate) fn all() -> Vec<(String, PathBuf)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let contract = here.join("../schema/stream-json.schema.json");
    let mut found = vec![("contract".to_owned(), contract)];
    for folder in entries(&here.join("emit")) {
        let name = file_name(&folder);
        found.push((name, folder.join("schema.json")));
    }
    let real = wirelock_tests::handed::shared().join("corpus/schemas");
    if !real.is_dir() {
        println!(
            "{}: not present, so that no real schema is tried",
            real.display()
        );
        return found;
    }
    for file in entries(&real) {
        let name = file_name(&file);
        found.push((name.trim_end_matches(".json").to_owned(), file));
    }
    found
}

/// Reads a schema and generates its types. A schema that is refused, or that panics, fails the run.
pub(crate) fn case(name: String, text: String) -> Case {
    let wire = wire::read(&name, &text).unwrap_or_else(|error| panic!("{error}"));
    let mut options = emit::Options::new(name.as_str(), "test").with_borrowed();
    // The schemas of those from elsewhere would be most of what is compiled.
    options.json_schema = text.len() < TELLING;
    let emitted = emit::rust(&wire, &options).unwrap_or_else(|error| panic!("{error}"));
    Case {
        name,
        text,
        wire,
        emitted,
    }
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str());
    name.unwrap_or_default().to_owned()
}
