//! Streams over tokio: whatever reads or writes without blocking.
//!
//! ```
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # runtime.block_on(async {
//! use futures_util::stream;
//! use wirelock_runtime::framing::{Declaration, Policy, Predicate, RawItem};
//! use wirelock_runtime::stream::{Chunks, Items, send};
//! use wirelock_runtime::Failure;
//! let contract = Declaration::item()
//!     .terminal(Predicate::members(r#"{"type":"result"}"#)?)
//!     .declare()?;
//! let (reader, writer) = tokio::io::duplex(64);
//! let items = ["{\"type\":\"hello\"}", "{\"type\":\"result\"}"];
//! let source = stream::iter(items.map(|text| RawItem::new(text).map_err(Failure::from)));
//! let sending = send(Chunks::new(source, contract.clone(), Policy::default()), writer);
//! let mut received = Items::read(reader, contract, Policy::default());
//! let receiving = async {
//!     let mut count = 0;
//!     while let Some(event) = received.next().await {
//!         event?.into_item().expect("an item");
//!         count += 1;
//!     }
//!     Ok::<_, wirelock_runtime::Error>(count)
//! };
//! let (_, count) = tokio::join!(sending, receiving);
//! assert_eq!(count?, 2);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })
//! # ?; Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod chunks;
mod items;
mod sink;
mod source;

pub use chunks::{Chunks, HEARTBEAT, Outcome};
pub use items::Items;
pub use sink::{ItemSink, send};
pub use source::{IoSource, Source};
