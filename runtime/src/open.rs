//! Holders for what a schema leaves open: `null` beside a type, and values nobody has named yet.

use crate::error::Result;
use crate::reader::Kind;
use crate::{Decode, Encode, IntoOwned, Reader};
use std::borrow::Cow;
use std::fmt;

/// `null` or a value. A member that may be absent as well is an `Option<Nullable<T>>`, so that
/// absent, null and a value stay three things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Nullable<T> {
    /// `null`
    #[default]
    Null,
    /// A value.
    Value(T),
}

impl<T> Nullable<T> {
    /// The value, if it is one.
    pub fn as_option(&self) -> Option<&T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// The value, if it is one.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T: IntoOwned> IntoOwned for Nullable<T> {
    type Owned = Nullable<T::Owned>;

    fn into_owned(self) -> Nullable<T::Owned> {
        self.into_option().map(T::into_owned).into()
    }
}

impl<T> From<Option<T>> for Nullable<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl<'de> Reader<'de> {
    /// Reads `null`, or a value.
    ///
    /// # Errors
    /// The value is refused.
    #[inline]
    pub fn nullable<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Nullable<T>> {
        match self.kind()? {
            Kind::Null => self.null().map(|()| Nullable::Null),
            _ => read(self).map(Nullable::Value),
        }
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Nullable<T> {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.nullable(T::decode)
    }
}

impl<T: Encode> Encode for Nullable<T> {
    fn encode(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Value(value) => value.encode(out),
        }
    }
}

/// The value `null`, where nothing else may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Null;

impl<'de> Decode<'de> for Null {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.null().map(|()| Self)
    }
}

impl Encode for Null {
    fn encode(&self, out: &mut String) {
        out.push_str("null");
    }
}

/// No value at all, where a schema lets none stand: a member of this type is always absent, and a
/// list of it is always empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Never {}

impl<'de> Decode<'de> for Never {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        Err(reader.unexpected("no value"))
    }
}

impl Encode for Never {
    fn encode(&self, _: &mut String) {
        match *self {}
    }
}

/// A value of an open set that the types do not name.
///
/// It cannot be made or matched by its text, so that naming the value in a later version of the
/// types changes no program that was written before.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnknownValue<S = Box<str>>(S);

impl<S: AsRef<str>> UnknownValue<S> {
    /// For generated code, which has ruled out the known values.
    #[doc(hidden)]
    #[must_use]
    pub fn __new(text: impl Into<S>) -> Self {
        Self(text.into())
    }

    /// The text that stood on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }
}

impl IntoOwned for UnknownValue<Cow<'_, str>> {
    type Owned = UnknownValue;

    fn into_owned(self) -> UnknownValue {
        UnknownValue(self.0.into())
    }
}

impl<S: AsRef<str>> fmt::Debug for UnknownValue<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl<S: AsRef<str>> fmt::Display for UnknownValue<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
