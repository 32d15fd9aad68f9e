//! Writes a stream to a file, a pipe or a socket that blocks.

use crate::framing::{Codec, Encoder, Flow, Policy, Protocol};
use crate::{Failure, Result};
use std::io::{ErrorKind, Write};

/// What became of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It was written, and the next one may come.
    More,
    /// The stream is whole.
    Done,
    /// Nobody reads any more. That is no failure: a reader may leave when it has seen enough.
    Gone,
}

/// Writes items, each as one line in one write, and flushes it.
///
/// ```
/// use wirelock_runtime::blocking::{ItemWriter, Written};
/// use wirelock_runtime::framing::{Declaration, Policy, Predicate, RawItem};
/// let contract = Declaration::item()
///     .terminal(Predicate::members(r#"{"type":"result"}"#)?)
///     .declare()?;
/// let mut wire = Vec::new();
/// let mut writer = ItemWriter::new(&mut wire, contract, Policy::default());
/// let items = ["{\"type\":\"hello\"}", "{\"type\":\"result\"}", "{\"type\":\"never written\"}"];
/// let written = writer.write_all(items.iter().map(|text| RawItem::new(text).unwrap()))?;
/// assert_eq!(written, Written::Done);
/// assert_eq!(wire, b"{\"type\":\"hello\"}\n{\"type\":\"result\"}\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ItemWriter<W, C: Codec> {
    /// Dropped at the end of the stream, and when nobody reads any more.
    sink: Option<W>,
    encoder: Encoder<C>,
    line: String,
}

impl<W: Write, C: Codec> ItemWriter<W, C> {
    /// A writer to that sink.
    pub fn new(sink: W, protocol: Protocol<C>, policy: Policy) -> Self {
        Self {
            sink: Some(sink),
            encoder: Encoder::new(protocol, policy),
            line: String::new(),
        }
    }

    /// The same writer, which reads each item back before it is sent, or does not.
    #[must_use]
    pub fn validating(mut self, validate: bool) -> Self {
        self.encoder = self.encoder.validating(validate);
        self
    }

    /// Writes an item.
    ///
    /// # Errors
    /// The item breaks the contract, which ends the stream as a failure of its producer; or the
    /// sink fails.
    pub fn write(&mut self, item: &C::Item) -> Result<Written> {
        if self.sink.is_none() && !self.encoder.is_over() {
            return Ok(Written::Gone);
        }
        self.line.clear();
        match self.encoder.item(item, &mut self.line) {
            Ok(flow) => self.send(flow),
            Err(error) => {
                if !self.encoder.is_over() {
                    self.encoder
                        .fail(&Failure::from(error.clone()), &mut self.line);
                    // The first failure is the one to tell of.
                    let _ = self.send(Flow::Done);
                }
                Err(error)
            }
        }
    }

    /// Writes the items of a source and the end of the stream. The source is dropped right after
    /// its terminal item, and what comes behind that is never asked for.
    ///
    /// # Errors
    /// As [`ItemWriter::write`] and [`ItemWriter::end`].
    pub fn write_all(&mut self, source: impl IntoIterator<Item = C::Item>) -> Result<Written> {
        for item in source {
            match self.write(&item)? {
                Written::More => {}
                ended => return Ok(ended),
            }
        }
        self.end()
    }

    /// Says that no more items come.
    ///
    /// # Errors
    /// The terminal item is missing, or the sink fails.
    pub fn end(&mut self) -> Result<Written> {
        if self.encoder.is_over() {
            return Ok(Written::Done);
        }
        self.line.clear();
        let ended = self.encoder.end(&mut self.line);
        let sent = self.send(Flow::Done);
        ended.and(sent)
    }

    /// Says that the producer failed, in the words of an envelope; without envelopes the stream
    /// just ends, and its reader misses the terminal item.
    ///
    /// # Errors
    /// The sink fails.
    pub fn fail(&mut self, failure: &Failure) -> Result<Written> {
        self.line.clear();
        self.encoder.fail(failure, &mut self.line);
        self.send(Flow::Done)
    }

    /// Writes a blank line, which keeps a silent stream alive.
    ///
    /// # Errors
    /// The sink fails.
    pub fn heartbeat(&mut self) -> Result<Written> {
        self.line.clear();
        self.encoder.heartbeat(&mut self.line);
        self.send(Flow::More)
    }

    /// Whether nothing more is written.
    pub fn is_over(&self) -> bool {
        self.sink.is_none()
    }

    /// How many bytes the writer holds room for: those of the largest line so far.
    pub fn capacity(&self) -> usize {
        self.line.capacity()
    }

    fn send(&mut self, flow: Flow) -> Result<Written> {
        let Some(sink) = &mut self.sink else {
            return Ok(Written::Gone);
        };
        // One write for a line, so that another writer to the same pipe cannot cut it.
        let sent = sink
            .write_all(self.line.as_bytes())
            .and_then(|()| sink.flush());
        match sent {
            Ok(()) if flow == Flow::More => Ok(Written::More),
            Ok(()) => {
                self.sink = None;
                Ok(Written::Done)
            }
            Err(error) => {
                self.sink = None;
                match error.kind() {
                    ErrorKind::BrokenPipe => Ok(Written::Gone),
                    _ => Err(error.into()),
                }
            }
        }
    }
}
