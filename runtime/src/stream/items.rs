//! The items of a stream that is waited for, with deadlines and an orderly end.

use super::{IoSource, Source};
use crate::framing::{Decoder, Decodes, Event, Policy, Protocol, Step};
use crate::{Code, Error, Result};
use futures_core::Stream;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::AsyncRead;
use tokio::time::{Instant, Sleep, sleep};

/// The items of a stream.
///
/// The source is released and dropped before the terminal item is handed out, and before an error
/// is. The stream ends only where it was proved to be whole; after an error it gives the same error
/// for ever. Waiting may be given up at any point: what was read is kept, and dropping this drops
/// the source.
pub struct Items<S, C: Decodes> {
    source: Option<S>,
    decoder: Decoder<C>,
    /// The source has no more bytes.
    exhausted: bool,
    /// What is handed out once the source is released.
    last: Option<Event<C::Item>>,
    total: Option<Pin<Box<Sleep>>>,
    idle: Option<(Duration, Pin<Box<Sleep>>)>,
    abort: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<R: AsyncRead + Unpin, C: Decodes> Items<IoSource<R>, C> {
    /// Reads from anything that tokio reads from.
    pub fn read(reader: R, protocol: Protocol<C>, policy: Policy) -> Self {
        Self::new(IoSource::new(reader), Decoder::new(protocol, policy))
    }
}

impl<S: Source, C: Decodes> Items<S, C> {
    /// Reads from a source of another kind.
    pub fn new(source: S, decoder: Decoder<C>) -> Self {
        Self {
            source: Some(source),
            decoder,
            exhausted: false,
            last: None,
            total: None,
            idle: None,
            abort: None,
        }
    }

    /// The same stream, which ends with an error after that time in all.
    #[must_use]
    pub fn within(mut self, total: Duration) -> Self {
        self.total = Some(Box::pin(sleep(total)));
        self
    }

    /// The same stream, which ends with an error where no byte comes for that time; a heartbeat
    /// is one.
    #[must_use]
    pub fn idle_within(mut self, idle: Duration) -> Self {
        self.idle = Some((idle, Box::pin(sleep(idle))));
        self
    }

    /// The same stream, which ends with an error when the future does.
    #[must_use]
    pub fn abort_on(mut self, abort: impl Future<Output = ()> + Send + 'static) -> Self {
        self.abort = Some(Box::pin(abort));
        self
    }

    /// Ends the stream with an error; the next call releases the source and gives it.
    pub fn abort(&mut self) {
        self.fail(aborted());
    }

    /// What comes next; nothing where the stream is whole.
    pub async fn next(&mut self) -> Option<Result<Event<C::Item>>> {
        poll_fn(|context| self.poll_event(context)).await
    }

    /// The source, until it is released.
    pub fn source(&self) -> Option<&S> {
        self.source.as_ref()
    }

    /// The source, until it is released, to be changed.
    pub fn source_mut(&mut self) -> Option<&mut S> {
        self.source.as_mut()
    }

    /// How many lines were left out as noise.
    pub fn skipped(&self) -> u64 {
        self.decoder.skipped()
    }

    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Event<C::Item>>>> {
        loop {
            let Some(source) = &mut self.source else {
                if let Some(event) = self.last.take() {
                    return Poll::Ready(Some(Ok(event)));
                }
                return Poll::Ready(match self.decoder.step(&mut &b""[..]) {
                    Ok(Step::Event(event)) => Some(Ok(event)),
                    Ok(_) => None,
                    Err(error) => Some(Err(error)),
                });
            };
            if self.decoder.is_over() {
                ready!(source.poll_release(context));
                self.source = None;
                (self.total, self.idle, self.abort) = (None, None, None);
                continue;
            }
            let step = if self.exhausted {
                self.decoder.finish()
            } else {
                let buffered = source.buffered();
                let mut rest = buffered;
                let step = self.decoder.step(&mut rest);
                let used = buffered.len() - rest.len();
                source.consume(used);
                step
            };
            match step {
                Ok(Step::NeedInput) => ready!(self.poll_fill(context)),
                Ok(Step::Event(event)) if self.decoder.is_over() => self.last = Some(event),
                Ok(Step::Event(event)) => return Poll::Ready(Some(Ok(event))),
                // The decoder says so again once the source is released.
                Ok(Step::End) | Err(_) => {}
            }
        }
    }

    /// Waits for bytes, the end of them, or a reason to stop.
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if poll(&mut self.abort, context) {
            self.fail(aborted());
            return Poll::Ready(());
        }
        if poll(&mut self.total, context) {
            self.fail(Error::new(
                Code::LifetimeExceeded,
                "the end of the stream within the deadline",
            ));
            return Poll::Ready(());
        }
        let Some(source) = &mut self.source else {
            return Poll::Ready(());
        };
        let filled = source.poll_fill(context);
        match filled {
            Poll::Ready(Ok(true)) => {
                if let Some((idle, sleep)) = &mut self.idle {
                    sleep.as_mut().reset(Instant::now() + *idle);
                }
            }
            Poll::Ready(Ok(false)) => self.exhausted = true,
            Poll::Ready(Err(error)) => self.fail(error),
            // Looked at last: bytes that wait already say that nobody was idle but this reader.
            Poll::Pending => {
                let Some((_, sleep)) = &mut self.idle else {
                    return Poll::Pending;
                };
                ready!(sleep.as_mut().poll(context));
                self.fail(Error::new(
                    Code::IdleTimeout,
                    "bytes within the idle deadline",
                ));
            }
        }
        Poll::Ready(())
    }

    fn fail(&mut self, error: Error) {
        let line = self.decoder.line();
        self.decoder.fail(error.on_line(line));
    }
}

fn aborted() -> Error {
    Error::new(Code::Aborted, "a reader that goes on")
}

/// Whether the future, where there is one, has ended.
fn poll<F: Future<Output = ()> + ?Sized>(
    future: &mut Option<Pin<Box<F>>>,
    context: &mut Context<'_>,
) -> bool {
    let over = future
        .as_mut()
        .is_some_and(|future| future.as_mut().poll(context).is_ready());
    if over {
        // A future that has ended is not polled again.
        *future = None;
    }
    over
}

/// Nothing here is pinned in place: what has to be is boxed.
impl<S, C: Decodes> Unpin for Items<S, C> {}

impl<S: Source, C: Decodes> Stream for Items<S, C> {
    type Item = Result<Event<C::Item>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_event(context)
    }
}

impl<S, C: Decodes> fmt::Debug for Items<S, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Items")
            .field("released", &self.source.is_none())
            .finish_non_exhaustive()
    }
}
