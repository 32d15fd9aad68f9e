//! Which items a rule of a contract means: by the values of their members, or by a function.

use crate::{Json, Kind, Reader, Result};
use std::fmt;
use std::sync::Arc;

/// A test of an item's text.
///
/// ```
/// use wirelock_runtime::framing::Predicate;
/// let terminal = Predicate::members(r#"{"type":"result"}"#).unwrap();
/// assert!(terminal.matches(r#"{"id":7,"type":"result"}"#));
/// assert!(!terminal.matches(r#"{"type":"data"}"#));
/// // A result of a nested actor does not end the run.
/// let outermost = terminal.without("parent");
/// assert!(!outermost.matches(r#"{"type":"result","parent":"t1"}"#));
/// ```
#[derive(Clone)]
pub struct Predicate {
    members: Vec<(Box<str>, Json)>,
    absent: Vec<Box<str>>,
    function: Option<Function>,
}

type Function = Arc<dyn Fn(&str) -> bool + Send + Sync>;

impl Predicate {
    /// Items that are objects with these members among theirs; the text is a JSON object.
    ///
    /// # Errors
    /// The text is no JSON object.
    pub fn members(text: &str) -> Result<Self> {
        let mut reader = Reader::new(text);
        let members = reader.map(|reader| reader.raw().and_then(|text| Json::from_str(&text)))?;
        reader.end()?;
        Ok(Self {
            members: members.into_iter().collect(),
            absent: Vec::new(),
            function: None,
        })
    }

    /// Items whose text passes the function.
    #[must_use]
    pub fn by(function: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self {
            members: Vec::new(),
            absent: Vec::new(),
            function: Some(Arc::new(function)),
        }
    }

    /// Those of them that have no member of that name.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.absent.push(name.into());
        self
    }

    /// Whether an item is meant. Its text is one JSON value; another text is never meant.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        self.function.as_ref().is_none_or(|passes| passes(text))
            && self.has_members(text).unwrap_or(false)
    }

    /// Whether nothing is asked, so that every item would be meant.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty() && self.absent.is_empty() && self.function.is_none()
    }

    fn has_members(&self, text: &str) -> Result<bool> {
        if self.members.is_empty() && self.absent.is_empty() {
            return Ok(true);
        }
        let mut reader = Reader::new(text);
        if reader.kind()? != Kind::Object {
            return Ok(false);
        }
        reader.begin_object()?;
        let (mut first, mut missing) = (true, self.members.len());
        while let Some(name) = reader.next_key(&mut first)? {
            if self.absent.iter().any(|absent| **absent == *name) {
                return Ok(false);
            }
            let value = reader.raw()?;
            let Some((_, wanted)) = self.members.iter().find(|(member, _)| **member == *name)
            else {
                continue;
            };
            if Json::from_str(&value)? != *wanted {
                return Ok(false);
            }
            missing -= 1;
            // Tags stand first mostly, and the rest then says nothing.
            if missing == 0 && self.absent.is_empty() {
                return Ok(true);
            }
        }
        Ok(missing == 0)
    }
}

impl fmt::Debug for Predicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Predicate")
            .field("members", &self.members)
            .field("absent", &self.absent)
            .finish_non_exhaustive()
    }
}
