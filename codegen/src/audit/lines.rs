//! A block of a recording: its lines one by one, each on its own, so that blocks can be read at once.

use super::check::{Check, Fail, Found, Mark};
use super::explain;
use super::finding::{Code, Finding, Level, words};
use super::rules::{Advertised, Facts, Marked};
use super::{Audit, Part, unknown};
use wirelock_runtime::framing::{Envelope, Frame, Lines, explain as hint, read_envelope};
use wirelock_runtime::{Code as Stream, Error, FinalLine};

/// What was read of a block, with lines counted from its start.
#[derive(Debug, Default)]
pub struct Block {
    pub(super) lines: u64,
    pub(super) bytes: u64,
    pub(super) records: Vec<Record>,
    pub(super) findings: Vec<Finding>,
    /// The sessions in the order of their lines, each only where it is not that of the line before.
    pub(super) sessions: Vec<Box<str>>,
    /// What first lines advertise, by line.
    pub(super) firsts: Vec<(u64, Advertised)>,
}

impl Block {
    /// How many bytes were read.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// What a run has to know of a line.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) line: u64,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    Unreadable,
    /// An item, and the index of its session.
    Item(Facts, Option<u32>),
    /// The `end` frame.
    End,
    /// The error frame of a producer.
    Failed,
}

/// Buffers that lines use one after the other.
#[derive(Default)]
struct Buffers {
    found: Vec<Found>,
    marks: Vec<Mark>,
}

/// Reads a block, which begins at the start of a line.
pub(super) fn read(audit: &Audit, bytes: &[u8], part: Part) -> Block {
    let mut reader = BlockReader {
        audit,
        block: Block {
            bytes: bytes.len() as u64,
            ..Block::default()
        },
        buffers: Buffers::default(),
    };
    // What a missing line end means is told here, because the line is looked at all the same.
    let mut lines = match part.first {
        true => Lines::new(audit.max_frame_bytes, FinalLine::Allow),
        false => Lines::inside(audit.max_frame_bytes, FinalLine::Allow),
    };
    let mut rest = bytes;
    loop {
        match lines.next(&mut rest) {
            Ok(Some(frame)) => reader.line(frame),
            Ok(None) => break,
            Err(error) => {
                reader.broken(&error);
                lines.resume();
            }
        }
    }
    if part.last {
        match lines.finish() {
            Ok(Some(frame)) => reader.last_line(frame),
            Ok(None) => {}
            // What was cut off may have been cut within a character.
            Err(error)
                if error.code() == Stream::InvalidUtf8
                    && audit.final_line == FinalLine::RequireNewline =>
            {
                let start = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
                let line = error.line().unwrap_or(1);
                reader.cut(line, bytes.len() - start);
                reader.record(line, What::Unreadable);
            }
            Err(error) => reader.broken(&error),
        }
        // A line without its end is a line for whoever counts them.
        reader.block.lines =
            lines.line() - u64::from(bytes.last().is_none_or(|byte| *byte == b'\n'));
    } else {
        reader.block.lines = lines.line() - 1;
    }
    reader.block
}

struct BlockReader<'a> {
    audit: &'a Audit,
    block: Block,
    buffers: Buffers,
}

