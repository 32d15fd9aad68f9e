//! Members that a type does not declare, and maps: ordered, unique names, nothing lost.

use crate::encode::ObjectWriter;
use crate::error::Result;
use crate::{Decode, Encode, IntoOwned, Json, RawJson, Reader};
use std::borrow::Cow;
use std::collections::HashSet;

/// The members of an object that its type does not declare, in the order they stood.
pub type Extra = Map<Json>;

/// The same, as slices of the text that was read.
pub type RawExtra<'de> = RawMap<'de, RawJson<'de>>;

/// Members by name, whose names are slices of the text that was read.
pub type RawMap<'de, T> = Map<T, Cow<'de, str>>;

/// Members by name, in the order they stood.
///
/// Two maps are equal where they hold the same members, in whatever order.
#[derive(Debug, Clone)]
pub struct Map<T, K = Box<str>>(Vec<(K, T)>);

/// Beyond this many members a name is looked up by hash, so that reading stays linear.
const FEW: usize = 16;

impl<T> Map<T> {
    /// No members.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }
}

impl<T, K: AsRef<str>> Map<T, K> {
    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The member of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0
            .iter()
            .find(|(key, _)| key.as_ref() == name)
            .map(|(_, value)| value)
    }

    /// The member of that name, to be changed.
    #[must_use]
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.0
            .iter_mut()
            .find(|(key, _)| key.as_ref() == name)
            .map(|(_, value)| value)
    }

    /// Sets a member: in its place where it stands already, else at the end.
    pub fn insert(&mut self, name: impl Into<K>, value: T) -> Option<T> {
        let name = name.into();
        match self.get_mut(name.as_ref()) {
            Some(slot) => Some(std::mem::replace(slot, value)),
            None => {
                self.0.push((name, value));
                None
            }
        }
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        let index = self.0.iter().position(|(key, _)| key.as_ref() == name)?;
        Some(self.0.remove(index).1)
    }

    /// The members in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }
}

impl<T, K> Default for Map<T, K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: IntoOwned> IntoOwned for RawMap<'_, T> {
    type Owned = Map<T::Owned>;

    fn into_owned(self) -> Map<T::Owned> {
        let members = self.0.into_iter();
        Map(members
            .map(|(name, value)| (name.into(), value.into_owned()))
            .collect())
    }
}

impl<T: PartialEq, K: AsRef<str>> PartialEq for Map<T, K> {
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        // Mostly the order is equal, too, and then nothing has to be looked up.
        self.0
            .iter()
            .zip(&other.0)
            .all(|(left, right)| left.0.as_ref() == right.0.as_ref() && left.1 == right.1)
            || {
                let theirs: std::collections::HashMap<&str, &T> = other.iter().collect();
                self.iter()
                    .all(|(name, value)| theirs.get(name).is_some_and(|other| *other == value))
            }
    }
}

impl<T: Eq, K: AsRef<str>> Eq for Map<T, K> {}

impl<N: Into<K>, T, K: AsRef<str>> FromIterator<(N, T)> for Map<T, K> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(members: I) -> Self {
        let mut map = Self::default();
        for (name, value) in members {
            map.insert(name, value);
        }
        map
    }
}

impl<T, K> IntoIterator for Map<T, K> {
    type Item = (K, T);
    type IntoIter = std::vec::IntoIter<(K, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Collects members while an object is read, and refuses a name that stands twice.
#[derive(Debug)]
pub struct Collector<T, K = Box<str>> {
    map: Map<T, K>,
    /// The names that were read, where they are many.
    names: Option<HashSet<Box<str>>>,
}

impl<T, K> Default for Collector<T, K> {
    #[inline]
    fn default() -> Self {
        Self {
            map: Map(Vec::new()),
            names: None,
        }
    }
}

impl<T, K: AsRef<str>> Collector<T, K> {
    /// Reads the value of a member that was just named.
    ///
    /// # Errors
    /// The name stands for the second time, or the value is refused.
    pub fn read<'de>(
        &mut self,
        reader: &mut Reader<'de>,
        name: Cow<'de, str>,
        read: impl FnOnce(&mut Reader<'de>) -> Result<T>,
    ) -> Result<()>
    where
        K: From<Cow<'de, str>>,
    {
        if self.is_known(&name) {
            return Err(reader.duplicate(&name));
        }
        match read(reader) {
            Ok(value) => {
                self.map.0.push((name.into(), value));
                Ok(())
            }
            Err(error) => Err(error.within(name.into_owned())),
        }
    }

    /// The member of that name, where it was read.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        self.map.get(name)
    }

    /// The members that were read.
    #[inline]
    #[must_use]
    pub fn finish(self) -> Map<T, K> {
        self.map
    }

    fn is_known(&mut self, name: &str) -> bool {
        if self.map.len() < FEW {
            return self.map.get(name).is_some();
        }
        let known = self.map.iter().map(|(name, _)| Box::from(name));
        let names = self.names.get_or_insert_with(|| known.collect());
        !names.insert(name.into())
    }
}

impl<'de> Reader<'de> {
    /// Reads an object whose members all have one type.
    ///
    /// # Errors
    /// The next value is no object, a member stands twice, or a value is refused.
    pub fn map<T, K: AsRef<str> + From<Cow<'de, str>>>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Map<T, K>> {
        self.begin_object()?;
        let mut members = Collector::default();
        let mut first = true;
        while let Some(name) = self.next_key(&mut first)? {
            members.read(self, name, &mut read)?;
        }
        Ok(members.finish())
    }
}

impl<'de, T: Decode<'de>, K: AsRef<str> + From<Cow<'de, str>>> Decode<'de> for Map<T, K> {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.map(T::decode)
    }
}

impl<T: Encode, K: AsRef<str>> Encode for Map<T, K> {
    fn encode(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object.extra(self, &[]);
        object.end();
    }
}
