//! Executes what consumers rely on: a consumer written against the base is compiled and run against the
//! types of the new revision, and the types of the base read the new goldens.
//!
//! All of it happens in a scratch package below the target folder, which is kept: where nothing changed,
//! nothing is compiled again.

mod scratch;

use crate::baseline::Revision;
use crate::engine::{self, Schema};
use anyhow::{Result, bail};
use scratch::{Diagnostic, Scratch};
use std::path::Path;
use wirelock_codegen::emit::File;
use wirelock_codegen::evolution::Change;

/// Whether consumers are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Execute {
    /// They are, where there is one.
    Yes,
    /// The one who runs the tool asked for none.
    Declined,
    /// It is no part of this judgement.
    No,
}

/// What was found.
#[derive(Default)]
pub(crate) struct Executed {
    /// What the consumer relied on and no longer is so.
    pub(crate) changes: Vec<Change>,
    /// What was done, or why nothing was.
    pub(crate) note: Option<String>,
}

/// The names of the two tests in the scratch package.
const CONSUMER: &str = "wirelock_consumer";
const BASE: &str = "wirelock_base";

/// Executes the consumer of the base.
pub(crate) fn run(
    execute: Execute,
    (base, old): (&Revision, &Schema),
    (new, schema): (&Revision, &Schema),
) -> Result<Executed> {
    let note = |text: String| {
        Ok(Executed {
            note: Some(text),
            ..Executed::default()
        })
    };
    if execute == Execute::No {
        return Ok(Executed::default());
    }
    let Some(package) = &new.package else {
        return Ok(Executed::default());
    };
    if base.capability != new.capability {
        return note(format!(
            "no consumer of {} was executed, because this change supersedes it",
            base.capability.as_deref().unwrap_or("the base")
        ));
    }
    let Some((name, consumer)) = &base.consumer else {
        return note(format!(
            "no consumer was executed: {} has none; `codegen` writes one for later changes",
            base.label
        ));
    };
    if execute == Execute::Declined {
        return note(format!(
            "{name} was neither compiled nor run, because of --no-compile"
        ));
    }
    let Some(library) = library(consumer) else {
        bail!("{name}: it does not say which library it uses; restore it, or pass --no-compile");
    };
    let Some(root) = engine::root_type(old)? else {
        return note(format!(
            "{name} was not executed, because {} has no type for a line",
            old.name()
        ));
    };
    let reader = READER
        .replace("ROOT", &root)
        .replace("VARIABLE", scratch::GOLDENS);
    let scratch = Scratch::open(package, library)?;
    let mut files = vec![
        file(&format!("tests/{CONSUMER}.rs"), consumer),
        file(&format!("tests/{BASE}/main.rs"), &reader),
    ];
    let (types, _) = engine::package(schema, schema.name())?;
    files.extend(types);
    let (types, _) = engine::package(old, old.name())?;
    files.extend(types.into_iter().filter_map(|file| {
        let below = file.path.strip_prefix("src/")?;
        // The reader has the types of the base as a module of its own.
        (below != "lib.rs").then(|| File {
            path: format!("tests/{BASE}/{below}"),
            content: file.content,
        })
    }));
    scratch.write(library, &files, &new.goldens)?;
    let built = scratch.build(&[CONSUMER, BASE])?;
    let (own, others): (Vec<_>, Vec<_>) = built
        .faults
        .iter()
        .partition(|fault| fault.target == CONSUMER);
    if let Some(fault) = others.first() {
        bail!(
            "the generated types do not compile ({}); this is a fault of the generator, please report it with the schema, and pass --no-compile until then",
            fault.message
        );
    }
    let mut executed = Executed::default();
    if !own.is_empty() {
        executed.changes.push(broken(name, consumer, &own));
    } else if let Some(told) = scratch.run(&built, CONSUMER)? {
        let message = format!("a consumer written against the base no longer runs: {told}");
        executed.changes.push(change(message, name.clone()));
    }
    if let Some(told) = scratch.run(&built, BASE)? {
        let message = format!(
            "the types of {} do not read the new goldens: {told}",
            base.label
        );
        executed.changes.push(change(message, root));
    }
    if executed.changes.is_empty() {
        let count: usize = new
            .goldens
            .iter()
            .map(|(_, text)| text.lines().count())
            .sum();
        executed.note = Some(format!(
            "executed: {name} compiles and runs against the new types, and the types of {} read all {count} golden lines",
            base.label
        ));
    }
    Ok(executed)
}

fn file(path: &str, content: &str) -> File {
    File {
        path: path.to_owned(),
        content: content.to_owned(),
    }
}

/// The library that a consumer names.
fn library(consumer: &str) -> Option<&str> {
    let named = consumer
        .lines()
        .find_map(|line| line.strip_prefix("use ::"));
    named?.strip_suffix(" as types;")
}

