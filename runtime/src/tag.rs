//! Tags: what tells the variants of a union apart, looked at ahead of the rest.

use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::{Key, scan};
use std::borrow::Cow;

/// What a tag member says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tag<'de> {
    /// The member is not there.
    Missing,
    /// A string.
    Text(Cow<'de, str>),
    /// Another value, as its text.
    Other(&'de str),
}

impl Tag<'_> {
    /// The string, where it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is that JSON literal; numbers compare by value.
    #[must_use]
    pub fn is_literal(&self, literal: &str) -> bool {
        match self {
            Self::Other(text) => crate::json::same_value(text, literal),
            _ => false,
        }
    }
}

impl<'de> Reader<'de> {
    /// What the tag member of the object that comes next says; the object is left to be read.
    ///
    /// Where tags come first this looks at the first members only; where they do not, it looks
    /// ahead as far as needed, and the second reading buffers nothing.
    ///
    /// # Errors
    /// The next value is no object, or no JSON as far as was read.
    #[inline]
    pub fn peek_tag(&mut self, key: &'static Key) -> Result<Tag<'de>> {
        self.skip_space();
        if self.byte() == Some(b'{') {
            let mut text = self.tag_at(self.at + 1, key);
            let (object, behind) = self.last_tag;
            // Inner tags stand behind the outer ones.
            if text.is_none() && object == self.at && self.bytes().get(behind) == Some(&b',') {
                text = self.tag_at(behind + 1, key);
            }
            if let Some(text) = text {
                return Ok(Tag::Text(Cow::Borrowed(text)));
            }
        }
        self.find_tag(key.name)
    }

    /// The text of a tag that stands at that byte, written as usual.
    #[inline]
    fn tag_at(&mut self, place: usize, key: &'static Key) -> Option<&'de str> {
        let bytes = self.bytes();
        let text = bytes.get(place..)?.strip_prefix(key.quoted.as_bytes())?;
        let start = bytes.len() - text.strip_prefix(b"\"")?.len();
        let end = scan::find_special(bytes, start);
        if bytes.get(end) != Some(&b'"') {
            return None;
        }
        self.last_tag = (self.at, end + 1);
        Some(self.slice(start, end))
    }

    /// As [`Reader::peek_tag`], of a member whose name is known at run time alone.
    ///
    /// # Errors
    /// The next value is no object, or no JSON as far as was read.
    pub fn find_tag(&mut self, name: &str) -> Result<Tag<'de>> {
        self.skip_space();
        let (at, depth) = (self.at, self.depth);
        self.begin_object()?;
        let mut first = true;
        let mut tag = Tag::Missing;
        while let Some(key) = self.next_key(&mut first)? {
            self.skip_space();
            if key != name {
                self.skip_value()?;
                continue;
            }
            tag = if self.byte() == Some(b'"') {
                Tag::Text(self.str()?)
            } else {
                Tag::Other(self.skip_value()?)
            };
            break;
        }
        (self.at, self.depth) = (at, depth);
        Ok(tag)
    }

    /// What the tag member of an object says; the object is stepped over.
    ///
    /// # Errors
    /// The next value is no object, its tag is no string, or it is no JSON.
    pub fn inner_tag(&mut self, key: &'static Key) -> Result<Cow<'de, str>> {
        match self.peek_tag(key)? {
            Tag::Text(text) => {
                self.skip_value()?;
                Ok(text)
            }
            other => Err(self.unknown_tag(key.name, &other, "a string")),
        }
    }

    /// An error: a tag says what no alternative takes.
    #[must_use]
    pub fn unknown_tag(&self, name: &'static str, tag: &Tag<'_>, expected: &'static str) -> Error {
        match tag {
            Tag::Missing => self.missing(name),
            Tag::Text(text) => self.shape(expected).with_found(text).within(name),
            Tag::Other(text) => self.shape(expected).with_found(text).within(name),
        }
    }
}
