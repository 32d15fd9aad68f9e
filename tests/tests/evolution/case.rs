//! One fixture: how it is read, how it is checked, how its expectation is written.

use serde::Deserialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use wirelock_codegen::evolution::{self, Answers, Change, Comparison, Revision, prove};
use wirelock_codegen::json::Source;
use wirelock_codegen::report::Report;
use wirelock_codegen::schema::Document;
use wirelock_codegen::wire::{self, Origin, Wire};

/// The folder of cases that keep the wire; it is no rule.
pub(crate) const NO_CHANGE: &str = "no-change";
/// The folder of cases in which nothing is refused and something cannot be decided; it is no rule.
pub(crate) const UNDECIDED: &str = "undecided";

/// A folder with two revisions and what their comparison must say.
pub(crate) struct Case {
    /// The rule that the case is about, [`NO_CHANGE`] or [`UNDECIDED`].
    pub(crate) rule: String,
    name: String,
    folder: PathBuf,
    pub(crate) old: String,
    pub(crate) new: String,
    expected: String,
}

/// What `expected.json` says.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// The verdict in one word.
    pub(crate) verdict: String,
    /// Whether the case is about the names in the generated Rust types.
    #[serde(default)]
    pub(crate) generated: bool,
    /// Whether every document of the old revision is one of the new: yes, no or unknown. Where it
    /// is left out nothing is asked; `UPDATE_EXPECTED=1` writes it.
    #[serde(default)]
    pub(crate) backward: Option<String>,
    /// The other way round.
    #[serde(default)]
    pub(crate) forward: Option<String>,
    /// Every change, in the order of the report.
    pub(crate) changes: Vec<Finding>,
    /// Why the comparison is not there yet, where the expectation is ahead of it.
    #[serde(default)]
    pub(crate) pending: Option<String>,
    /// The places that cannot be decided.
    #[serde(default)]
    pub(crate) undecided: Vec<String>,
}

/// A change, less its message: wording may improve without touching a fixture.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finding {
    pub(crate) rule: String,
    pub(crate) subject: String,
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
}

/// Every case, sorted by folder.
pub(crate) fn all() -> Vec<Case> {
    let root = root();
    let mut cases = Vec::new();
    for rule in folders(&root) {
        for name in folders(&root.join(&rule)) {
            let folder = root.join(&rule).join(&name);
            cases.push(Case {
                old: text(&folder.join("old.schema.json")),
                new: text(&folder.join("new.schema.json")),
                expected: text(&folder.join("expected.json")),
                rule: rule.clone(),
                name,
                folder,
            });
        }
    }
    assert!(!cases.is_empty(), "no fixtures under {}", root.display());
    cases
}

/// Where the fixtures are.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("evolution")
}

/// The names of the folders in a folder, sorted.
pub(crate) fn folders(path: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a readable entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The one check that all fixtures go through.
pub(crate) fn check(case: &Case) -> Result<(), String> {
    let expected = case.expected()?;
    let (old, new) = case.wires()?;
    let comparison = compare(&expected, &old, &new);
    let updates = std::env::var_os("UPDATE_EXPECTED").is_some();
    let [backward, forward] =
        if updates || expected.backward.is_some() || expected.forward.is_some() {
            case.answers()?.map(Some)
        } else {
            [None, None]
        };
    let actual = Expected {
        verdict: verdict(&comparison),
        backward,
        forward,
        generated: expected.generated,
        pending: expected.pending.clone(),
        changes: comparison.changes.iter().map(Finding::of).collect(),
        undecided: comparison
            .undecided
            .iter()
            .map(|undecided| undecided.origin.pointer.to_string())
            .collect(),
    };
    if actual == expected {
        return Ok(());
    }
    if updates {
        let path = case.folder.join("expected.json");
        return std::fs::write(&path, render(&actual))
            .map_err(|error| format!("{}: {error}", path.display()));
    }
    let mut report = format!("{} (- expected, + found)\n", case.folder.display());
    difference(&render(&expected), &render(&actual), &mut report);
    report.push_str("what was said:\n");
    for change in &comparison.changes {
        let _ = writeln!(report, "  {}: {}", change.rule, change.message);
    }
    Err(report)
}

/// The comparison that a case is about.
pub(crate) fn compare(expected: &Expected, old: &Wire, new: &Wire) -> Comparison {
    let mut comparison = evolution::compare(old, new);
    if expected.generated {
        comparison
            .changes
            .extend(evolution::generated_api(old, new));
        // Levels stay as they are; this sorts the report again.
        comparison.apply_levels(|_| None);
    }
    comparison
}

/// The verdict as the reports spell it.
pub(crate) fn verdict(comparison: &Comparison) -> String {
    word(&comparison.verdict())
}

fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).expect("a word");
    value.as_str().expect("a word").to_owned()
}

impl Case {
    /// `rule/case`.
    pub(crate) fn id(&self) -> String {
        format!("{}/{}", self.rule, self.name)
    }

