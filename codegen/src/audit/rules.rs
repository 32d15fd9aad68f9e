//! What the annotation of a contract asks of runs, laid out for lines that come by.

use super::scalars::{decoded, small};
use super::text::is_date_time;
use crate::json::{self, Literal, pointer_tokens};
use crate::maps::HashMap;
use crate::maps::IndexMap;
use crate::schema::Contract;
use std::borrow::Cow;
use wirelock_runtime::Reader;

/// The rules, with the members of a line that they look at.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) marks: HashMap<Box<str>, u8>,
    /// Each once, because several rules ask for the same; at most 64.
    values: Vec<Asked>,
    pub(super) first: Option<Members>,
    pub(super) terminal: Option<Members>,
    sequence: Option<Pointer>,
    session: Option<Pointer>,
    timestamp: Option<Pointer>,
    capabilities: Option<(Pointer, Literal)>,
    /// Names of gating capabilities, each with the lines that it gates; at most 64.
    pub(super) gates: Vec<(Literal, Vec<Members>)>,
    pub(super) envelope: bool,
}

/// Members that a line has to have, as indices of [`Rules::values`].
#[derive(Debug)]
pub(super) struct Members(Vec<usize>);

/// A member and a value that rules ask for.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    mark: u8,
    value: Literal,
}

/// A value of a line: a marked member, and the way on from there.
#[derive(Debug)]
struct Pointer {
    mark: u8,
    /// JSON Pointer below the member; empty for the member itself.
    below: String,
}

/// What a line says to the rules.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) first: bool,
    pub(super) terminal: bool,
    pub(super) sequence: Option<i64>,
    /// A bit for each gate that the line needs.
    pub(super) gates: u64,
}

/// What the first line of a run advertises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Advertised {
    /// The capability of the contract.
    pub(super) own: bool,
    /// A bit for each gate.
    pub(super) gates: u64,
}

/// The marked members of a line, as texts.
pub(super) struct Marked<'de>(pub(super) Vec<Option<&'de str>>);

impl Rules {
    /// The rules of an annotation; the message says what of it is beyond them.
    pub(super) fn of(contract: &Contract) -> Result<Self, &'static str> {
        if contract
            .capabilities
            .as_ref()
            .is_some_and(|capabilities| capabilities.gates.len() > 64)
        {
            return Err("more than 64 capabilities gate lines");
        }
        let mut marks = HashMap::default();
        let mut values = Vec::new();
        let mut rules = Self {
            first: members(&contract.first, &mut marks, &mut values)?,
            terminal: members(&contract.terminal, &mut marks, &mut values)?,
            sequence: pointer(contract.sequence.as_deref(), &mut marks)?,
            session: pointer(contract.session.as_deref(), &mut marks)?,
            timestamp: pointer(contract.timestamp.as_deref(), &mut marks)?,
            envelope: contract.framing == "envelope",
            ..Self::default()
        };
        if let Some(capabilities) = &contract.capabilities {
            let at = pointer(Some(&capabilities.at), &mut marks)?;
            rules.capabilities = at.map(|at| (at, Literal::string(&contract.capability)));
            for (name, lines) in &capabilities.gates {
                let mut gated = Vec::new();
                for line in lines {
                    gated.extend(members(line, &mut marks, &mut values)?);
                }
                rules.gates.push((Literal::string(name), gated));
            }
        }
        rules.marks = marks;
        rules.values = values;
        Ok(rules)
    }

    /// What a line says.
    pub(super) fn facts(&self, line: &Marked<'_>) -> Facts {
        let mut held = 0_u64;
        for (index, asked) in self.values.iter().enumerate() {
            let found = line.0[usize::from(asked.mark)];
            held |= u64::from(found.is_some_and(|found| is_value(found, &asked.value))) << index;
        }
        let mut gates = 0;
        for (index, (_, lines)) in self.gates.iter().enumerate() {
            gates |= u64::from(lines.iter().any(|members| members.hold(held))) << index;
        }
        let sequence = self.sequence.as_ref();
        let sequence = sequence.and_then(|pointer| pointer.value(line));
        Facts {
            first: self.first.as_ref().is_some_and(|first| first.hold(held)),
            terminal: self.terminal.as_ref().is_some_and(|last| last.hold(held)),
            sequence: sequence.and_then(|text| whole(&text)),
            gates,
        }
    }

    /// The session of a line, as a JSON text that is the same for the same value.
    pub(super) fn session<'de>(&self, line: &Marked<'de>) -> Option<Cow<'de, str>> {
        let text = self.session.as_ref()?.value(line)?;
        if text.contains('\\') {
            let plain = decoded(&text).ok()?;
            return Some(Cow::Owned(Literal::string(&plain).text().to_owned()));
        }
        Some(text)
    }

    /// The time of a line where it is none, and the byte of the line that it stands at.
    pub(super) fn broken_time<'de>(&self, line: &Marked<'de>) -> Option<Cow<'de, str>> {
        let text = self.timestamp.as_ref()?.value(line)?;
        let passes = text.starts_with('"') && decoded(&text).is_ok_and(|time| is_date_time(&time));
        (!passes).then_some(text)
    }

    /// The member that holds the time.
    pub(super) fn time_mark(&self) -> Option<usize> {
        let pointer = self.timestamp.as_ref();
        let own = pointer.filter(|pointer| pointer.below.is_empty());
        own.map(|pointer| usize::from(pointer.mark))
    }

    /// What a first line advertises; `None` where the contract knows no capabilities.
    pub(super) fn advertised(&self, line: &Marked<'_>) -> Option<Advertised> {
        let (pointer, own) = self.capabilities.as_ref()?;
        let list = pointer.value(line);
        let list = list.and_then(|text| json::parse(&text).ok());
        let list = list.as_ref().map(json::Node::elements).unwrap_or_default();
        let listed: Vec<Literal> = list.iter().map(Literal::of).collect();
        let mut gates = 0;
        for (index, (name, _)) in self.gates.iter().enumerate() {
            gates |= u64::from(listed.contains(name)) << index;
        }
        Some(Advertised {
            own: listed.contains(own),
            gates,
        })
    }

    /// The marked members of an item that was not read to its end.
    pub(super) fn marked<'de>(&self, text: &'de str) -> Marked<'de> {
        let mut marked = vec![None; self.marks.len()];
        let mut reader = Reader::new(text);
        let mut first = true;
        if reader.begin_object().is_ok() {
            while let Ok(Some(name)) = reader.next_key(&mut first) {
                let Ok(value) = reader.skip_value() else {
                    break;
                };
                if let Some(mark) = self.marks.get(&*name) {
                    marked[usize::from(*mark)] = Some(value);
                }
            }
        }
        Marked(marked)
    }
}

