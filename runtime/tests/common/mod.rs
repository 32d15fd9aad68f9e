//! The contracts of the driver tests, and sources that tell what is done to them.
#![allow(dead_code, reason = "each test uses its part")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use wirelock_runtime::framing::{Declaration, Predicate, Protocol, RawItem, Untyped};

pub(crate) const ITEM: &str = r#"{"type":"step"}"#;
pub(crate) const TERMINAL: &str = r#"{"type":"done"}"#;

/// Items are frames, and the last one is `done`.
pub(crate) fn item() -> Protocol<Untyped> {
    Declaration::item()
        .terminal(done())
        .declare()
        .expect("a contract")
}

/// Items in envelopes, the last one is `done`.
pub(crate) fn envelope() -> Protocol<Untyped> {
    Declaration::envelope()
        .terminal(done())
        .declare()
        .expect("a contract")
}

fn done() -> Predicate {
    Predicate::members(r#"{"type":"done"}"#).expect("an object")
}

pub(crate) fn raw(text: &str) -> RawItem {
    RawItem::new(text).expect("an item")
}

/// What was done to a source.
#[derive(Clone, Default)]
pub(crate) struct Probe(Arc<Counts>);

#[derive(Default)]
struct Counts {
    bytes: AtomicUsize,
    dropped: AtomicBool,
}

impl Probe {
    pub(crate) fn count(&self, bytes: usize) {
        self.0.bytes.fetch_add(bytes, Ordering::SeqCst);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes.load(Ordering::SeqCst)
    }

    pub(crate) fn is_dropped(&self) -> bool {
        self.0.dropped.load(Ordering::SeqCst)
    }

    /// A value that tells this probe when it is dropped.
    pub(crate) fn guard(&self) -> Guard {
        Guard(self.clone())
    }

    /// How long it takes until the source is dropped; looked at every millisecond.
    pub(crate) async fn dropped_within(&self, limit: Duration) -> Duration {
        let start = Instant::now();
        while !self.is_dropped() {
            assert!(
                start.elapsed() < limit,
                "the source still lives after {limit:?}"
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        start.elapsed()
    }

    /// Waits until nothing more is taken from the source, and tells how much was.
    pub(crate) async fn settled(&self) -> usize {
        loop {
            let before = self.bytes();
            tokio::time::sleep(Duration::from_millis(300)).await;
            if before == self.bytes() {
                return before;
            }
        }
    }
}

pub(crate) struct Guard(Probe);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.dropped.store(true, Ordering::SeqCst);
    }
}
