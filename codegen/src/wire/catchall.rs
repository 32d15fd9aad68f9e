//! Checks the conventions of a contract: catch-alls fit the known variants, everything is documented.

use super::{Kind, Node, NodeId, Origin, Subject, Variant, Wire, elements, places, told_apart};
use crate::json::Literal;
use crate::maps::{IndexMap, IndexSet};

/// A place where a schema breaks the contract's conventions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// The declaration.
    pub origin: Origin,
    /// The place or definition concerned.
    pub subject: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

pub(super) fn fault_of(origin: &Origin, subject: &str, message: String, help: &str) -> SchemaFault {
    SchemaFault {
        origin: origin.clone(),
        subject: subject.to_owned(),
        message,
        help: help.to_owned(),
    }
}

/// All faults of a schema: unions first, then the annotation, definitions, and what lacks a description.
#[must_use]
pub fn check_schema(wire: &Wire) -> Vec<SchemaFault> {
    let mut faults = Vec::new();
    for undecided in &wire.undecided {
        faults.push(SchemaFault {
            origin: undecided.origin.clone(),
            subject: undecided.origin.pointer.to_string(),
            message: format!("`{}` cannot be read with certainty: {}", undecided.keyword, undecided.why),
            help: "say it in terms that every JSON Schema 2020-12 validator decides alike, in this one document".to_owned(),
        });
    }
    faults.extend(check_unions(wire));
    super::annotation::check(wire, &mut faults);
    check_titles(wire, &mut faults);
    check_descriptions(wire, &mut faults);
    faults
}

/// The faults of a schema's unions alone: what has to fit before two revisions are compared.
///
/// Documentation is a matter of taste to a comparison; a catch-all that overlaps a known variant is not.
#[must_use]
pub fn check_unions(wire: &Wire) -> Vec<SchemaFault> {
    let mut faults = Vec::new();
    for origin in &wire.unsatisfiable {
        faults.push(SchemaFault {
            origin: origin.clone(),
            subject: origin.pointer.to_string(),
            message: "no document satisfies this branch".to_owned(),
            help: "mend what it contradicts, or remove it".to_owned(),
        });
    }
    for (id, subject) in places(wire) {
        check_union(wire, id, &subject, &mut faults);
    }
    faults
}

fn check_union(wire: &Wire, id: NodeId, subject: &Subject, faults: &mut Vec<SchemaFault>) {
    let node = wire.node(id);
    if !node.union || node.tags.is_empty() {
        return;
    }
    let mut fault = |variant: &Variant, message: String, help: String| {
        faults.push(SchemaFault {
            origin: variant.origin.clone(),
            subject: subject.to_string(),
            message,
            help,
        });
    };
    for variant in &node.objects {
        for tag in &variant.tags {
            let field = wire.object(variant.object).fields.get(&tag.name);
            if !field.is_some_and(|field| field.required) {
                let message = format!(
                    "the variant `{}` does not require its tag `{}`",
                    variant.label(),
                    tag.name
                );
                fault(
                    variant,
                    message,
                    format!("add {:?} to its `required`", tag.name),
                );
            }
        }
    }
    if !told_apart(node) {
        let mut labels = IndexSet::default();
        for variant in node
            .objects
            .iter()
            .filter(|variant| !variant.is_catch_all())
        {
            if !labels.insert(variant.label()) {
                let message = format!("two variants carry the tag `{}`", variant.label());
                fault(
                    variant,
                    message,
                    "give each variant a tag value of its own".to_owned(),
                );
            }
        }
    }
    check_catch_alls(wire, node, &mut fault);
}

