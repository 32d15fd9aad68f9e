//! How messages name a place: `system/init.agent.name`, `assistant.message.content[][tool_use].input`.

use super::{NodeId, Root, Variant, Wire, plain};
use crate::json::{Literal, write_string};

/// The name of a place or of an element, built on the way down from a root.
///
/// The naming is one for the whole project: a decision record covers a finding by this text, and
/// golden coverage lists it, so both must come from the same builder.
///
/// ```
/// use wirelock_codegen::json::Literal;
/// use wirelock_codegen::wire::Subject;
/// let usage = Subject::document().field("usage").map_value();
/// assert_eq!(usage.field("cache_read").to_string(), "usage{}.cache_read");
/// assert_eq!(usage.value(&Literal::string("a b")).to_string(), "usage{}=\"a b\"");
/// assert_eq!(Subject::document().to_string(), "(root)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject(String);

impl Subject {
    /// The document's own root, which has no name of its own.
    #[must_use]
    pub fn document() -> Self {
        Self(String::new())
    }

    /// The place where reading starts: a definition goes by its name, the document by nothing.
    #[must_use]
    pub fn root(root: &Root) -> Self {
        Self(root.name.as_deref().map(name_text).unwrap_or_default())
    }

    /// A named member.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        let separator = if self.0.is_empty() { "" } else { "." };
        self.with(separator, &name_text(name))
    }

    /// Any element of an array that no tuple place takes.
    #[must_use]
    pub fn item(&self) -> Self {
        self.with("[]", "")
    }

    /// The element at a tuple place, counted from 0.
    #[must_use]
    pub fn tuple(&self, index: usize) -> Self {
        self.with("[", &format!("{index}]"))
    }

    /// The value of any member that has no name in the schema.
    #[must_use]
    pub fn map_value(&self) -> Self {
        self.with("{}", "")
    }

    /// The value of a member whose name matches a pattern.
    #[must_use]
    pub fn pattern(&self, pattern: &str) -> Self {
        self.with("{", &format!("{pattern}}}"))
    }

    /// A known value.
    #[must_use]
    pub fn value(&self, value: &Literal) -> Self {
        self.with("=", &value_text(value))
    }

    /// The place of a keyword that is neither a member nor an element, as `(contains)`.
    #[must_use]
    pub fn keyword(&self, keyword: &str) -> Self {
        self.with("(", &format!("{keyword})"))
    }

    /// An object alternative of a place.
    ///
    /// The variants of the document's root stand first in the text and need no brackets. A place
    /// with one untagged alternative adds nothing: there is nothing to tell it from.
    #[must_use]
    pub fn variant(&self, wire: &Wire, node: NodeId, index: usize) -> Self {
        self.labelled(&variant_label(wire, node, index))
    }

    /// An object alternative of a place by its label, see [`variant_label`].
    #[must_use]
    pub fn labelled(&self, label: &str) -> Self {
        match (label.is_empty(), self.0.is_empty()) {
            (true, _) => self.clone(),
            (false, true) => Self(label.to_owned()),
            (false, false) => self.with("[", &format!("{label}]")),
        }
    }

    /// The text, empty for the document's root.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn with(&self, separator: &str, rest: &str) -> Self {
        Self([self.0.as_str(), separator, rest].concat())
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if self.0.is_empty() { "(root)" } else { &self.0 })
    }
}

/// What tells one object alternative of a place from the others: its tag values, else its title,
/// else its definition, else its position (`#2`); empty where it stands alone and untagged.
#[must_use]
pub fn variant_label(wire: &Wire, node: NodeId, index: usize) -> String {
    let objects = &wire.node(node).objects;
    let Some(variant) = objects.get(index) else {
        return format!("#{}", index + 1);
    };
    if variant.tags.is_empty() && objects.len() == 1 {
        return String::new();
    }
    let name = name_of(wire, variant);
    let is_taken = |name: &String| {
        let before = objects[..index].iter();
        before
            .map(|variant| name_of(wire, variant))
            .any(|other| other.as_ref() == Some(name))
    };
    let taken = name.as_ref().is_some_and(is_taken);
    label(name, index, taken)
}

/// The labels of all object alternatives of a place: [`variant_label`] of each.
#[must_use]
pub fn variant_labels(wire: &Wire, node: NodeId) -> Vec<String> {
    let objects = &wire.node(node).objects;
    if let [only] = objects.as_slice()
        && only.tags.is_empty()
    {
        return vec![String::new()];
    }
    let mut seen = std::collections::HashSet::new();
    let one = |(index, variant)| {
        let name = name_of(wire, variant);
        let taken = name.as_ref().is_some_and(|name| !seen.insert(name.clone()));
        label(name, index, taken)
    };
    objects.iter().enumerate().map(one).collect()
}

fn name_of(wire: &Wire, variant: &Variant) -> Option<String> {
    if !variant.tags.is_empty() {
        return Some(variant.label());
    }
    let object = wire.object(variant.object);
    let title = variant.docs.title.as_ref().or(object.docs.title.as_ref());
    title.or(object.definition.as_ref()).cloned()
}

/// Two alternatives may share a tag value; the later ones are told apart by position.
fn label(name: Option<String>, index: usize, taken: bool) -> String {
    match name {
        None => format!("#{}", index + 1),
        Some(name) if taken => format!("{name}#{}", index + 1),
        Some(name) => name,
    }
}

/// A name as it stands in a subject: quoted where it could be read as something else.
fn name_text(name: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "_-$@/:".contains(character);
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let mut text = String::new();
    write_string(name, &mut text);
    text
}

/// A value as it stands in a subject: a string without quotes unless it needs them.
fn value_text(value: &Literal) -> String {
    let text = plain(value);
    let is_odd =
        |character: char| character.is_whitespace() || character.is_control() || character == '"';
    let is_string = value.type_name() == "string";
    // `1` the number and `"1"` the string are two values, so the string keeps its quotes.
    let reads_as_other = || serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
    if is_string && (text.is_empty() || text.chars().any(is_odd) || reads_as_other()) {
        return value.text().to_owned();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn each_step_is_spelled_once() {
        let subject = Subject::document()
            .field("a")
            .item()
            .tuple(0)
            .map_value()
            .pattern("^x-")
            .field("b.c");
        assert_eq!(subject.as_str(), "a[][0]{}{^x-}.\"b.c\"");
        assert_eq!(
            subject.keyword("not").as_str(),
            "a[][0]{}{^x-}.\"b.c\"(not)"
        );
    }

    #[test]
    fn values_of_different_types_are_told_apart() {
        for (value, expected) in [
            ("\"ok\"", "=ok"),
            ("1", "=1"),
            ("\"1\"", "=\"1\""),
            ("\"\"", "=\"\""),
            ("null", "=null"),
        ] {
            let literal = Literal::of(&parse(value).expect("valid"));
            assert_eq!(Subject::document().value(&literal).as_str(), expected);
        }
    }
}
