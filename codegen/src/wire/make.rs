//! Shorthand for JSON values that are put together here rather than read.

use crate::json::{self, Decimal, Literal, Member, Value};

pub(super) fn any_of(alternatives: Vec<json::Node>) -> json::Node {
    disjunction("anyOf", alternatives)
}

pub(super) fn one_of(alternatives: Vec<json::Node>) -> json::Node {
    disjunction("oneOf", alternatives)
}

fn disjunction(keyword: &'static str, mut alternatives: Vec<json::Node>) -> json::Node {
    match alternatives.len() {
        0 => boolean(false),
        1 => alternatives.swap_remove(0),
        _ => object(vec![(keyword, list(alternatives))]),
    }
}

pub(super) fn typed(name: &str, members: Vec<(&'static str, json::Node)>) -> json::Node {
    let mut all = vec![("type", string(name))];
    all.extend(members);
    object(all)
}

pub(super) fn object(members: Vec<(&str, json::Node)>) -> json::Node {
    wrap(Value::Object(
        members
            .into_iter()
            .map(|(name, node)| member(name, node))
            .collect(),
    ))
}

pub(super) fn member(name: &str, node: json::Node) -> Member {
    Member {
        name: name.into(),
        at: 0,
        node,
    }
}

pub(super) fn list(elements: Vec<json::Node>) -> json::Node {
    wrap(Value::Array(elements))
}

pub(super) fn string(text: &str) -> json::Node {
    wrap(Value::String(text.into()))
}

pub(super) fn boolean(value: bool) -> json::Node {
    wrap(Value::Bool(value))
}

pub(super) fn count(value: u64) -> json::Node {
    wrap(Value::Number(value.to_string().into()))
}

pub(super) fn decimal(value: &Decimal) -> json::Node {
    wrap(Value::Number(value.to_text().into()))
}

/// The text of a literal is JSON by construction.
pub(super) fn literal(value: &Literal) -> json::Node {
    json::parse(value.text()).unwrap_or_else(|_| wrap(Value::Null))
}

pub(super) fn wrap(value: Value) -> json::Node {
    json::Node { value, at: 0 }
}

pub(super) fn write(node: &json::Node) -> String {
    let mut text = String::new();
    json::write(node, &mut text);
    text
}