impl BlockReader<'_> {
    /// A line that no item can be read from.
    fn broken(&mut self, error: &Error) {
        let line = error.line().unwrap_or(1);
        self.block.findings.push(Finding::of(error, line));
        self.record(line, What::Unreadable);
    }

    /// A last line without a line end.
    fn last_line(&mut self, frame: Frame<'_>) {
        if self.audit.final_line == FinalLine::Allow {
            return self.line(frame);
        }
        self.cut(frame.line, frame.text.len());
        // It is looked at all the same; that it is no JSON is no second fault.
        let known = self.block.findings.len();
        self.line(frame);
        if matches!(self.block.records.last(), Some(record) if matches!(record.what, What::Unreadable))
        {
            self.block.findings.truncate(known);
        }
    }

    fn cut(&mut self, line: u64, bytes: usize) {
        let message =
            format!("expected a line end, found the end of the recording after {bytes} bytes");
        let code = Code::Stream(Stream::TruncatedLine);
        self.finding(code, Level::Error, line, message);
    }

    fn line(&mut self, frame: Frame<'_>) {
        if !self.audit.rules.envelope {
            return self.item(frame.text, frame, 0);
        }
        match read_envelope(frame.text) {
            Ok(Envelope::Data(text, at)) => self.item(text, frame, at),
            Ok(Envelope::End) => self.record(frame.line, What::End),
            Ok(Envelope::Failed(failure)) => {
                let message = format!("the producer failed: {failure}");
                let code = Code::Stream(Stream::RemoteError);
                self.finding(code, Level::Error, frame.line, message);
                self.record(frame.line, What::Failed);
            }
            Err(error) => self.unreadable(error, frame),
        }
    }

    fn unreadable(&mut self, error: Error, frame: Frame<'_>) {
        let error = hint(error, frame.text);
        let mut finding = Finding::of(&error, frame.line);
        // The character stands in no JSON text, so it is what makes this line none.
        if error.code() == Stream::InvalidJson && frame.text.contains('\u{1b}') {
            finding.code = Code::AnsiEscape;
        }
        self.block.findings.push(finding);
        self.record(frame.line, What::Unreadable);
    }

    /// An item that begins at a byte of its line.
    fn item(&mut self, text: &str, frame: Frame<'_>, at: usize) {
        let audit = self.audit;
        let buffers = std::mem::take(&mut self.buffers);
        let (found, marks) = (buffers.found, buffers.marks);
        let mut check = Check::new(&audit.table, text, audit.strict, found, marks);
        let outcome = check.run();
        let Check { found, marks, .. } = check;
        let marked = match outcome {
            Ok(()) => Marked(marks.iter().map(|mark| value(text, *mark)).collect()),
            Err(fail) => {
                let error = self.refused(text, fail);
                let error = match error.offset() {
                    Some(offset) => error.at_offset(at + offset),
                    None => error,
                };
                if error.code() == Stream::InvalidJson {
                    self.buffers = Buffers { found, marks };
                    return self.unreadable(error, frame);
                }
                self.block.findings.push(Finding::of(&error, frame.line));
                audit.rules.marked(text)
            }
        };
        self.unknown(text, &found, &marks, frame.line);
        self.facts(&marked, frame.line);
        self.buffers = Buffers { found, marks };
    }

    fn refused(&self, text: &str, fail: Fail) -> Error {
        explain::error(&self.audit.table, text, fail)
    }

    fn unknown(&mut self, text: &str, found: &[Found], marks: &[Mark], line: u64) {
        if found.is_empty() {
            return;
        }
        for (_, finding) in unknown::told(self.audit, text, found, marks) {
            self.block.findings.push(Finding { line, ..finding });
        }
    }

    fn facts(&mut self, marked: &Marked<'_>, line: u64) {
        let rules = &self.audit.rules;
        if let Some(time) = rules.broken_time(marked) {
            let error = Error::new(Stream::ItemInvalid, "an RFC 3339 date and time");
            let message = words(&error.with_found(&time));
            self.finding(Code::TsInvalid, Level::Error, line, message);
        }
        let facts = rules.facts(marked);
        if facts.first
            && let Some(advertised) = rules.advertised(marked)
        {
            self.block.firsts.push((line, advertised));
        }
        let session = rules.session(marked).map(|session| {
            if self
                .block
                .sessions
                .last()
                .is_none_or(|last| **last != *session)
            {
                self.block.sessions.push(session.into());
            }
            // A block has fewer lines than that.
            u32::try_from(self.block.sessions.len() - 1).unwrap_or(u32::MAX)
        });
        self.record(line, What::Item(facts, session));
    }

    fn finding(&mut self, code: Code, level: Level, line: u64, message: String) {
        let finding = Finding::new(code, level, line, message);
        self.block.findings.push(finding);
    }

    fn record(&mut self, line: u64, what: What) {
        self.block.records.push(Record { line, what });
    }
}

fn value(text: &str, mark: Mark) -> Option<&str> {
    let (from, to) = mark?;
    Some(
        text.get(from..to)?
            .trim_end_matches([' ', '\t', '\r', '\n']),
    )
}
