//! Members that a type does not declare, and maps: ordered, unique names, nothing lost.

use crate::encode::ObjectWriter;
use crate::error::Result;
use crate::{Decode, Encode, Json, Reader};
use std::collections::HashSet;

/// The members of an object that its type does not declare, in the order they stood.
pub type Extra = Map<Json>;

/// Members by name, in the order they stood.
///
/// Two maps are equal where they hold the same members, in whatever order.
#[derive(Debug, Clone)]
pub struct Map<T>(Vec<(Box<str>, T)>);

/// Beyond this many members a name is looked up by hash, so that reading stays linear.
const FEW: usize = 16;

impl<T> Map<T> {
    /// No members.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

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
            .find(|(key, _)| **key == *name)
            .map(|(_, value)| value)
    }

    /// The member of that name, to be changed.
    #[must_use]
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.0
            .iter_mut()
            .find(|(key, _)| **key == *name)
            .map(|(_, value)| value)
    }

    /// Sets a member: in its place where it stands already, else at the end.
    pub fn insert(&mut self, name: impl Into<Box<str>>, value: T) -> Option<T> {
        let name = name.into();
        match self.get_mut(&name) {
            Some(slot) => Some(std::mem::replace(slot, value)),
            None => {
                self.0.push((name, value));
                None
            }
        }
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        let index = self.0.iter().position(|(key, _)| **key == *name)?;
        Some(self.0.remove(index).1)
    }

    /// The members in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: PartialEq> PartialEq for Map<T> {
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        // Mostly the order is equal, too, and then nothing has to be looked up.
        self.0
            .iter()
            .zip(&other.0)
            .all(|(left, right)| left == right)
            || {
                let theirs: std::collections::HashMap<&str, &T> = other.iter().collect();
                self.iter()
                    .all(|(name, value)| theirs.get(name).is_some_and(|other| *other == value))
            }
    }
}

impl<T: Eq> Eq for Map<T> {}

impl<N: Into<Box<str>>, T> FromIterator<(N, T)> for Map<T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(members: I) -> Self {
        let mut map = Self::new();
        for (name, value) in members {
            map.insert(name, value);
        }
        map
    }
}

impl<T> IntoIterator for Map<T> {
    type Item = (Box<str>, T);
    type IntoIter = std::vec::IntoIter<(Box<str>, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Collects members while an object is read, and refuses a name that stands twice.
#[derive(Debug)]
pub struct Collector<T> {
    map: Map<T>,
    names: HashSet<Box<str>>,
}

impl<T> Default for Collector<T> {
    fn default() -> Self {
        Self {
            map: Map::new(),
            names: HashSet::new(),
        }
    }
}

impl<T> Collector<T> {
    /// Reads the value of a member that was just named.
    ///
    /// # Errors
    /// The name stands for the second time, or the value is refused.
    pub fn read<'de>(
        &mut self,
        reader: &mut Reader<'de>,
        name: &str,
        read: impl FnOnce(&mut Reader<'de>) -> Result<T>,
    ) -> Result<()> {
        if self.is_known(name) {
            return Err(reader.duplicate(name));
        }
        match read(reader) {
            Ok(value) => {
                self.map.0.push((name.into(), value));
                Ok(())
            }
            Err(error) => Err(error.within(name.to_owned())),
        }
    }

    /// The member of that name, where it was read.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        self.map.get(name)
    }

    /// The members that were read.
    #[must_use]
    pub fn finish(self) -> Map<T> {
        self.map
    }

    fn is_known(&mut self, name: &str) -> bool {
        if self.map.len() < FEW {
            return self.map.get(name).is_some();
        }
        if self.names.is_empty() {
            self.names
                .extend(self.map.iter().map(|(name, _)| Box::from(name)));
        }
        !self.names.insert(name.into())
    }
}

impl<'de> Reader<'de> {
    /// Reads an object whose members all have one type.
    ///
    /// # Errors
    /// The next value is no object, a member stands twice, or a value is refused.
    pub fn map<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Map<T>> {
        self.begin_object()?;
        let mut members = Collector::default();
        let mut first = true;
        while let Some(name) = self.next_key(&mut first)? {
            members.read(self, &name, &mut read)?;
        }
        Ok(members.finish())
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Map<T> {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        reader.map(T::decode)
    }
}

impl<T: Encode> Encode for Map<T> {
    fn encode(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object.extra(self, &[]);
        object.end();
    }
}