/// The finding that a consumer does not compile: the first error, and what others are about.
fn broken(name: &str, consumer: &str, faults: &[&Diagnostic]) -> Change {
    let subjects: Vec<String> = faults
        .iter()
        .map(|fault| subject(consumer, fault))
        .collect();
    let (first, subject) = match (faults.first(), subjects.first()) {
        (Some(first), Some(subject)) => (first, subject.clone()),
        _ => {
            return change(
                format!("the consumer {name} does not compile"),
                name.to_owned(),
            );
        }
    };
    // Paths begin with the library, which says nothing here.
    let library = format!("{}::", library(consumer).unwrap_or_default());
    let mut message = format!(
        "a consumer written against the base no longer compiles at {name}:{}: {}",
        first.line,
        first.message.replace(&library, "")
    );
    let mut others: Vec<&str> = subjects.iter().map(String::as_str).collect();
    others.sort_unstable();
    others.dedup();
    others.retain(|other| *other != subject);
    if !others.is_empty() {
        let more = others.len().saturating_sub(5);
        others.truncate(5);
        message.push_str(&format!("; also {}", others.join(", ")));
        if more > 0 {
            message.push_str(&format!(" and {more} more"));
        }
    }
    change(message, subject)
}

/// The type, and the member of it, that a place of a consumer is about: each of its functions is called
/// after a type.
fn subject(consumer: &str, fault: &Diagnostic) -> String {
    let before = consumer.lines().take(fault.line);
    let function = before.filter_map(|line| {
        let (name, _) = line
            .trim_start()
            .strip_prefix("fn ")?
            .split_once(['(', '<'])?;
        let (_, ty) = name.split_once('_')?;
        Some(ty)
    });
    let ty = function.last().unwrap_or_default();
    let line = consumer.lines().nth(fault.line.saturating_sub(1));
    let line = line.unwrap_or_default();
    if let Some((ty, _)) = line
        .trim_start()
        .strip_prefix("of::<")
        .and_then(|of| of.split_once('>'))
    {
        return ty.to_owned();
    }
    let qualified = format!("{ty}::");
    let member = ["value.", qualified.as_str()]
        .into_iter()
        .find_map(|before| {
            let (_, rest) = line.rsplit_once(before)?;
            let end = rest
                .find(|letter: char| letter != '_' && letter != '#' && !letter.is_alphanumeric());
            Some(rest[..end.unwrap_or(rest.len())].to_owned())
        });
    match member.filter(|member| !member.is_empty()) {
        Some(member) => format!("{ty}::{member}"),
        None => ty.to_owned(),
    }
}

fn change(message: String, subject: String) -> Change {
    engine::types_change(message, subject)
}

/// A test that reads goldens by the types of the base, and looks that nothing of them is lost.
const READER: &str = r#"//! Goldens of the new revision, read by the types of the base.
#![allow(warnings)]
mod wire;
use wirelock_runtime::{Encode, Json, from_slice};

#[test]
fn the_types_of_the_base_lose_nothing_of_a_golden() {
    let folder = std::env::var_os("VARIABLE").expect("the goldens");
    for file in std::fs::read_dir(&folder).expect("the goldens") {
        let path = file.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a golden");
        for (line, number) in text.lines().zip(1..) {
            let place = format!("{}:{number}", path.file_name().unwrap_or_default().display());
            let read: wire::ROOT =
                from_slice(line.as_bytes()).unwrap_or_else(|error| panic!("fault: {place}: {error}"));
            let (before, after) = (Json::from_str(line), Json::from_str(&read.to_json()));
            assert!(before == after, "fault: {place}: it is written as {}", read.to_json());
        }
    }
}
"#;

/// The folder that a revision has its types in, and the consumer there.
pub(crate) fn consumer_path(types: &str, capability: &str) -> String {
    let path = wirelock_codegen::emit::consumer_path(capability);
    Path::new(types).join(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_about_the_type_and_the_member_that_stand_there() {
        let consumer = "use ::log as types;\nfn struct_Start(value: Start) {\n    let _: u64 = value.seq;\n    let _: Option<\n        String,\n    > = value.r#type;\n}\nfn union_Line(value: Line) {\n    match value {\n        Line::Done(value) => {\nfn traits() {\n    of::<Done>();\n";
        assert_eq!(library(consumer), Some("log"));
        let at = |line| {
            subject(
                consumer,
                &Diagnostic {
                    target: String::new(),
                    message: String::new(),
                    line,
                },
            )
        };
        assert_eq!(at(2), "Start");
        assert_eq!(at(3), "Start::seq");
        assert_eq!(at(6), "Start::r#type");
        assert_eq!(at(10), "Line::Done");
        assert_eq!(at(12), "Done");
    }
}
