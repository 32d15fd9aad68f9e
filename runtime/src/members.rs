//! Declared members: found where canonical text has them first, each at most once.

use crate::Decode;
use crate::error::{Code, Error, Result};
use crate::reader::Reader;
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
    pub(crate) name: &'static str,
    /// The name in quotes with its colon, as canonical text has it.
    pub(crate) quoted: &'static str,
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
