//! What kind of value a keyword takes, and the message where it has another.

use super::SchemaError;
use super::read::Reader;
use crate::json::{Decimal, Member, Node, Value};

impl Reader<'_> {
    pub(super) fn wrong(&self, node: &Node, name: &str, expected: &str) -> SchemaError {
        self.error(
            node.at,
            format!(
                "`{name}` takes {expected}, and this is of type {}",
                node.type_name()
            ),
        )
    }

    pub(super) fn string(&self, node: &Node, name: &str) -> Result<String, SchemaError> {
        node.as_str()
            .map(str::to_owned)
            .ok_or_else(|| self.wrong(node, name, "a string"))
    }

    pub(super) fn boolean(&self, node: &Node, name: &str) -> Result<bool, SchemaError> {
        node.as_bool()
            .ok_or_else(|| self.wrong(node, name, "a boolean"))
    }

    pub(super) fn array<'n>(&self, node: &'n Node, name: &str) -> Result<&'n [Node], SchemaError> {
        match &node.value {
            Value::Array(elements) => Ok(elements),
            _ => Err(self.wrong(node, name, "an array")),
        }
    }

    pub(super) fn object<'n>(
        &self,
        node: &'n Node,
        name: &str,
    ) -> Result<&'n [Member], SchemaError> {
        match &node.value {
            Value::Object(members) => Ok(members),
            _ => Err(self.wrong(node, name, "an object")),
        }
    }

    pub(super) fn strings(&self, node: &Node, name: &str) -> Result<Vec<String>, SchemaError> {
        self.array(node, name)?
            .iter()
            .map(|element| self.string(element, name))
            .collect()
    }

    /// Refuses a value with a number that nothing can compare with another one.
    ///
    /// The recursion is along the value, whose depth its reader bounds.
    pub(super) fn workable(&self, node: &Node) -> Result<(), SchemaError> {
        match &node.value {
            Value::Number(text) if Decimal::parse(text).is_none() => Err(self.beyond_reason(node)),
            Value::Array(elements) => elements.iter().try_for_each(|one| self.workable(one)),
            Value::Object(members) => members.iter().try_for_each(|one| self.workable(&one.node)),
            _ => Ok(()),
        }
    }

    fn beyond_reason(&self, node: &Node) -> SchemaError {
        self.error(node.at, "the number has an exponent beyond reason")
    }

    pub(super) fn decimal(&self, node: &Node, name: &str) -> Result<Decimal, SchemaError> {
        match &node.value {
            Value::Number(text) => Decimal::parse(text).ok_or_else(|| self.beyond_reason(node)),
            _ => Err(self.wrong(node, name, "a number")),
        }
    }

    pub(super) fn count(&self, node: &Node, name: &str) -> Result<u64, SchemaError> {
        let whole = self.decimal(node, name)?.to_text().parse();
        whole.map_err(|_| {
            self.error(
                node.at,
                format!("`{name}` takes a whole number from 0 to {}", u64::MAX),
            )
        })
    }
}
