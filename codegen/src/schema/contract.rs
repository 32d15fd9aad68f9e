//! The root annotation `x-contract`: what JSON Schema itself cannot say about a stream.

use super::SchemaError;
use crate::json::{Literal, Member, Node, Source, Value};
use crate::maps::IndexMap;
use crate::wire::Origin;

/// The `x-contract` annotation of a stream contract.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {
    /// The capability whose rule of growth holds, as `stream_v1`.
    pub capability: String,
    /// `item` or `envelope`.
    pub framing: String,
    /// Member values of the first line of a run.
    pub first: IndexMap<String, Literal>,
    /// Member values of the line that ends a run.
    pub terminal: IndexMap<String, Literal>,
    /// JSON Pointer of the strictly increasing sequence number.
    pub sequence: Option<String>,
    /// JSON Pointer of the identifier that is constant in a run.
    pub session: Option<String>,
    /// JSON Pointer of the time of a line.
    pub timestamp: Option<String>,
    /// `allow` or `require-newline`.
    pub final_line: String,
    /// The largest frame, in bytes without the line end.
    pub max_frame_bytes: u64,
    /// Where the first line advertises capabilities, and which lines each of them gates.
    pub capabilities: Option<Capabilities>,
    /// Names of the members that are the homes of provider detail.
    pub extension_points: Vec<String>,
    /// Where the annotation stands.
    pub origin: Origin,
}

/// Capabilities that a run advertises in its first line.
#[derive(Debug, Clone, PartialEq)]
pub struct Capabilities {
    /// JSON Pointer, in the first line, of the array of advertised capabilities.
    pub at: String,
    /// For each gating capability, the lines (as member values) that stand only where it is advertised.
    pub gates: IndexMap<String, Vec<IndexMap<String, Literal>>>,
}

/// The members of the annotation. docs/contract.md describes each of them, and an error lists them.
const MEMBERS: &[&str] = &[
    "capability",
    "framing",
    "first",
    "terminal",
    "sequence",
    "session",
    "timestamp",
    "finalLine",
    "maxFrameBytes",
    "capabilities",
    "extensionPoints",
];

/// The members of `capabilities` in the annotation.
const CAPABILITIES: &[&str] = &["at", "gates"];

/// Reads the annotation; what it does not know it refuses, because a misspelt word here would
/// silently switch a check off.
pub(super) fn read(source: &Source, node: &Node) -> Result<Contract, SchemaError> {
    let reader = AnnotationReader { source };
    let mut contract = Contract {
        capability: String::new(),
        framing: "item".to_owned(),
        first: IndexMap::default(),
        terminal: IndexMap::default(),
        sequence: None,
        session: None,
        timestamp: None,
        final_line: "allow".to_owned(),
        max_frame_bytes: 16 << 20,
        capabilities: None,
        extension_points: Vec::new(),
        origin: Origin {
            pointer: "/x-contract".into(),
            position: source.position(node.at),
        },
    };
    for member in reader.members(node, "x-contract")? {
        let value = &member.node;
        match &*member.name {
            "capability" => contract.capability = reader.string(value)?,
            "framing" => contract.framing = reader.one_of(value, &["item", "envelope"])?,
            "first" => contract.first = reader.literals(value)?,
            "terminal" => contract.terminal = reader.literals(value)?,
            "sequence" => contract.sequence = Some(reader.pointer(value)?),
            "session" => contract.session = Some(reader.pointer(value)?),
            "timestamp" => contract.timestamp = Some(reader.pointer(value)?),
            "finalLine" => {
                contract.final_line = reader.one_of(value, &["allow", "require-newline"])?
            }
            "maxFrameBytes" => contract.max_frame_bytes = reader.count(value)?,
            "capabilities" => contract.capabilities = Some(reader.capabilities(value)?),
            "extensionPoints" => contract.extension_points = reader.strings(value)?,
            other => return Err(reader.unknown(member.at, other, "x-contract", MEMBERS)),
        }
    }
    if contract.capability.is_empty() {
        return Err(SchemaError::at(
            source,
            node.at,
            "`x-contract` names no `capability`",
        ));
    }
    if contract.framing == "item" && contract.terminal.is_empty() {
        return Err(SchemaError::at(
            source,
            node.at,
            "item framing proves nothing without a `terminal` item",
        )
        .help("add \"terminal\" with the member values of the line that ends a run"));
    }
    Ok(contract)
}

struct AnnotationReader<'a> {
    source: &'a Source,
}

