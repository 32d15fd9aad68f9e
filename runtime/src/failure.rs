//! What a producer tells its readers of a failure: a code and safe words, never its internals.

use crate::{Error, Json};
use std::fmt;

/// A producer's failure, as it stands in the error frame of an envelope stream.
///
/// Only what is put in here by name reaches the wire. An error of another type becomes
/// [`Failure::internal`], whatever its message says.
///
/// ```
/// use wirelock_runtime::Failure;
/// let failure = Failure::new("QUOTA").with_message("the daily quota is used up");
/// assert_eq!(failure.to_string(), "QUOTA: the daily quota is used up");
/// let hidden = Failure::from(std::io::Error::other("/home/ann/.key is missing"));
/// assert_eq!(hidden.to_string(), "INTERNAL: the producer failed");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// A stable name that programs compare.
    pub code: String,
    /// Words for people.
    pub message: Option<String>,
    /// What the code does not say, as JSON text.
    pub details: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure with that code.
    #[must_use]
    pub fn new(code: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: None,
            details: None,
            hint: None,
        }
    }

    /// A failure that nothing may be said of.
    #[must_use]
    pub fn internal() -> Self {
        Self::new("INTERNAL").with_message("the producer failed")
    }

    /// The same failure with words for people.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The same failure with what its code does not say.
    #[must_use]
    pub fn with_details(mut self, details: &Json) -> Self {
        self.details = Some(crate::Encode::to_json(details));
        self
    }

    /// The same failure with what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.code)?;
        match &self.message {
            Some(message) => write!(formatter, ": {message}"),
            None => Ok(()),
        }
    }
}

impl From<Error> for Failure {
    /// The code alone: what an error quotes is the producer's payload.
    fn from(error: Error) -> Self {
        Self::new(error.code().as_str())
    }
}

impl From<std::io::Error> for Failure {
    fn from(_: std::io::Error) -> Self {
        Self::internal()
    }
}

impl From<Box<dyn std::error::Error + Send + Sync>> for Failure {
    fn from(_: Box<dyn std::error::Error + Send + Sync>) -> Self {
        Self::internal()
    }
}

impl From<std::convert::Infallible> for Failure {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}
