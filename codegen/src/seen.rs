//! A set that remembers what was met, cheap while it is small.

use crate::maps::HashSet;
use std::hash::Hash;

/// Up to here members are compared one by one, which costs less than hashing them.
const SMALL: usize = 16;

/// What was met so far.
#[derive(Debug, Clone)]
pub(crate) struct Seen<T> {
    few: Vec<T>,
    many: HashSet<T>,
}

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self {
            few: Vec::new(),
            many: HashSet::default(),
        }
    }
}

impl<T: Hash + Eq + Clone> Seen<T> {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Whether this was met.
    #[cfg(feature = "evolution")]
    pub(crate) fn contains(&self, value: &T) -> bool {
        self.few.contains(value) || self.many.contains(value)
    }

    /// Whether this is met for the first time.
    pub(crate) fn insert(&mut self, value: &T) -> bool {
        if !self.many.is_empty() {
            return self.many.insert(value.clone());
        }
        if self.few.contains(value) {
            return false;
        }
        self.few.push(value.clone());
        if self.few.len() > SMALL {
            self.many.extend(self.few.drain(..));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;

    #[test]
    fn each_value_is_new_once_whatever_the_size() {
        let mut seen = Seen::new();
        let fresh = (0..100).filter(|value| seen.insert(value)).count();
        let repeated = (0..100).filter(|value| seen.insert(value)).count();
        assert_eq!((fresh, repeated), (100, 0));
    }
}
