//! Runs the commands that README.md shows, so that none of them is only believed to work.

mod blocks;

use std::fs;
use std::path::Path;
use std::process::Command;

/// A copy of the repository as it stands, with its history, so that no command touches the original.
fn copy_of_repository(root: &Path, target: &Path) {
    let run = |command: &mut Command| {
        let output = command.output().expect("git and cp are there");
        assert!(
            output.status.success(),
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    };
    run(Command::new("git")
        .args(["clone", "--quiet", "--"])
        .arg(root)
        .arg(target));
    let listed = run(Command::new("git").arg("-C").arg(root).args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]));
    for name in String::from_utf8(listed)
        .expect("UTF-8")
        .split_terminator('\0')
    {
        let (from, to) = (root.join(name), target.join(name));
        if from.is_file() {
            fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            fs::copy(from, to).expect("copied");
        } else {
            let _ = fs::remove_file(to);
        }
    }
}

/// A folder for the front of `PATH`, where `cargo xtask` and `wirelock` are what was just built.
fn commands(folder: &Path) {
    let cargo = format!(
        "#!/bin/sh\n\
         if [ \"$1\" != xtask ]; then exec '{}' \"$@\"; fi\n\
         shift\n\
         # All of CI would run this very test again.\n\
         if [ \"$1\" = ci ]; then exit 0; fi\n\
         exec '{}' \"$@\"\n",
        env!("CARGO"),
        env!("CARGO_BIN_EXE_xtask"),
    );
    let wirelock = format!(
        "#!/bin/sh\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_wirelock")
    );
    for (name, text) in [("cargo", cargo), ("wirelock", wirelock)] {
        let path = folder.join(name);
        fs::write(&path, text).expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
        }
    }
}

#[cfg(unix)]
#[test]
fn every_command_in_the_readme_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace");
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    let blocks = blocks::of(&readme);
    assert!(
        !blocks.is_empty(),
        "README.md shows no command in an `sh` block"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let (copy, bin) = (folder.path().join("copy"), folder.path().join("bin"));
    copy_of_repository(root, &copy);
    fs::create_dir(&bin).expect("made");
    commands(&bin);
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").expect("a PATH")
    );
    let target = Path::new(env!("CARGO_BIN_EXE_xtask"))
        .parent()
        .expect("the profile's folder");
    for (line, text) in blocks {
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &text])
            .current_dir(&copy)
            .env("PATH", &path)
            // Kept between runs, and apart from the binaries that the other tests are running.
            .env("CARGO_TARGET_DIR", target.join("readme"))
            .output()
            .expect("bash is there");
        assert!(
            output.status.success(),
            "README.md:{line}: {text}{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn only_sh_blocks_are_commands() {
    let markdown = "a\n```sh\none\ntwo\n```\n```text\nthree\n```\n  ```sh\nfour\n  ```\n";
    assert_eq!(
        blocks::of(markdown),
        [(2, "one\ntwo\n".to_owned()), (9, "four\n".to_owned())]
    );
}
