//! Streams of JSON lines: bytes to items and back, with the proof that a stream is whole.
//!
//! Nothing here reads or writes. [`Decoder`] takes the bytes that came and gives items; [`Encoder`]
//! takes items and gives the bytes to send. [`Lines`] below them cuts bytes into frames. The
//! drivers beside this module connect them to files, sockets and processes.
//!
//! A stream of a contract either ends by its proof or is an error: the `end` frame of an envelope,
//! or the terminal item. What a contract says comes in as data:
//!
//! ```
//! use wirelock_runtime::framing::{Declaration, Decoder, Event, Policy, Predicate, Step};
//! let contract = Declaration::item()
//!     .terminal(Predicate::members(r#"{"type":"result"}"#).unwrap())
//!     .declare()
//!     .unwrap();
//! let mut decoder = Decoder::new(contract, Policy::default());
//! let mut chunk: &[u8] = b"{\"type\":\"hello\"}\n{\"type\":\"result\"}\nnot read";
//! assert!(matches!(decoder.step(&mut chunk), Ok(Step::Event(Event::Item(_)))));
//! assert!(matches!(decoder.step(&mut chunk), Ok(Step::Event(Event::Terminal(_)))));
//! assert!(matches!(decoder.step(&mut chunk), Ok(Step::End)));
//! ```

mod codec;
mod decoder;
mod document;
mod encoder;
mod envelope;
mod hint;
mod lines;
mod predicate;
mod protocol;

pub use codec::{Codec, Decodes, RawItem, Reading, Typed, Untyped};
pub use decoder::{Decoder, Event, Skipped, Step};
pub use document::{read_document, write_document};
pub use encoder::{Encoder, Flow};
pub use envelope::{Envelope, read as read_envelope};
pub use hint::explain;
pub use lines::{Frame, Lines};
pub use predicate::Predicate;
pub use protocol::{Completion, Declaration, DeclarationError, Noise, Policy, Protocol};
