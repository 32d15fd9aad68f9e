//! `codegen`: what it writes, and how it tells what is stale.

use crate::support::{Repository, SCHEMA, SETTINGS};
use std::path::Path;
use wirelock_tests::scratch::{Scratch, dependency};

/// A repository whose contract names the package of its types.
fn typed(package: &str) -> Repository {
    let repository = Repository::new();
    let settings = repository.read(SETTINGS);
    repository.write(SETTINGS, format!("{settings}types = \"{package}\"\n"));
    repository
}

#[test]
fn stale_output_is_told_and_left() {
    let repository = typed("../generated");
    let before = repository.snapshot();
    let ran = repository.run(&["codegen", "--check"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out
            .contains("generated/src/lib.rs is stale; run the same command without --check"),
        "{ran:?}"
    );
    assert!(repository.snapshot() == before, "a check writes nothing");

    assert_eq!(repository.run(&["codegen"]).code, 0);
    assert!(
        repository
            .read("generated/src/wire.rs")
            .contains("from schema/log.schema.json (sha256:")
    );
    assert!(repository.read("schema/CATALOG.md").contains("retries"));
    let written = repository.snapshot();
    assert_eq!(repository.run(&["codegen", "--check"]).code, 0);
    assert_eq!(repository.run(&["codegen"]).code, 0);
    assert!(
        repository.snapshot() == written,
        "equal output is not written again"
    );

    repository.edit(SCHEMA, "Where it runs.", "Where it runs now.");
    let ran = repository.run(&["codegen", "--check"]);
    assert!(
        ran.code == 1 && ran.out.contains("generated/src/wire.rs is stale"),
        "{ran:?}"
    );
}

#[test]
fn any_schema_becomes_a_file() {
    let repository = Repository::new();
    repository.write(
        "point.json",
        r#"{"title":"Point","type":"object","properties":{"x":{"type":"number"}}}"#,
    );
    let flags = ["codegen", "--schema", "point.json", "--out", "point.rs"];
    assert_eq!(repository.run(&flags).code, 0);
    assert!(repository.read("point.rs").contains("pub struct Point"));
    let ran = repository.run(&["codegen", "--schema", "point.json", "--out", "schema"]);
    assert!(
        ran.code == 2 && ran.err.contains("schema: this is a folder"),
        "{ran:?}"
    );
    repository.write("point.json", "{");
    repository.write("point.rs", "kept");
    assert_eq!(repository.run(&flags).code, 2);
    assert_eq!(repository.read("point.rs"), "kept");
}

#[test]
fn a_written_file_is_a_module_of_a_program_without_a_warning() {
    let repository = Repository::new();
    let schema = r#"{"title":"Point","type":"object","properties":{"x":{"type":"string","pattern":"^[a-z]+$"},"to":{"title":"To","type":"object","properties":{"a":{"enum":["b","c"]}}}}}"#;
    repository.write("point.json", schema);
    let flags = ["codegen", "--schema", "point.json", "--out", "point.rs"];
    assert_eq!(repository.run(&flags).code, 0);
    let code = repository.read("point.rs");
    // The command goes by another name in every repository, so that the file names none of them.
    assert!(
        code.contains("run `codegen` again") && !code.contains("cargo"),
        "{code}"
    );
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")), "written");
    scratch.write("src/wire.rs", &code);
    scratch.write(
        "src/main.rs",
        "#![deny(warnings)]\nmod wire;\nfn main() {\n    let _: Option<wire::Point> = None;\n}\n",
    );
    for features in [&["pattern"][..], &[]] {
        let runtime = dependency("runtime", features);
        scratch.manifest(&format!("[dependencies]\n{runtime}"));
        let Some(mut cargo) = scratch.cargo("clippy") else {
            return;
        };
        let output = cargo.output().expect("cargo starts");
        let told = String::from_utf8_lossy(&output.stderr);
        // A schema with a pattern needs a feature, and whoever lacks it is told so.
        let lacks =
            told.contains("Cargo.toml: wirelock-runtime = { .., features = [\"pattern\"] }");
        assert_eq!(
            (output.status.success(), lacks),
            (!features.is_empty(), features.is_empty()),
            "{told}"
        );
    }
    let format = std::process::Command::new("rustfmt")
        .args(["--edition", "2024", "--check"])
        .arg(repository.path().join("point.rs"))
        .output();
    // Where rustfmt is, it leaves the file as `codegen --check` wants it.
    if let Ok(output) = format {
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{told}");
    }
}

#[test]
fn missing_and_broken_output_is_repaired() {
    let repository = typed("../generated");
    assert_eq!(repository.run(&["codegen"]).code, 0);
    let fine = repository.snapshot();
    repository.write("generated/src/wire.rs", b"pub struct Line { \xff");
    repository.write("generated/src/lib.rs", "");
    repository.remove("schema/CATALOG.md");
    let ran = repository.run(&["codegen", "--check"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    for file in [
        "generated/src/wire.rs",
        "generated/src/lib.rs",
        "schema/CATALOG.md",
    ] {
        let told = ran.out.lines().filter(|line| line.starts_with(file));
        assert_eq!(told.count(), 1, "{file}: {ran:?}");
    }
    assert_eq!(repository.run(&["codegen"]).code, 0);
    assert!(repository.snapshot() == fine);
    // Nor does a schema that cannot be read touch what is there.
    repository.edit(
        SCHEMA,
        "\"retries\": {\"type\": \"integer\"",
        "\"retries\": {\"type\": \"intger\"",
    );
    let broken = repository.snapshot();
    let ran = repository.run(&["codegen"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err.starts_with("error: schema/log.schema.json:"),
        "{ran:?}"
    );
    let place = ran.err["error: schema/log.schema.json:".len()..].split(':');
    assert!(
        place.take(2).all(|number| number.parse::<u32>().is_ok()),
        "{ran:?}"
    );
    assert!(repository.snapshot() == broken);
}

#[test]
fn the_package_is_where_the_contract_says() {
    let repository = typed("../rust/log");
    assert_eq!(repository.run(&["codegen"]).code, 0);
    assert!(repository.read("rust/log/src/lib.rs").contains("mod wire;"));
}

#[test]
fn nothing_is_written_where_there_is_no_package_of_types() {
    let repository = Repository::new();
    let before = repository.snapshot();
    for flags in [vec!["codegen"], vec!["codegen", "--check"]] {
        let ran = repository.run(&flags);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(
            ran.err
                .starts_with("error: schema/contract.toml names no package of types, and there is none at generated;"),
            "{ran:?}"
        );
    }
    assert_eq!(repository.snapshot(), before);
    // A package at the usual place needs no setting.
    repository.write("generated/Cargo.toml", "[package]\nname = \"job-log\"\n");
    assert_eq!(repository.run(&["codegen"]).code, 0);
    assert!(
        repository
            .read("generated/src/lib.rs")
            .contains("mod wire;")
    );
}

#[test]
fn what_is_typed_loosely_is_listed_with_its_place() {
    let repository = Repository::new();
    repository.write(
        "loose.json",
        "{\"title\":\"T\",\"type\":\"object\",\"properties\":{\n\"a\":{\"type\":\"array\",\"uniqueItems\":true}}}",
    );
    let before = repository.snapshot();
    let ran = repository.run(&["codegen", "--explain", "--schema", "loose.json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out.starts_with(
            "loose.json:2:5: T.a (at \"/properties/a\"): that its elements are unique"
        ),
        "{ran:?}"
    );
    assert!(repository.snapshot() == before);
    assert_eq!(
        repository.run(&["codegen", "--schema", "loose.json"]).code,
        2
    );
}

#[test]
fn a_moved_name_is_refused_where_consumers_build_on_types() {
    let finding = "generated-api-changed done";
    for has_types in [true, false] {
        let repository = Repository::new();
        if has_types {
            let settings = repository.read("schema/contract.toml");
            repository.write(
                "schema/contract.toml",
                format!("{settings}types = \"../generated\"\n"),
            );
            repository.commit("Generate types");
            repository.git(&["checkout", "--quiet", "-b", "topic"]);
            // Taking the setting away in the same change is no way around it.
            repository.write("schema/contract.toml", settings);
        }
        repository.edit(SCHEMA, "\"title\": \"Done\"", "\"title\": \"Finished\"");
        let judged = repository.judge();
        assert_eq!(judged.code, i32::from(has_types), "{}", judged.text);
        let told = judged.changes().iter().any(|change| change == finding);
        assert_eq!(told, has_types, "{:?}", judged.changes());
        if has_types {
            assert!(
                judged
                    .text
                    .contains("the Rust type `Done` is `Finished` now"),
                "{}",
                judged.text
            );
            assert_eq!(judged.report["backward"], "yes");
        }
    }
}
