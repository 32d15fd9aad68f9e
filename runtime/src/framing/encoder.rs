//! Items to bytes: one line each, and nothing after the end.

use super::envelope;
use super::protocol::{Ending, MAX_FRAME_BYTES};
use super::{Codec, Policy, Protocol};
use crate::{Code, Detail, Error, Failure, Result};

/// Whether a writer takes more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// The next item may come.
    More,
    /// The stream is whole; its source is not asked again.
    Done,
}

/// Writes one stream, into a buffer that its driver sends.
///
/// ```
/// use wirelock_runtime::framing::{Declaration, Encoder, Flow, Policy, Predicate, RawItem};
/// let contract = Declaration::envelope()
///     .terminal(Predicate::members(r#"{"kind":"complete"}"#).unwrap())
///     .declare()
///     .unwrap();
/// let mut encoder = Encoder::new(contract, Policy::default());
/// let mut out = String::new();
/// let item = RawItem::new(r#"{"kind":"complete"}"#).unwrap();
/// assert_eq!(encoder.item(&item, &mut out), Ok(Flow::Done));
/// assert_eq!(out, "{\"type\":\"data\",\"data\":{\"kind\":\"complete\"}}\n{\"type\":\"end\"}\n");
/// assert!(encoder.item(&item, &mut out).is_err(), "nothing follows the terminal item");
/// ```
#[derive(Debug)]
pub struct Encoder<C: Codec> {
    protocol: Protocol<C>,
    max_frame_bytes: u64,
    validate: bool,
    items: u64,
    over: bool,
}

impl<C: Codec> Encoder<C> {
    /// An encoder for files and pipes. It validates what it writes in debug builds.
    pub fn new(protocol: Protocol<C>, policy: Policy) -> Self {
        Self::with_default(protocol, policy, MAX_FRAME_BYTES)
    }

    /// An encoder for a driver that has a bound of its own, for where nobody says another.
    pub fn with_default(protocol: Protocol<C>, policy: Policy, max_frame_bytes: u64) -> Self {
        let (max_frame_bytes, _) = protocol.limits(&policy, max_frame_bytes);
        Self {
            protocol,
            max_frame_bytes,
            validate: cfg!(debug_assertions),
            items: 0,
            over: false,
        }
    }

    /// The same encoder, which reads each item back before it is sent, or does not.
    #[must_use]
    pub fn validating(mut self, validate: bool) -> Self {
        self.validate = validate;
        self
    }

    /// Appends the line of an item, and the `end` frame where the item is the terminal one.
    ///
    /// # Errors
    /// The item breaks the contract: it has a wrong shape, is too large, does not begin a run, or
    /// comes after the end. Nothing is appended, and the producer has failed.
    pub fn item(&mut self, item: &C::Item, out: &mut String) -> Result<Flow> {
        let start = out.len();
        let result = self.append(item, out);
        if result.is_err() {
            out.truncate(start);
        }
        result
    }

    /// Says that the source has no more items; appends the `end` frame where there is one.
    ///
    /// # Errors
    /// The terminal item is missing; in an envelope, readers are told so.
    pub fn end(&mut self, out: &mut String) -> Result<()> {
        if std::mem::replace(&mut self.over, true) {
            return Ok(());
        }
        match self.protocol.ending {
            Ending::Nothing => Ok(()),
            Ending::End => {
                out.push_str(envelope::END);
                Ok(())
            }
            Ending::Terminal | Ending::TerminalThenEnd => {
                let error = Error::new(Code::TerminalMissing, "the terminal item")
                    .with_found("the end of the source");
                self.tell(&Failure::from(error.clone()), out);
                Err(error)
            }
        }
    }

    /// Says that the producer failed. An envelope tells it in its `error` frame. Without envelopes
    /// nothing is appended: no foreign object stands on the wire, and the missing terminal item
    /// tells the reader.
    pub fn fail(&mut self, failure: &Failure, out: &mut String) {
        if !std::mem::replace(&mut self.over, true) {
            self.tell(failure, out);
        }
    }

    /// Appends a blank line, which keeps a silent stream alive.
    pub fn heartbeat(&self, out: &mut String) {
        if !self.over {
            out.push('\n');
        }
    }

    /// Whether nothing more is written.
    pub fn is_over(&self) -> bool {
        self.over
    }

    fn append(&mut self, item: &C::Item, out: &mut String) -> Result<Flow> {
        let codec = &self.protocol.codec;
        let ending = self.protocol.ending;
        if self.over {
            return Err(
                Error::new(Code::ProtocolError, "nothing after the end of the stream")
                    .with_found("another item"),
            );
        }
        if self.items == 0 && !codec.is_first(item) {
            return Err(
                Error::new(Code::ProtocolError, "the item that begins a run")
                    .with_found("another item"),
            );
        }
        let line = out.len();
        if ending.has_envelopes() {
            out.push_str(envelope::DATA);
        }
        let start = out.len();
        codec.encode(item, out);
        let text = &out[start..];
        if text.is_empty() || text.bytes().any(|byte| byte < b' ') {
            return Err(Error::new(
                Code::ItemInvalid,
                "an item without raw control bytes",
            ));
        }
        if self.validate {
            codec.decode(text)?;
        }
        if ending.has_envelopes() {
            out.push('}');
        }
        let length = (out.len() - line) as u64;
        if length > self.max_frame_bytes {
            let limit = self.max_frame_bytes;
            return Err(Error::new(
                Code::FrameTooLarge,
                format!("a frame of at most {limit} bytes"),
            )
            .with_found(&format!("{length} bytes"))
            .with_detail(Detail::Size {
                limit,
                seen: length,
            }));
        }
        out.push('\n');
        self.items += 1;
        if !(ending.has_terminal() && codec.is_terminal(item)) {
            return Ok(Flow::More);
        }
        if ending.has_envelopes() {
            out.push_str(envelope::END);
        }
        self.over = true;
        Ok(Flow::Done)
    }

    fn tell(&self, failure: &Failure, out: &mut String) {
        if self.protocol.ending.has_envelopes() {
            envelope::write_failure(failure, out);
        }
    }
}
