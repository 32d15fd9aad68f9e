//! Objects: members one by one, each at most once, and tags ahead of the rest.

use crate::error::{Code, Error, Result};
use crate::reader::{MAX_DEPTH, Reader};
use crate::{Decode, scan};
use std::borrow::Cow;

/// A declared member name, in the two ways in which it is looked for.
///
/// ```
/// use wirelock_runtime::{Key, Member, Members, Reader};
/// static KEYS: [Key; 2] = [Key::new("id", "\"id\":"), Key::new("text", "\"text\":")];
/// let mut reader = Reader::new(r#"{"id":7,"te\u0078t":"x","more":0}"#);
/// let mut members = Members::default();
/// reader.begin_object().unwrap();
/// let mut found = Vec::new();
/// loop {
///     match reader.next_member(&mut members, &KEYS).unwrap() {
///         Member::END => break,
///         at => found.push((at, members.name(&KEYS, at).into_owned())),
///     }
///     reader.skip_value().unwrap();
/// }
/// let named = |at, name: &str| (at, name.to_owned());
/// assert_eq!(found, [named(0, "id"), named(1, "text"), named(Member::OTHER, "more")]);
/// ```
#[derive(Debug)]
pub struct Key {
    name: &'static str,
    /// The name in quotes with its colon, as canonical text has it.
    quoted: &'static str,
    /// The first sixteen bytes of that, with zeros behind it, and which bytes they are.
    start: u128,
    mask: u128,
}

impl Key {
    /// A name, and the same in quotes with its colon.
    #[must_use]
    pub const fn new(name: &'static str, quoted: &'static str) -> Self {
        let bytes = quoted.as_bytes();
        let (mut start, mut mask, mut at) = (0, 0, 0);
        while at < bytes.len() && at < 16 {
            start |= (bytes[at] as u128) << (8 * at);
            mask |= 0xFF << (8 * at);
            at += 1;
        }
        Self {
            name,
            quoted,
            start,
            mask,
        }
    }
}

impl Key {
    /// Whether a text begins with the name in quotes; `start` is its first sixteen bytes.
    #[inline]
    fn stands(&self, start: u128, text: &[u8]) -> bool {
        let length = self.quoted.len();
        start & self.mask == self.start
            && (length <= 16 || text.get(16..length) == self.quoted.as_bytes().get(16..))
    }
}

/// Where the reading of an object's members stands.
#[derive(Debug, Default)]
pub struct Members<'de> {
    /// Whether one was read.
    begun: bool,
    /// Which declared member is looked for first: the one behind the last.
    next: usize,
    /// The name of a member that is not declared.
    other: Cow<'de, str>,
}

impl<'de> Members<'de> {
    /// The name of the member that was found last.
    #[must_use]
    pub fn name(&mut self, keys: &'static [Key], at: usize) -> Cow<'de, str> {
        match keys.get(at) {
            Some(key) => Cow::Borrowed(key.name),
            None => std::mem::take(&mut self.other),
        }
    }
}

/// What [`Reader::next_member`] gives beside the index of a declared member.
#[derive(Debug)]
pub enum Member {}

impl Member {
    /// The object has ended.
    pub const END: usize = usize::MAX;
    /// A member that is not declared; [`Members::name`] has its name.
    pub const OTHER: usize = usize::MAX - 1;
}

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
    #[inline]
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

    /// Which declared member comes next in the object that was entered: its index, or one of
    /// [`Member`]'s.
    ///
    /// Canonical text has its members in the order of the keys and no whitespace, so that the next
    /// key mostly is one comparison away. Any other text is read all the same.
    ///
    /// # Errors
    /// What comes next is no JSON.
    #[inline]
    pub fn next_member(
        &mut self,
        members: &mut Members<'de>,
        keys: &'static [Key],
    ) -> Result<usize> {
        let comma = usize::from(members.begun);
        if (comma == 0 || self.byte() == Some(b','))
            && let Some(key) = keys.get(members.next)
            && let rest = self.bytes().get(self.at + comma..).unwrap_or_default()
            && let Some(start) = rest.first_chunk::<16>()
            && key.stands(u128::from_le_bytes(*start), rest)
        {
            self.at += comma + key.quoted.len();
            members.begun = true;
            members.next += 1;
            return Ok(members.next - 1);
        }
        self.any_member(members, keys)
    }

