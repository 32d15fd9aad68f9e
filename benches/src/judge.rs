//! `judge`: the whole judgement of a pair of schemas, beside the prover alone and two peers.

use crate::table::Table;
use crate::{checkers, contract, grown, large, small};
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};

pub(crate) const HELP: &str =
    "judge [--part small|acp|vega|growth|contract]... [--format json|human] [--limit SECONDS]
judge --once CHECKER [--pair OLD NEW]
    judges each change of the contract once, or one pair of files once, for instruction counters";

/// Runs the parts that were asked for, all of them otherwise.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let mut parts: Vec<&str> = Vec::new();
    let (mut as_json, mut limit) = (false, 120);
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        let mut value = || rest.next().with_context(|| format!("{word} needs a value"));
        match word {
            "--part" => parts.push(value()?),
            "--limit" => limit = value()?.parse()?,
            "--format" => {
                as_json = match value()? {
                    "json" => true,
                    "human" => false,
                    other => bail!("{other} is no format\n\n{HELP}"),
                }
            }
            "--once" => return once(value()?, &rest.collect::<Vec<_>>()),
            _ => bail!("{word} is not known\n\n{HELP}"),
        }
    }
    let all = ["small", "acp", "vega", "growth", "contract"];
    if let Some(part) = parts.iter().find(|part| !all.contains(*part)) {
        bail!("{part} is no part\n\n{HELP}");
    }
    let wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    let mut table = Table::default();
    if wanted("small") {
        small::measure(&mut table)?;
    }
    if wanted("acp") {
        large::protocols(&mut table, limit)?;
    }
    if wanted("vega") {
        large::charts(&mut table, limit)?;
    }
    if wanted("growth") {
        grown::measure(&mut table)?;
    }
    if wanted("contract") {
        contract::measure(&mut table)?;
    }
    table.write(as_json)
}

fn once(checker: &str, rest: &[&str]) -> Result<()> {
    let judge = checkers::named(checker)?;
    match rest {
        [] => contract::once(judge),
        ["--pair", old, new] => {
            let text = |path: &str| std::fs::read_to_string(path).context(path.to_owned());
            std::hint::black_box(judge(&text(old)?, &text(new)?)?);
            Ok(())
        }
        _ => bail!("{HELP}"),
    }
}

/// The folder of third-party data that stands beside the repository on some machines only.
pub(crate) fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")
}
