//! The standard output of a command-line producer: numbered lines, and a terminal item always.

use super::{ItemWriter, Written};
use crate::Result;
use crate::framing::{Codec, Policy, Protocol};
use std::fmt;
use std::io::{Stdout, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Why a producer ends without a terminal item of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// It was dropped.
    Dropped,
    /// It panicked.
    Panic,
    /// The process was told to end by that signal.
    Signal(i32),
}

type Stamp<T> = Box<dyn FnMut(&mut T, u64) + Send>;
type LastWords<T> = Box<dyn FnOnce(Cause) -> T + Send>;

/// Writes a run to the standard output, or to another sink.
///
/// Items are numbered in the order they are sent, from any thread; each is one line, flushed. When
/// nobody reads any more, sending says so and is no error. With [`Producer::last_words`] the run
/// has its terminal item even where the program panics or is told to end.
///
/// ```
/// use wirelock_runtime::blocking::{Producer, Written};
/// use wirelock_runtime::framing::{Declaration, Policy, Predicate, RawItem};
/// let contract = Declaration::item()
///     .terminal(Predicate::members(r#"{"type":"result"}"#)?)
///     .declare()?;
/// // With a generated type this is `|item, seq| item.seq = seq`, or alike.
/// let stamp = |item: &mut RawItem, seq: u64| {
///     let text = item.as_str().replace('}', &format!(",\"seq\":{seq}}}"));
///     *item = RawItem::new(&text).unwrap();
/// };
/// let mut wire = Vec::new();
/// {
///     let producer = Producer::new(&mut wire, contract, Policy::default(), stamp)
///         .last_words(|_| RawItem::new(r#"{"type":"result"}"#).unwrap());
///     let hello = RawItem::new(r#"{"type":"hello"}"#)?;
///     assert_eq!(producer.send(hello)?, Written::More);
/// }
/// assert_eq!(wire, b"{\"type\":\"hello\",\"seq\":0}\n{\"type\":\"result\",\"seq\":1}\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Producer<W: Write, C: Codec> {
    shared: Arc<Mutex<Shared<W, C>>>,
    #[cfg(unix)]
    signals: Option<signal_hook::iterator::Handle>,
}

struct Shared<W, C: Codec> {
    writer: ItemWriter<W, C>,
    stamp: Stamp<C::Item>,
    next: u64,
    last_words: Option<LastWords<C::Item>>,
}

impl<C: Codec> Producer<Stdout, C> {
    /// A producer on the standard output. `stamp` writes the number into an item.
    pub fn stdout(
        protocol: Protocol<C>,
        policy: Policy,
        stamp: impl FnMut(&mut C::Item, u64) + Send + 'static,
    ) -> Self {
        Self::new(std::io::stdout(), protocol, policy, stamp)
    }
}

impl<W: Write, C: Codec> Producer<W, C> {
    /// A producer on that sink. `stamp` writes the number into an item.
    pub fn new(
        sink: W,
        protocol: Protocol<C>,
        policy: Policy,
        stamp: impl FnMut(&mut C::Item, u64) + Send + 'static,
    ) -> Self {
        let shared = Shared {
            writer: ItemWriter::new(sink, protocol, policy),
            stamp: Box::new(stamp),
            next: 0,
            last_words: None,
        };
        Self {
            shared: Arc::new(Mutex::new(shared)),
            #[cfg(unix)]
            signals: None,
        }
    }

    /// The same producer, which numbers from there.
    #[must_use]
    pub fn from(self, next: u64) -> Self {
        lock(&self.shared).next = next;
        self
    }

    /// The same producer, which writes this item where the run ends without a terminal one: the
    /// producer is dropped, by a panic or otherwise, or a signal comes that
    /// [`Producer::on_signals`] waits for.
    #[must_use]
    pub fn last_words(self, item: impl FnOnce(Cause) -> C::Item + Send + 'static) -> Self {
        lock(&self.shared).last_words = Some(Box::new(item));
        self
    }

    /// Numbers an item and writes it.
    ///
    /// # Errors
    /// The item breaks the contract, or follows the terminal one; or the sink fails.
    pub fn send(&self, item: C::Item) -> Result<Written> {
        lock(&self.shared).send(item)
    }
}

#[cfg(unix)]
impl<W: Write + Send + 'static, C> Producer<W, C>
where
    C: Codec + Send + 'static,
    C::Item: Send,
{
    /// The same producer, which writes its last words on these signals and then lets the process
    /// end as it would have. A sink that takes nothing for a second does not hold the end up.
    ///
    /// # Errors
    /// The signals cannot be waited for.
    pub fn on_signals(mut self, signals: &[i32]) -> Result<Self> {
        let mut waiting = signal_hook::iterator::Signals::new(signals)?;
        self.signals = Some(waiting.handle());
        // A weak reference, so that this thread does not keep the producer from its end.
        let shared = Arc::downgrade(&self.shared);
        std::thread::spawn(move || {
            for signal in waiting.forever() {
                if let Some(shared) = shared.upgrade() {
                    conclude_soon(&shared, Cause::Signal(signal));
                }
                // Where even that fails, there is nothing left to do but to go on.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
        Ok(self)
    }
}

#[cfg(unix)]
fn conclude_soon<W: Write, C: Codec>(shared: &Mutex<Shared<W, C>>, cause: Cause) {
    use std::sync::TryLockError;
    for _ in 0..100 {
        match shared.try_lock() {
            Ok(mut shared) => return shared.conclude(cause),
            Err(TryLockError::Poisoned(shared)) => return shared.into_inner().conclude(cause),
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        }
    }
}

impl<W: Write, C: Codec> Shared<W, C> {
    fn send(&mut self, mut item: C::Item) -> Result<Written> {
        (self.stamp)(&mut item, self.next);
        let written = self.writer.write(&item)?;
        self.next += 1;
        Ok(written)
    }

    fn conclude(&mut self, cause: Cause) {
        if self.writer.is_over() {
            return;
        }
        if let Some(last_words) = self.last_words.take() {
            // There is nobody left to tell of a failure: the reader misses the terminal item.
            let _ = self.send(last_words(cause));
        }
        let _ = self.writer.end();
    }
}

impl<W: Write, C: Codec> Drop for Producer<W, C> {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(signals) = self.signals.take() {
            signals.close();
        }
        lock(&self.shared).conclude(if std::thread::panicking() {
            Cause::Panic
        } else {
            Cause::Dropped
        });
    }
}

impl<W: Write, C: Codec> fmt::Debug for Producer<W, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Producer").finish_non_exhaustive()
    }
}

/// A line is put together before it is written, so a panic elsewhere leaves nothing half done.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
