//! What a contract declares of its stream, and what the caller asks beyond it.

use super::{Predicate, RawItem, Reading, Typed, Untyped};
use crate::{FinalLine, Framing, Item, Result};
use std::fmt;
use std::sync::Arc;

/// What proves that a stream is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// The `end` frame of an envelope.
    StreamEnd,
    /// An item that the contract names. In an envelope the `end` frame follows it.
    Terminal,
}

/// What to do with a line that is no JSON object, as the log line of a careless library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Noise {
    /// It ends the stream with an error.
    #[default]
    Error,
    /// It is reported as [`Event::Skipped`](super::Event::Skipped), and reading goes on.
    SkipAndCount,
}

/// What the caller asks. It goes before what the contract says, and that before the defaults of
/// the driver.
#[derive(Debug, Clone, Copy, Default)]
pub struct Policy {
    /// The largest frame, in bytes without the line end.
    pub max_frame_bytes: Option<u64>,
    /// What a last line without a line end means.
    pub final_line: Option<FinalLine>,
    /// What to do with a line that is no JSON object.
    pub noise: Noise,
}

/// The largest frame of files and pipes, where neither caller nor contract says.
pub(crate) const MAX_FRAME_BYTES: u64 = 16 << 20;

/// A contract's stream as data, for one that is known at run time only.
///
/// ```
/// use wirelock_runtime::framing::{Completion, Declaration, DeclarationError, Predicate};
/// let terminal = Predicate::members(r#"{"type":"result"}"#).unwrap();
/// assert!(Declaration::item().terminal(terminal).declare().is_ok());
/// // Nothing would tell an item-framed stream that was cut off from one that is whole.
/// let refused = Declaration::item().completion(Completion::StreamEnd).declare();
/// assert_eq!(refused.unwrap_err(), DeclarationError::ItemNeedsTerminal);
/// ```
#[derive(Debug, Clone)]
pub struct Declaration {
    framing: Framing,
    completion: Option<Completion>,
    max_frame_bytes: Option<u64>,
    final_line: Option<FinalLine>,
    codec: Untyped,
}

impl Declaration {
    /// Items in envelopes, the default of contract streams.
    #[must_use]
    pub fn envelope() -> Self {
        Self::new(Framing::Envelope)
    }

    /// Items that are the frames themselves. They need a terminal.
    #[must_use]
    pub fn item() -> Self {
        Self::new(Framing::Item)
    }

    fn new(framing: Framing) -> Self {
        Self {
            framing,
            completion: None,
            max_frame_bytes: None,
            final_line: None,
            codec: Untyped {
                first: None,
                terminal: None,
                check: None,
            },
        }
    }

    /// What proves that the stream is whole; without it, the terminal where there is one, and
    /// else the end of the stream.
    #[must_use]
    pub fn completion(mut self, completion: Completion) -> Self {
        self.completion = Some(completion);
        self
    }

    /// The items that end a run.
    #[must_use]
    pub fn terminal(mut self, terminal: Predicate) -> Self {
        self.codec.terminal = Some(terminal);
        self
    }

    /// The items that a run begins with; writers hold to it.
    #[must_use]
    pub fn first(mut self, first: Predicate) -> Self {
        self.codec.first = Some(first);
        self
    }

    /// What an item has to fulfil beside being JSON.
    #[must_use]
    pub fn check(mut self, check: impl Fn(&str) -> Result<()> + Send + Sync + 'static) -> Self {
        self.codec.check = Some(Arc::new(check));
        self
    }

    /// The largest frame, in bytes without the line end.
    #[must_use]
    pub fn max_frame_bytes(mut self, bytes: u64) -> Self {
        self.max_frame_bytes = Some(bytes);
        self
    }

    /// What a last line without a line end means.
    #[must_use]
    pub fn final_line(mut self, rule: FinalLine) -> Self {
        self.final_line = Some(rule);
        self
    }

