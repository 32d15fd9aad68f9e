//! Choices by a seed, the same on every machine.

/// SplitMix64: one word of state, good enough to choose among alternatives.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The choices of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The choices of the n-th case of a seed; neighbours have nothing in common.
    #[must_use]
    pub fn of(seed: u64, number: usize) -> Self {
        let mut first = Self(seed ^ (number as u64).wrapping_mul(0xD134_2543_DE82_EF95));
        Self(first.word())
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A number below `bound`, and 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.word() % (bound.max(1) as u64)).unwrap_or(0)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of a list, which has at least one.
    pub fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
