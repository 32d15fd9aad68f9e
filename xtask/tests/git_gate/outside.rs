//! `action.yml` and `.pre-commit-hooks.yaml`: each command line in them is run, with what people may say.

use crate::support::{GOLDEN, Repository, SCHEMA};
use crate::workflow::{Job, Step, text, yaml};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// A job of a workflow, with programs that only note what they were asked.
struct Runner {
    action: Value,
    job: Job,
    folder: tempfile::TempDir,
}

impl Runner {
    fn new(repository: &Repository, inputs: &[(&str, &str)]) -> Self {
        let action = yaml("action.yml");
        let folder = tempfile::tempdir().expect("a folder");
        let (programs, temp) = (folder.path().join("bin"), folder.path().join("temp"));
        for path in [&programs, &temp] {
            std::fs::create_dir(path).expect("made");
        }
        let log = folder.path().join("log");
        let log = log.display();
        let build = format!(
            "echo cargo \"$@\" >> '{log}'\nwhile [ \"$1\" != --root ]; do shift; done\n\
             mkdir -p \"$2/bin\"\ncp '{}' \"$2/bin/wirelock\"",
            env!("CARGO_BIN_EXE_wirelock")
        );
        let gh = format!(
            "echo gh \"$@\" >> '{log}'\n\
             case \"$*\" in *--paginate*) cat '{0}/ids' 2>/dev/null || true;;\n\
             'api user '*) cat '{0}/login' 2>/dev/null;; esac",
            folder.path().display()
        );
        let rustup = format!("echo rustup \"$@\" >> '{log}'");
        for (name, script) in [("cargo", build), ("gh", gh), ("rustup", rustup)] {
            let path = programs.join(name);
            std::fs::write(&path, format!("#!/bin/bash\n{script}\n")).expect("written");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut contexts: BTreeMap<String, String> = [
            ("github.action_path", root.to_str().expect("UTF-8")),
            ("github.repository", "owner/project"),
            ("github.event.pull_request.number", "7"),
            ("github.token", "secret"),
            ("runner.temp", temp.to_str().expect("UTF-8")),
            ("runner.os", "Linux"),
            ("runner.arch", "X64"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        for (name, input) in action["inputs"].as_object().expect("inputs") {
            let value = inputs.iter().find(|(known, _)| known == name);
            let value =
                value.map_or_else(|| text(&input["default"]), |(_, value)| (*value).to_owned());
            contexts.insert(format!("inputs.{name}"), value);
        }
        let workspace = repository.path().to_owned();
        Self {
            action,
            job: Job {
                contexts,
                workspace,
                temp,
                programs,
                failing: BTreeSet::new(),
            },
            folder,
        }
    }

    fn run(&mut self) -> BTreeMap<String, Step> {
        self.job.run(&self.action)
    }

    /// What the programs were asked, a call a line.
    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn report(&self, format: &str) -> PathBuf {
        self.job.temp.join(format!("wirelock/report.{format}"))
    }

    fn comment(&self) -> String {
        std::fs::read_to_string(self.job.temp.join("wirelock/comment.md")).expect("a comment")
    }
}

fn code(outcomes: &BTreeMap<String, Step>, id: &str) -> i32 {
    match outcomes.get(id) {
        Some(Step::Ran(code, _)) => *code,
        other => panic!("{id}: {other:?} of {outcomes:#?}"),
    }
}

fn refused() -> Repository {
    let repository = Repository::new();
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    repository
}

#[test]
fn the_action_annotates_and_its_end_is_the_verdict() {
    for (repository, expected) in [(Repository::new(), 0), (refused(), 1)] {
        let mut runner = Runner::new(&repository, &[]);
        let outcomes = runner.run();
        assert_eq!(code(&outcomes, "judge"), 0, "{outcomes:#?}");
        assert_eq!(code(&outcomes, "decide"), expected, "{outcomes:#?}");
        assert_eq!(outcomes["comment"], Step::Skipped);
        assert_eq!(outcomes["upload"], Step::Skipped);
        for format in ["markdown", "sarif"] {
            assert!(!runner.report(format).exists(), "nobody asked for {format}");
        }
        let Step::Ran(_, said) = &outcomes["judge"] else {
            panic!("{outcomes:#?}")
        };
        assert_eq!(
            said.contains("::error file=schema/log.schema.json,"),
            expected == 1,
            "{said}"
        );
        assert!(runner.job.temp.join("summary.md").is_file());
        let log = runner.log();
        assert!(
            log.contains("cargo +stable install --locked --path ")
                && log.contains("rustup toolchain install stable "),
            "{log}"
        );
        assert!(!log.contains("gh "), "{log}");
        let exit = &runner.action["outputs"]["exit-code"]["value"];
        assert_eq!(text(exit), "${{ steps.judge.outputs.code }}");
        assert_eq!(
            runner.job.contexts["steps.judge.outputs.code"],
            expected.to_string()
        );
    }
}

#[test]
fn what_the_cache_holds_is_not_built_again() {
    let repository = Repository::new();
    let mut runner = Runner::new(&repository, &[]);
    let outcomes = runner.run();
    let Step::Uses(_, with) = &outcomes["cache"] else {
        panic!("{outcomes:#?}")
    };
    let key = with["key"]
        .strip_prefix("wirelock-Linux-X64-")
        .expect("a key");
    assert!(
        key.len() == 40 && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{key}"
    );
    let binary = runner.job.temp.join("wirelock/bin/wirelock");
    assert_eq!(Path::new(&with["path"]), binary.parent().expect("a folder"));
    assert!(binary.is_file(), "what is built goes where the cache looks");
    let hit = "steps.cache.outputs.cache-hit".to_owned();
    runner.job.contexts.insert(hit, "true".to_owned());
    let outcomes = runner.run();
    assert_eq!(outcomes["build"], Step::Skipped);
    assert_eq!(code(&outcomes, "decide"), 0);
}

#[test]
fn the_comment_is_made_once_and_brought_up_to_date_from_then_on() {
    let repository = refused();
    let mut runner = Runner::new(&repository, &[("comment", "true"), ("sarif", "true")]);
    let outcomes = runner.run();
    assert_eq!(code(&outcomes, "comment"), 0, "{outcomes:#?}");
    assert_eq!(code(&outcomes, "decide"), 1);
    let log = runner.log();
    assert!(
        log.contains(
            "gh api --silent --method POST repos/owner/project/issues/7/comments --field body=@"
        ),
        "{log}"
    );
    let comment = runner.comment();
    let (mark, report) = comment.split_once('\n').expect("a first line");
    assert!(
        mark.starts_with("<!-- wirelock ") && mark.ends_with(" -->"),
        "{mark}"
    );
    assert!(report.contains("constraint-narrowed"), "{report}");
    let found =
        |author: &str| format!("select(.user.{author} and (.body | startswith(\"{mark}\")))");
    assert!(log.contains(&found("type == \"Bot\"")), "{log}");
    let Step::Uses(_, with) = &outcomes["upload"] else {
        panic!("{outcomes:#?}")
    };
    let sarif = std::fs::read_to_string(&with["sarif_file"]).expect("a report");
    assert!(
        sarif.contains("\"ruleId\": \"constraint-narrowed\""),
        "{sarif}"
    );

    std::fs::write(runner.folder.path().join("ids"), "41\n42\n").expect("written");
    let outcomes = runner.run();
    assert_eq!(code(&outcomes, "comment"), 0, "{outcomes:#?}");
    let log = runner.log();
    assert!(
        log.contains(
            "gh api --silent --method PATCH repos/owner/project/issues/comments/41 --field body=@"
        ),
        "{log}"
    );

    // The token of a person finds the comment of that person again.
    std::fs::write(runner.folder.path().join("login"), "someone\n").expect("written");
    runner.run();
    let log = runner.log();
    assert!(log.contains(&found("login == \"someone\"")), "{log}");

    // A job that may not comment says so, and its verdict stands.
    std::fs::write(runner.job.programs.join("gh"), "#!/bin/sh\nexit 1\n").expect("written");
    let outcomes = runner.run();
    let Step::Ran(0, said) = &outcomes["comment"] else {
        panic!("{outcomes:#?}")
    };
    assert!(said.contains("::warning::"), "{said}");
    assert_eq!(code(&outcomes, "decide"), 1);
}

#[test]
fn an_upload_that_fails_is_told_and_the_verdict_stands() {
    for (repository, expected) in [(Repository::new(), 0), (refused(), 1)] {
        let mut runner = Runner::new(&repository, &[("sarif", "true")]);
        let outcomes = runner.run();
        assert_eq!(outcomes["warn"], Step::Skipped);
        assert_eq!(code(&outcomes, "decide"), expected, "{outcomes:#?}");
        runner.job.failing.insert("upload".to_owned());
        let outcomes = runner.run();
        assert!(
            matches!(outcomes["upload"], Step::Failed(_)),
            "{outcomes:#?}"
        );
        let Step::Ran(0, said) = &outcomes["warn"] else {
            panic!("{outcomes:#?}")
        };
        assert!(said.starts_with("::warning::"), "{said}");
        assert_eq!(code(&outcomes, "decide"), expected, "{outcomes:#?}");
    }
    // A step before the verdict that fails has none to tell, and is a failure of the action itself.
    let repository = Repository::new();
    let mut runner = Runner::new(&repository, &[]);
    runner.job.failing.insert("cache".to_owned());
    let outcomes = runner.run();
    assert_eq!(outcomes["judge"], Step::Skipped, "{outcomes:#?}");
    assert_eq!(outcomes["decide"], Step::Skipped, "{outcomes:#?}");
}

#[test]
fn a_report_that_cannot_be_written_fails_the_action_and_no_older_one_is_sent() {
    let repository = refused();
    let inputs = [("comment", "true"), ("sarif", "true")];
    let mut runner = Runner::new(&repository, &inputs);
    runner.run();
    assert!(runner.report("sarif").is_file() && runner.report("markdown").is_file());
    // From now on no other format than the annotations is written.
    let binary = runner.job.temp.join("wirelock/bin/wirelock");
    let script = format!(
        "#!/bin/bash\ncase \"$*\" in *--output*) exit 2;; esac\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_wirelock")
    );
    std::fs::remove_file(&binary).expect("removed");
    std::fs::write(&binary, script).expect("written");
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).expect("set");
    let hit = "steps.cache.outputs.cache-hit".to_owned();
    runner.job.contexts.insert(hit, "true".to_owned());
    let outcomes = runner.run();
    assert_eq!(code(&outcomes, "decide"), 2, "{outcomes:#?}");
    assert_eq!(outcomes["comment"], Step::Skipped);
    assert_eq!(outcomes["upload"], Step::Skipped);
    assert!(!runner.report("sarif").exists() && !runner.report("markdown").exists());
}

#[test]
fn the_key_of_the_cache_covers_every_file_that_is_compiled_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let action = std::fs::read_to_string(root.join("action.yml")).expect("action.yml");
    let (_, rest) = action.split_once("$(find ").expect("a search");
    let (parts, _) = rest.split_once(" -type f").expect("of files");
    let parts: Vec<&str> = parts.split(' ').collect();
    let mut sources: Vec<PathBuf> = ["codegen/src", "runtime/src", "xtask/src"]
        .map(|folder| root.join(folder))
        .into();
    let mut included = 0;
    while let Some(path) = sources.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("listed");
            sources.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        // A path that climbs out of its package leads, from its last `..` on, through the root.
        let lines = text.lines().filter(|line| line.contains("include_"));
        let literals = lines.flat_map(|line| line.split('"'));
        for literal in literals.filter(|text| text.starts_with("../../")) {
            let (_, below) = literal.rsplit_once("../").expect("a way up");
            included += 1;
            let covered = parts.iter().any(|part| below.starts_with(part));
            assert!(
                covered,
                "{}: {literal} is in none of {parts:?}",
                path.display()
            );
        }
    }
    assert!(included > 0, "the examples of rules are compiled in");
}

