//! Blocks that threads have read, put back into the order of the recordings.

use super::report::Report;
use crate::exit::Exit;
use anyhow::Result;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use wirelock_codegen::audit::{Audit, Block, Part, Recording};

/// A block, or what became of it.
pub(super) enum Done {
    Block {
        name: Arc<str>,
        block: Block,
        part: Part,
    },
    Unreadable(String),
    /// This program failed on it.
    Fault(String),
}

/// Takes blocks in any order; few of them wait at once.
pub(super) struct Sequence<'a, 'r> {
    audit: &'a Audit,
    /// How far ahead of the block that comes next a thread may be.
    ahead: u64,
    state: Mutex<State<'a, 'r>>,
    advanced: Condvar,
}

struct State<'a, 'r> {
    next: u64,
    waiting: BTreeMap<u64, Done>,
    recording: Option<Recording<'a>>,
    report: Report<'r>,
    fault: Option<String>,
}

impl<'a, 'r> Sequence<'a, 'r> {
    pub(super) fn new(audit: &'a Audit, report: Report<'r>, threads: usize) -> Self {
        Self {
            audit,
            ahead: 2 * threads as u64,
            state: Mutex::new(State {
                next: 0,
                waiting: BTreeMap::new(),
                recording: None,
                report,
                fault: None,
            }),
            advanced: Condvar::new(),
        }
    }

    /// Takes what became of the block with that number; `Break`: no more are wanted.
    pub(super) fn put(&self, number: u64, done: Done) -> ControlFlow<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while number > state.next + self.ahead && state.fault.is_none() {
            state = self
                .advanced
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.insert(number, done);
        loop {
            let next = state.next;
            let Some(done) = state.waiting.remove(&next) else {
                break;
            };
            state.take(self.audit, done);
            state.next += 1;
        }
        self.advanced.notify_all();
        match state.fault {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Ends the report, and says how the audit ended.
    pub(super) fn finish(self) -> Result<Exit> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match state.fault {
            Some(why) => super::fault(&why),
            None => state.report.finish(),
        }
    }
}

impl<'a> State<'a, '_> {
    fn take(&mut self, audit: &'a Audit, done: Done) {
        match done {
            Done::Fault(why) => self.fault = self.fault.take().or(Some(why)),
            Done::Unreadable(why) => {
                // What came of it is no whole recording, and is judged by its lines alone.
                self.recording = None;
                self.report.unreadable(&why);
            }
            Done::Block { name, block, part } => {
                let report = &mut self.report;
                let recording = self.recording.get_or_insert_with(|| audit.recording());
                report.read(&block);
                recording.add(block, &mut |finding| report.finding(&name, &finding));
                if part.last
                    && let Some(recording) = self.recording.take()
                {
                    let totals = recording.finish(&mut |finding| report.finding(&name, &finding));
                    report.file(&totals);
                }
            }
        }
    }
}
