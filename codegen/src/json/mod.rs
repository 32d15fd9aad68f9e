//! JSON documents as written: order kept, numbers as text, a position for every value.
//!
//! Schemas, goldens and recordings are all read into the same [`Node`], because each of them is
//! reported on by line and column and each must keep what a lossy number type would drop.

mod decimal;
mod literal;
mod parse;
mod source;
mod write;

pub use decimal::Decimal;
pub use literal::Literal;
pub use parse::{ParseError, parse};
pub use source::{Position, Source};
pub use write::{write, write_string};

/// A JSON value with the byte offset of its first character.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value itself.
    pub value: Value,
    /// Byte offset of the value's first character in its source.
    pub at: u32,
}

/// The seven shapes of a JSON value; integers and other numbers are one shape here.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as the text that was written.
    Number(Box<str>),
    /// A string, unescaped.
    String(Box<str>),
    /// An array.
    Array(Vec<Node>),
    /// An object, members in the order written; names are unique.
    Object(Vec<Member>),
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The name, unescaped.
    pub name: Box<str>,
    /// Byte offset of the name's opening quote.
    pub at: u32,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The member of that name, where this is an object that has one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.members()
            .iter()
            .find(|member| &*member.name == name)
            .map(|member| &member.node)
    }

    /// The members of an object; nothing for any other value.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The elements of an array; nothing for any other value.
    #[must_use]
    pub fn elements(&self) -> &[Node] {
        match &self.value {
            Value::Array(elements) => elements,
            _ => &[],
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The name JSON Schema gives to this value's type (`number` for every number).
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    /// Whether two values are equal in JSON's sense: numbers by value, members in any order.
    #[must_use]
    pub fn is_equal(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Number(left), Value::Number(right)) => {
                left == right || {
                    let (left, right) = (Decimal::parse(left), Decimal::parse(right));
                    left.is_some() && left == right
                }
            }
            (Value::Array(left), Value::Array(right)) => {
                left.len() == right.len()
                    && left.iter().zip(right).all(|(one, two)| one.is_equal(two))
            }
            (Value::Object(left), Value::Object(right)) => members_are_equal(left, right),
            (left, right) => left == right,
        }
    }

    /// The value at a JSON Pointer (RFC 6901), `""` being the value itself.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Node> {
        let mut node = self;
        for token in pointer_tokens(pointer)? {
            node = match &node.value {
                Value::Object(_) => node.get(&token)?,
                Value::Array(elements) => elements.get(array_index(&token)?)?,
                _ => return None,
            };
        }
        Some(node)
    }
}

fn members_are_equal(left: &[Member], right: &[Member]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let in_order = left
        .iter()
        .zip(right)
        .all(|(one, two)| one.name == two.name);
    if in_order {
        return left
            .iter()
            .zip(right)
            .all(|(one, two)| one.node.is_equal(&two.node));
    }
    let by_name: crate::maps::HashMap<&str, &Node> = right
        .iter()
        .map(|member| (&*member.name, &member.node))
        .collect();
    left.iter().all(|one| {
        by_name
            .get(&*one.name)
            .is_some_and(|two| one.node.is_equal(two))
    })
}

/// Appends one reference token to a JSON Pointer, escaping `~` and `/`.
pub fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The pointer of a child, see [`push_token`].
#[must_use]
pub fn child_pointer(parent: &str, token: &str) -> String {
    let mut pointer = String::with_capacity(parent.len() + token.len() + 1);
    pointer.push_str(parent);
    push_token(&mut pointer, token);
    pointer
}

/// Splits a JSON Pointer into unescaped tokens; `None` where it is no pointer.
#[must_use]
pub fn pointer_tokens(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let rest = pointer.strip_prefix('/')?;
    Some(
        rest.split('/')
            .map(|token| token.replace("~1", "/").replace("~0", "~"))
            .collect(),
    )
}

fn array_index(token: &str) -> Option<usize> {
    // RFC 6901 has no leading zeros, so `01` is a member name and never an index.
    if token.len() > 1 && token.starts_with('0') {
        return None;
    }
    token.parse().ok()
}
