//! Guard of the guard: what a change does to the settings, levels, records and goldens that judge it.

use crate::baseline::{Named, Revision};
use crate::engine;
use std::collections::BTreeSet;
use wirelock_codegen::evolution::Level;
use wirelock_codegen::report::{Guard, GuardKind, Problem, ProblemKind, Report};

/// Lists what changed among the things that decide what is refused, for a reader to see first.
///
/// A contract that begins has nothing that could be weakened.
pub(crate) fn guards(base: &Revision, new: &Revision) -> Vec<Guard> {
    if base.capability.is_none() || base.schema.is_none() {
        return Vec::new();
    }
    let mut guards = Vec::new();
    let differs = match (&base.settings, &new.settings) {
        (Some((_, before)), Some((_, now))) => unix(before) != unix(now),
        (before, now) => before.is_some() != now.is_some(),
    };
    if differs {
        guards.push(guard(
            GuardKind::SettingsChanged,
            "the settings of the contract read otherwise",
            settings(new),
        ));
    }
    for (rule, before, now) in moved_levels(base, new) {
        let message = format!(
            "the level of {rule} was {} and is {}",
            before.as_str(),
            now.as_str()
        );
        guards.push(Guard {
            line: line_of(new, rule),
            ..guard(GuardKind::LevelChanged, &message, settings(new))
        });
    }
    let records = [
        GuardKind::RecordAdded,
        GuardKind::RecordChanged,
        GuardKind::RecordRemoved,
    ];
    let goldens = [
        GuardKind::GoldenAdded,
        GuardKind::GoldenChanged,
        GuardKind::GoldenRemoved,
    ];
    let shown = |name: &str| new.shown(name);
    let (before, now) = (&base.record_files, &new.record_files);
    guards.extend(files(before, now, ("decision record", records), &shown));
    let (before, now) = (&base.goldens, &new.goldens);
    guards.extend(files(before, now, ("golden", goldens), &shown));
    guards
}

/// Adds a problem for each rule whose level a change lowers while it has a finding of that rule: what
/// allows a change and the change itself are for two reviews.
pub(crate) fn refuse_lowered(report: &mut Report, base: &Revision, new: &Revision) {
    for (rule, before, now) in moved_levels(base, new) {
        let is_used = report.changes.iter().any(|change| change.rule == rule);
        if now >= before || !is_used {
            continue;
        }
        report.problems.push(Problem {
            kind: ProblemKind::LevelLowered,
            message: format!(
                "the level of {rule} was {} and is {}, in the change that needs it lowered; lower it in a change of its own, which says why, before this one",
                before.as_str(),
                now.as_str()
            ),
            file: settings(new),
            line: line_of(new, rule),
            column: None,
        });
    }
}

/// The rules whose level is another, with what it was and what it is.
fn moved_levels<'r>(base: &'r Revision, new: &'r Revision) -> Vec<(&'r str, Level, Level)> {
    let rules: BTreeSet<&str> = base
        .levels
        .keys()
        .chain(new.levels.keys())
        .map(String::as_str)
        .collect();
    let moved = rules.into_iter().filter_map(|rule| {
        let usual = engine::known_rule(rule).ok()?.level;
        let before = base.levels.get(rule).copied().unwrap_or(usual);
        let now = new.levels.get(rule).copied().unwrap_or(usual);
        (before != now).then_some((rule, before, now))
    });
    moved.collect()
}

/// What was added, what reads otherwise and what is gone, by name.
fn files(
    before: &[Named],
    now: &[Named],
    (noun, [added, changed, removed]): (&str, [GuardKind; 3]),
    shown: &dyn Fn(&str) -> String,
) -> Vec<Guard> {
    let find = |files: &[Named], name: &str| {
        let mut files = files.iter();
        files
            .find(|(other, _)| other == name)
            .map(|(_, text)| unix(text))
    };
    let mut guards = Vec::new();
    for (name, text) in now {
        match find(before, name) {
            None => guards.push(guard(added, &format!("a {noun} is new"), shown(name))),
            Some(was) if was != unix(text) => {
                guards.push(guard(
                    changed,
                    &format!("a {noun} reads otherwise"),
                    shown(name),
                ));
            }
            Some(_) => {}
        }
    }
    for (name, _) in before {
        if find(now, name).is_none() {
            guards.push(guard(removed, &format!("a {noun} is gone"), shown(name)));
        }
    }
    guards
}

fn guard(kind: GuardKind, message: &str, file: String) -> Guard {
    Guard {
        kind,
        message: message.to_owned(),
        file,
        line: None,
    }
}

/// How messages name the settings of a revision.
fn settings(revision: &Revision) -> String {
    let named = revision.settings.as_ref();
    named.map_or_else(|| revision.shown("contract.toml"), |(name, _)| name.clone())
}

/// The line of the settings that sets the level of a rule; nothing where it is left to the catalogue.
fn line_of(revision: &Revision, rule: &str) -> Option<u32> {
    let (_, text) = revision.settings.as_ref()?;
    let sets = |line: &str| {
        let (key, _) = line.split_once('=')?;
        let key = key.trim().trim_matches(['"', '\'']);
        (key == rule || key.strip_prefix("levels.") == Some(rule)).then_some(())
    };
    let at = text.lines().position(|line| sets(line).is_some())?;
    u32::try_from(at + 1).ok()
}

/// A checkout may have turned line ends into those of its system.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}
