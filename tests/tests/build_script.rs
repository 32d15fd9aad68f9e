//! A package whose build script generates its types, driven by cargo as its owner would: a schema that
//! breaks gives one error with its place and leaves the types as they were, and a touched one runs again.

use std::path::Path;
use std::process::{Command, Output};
use wirelock_tests::scratch::{Scratch, dependency};

struct Package(Scratch);

impl Package {
    fn new() -> Self {
        let package = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")), "build-script");
        package.manifest(&format!(
            "[dependencies]\n{}\n[build-dependencies]\n{}\n\
             [profile.dev.package.\"*\"]\nopt-level = 1\ndebug = false\n",
            dependency("runtime", &[]),
            dependency("codegen", &[])
        ));
        package.write("build.rs", BUILD);
        package.write(
            "src/lib.rs",
            "wirelock_runtime::include_contract!(pub mod event = \"event\");\n",
        );
        Self(package)
    }

    fn write(&self, name: &str, text: &str) {
        self.0.write(name, text);
    }

    fn build(&self) -> Output {
        let mut cargo = self.0.cargo("build").expect("cargo");
        cargo.output().expect("cargo starts")
    }

    fn built(&self) {
        let output = self.build();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
    }

    /// What the script says of its runs: where it wrote, once a run.
    fn runs(&self) -> Vec<String> {
        let runs = std::fs::read_to_string(self.0.folder().join("runs.txt")).unwrap_or_default();
        runs.lines().map(str::to_owned).collect()
    }

    /// The names in the folder that the script writes to, and the text of the types.
    fn written(&self) -> (Vec<String>, String) {
        let folder = self.runs().pop().expect("a run");
        let entries = std::fs::read_dir(&folder).expect("the folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let text = std::fs::read_to_string(Path::new(&folder).join("event.rs"));
        (names.collect(), text.expect("the types"))
    }
}

const BUILD: &str = r#"fn main() -> Result<(), wirelock_codegen::ConfigError> {
    use std::io::Write as _;
    let mut runs = std::fs::File::options().create(true).append(true).open("runs.txt").unwrap();
    writeln!(runs, "{}", std::env::var("OUT_DIR").unwrap()).unwrap();
    wirelock_codegen::Config::new().schema("schema/event.schema.json").compile()?;
    Ok(())
}
"#;

const SCHEMA: &str = r#"{
  "title": "Event",
  "type": "object",
  "properties": {
    "id": { "$ref": "parts/id.json" }
  }
}
"#;

#[test]
fn a_build_script_follows_its_schema_and_tells_where_it_breaks() {
    let package = Package::new();
    let _ = std::fs::remove_file(package.0.folder().join("runs.txt"));
    let (schema, part) = ("schema/event.schema.json", "schema/parts/id.json");
    package.write(schema, SCHEMA);
    package.write(part, r#"{"type": "string"}"#);
    package.built();
    let (names, first) = package.written();
    assert_eq!((names.len(), package.runs().len()), (1, 1), "{names:?}");
    assert!(first.contains("pub id: Option<String>"), "{first}");

    package.built();
    assert_eq!(package.runs().len(), 1, "nothing changed, and it ran again");

    package.write(schema, &SCHEMA.replace("\"object\"", "\"objekt\""));
    let output = package.build();
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    let errors = told
        .lines()
        .filter(|line| line.contains(&format!("{schema}:")));
    let errors: Vec<&str> = errors.collect();
    let place = format!("Error: {schema}:3:11: ");
    assert!(
        matches!(errors.as_slice(), [error] if error.trim().starts_with(&place)),
        "{told}"
    );
    assert!(!told.contains("panicked"), "{told}");
    assert_eq!(package.written(), (names.clone(), first), "half a file");

    package.write(schema, &SCHEMA.replace("\"id\"", "\"key\""));
    package.built();
    assert!(package.written().1.contains("pub key: Option<String>"));

    package.write(part, r#"{"type": "boolean"}"#);
    package.built();
    let (left, last) = package.written();
    assert!(last.contains("pub key: Option<bool>"), "{last}");
    assert_eq!((left, package.runs().len()), (names, 4));
}

#[test]
fn the_readme_lists_what_the_build_dependency_compiles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let (_, list) = readme
        .split_once("that it compiles:\n\n```text\n")
        .expect("the list's heading");
    let (list, _) = list.split_once("```").expect("the end of the list");
    let listed: Vec<&str> = list.split_whitespace().collect();

    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "tree",
            "--offline",
            "--package",
            "wirelock-codegen",
            "--edges",
            "normal",
        ])
        .args(["--prefix", "none", "--format", "{p}", "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .output()
        .expect("cargo starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let told = String::from_utf8_lossy(&output.stdout);
    let names = told.lines().filter_map(|line| line.split(' ').next());
    let mut compiled: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    compiled.sort_unstable();
    compiled.dedup();
    assert_eq!(listed, compiled);
}