#[test]
fn inputs_reach_the_gate_as_they_are_and_nothing_runs_them() {
    let repository = refused();
    repository.git(&["branch", "old"]);
    for (inputs, expected) in [
        (vec![("contract", "schema"), ("against", "old")], 1),
        (vec![("policy", "forward")], 0),
        (vec![("policy", "backward")], 1),
        (vec![("policy", "sideways")], 2),
        (
            vec![("contract", "$(touch pwned)\"; touch pwned; `touch pwned`")],
            2,
        ),
        (vec![("against", "--old")], 2),
        (vec![("against", "'; touch pwned #")], 2),
    ] {
        let inputs = [inputs, vec![("comment", "true")]].concat();
        let mut runner = Runner::new(&repository, &inputs);
        let outcomes = runner.run();
        assert_eq!(
            code(&outcomes, "decide"),
            expected,
            "{inputs:?}: {outcomes:#?}"
        );
        assert_eq!(
            outcomes["comment"] == Step::Skipped,
            expected == 2,
            "{inputs:?}: {outcomes:#?}"
        );
        assert!(!repository.path().join("pwned").exists(), "{inputs:?}");
    }
}

#[test]
fn every_input_is_used_and_no_script_holds_an_expression() {
    let action = yaml("action.yml");
    let mut used = BTreeSet::new();
    for step in action["runs"]["steps"].as_array().expect("steps") {
        let whole = step.to_string();
        let names = whole.split("inputs.").skip(1).map(|rest| {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
            rest[..end.unwrap_or(rest.len())].to_owned()
        });
        used.extend(names);
        if let Some(run) = step["run"].as_str() {
            assert!(!run.contains("${{"), "{run}");
        }
        if let Some(uses) = step["uses"].as_str() {
            let (_, version) = uses.split_once('@').expect("a version");
            let is_commit =
                version.len() == 40 && version.bytes().all(|byte| byte.is_ascii_hexdigit());
            let parts: Vec<&str> = version.trim_start_matches('v').split('.').collect();
            let is_release =
                parts.len() == 3 && parts.iter().all(|part| part.parse::<u32>().is_ok());
            assert!(is_commit || is_release, "{uses} can move");
        }
    }
    let inputs = action["inputs"].as_object().expect("inputs");
    let declared: BTreeSet<String> = inputs.keys().cloned().collect();
    assert_eq!(used, declared);
    for (name, input) in inputs {
        assert!(!text(&input["description"]).is_empty(), "{name}");
    }
}

