//! What a name in a report stands for: the part that rules, kinds of findings and codes have in common.

/// What a name in a report stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do.
    pub instead: &'static str,
}
