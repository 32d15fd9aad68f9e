//! Where the bytes of a stream come from, and how it is let go.

use crate::Result;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// The bytes of a stream, chunk by chunk.
///
/// Polling may stop at any point and go on later; nothing is lost.
pub trait Source {
    /// Waits for bytes, where [`Source::buffered`] has none. `false`: no more come.
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>>;

    /// Bytes that have come and were not consumed.
    fn buffered(&self) -> &[u8];

    /// Says that so many of the buffered bytes were read.
    fn consume(&mut self, bytes: usize);

    /// Lets go of what stands behind the source. The reader hands out neither terminal item nor
    /// error before this is done, and drops the source then.
    fn poll_release(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let _ = context;
        Poll::Ready(())
    }
}

/// How many bytes are read at once.
const CHUNK: usize = 64 << 10;

/// Anything that tokio reads from.
pub struct IoSource<R> {
    reader: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
}

impl<R> IoSource<R> {
    /// A source over that reader.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: vec![0; CHUNK].into(),
            start: 0,
            end: 0,
        }
    }
}

impl<R: AsyncRead + Unpin> Source for IoSource<R> {
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>> {
        let mut buffer = ReadBuf::new(&mut self.buffer);
        ready!(Pin::new(&mut self.reader).poll_read(context, &mut buffer))?;
        (self.start, self.end) = (0, buffer.filled().len());
        Poll::Ready(Ok(self.end > 0))
    }

    fn buffered(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }
}

impl<R> fmt::Debug for IoSource<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("IoSource").finish_non_exhaustive()
    }
}
