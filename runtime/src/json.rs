//! Free-form JSON, kept as it was written.

use crate::error::Result;
use crate::number::compare;
use crate::reader::Kind;
use crate::{Decode, Encode, Error, IntoOwned, Reader};
use std::borrow::Cow;
use std::fmt;

/// Any JSON value, as its text: numbers keep their digits and members their order.
///
/// Values are equal as JSON values: `{"a":1,"b":2}` equals `{"b":2.0,"a":1}`. The text is the
/// value's own, or borrowed from what was read ([`RawJson`]).
#[derive(Clone)]
pub struct Json<S = Box<str>>(S);

/// Any JSON value, as a slice of the text it was read from.
///
/// ```
/// use wirelock_runtime::{IntoOwned, Json, RawJson, from_str};
/// let line = String::from(r#"[1.50,{"a":null}]"#);
/// let raw: RawJson<'_> = from_str(&line).unwrap();
/// assert_eq!(raw.get().as_ptr(), line.as_ptr());
/// let kept: Json = raw.into_owned();
/// drop(line);
/// assert_eq!(kept.get(), r#"[1.50,{"a":null}]"#);
/// ```
pub type RawJson<'de> = Json<Cow<'de, str>>;

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

    /// The member of that name, where this is an object that has one (the last, of several).
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Self> {
        last_member(&self.0, name).map(|text| Self(text.into()))
    }
}

impl<'de> RawJson<'de> {
    /// The member of that name, where this is an object that has one (the last, of several).
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Self> {
        let text = last_member(&self.0, name)?;
        Some(Self(match &self.0 {
            Cow::Owned(_) => Cow::Owned(text.to_owned()),
            Cow::Borrowed(whole) => {
                let start = text.as_ptr().addr() - whole.as_ptr().addr();
                Cow::Borrowed(whole.get(start..start + text.len()).unwrap_or_default())
            }
        }))
    }
}

impl<S: AsRef<str>> Json<S> {
    /// The JSON text.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.as_ref()
    }

    /// The type of the value.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.get().as_bytes().first() {
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
        crate::from_str(self.get())
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        Reader::new(self.get()).str().ok()
    }

    /// The value of a boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        Reader::new(self.get()).bool().ok()
    }
}

impl IntoOwned for RawJson<'_> {
    type Owned = Json;

    fn into_owned(self) -> Json {
        Json(self.0.into())
    }
}

fn last_member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let mut reader = Reader::new(object);
    reader.begin_object().ok()?;
    let mut first = true;
    let mut found = None;
    while let Some(key) = reader.next_key(&mut first).ok()? {
        let value = reader.skip_value().ok()?;
        if key == name {
            found = Some(value);
        }
    }
    found
}

impl std::str::FromStr for Json {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::from_str(text)
    }
}

impl<S: AsRef<str>> PartialEq for Json<S> {
    fn eq(&self, other: &Self) -> bool {
        same_value(self.get(), other.get())
    }
}

impl<S: AsRef<str>> Eq for Json<S> {}

impl<S: AsRef<str>> fmt::Debug for Json<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.get())
    }
}

impl<S: AsRef<str>> fmt::Display for Json<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.get())
    }
}

impl<'de, S: From<Cow<'de, str>>> Decode<'de> for Json<S> {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        Ok(Self(reader.raw()?.into()))
    }
}

impl<S: AsRef<str>> Encode for Json<S> {
    fn encode(&self, out: &mut String) {
        out.push_str(self.get());
    }
}

/// Any JSON object, as its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonObject<S: AsRef<str> = Box<str>>(Json<S>);

/// Any JSON object, as a slice of the text it was read from.
pub type RawObject<'de> = JsonObject<Cow<'de, str>>;

impl<S: AsRef<str>> JsonObject<S> {
    /// The same value, of no particular type.
    #[must_use]
    pub fn into_json(self) -> Json<S> {
        self.0
    }
}

impl IntoOwned for RawObject<'_> {
    type Owned = JsonObject;

    fn into_owned(self) -> JsonObject {
        JsonObject(self.0.into_owned())
    }
}

impl<S: AsRef<str>> std::ops::Deref for JsonObject<S> {
    type Target = Json<S>;

    fn deref(&self) -> &Json<S> {
        &self.0
    }
}

impl<S: AsRef<str>> TryFrom<Json<S>> for JsonObject<S> {
    type Error = Json<S>;

    /// Gives the value back where it is no object.
    fn try_from(value: Json<S>) -> std::result::Result<Self, Json<S>> {
        if value.kind() == Kind::Object {
            Ok(Self(value))
        } else {
            Err(value)
        }
    }
}

impl<'de, S: AsRef<str> + From<Cow<'de, str>>> Decode<'de> for JsonObject<S> {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        match reader.kind()? {
            Kind::Object => Json::decode(reader).map(Self),
            _ => Err(reader.unexpected("an object")),
        }
    }
}

impl<S: AsRef<str>> Encode for JsonObject<S> {
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
