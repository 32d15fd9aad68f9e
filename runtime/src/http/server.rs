//! The response of a server: headers that keep proxies from buffering, and a body that is pulled.

use super::{MAX_FRAME_BYTES, MEDIA_TYPE};
use crate::Failure;
use crate::framing::{Codec, Encoder, Policy, Protocol};
use crate::stream::{Chunks, HEARTBEAT, Outcome};
use axum_core::body::Body;
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_core::Stream;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use http_body::{Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// A response whose body is a stream.
///
/// The source is polled when the connection takes bytes. It is dropped right after its terminal
/// item, and at once when the client leaves.
///
/// ```
/// # async fn handler() -> wirelock_runtime::http::ItemResponse<
/// #     impl futures_core::Stream<Item = Result<wirelock_runtime::framing::RawItem, wirelock_runtime::Failure>>,
/// #     wirelock_runtime::framing::Untyped,
/// # > {
/// use futures_util::stream;
/// use wirelock_runtime::framing::{Declaration, Policy, RawItem};
/// use wirelock_runtime::{Failure, http::ItemResponse};
/// let contract = Declaration::envelope().declare().expect("a contract");
/// let items = stream::iter([RawItem::new("17").map_err(Failure::from)]);
/// ItemResponse::new(items, contract, Policy::default())
/// # }
/// ```
#[derive(Debug)]
pub struct ItemResponse<S, C: Codec> {
    chunks: Chunks<S, C>,
}

impl<S, C, F> ItemResponse<S, C>
where
    S: Stream<Item = Result<C::Item, F>>,
    C: Codec,
    F: Into<Failure>,
{
    /// A response with the items of that source. It has a heartbeat, and no limit of its lifetime.
    pub fn new(source: S, protocol: Protocol<C>, policy: Policy) -> Self {
        let encoder = Encoder::with_default(protocol, policy, MAX_FRAME_BYTES);
        Self {
            chunks: Chunks::with_encoder(source, encoder).heartbeat(Some(HEARTBEAT)),
        }
    }

    /// The same response, with another heartbeat or none.
    #[must_use]
    pub fn heartbeat(mut self, every: Option<Duration>) -> Self {
        self.chunks = self.chunks.heartbeat(every);
        self
    }

    /// The same response, which fails after that time.
    #[must_use]
    pub fn lifetime(mut self, limit: Duration) -> Self {
        self.chunks = self.chunks.lifetime(Some(limit));
        self
    }

    /// The same response; the function is told once how the stream ended.
    #[must_use]
    pub fn observe(mut self, observer: impl FnOnce(Outcome) + Send + 'static) -> Self {
        self.chunks = self.chunks.observe(observer);
        self
    }
}

impl<S, C, F> IntoResponse for ItemResponse<S, C>
where
    S: Stream<Item = Result<C::Item, F>> + Send + 'static,
    C: Codec + Send + 'static,
    F: Into<Failure> + 'static,
{
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::new(ItemBody(self.chunks)));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        // Proxies that hold a response back until it is large would hold back its items.
        headers.insert(
            HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        );
        response
    }
}

/// The body of an [`ItemResponse`], for servers other than axum.
#[derive(Debug)]
pub struct ItemBody<S, C: Codec>(pub Chunks<S, C>);

impl<S, C, F> http_body::Body for ItemBody<S, C>
where
    S: Stream<Item = Result<C::Item, F>>,
    C: Codec,
    F: Into<Failure>,
{
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let chunk = ready!(Pin::new(&mut self.0).poll_next(context));
        Poll::Ready(chunk.map(|chunk| Ok(Frame::data(chunk))))
    }

    /// Said with the last chunk, so that the end of the body goes out with it and the connection
    /// is free for the next request as soon as the terminal item has come.
    fn is_end_stream(&self) -> bool {
        self.0.is_over()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
