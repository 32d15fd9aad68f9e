//! Reads a stream from a file, a pipe or a socket that blocks.

use crate::framing::{Decoder, Decodes, Event, Policy, Protocol, Step};
use crate::{Code, Error, Result};
use std::io::{BufRead, ErrorKind};
use std::time::{Duration, Instant};

/// The items of a stream that blocks.
///
/// The source is dropped before the terminal item is handed out, and before an error is. The
/// iterator ends only where the stream was proved to be whole; after an error it gives the same
/// error for ever, so that no loop takes a broken stream for a whole one.
///
/// ```
/// use wirelock_runtime::blocking::ItemReader;
/// use wirelock_runtime::framing::{Declaration, Policy, Predicate};
/// let contract = Declaration::item()
///     .terminal(Predicate::members(r#"{"type":"result"}"#)?)
///     .declare()?;
/// let source = &b"{\"type\":\"hello\"}\n{\"type\":\"result\"}\n"[..];
/// let mut items = Vec::new();
/// for event in ItemReader::new(source, contract, Policy::default()) {
///     items.extend(event?.into_item());
/// }
/// assert_eq!(items.len(), 2);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ItemReader<R, C: Decodes> {
    source: Option<R>,
    decoder: Decoder<C>,
    deadline: Option<Instant>,
}

impl<R: BufRead, C: Decodes> ItemReader<R, C> {
    /// A reader of that source.
    pub fn new(source: R, protocol: Protocol<C>, policy: Policy) -> Self {
        Self {
            source: Some(source),
            decoder: Decoder::new(protocol, policy),
            deadline: None,
        }
    }

    /// The same reader, which stops after that time in all. It looks at the clock between reads;
    /// a read that blocks is ended by a timeout of the source itself, which counts as idleness.
    #[must_use]
    pub fn within(mut self, total: Duration) -> Self {
        self.deadline = Instant::now().checked_add(total);
        self
    }

    /// Stops reading and drops the source.
    pub fn abort(&mut self) {
        self.decoder
            .fail(Error::new(Code::Aborted, "a reader that goes on").on_line(self.decoder.line()));
        self.source = None;
    }

    /// The source, until it is released.
    pub fn source(&self) -> Option<&R> {
        self.source.as_ref()
    }

    /// How many lines were left out as noise.
    pub fn skipped(&self) -> u64 {
        self.decoder.skipped()
    }

    fn read(&mut self) -> Result<Step<C::Item>> {
        let Some(source) = &mut self.source else {
            return self.decoder.step(&mut &b""[..]);
        };
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            let error = Error::new(Code::LifetimeExceeded, "the end of the stream in time");
            self.decoder.fail(error.on_line(self.decoder.line()));
            return Ok(Step::NeedInput);
        }
        match source.fill_buf() {
            Ok([]) => self.decoder.finish(),
            Ok(buffered) => {
                let mut rest = buffered;
                let step = self.decoder.step(&mut rest);
                let used = buffered.len() - rest.len();
                source.consume(used);
                step
            }
            Err(error) => {
                if error.kind() != ErrorKind::Interrupted {
                    let error = failure(error).on_line(self.decoder.line());
                    self.decoder.fail(error);
                }
                Ok(Step::NeedInput)
            }
        }
    }
}

impl<R: BufRead, C: Decodes> Iterator for ItemReader<R, C> {
    type Item = Result<Event<C::Item>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let step = self.read();
            if self.decoder.is_over() {
                self.source = None;
            }
            match step {
                Ok(Step::NeedInput) => {}
                Ok(Step::Event(event)) => return Some(Ok(event)),
                Ok(Step::End) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn failure(error: std::io::Error) -> Error {
    match error.kind() {
        // How a socket tells that its read timeout has passed.
        ErrorKind::TimedOut | ErrorKind::WouldBlock => {
            Error::new(Code::IdleTimeout, "bytes within the timeout of the source")
        }
        _ => Error::from(error),
    }
}
