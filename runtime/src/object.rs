//! Objects: members one by one, each at most once, and tags ahead of the rest.

use crate::error::{Code, Error, Result};
use crate::reader::{MAX_DEPTH, Reader};
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
    /// Enters an object. Its members follow by [`Reader::next_key`].
    ///
    /// # Errors
    /// The next value is no object, or is nested too deeply.
    pub fn begin_object(&mut self) -> Result<()> {
        self.skip_space();
        if self.byte() != Some(b'{') {
            return Err(self.unexpected("an object"));
        }
        self.enter()
    }

    /// The next member name of the object that was entered, or its end. `first` starts as `true`.
    ///
    /// # Errors
    /// What comes next is no JSON.
    #[inline]
    pub fn next_key(&mut self, first: &mut bool) -> Result<Option<Cow<'de, str>>> {
        self.skip_space();
        match self.byte() {
            Some(b'}') => {
                self.leave();
                return Ok(None);
            }
            Some(b',') if !*first => {
                self.at += 1;
                self.skip_space();
            }
            _ if *first => {}
            _ => return Err(self.syntax("`,` or `}`")),
        }
        *first = false;
        if self.byte() != Some(b'"') {
            return Err(self.syntax("a member name"));
        }
        let name = self.str()?;
        self.colon()?;
        Ok(Some(name))
    }

    /// Reads a member into its slot.
    ///
    /// # Errors
    /// The slot is filled already, or the value is refused.
    #[inline]
    pub fn member<T>(
        &mut self,
        slot: &mut Option<T>,
        name: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<()> {
        if slot.is_some() {
            return Err(self.duplicate(name));
        }
        match read(self) {
            Ok(value) => {
                *slot = Some(value);
                Ok(())
            }
            Err(error) => Err(error.within(name)),
        }
    }

    /// What a slot holds once all members were read.
    ///
    /// # Errors
    /// The member did not stand.
    #[inline]
    pub fn required<T>(&self, slot: Option<T>, name: &'static str) -> Result<T> {
        slot.ok_or_else(|| self.shape(format!("the member `{name}`")))
    }

    /// Reads a value that has to be that string.
    ///
    /// # Errors
    /// It is another one.
    pub fn constant(&mut self, value: &'static str) -> Result<()> {
        let start = self.clone();
        if self.str().is_ok_and(|found| found == value) {
            return Ok(());
        }
        Err(start.unexpected(format!("`{value}`")))
    }

    /// Reads a value that has to be that JSON literal; numbers compare by value.
    ///
    /// # Errors
    /// It is another one.
    pub fn literal(&mut self, value: &'static str) -> Result<()> {
        let start = self.clone();
        if crate::json::same_value(self.skip_value()?, value) {
            return Ok(());
        }
        Err(start.unexpected(format!("`{value}`")))
    }

    /// An error: the member that was just named stands for the second time.
    #[must_use]
    pub fn duplicate(&self, name: &str) -> Error {
        Error::new(
            Code::InvalidJson,
            format!(
                "the member `{}` once",
                crate::error::cut(name).escape_debug()
            ),
        )
        .with_found("it twice")
        .at_offset(self.at)
    }

    /// An error: the member that was just named is not declared where no others may stand.
    #[must_use]
    pub fn undeclared(&self, name: &str) -> Error {
        self.shape("declared members only").with_found(name)
    }

    /// What the tag member of the object that comes next says; the object is left to be read.
    ///
    /// Where tags come first this looks at the first members only; where they do not, it looks
    /// ahead as far as needed, and the second reading buffers nothing.
    ///
    /// # Errors
    /// The next value is no object, or no JSON as far as was read.
    pub fn peek_tag(&mut self, name: &str) -> Result<Tag<'de>> {
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

    /// An error: a tag says what no alternative takes.
    #[must_use]
    pub fn unknown_tag(&self, name: &'static str, tag: &Tag<'_>, expected: &'static str) -> Error {
        match tag {
            Tag::Missing => self.shape(format!("the member `{name}`")),
            Tag::Text(text) => self.shape(expected).with_found(text).within(name),
            Tag::Other(text) => self.shape(expected).with_found(text).within(name),
        }
    }

    /// Reads an array element by element.
    ///
    /// # Errors
    /// The next value is no array, or an element is refused.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.begin_array()?;
        let mut elements = Vec::new();
        while self.next_element(elements.is_empty())? {
            match read(self) {
                Ok(element) => elements.push(element),
                Err(error) => return Err(error.within(elements.len().to_string())),
            }
        }
        Ok(elements)
    }

    /// Reads an array whose length lies within bounds.
    ///
    /// # Errors
    /// The next value is no array, an element is refused, or there are too few or too many.
    pub fn list_within<T>(
        &mut self,
        min: usize,
        max: Option<usize>,
        read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let start = self.clone();
        let elements = self.list(read)?;
        if elements.len() < min || max.is_some_and(|max| elements.len() > max) {
            let expected = match max {
                Some(max) => format!("an array of {min} to {max} elements"),
                None => format!("an array of at least {min} elements"),
            };
            return Err(start.unexpected(expected));
        }
        Ok(elements)
    }

    /// Enters an array. Its elements follow by [`Reader::next_element`].
    ///
    /// # Errors
    /// The next value is no array, or is nested too deeply.
    pub fn begin_array(&mut self) -> Result<()> {
        self.skip_space();
        if self.byte() != Some(b'[') {
            return Err(self.unexpected("an array"));
        }
        self.enter()
    }

    /// Whether another element comes; where none does, the array is left.
    ///
    /// # Errors
    /// What comes next is no JSON.
    pub fn next_element(&mut self, first: bool) -> Result<bool> {
        self.skip_space();
        match self.byte() {
            Some(b']') => {
                self.leave();
                Ok(false)
            }
            Some(b',') if !first => {
                self.at += 1;
                Ok(true)
            }
            Some(_) if first => Ok(true),
            _ => Err(self.syntax("`,` or `]`")),
        }
    }

    /// Reads with a function, which this names the type of.
    ///
    /// # Errors
    /// The function's own.
    pub fn with<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        read(self)
    }

    /// Reads a value that is kept on the heap, because its type holds itself.
    ///
    /// # Errors
    /// The value is refused.
    pub fn boxed<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<Box<T>> {
        read(self).map(Box::new)
    }

    /// Reads one place of a tuple.
    ///
    /// # Errors
    /// The array has ended, or the value is refused.
    pub fn place<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if !self.next_element(index == 0)? {
            return Err(self.shape(format!("an element {index}")));
        }
        read(self).map_err(|error| error.within(index.to_string()))
    }

    /// Leaves a tuple of that many places.
    ///
    /// # Errors
    /// Another element comes.
    pub fn end_tuple(&mut self, places: usize) -> Result<()> {
        if self.next_element(places == 0)? {
            return Err(self.shape(format!("an array of {places} elements")));
        }
        Ok(())
    }

    fn enter(&mut self) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }
}
