//! Streams over HTTP/1.1 and HTTP/2: a response body of axum, and reading one with reqwest.

#[cfg(feature = "http-client")]
mod client;
#[cfg(feature = "http-server")]
mod server;

#[cfg(feature = "http-client")]
pub use client::{ResponseItems, ResponseSource, read};
#[cfg(feature = "http-server")]
pub use server::{ItemBody, ItemResponse};

/// The media type of a stream.
pub const MEDIA_TYPE: &str = "application/x-ndjson";

/// The largest frame, where neither caller nor contract says.
pub const MAX_FRAME_BYTES: u64 = 256 << 10;
