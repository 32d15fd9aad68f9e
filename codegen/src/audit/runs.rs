//! The blocks of one recording in their order: what its runs owe the contract beside each line.

use super::Audit;
use super::finding::{Code, Finding, Level, Totals};
use super::lines::{Block, What};
use super::rules::{Advertised, Facts};
use wirelock_runtime::Code as Stream;

/// One recording, as far as its blocks have come.
///
/// It holds a few values for the run that is open, whatever the recording's size.
#[derive(Debug)]
pub struct Recording<'a> {
    audit: &'a Audit,
    /// Lines of the blocks before.
    before: u64,
    run: Option<Run>,
    totals: Totals,
}

/// A run that is open.
#[derive(Debug, Default)]
struct Run {
    /// Its first line is behind, or was unreadable and may have been the right one.
    begun: bool,
    session: Option<Box<str>>,
    sequence: Option<i64>,
    /// The last line could not be read, so that the next one follows on nothing.
    suspended: bool,
    advertised: Option<Advertised>,
    /// The line that ended it.
    terminal: Option<u64>,
    /// The `end` frame came, or the frame of a failure.
    closed: Option<u64>,
    failed: bool,
    /// The first line behind what ended it, and how many there are.
    after: Option<(u64, u64)>,
    /// A line with an escape character was told of.
    escaped: bool,
    last_line: u64,
}

type Out<'o> = &'o mut dyn FnMut(Finding);

impl<'a> Recording<'a> {
    pub(super) fn new(audit: &'a Audit) -> Self {
        Self {
            audit,
            before: 0,
            run: None,
            totals: Totals::default(),
        }
    }

    /// Takes the next block; findings come in the order of their lines, except that what is only
    /// known at the end of a run is told there.
    pub fn add(&mut self, block: Block, out: Out<'_>) {
        let mut findings = block.findings.into_iter().peekable();
        let mut firsts = block.firsts.iter().copied().peekable();
        for record in block.records {
            let line = self.before + record.line;
            let session = match &record.what {
                What::Item(_, Some(index)) => block.sessions.get(*index as usize),
                _ => None,
            };
            self.open(line, session.map(|session| &**session), out);
            while let Some(finding) = findings.next_if(|finding| finding.line <= record.line) {
                self.tell(finding, self.before, out);
            }
            let first = firsts.next_if(|(at, _)| *at == record.line);
            match record.what {
                What::Unreadable => self.unreadable(),
                What::Item(facts, _) => {
                    self.totals.items += 1;
                    self.item(line, &facts, first.map(|(_, advertised)| advertised), out);
                }
                What::End => self.end_frame(line, out),
                What::Failed => {
                    let run = self.run.get_or_insert_default();
                    run.closed = run.closed.or(Some(line));
                    run.failed = true;
                }
            }
        }
        for finding in findings {
            self.tell(finding, self.before, out);
        }
        self.before += block.lines;
        self.totals.bytes += block.bytes;
    }

    /// Says that no more blocks come.
    pub fn finish(mut self, out: Out<'_>) -> Totals {
        self.totals.lines = self.before;
        if self.run.is_none() && self.audit.contract {
            let run = Run {
                last_line: 1,
                ..Run::default()
            };
            self.run = Some(run);
        }
        self.close(out);
        self.totals
    }

    /// Makes sure that there is a run for the line, and that it is the line's own.
    fn open(&mut self, line: u64, session: Option<&str>, out: Out<'_>) {
        let other = self.run.as_ref().is_some_and(|run| {
            let own = run.session.as_deref();
            own.zip(session)
                .is_some_and(|(own, session)| own != session)
        });
        if other && self.audit.many_runs {
            self.close(out);
        } else if other {
            let own = self.run.as_ref().and_then(|run| run.session.as_deref());
            let message = format!(
                "the session is {}, and that of the run {}",
                shown(session.unwrap_or_default()),
                shown(own.unwrap_or_default())
            );
            let finding = Finding::new(Code::SessionIdChanged, Level::Error, line, message);
            self.tell(finding, 0, out);
        }
        if self.run.is_none() {
            self.totals.runs += 1;
        }
        let run = self.run.get_or_insert_default();
        run.last_line = line;
        if let Some(session) = session
            && run.session.as_deref() != Some(session)
        {
            run.session = Some(session.into());
        }
    }

    fn unreadable(&mut self) {
        let run = self.run.get_or_insert_default();
        run.begun = true;
        run.suspended = true;
    }

