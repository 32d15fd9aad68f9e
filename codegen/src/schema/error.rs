//! Why a text is no schema that can be judged, with the place and what to do about it.

use crate::json::{Position, Source};

/// A fault in a schema document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// What the source is called (a path, mostly).
    pub file: String,
    /// Where the fault stands.
    pub position: Position,
    /// What is wrong.
    pub message: String,
    /// What to do, where more can be said than the message does.
    pub help: Option<String>,
}

impl SchemaError {
    pub(crate) fn at(source: &Source, offset: u32, message: impl Into<String>) -> Self {
        Self {
            file: source.name().to_owned(),
            position: source.position(offset),
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl std::fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Position { line, column } = self.position;
        write!(formatter, "{}:{line}:{column}: {}", self.file, self.message)?;
        match &self.help {
            Some(help) => write!(formatter, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SchemaError {}
