//! Which members a sampled object holds, and what stands in free-form parts.

use super::sampler::Sampler;
use super::{Style, text};
use crate::json::{self, Member, Value};
use crate::wire::make::{member, wrap};
use crate::wire::{Object, pattern};

impl Sampler<'_> {
    /// The names of the declared members that a sample holds.
    pub(super) fn chosen(
        &mut self,
        object: &Object,
        forced: Option<&str>,
        most: usize,
        depth: u32,
    ) -> Vec<String> {
        let must = |name: &String| {
            object.fields.get(name).is_some_and(|field| field.required)
                || forced == Some(name.as_str())
        };
        let mut chosen: Vec<String> = object
            .fields
            .keys()
            .filter(|name| must(name))
            .cloned()
            .collect();
        let least = usize::try_from(object.min_properties).unwrap_or(usize::MAX);
        for (name, field) in &object.fields {
            let fits = self
                .heights
                .get(field.node.0 as usize)
                .copied()
                .flatten()
                .is_some_and(|height| height <= depth);
            let wanted = match self.style() {
                Style::Minimal => chosen.len() < least,
                Style::Maximal => true,
                Style::Random => self.random.once_in(2) || chosen.len() < least,
            };
            if fits && wanted && field.declared && chosen.len() < most && !chosen.contains(name) {
                chosen.push(name.clone());
            }
        }
        chosen
    }

    /// Members by pattern and of maps, and unknown ones where they are asked for.
    pub(super) fn further_members(
        &mut self,
        object: &Object,
        members: &mut Vec<Member>,
        most: usize,
        depth: u32,
    ) {
        let least = usize::try_from(object.min_properties)
            .unwrap_or(0)
            .min(1000);
        let style = self.style();
        let free_form =
            object.fields.values().all(|field| !field.declared) && object.patterns.is_empty();
        let describes =
            !self.wire.is_never(object.rest) && (!self.wire.is_any(object.rest) || free_form);
        let wanted = match style {
            Style::Minimal => 0,
            Style::Maximal => 1,
            Style::Random => self.random.below(3),
        };
        for field in &object.patterns {
            let target = (members.len() + wanted).max(least).min(most);
            for attempt in 0..target.saturating_sub(members.len()) * 2 {
                if members.len() >= target {
                    break;
                }
                let name = text::matching(
                    &field.pattern,
                    u32::try_from(attempt).unwrap_or(0),
                    &mut self.random,
                );
                let Some(name) = name.filter(|name| is_new(object, members, name)) else {
                    continue;
                };
                // A name may match several patterns, and then all of them speak about the value.
                let several = object
                    .patterns
                    .iter()
                    .filter(|other| pattern::matches(&other.pattern, &name).unwrap_or(true))
                    .count()
                    > 1;
                if several {
                    continue;
                }
                if let Some(value) = self.value(field.node, &[], &name, depth) {
                    members.push(member(&name, value));
                }
            }
        }
        let unknown = self.options.unknown && style == Style::Random && self.random.once_in(3);
        let rest = if describes || unknown { wanted } else { 0 };
        let target = (members.len() + rest).max(least).min(most);
        for attempt in 0..target.saturating_add(8) {
            let allowed = describes || self.options.unknown || members.len() < least;
            if members.len() >= target || self.wire.is_never(object.rest) || !allowed {
                break;
            }
            let Some(name) = self
                .free_name(object, attempt)
                .filter(|name| is_new(object, members, name))
            else {
                continue;
            };
            if let Some(value) = self.value(object.rest, &[], &name, depth) {
                members.push(member(&name, value));
            }
        }
    }

    /// A name that no field and no pattern of the shape speaks about.
    pub(super) fn free_name(&mut self, object: &Object, attempt: usize) -> Option<String> {
        let hint = if attempt == 0 {
            "key".to_owned()
        } else {
            format!("key{attempt}")
        };
        let names = (0..8).filter_map(|_| match object.names {
            Some(names) => {
                let scalar = self.wire.node(names).string.clone()?;
                if scalar.known.is_empty() {
                    scalar.tails.iter().find_map(|facts| {
                        text::string(facts, &hint, Style::Minimal, &mut self.random)
                    })
                } else {
                    scalar.known[self.random.below(scalar.known.len())]
                        .value
                        .as_string()
                }
            }
            None => Some(hint.clone()),
        });
        let taken = |name: &String| {
            object.fields.contains_key(name)
                || object
                    .patterns
                    .iter()
                    .any(|field| pattern::matches(&field.pattern, name).unwrap_or(true))
        };
        let names: Vec<String> = names.collect();
        names.into_iter().find(|name| !taken(name))
    }

    /// A free-form value.
    pub(super) fn anything(&mut self, depth: u32) -> json::Node {
        let text = |text: &str| wrap(Value::String(text.into()));
        let list = |elements| wrap(Value::Array(elements));
        match self.style() {
            Style::Minimal => wrap(Value::Object(Vec::new())),
            Style::Maximal => {
                let mixed = vec![
                    wrap(Value::Number("1".into())),
                    wrap(Value::Bool(true)),
                    wrap(Value::Null),
                ];
                wrap(Value::Object(vec![
                    member("note", text("free-form")),
                    member("list", list(mixed)),
                ]))
            }
            Style::Random => {
                self.made += 1;
                match self.random.below(if depth > 2 { 10 } else { 7 }) {
                    0 => wrap(Value::Null),
                    1 => wrap(Value::Bool(self.random.once_in(2))),
                    2 => wrap(Value::Number("1.50".into())),
                    3 => wrap(Value::Number("-7".into())),
                    4 => text("free \u{e9}\u{1F600}"),
                    5 => list(Vec::new()),
                    6 => wrap(Value::Object(Vec::new())),
                    7 => list(vec![self.anything(depth - 1), self.anything(depth - 1)]),
                    _ => wrap(Value::Object(vec![
                        member("z", self.anything(depth - 1)),
                        member("a", self.anything(depth - 1)),
                    ])),
                }
            }
        }
    }
}

/// Adds what must stand beside the members that were chosen.
pub(super) fn close_over(object: &Object, chosen: &mut Vec<String>) {
    let mut next = 0;
    while let Some(name) = chosen.get(next).cloned() {
        next += 1;
        for (trigger, needs) in &object.dependent_required {
            if *trigger == name {
                for need in needs {
                    if !chosen.contains(need) {
                        chosen.push(need.clone());
                    }
                }
            }
        }
    }
}

fn is_new(object: &Object, members: &[Member], name: &str) -> bool {
    !object.fields.contains_key(name) && members.iter().all(|member| &*member.name != name)
}
