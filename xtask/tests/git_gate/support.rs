//! A real repository in a temporary folder, and the real binary run in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wirelock_tests::report_schema;

/// The schema's path in the repository.
pub(crate) const SCHEMA: &str = "schema/log.schema.json";
/// The path of the settings in the repository.
pub(crate) const SETTINGS: &str = "schema/contract.toml";
/// A golden's path in the repository.
pub(crate) const GOLDEN: &str = "schema/golden/finished.jsonl";

/// A repository whose first commit holds the small contract beside these tests, locked.
pub(crate) struct Repository {
    folder: tempfile::TempDir,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Repository {
    /// A repository on `main` with the contract in its one commit.
    pub(crate) fn new() -> Self {
        let repository = Self::empty();
        repository.add_contract();
        repository.commit("Begin");
        repository
    }

    /// A repository on `main` without any commit.
    pub(crate) fn empty() -> Self {
        let repository = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// Copies the contract beside these tests into the work tree.
    pub(crate) fn add_contract(&self) {
        copy(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract"),
            self.path(),
        );
    }

    /// The folder of the work tree.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs git, which has to succeed.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=Test",
                "-c",
                "user.email=test@example.com",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .current_dir(self.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .expect("git is there");
        assert!(
            output.status.success(),
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout)
            .expect("UTF-8")
            .trim()
            .to_owned()
    }

    /// Commits all of the work tree.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Reads a file of the work tree.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).expect(path)
    }

    /// Writes a file of the work tree.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }

    /// Removes a file of the work tree.
    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path().join(path)).expect(path);
    }

    /// Replaces text that stands exactly once in a file.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert_eq!(text.matches(from).count(), 1, "{from:?} in {path}");
        self.write(path, text.replace(from, to));
    }

    /// Adds an optional member to the first line.
    pub(crate) fn add_field(&self) {
        self.edit(SCHEMA, "\"retries\": {", "\"queue\": {\"type\": \"string\", \"description\": \"Where it waited.\"},\n        \"retries\": {");
    }

    /// Adds a golden whose first line is this one.
    pub(crate) fn add_golden(&self, name: &str, first: &str) {
        let last =
            "{\"type\":\"done\",\"job\":\"j9\",\"seq\":1,\"ok\":true,\"reason\":\"finished\"}";
        self.write(
            &format!("schema/golden/{name}"),
            format!("{first}\n{last}\n"),
        );
    }

    /// Writes a record that supersedes the first one.
    pub(crate) fn add_record(&self, status: &str, covers: &str) {
        let text = format!(
            "---\nnumber: 2\nstatus: {status}\ndate: 2026-12-02\nsupersedes: 1\ncapability: log_v1\ncovers: {covers}\n---\n\n# 2. Change it\n"
        );
        self.write("schema/adr/0002-change.md", text);
    }

    /// Runs the binary in the work tree.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        run_in(self.path(), arguments, &[])
    }

    /// Judges the work tree; the report as JSON has to agree with the text for readers.
    pub(crate) fn judge(&self) -> Judged {
        self.judge_with(&[])
    }

    /// As [`Repository::judge`], with further flags.
    pub(crate) fn judge_with(&self, flags: &[&str]) -> Judged {
        self.judge_in(flags, &[])
    }

    /// As [`Repository::judge_with`], with variables of the environment.
    pub(crate) fn judge_in(&self, flags: &[&str], environment: &[(&str, &str)]) -> Judged {
        let run = |command: &[&str]| run_in(self.path(), &[command, flags].concat(), environment);
        let human = run(&["check-evolution"]);
        let json = run(&["check-evolution", "--format", "json"]);
        assert_eq!(human.code, json.code, "{human:?} {json:?}");
        let report: serde_json::Value =
            serde_json::from_str(&json.out).unwrap_or_else(|_| panic!("no report: {json:?}"));
        assert_eq!(report["accepted"], human.code == 0, "{human:?}");
        Judged {
            code: human.code,
            text: human.out,
            report,
        }
    }

    /// Every file below the work tree and the repository, to see that nothing changed.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.path(), &mut files);
        files
    }
}

/// A judgement in both formats.
#[derive(Debug)]
pub(crate) struct Judged {
    /// Exit code.
    pub(crate) code: i32,
    /// The report for readers.
    pub(crate) text: String,
    /// The report for programs.
    pub(crate) report: serde_json::Value,
}

impl Judged {
    /// `rule subject` of each change.
    pub(crate) fn changes(&self) -> Vec<String> {
        let changes = self.report["changes"].as_array().expect("changes");
        let text =
            |change: &serde_json::Value, key: &str| change[key].as_str().expect("text").to_owned();
        changes
            .iter()
            .map(|change| format!("{} {}", text(change, "rule"), text(change, "subject")))
            .collect()
    }

    /// The kinds of the problems.
    pub(crate) fn problems(&self) -> Vec<&str> {
        let problems = self.report["problems"].as_array().expect("problems");
        problems
            .iter()
            .map(|problem| problem["kind"].as_str().expect("a kind"))
            .collect()
    }

    /// The subjects of the missing goldens.
    pub(crate) fn missing(&self) -> Vec<&str> {
        let missing = self.report["missing_goldens"]
            .as_array()
            .expect("missing goldens");
        missing
            .iter()
            .map(|missing| missing["subject"].as_str().expect("a subject"))
            .collect()
    }
}

/// Runs the binary in a folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_wirelock"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        // These tests may themselves run in a job that has a summary.
        .env_remove("GITHUB_STEP_SUMMARY")
        .env_remove("GITHUB_SERVER_URL")
        .envs(environment.iter().copied())
        .output()
        .expect("the binary is there");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let ran = Ran {
        code: output.status.code().expect("an exit code"),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    let is_json = arguments
        .windows(2)
        .any(|flags| flags == ["--format", "json"]);
    if arguments.first() == Some(&"check-evolution") && (is_json || arguments.contains(&"--pairs"))
    {
        for line in ran.out.lines() {
            let errors = report_schema::errors(line);
            assert!(errors.is_empty(), "{errors:#?}\n{line}");
        }
    }
    ran
}

/// Copies a folder with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("listed") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("listed") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files);
        } else {
            files.insert(path.clone(), fs::read(&path).unwrap_or_default());
        }
    }
}
