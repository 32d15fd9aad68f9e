//! Bytes to items: what came in, and whether the stream is whole.

use super::envelope::{self, Envelope};
use super::protocol::{Ending, MAX_FRAME_BYTES};
use super::{Decodes, Frame, Lines, Noise, Policy, Protocol, hint};
use crate::{Code, Detail, Error, Kind, Reader, Result};
use std::fmt;

/// What a reader hands out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<T> {
    /// An item.
    Item(T),
    /// The item that ends the run. The source of the stream has been released.
    Terminal(T),
    /// A line that is no JSON object was left out, as the caller asked.
    Skipped(Skipped),
}

impl<T> Event<T> {
    /// The item, where it is one.
    pub fn into_item(self) -> Option<T> {
        match self {
            Self::Item(item) | Self::Terminal(item) => Some(item),
            Self::Skipped(_) => None,
        }
    }
}

/// A line that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The error that it would have been, with its line.
    pub error: Error,
}

/// What a decoder has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<T> {
    /// The chunk is used up, and more is needed.
    NeedInput,
    /// Something was read.
    Event(Event<T>),
    /// The stream is whole, and nothing more is read.
    End,
}

/// Reads one stream from the bytes that its driver hands in.
///
/// After an error every further call gives the same error.
pub struct Decoder<C: Decodes> {
    protocol: Protocol<C>,
    lines: Lines,
    noise: Noise,
    /// The terminal item of an envelope, until the `end` frame proves it.
    held: Option<C::Item>,
    state: State,
    skipped: u64,
}

#[derive(Debug)]
enum State {
    Open,
    Ended,
    Failed(Error),
}

/// What a frame comes to.
enum Verdict<T> {
    Event(Event<T>),
    /// The terminal item of an envelope.
    Hold(T),
    End,
}

impl<C: Decodes> Decoder<C> {
    /// A decoder for files and pipes.
    pub fn new(protocol: Protocol<C>, policy: Policy) -> Self {
        Self::with_default(protocol, policy, MAX_FRAME_BYTES)
    }

    /// A decoder for a driver that has a bound of its own, for where nobody says another.
    pub fn with_default(protocol: Protocol<C>, policy: Policy, max_frame_bytes: u64) -> Self {
        let (max_frame_bytes, final_line) = protocol.limits(&policy, max_frame_bytes);
        Self {
            protocol,
            lines: Lines::new(max_frame_bytes, final_line),
            noise: policy.noise,
            held: None,
            state: State::Open,
            skipped: 0,
        }
    }

    /// The next thing in a chunk, which is advanced behind what was read.
    ///
    /// # Errors
    /// The stream breaks its contract.
    pub fn step(&mut self, input: &mut &[u8]) -> Result<Step<C::Item>> {
        loop {
            if let Some(over) = self.over() {
                return over;
            }
            let verdict = match self.lines.next(input) {
                Ok(None) => return Ok(Step::NeedInput),
                Ok(Some(frame)) => judge(&self.protocol, self.noise, self.held.is_some(), frame),
                Err(error) => Err(error),
            };
            if let Some(step) = self.settle(verdict) {
                return step;
            }
        }
    }

    /// Says that no more input comes. Called until it gives [`Step::End`] or an error, as a last
    /// line without a line end may be an item.
    ///
    /// # Errors
    /// The stream breaks its contract, or is not whole.
    pub fn finish(&mut self) -> Result<Step<C::Item>> {
        loop {
            if let Some(over) = self.over() {
                return over;
            }
            let verdict = match self.lines.finish() {
                Ok(Some(frame)) => Some(judge(
                    &self.protocol,
                    self.noise,
                    self.held.is_some(),
                    frame,
                )),
                Ok(None) => None,
                Err(error) => Some(Err(error)),
            };
            let verdict = verdict.unwrap_or_else(|| self.conclude());
            if let Some(step) = self.settle(verdict) {
                return step;
            }
        }
    }

    /// Stops the decoder with an error of its driver: a deadline, a failure to read. An error
    /// that came earlier stays. Where the terminal item of an envelope waits for the `end` frame,
    /// the next step gives it, and the error follows.
    pub fn fail(&mut self, error: Error) {
        if matches!(self.state, State::Open) {
            self.state = State::Failed(error);
        }
    }

    /// Whether nothing more is read.
    pub fn is_over(&self) -> bool {
        !matches!(self.state, State::Open)
    }

    /// The line that the next byte belongs to, from 1.
    pub fn line(&self) -> u64 {
        self.lines.line()
    }

