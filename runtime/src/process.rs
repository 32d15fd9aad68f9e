//! Child processes: the standard output is the stream, and nothing the child leaves behind holds
//! it up.

use crate::framing::{Decoder, Decodes, Policy, Protocol};
use crate::stream::{IoSource, Items, Source};
use crate::{Error, Result};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::signal::unix::{Signal as Signals, SignalKind, signal};
use tokio::task::JoinHandle;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// How long a child may take to end by itself after the terminal item, unless told otherwise.
pub const GRACE: Duration = Duration::from_millis(100);

/// Of the standard error this many bytes are kept, the last ones.
const TAIL: usize = 64 << 10;

/// The items of a child process, and afterwards how it ended.
pub struct Process<C: Decodes> {
    /// The items. Deadlines are set on them: `process.items = process.items.within(..)`.
    pub items: Items<ProcessSource, C>,
    ended: Arc<Mutex<Ended>>,
    stderr: Drain,
}

/// How a child process ended; data beside the terminal item, never instead of it.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Ended {
    /// What the system says; nothing while the child was not waited for.
    pub status: Option<ExitStatus>,
    /// Whether it had to be killed, because it did not end by itself in time.
    pub killed: bool,
    /// The last 64 KiB of its standard error.
    pub stderr: VecDeque<u8>,
    /// How many bytes came on its standard error.
    pub stderr_bytes: u64,
}

impl Ended {
    /// The last of the standard error, as text.
    #[must_use]
    pub fn stderr_text(&self) -> String {
        let (first, second) = self.stderr.as_slices();
        String::from_utf8_lossy(&[first, second].concat()).into_owned()
    }
}

/// Starts a command in a process group of its own and reads its standard output as a stream.
///
/// The standard error is drained all the while. Before the terminal item or an error is handed out,
/// the pipe is closed, the child has [`GRACE`] to end by itself, its group is killed, grandchildren
/// with it, and it is waited for. Dropping this kills the group, too.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// use wirelock_runtime::framing::{Declaration, Policy, Predicate};
/// use wirelock_runtime::process;
/// let contract = Declaration::item()
///     .terminal(Predicate::members(r#"{"type":"result"}"#)?)
///     .declare()?;
/// let mut command = tokio::process::Command::new("sh");
/// command.args(["-c", r#"echo '{"type":"result"}'; exit 3"#]);
/// let mut process = process::spawn(command, contract, Policy::default())?;
/// while let Some(event) = process.items.next().await {
///     event?;
/// }
/// assert_eq!(process.ended().await.status.and_then(|status| status.code()), Some(3));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })
/// # ?; Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The command cannot be started.
pub fn spawn<C: Decodes>(
    mut command: Command,
    protocol: Protocol<C>,
    policy: Policy,
) -> Result<Process<C>> {
    // Listened for before there is a child, so that no end of one is missed.
    let ends = signal(SignalKind::child())?;
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    let (Some(id), Some(stdout), Some(stderr)) = (
        id.and_then(Pid::from_raw),
        child.stdout.take(),
        child.stderr.take(),
    ) else {
        return Err(Error::from(std::io::Error::other("a child without pipes")));
    };
    let ended = Arc::new(Mutex::new(Ended::default()));
    let source = ProcessSource {
        stdout: Some(IoSource::new(stdout)),
        child,
        id,
        ends,
        has_ended: false,
        grace: GRACE,
        timer: None,
        killed: None,
        ended: Arc::clone(&ended),
    };
    Ok(Process {
        items: Items::new(source, Decoder::new(protocol, policy)),
        stderr: Drain(tokio::spawn(drain(stderr, Arc::clone(&ended)))),
        ended,
    })
}

impl<C: Decodes> Process<C> {
    /// The same process, which has that long to end by itself after the terminal item.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        if let Some(source) = self.items.source_mut() {
            source.grace = grace;
        }
        self
    }

    /// The identifier of the child and of its group, until it was waited for.
    pub fn id(&self) -> Option<u32> {
        self.items.source().and_then(|source| source.child.id())
    }

    /// The standard input of the child, where the command pipes it.
    pub fn stdin(&mut self) -> Option<ChildStdin> {
        self.items.source_mut()?.child.stdin.take()
    }

    /// How the child ended, with what came on its standard error. While the stream is not over,
    /// this is what is known so far.
    pub async fn ended(&mut self) -> Ended {
        if self.items.source().is_none() {
            // The group is dead. A process that left it may hold the pipe; it is not waited for.
            let _ = timeout(GRACE, &mut self.stderr.0).await;
        }
        lock(&self.ended).clone()
    }
}

