//! A runner of composite actions, as small as `action.yml` needs: expressions, conditions, steps and outputs.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A job: what expressions mean, and what its steps have to work with.
pub(crate) struct Job {
    /// What stands for each context, as `inputs.contract`.
    pub(crate) contexts: BTreeMap<String, String>,
    /// The work tree.
    pub(crate) workspace: PathBuf,
    /// The folder for what a job leaves behind.
    pub(crate) temp: PathBuf,
    /// The folder whose programs come first.
    pub(crate) programs: PathBuf,
    /// The steps, by id, whose action fails.
    pub(crate) failing: BTreeSet<String>,
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Its condition did not hold.
    Skipped,
    /// Another action, with what it is given.
    Uses(String, BTreeMap<String, String>),
    /// Another action, which failed.
    Failed(String),
    /// A script: its exit code, and what it said.
    Ran(i32, String),
}

impl Job {
    /// Runs the steps of an action, after one that fails only those that always run; each by its id.
    pub(crate) fn run(&mut self, action: &Value) -> BTreeMap<String, Step> {
        let mut outcomes = BTreeMap::new();
        let mut failed = false;
        for step in action["runs"]["steps"].as_array().expect("steps") {
            let id = text(&step["id"]);
            let condition = step["if"].as_str().unwrap_or_default();
            let outcome = match failed && !condition.contains("always()") {
                true => Step::Skipped,
                false => self.step(step, &id),
            };
            let fails = match &outcome {
                Step::Ran(code, _) => *code != 0,
                Step::Failed(_) => true,
                Step::Skipped | Step::Uses(..) => false,
            };
            failed |= fails && step["continue-on-error"] != true;
            let told = match &outcome {
                Step::Skipped => "skipped",
                _ if fails => "failure",
                _ => "success",
            };
            let name = format!("steps.{id}.outcome");
            self.contexts.insert(name, told.to_owned());
            outcomes.insert(id, outcome);
        }
        outcomes
    }

    fn step(&mut self, step: &Value, id: &str) -> Step {
        if step["if"]
            .as_str()
            .is_some_and(|condition| !self.holds(condition))
        {
            return Step::Skipped;
        }
        if let Some(uses) = step["uses"].as_str() {
            if self.failing.contains(id) {
                return Step::Failed(uses.to_owned());
            }
            return Step::Uses(uses.to_owned(), self.filled(&step["with"]));
        }
        assert_eq!(
            step["shell"], "bash",
            "{id}: a composite action names the shell"
        );
        let output = self.temp.join("output");
        std::fs::write(&output, "").expect("written");
        let script = self.temp.join("script.sh");
        std::fs::write(&script, text(&step["run"])).expect("written");
        let path = std::env::var("PATH").expect("a PATH");
        let ran = Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail"])
            .arg(&script)
            .current_dir(&self.workspace)
            .env("PATH", format!("{}:{path}", self.programs.display()))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("RUNNER_TEMP", &self.temp)
            .env("GITHUB_OUTPUT", &output)
            .env("GITHUB_STEP_SUMMARY", self.temp.join("summary.md"))
            .envs(self.filled(&step["env"]))
            .output()
            .expect("bash is there");
        for line in std::fs::read_to_string(&output).expect("outputs").lines() {
            let (name, value) = line.split_once('=').expect("an output");
            let name = format!("steps.{id}.outputs.{name}");
            self.contexts.insert(name, value.to_owned());
        }
        let said = [ran.stdout, ran.stderr].concat();
        Step::Ran(
            ran.status.code().expect("an exit code"),
            String::from_utf8(said).expect("UTF-8"),
        )
    }

    /// Names with their values, in which expressions are replaced.
    fn filled(&self, members: &Value) -> BTreeMap<String, String> {
        let members = members.as_object().into_iter().flatten();
        let filled = members.map(|(name, value)| (name.clone(), self.replaced(&text(value))));
        filled.collect()
    }

    fn replaced(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${{") {
            let (expression, after) = after.split_once("}}").expect("an end");
            out.push_str(before);
            out.push_str(&self.value(expression));
            rest = after;
        }
        out + rest
    }

    /// What a context stands for.
    fn value(&self, expression: &str) -> String {
        let name = expression.trim();
        // What is not set is empty, as it is where actions run.
        self.contexts.get(name).cloned().unwrap_or_default()
    }

    fn holds(&self, condition: &str) -> bool {
        let mut parts = condition.split("&&");
        parts.all(|part| {
            if part.trim() == "always()" {
                return true;
            }
            for (sign, equal) in [("==", true), ("!=", false)] {
                if let Some((name, value)) = part.split_once(sign) {
                    let value = value.trim().trim_matches('\'');
                    return (self.value(name) == value) == equal;
                }
            }
            !self.value(part).is_empty()
        })
    }
}

/// A text of YAML.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => panic!("this is no text: {other}"),
    }
}

/// Reads a file of YAML at the root of the project.
pub(crate) fn yaml(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    let text = std::fs::read_to_string(&path).expect("a file");
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}