#[test]
fn every_hook_runs_and_refuses_what_it_is_there_for() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hooks = hooks.as_array().expect("hooks");
    let mut ids = Vec::new();
    for hook in hooks {
        assert_eq!(hook["language"], "system");
        assert_eq!(hook["pass_filenames"], false);
        // A commit that only deletes matches no `files`, and is judged all the same.
        assert_eq!(hook["always_run"], true);
        assert!(hook["files"].is_null());
        let entry = text(&hook["entry"]);
        let words: Vec<&str> = entry.split(' ').collect();
        let ["wirelock", arguments @ ..] = words.as_slice() else {
            panic!("{entry}")
        };
        let repository = Repository::new();
        let ran = repository.run(arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        repository.edit(GOLDEN, "\"retries\":2", "\"retries\":\"2\"");
        let ran = repository.run(arguments);
        assert_eq!(ran.code, 1, "{ran:?}");
        repository.git(&["checkout", "--quiet", "."]);
        repository.git(&["rm", "--quiet", GOLDEN]);
        let ran = repository.run(arguments);
        assert_eq!(ran.code, 1, "{ran:?}");
        ids.push(text(&hook["id"]));
    }
    assert_eq!(ids, ["check-evolution", "check-goldens"]);
}

#[test]
fn the_guide_names_the_inputs_and_the_hooks_that_there_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/adopt.md");
    let guide = std::fs::read_to_string(path).expect("docs/adopt.md");
    let guide = guide.replace("\r\n", "\n");
    let blocks = guide.split("```yaml\n").skip(1);
    let blocks: Vec<Value> = blocks
        .map(|rest| {
            let (block, _) = rest.split_once("```\n").expect("an end");
            serde_saphyr::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}"))
        })
        .collect();
    let [workflow, hooks] = blocks.as_slice() else {
        panic!("{blocks:#?}")
    };
    let action = yaml("action.yml");
    let inputs = action["inputs"].as_object().expect("inputs");
    let used = &workflow["jobs"]["contract"]["steps"][1]["with"];
    for name in used.as_object().expect("inputs").keys() {
        assert!(inputs.contains_key(name), "{name}");
    }
    for name in inputs.keys() {
        assert!(guide.contains(&format!("\n| `{name}` | ")), "{name}");
    }
    let ids = |hooks: &Value| {
        let hooks = hooks.as_array().expect("hooks").iter();
        hooks.map(|hook| text(&hook["id"])).collect::<Vec<_>>()
    };
    let shown = ids(&hooks["repos"][0]["hooks"]);
    assert_eq!(shown, ids(&yaml(".pre-commit-hooks.yaml")));
}