/// The task that drains the standard error; it ends with its owner.
struct Drain(JoinHandle<()>);

impl Drop for Drain {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<C: Decodes> fmt::Debug for Process<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Process")
            .field("items", &self.items)
            .finish_non_exhaustive()
    }
}

/// The standard output of a child process.
pub struct ProcessSource {
    /// Closed first when the source is released.
    stdout: Option<IoSource<ChildStdout>>,
    child: Child,
    id: Pid,
    ends: Signals,
    /// The child has ended and was not waited for: its identifier stays its own, and so does that
    /// of its group, until it is.
    has_ended: bool,
    grace: Duration,
    timer: Option<Pin<Box<Sleep>>>,
    killed: Option<bool>,
    ended: Arc<Mutex<Ended>>,
}

impl ProcessSource {
    fn poll_end(&mut self, context: &mut Context<'_>) -> bool {
        while !self.has_ended {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            // Where the child cannot be asked for, somebody else has waited for it.
            self.has_ended = !matches!(waitid(WaitId::Pid(self.id), options), Ok(None));
            if !self.has_ended && self.ends.poll_recv(context).is_pending() {
                return false;
            }
        }
        true
    }

    fn poll_grace(&mut self, context: &mut Context<'_>) -> bool {
        let grace = self.grace;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(grace)));
        timer.as_mut().poll(context).is_ready()
    }

    fn kill(&self) {
        // It fails where nobody of the group is left, which is what is wanted.
        let _ = kill_process_group(self.id, Signal::KILL);
    }
}

impl Source for ProcessSource {
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>> {
        let Some(stdout) = &mut self.stdout else {
            return Poll::Ready(Ok(false));
        };
        if let Poll::Ready(filled) = stdout.poll_fill(context) {
            if let Some(timer) = &mut self.timer {
                timer.as_mut().reset(Instant::now() + self.grace);
            }
            return Poll::Ready(filled);
        }
        // A grandchild may keep the pipe open, and its end then never comes.
        if self.poll_end(context) && self.poll_grace(context) {
            return Poll::Ready(Ok(false));
        }
        Poll::Pending
    }

    fn buffered(&self) -> &[u8] {
        self.stdout.as_ref().map_or(&[], Source::buffered)
    }

    fn consume(&mut self, bytes: usize) {
        if let Some(stdout) = &mut self.stdout {
            stdout.consume(bytes);
        }
    }

    fn poll_release(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.stdout.take().is_some() {
            self.timer = None;
        }
        if self.killed.is_none() {
            if self.poll_end(context) {
                self.killed = Some(false);
            } else if self.poll_grace(context) {
                self.killed = Some(true);
            } else {
                return Poll::Pending;
            }
            self.kill();
        }
        if !self.poll_end(context) {
            return Poll::Pending;
        }
        let status = self.child.try_wait().unwrap_or_default();
        let mut ended = lock(&self.ended);
        ended.status = status;
        ended.killed = self.killed == Some(true);
        Poll::Ready(())
    }
}

impl Drop for ProcessSource {
    fn drop(&mut self) {
        // After it was waited for, the identifier may be another's.
        if self.child.id().is_some() {
            self.kill();
        }
    }
}

impl fmt::Debug for ProcessSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ProcessSource")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Reads the standard error to its end, so that the child never waits for a reader of it.
async fn drain(mut stderr: ChildStderr, ended: Arc<Mutex<Ended>>) {
    let mut chunk = [0; 8 << 10];
    while let Ok(read @ 1..) = stderr.read(&mut chunk).await {
        let mut ended = lock(&ended);
        ended.stderr_bytes += read as u64;
        ended.stderr.extend(&chunk[..read]);
        let surplus = ended.stderr.len().saturating_sub(TAIL);
        ended.stderr.drain(..surplus);
    }
}

fn lock(ended: &Mutex<Ended>) -> MutexGuard<'_, Ended> {
    ended.lock().unwrap_or_else(PoisonError::into_inner)
}
