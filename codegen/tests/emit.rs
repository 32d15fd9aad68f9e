//! Every schema under `tests/emit` becomes a package that compiles without a warning, and whose
//! types write samples as the wire view does. All of them are compiled in one go.
#![cfg(feature = "emit")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use wirelock_codegen::wire::{self, SampleOptions, Samples, Untold, Wire};
use wirelock_codegen::{emit, json};
use wirelock_tests::scratch::{Scratch, dependency};

/// Samples of each size for each case.
const SAMPLES: u64 = 40;

struct Case {
    module: String,
    wire: Wire,
    files: Vec<emit::File>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn cases() -> Vec<Case> {
    let folder = root().join("tests/emit");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    let case = |name: &String| {
        let path = folder.join(name).join("schema.json");
        let shown = path.display().to_string();
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let wire = wire::read(&shown, &text).unwrap_or_else(|error| panic!("{error}"));
        let options = emit::Options::new(format!("{name}/schema.json"), "test").with_borrowed();
        let (files, _) = emit::package(&wire, &options).unwrap_or_else(|error| panic!("{error}"));
        Case {
            module: name.replace('-', "_"),
            wire,
            files,
        }
    };
    let cases: Vec<Case> = names.iter().map(case).collect();
    assert!(cases.len() > 7, "{names:?}");
    cases
}

#[test]
fn hostile_schemas_become_types_that_compile_and_agree_with_the_wire() {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")), "emit-scratch");
    let mut library = "//! Types of hostile schemas.\n#![deny(warnings)]\n".to_owned();
    // Where a schema has names that look alike, its users are warned of that, as they should be.
    library.push_str("#![allow(confusable_idents, mixed_script_confusables)]\n");
    let mut program = "fn main() {\n".to_owned();
    for case in cases() {
        let module = &case.module;
        let _ = writeln!(library, "pub mod {module};");
        for file in &case.files {
            let below = file
                .path
                .trim_start_matches("src/")
                .replace("lib.rs", "mod.rs");
            scratch.write(&format!("src/{module}/{below}"), &file.content);
        }
        scratch.write(&format!("src/{module}.txt"), &samples(&case.wire));
        if let [root] = case.wire.roots.as_slice()
            && let Some(title) = &root.docs.title
        {
            let _ = writeln!(
                program,
                "    check::<emit_scratch::{module}::{title}>(\"{module}\", include_str!(\"{module}.txt\"));"
            );
        }
    }
    program.push_str("}\n\n");
    program.push_str(PROGRAM);
    scratch.write("src/lib.rs", &library);
    scratch.write("src/main.rs", &program);
    let runtime = dependency("runtime", &["pattern"]);
    scratch.manifest(&format!("[dependencies]\n{runtime}"));
    let Some(mut cargo) = scratch.cargo("run") else {
        return;
    };
    let output = cargo.output().expect("cargo starts");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}\n{err}");
    assert!(out.lines().count() > 7, "{out}");
}

/// Pairs of lines: a document, and its canonical text.
fn samples(wire: &Wire) -> String {
    let samples = Samples::new(wire);
    let mut text = String::new();
    for seed in 0..SAMPLES {
        let size = 30 << (seed % 6);
        for options in [
            SampleOptions::minimal(),
            SampleOptions {
                seed,
                size,
                ..SampleOptions::maximal()
            },
            SampleOptions {
                seed,
                size,
                unknown: seed % 2 == 1,
                ..SampleOptions::random(seed)
            },
        ] {
            let Some(document) = samples.any(wire.roots[0].node, &options) else {
                continue;
            };
            json::write(&document, &mut text);
            text.push('\n');
            text.push_str(&wire::canonical(wire, &document, &Untold));
            text.push('\n');
        }
    }
    text
}

const PROGRAM: &str = r#"fn check<T>(case: &str, samples: &str)
where
    T: for<'de> wirelock_runtime::Decode<'de> + wirelock_runtime::Encode + PartialEq + std::fmt::Debug,
{
    let lines: Vec<&str> = samples.lines().collect();
    assert!(lines.len() > 100, "{case}: {} lines", lines.len());
    for pair in lines.chunks(2) {
        let value: T = wirelock_runtime::from_str(pair[0])
            .unwrap_or_else(|error| panic!("{case}: {error}\n{}", pair[0]));
        assert_eq!(value.to_json(), pair[1], "{case}");
    }
    println!("{case}: {} samples", lines.len() / 2);
}
"#;

#[test]
fn a_second_run_gives_the_same_names_and_none_is_given_twice() {
    let again = cases();
    for (case, other) in cases().iter().zip(&again) {
        assert_eq!(case.files, other.files, "{}", case.module);
        let mut names = BTreeSet::new();
        let code = &case.files[1].content;
        for line in code.lines() {
            let words: Vec<&str> = line
                .split(|letter: char| !(letter.is_alphanumeric() || "_#".contains(letter)))
                .collect();
            if let ["pub", "struct" | "enum" | "type", name, ..] = words.as_slice() {
                assert!(
                    names.insert(name.to_string()),
                    "{}: {name} twice",
                    case.module
                );
            }
        }
        assert!(!names.is_empty(), "{}", case.module);
    }
}