    /// The protocol, where the declaration is one that proves something.
    ///
    /// # Errors
    /// It is not.
    pub fn declare(self) -> std::result::Result<Protocol<Untyped>, DeclarationError> {
        let terminal = self.codec.terminal.as_ref();
        if terminal.is_some_and(Predicate::is_empty) {
            return Err(DeclarationError::TerminalIsEverything);
        }
        if self.max_frame_bytes == Some(0) {
            return Err(DeclarationError::NoFrameFits);
        }
        let ending = match (self.framing, self.completion, terminal) {
            (Framing::Item, Some(Completion::StreamEnd), _) | (Framing::Item, _, None) => {
                return Err(DeclarationError::ItemNeedsTerminal);
            }
            (_, Some(Completion::Terminal), None) => {
                return Err(DeclarationError::TerminalIsMissing);
            }
            (_, Some(Completion::StreamEnd), Some(_)) => {
                return Err(DeclarationError::TerminalIsUnused);
            }
            (Framing::Item, _, Some(_)) => Ending::Terminal,
            (Framing::Envelope, _, Some(_)) => Ending::TerminalThenEnd,
            (Framing::Envelope, _, None) => Ending::End,
        };
        Ok(Protocol {
            codec: self.codec,
            ending,
            max_frame_bytes: self.max_frame_bytes,
            final_line: self.final_line,
        })
    }
}

/// Why a declaration is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclarationError {
    /// Item framing has no frame that says `end`.
    ItemNeedsTerminal,
    /// The terminal is to prove the end, and none is named.
    TerminalIsMissing,
    /// A terminal is named, and the end of the stream is to prove it alone.
    TerminalIsUnused,
    /// Every item would be the last one.
    TerminalIsEverything,
    /// The bound is zero.
    NoFrameFits,
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ItemNeedsTerminal => {
                "item framing needs the completion `terminal` and a terminal item: nothing else tells a whole stream from one that was cut off"
            }
            Self::TerminalIsMissing => "the completion `terminal` needs a terminal item",
            Self::TerminalIsUnused => {
                "the completion `stream-end` leaves the declared terminal item without meaning"
            }
            Self::TerminalIsEverything => "the terminal matches every item",
            Self::NoFrameFits => "a frame bound of 0 bytes lets no frame pass",
        })
    }
}

impl std::error::Error for DeclarationError {}

/// What proves that a stream is whole, with its framing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Nothing: a feed of items without envelopes.
    Nothing,
    /// The terminal item, without envelopes.
    Terminal,
    /// The `end` frame.
    End,
    /// The `end` frame after the terminal item.
    TerminalThenEnd,
}

impl Ending {
    pub(super) fn has_envelopes(self) -> bool {
        matches!(self, Self::End | Self::TerminalThenEnd)
    }

    pub(super) fn has_terminal(self) -> bool {
        matches!(self, Self::Terminal | Self::TerminalThenEnd)
    }
}

/// A contract's stream whose declaration was checked; readers and writers are made from it.
#[derive(Debug, Clone)]
pub struct Protocol<C> {
    pub(super) codec: C,
    pub(super) ending: Ending,
    pub(super) max_frame_bytes: Option<u64>,
    pub(super) final_line: Option<FinalLine>,
}

impl<T: Item> Protocol<Typed<T>> {
    /// The same, where a terminal item has to stand before the `end` frame, too.
    #[must_use]
    pub fn with_terminal(mut self) -> Self {
        if self.ending == Ending::End {
            self.ending = Ending::TerminalThenEnd;
        }
        self
    }

    /// The same with another rule for what ends a run, as one that leaves nested actors out.
    #[must_use]
    pub fn terminal_when(mut self, test: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        self.codec.terminal_when(Arc::new(test));
        self.with_terminal()
    }