    /// The expectation, read.
    pub(crate) fn expected(&self) -> Result<Expected, String> {
        serde_json::from_str(&self.expected)
            .map_err(|error| format!("{}: expected.json: {error}", self.id()))
    }

    /// Both revisions, read as wire views.
    pub(crate) fn wires(&self) -> Result<(Wire, Wire), String> {
        Ok((self.read(&self.old)?, self.read(&self.new)?))
    }

    /// One revision, read as a wire view.
    pub(crate) fn read(&self, text: &str) -> Result<Wire, String> {
        wire::read(&self.id(), text).map_err(|error| format!("{}: {error}", self.id()))
    }

    /// The answers about sets of documents, backward and forward; a conflict is a fault.
    fn answers(&self) -> Result<[String; 2], String> {
        let answers = self.answered()?;
        if let Some(conflict) = answers.conflicts.first() {
            let document = &conflict.witness.document;
            return Err(format!("{}: {}: {document}", self.id(), conflict.message));
        }
        Ok([answers.backward.answer, answers.forward.answer].map(|answer| word(&answer)))
    }

    /// The report on the case, with all that the library puts into it.
    pub(crate) fn report(&self) -> Result<Report, String> {
        let (old, new) = self.wires()?;
        let mut report = Report::new(&compare(&self.expected()?, &old, &new));
        report.add_answers(&self.answered()?);
        Ok(report)
    }

    fn answered(&self) -> Result<Answers, String> {
        let read = |text: &str| {
            Document::read(Source::new(self.id(), text)).map_err(|error| error.to_string())
        };
        let (old, new) = (read(&self.old)?, read(&self.new)?);
        let (old_wire, new_wire) = self.wires()?;
        Ok(evolution::answer(
            Revision {
                document: &old,
                wire: &old_wire,
            },
            Revision {
                document: &new,
                wire: &new_wire,
            },
            &evolution::compare(&old_wire, &new_wire),
            prove::included,
        ))
    }

    /// Both revisions as JSON, each with its name.
    pub(crate) fn schemas(&self) -> [(&'static str, serde_json::Value); 2] {
        [("old", &self.old), ("new", &self.new)].map(|(side, text)| {
            let value = serde_json::from_str(text)
                .unwrap_or_else(|error| panic!("{}: {side}: {error}", self.id()));
            (side, value)
        })
    }
}

impl Finding {
    fn of(change: &Change) -> Self {
        let pointer =
            |origin: &Option<Origin>| origin.as_ref().map(|origin| origin.pointer.to_string());
        Self {
            rule: change.rule.to_owned(),
            subject: change.subject.clone(),
            old: pointer(&change.old),
            new: pointer(&change.new),
        }
    }
}

/// An expectation as its file spells it: one line a change, so that a difference reads line by line.
fn render(expected: &Expected) -> String {
    let quoted = |text: &String| serde_json::to_string(text).expect("a string");
    let pointer = |pointer: &Option<String>| pointer.as_ref().map_or("null".to_owned(), quoted);
    let mut text = format!("{{\n  \"verdict\": {},\n", quoted(&expected.verdict));
    for (name, answer) in [
        ("backward", &expected.backward),
        ("forward", &expected.forward),
    ] {
        if let Some(answer) = answer {
            let _ = writeln!(text, "  \"{name}\": {},", quoted(answer));
        }
    }
    if expected.generated {
        text.push_str("  \"generated\": true,\n");
    }
    if let Some(why) = &expected.pending {
        let _ = writeln!(text, "  \"pending\": {},", quoted(why));
    }
    if !expected.undecided.is_empty() {
        let places: Vec<String> = expected.undecided.iter().map(quoted).collect();
        let _ = writeln!(text, "  \"undecided\": [{}],", places.join(", "));
    }
    let changes: Vec<String> = expected
        .changes
        .iter()
        .map(|change| {
            format!(
                "    {{\"rule\": {}, \"subject\": {}, \"old\": {}, \"new\": {}}}",
                quoted(&change.rule),
                quoted(&change.subject),
                pointer(&change.old),
                pointer(&change.new)
            )
        })
        .collect();
    if changes.is_empty() {
        text.push_str("  \"changes\": []\n}\n");
    } else {
        let _ = write!(text, "  \"changes\": [\n{}\n  ]\n}}\n", changes.join(",\n"));
    }
    text
}

/// Lines that stand on one side only; where there is none, only the order is another.
fn difference(expected: &str, actual: &str, report: &mut String) {
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim_end_matches(',').to_owned())
            .collect()
    };
    let (left, right) = (lines(expected), lines(actual));
    let before = report.len();
    for (sign, from, to) in [('-', &left, &right), ('+', &right, &left)] {
        for line in from.iter().filter(|line| !to.contains(line)) {
            let _ = writeln!(report, "{sign}{line}");
        }
    }
    if report.len() == before {
        let _ = writeln!(report, "the same lines in another order:\n{actual}");
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
