//! `rules` and `explain`: the catalogue of rules, each with an example that a fixture proves, and that of codes.

mod examples;

use crate::exit::Exit;
use crate::output;
use anyhow::{Result, bail};
use examples::Example;
use std::fmt::Write as _;
use wirelock_codegen::audit::{self, CODES};
use wirelock_codegen::evolution::rules::{RULES, Rule};
use wirelock_codegen::report::{About, KINDS, about};

/// Lists the rules, or the codes of recordings, as text or as a page.
pub(crate) fn list(codes: bool, markdown: bool) -> Result<Exit> {
    output::print(&match (codes, markdown) {
        (false, false) => table(RULES.iter().map(rule_row)),
        (false, true) => page(),
        (true, false) => table(CODES.iter().map(code_row)),
        (true, true) => page_of_codes(),
    })?;
    Ok(Exit::Accepted)
}

/// Explains a rule, another kind of finding, or a code.
pub(crate) fn explain(id: &str) -> Result<Exit> {
    let code = audit::explained(id);
    let Some(about) = about(id).or(code.map(|code| code.about)) else {
        bail!(
            "there is no rule and no code {id:?}; the commands `rules` and `rules --codes` list them all"
        );
    };
    let rule = RULES.iter().find(|rule| rule.id == id);
    let level = match (rule, code) {
        (Some(rule), _) => rule.level.as_str(),
        (None, Some(code)) => code.level,
        (None, None) => "kind of finding",
    };
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

/// A name, its level, and what it is.
type Row = (&'static str, &'static str, &'static str);

fn rule_row(rule: &Rule) -> Row {
    (rule.id, rule.level.as_str(), rule.summary)
}

fn code_row(row: &audit::Explained) -> Row {
    (row.code.as_str(), row.level, row.about.summary)
}

fn table(rows: impl Iterator<Item = Row> + Clone) -> String {
    let widest = |of: fn(&Row) -> &str| rows.clone().map(|row| of(&row).len()).max().unwrap_or(0);
    let (names, levels) = (widest(|row| row.0), widest(|row| row.1));
    let mut text = String::new();
    for (name, level, summary) in rows {
        let _ = writeln!(text, "{name:<names$}  {level:<levels$}  {summary}");
    }
    text
}

/// All codes on one page of Markdown, which is `docs/codes.md`.
fn page_of_codes() -> String {
    let mut text = "<!-- Written by `cargo xtask rules --codes --markdown`. -->\n\n# Codes of recordings\n\n\
        What [`check-stream`](audit.md) tells of a recording, and what a reader tells of a stream's end. `explain CODE` prints one of them.\n\n\
        | code | level | what it is | why | instead |\n|---|---|---|---|---|\n"
        .to_owned();
    for row in CODES {
        let About {
            summary,
            why,
            instead,
        } = row.about;
        let (code, level) = (row.code.as_str(), row.level);
        let _ = writeln!(
            text,
            "| `{code}` | {level} | {summary} | {why} | {instead} |"
        );
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
