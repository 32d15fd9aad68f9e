//! What tells the alternatives of a union apart: their tag members, and the annotation that names them.

use super::Differ;
use super::unions::Union;
use crate::json::{Literal, Node as Json, parse};
use crate::wire::{ObjectId, Says, Subject, Wire, tag_says};

impl Differ<'_> {
    /// The old union's first tag must still tell the new one's alternatives.
    pub(super) fn discriminator(&mut self, union: &Union<'_>, subject: &Subject) {
        let (old, new) = (union.old.2, union.new.2);
        let Some(tag) = old.tags.first() else { return };
        let told = new
            .objects
            .iter()
            .any(|variant| matches!(tag_says(self.new, variant.object, tag), Says::Values(_)));
        if !told && new.union {
            let now = if new.tags.is_empty() {
                "nothing".to_owned()
            } else {
                new.tags.join(" and ")
            };
            let message =
                format!("the variants of {subject} were told apart by {tag}, and now by {now}");
            self.claim(
                "discriminator-changed",
                subject,
                old.origins.first(),
                new.origins.first(),
                message,
            );
        }
    }

    /// Whether the `discriminator` annotation says what it said: the same member, and each tag
    /// value that was mapped leads to what has that value. A mapping grows with its union; an
    /// entry says nothing where the target's own tag says the same.
    pub(super) fn same_discriminator(&self, old: Option<&Literal>, new: Option<&Literal>) -> bool {
        if old == new {
            return true;
        }
        let (Some(old), Some(new)) = (old, new) else {
            return false;
        };
        let (Ok(before), Ok(after)) = (parse(old.text()), parse(new.text())) else {
            return false;
        };
        let (name, same) = (tag_name(&before), tag_name(&before) == tag_name(&after));
        let (Some(tag), true) = (name, same) else {
            return false;
        };
        let others = |node: &Json| -> Vec<(String, Literal)> {
            let members = node.members().iter();
            members
                .filter(|member| &*member.name != "mapping")
                .map(|member| (member.name.to_string(), Literal::of(&member.node)))
                .collect()
        };
        let (was, is) = (mapping(&before), mapping(&after));
        let told = |wire: &Wire, value: &str, target: &str| says_so(wire, tag, value, target);
        others(&before) == others(&after)
            && was.iter().all(|(value, target)| {
                is.iter().any(|(other, now)| {
                    value == other
                        && (target == now
                            || told(self.old, value, target) && told(self.new, value, now))
                })
            })
            && is.iter().all(|(value, target)| {
                was.iter().any(|(other, _)| value == other) || told(self.new, value, target)
            })
    }
}

fn tag_name(node: &Json) -> Option<&str> {
    member(node, "propertyName").and_then(Json::as_str)
}

fn member<'n>(node: &'n Json, name: &str) -> Option<&'n Json> {
    let mut members = node.members().iter();
    members
        .find(|member| *member.name == *name)
        .map(|member| &member.node)
}

fn mapping(node: &Json) -> Vec<(String, String)> {
    let entries = member(node, "mapping").map_or(&[][..], |mapping| mapping.members());
    entries
        .iter()
        .filter_map(|entry| Some((entry.name.to_string(), entry.node.as_str()?.to_owned())))
        .collect()
}

/// Whether the definition that a mapping leads to requires that very tag value itself.
fn says_so(wire: &Wire, tag: &str, value: &str, target: &str) -> bool {
    let definition = target.rsplit('/').next();
    (0..wire.objects.len())
        .filter_map(|index| u32::try_from(index).ok().map(ObjectId))
        .filter(|id| wire.object(*id).definition.as_deref() == definition)
        .any(|id| matches!(tag_says(wire, id, tag), Says::Values(values) if values == [Literal::string(value)]))
}
