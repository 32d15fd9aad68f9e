//! Hash maps with a fast hash whose seed is random, since the keys come from untrusted schemas.

use foldhash::fast::RandomState;

/// A map by hash.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
/// A set by hash.
pub(crate) type HashSet<K> = std::collections::HashSet<K, RandomState>;
/// A map that keeps the order of insertion.
pub(crate) type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;
/// A set that keeps the order of insertion.
pub(crate) type IndexSet<K> = indexmap::IndexSet<K, RandomState>;
