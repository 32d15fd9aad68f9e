//! A source of items as bytes to send: pulled, kept alive, and let go at its end.

use crate::framing::{Codec, Encoder, Flow, Policy, Protocol};
use crate::{Code, Failure};
use bytes::Bytes;
use futures_core::Stream;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// How often a silent stream says that it is alive, unless told otherwise.
pub const HEARTBEAT: Duration = Duration::from_secs(5);

/// Items that are ready are put together up to this size, and then sent.
const BATCH: usize = 16 << 10;

/// How a stream ended that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It is whole.
    Whole,
    /// Its producer failed, or lived too long; an envelope told its reader so.
    Failed(Failure),
    /// Its reader left.
    Gone,
}

/// The bytes of a stream, made from a source of items as they are asked for.
///
/// Nothing is queued: the source is polled when bytes are wanted, and at most one item beyond
/// 16 KiB is held. The source is dropped right after its terminal item, its failure, or its end, and
/// with this where the reader leaves; it is never polled again.
pub struct Chunks<S, C: Codec> {
    source: Option<Pin<Box<S>>>,
    encoder: Encoder<C>,
    heartbeat: Option<(Duration, Pin<Box<Sleep>>)>,
    opened: bool,
    lifetime: Option<Pin<Box<Sleep>>>,
    observer: Option<Box<dyn FnOnce(Outcome) + Send>>,
}

impl<S, C, F> Chunks<S, C>
where
    S: Stream<Item = Result<C::Item, F>>,
    C: Codec,
    F: Into<Failure>,
{
    /// The bytes of that source. A failure of the source is told as [`Failure`] says.
    pub fn new(source: S, protocol: Protocol<C>, policy: Policy) -> Self {
        Self::with_encoder(source, Encoder::new(protocol, policy))
    }

    /// The bytes of that source, as another encoder makes them.
    pub fn with_encoder(source: S, encoder: Encoder<C>) -> Self {
        Self {
            source: Some(Box::pin(source)),
            encoder,
            heartbeat: None,
            opened: false,
            lifetime: None,
            observer: None,
        }
    }

    /// The same bytes, with a blank line at the start and after each such time of silence.
    #[must_use]
    pub fn heartbeat(mut self, every: Option<Duration>) -> Self {
        self.heartbeat = every.map(|every| (every, Box::pin(sleep(every))));
        self
    }

    /// The same bytes, which end with a failure after that time.
    #[must_use]
    pub fn lifetime(mut self, limit: Option<Duration>) -> Self {
        self.lifetime = limit.map(|limit| Box::pin(sleep(limit)));
        self
    }

    /// The same bytes; the function is told once how the stream ended.
    #[must_use]
    pub fn observe(mut self, observer: impl FnOnce(Outcome) + Send + 'static) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// The next bytes to send; nothing at the end.
    pub async fn next(&mut self) -> Option<Bytes> {
        poll_fn(|context| self.poll_chunk(context)).await
    }

    /// Whether nothing more is sent.
    pub fn is_over(&self) -> bool {
        self.source.is_none()
    }

    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut out = String::new();
        if !std::mem::replace(&mut self.opened, true) && self.heartbeat.is_some() {
            self.encoder.heartbeat(&mut out);
            return Poll::Ready(Some(out.into()));
        }
        if let Some(lifetime) = &mut self.lifetime
            && self.source.is_some()
            && lifetime.as_mut().poll(context).is_ready()
        {
            self.fail(Failure::new(Code::LifetimeExceeded.as_str()), &mut out);
        }
        while let Some(source) = &mut self.source
            && out.len() < BATCH
        {
            match source.as_mut().poll_next(context) {
                Poll::Pending if out.is_empty() => return self.poll_heartbeat(context),
                Poll::Pending => break,
                Poll::Ready(Some(Ok(item))) => match self.encoder.item(&item, &mut out) {
                    Ok(Flow::More) => {}
                    Ok(Flow::Done) => self.release(Outcome::Whole),
                    Err(error) => self.fail(Failure::from(error), &mut out),
                },
                Poll::Ready(Some(Err(failure))) => self.fail(failure.into(), &mut out),
                Poll::Ready(None) => match self.encoder.end(&mut out) {
                    Ok(()) => self.release(Outcome::Whole),
                    Err(error) => self.release(Outcome::Failed(Failure::from(error))),
                },
            }
        }
        if out.is_empty() {
            return Poll::Ready(None);
        }
        if let Some((every, sleep)) = &mut self.heartbeat {
            sleep.as_mut().reset(Instant::now() + *every);
        }
        Poll::Ready(Some(out.into()))
    }

    fn poll_heartbeat(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some((every, sleep)) = &mut self.heartbeat else {
            return Poll::Pending;
        };
        if sleep.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        sleep.as_mut().reset(Instant::now() + *every);
        let mut out = String::new();
        self.encoder.heartbeat(&mut out);
        Poll::Ready(Some(out.into()))
    }

    fn fail(&mut self, failure: Failure, out: &mut String) {
        self.encoder.fail(&failure, out);
        self.release(Outcome::Failed(failure));
    }
}

impl<S, C: Codec> Chunks<S, C> {
    fn release(&mut self, outcome: Outcome) {
        self.source = None;
        if let Some(observer) = self.observer.take() {
            observer(outcome);
        }
    }
}

impl<S, C: Codec> Drop for Chunks<S, C> {
    fn drop(&mut self) {
        self.release(Outcome::Gone);
    }
}

/// Nothing here is pinned in place: what has to be is boxed.
impl<S, C: Codec> Unpin for Chunks<S, C> {}

impl<S, C, F> Stream for Chunks<S, C>
where
    S: Stream<Item = Result<C::Item, F>>,
    C: Codec,
    F: Into<Failure>,
{
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        self.poll_chunk(context)
    }
}

impl<S, C: Codec> fmt::Debug for Chunks<S, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Chunks")
            .field("released", &self.source.is_none())
            .finish_non_exhaustive()
    }
}
