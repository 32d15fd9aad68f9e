//! The report as SARIF 2.1.0: each entry is a result, and each rule comes with its help.

use super::entries::{Entry, Spot, Weight, about, entries};
use super::escape::uri_path;
use super::{Outcome, Report, View, summary, visible, visible_whole};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The report as one SARIF log with one run.
///
/// # Errors
/// Where `serde_json` fails to write, which this model gives it no reason for.
pub(super) fn sarif(report: &Report, _: &View) -> Result<String, serde_json::Error> {
    let entries = entries(report);
    let ids: BTreeSet<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    let index: BTreeMap<&str, usize> = ids.iter().copied().zip(0..).collect();
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "wirelock",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: ids.iter().copied().map(Rule::new).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            original_uri_base_ids: BTreeMap::from([(
                ROOT,
                BaseId {
                    description: Text {
                        text: "The root of the repository.".to_owned(),
                    },
                },
            )]),
            invocations: [Invocation {
                execution_successful: true,
                exit_code_description: summary(report),
            }],
            results: entries
                .iter()
                .map(|entry| Outcomes::new(entry, index.get(entry.id.as_str()).copied()))
                .collect(),
            properties: Properties {
                verdict: report.verdict.as_str(),
                additive: report.additive.as_str(),
                backward: report.backward.as_str(),
                forward: report.forward.as_str(),
                accepted: report.outcome() == Outcome::Accepted,
            },
        }],
    };
    Ok(format!("{}\n", serde_json::to_string_pretty(&log)?))
}

/// The name that stands for the root of the repository.
const ROOT: &str = "%SRCROOT%";

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    original_uri_base_ids: BTreeMap<&'static str, BaseId>,
    invocations: [Invocation; 1],
    results: Vec<Outcomes>,
    properties: Properties,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
struct BaseId {
    description: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code_description: String,
}

#[derive(Serialize)]
struct Properties {
    verdict: &'static str,
    additive: &'static str,
    backward: &'static str,
    forward: &'static str,
    accepted: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text,
    full_description: Text,
    help: Text,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

/// What SARIF calls a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcomes {
    rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
    kind: &'static str,
}

impl Rule {
    fn new(id: &str) -> Self {
        let about = about(id);
        let part = |part: Option<&str>| Text {
            text: part.unwrap_or(id).to_owned(),
        };
        Self {
            id: id.to_owned(),
            short_description: part(about.as_ref().map(|about| about.summary)),
            full_description: part(about.as_ref().map(|about| about.why)),
            help: part(about.as_ref().map(|about| about.instead)),
        }
    }
}

impl Outcomes {
    fn new(entry: &Entry<'_>, rule_index: Option<usize>) -> Self {
        let mut lines = vec![visible(&entry.message).into_owned()];
        let details = entry.details();
        lines.extend(details.iter().map(|line| visible_whole(line).into_owned()));
        Self {
            rule_id: entry.id.clone(),
            rule_index,
            level: match entry.weight {
                Weight::Error => "error",
                Weight::Warning => "warning",
                Weight::Note => "note",
            },
            message: Text {
                text: plain(&lines.join("\n")),
            },
            locations: entry
                .spot()
                .map(|spot| Location::new(spot, entry))
                .into_iter()
                .collect(),
            // The same change is the same result, wherever lines moved to in between.
            partial_fingerprints: BTreeMap::from([(
                "change/v1",
                format!("{}|{}", entry.id, visible_whole(&entry.subject)),
            )]),
        }
    }
}

impl Location {
    fn new(spot: &Spot, entry: &Entry<'_>) -> Self {
        let subject = visible(&entry.subject).into_owned();
        let is_path = spot.file.starts_with('/');
        Self {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation {
                    uri: match is_path {
                        true => format!("file://{}", uri_path(&spot.file)),
                        false => uri_path(&spot.file),
                    },
                    uri_base_id: (!is_path).then_some(ROOT),
                },
                region: spot.at.map(|(start_line, start_column)| Region {
                    start_line,
                    start_column,
                }),
            },
            logical_locations: match subject.is_empty() {
                true => Vec::new(),
                false => vec![LogicalLocation {
                    fully_qualified_name: subject,
                    kind: "member",
                }],
            },
        }
    }
}

/// Text in which no viewer finds a link: a message of SARIF may hold `[text](target)`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