impl Members {
    /// Whether all are among those that hold, a bit each.
    fn hold(&self, held: u64) -> bool {
        self.0.iter().all(|index| held >> index & 1 == 1)
    }
}

/// Whether a text is the value; plain strings and words are compared as they stand.
fn is_value(found: &str, wanted: &Literal) -> bool {
    if found == wanted.text() {
        return true;
    }
    // Another spelling of the same value needs an escape, a fraction, an exponent, or spaces.
    let quoted = found.starts_with('"');
    let plain = quoted && memchr::memchr(b'\\', found.as_bytes()).is_none();
    let other_type = quoted != wanted.text().starts_with('"');
    !plain && !other_type && json::parse(found).is_ok_and(|node| Literal::of(&node) == *wanted)
}

impl Pointer {
    fn value<'de>(&self, line: &Marked<'de>) -> Option<Cow<'de, str>> {
        let text = line.0[usize::from(self.mark)]?;
        if self.below.is_empty() {
            return Some(Cow::Borrowed(text));
        }
        let node = json::parse(text).ok()?;
        let found = Literal::of(node.pointer(&self.below)?);
        Some(Cow::Owned(found.text().to_owned()))
    }
}

/// A whole number of 64 bits, however it is written.
fn whole(text: &str) -> Option<i64> {
    small(text).or_else(|| json::Decimal::parse(text)?.to_text().parse().ok())
}

fn mark(name: &str, marks: &mut HashMap<Box<str>, u8>) -> Result<u8, &'static str> {
    let next = u8::try_from(marks.len());
    let next = next.map_err(|_| "the annotation names more than 255 members")?;
    Ok(*marks.entry(name.into()).or_insert(next))
}

fn members(
    wanted: &IndexMap<String, Literal>,
    marks: &mut HashMap<Box<str>, u8>,
    values: &mut Vec<Asked>,
) -> Result<Option<Members>, &'static str> {
    let mut members = Vec::new();
    for (name, value) in wanted {
        let asked = Asked {
            mark: mark(name, marks)?,
            value: value.clone(),
        };
        let known = values.iter().position(|one| *one == asked);
        let index = known.unwrap_or(values.len());
        if known.is_none() {
            values.push(asked);
        }
        if index >= 64 {
            return Err("the annotation asks for more than 64 values of members");
        }
        members.push(index);
    }
    Ok((!members.is_empty()).then_some(Members(members)))
}

fn pointer(
    text: Option<&str>,
    marks: &mut HashMap<Box<str>, u8>,
) -> Result<Option<Pointer>, &'static str> {
    let Some(tokens) = text.and_then(pointer_tokens) else {
        return Ok(None);
    };
    let Some((first, rest)) = tokens.split_first() else {
        return Ok(None);
    };
    let mut below = String::new();
    for token in rest {
        json::push_token(&mut below, token);
    }
    Ok(Some(Pointer {
        mark: mark(first, marks)?,
        below,
    }))
}