impl AnnotationReader<'_> {
    fn error(&self, node: &Node, expected: &str) -> SchemaError {
        SchemaError::at(
            self.source,
            node.at,
            format!(
                "expected {expected}, found a value of type {}",
                node.type_name()
            ),
        )
    }

    fn unknown(&self, at: u32, name: &str, home: &str, members: &[&str]) -> SchemaError {
        let members: Vec<String> = members.iter().map(|name| format!("`{name}`")).collect();
        SchemaError::at(self.source, at, format!("`{home}` has no member {name:?}"))
            .help(format!("expected one of {}", members.join(", ")))
    }

    fn members<'n>(&self, node: &'n Node, home: &str) -> Result<&'n [Member], SchemaError> {
        match &node.value {
            Value::Object(members) => Ok(members),
            _ => Err(self.error(node, &format!("an object for `{home}`"))),
        }
    }

    fn string(&self, node: &Node) -> Result<String, SchemaError> {
        node.as_str()
            .map(str::to_owned)
            .ok_or_else(|| self.error(node, "a string"))
    }

    fn one_of(&self, node: &Node, allowed: &[&str]) -> Result<String, SchemaError> {
        match node.as_str() {
            Some(text) if allowed.contains(&text) => Ok(text.to_owned()),
            _ => Err(SchemaError::at(
                self.source,
                node.at,
                format!("expected one of {}", allowed.join(", ")),
            )),
        }
    }

    fn pointer(&self, node: &Node) -> Result<String, SchemaError> {
        match node.as_str() {
            Some(text) if text.starts_with('/') => Ok(text.to_owned()),
            _ => Err(self.error(node, "a JSON Pointer to a member, as \"/seq\"")),
        }
    }

    fn count(&self, node: &Node) -> Result<u64, SchemaError> {
        match &node.value {
            Value::Number(text) => text.parse().map_err(|_| self.error(node, "a whole number")),
            _ => Err(self.error(node, "a whole number")),
        }
    }

    fn array<'n>(&self, node: &'n Node) -> Result<&'n [Node], SchemaError> {
        match &node.value {
            Value::Array(elements) => Ok(elements),
            _ => Err(self.error(node, "an array")),
        }
    }

    fn strings(&self, node: &Node) -> Result<Vec<String>, SchemaError> {
        self.array(node)?
            .iter()
            .map(|element| self.string(element))
            .collect()
    }

    fn literals(&self, node: &Node) -> Result<IndexMap<String, Literal>, SchemaError> {
        let members = self.members(node, "a set of member values")?;
        Ok(members
            .iter()
            .map(|member| (member.name.to_string(), Literal::of(&member.node)))
            .collect())
    }

    fn capabilities(&self, node: &Node) -> Result<Capabilities, SchemaError> {
        let mut capabilities = Capabilities {
            at: String::new(),
            gates: IndexMap::default(),
        };
        for member in self.members(node, "capabilities")? {
            match &*member.name {
                "at" => capabilities.at = self.pointer(&member.node)?,
                "gates" => {
                    for gate in self.members(&member.node, "gates")? {
                        let lines = self.array(&gate.node)?;
                        let lines = lines
                            .iter()
                            .map(|line| self.literals(line))
                            .collect::<Result<_, _>>()?;
                        capabilities.gates.insert(gate.name.to_string(), lines);
                    }
                }
                other => return Err(self.unknown(member.at, other, "capabilities", CAPABILITIES)),
            }
        }
        if capabilities.at.is_empty() {
            return Err(SchemaError::at(
                self.source,
                node.at,
                "`capabilities` does not say where they are advertised",
            )
            .help("add \"at\" with a JSON Pointer into the first line"));
        }
        Ok(capabilities)
    }
}

#[cfg(test)]
mod tests {
    use super::{CAPABILITIES, MEMBERS, read};
    use crate::json::{Source, parse};

    fn message(annotation: &str) -> String {
        let source = Source::new("s.json", annotation);
        let node = parse(annotation).expect("JSON");
        read(&source, &node).expect_err(annotation).to_string()
    }

    /// The names that the error for an unknown member lists are exactly those that are read: each
    /// is taken for a member, so that its value is what is found wrong.
    #[test]
    fn the_members_that_an_error_lists_are_those_that_are_read() {
        for (names, open, close) in [
            (MEMBERS, "{", "}"),
            (CAPABILITIES, "{\"capabilities\":{", "}}"),
        ] {
            let unknown = message(&format!("{open}\"bound\":null{close}"));
            for name in names {
                let listed = format!("`{name}`");
                assert!(unknown.contains(&listed), "{unknown} lacks {listed}");
                let wrong = message(&format!("{open}\"{name}\":null{close}"));
                assert!(wrong.contains("expected"), "{name}: {wrong}");
                assert!(!wrong.contains("has no member"), "{name}: {wrong}");
            }
        }
    }

    #[test]
    fn the_reference_describes_these_members_and_no_others() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/contract.md");
        let page = std::fs::read_to_string(path).expect("the page of the contract");
        let (table, _) = page
            .split_once("\n## `contract.toml`")
            .expect("a section for each place");
        let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
        let mut documented: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
        let below = CAPABILITIES
            .iter()
            .map(|name| format!("capabilities.{name}"));
        let mut read: Vec<String> = MEMBERS.iter().map(|&name| name.to_owned()).collect();
        read.extend(below);
        documented.sort_unstable();
        read.sort_unstable();
        assert_eq!(documented, read);
    }
}
