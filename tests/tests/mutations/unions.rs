//! Operators on unions and on known values: gone, renamed, closed, or moved in the catch-all's list.

use super::Mutations;
use super::positions::{Position, Shape, resolved, shape};
use super::text::*;
use wirelock_codegen::json::Node;

/// A branch of a union that names a variant.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    /// The schema that holds the `oneOf`.
    pub(crate) union: String,
    pub(crate) index: usize,
    pub(crate) definition: String,
    /// The members that are constant in it, in the order of nesting.
    pub(crate) tags: Vec<(String, String)>,
    /// The list of values that the catch-all beside it refuses.
    pub(crate) list: String,
}

/// The branches of all unions, and the positions of the catch-alls' branches.
pub(crate) fn branches(schema: &Node, all: &[Position]) -> (Vec<Branch>, Vec<(String, usize)>) {
    let (mut known, mut open) = (Vec::new(), Vec::new());
    for position in all {
        let node = schema.pointer(&position.pointer).expect("a position");
        let Some(list) = node.get("oneOf") else {
            continue;
        };
        let definitions: Vec<String> = list
            .elements()
            .iter()
            .map(|branch| {
                let at = branch.get("$ref").and_then(Node::as_str);
                at.expect("branches are references")[1..].to_owned()
            })
            .collect();
        for (index, definition) in definitions.iter().enumerate() {
            let tags = constants(schema, definition);
            match catch_all(schema, definition) {
                Some(_) => open.push((position.pointer.clone(), index)),
                None => {
                    // The innermost tag is what the catch-all at that level lists.
                    let (name, _) = tags.last().expect("variants are tagged");
                    let listing = definitions.iter().find(|other| {
                        catch_all(schema, other).is_some_and(|open| open == *name)
                            && constants(schema, other)[..] == tags[..tags.len() - 1]
                    });
                    let listing = listing.expect("a catch-all of that level");
                    known.push(Branch {
                        union: position.pointer.clone(),
                        index,
                        definition: definition.clone(),
                        list: format!("{listing}/properties/{name}/not/enum"),
                        tags,
                    });
                }
            }
        }
    }
    (known, open)
}

fn constants(schema: &Node, definition: &str) -> Vec<(String, String)> {
    let properties = schema.pointer(&format!("{definition}/properties"));
    let members = properties.map(Node::members).unwrap_or_default();
    let constants = members.iter().filter_map(|member| {
        let value = member.node.get("const")?.as_str()?;
        Some((member.name.to_string(), value.to_owned()))
    });
    constants.collect()
}

/// The open tag of a catch-all.
fn catch_all(schema: &Node, definition: &str) -> Option<String> {
    let properties = schema.pointer(&format!("{definition}/properties"))?;
    let open = |member: &&wirelock_codegen::json::Member| member.node.get("not").is_some();
    let member = properties.members().iter().find(open)?;
    Some(member.name.to_string())
}

pub(crate) fn generate(schema: &Node, all: &[Position]) -> Mutations {
    let mut found = Mutations::default();
    let (known, open) = branches(schema, all);
    for branch in &known {
        variants(branch, &mut found);
    }
    for (union, index) in open {
        let at = format!("{union}/oneOf/{index}");
        let union = union.clone();
        found.push("drop-catch-all", &at, move |schema| {
            elements_mut(self::at(schema, &format!("{union}/oneOf"))).remove(index);
        });
    }
    for position in all {
        let node = schema.pointer(&position.pointer).expect("a position");
        let own = std::ptr::eq(resolved(schema, node), node);
        if own && shape(schema, node) == Shape::OpenEnum {
            values(node, &position.pointer, &mut found);
        }
    }
    found
}

fn remove_branch(schema: &mut Node, branch: &Branch) {
    elements_mut(at(schema, &format!("{}/oneOf", branch.union))).remove(branch.index);
}

fn remove_entry(schema: &mut Node, list: &str, value: &str) {
    elements_mut(at(schema, list)).retain(|entry| entry.as_str() != Some(value));
}

