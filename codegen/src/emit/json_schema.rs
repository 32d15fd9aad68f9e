//! Writes what the types say of themselves as JSON Schema, for `schemars`.

use super::names::ident;
use super::plan::{Item, Plan};
use super::planner::Source;
use crate::json;
use crate::wire::{Definitions, Node, NodeId, Part, Wire};
use std::collections::HashMap;
use std::fmt::Write as _;

/// What an item takes, seen from the wire.
enum Takes {
    /// A whole part.
    Part(Part),
    /// A place, of which this is left.
    Rest(NodeId, Box<Node>),
    /// Whatever one of several parts takes.
    Several(Vec<Part>),
}

/// The invocation of the runtime's macro, which is nothing where its feature `schemars` is off.
///
/// The schemas are what the wire view understood, with what documents it. Each item is a definition of
/// its own, so that a type brings along what it refers to and no more.
pub(super) fn write(plan: &Plan, wire: &Wire) -> String {
    let takes: Vec<Takes> = plan.items.iter().map(|item| takes(item, wire)).collect();
    let mut names: HashMap<Part, String> = HashMap::new();
    for (item, takes) in plan.items.iter().zip(&takes) {
        if let Takes::Part(part) = takes {
            names.entry(*part).or_insert_with(|| item.name.clone());
        }
    }
    let mut definitions = Definitions::new(wire, names);
    let mut types = String::new();
    for (item, takes) in plan.items.iter().zip(&takes) {
        let name = match takes {
            Takes::Part(part) => definitions.add(*part),
            Takes::Rest(place, rest) => {
                definitions.add_rest(&item.name, *place, rest);
                item.name.clone()
            }
            Takes::Several(parts) => {
                definitions.add_union(&item.name, parts);
                item.name.clone()
            }
        };
        let _ = writeln!(types, "    {} = {name:?},", ident(&item.name));
    }
    let mut out = "\nrt::impl_json_schema! {\n".to_owned();
    for (name, schema) in definitions.all() {
        let mut text = String::new();
        json::write(&schema, &mut text);
        let _ = writeln!(out, "    {name:?}: {},", literal(&text));
    }
    let _ = write!(out, "    ;\n{types}}}\n");
    out
}

fn takes(item: &Item, wire: &Wire) -> Takes {
    let Some(source) = &item.source.0 else {
        return Takes::Several(Vec::new());
    };
    let (place, rest) = match source {
        Source::Object(object) => return Takes::Part(Part::Object(*object)),
        Source::Unknown(node, catch_alls) => {
            let variants = &wire.node(*node).objects;
            let held = catch_alls.iter().filter_map(|index| variants.get(*index));
            return Takes::Several(held.map(|variant| Part::Object(variant.object)).collect());
        }
        // `null` is for the type around the item, and other types are for what holds them all.
        Source::Node(place) => {
            let mut rest = wire.node(*place).clone();
            rest.null = false;
            (*place, rest)
        }
        Source::Union(place) => {
            let whole = wire.node(*place);
            let mut rest = whole.clone();
            (rest.null, rest.boolean, rest.number, rest.string) = (false, None, None, None);
            rest.arrays.clear();
            (*place, rest)
        }
        Source::String(place) => {
            let whole = wire.node(*place);
            let mut rest = whole.clone();
            (rest.null, rest.boolean, rest.number) = (false, None, None);
            rest.arrays.clear();
            rest.objects.clear();
            (*place, rest)
        }
    };
    match kinds(&rest) == kinds(wire.node(place)) {
        true => Takes::Part(Part::Node(place)),
        false => Takes::Rest(place, Box::new(rest)),
    }
}

/// Which types may stand at a place.
fn kinds(node: &Node) -> [bool; 6] {
    [
        node.null,
        node.boolean.is_some(),
        node.number.is_some(),
        node.string.is_some(),
        !node.arrays.is_empty(),
        !node.objects.is_empty(),
    ]
}

/// A string literal: a raw one that nothing in the text ends, except where the text holds what is not
/// seen, as marks that turn the direction of text.
fn literal(text: &str) -> String {
    let is_seen = |letter: char| "\"'\\".contains(letter) || letter.escape_debug().len() == 1;
    if !text.chars().all(is_seen) {
        return format!("{text:?}");
    }
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}
