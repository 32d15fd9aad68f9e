//! What a run owes its contract beside the shape of each line: order, sequence, session, capabilities.

use super::{Fault, Line};
use crate::json::{self, Decimal, Literal};
use crate::maps::IndexMap;
use crate::schema::Contract;

/// Checks the lines of one file as one run.
pub(super) fn check_run(
    contract: &Contract,
    file: &str,
    lines: &[Line<'_>],
    faults: &mut Vec<Fault>,
) {
    let mut fault = |line: u32, message: String, help: &str| {
        faults.push(Fault {
            file: file.to_owned(),
            line,
            column: None,
            message,
            help: help.to_owned(),
        });
    };
    let read: Vec<(u32, &json::Node)> = lines
        .iter()
        .filter_map(|line| Some((line.number, line.node.as_ref()?)))
        .collect();
    let Some((number, first)) = read.first().copied() else {
        return fault(
            1,
            "the file holds no run".to_owned(),
            "write a run from its first line to its terminal one",
        );
    };
    if !has_members(first, &contract.first) {
        let message = format!("a run begins with {}", members_text(&contract.first));
        fault(
            number,
            message,
            "begin the file with that line; one file holds one run",
        );
    }
    let terminals = || {
        read.iter()
            .filter(|(_, node)| has_members(node, &contract.terminal))
    };
    let last = read.last().map_or(number, |(number, _)| *number);
    match terminals().next() {
        None => {
            let message = format!(
                "the run never ends: no line is {}",
                members_text(&contract.terminal)
            );
            fault(last, message, "end the file with that line");
        }
        Some((number, _)) if *number != last => {
            fault(
                *number,
                "the terminal line is not the last one".to_owned(),
                "a run has exactly one terminal line, and nothing after it",
            );
        }
        Some(_) => {}
    }
    for (number, _) in terminals().skip(1) {
        fault(
            *number,
            "a second terminal line".to_owned(),
            "a run has exactly one; a second run takes a file of its own",
        );
    }
    if let Some(pointer) = &contract.sequence {
        let mut before: Option<Decimal> = None;
        for (number, node) in &read {
            let Some(now) = node
                .pointer(pointer)
                .and_then(|value| Literal::of(value).as_decimal())
            else {
                fault(
                    *number,
                    format!("there is no sequence number at {pointer}"),
                    "number the lines of a run from 0",
                );
                continue;
            };
            if before.as_ref().is_some_and(|before| *before >= now) {
                let message = format!("the sequence number {} does not grow", now.to_text());
                fault(
                    *number,
                    message,
                    "each line's number is larger than the one before it",
                );
            }
            before = Some(now);
        }
    }
    if let Some(pointer) = &contract.session {
        let session = first.pointer(pointer).map(Literal::of);
        for (number, node) in &read {
            if node.pointer(pointer).map(Literal::of) != session {
                fault(
                    *number,
                    format!("the value at {pointer} differs from that of the first line"),
                    "it is constant in a run",
                );
            }
        }
    }
    check_capabilities(contract, &read, &mut fault);
}

fn check_capabilities(
    contract: &Contract,
    read: &[(u32, &json::Node)],
    fault: &mut dyn FnMut(u32, String, &str),
) {
    let (Some(capabilities), Some((number, first))) = (&contract.capabilities, read.first()) else {
        return;
    };
    let list = first
        .pointer(&capabilities.at)
        .map(json::Node::elements)
        .unwrap_or_default();
    let advertised: Vec<&str> = list.iter().filter_map(json::Node::as_str).collect();
    if !advertised.contains(&contract.capability.as_str()) {
        let message = format!("the first line does not advertise {}", contract.capability);
        fault(*number, message, "list it among the capabilities");
    }
    for (number, node) in read {
        for (capability, gated) in &capabilities.gates {
            let is_gated = gated.iter().any(|members| has_members(node, members));
            if is_gated && !advertised.contains(&capability.as_str()) {
                let message =
                    format!("this line stands only where the first line advertises {capability}");
                fault(
                    *number,
                    message,
                    "advertise the capability, or leave the line out",
                );
            }
        }
    }
}

/// Whether a line has all these member values.
pub(crate) fn has_members(line: &json::Node, members: &IndexMap<String, Literal>) -> bool {
    members.iter().all(|(name, value)| {
        line.get(name)
            .is_some_and(|found| Literal::of(found) == *value)
    })
}

fn members_text(members: &IndexMap<String, Literal>) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{}:{value}", Literal::string(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}