fn variants(branch: &Branch, found: &mut Mutations) {
    let place = format!("{}/oneOf/{}", branch.union, branch.index);
    let (tag, value) = branch.tags.last().expect("variants are tagged").clone();
    {
        let branch = branch.clone();
        found.push("drop-variant", &place, move |schema| {
            remove_branch(schema, &branch);
        });
    }
    {
        let (branch, value) = (branch.clone(), value.clone());
        found.push("drop-variant-and-entry", &place, move |schema| {
            remove_branch(schema, &branch);
            remove_entry(schema, &branch.list, &value);
        });
    }
    {
        let (branch, value) = (branch.clone(), value.clone());
        found.push("drop-variant-and-definition", &place, move |schema| {
            remove_branch(schema, &branch);
            remove_entry(schema, &branch.list, &value);
            take(at(schema, "/$defs"), &last(&branch.definition));
        });
    }
    let constant = format!("{}/properties/{tag}/const", branch.definition);
    {
        let (branch, value, constant) = (branch.clone(), value.clone(), constant.clone());
        found.push(
            "rename-variant",
            &branch.definition.clone(),
            move |schema| {
                *at(schema, &constant) = string("renamed_value");
                remove_entry(schema, &branch.list, &value);
                elements_mut(at(schema, &branch.list)).push(string("renamed_value"));
            },
        );
    }
    {
        let (branch, constant) = (branch.clone(), constant.clone());
        found.push(
            "rename-variant-alone",
            &branch.definition.clone(),
            move |schema| {
                *at(schema, &constant) = string("renamed_value");
            },
        );
    }
    {
        let value = value.clone();
        found.push("open-tag", &branch.definition, move |schema| {
            let pointer = parent(&constant).to_owned();
            take(at(schema, &pointer), "const");
            set(
                at(schema, &pointer),
                "enum",
                list(vec![string(&value), string("second_value")]),
            );
        });
    }
    {
        let (branch, value) = (branch.clone(), value.clone());
        found.push("drop-entry", &branch.list.clone(), move |schema| {
            remove_entry(schema, &branch.list, &value);
        });
    }
}

fn values(node: &Node, pointer: &str, found: &mut Mutations) {
    let list_at = format!("{pointer}/anyOf");
    let branches = node.get("anyOf").map(Node::elements).unwrap_or_default();
    for (index, branch) in branches.iter().enumerate() {
        let place = format!("{list_at}/{index}");
        let list_at = list_at.clone();
        if branch.get("const").is_none() {
            found.push("close-enum", &place, move |schema| {
                elements_mut(at(schema, &list_at)).remove(index);
            });
            found.edit_member("narrow", &place, "minLength", "1");
            found.edit_member("narrow", &place, "maxLength", "1000");
            found.edit_member("narrow-pattern", &place, "pattern", r#""^[a-z_0-9]+$""#);
            found.edit_member("narrow", &place, "not", r#"{"const":"zz"}"#);
            found.edit_member("format", &place, "format", r#""uri""#);
            found.edit_member("close-enum", &place, "enum", r#"["zz","yy"]"#);
            found.edit_member("nullable", &place, "type", r#"["string","null"]"#);
            found.edit_member("widen", &place, "type", r#"["string","integer"]"#);
            found.drop_member("widen", &place, "type");
            found.edit_member("retype-tail", &place, "type", r#""integer""#);
            continue;
        }
        found.push("drop-value", &place, move |schema| {
            elements_mut(at(schema, &list_at)).remove(index);
        });
        found.edit_member("rename-value", &place, "const", r#""renamed_value""#);
        found.edit_member("retype-value", &place, "const", "17");
        found.edit_member("retype-value", &place, "const", "true");
    }
    let tail = branches
        .iter()
        .position(|branch| branch.get("const").is_none());
    let tail = tail.expect("an open enum has a tail");
    let place = pointer.to_owned();
    found.push("forget-values", pointer, move |schema| {
        let list = elements_mut(at(schema, &format!("{place}/anyOf")));
        let tail = list.remove(tail);
        *list = vec![tail];
    });
}