    fn item(&mut self, line: u64, facts: &Facts, advertised: Option<Advertised>, out: Out<'_>) {
        let audit = self.audit;
        let Some(mut run) = self.run.take() else {
            return;
        };
        let mut tell = |code, level, message: String| {
            self.tell(Finding::new(code, level, line, message), 0, out);
        };
        if !run.begun && !facts.first && audit.rules.first.is_some() {
            let message = "the run begins with another line than the contract says".to_owned();
            tell(Code::InitNotFirst, Level::Error, message);
        }
        run.begun = true;
        if let Some(advertised) = advertised {
            run.advertised = Some(advertised);
            if !advertised.own {
                let message = format!("the first line does not advertise {}", audit.capability);
                tell(Code::CapabilityMissing, Level::Error, message);
            }
        }
        if let Some(now) = facts.sequence {
            match run.sequence.filter(|_| !run.suspended) {
                Some(before) if now <= before => {
                    let message = format!("the sequence number {now} follows on {before}");
                    tell(Code::SeqNotMonotonic, Level::Error, message);
                }
                Some(before) if now - before > 1 => {
                    let message = format!("the sequence number {now} follows on {before}");
                    tell(Code::SeqGap, Level::Note, message);
                }
                _ => {}
            }
            run.sequence = Some(now);
        }
        run.suspended = false;
        if let Some(advertised) = run.advertised {
            for index in bits(facts.gates & !advertised.gates) {
                let name = audit.rules.gates[index].0.text();
                let message =
                    format!("the line needs {name}, which the first line does not advertise");
                tell(Code::CapabilityUnadvertised, Level::Note, message);
            }
        }
        match (run.terminal, facts.terminal) {
            (Some(first), true) => {
                let message = format!("the run has ended on line {first}");
                tell(Code::DuplicateTerminal, Level::Error, message);
                // What came in between stands before a terminal line after all.
                run.after = None;
            }
            (None, true) => run.terminal = Some(line),
            (ended, false) if ended.or(run.closed).is_some() => {
                let (_, count) = run.after.get_or_insert((line, 0));
                *count += 1;
            }
            _ => {}
        }
        self.run = Some(run);
    }

    fn end_frame(&mut self, line: u64, out: Out<'_>) {
        let wants_terminal = self.audit.rules.terminal.is_some();
        let run = self.run.get_or_insert_default();
        let missing = wants_terminal && run.terminal.is_none() && run.closed.is_none();
        if run.closed.is_some() {
            run.after.get_or_insert((line, 0)).1 += 1;
        }
        run.closed = run.closed.or(Some(line));
        if missing {
            let message = "the `end` frame stands before the item that ends a run";
            let code = Code::Stream(Stream::TerminalMissing);
            self.tell(Finding::new(code, Level::Error, line, message), 0, out);
        }
    }

    /// Ends the run that is open.
    fn close(&mut self, out: Out<'_>) {
        let Some(run) = self.run.take().filter(|_| self.audit.contract) else {
            return;
        };
        let line = run.last_line;
        let whole = match self.audit.rules.envelope {
            true => run.closed.is_some(),
            false => run.terminal.is_some(),
        };
        if !whole {
            let (code, message) = match self.audit.rules.envelope {
                true => (Stream::Truncated, "the run has no `end` frame"),
                false => (Stream::TerminalMissing, "the run has no line that ends it"),
            };
            let finding = Finding::new(Code::Stream(code), Level::Error, line, message);
            self.tell(finding, 0, out);
        }
        if let Some((line, count)) = run.after {
            let end = run.closed.or(run.terminal).unwrap_or(line);
            let lines = if count == 1 {
                "line stands"
            } else {
                "lines stand"
            };
            let message = format!("{count} {lines} behind line {end}, which ends the run");
            let finding = Finding::new(Code::DataAfterTerminal, Level::Error, line, message);
            self.tell(finding, 0, out);
        }
    }

    fn tell(&mut self, mut finding: Finding, before: u64, out: Out<'_>) {
        finding.line += before;
        if finding.code == Code::AnsiEscape {
            // One cause makes all of them: the first one is the fault, the others are where else.
            let run = self.run.as_mut();
            if run.is_some_and(|run| std::mem::replace(&mut run.escaped, true)) {
                finding.level = Level::Note;
            }
        }
        match finding.level {
            Level::Error => self.totals.errors += 1,
            Level::Note => self.totals.notes += 1,
        }
        out(finding);
    }
}

fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            index as usize
        })
    })
}

/// A value of the payload, cut to what a message has room for.
fn shown(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
