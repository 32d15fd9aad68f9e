//! `rules` and `explain`: the catalogue of rules, each with an example that a fixture proves.

mod examples;

use crate::exit::Exit;
use crate::output;
use anyhow::{Result, bail};
use examples::Example;
use std::fmt::Write as _;
use wirelock_codegen::evolution::rules::{RULES, Rule};
use wirelock_codegen::report::{About, KINDS, about};

/// Lists the rules, as text or as a page.
pub(crate) fn list(markdown: bool) -> Result<Exit> {
    output::print(&if markdown { page() } else { table() })?;
    Ok(Exit::Accepted)
}

/// Explains a rule, or another kind of finding.
pub(crate) fn explain(id: &str) -> Result<Exit> {
    let Some(about) = about(id) else {
        bail!("there is no rule {id:?}; the command `rules` lists them all");
    };
    let rule = RULES.iter().find(|rule| rule.id == id);
    let level = rule.map_or("kind of finding", |rule| rule.level.as_str());
    let mut text = format!(
        "{id}: {level}\n{}\nWhy: {}\nInstead: {}\n",
        about.summary, about.why, about.instead
    );
    if let Some(example) = examples::of(id) {
        for (name, schema) in [("Before", example.old), ("After", example.new)] {
            let _ = write!(text, "\n{name}:\n\n{}", indented(schema));
        }
    }
    output::print(&text)?;
    Ok(Exit::Accepted)
}

fn table() -> String {
    let width = RULES.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for rule in RULES {
        let level = rule.level.as_str();
        let _ = writeln!(text, "{:<width$}  {level:<9}  {}", rule.id, rule.summary);
    }
    text
}

/// All rules on one page of Markdown, which is `docs/rules.md`.
fn page() -> String {
    let mut text = "<!-- Written by `cargo xtask rules --markdown`. -->\n\n# Rules of evolution\n\n\
        Every change of a contract falls under at least one of these rules, and the heaviest decides. `contract.toml`\n\
        may give a rule another level by its id. Each example is a fixture of the tests (`tests/evolution/RULE/CASE`).\n\n\
        | rule | level | change |\n|---|---|---|\n"
        .to_owned();
    for Rule {
        id, summary, level, ..
    } in RULES
    {
        let _ = writeln!(text, "| [{id}](#{id}) | {} | {summary} |", level.as_str());
    }
    for rule in RULES {
        let _ = write!(
            text,
            "\n## {}\n\nLevel: {}. {}\n\n*Why:* {}\n\n*Instead:* {}\n",
            rule.id,
            rule.level.as_str(),
            rule.summary,
            rule.why,
            rule.instead
        );
        if let Some(Example { case, old, new }) = examples::of(rule.id) {
            let (old, new) = (old.trim_end(), new.trim_end());
            let _ = write!(
                text,
                "\nBefore (`{case}`):\n\n```json\n{old}\n```\n\nAfter:\n\n```json\n{new}\n```\n"
            );
        }
    }
    text.push_str("\n# Other findings\n\nWhat a report holds beside changes of the schema.\n\n| id | what it is | why | instead |\n|---|---|---|---|\n");
    for (
        id,
        About {
            summary,
            why,
            instead,
        },
    ) in KINDS
    {
        let _ = writeln!(text, "| {id} | {summary} | {why} | {instead} |");
    }
    text
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