    /// The same, where it is not the one that was expected.
    fn any_member(&mut self, members: &mut Members<'de>, keys: &'static [Key]) -> Result<usize> {
        if self.byte() == Some(b'}') {
            self.leave();
            return Ok(Member::END);
        }
        let comma = usize::from(members.begun);
        if comma == 0 || self.byte() == Some(b',') {
            let rest = self.bytes().get(self.at + comma..).unwrap_or_default();
            if let Some(start) = rest.first_chunk::<16>() {
                let start = u128::from_le_bytes(*start);
                // Most of what is not the next one is one behind it, because members may be absent.
                let behind = (members.next + 1..keys.len()).chain(0..members.next);
                for at in behind {
                    let key = &keys[at];
                    if key.stands(start, rest) {
                        self.at += comma + key.quoted.len();
                        members.begun = true;
                        members.next = at + 1;
                        return Ok(at);
                    }
                }
            }
        }
        self.other_member(members, keys)
    }

    /// The end of the object, a name that is not declared, or one that is not written as usual.
    fn other_member(&mut self, members: &mut Members<'de>, keys: &'static [Key]) -> Result<usize> {
        let mut first = !members.begun;
        let Some(name) = self.next_key(&mut first)? else {
            return Ok(Member::END);
        };
        members.begun = true;
        if let Some(at) = keys.iter().position(|key| key.name == name) {
            members.next = at + 1;
            return Ok(at);
        }
        members.other = name;
        Ok(Member::OTHER)
    }

    /// Reads a member into its slot.
    ///
    /// # Errors
    /// The slot is filled already, or the value is refused.
    // Calls would move the value, which may be large, once more each.
    #[expect(clippy::inline_always, reason = "see above")]
    #[inline(always)]
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

    /// Reads a member into its slot by its type's own decoder.
    ///
    /// # Errors
    /// The slot is filled already, or the value is refused.
    #[inline]
    pub fn member_of<T: Decode<'de>>(
        &mut self,
        slot: &mut Option<T>,
        name: &'static str,
    ) -> Result<()> {
        if slot.is_some() {
            return Err(self.duplicate(name));
        }
        T::decode_into(self, slot).map_err(|error| error.within(name))
    }

    /// Reads a value that builds itself in a slot.
    ///
    /// # Errors
    /// The value is refused.
    #[inline]
    pub fn whole<T>(
        &mut self,
        read: impl FnOnce(&mut Self, &mut Option<T>) -> Result<()>,
    ) -> Result<T> {
        let mut slot = None;
        read(self, &mut slot)?;
        slot.ok_or_else(|| self.shape("a value"))
    }

    /// What a slot holds once all members were read.
    ///
    /// # Errors
    /// The member did not stand.
    #[expect(clippy::inline_always, reason = "as for `member`")]
    #[inline(always)]
    pub fn required<T>(&self, slot: Option<T>, name: &'static str) -> Result<T> {
        match slot {
            Some(value) => Ok(value),
            None => Err(self.missing(name)),
        }
    }

    #[cold]
    fn missing(&self, name: &'static str) -> Error {
        self.shape(format!("the member `{name}`"))
    }

    /// Reads a value that has to be that string, which is given as JSON text.
    ///
    /// # Errors
    /// It is another one.
    #[inline]
    pub fn constant(&mut self, quoted: &'static str) -> Result<()> {
        let rest = self.bytes().get(self.at..).unwrap_or_default();
        if rest.starts_with(quoted.as_bytes()) {
            self.at += quoted.len();
            return Ok(());
        }
        self.constant_otherwise(quoted)
    }

    /// The same, where the text is another string or is written with other escapes.
    #[cold]
    fn constant_otherwise(&mut self, quoted: &'static str) -> Result<()> {
        let value = Reader::new(quoted).str()?;
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
    #[cold]
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
    #[cold]
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
    #[inline]
    pub fn peek_tag(&mut self, key: &'static Key) -> Result<Tag<'de>> {
        self.skip_space();
        let (object, behind) = self.last_tag;
        let place = match object == self.at {
            // Inner tags stand behind the outer ones.
            true if self.bytes().get(behind) == Some(&b',') => behind + 1,
            _ => self.at + 1,
        };
        if self.byte() == Some(b'{')
            && let Some(text) = self.tag_at(place, key)
        {
            return Ok(Tag::Text(Cow::Borrowed(text)));
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
    #[inline]
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
    #[inline]
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

    #[inline]
    fn enter(&mut self) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn leave(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }
}
