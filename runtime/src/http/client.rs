//! The response to a client, read as a stream.

use super::MAX_FRAME_BYTES;
use crate::framing::{Decoder, Decodes, Policy, Protocol};
use crate::stream::{Items, Source};
use crate::{Code, Detail, Error, Result};
use bytes::{Buf, Bytes};
use http_body::Body;
use std::error::Error as _;
use std::io::ErrorKind;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The items of a response.
pub type ResponseItems<C> = Items<ResponseSource, C>;

/// Reads the items of a response.
///
/// The request is given up, or its connection given back, before the terminal item is handed out.
/// A frame has at most 256 KiB where neither caller nor contract says.
///
/// # Errors
/// The server did not answer with success.
pub fn read<C: Decodes>(
    response: reqwest::Response,
    protocol: Protocol<C>,
    policy: Policy,
) -> Result<ResponseItems<C>> {
    let status = response.status();
    if !status.is_success() {
        return Err(Error::new(Code::ProtocolError, "a response of success")
            .with_found(&format!("status {status}")));
    }
    let body = http::Response::<reqwest::Body>::from(response).into_body();
    let decoder = Decoder::with_default(protocol, policy, MAX_FRAME_BYTES);
    Ok(Items::new(
        ResponseSource {
            body,
            chunk: Bytes::new(),
        },
        decoder,
    ))
}

/// The body of a response.
#[derive(Debug)]
pub struct ResponseSource {
    body: reqwest::Body,
    chunk: Bytes,
}

impl Source for ResponseSource {
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>> {
        loop {
            let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
            let Some(frame) = frame.transpose().map_err(failure)? else {
                return Poll::Ready(Ok(false));
            };
            // Trailers say nothing of the stream, and an empty chunk is not the end.
            if let Ok(chunk) = frame.into_data()
                && !chunk.is_empty()
            {
                self.chunk = chunk;
                return Poll::Ready(Ok(true));
            }
        }
    }

    fn buffered(&self) -> &[u8] {
        &self.chunk
    }

    fn consume(&mut self, bytes: usize) {
        self.chunk.advance(bytes);
    }

    /// Dropping a body before its end costs the connection, or resets the stream of it. A server
    /// ends its response with the terminal item mostly, so the end is there already, and one look,
    /// which waits for nothing, keeps the connection for the next request.
    fn poll_release(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let _ = Pin::new(&mut self.body).poll_frame(context);
        Poll::Ready(())
    }
}

fn failure(error: reqwest::Error) -> Error {
    // What went wrong stands in the source; the outer message only says that it was the body.
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message = error.to_string();
        cause = error.source();
    }
    let kind = if error.is_timeout() {
        ErrorKind::TimedOut
    } else {
        ErrorKind::ConnectionAborted
    };
    Error::new(Code::Io, "a response that comes to its end")
        .with_found(&message)
        .with_detail(Detail::Io { kind, message })
}