    /// The same stream, whose items are what `read` makes of each text, and of which `is_terminal` tells
    /// whether they end the run. For readers alone.
    ///
    /// Types that borrow their text cannot leave the reader, as the text does not. What is wanted of them
    /// can: `read` decodes `borrowed::T` where `T` is the type of the protocol, and gives that.
    ///
    /// A test for the terminal item that was given before gives way to `is_terminal`.
    ///
    /// ```
    /// use wirelock_runtime::framing::{Decoder, Event, Policy, Protocol, Step};
    /// use wirelock_runtime::{Contract, Decode, Encode, FinalLine, Framing, Item, Reader, Result, from_str};
    /// # struct Word(String);
    /// # impl<'de> Decode<'de> for Word {
    /// #     fn decode(reader: &mut Reader<'de>) -> Result<Self> { String::decode(reader).map(Self) }
    /// # }
    /// # impl Encode for Word {
    /// #     fn encode(&self, out: &mut String) { self.0.encode(out); }
    /// # }
    /// # impl Item for Word {
    /// #     const CONTRACT: Contract = Contract::new("words_v1", Framing::Item, FinalLine::Allow, 64, &[]);
    /// #     fn is_first(&self) -> bool { true }
    /// #     fn is_terminal(&self) -> bool { self.0 == "end" }
    /// # }
    /// // `Word` is a generated type, and `Cow<str>` stands for its borrowed one.
    /// type Borrowed<'de> = std::borrow::Cow<'de, str>;
    /// let read = |text: &str| from_str::<Borrowed<'_>>(text).map(|word| (word.len(), word == "end"));
    /// let protocol = Protocol::of::<Word>().reading(read, |(_, is_end)| *is_end);
    /// let mut decoder = Decoder::new(protocol, Policy::default());
    /// let mut chunk: &[u8] = b"\"some\"\n\"end\"\n";
    /// assert_eq!(decoder.step(&mut chunk), Ok(Step::Event(Event::Item((4, false)))));
    /// assert_eq!(decoder.step(&mut chunk), Ok(Step::Event(Event::Terminal((3, true)))));
    /// ```
    #[must_use]
    pub fn reading<U>(
        self,
        read: impl Fn(&str) -> Result<U> + Send + Sync + 'static,
        is_terminal: impl Fn(&U) -> bool + Send + Sync + 'static,
    ) -> Protocol<Reading<U>> {
        Protocol {
            codec: Reading::new(Arc::new(read), Arc::new(is_terminal)),
            ending: self.ending,
            max_frame_bytes: self.max_frame_bytes,
            final_line: self.final_line,
        }
    }
}

impl Protocol<Untyped> {
    /// The protocol of a generated contract, as `Protocol::of::<Line>()`: what its [`Item`] says.
    #[must_use]
    pub fn of<T: Item>() -> Protocol<Typed<T>> {
        Protocol {
            codec: Typed::new(),
            ending: match T::CONTRACT.framing {
                Framing::Item => Ending::Terminal,
                Framing::Envelope => Ending::End,
            },
            max_frame_bytes: Some(T::CONTRACT.max_frame_bytes),
            final_line: Some(T::CONTRACT.final_line),
        }
    }

    /// A feed of JSON lines that has no proof of its end, and so is no contract stream: all it
    /// shares is how lines are read.
    ///
    /// ```
    /// use wirelock_runtime::framing::{Decoder, Policy, Protocol, Step};
    /// let mut decoder = Decoder::new(Protocol::feed(), Policy::default());
    /// assert!(matches!(decoder.step(&mut &b"17\n"[..]), Ok(Step::Event(_))));
    /// assert!(matches!(decoder.finish(), Ok(Step::End)));
    /// ```
    #[must_use]
    pub fn feed() -> Self {
        Self {
            codec: Declaration::item().codec,
            ending: Ending::Nothing,
            max_frame_bytes: None,
            final_line: None,
        }
    }
}

impl<C> Protocol<C> {
    /// How its items are read and written.
    pub fn codec(&self) -> &C {
        &self.codec
    }

    /// The bound and the final-line rule that hold: the caller's, else the contract's, else the
    /// driver's.
    pub(super) fn limits(&self, policy: &Policy, max_frame_bytes: u64) -> (u64, FinalLine) {
        (
            policy
                .max_frame_bytes
                .or(self.max_frame_bytes)
                .unwrap_or(max_frame_bytes),
            policy
                .final_line
                .or(self.final_line)
                .unwrap_or(FinalLine::Allow),
        )
    }
}

const _: fn() = || {
    // Drivers move protocols between threads.
    fn can_be_sent<T: Send + Sync>() {}
    can_be_sent::<(Protocol<Untyped>, RawItem)>();
};
