//! Declared members: found where canonical text has them first, each at most once.

use crate::Decode;
use crate::error::{Code, Error, Result};
use crate::reader::Reader;
use std::borrow::Cow;

/// So many names are compared one by one before a member is read for what it is.
const LOOKS: usize = 24;

/// A member name, in the two ways in which it is looked for. Names of contracts that are compiled
/// are `&'static str`; those that are known at run time alone are kept in boxes.
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
pub struct Key<S = &'static str> {
    pub(crate) name: S,
    /// The name in quotes with its colon, as canonical text has it.
    pub(crate) quoted: S,
    /// The first sixteen bytes of that, with zeros behind it, and which bytes they are.
    start: u128,
    mask: u128,
}

impl Key {
    /// A name, and the same in quotes with its colon.
    #[must_use]
    pub const fn new(name: &'static str, quoted: &'static str) -> Self {
        let (start, mask) = beginning(quoted.as_bytes());
        Self {
            name,
            quoted,
            start,
            mask,
        }
    }
}

impl From<&str> for Key<Box<str>> {
    fn from(name: &str) -> Self {
        let mut quoted = String::with_capacity(name.len() + 3);
        crate::write_string(name, &mut quoted);
        quoted.push(':');
        let (start, mask) = beginning(quoted.as_bytes());
        Self {
            name: name.into(),
            quoted: quoted.into(),
            start,
            mask,
        }
    }
}

impl<S: AsRef<str>> Key<S> {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_ref()
    }

    /// Whether a text begins with the name in quotes; `start` is its first sixteen bytes.
    #[inline]
    fn stands(&self, start: u128, text: &[u8]) -> bool {
        start & self.mask == self.start && {
            let quoted = self.quoted.as_ref().as_bytes();
            quoted.len() <= 16 || text.get(16..quoted.len()) == quoted.get(16..)
        }
    }
}

/// The first sixteen bytes with zeros behind them, and which of them there are.
const fn beginning(bytes: &[u8]) -> (u128, u128) {
    let (mut start, mut mask, mut at) = (0, 0, 0);
    while at < bytes.len() && at < 16 {
        start |= (bytes[at] as u128) << (8 * at);
        mask |= 0xFF << (8 * at);
        at += 1;
    }
    (start, mask)
}

/// Where the reading of an object's members stands.
#[derive(Debug)]
pub struct Members<'de> {
    /// Whether none was read.
    first: bool,
    /// Which declared member is looked for first: the one behind the last.
    next: usize,
    /// The name of a member that is not declared.
    other: Cow<'de, str>,
}

impl Default for Members<'_> {
    #[inline]
    fn default() -> Self {
        Self {
            first: true,
            next: 0,
            other: Cow::Borrowed(""),
        }
    }
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

impl<'de> Reader<'de> {
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
        let comma = usize::from(!members.first);
        if (comma == 0 || self.byte() == Some(b','))
            && let Some(key) = keys.get(members.next)
            && let rest = self.bytes().get(self.at + comma..).unwrap_or_default()
            && let Some(start) = rest.first_chunk::<16>()
            && key.stands(u128::from_le_bytes(*start), rest)
        {
            self.at += comma + key.quoted.len();
            members.first = false;
            members.next += 1;
            return Ok(members.next - 1);
        }
        self.end_or_member(members, keys)
    }

    /// The same, where it is not the one that was expected. Most often that is the end, for which
    /// this needs no room on the stack.
    #[inline(never)]
    fn end_or_member(&mut self, members: &mut Members<'de>, keys: &'static [Key]) -> Result<usize> {
        if self.byte() == Some(b'}') {
            self.leave();
            return Ok(Member::END);
        }
        self.any_member(members, keys)
    }

    #[inline(never)]
    fn any_member(&mut self, members: &mut Members<'de>, keys: &'static [Key]) -> Result<usize> {
        // The one that was expected is not it.
        match self.expect_member(&mut members.first, keys, members.next + 1) {
            Some(at) => {
                members.next = at + 1;
                Ok(at)
            }
            None => self.other_member(members, keys),
        }
    }

    /// Steps over the name of the next member where it is one of these, written as usual, and gives
    /// its index; those from `from` on are looked at first. `None`: nothing was read, and
    /// [`Reader::next_key`] tells what comes. `first` is that of [`Reader::next_key`].
    ///
    /// ```
    /// use wirelock_runtime::{Key, Reader};
    /// let keys = [Key::from("id"), Key::from("text")];
    /// let mut reader = Reader::new(r#"{"text":"x","te\u0078t":7}"#);
    /// let mut first = true;
    /// reader.begin_object().unwrap();
    /// assert_eq!(reader.expect_member(&mut first, &keys, 0), Some(1));
    /// assert_eq!(reader.scalar().unwrap(), r#""x""#);
    /// // What is written in another way is left to be read.
    /// assert_eq!(reader.expect_member(&mut first, &keys, 0), None);
    /// assert_eq!(reader.next_key(&mut first).unwrap().unwrap(), "text");
    /// ```
    #[inline]
    pub fn expect_member<S: AsRef<str>>(
        &mut self,
        first: &mut bool,
        keys: &[Key<S>],
        from: usize,
    ) -> Option<usize> {
        let comma = usize::from(!*first);
        if comma == 1 && self.byte() != Some(b',') {
            return None;
        }
        let rest = self.bytes().get(self.at + comma..)?;
        let start = u128::from_le_bytes(*rest.first_chunk::<16>()?);
        let from = from.min(keys.len());
        let stands = |key: &Key<S>| key.stands(start, rest);
        // Most of what is not the next one is one behind it, because members may be absent.
        let ahead = &keys[from..keys.len().min(from + LOOKS)];
        let index = match ahead.iter().position(stands) {
            Some(index) => from + index,
            None => keys[..from.min(LOOKS)].iter().position(stands)?,
        };
        self.at += comma + keys[index].quoted.as_ref().len();
        *first = false;
        Some(index)
    }

    /// The end of the object, a name that is not declared, or one that is not written as usual.
    #[inline(never)]
    fn other_member(&mut self, members: &mut Members<'de>, keys: &'static [Key]) -> Result<usize> {
        let Some(name) = self.next_key(&mut members.first)? else {
            return Ok(Member::END);
        };
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
    pub(crate) fn missing(&self, name: &'static str) -> Error {
        self.shape(format!("the member `{name}`"))
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
}
