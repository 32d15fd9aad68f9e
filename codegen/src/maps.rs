//! Hash maps with a fast hash whose seed is random, since the keys come from untrusted schemas.

/// A map by hash.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
/// A set by hash.
pub(crate) type HashSet<K> = std::collections::HashSet<K, foldhash::fast::RandomState>;
