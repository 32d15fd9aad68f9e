//! What a stream needs to know of its items: where it begins, where it ends, and what numbers them.

use crate::{Decode, Encode};

/// How items stand on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// The item itself is the frame.
    Item,
    /// Each item stands in an envelope.
    Envelope,
}

/// What a last line without a line end means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinalLine {
    /// A whole value counts.
    Allow,
    /// It was cut off.
    RequireNewline,
}

/// What a contract says about its stream beside the shapes of its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contract {
    /// The capability whose rule of growth holds.
    pub capability: &'static str,
    /// How items stand on the wire.
    pub framing: Framing,
    /// What a last line without a line end means.
    pub final_line: FinalLine,
    /// The largest frame, in bytes without the line end.
    pub max_frame_bytes: u64,
    /// Names of the members that are the homes of provider detail.
    pub extension_points: &'static [&'static str],
}

impl Contract {
    /// A contract; the rest is what a stream has where nothing is said.
    #[must_use]
    pub const fn new(
        capability: &'static str,
        framing: Framing,
        final_line: FinalLine,
        max_frame_bytes: u64,
        extension_points: &'static [&'static str],
    ) -> Self {
        Self {
            capability,
            framing,
            final_line,
            max_frame_bytes,
            extension_points,
        }
    }
}

/// One item of a stream. Implemented by the generated type of a line.
pub trait Item: for<'de> Decode<'de> + Encode {
    /// What the contract says beside the shapes.
    const CONTRACT: Contract;

    /// Whether a run begins with this item.
    fn is_first(&self) -> bool;

    /// Whether this item ends its run.
    fn is_terminal(&self) -> bool;

    /// The number that increases strictly within a run.
    fn sequence(&self) -> Option<u64> {
        None
    }

    /// The identifier that is constant within a run.
    fn session(&self) -> Option<&str> {
        None
    }

    /// The time of the item, as it was written.
    fn timestamp(&self) -> Option<&str> {
        None
    }

    /// The capabilities that this item advertises, where it is the first.
    fn capabilities(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The capability that has to be advertised where this item stands.
    fn gate(&self) -> Option<&'static str> {
        None
    }
}
