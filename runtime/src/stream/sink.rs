//! Writing a stream to anything that tokio writes to: item by item, or a whole source.

use super::Chunks;
use crate::framing::{Codec, Encoder, Policy, Protocol};
use crate::{Error, Failure, Result};
use futures_core::Stream;
use futures_sink::Sink;
use std::fmt;
use std::io::ErrorKind;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// A sink asks to wait once it holds this many bytes.
const HIGH: usize = 64 << 10;

/// Takes items and writes their lines.
///
/// It holds less than 64 KiB and one frame. Once it has taken the terminal item it takes no other:
/// [`ItemSink::is_over`] says when to stop.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// use futures_util::SinkExt;
/// use wirelock_runtime::framing::{Declaration, Policy, RawItem};
/// use wirelock_runtime::stream::ItemSink;
/// let mut wire = Vec::new();
/// let mut sink = ItemSink::new(&mut wire, Declaration::envelope().declare()?, Policy::default());
/// sink.send(RawItem::new("17")?).await?;
/// sink.close().await?;
/// assert_eq!(wire, b"{\"type\":\"data\",\"data\":17}\n{\"type\":\"end\"}\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })
/// # ?; Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct ItemSink<W, C: Codec> {
    writer: W,
    encoder: Encoder<C>,
    held: String,
    sent: usize,
    /// Why the stream is not whole; told once its last bytes are sent.
    broken: Option<Error>,
}

impl<W: AsyncWrite + Unpin, C: Codec> ItemSink<W, C> {
    /// A sink to that writer.
    pub fn new(writer: W, protocol: Protocol<C>, policy: Policy) -> Self {
        Self {
            writer,
            encoder: Encoder::new(protocol, policy),
            held: String::new(),
            sent: 0,
            broken: None,
        }
    }

    /// Says that the producer failed; closing the sink sends it.
    pub fn fail(&mut self, failure: &Failure) {
        self.encoder.fail(failure, &mut self.held);
    }

    /// Whether no more items are taken.
    pub fn is_over(&self) -> bool {
        self.encoder.is_over()
    }

    /// How many bytes wait to be written.
    pub fn held(&self) -> usize {
        self.held.len() - self.sent
    }

    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        while self.held() > 0 {
            let rest = &self.held.as_bytes()[self.sent..];
            let written = ready!(Pin::new(&mut self.writer).poll_write(context, rest))?;
            if written == 0 {
                return Poll::Ready(Err(std::io::Error::from(ErrorKind::WriteZero).into()));
            }
            self.sent += written;
        }
        self.held.clear();
        self.held.shrink_to(HIGH);
        self.sent = 0;
        Poll::Ready(Ok(()))
    }
}

impl<W, C: Codec> Unpin for ItemSink<W, C> {}

impl<W: AsyncWrite + Unpin, C: Codec> Sink<C::Item> for ItemSink<W, C> {
    type Error = Error;

    fn poll_ready(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        if self.held() < HIGH {
            return Poll::Ready(Ok(()));
        }
        self.poll_send(context)
    }

    fn start_send(mut self: Pin<&mut Self>, item: C::Item) -> Result<()> {
        let this = &mut *self;
        let taken = this.encoder.item(&item, &mut this.held);
        if let Err(error) = &taken
            && !this.encoder.is_over()
        {
            this.encoder
                .fail(&Failure::from(error.clone()), &mut this.held);
        }
        taken.map(|_| ())
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.writer)
            .poll_flush(context)
            .map_err(Error::from)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let this = &mut *self;
        if let Err(error) = this.encoder.end(&mut this.held) {
            this.broken = Some(error);
        }
        ready!(this.poll_send(context))?;
        ready!(Pin::new(&mut this.writer).poll_shutdown(context))?;
        Poll::Ready(this.broken.take().map_or(Ok(()), Err))
    }
}

impl<W, C: Codec> fmt::Debug for ItemSink<W, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ItemSink")
            .field("held", &(self.held.len() - self.sent))
            .finish_non_exhaustive()
    }
}

/// Sends the bytes of a source, and closes the writer. A reader that leaves is no error: the source
/// is dropped, and whoever observes it is told.
///
/// # Errors
/// The writer fails in another way.
pub async fn send<S, C, F>(
    mut chunks: Chunks<S, C>,
    mut writer: impl AsyncWrite + Unpin,
) -> Result<()>
where
    S: Stream<Item = std::result::Result<C::Item, F>>,
    C: Codec,
    F: Into<Failure>,
{
    while let Some(chunk) = chunks.next().await {
        let sent = match writer.write_all(&chunk).await {
            Ok(()) => writer.flush().await,
            Err(error) => Err(error),
        };
        match sent {
            Ok(()) => {}
            Err(error) if is_gone(error.kind()) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
    match writer.shutdown().await {
        Err(error) if !is_gone(error.kind()) => Err(error.into()),
        _ => Ok(()),
    }
}

fn is_gone(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::NotConnected
    )
}
