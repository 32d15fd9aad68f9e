//! The `x-contract` annotation: framing and capability are part of the contract like any member.

use super::Differ;
use crate::schema::Contract;
use crate::wire::Subject;

impl Differ<'_> {
    pub(super) fn contract(&mut self) {
        let (old, new) = (self.old, self.new);
        let subject = Subject::document().field("x-contract");
        let origin = |wire: &crate::wire::Wire| {
            wire.contract
                .as_ref()
                .map(|contract| contract.origin.clone())
        };
        let (before_at, after_at) = (origin(old), origin(new));
        let (before, after) = match (&old.contract, &new.contract) {
            (None, None) => return,
            (Some(_), None) => {
                let message = "x-contract was removed".to_owned();
                return self.claim(
                    "framing-changed",
                    &subject,
                    before_at.as_ref(),
                    None,
                    message,
                );
            }
            (None, Some(_)) => {
                let message =
                    "x-contract is new, so readers may rely on what they could not before"
                        .to_owned();
                return self.claim(
                    "framing-changed",
                    &subject,
                    None,
                    after_at.as_ref(),
                    message,
                );
            }
            (Some(before), Some(after)) => (before, after),
        };
        for (name, rule, of) in PARTS {
            let (was, is) = (of(before), of(after));
            if was != is {
                let subject = subject.field(name);
                let message = format!("{subject} was {was} and is {is}");
                self.claim(
                    rule,
                    &subject,
                    before_at.as_ref(),
                    after_at.as_ref(),
                    message,
                );
            }
        }
    }
}

/// A member of the annotation: its name, the rule of its changes, its value in a canonical spelling.
type Part = (&'static str, &'static str, fn(&Contract) -> String);

const PARTS: [Part; 11] = [
    ("capability", "capability-changed", |contract| {
        contract.capability.clone()
    }),
    ("framing", "framing-changed", |contract| {
        contract.framing.clone()
    }),
    ("first", "framing-changed", |contract| {
        members(&contract.first)
    }),
    ("terminal", "framing-changed", |contract| {
        members(&contract.terminal)
    }),
    ("sequence", "framing-changed", |contract| {
        or_none(contract.sequence.as_ref())
    }),
    ("session", "framing-changed", |contract| {
        or_none(contract.session.as_ref())
    }),
    ("timestamp", "framing-changed", |contract| {
        or_none(contract.timestamp.as_ref())
    }),
    ("finalLine", "framing-changed", |contract| {
        contract.final_line.clone()
    }),
    ("maxFrameBytes", "framing-changed", |contract| {
        contract.max_frame_bytes.to_string()
    }),
    (
        "capabilities",
        "capability-changed",
        |contract| match &contract.capabilities {
            None => or_none(None),
            Some(capabilities) => {
                let gates: Vec<String> = capabilities
                    .gates
                    .iter()
                    .map(|(name, lines)| {
                        format!(
                            "{name}: [{}]",
                            lines.iter().map(members).collect::<Vec<_>>().join(", ")
                        )
                    })
                    .collect();
                format!("{} {{{}}}", capabilities.at, gates.join(", "))
            }
        },
    ),
    ("extensionPoints", "framing-changed", |contract| {
        format!("[{}]", contract.extension_points.join(", "))
    }),
];

fn or_none(text: Option<&String>) -> String {
    text.cloned().unwrap_or_else(|| "absent".to_owned())
}

fn members(values: &crate::maps::IndexMap<String, crate::json::Literal>) -> String {
    let mut parts: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    parts.sort();
    format!("{{{}}}", parts.join(", "))
}
