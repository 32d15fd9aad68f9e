//! Goldens only grow: every line of the base still stands, in order, with the same meaning.

use super::place::unset;
use super::{Fault, Line, read_lines};
use crate::json::Literal;
use crate::schema::Contract;

/// Compares the goldens of the base with those of the work tree.
///
/// Lines may be added anywhere, and renumbered or dated anew: the members that `x-contract` names
/// as sequence and timestamp are not compared. Whether the lines are still valid is for
/// [`check_goldens`](super::check_goldens) to say, which reads the same new files.
#[must_use]
pub fn check_append_only(
    contract: Option<&Contract>,
    old_files: &[(&str, &str)],
    new_files: &[(&str, &str)],
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (name, old_text) in old_files {
        let Some((_, new_text)) = new_files.iter().find(|(new, _)| new == name) else {
            faults.push(Fault {
                file: (*name).to_owned(),
                line: 1,
                column: None,
                message: "this golden stood at the base and is gone".to_owned(),
                help: "restore the file under its name; goldens are only added to".to_owned(),
            });
            continue;
        };
        compare(contract, name, old_text, new_text, &mut faults);
    }
    faults
}

fn compare(
    contract: Option<&Contract>,
    name: &str,
    old_text: &str,
    new_text: &str,
    faults: &mut Vec<Fault>,
) {
    let meaning = |lines: Vec<Line<'_>>| -> Vec<(u32, Literal)> {
        lines
            .iter()
            .map(|line| (line.number, compared(contract, line)))
            .collect()
    };
    let new = meaning(read_lines(new_text));
    let mut next = 0;
    for (number, old) in meaning(read_lines(old_text)) {
        if let Some(found) = new[next..].iter().position(|(_, line)| *line == old) {
            next += found + 1;
            continue;
        }
        let moved = new[..next].iter().any(|(_, line)| *line == old);
        let what = if moved {
            "stands before lines that it followed"
        } else {
            "is gone or changed"
        };
        // The line that took its place is where a reader looks, so that one is named where there is one.
        let line = new.get(next).map_or(number, |(number, _)| *number);
        faults.push(Fault {
            file: name.to_owned(),
            line,
            column: None,
            message: format!(
                "line {number} of the base {what}: {}",
                super::validators::shortened(old.text())
            ),
            help: "goldens are only added to; write the new sample as a line or file of its own"
                .to_owned(),
        });
    }
}

/// What of a line is compared.
pub(super) fn compared(contract: Option<&Contract>, line: &Line<'_>) -> Literal {
    let Some(node) = &line.node else {
        return Literal::string(line.text);
    };
    let mut node = node.clone();
    for pointer in contract
        .into_iter()
        .flat_map(|contract| [&contract.sequence, &contract.timestamp])
        .flatten()
    {
        unset(&mut node, pointer);
    }
    Literal::of(&node)
}
