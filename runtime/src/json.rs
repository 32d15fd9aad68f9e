//! Free-form JSON, kept as it was written.

use crate::error::Result;
use crate::number::compare;
use crate::reader::Kind;
use crate::{Decode, Encode, Error, Reader};
use std::borrow::Cow;
use std::fmt;

/// Any JSON value, as its text: numbers keep their digits and members their order.
///
/// Values are equal as JSON values: `{"a":1,"b":2}` equals `{"b":2.0,"a":1}`.
#[derive(Clone)]
pub struct Json(Box<str>);

impl Json {
    /// Reads one JSON value; whitespace between tokens is dropped.
    ///
    /// # Errors
    /// The text is not exactly one JSON value.
    #[expect(
        clippy::should_implement_trait,
        reason = "the trait is implemented as well, and needs an import"
    )]
    pub fn from_str(text: &str) -> Result<Self> {
        crate::from_str(text)
    }

    /// `null`
    #[must_use]
    pub fn null() -> Self {
        Self("null".into())
    }

    /// The value that something encodes to.
    #[must_use]
    pub fn of(value: &(impl Encode + ?Sized)) -> Self {
        Self(value.to_json().into())
    }

    /// The JSON text.
    #[must_use]
    pub fn get(&self) -> &str {
        &self.0
    }

    /// The type of the value.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.0.as_bytes().first() {
            Some(b'"') => Kind::String,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// The value read as a type.
    ///
    /// # Errors
    /// The value does not have that shape.
    pub fn read<'de, T: Decode<'de>>(&'de self) -> Result<T> {
        crate::from_str(&self.0)
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        Reader::new(&self.0).str().ok()
    }

    /// The value of a boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        Reader::new(&self.0).bool().ok()
    }

    /// The member of that name, where this is an object that has one (the last, of several).
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Self> {
        let mut reader = Reader::new(&self.0);
        reader.begin_object().ok()?;
        let mut first = true;
        let mut found = None;
        while let Some(key) = reader.next_key(&mut first).ok()? {
            let value = reader.skip_value().ok()?;
            if key == name {
                found = Some(Self(value.into()));
            }
        }
        found
    }
}

impl std::str::FromStr for Json {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::from_str(text)
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        same_value(&self.0, &other.0)
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Decode<'de> for Json {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        Ok(Self(reader.raw()?.into()))
    }
}

impl Encode for Json {
    fn encode(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

/// Any JSON object, as its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonObject(Json);

impl JsonObject {
    /// The same value, of no particular type.
    #[must_use]
    pub fn into_json(self) -> Json {
        self.0
    }
}

impl std::ops::Deref for JsonObject {
    type Target = Json;

    fn deref(&self) -> &Json {
        &self.0
    }
}

impl TryFrom<Json> for JsonObject {
    type Error = Json;

    /// Gives the value back where it is no object.
    fn try_from(value: Json) -> std::result::Result<Self, Json> {
        if value.kind() == Kind::Object {
            Ok(Self(value))
        } else {
            Err(value)
        }
    }
}

impl<'de> Decode<'de> for JsonObject {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        match reader.kind()? {
            Kind::Object => Json::decode(reader).map(Self),
            _ => Err(reader.unexpected("an object")),
        }
    }
}

impl Encode for JsonObject {
    fn encode(&self, out: &mut String) {
        self.0.encode(out);
    }
}

/// Whether two JSON texts are the same value; a text that is no JSON equals only itself.
pub(crate) fn same_value(left: &str, right: &str) -> bool {
    if left == right {
        return true;
    }
    match (
        Tree::read(&mut Reader::new(left)),
        Tree::read(&mut Reader::new(right)),
    ) {
        (Ok(left), Ok(right)) => left == right,
        _ => false,
    }
}

/// A value taken apart for comparison; names of objects are sorted.
enum Tree<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<Tree<'a>>),
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
}

impl<'a> Tree<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self> {
        Ok(match reader.kind()? {
            Kind::Null => reader.null().map(|()| Self::Null)?,
            Kind::Bool => Self::Bool(reader.bool()?),
            Kind::Number => Self::Number(reader.number_text()?),
            Kind::String => Self::String(reader.str()?),
            Kind::Array => Self::Array(reader.list(Self::read)?),
            Kind::Object => {
                reader.begin_object()?;
                let mut members = Vec::new();
                let mut first = true;
                while let Some(name) = reader.next_key(&mut first)? {
                    members.push((name, Self::read(reader)?));
                }
                members.sort_by(|left, right| left.0.cmp(&right.0));
                Self::Object(members)
            }
        })
    }
}

impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Number(left), Self::Number(right)) => compare(left, right).is_eq(),
            (Self::String(left), Self::String(right)) => left == right,
            (Self::Array(left), Self::Array(right)) => left == right,
            (Self::Object(left), Self::Object(right)) => left == right,
            _ => false,
        }
    }
}