    /// How many lines were left out.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// How many bytes the decoder holds room for.
    pub fn capacity(&self) -> usize {
        self.lines.capacity()
    }

    fn over(&mut self) -> Option<Result<Step<C::Item>>> {
        match &self.state {
            State::Open => None,
            State::Ended => Some(Ok(match self.held.take() {
                Some(item) => Step::Event(Event::Terminal(item)),
                None => Step::End,
            })),
            // The item was read, and is no less an item for what came after it.
            State::Failed(error) => Some(match self.held.take() {
                Some(item) => Ok(Step::Event(Event::Item(item))),
                None => Err(error.clone()),
            }),
        }
    }

    fn settle(&mut self, verdict: Result<Verdict<C::Item>>) -> Option<Result<Step<C::Item>>> {
        match verdict {
            Ok(Verdict::Event(event)) => {
                match &event {
                    Event::Item(_) => {}
                    Event::Terminal(_) => self.state = State::Ended,
                    Event::Skipped(_) => self.skipped += 1,
                }
                Some(Ok(Step::Event(event)))
            }
            Ok(Verdict::Hold(item)) => {
                self.held = Some(item);
                None
            }
            Ok(Verdict::End) => {
                self.state = State::Ended;
                self.over()
            }
            Err(error) => {
                self.state = State::Failed(error);
                self.over()
            }
        }
    }

    /// What it means that the input ends here.
    fn conclude(&self) -> Result<Verdict<C::Item>> {
        let (code, expected) = match self.protocol.ending {
            Ending::Nothing => return Ok(Verdict::End),
            Ending::Terminal => (Code::TerminalMissing, "the terminal item"),
            Ending::End | Ending::TerminalThenEnd => (Code::Truncated, "the `end` frame"),
        };
        Err(Error::new(code, expected)
            .with_found("the end of the stream")
            .on_line(self.lines.line()))
    }
}

impl<C: Decodes> fmt::Debug for Decoder<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Decoder")
            .field("lines", &self.lines)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

fn judge<C: Decodes>(
    protocol: &Protocol<C>,
    noise: Noise,
    held: bool,
    frame: Frame<'_>,
) -> Result<Verdict<C::Item>> {
    if noise == Noise::SkipAndCount
        && let Some(error) = not_an_object(frame.text)
    {
        let error = hint::explain(error, frame.text).on_line(frame.line);
        return Ok(Verdict::Event(Event::Skipped(Skipped { error })));
    }
    read(protocol, held, frame.text)
        .map_err(|error| hint::explain(error, frame.text).on_line(frame.line))
}

fn read<C: Decodes>(protocol: &Protocol<C>, held: bool, text: &str) -> Result<Verdict<C::Item>> {
    if !protocol.ending.has_envelopes() {
        let item = protocol.codec.decode(text)?;
        let terminal = protocol.ending.has_terminal() && protocol.codec.is_terminal(&item);
        return Ok(Verdict::Event(if terminal {
            Event::Terminal(item)
        } else {
            Event::Item(item)
        }));
    }
    match envelope::read(text)? {
        Envelope::Data(..) if held => Err(Error::new(
            Code::ProtocolError,
            "the `end` frame after the terminal item",
        )
        .with_found("another item")),
        Envelope::Data(text, at) => {
            let item = protocol
                .codec
                .decode(text)
                .map_err(|error| error.shifted(at))?;
            if protocol.ending.has_terminal() && protocol.codec.is_terminal(&item) {
                return Ok(Verdict::Hold(item));
            }
            Ok(Verdict::Event(Event::Item(item)))
        }
        Envelope::Failed(failure) => Err(Error::new(
            Code::RemoteError,
            "a producer that does not fail",
        )
        .with_found(&failure.to_string())
        .with_detail(Detail::Remote(failure))),
        Envelope::End if protocol.ending.has_terminal() && !held => Err(Error::new(
            Code::TerminalMissing,
            "the terminal item before the `end` frame",
        )),
        Envelope::End => Ok(Verdict::End),
    }
}

/// Why a line is noise: it is no JSON, or a JSON value that is no object.
fn not_an_object(text: &str) -> Option<Error> {
    let mut reader = Reader::new(text);
    let value = match reader.kind() {
        Ok(kind) => reader
            .skip_value()
            .and_then(|_| reader.end())
            .map(|()| kind),
        Err(error) => Err(error),
    };
    match value {
        Ok(Kind::Object) => None,
        Ok(_) => Some(Error::new(Code::InvalidJson, "a JSON object").with_found(text)),
        Err(error) => Some(error),
    }
}
