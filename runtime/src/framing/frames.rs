//! The frames of a chunk as a whole: line ends are looked for and text is checked many lines at once.

use super::lines::is_blank;
use super::{Frame, Lines};
use crate::{Error, Result};
use memchr::{memchr, memchr_iter};

/// So much of a chunk is checked at once; it stays in the nearest cache until it is cut.
const WINDOW: usize = 4 << 10;

/// The frames of one chunk; see [`Lines::push`].
///
/// Where this is dropped before it gave `None`, the rest of the chunk is [`Frames::rest`], and the
/// caller hands it in again.
#[derive(Debug)]
pub struct Frames<'s, 'c> {
    lines: &'s mut Lines,
    chunk: &'c [u8],
    at: usize,
    /// Whole lines that are known to be text, from `at` on.
    text: &'c str,
    /// Which of [`Lines::lengths`] comes next.
    next: usize,
    /// How far line ends were looked for.
    searched: usize,
}

impl<'s, 'c> Frames<'s, 'c> {
    pub(super) fn new(lines: &'s mut Lines, chunk: &'c [u8]) -> Self {
        Self {
            lines,
            chunk,
            at: 0,
            text: "",
            next: usize::MAX,
            searched: 0,
        }
    }

    /// The next frame; `None`: the chunk is used up.
    ///
    /// # Errors
    /// As [`Lines::next`].
    #[expect(
        clippy::should_implement_trait,
        reason = "a frame borrows the carry buffer, which an iterator cannot say"
    )]
    #[inline]
    pub fn next(&mut self) -> Result<Option<Frame<'_>>> {
        loop {
            let Some(payload) = self.ready() else {
                let unready = self.next_unready();
                return match (unready.text, unready.error) {
                    (Some(text), _) => Ok(Some(Frame {
                        text,
                        line: unready.line,
                    })),
                    (None, None) => Ok(None),
                    (None, Some(error)) => Err(error),
                };
            };
            if !is_blank(payload.as_bytes()) {
                return Ok(Some(Frame {
                    text: payload,
                    line: self.lines.ended,
                }));
            }
        }
    }

    /// The next line of those that were checked.
    #[inline(always)]
    fn ready(&mut self) -> Option<&'c str> {
        let length = self.lines.lengths.get(self.next).copied()?;
        let (line, rest) = self.text.split_at_checked(length)?;
        let payload = line.strip_suffix('\n').unwrap_or(line);
        let payload = payload.strip_suffix('\r').unwrap_or(payload);
        if payload.len() > self.lines.limit {
            return None;
        }
        self.text = rest;
        self.next += 1;
        self.at += length;
        self.lines.ended += 1;
        Some(payload)
    }

    #[inline(never)]
    fn next_unready(&mut self) -> Unready<'_> {
        match self.look_ahead() {
            Ok(Some(frame)) => Unready {
                line: frame.line,
                text: Some(frame.text),
                error: None,
            },
            Ok(None) => Unready::default(),
            Err(error) => Unready {
                error: Some(error),
                ..Unready::default()
            },
        }
    }

    fn look_ahead(&mut self) -> Result<Option<Frame<'_>>> {
        loop {
            // Lines that are left are no text, or too large, and are told as such one by one.
            if self.lines.lengths.get(self.next).is_some() {
                return self.next_slowly();
            }
            match self.check() {
                Ahead::Lines => {}
                Ahead::Part => return self.last_part(),
                Ahead::Unusual => return self.next_slowly(),
            }
            while let Some(text) = self.ready() {
                if !is_blank(text.as_bytes()) {
                    let line = self.lines.ended;
                    return Ok(Some(Frame { text, line }));
                }
            }
        }
    }

    /// Checks the whole lines that come next. A line that an earlier chunk began, or that a later
    /// one ends, is checked when it is whole: each byte is looked at once for its line end and
    /// once for its encoding, while it is in the nearest cache.
    fn check(&mut self) -> Ahead {
        let lines = &mut *self.lines;
        lines.release();
        lines.lengths.clear();
        self.next = 0;
        if !lines.carry.is_empty() || lines.mark.is_some() || lines.skips || lines.stopped.is_some()
        {
            return Ahead::Unusual;
        }
        let from = self.searched.max(self.at);
        let to = self.chunk.len().min(from + WINDOW);
        let mut begin = self.at;
        for end in memchr_iter(b'\n', &self.chunk[from..to]) {
            let behind = from + end + 1;
            lines.lengths.push(behind - begin);
            begin = behind;
        }
        self.searched = to;
        if lines.lengths.is_empty() {
            // A line that is longer than the window, or the start of one.
            let Some(end) = memchr(b'\n', &self.chunk[to..]) else {
                self.searched = self.chunk.len();
                return Ahead::Part;
            };
            self.searched = to + end + 1;
            lines.lengths.push(self.searched - begin);
            begin = self.searched;
        }
        let whole = &self.chunk[self.at..begin];
        // Mostly all of it is text; only where it is not, it is asked how far it goes.
        let text = simdutf8::basic::from_utf8(whole).ok().or_else(|| {
            let broken = simdutf8::compat::from_utf8(whole).err()?;
            std::str::from_utf8(&whole[..broken.valid_up_to()]).ok()
        });
        self.text = text.unwrap_or_default();
        Ahead::Lines
    }

    /// Keeps the start of a line, which has no end in this chunk.
    fn last_part(&mut self) -> Result<Option<Frame<'_>>> {
        let rest = self.rest();
        self.at = self.chunk.len();
        self.lines.keep(rest)?;
        Ok(None)
    }

    #[inline(never)]
    fn next_slowly(&mut self) -> Result<Option<Frame<'_>>> {
        let mut rest = self.rest();
        let before = rest.len();
        let result = self.lines.next(&mut rest);
        self.at += before - rest.len();
        // What was found of line ends may lie behind by now.
        self.next = usize::MAX;
        self.searched = self.at;
        result
    }

    /// As [`Lines::resume`].
    pub fn resume(&mut self) {
        self.lines.resume();
    }

    /// What of the chunk was not read.
    #[must_use]
    pub fn rest(&self) -> &'c [u8] {
        &self.chunk[self.at..]
    }
}

/// A frame, nothing, or an error, from the slower way through a chunk. It has another layout than
/// what it becomes: with the same one, frames that are ready would be copied through memory as well,
/// and wait for it.
#[derive(Default)]
struct Unready<'a> {
    line: u64,
    text: Option<&'a str>,
    error: Option<Error>,
}

/// What lies ahead in a chunk.
enum Ahead {
    /// Whole lines.
    Lines,
    /// The start of a line.
    Part,
    /// Something that is read line by line.
    Unusual,
}
