//! Walks through docs/adopt.md in an empty folder, as somebody would who has nothing but that page.

mod blocks;

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_guide_leads_from_a_plain_schema_to_a_gate_that_refuses_a_rename() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let guide = fs::read_to_string(root.join("docs/adopt.md")).expect("docs/adopt.md");
    let folder = tempfile::tempdir().expect("a folder");
    let binaries = Path::new(env!("CARGO_BIN_EXE_wirelock"))
        .parent()
        .expect("a folder of binaries");
    let path = format!(
        "{}:{}",
        binaries.display(),
        std::env::var("PATH").expect("PATH")
    );
    let mut refusals = Vec::new();
    for (line, text) in blocks::of(&guide) {
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &text])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .expect("bash is there");
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "docs/adopt.md:{line}: {text}{out}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        // `!` takes any failure for the refusal that the guide speaks of, so the reason is looked at.
        if text.contains("! wirelock") {
            refusals.push(out.into_owned());
        }
    }
    assert_eq!(refusals.len(), 3);
    assert!(
        refusals[0].contains("missing golden: total") && refusals[0].contains("\naccepted: "),
        "{}",
        refusals[0]
    );
    let shown = "breaking[property-renamed]: note was renamed to \"remark\"\n";
    assert!(
        guide.contains(shown) && refusals[1].contains(shown),
        "{}",
        refusals[1]
    );
    assert!(
        refusals[2].contains("problem[record-unfinished]: the cover of property-renamed for note"),
        "{}",
        refusals[2]
    );
}
