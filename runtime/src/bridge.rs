//! The bridge to `serde`: any format that carries JSON's values, at value equality.
//!
//! The lossless path is [`crate::from_slice`]; here a value is written or read as text on the way,
//! so that there is one decoder and one encoder, and both paths accept the same documents.

use crate::error::Result as ReadResult;
use crate::reader::Kind;
use crate::{Decode, Encode, Json, Map, Nullable, Number, Reader, write_string};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{self, Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use std::fmt;

/// Reads a type through its decoder from any self-describing format.
///
/// # Errors
/// The format's own, and what the decoder refuses.
pub fn deserialize<'de, D: Deserializer<'de>, T: for<'text> Decode<'text>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let mut text = String::new();
    Text(&mut text, 0).deserialize(deserializer)?;
    crate::from_str(&text).map_err(de::Error::custom)
}

/// Writes a type through its encoder into any format.
///
/// # Errors
/// The format's own.
pub fn serialize<S: Serializer, T: Encode + ?Sized>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Value(&value.to_json()).serialize(serializer)
}

/// Implements `serde`'s `Serialize` by the function above.
#[macro_export]
macro_rules! impl_serialize {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::serde::Serialize for $type {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                $crate::serialize(self, serializer)
            }
        }
    )*};
}

/// Implements `serde`'s traits by the functions above.
#[macro_export]
macro_rules! impl_serde {
    ($($type:ty),* $(,)?) => {$(
        $crate::impl_serialize!($type);

        impl<'de> $crate::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                $crate::deserialize(deserializer)
            }
        }
    )*};
}

impl_serde!(Json, crate::JsonObject, Number, crate::Null, crate::Never);

impl<T: Encode, K: AsRef<str>> Serialize for Map<T, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self, serializer)
    }
}

impl<'de, T: for<'text> Decode<'text>> Deserialize<'de> for Map<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl<T: Serialize> Serialize for Nullable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_option().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nullable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}

/// Appends what a deserializer gives as JSON text, with how deep it stands.
struct Text<'a>(&'a mut String, u32);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Text<'_> {
    fn deeper<E: de::Error>(&self) -> Result<u32, E> {
        // Formats other than JSON may have no limit of their own.
        if self.1 >= crate::MAX_DEPTH {
            Err(E::custom("nested deeper than 127 levels"))
        } else {
            Ok(self.1 + 1)
        }
    }
}

macro_rules! visit_display {
    ($($visit:ident: $type:ty),*) => {$(
        fn $visit<E: de::Error>(self, value: $type) -> Result<(), E> {
            use fmt::Write as _;
            // Writing to a String cannot fail.
            let _ = write!(self.0, "{value}");
            Ok(())
        }
    )*};
}

impl<'de> Visitor<'de> for Text<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    visit_display!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_i128: i128, visit_u128: u128);

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        match Number::from_f64(value) {
            Some(number) => {
                self.0.push_str(number.as_str());
                Ok(())
            }
            None => Err(E::custom("a number that JSON cannot write")),
        }
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        write_string(value, self.0);
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.0.push_str("null");
        Ok(())
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let depth = self.deeper()?;
        self.0.push('[');
        let start = self.0.len();
        loop {
            let end = self.0.len();
            if end > start {
                self.0.push(',');
            }
            if elements.next_element_seed(Text(self.0, depth))?.is_none() {
                self.0.truncate(end);
                break;
            }
        }
        self.0.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let depth = self.deeper()?;
        self.0.push('{');
        let mut first = true;
        while let Some(name) = members.next_key::<String>()? {
            if !std::mem::replace(&mut first, false) {
                self.0.push(',');
            }
            write_string(&name, self.0);
            self.0.push(':');
            members.next_value_seed(Text(self.0, depth))?;
        }
        self.0.push('}');
        Ok(())
    }
}

/// One JSON text, serialized as the value it is.
struct Value<'a>(&'a str);

impl Value<'_> {
    fn walk<S: Serializer>(&self, serializer: S) -> ReadResult<Result<S::Ok, S::Error>> {
        let mut reader = Reader::new(self.0);
        Ok(match reader.kind()? {
            Kind::Null => serializer.serialize_unit(),
            Kind::Bool => serializer.serialize_bool(reader.bool()?),
            Kind::String => serializer.serialize_str(&reader.str()?),
            Kind::Number => Self::number(reader.number_text()?, serializer),
            Kind::Array => {
                let elements = reader.list(Reader::skip_value)?;
                let write = || {
                    let mut sequence = serializer.serialize_seq(Some(elements.len()))?;
                    elements
                        .iter()
                        .try_for_each(|element| sequence.serialize_element(&Value(element)))?;
                    sequence.end()
                };
                write()
            }
            Kind::Object => {
                reader.begin_object()?;
                let mut members = Vec::new();
                let mut first = true;
                while let Some(name) = reader.next_key(&mut first)? {
                    members.push((name, reader.skip_value()?));
                }
                let write = || {
                    let mut map = serializer.serialize_map(Some(members.len()))?;
                    members.iter().try_for_each(|(name, value)| {
                        map.serialize_entry(&**name, &Value(value))
                    })?;
                    map.end()
                };
                write()
            }
        })
    }

    fn number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(value) = text.parse::<u64>() {
            return serializer.serialize_u64(value);
        }
        // A negative zero is none among integers.
        if let Some(value) = text.parse::<i64>().ok().filter(|value| *value != 0) {
            return serializer.serialize_i64(value);
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => serializer.serialize_f64(value),
            _ => Err(ser::Error::custom("a number that is larger than any float")),
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The text comes from an encoder, so that reading it fails only where that is broken.
        self.walk(serializer).map_err(ser::Error::custom)?
    }
}
