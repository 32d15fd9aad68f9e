//! Edits of a schema as JSON text: order is kept, so that an edit changes one thing and nothing else.

use wirelock_codegen::json::{self, Member, Node, Value, pointer_tokens};

/// Parses JSON that a test wrote down or took from the repository.
pub(crate) fn parse(text: &str) -> Node {
    json::parse(text).expect("the text is JSON")
}

pub(crate) fn write(node: &Node) -> String {
    let mut text = String::new();
    json::write(node, &mut text);
    text
}

pub(crate) fn string(text: &str) -> Node {
    wrap(Value::String(text.into()))
}

pub(crate) fn wrap(value: Value) -> Node {
    Node { value, at: 0 }
}

pub(crate) fn object(members: Vec<(&str, Node)>) -> Node {
    let members = members.into_iter().map(|(name, node)| member(name, node));
    wrap(Value::Object(members.collect()))
}

pub(crate) fn list(elements: Vec<Node>) -> Node {
    wrap(Value::Array(elements))
}

pub(crate) fn member(name: &str, node: Node) -> Member {
    Member {
        name: name.into(),
        at: 0,
        node,
    }
}

/// The value at a pointer, to be changed in place.
pub(crate) fn at<'a>(node: &'a mut Node, pointer: &str) -> &'a mut Node {
    let mut node = node;
    for token in pointer_tokens(pointer).expect("a pointer") {
        node = match &mut node.value {
            Value::Object(members) => {
                let found = members.iter_mut().find(|member| *member.name == *token);
                &mut found.expect("the member stands there").node
            }
            Value::Array(elements) => &mut elements[token.parse::<usize>().expect("an index")],
            _ => panic!("{pointer} leads into a scalar"),
        };
    }
    node
}

pub(crate) fn members_mut(node: &mut Node) -> &mut Vec<Member> {
    match &mut node.value {
        Value::Object(members) => members,
        other => panic!("no object: {other:?}"),
    }
}

pub(crate) fn elements_mut(node: &mut Node) -> &mut Vec<Node> {
    match &mut node.value {
        Value::Array(elements) => elements,
        other => panic!("no array: {other:?}"),
    }
}

/// Sets a member where it stands, or adds it at the end.
pub(crate) fn set(node: &mut Node, name: &str, value: Node) {
    let members = members_mut(node);
    match members.iter_mut().find(|member| *member.name == *name) {
        Some(found) => found.node = value,
        None => members.push(member(name, value)),
    }
}

/// Takes a member away and hands it back.
pub(crate) fn take(node: &mut Node, name: &str) -> Option<Node> {
    let members = members_mut(node);
    let index = members.iter().position(|member| *member.name == *name)?;
    Some(members.remove(index).node)
}

pub(crate) fn rename(node: &mut Node, from: &str, to: &str) {
    let mut members = members_mut(node).iter_mut();
    let found = members.find(|member| *member.name == *from);
    found.expect("the member stands there").name = to.into();
}

/// Whether a list of strings holds one.
pub(crate) fn lists(list: Option<&Node>, text: &str) -> bool {
    list.is_some_and(|list| {
        list.elements()
            .iter()
            .any(|element| element.as_str() == Some(text))
    })
}

/// Takes a string out of the list at a member, where it stands there; an empty list goes with it.
pub(crate) fn unlist(node: &mut Node, name: &str, text: &str) {
    let Some(index) = node.get(name).and_then(|list| {
        let mut elements = list.elements().iter();
        elements.position(|element| element.as_str() == Some(text))
    }) else {
        return;
    };
    let list = elements_mut(at(node, &format!("/{name}")));
    list.remove(index);
    if list.is_empty() {
        take(node, name);
    }
}

/// Puts a string at the end of the list at a member, which is made where there is none.
pub(crate) fn enlist(node: &mut Node, name: &str, text: &str) {
    if node.get(name).is_none() {
        set(node, name, list(Vec::new()));
    }
    elements_mut(at(node, &format!("/{name}"))).push(string(text));
}

/// The pointer without its last token.
pub(crate) fn parent(pointer: &str) -> &str {
    pointer.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The last token of a pointer, unescaped.
pub(crate) fn last(pointer: &str) -> String {
    pointer_tokens(pointer)
        .and_then(|mut tokens| tokens.pop())
        .unwrap_or_default()
}