/// Each catch-all stands at one level of tags, below the values of the tags outside it.
fn check_catch_alls(wire: &Wire, node: &Node, fault: &mut dyn FnMut(&Variant, String, String)) {
    let mut levels = IndexSet::default();
    for variant in node.objects.iter().filter(|variant| variant.is_catch_all()) {
        let Some(open) = variant.tags.iter().position(|tag| tag.values.is_empty()) else {
            continue;
        };
        let (outer, tag) = (&variant.tags[..open], &variant.tags[open].name);
        let level: (Vec<(&String, &Vec<Literal>)>, &String) = (
            outer.iter().map(|tag| (&tag.name, &tag.values)).collect(),
            tag,
        );
        if !levels.insert(level) {
            let message = format!("a second catch-all takes unknown values of `{tag}`");
            fault(variant, message, "keep one of the two".to_owned());
            continue;
        }
        let known = known_at(node, outer, tag);
        let Some(field) = wire.object(variant.object).fields.get(tag) else {
            continue;
        };
        let place = wire.node(field.node);
        let pointer = field
            .origins
            .first()
            .map_or(&*variant.origin.pointer, |origin| &origin.pointer);
        let text = |values: &IndexSet<Literal>| {
            values
                .iter()
                .map(Literal::text)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let strings_only = place.string.is_some()
            && place.number.is_none()
            && place.boolean.is_none()
            && !place.null
            && place.arrays.is_empty()
            && place.objects.is_empty();
        let Some(scalar) = place.string.as_ref().filter(|_| strings_only) else {
            let message = format!("the catch-all's tag `{tag}` takes more than strings");
            fault(
                variant,
                message,
                format!("add \"type\": \"string\" at {pointer}"),
            );
            continue;
        };
        let [tail] = scalar.tails.as_slice() else {
            let message = format!("the catch-all's tag `{tag}` is no single open string");
            fault(
                variant,
                message,
                format!(
                    "write {{\"type\": \"string\", \"not\": {{\"enum\": [{}]}}}} at {pointer}",
                    text(&known)
                ),
            );
            continue;
        };
        let listed: IndexSet<Literal> = tail.excluded.iter().cloned().collect();
        for missing in known.difference(&listed) {
            let message = format!(
                "the catch-all also takes the known `{tag}` {}",
                missing.text()
            );
            fault(
                variant,
                message,
                format!("add {} to the list at {pointer}/not/enum", missing.text()),
            );
        }
        for extra in listed.difference(&known) {
            let message = format!(
                "the catch-all refuses {}, which no variant carries as its `{tag}`",
                extra.text()
            );
            fault(
                variant,
                message,
                format!(
                    "remove {} from the list at {pointer}/not/enum, or add the variant",
                    extra.text()
                ),
            );
        }
    }
}

/// The values of a tag that variants below the same outer tags carry.
fn known_at(node: &Node, outer: &[super::Tag], tag: &str) -> IndexSet<Literal> {
    let below = node.objects.iter().filter(|variant| {
        outer.iter().all(|outer| {
            let own = variant.tags.iter().find(|tag| tag.name == outer.name);
            own.is_some_and(|own| own.values.iter().any(|value| outer.values.contains(value)))
        })
    });
    let tags = below.flat_map(|variant| variant.tags.iter().filter(|own| own.name == tag));
    tags.flat_map(|tag| tag.values.iter().cloned()).collect()
}

fn check_titles(wire: &Wire, faults: &mut Vec<SchemaFault>) {
    let mut titles: IndexMap<&str, &str> = IndexMap::default();
    for super::Definition {
        name,
        title,
        origin,
    } in &wire.definitions
    {
        let mut fault = |message: String, help: &str| {
            faults.push(SchemaFault {
                origin: origin.clone(),
                subject: name.clone(),
                message,
                help: help.to_owned(),
            });
        };
        let Some(title) = title.as_deref() else {
            fault(
                format!("the definition `{name}` has no `title`"),
                "add one: names of generated types come from it",
            );
            continue;
        };
        if let Some(other) = titles.insert(title, name) {
            let message =
                format!("the definitions `{other}` and `{name}` share the title {title:?}");
            fault(message, "give each definition a title of its own");
        }
    }
}

fn check_descriptions(wire: &Wire, faults: &mut Vec<SchemaFault>) {
    for element in elements(wire) {
        if element
            .description
            .as_ref()
            .is_some_and(|text| !text.trim().is_empty())
        {
            continue;
        }
        let (what, help) = match element.kind {
            Kind::Field => (
                "field",
                "say in `description` what the member means and when it is absent",
            ),
            Kind::Variant => (
                "variant",
                "say in `description` what the variant stands for",
            ),
            Kind::Value => (
                "known value",
                "write the enum as `anyOf` of {\"const\": .., \"description\": ..} branches",
            ),
        };
        faults.push(SchemaFault {
            message: format!("the {what} `{}` has no description", element.subject),
            subject: element.subject.to_string(),
            origin: element.origin,
            help: help.to_owned(),
        });
    }
}
