//! Bytes to frames: lines with their bounds, checked for UTF-8 once, whatever the chunks.

use crate::{Code, Detail, Error, FinalLine, Result};
use memchr::{memchr, memchr_iter};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A carry buffer that one large frame has grown is given back down to this.
const KEEP: usize = 64 << 10;

/// So much of a chunk is checked at once; it stays in the nearest cache until it is cut.
const WINDOW: usize = 4 << 10;

/// One line that is no heartbeat, without its line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The text, which is UTF-8 throughout.
    pub text: &'a str,
    /// The line of the stream, from 1; heartbeats count.
    pub line: u64,
}

/// Cuts a stream of bytes into frames.
///
/// Nothing is read here: the caller hands in what came, in chunks of any size, and gets the same
/// frames and the same error for every chunking. A frame that lies in one chunk is borrowed from
/// it; only a line that is cut by the end of a chunk is copied, at most the bound of bytes.
///
/// ```
/// use wirelock_runtime::{FinalLine, framing::Lines};
/// let mut lines = Lines::new(1 << 20, FinalLine::Allow);
/// let mut chunk: &[u8] = b"{\"n\":1}\n\n{\"n\":";
/// assert_eq!(lines.next(&mut chunk).unwrap().unwrap().text, r#"{"n":1}"#);
/// // More input is needed, which is no error.
/// assert_eq!(lines.next(&mut chunk).unwrap(), None);
/// let mut chunk: &[u8] = b"2}";
/// assert_eq!(lines.next(&mut chunk).unwrap(), None);
/// let last = lines.finish().unwrap().unwrap();
/// assert_eq!((last.text, last.line), (r#"{"n":2}"#, 3));
/// ```
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    final_line: FinalLine,
    /// The start of a line whose end has not come yet.
    carry: Vec<u8>,
    /// The carry buffer was handed out as a frame, and is cleared before the next one.
    spent: bool,
    /// How many bytes of a byte order mark have come; `None` once that is settled.
    mark: Option<usize>,
    /// Line ends that have come.
    ended: u64,
    stopped: Option<Error>,
    /// The line that stopped this was not read to its end.
    cut: bool,
    /// The rest of a line is stepped over.
    skips: bool,
    /// Lengths of the lines that [`Frames`] has found ahead; kept for its room.
    lengths: Vec<usize>,
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

/// Where a line was found.
enum Found<'a> {
    InChunk(&'a [u8]),
    InCarry,
    Nowhere,
}

impl Lines {
    /// A cutter whose frames have at most that many bytes without the line end.
    #[must_use]
    pub fn new(max_frame_bytes: u64, final_line: FinalLine) -> Self {
        Self {
            // Two bytes of room, so that the bound and its line end can be added to.
            limit: usize::try_from(max_frame_bytes)
                .unwrap_or(usize::MAX)
                .min(usize::MAX - 2),
            final_line,
            carry: Vec::new(),
            spent: false,
            mark: Some(0),
            ended: 0,
            stopped: None,
            cut: false,
            skips: false,
            lengths: Vec::new(),
        }
    }

    /// The same for a part of a stream that begins with a line, but not with the first one: a byte
    /// order mark is content there.
    #[must_use]
    pub fn inside(max_frame_bytes: u64, final_line: FinalLine) -> Self {
        Self {
            mark: None,
            ..Self::new(max_frame_bytes, final_line)
        }
    }

    /// Goes on behind the line that stopped this, for audits; a reader that was promised whole
    /// streams stays stopped.
    ///
    /// ```
    /// use wirelock_runtime::{FinalLine, framing::Lines};
    /// let mut lines = Lines::new(4, FinalLine::Allow);
    /// let mut chunk: &[u8] = b"12345678\n9\n";
    /// assert!(lines.next(&mut chunk).is_err());
    /// lines.resume();
    /// assert_eq!(lines.next(&mut chunk).unwrap().unwrap().line, 2);
    /// ```
    pub fn resume(&mut self) {
        if self.stopped.take().is_some() {
            self.skips = std::mem::take(&mut self.cut);
        }
    }

    /// The next frame of a chunk, which is advanced behind what was read. `None`: the chunk is
    /// used up and the next one is needed.
    ///
    /// # Errors
    /// A frame is too large or no UTF-8. Every further call gives the same error.
    pub fn next<'s, 'c: 's>(&'s mut self, input: &mut &'c [u8]) -> Result<Option<Frame<'s>>> {
        let bytes = match self.find(input)? {
            Found::Nowhere => return Ok(None),
            Found::InChunk(bytes) => bytes,
            Found::InCarry => without_return(&self.carry),
        };
        match text(bytes) {
            Ok(text) => Ok(Some(Frame {
                text,
                line: self.ended,
            })),
            Err(error) => Err(stop(&mut self.stopped, error.on_line(self.ended))),
        }
    }

    /// All frames of a chunk in turn, for readers that take the chunk as a whole: several lines are
    /// checked at once, which is faster where lines are short. Frames, lines and errors are those
    /// of [`Lines::next`].
    ///
    /// ```
    /// use wirelock_runtime::{FinalLine, framing::Lines};
    /// let mut lines = Lines::new(1 << 20, FinalLine::Allow);
    /// let mut frames = lines.push(b"1\n2\n");
    /// let mut count = 0;
    /// while let Some(frame) = frames.next().unwrap() {
    ///     count += frame.text.len();
    /// }
    /// assert_eq!(count, 2);
    /// ```
    pub fn push<'s, 'c>(&'s mut self, chunk: &'c [u8]) -> Frames<'s, 'c> {
        Frames {
            lines: self,
            chunk,
            at: 0,
            text: "",
            next: usize::MAX,
            searched: 0,
        }
    }

    /// Says that no more input comes, and gives the last line where it has no line end. `None`
    /// once there is nothing left.
    ///
    /// # Errors
    /// The last line is too large, no UTF-8, or has no line end where it needs one.
    pub fn finish(&mut self) -> Result<Option<Frame<'_>>> {
        if let Some(error) = &self.stopped {
            return Err(error.clone());
        }
        self.release();
        if let Some(seen) = self.mark.take().filter(|seen| *seen < BOM.len()) {
            self.keep(&BOM[..seen])?;
        }
        if is_blank(&self.carry) {
            return Ok(None);
        }
        let line = self.ended + 1;
        // A return before no line feed is content.
        let bytes = self.carry.len();
        let verdict = if bytes > self.limit {
            Err(too_large(self.limit))
        } else if self.final_line == FinalLine::RequireNewline {
            Err(Error::new(Code::TruncatedLine, "a line end")
                .with_found(&format!("the end of the stream after {bytes} bytes"))
                .with_detail(Detail::Cut {
                    bytes: bytes as u64,
                }))
        } else {
            self.spent = true;
            text(&self.carry)
        };
        match verdict {
            Ok(text) => Ok(Some(Frame { text, line })),
            Err(error) => Err(stop(&mut self.stopped, error.on_line(line))),
        }
    }

    /// The line that the next byte belongs to, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.ended + 1
    }

    /// How many bytes the carry buffer holds room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.carry.capacity()
    }

    fn find<'a>(&mut self, input: &mut &'a [u8]) -> Result<Found<'a>> {
        if let Some(error) = &self.stopped {
            return Err(error.clone());
        }
        self.release();
        self.skip_mark(input)?;
        if self.skips {
            let Some(end) = memchr(b'\n', input) else {
                *input = &[];
                return Ok(Found::Nowhere);
            };
            *input = &input[end + 1..];
            self.ended += 1;
            self.skips = false;
        }
        loop {
            let Some(end) = memchr(b'\n', input) else {
                self.keep(input)?;
                *input = &[];
                return Ok(Found::Nowhere);
            };
            let (head, rest) = (&input[..end], &input[end + 1..]);
            if self.carry.is_empty() {
                let payload = without_return(head);
                self.check(payload.len())?;
                *input = rest;
                self.ended += 1;
                if !is_blank(payload) {
                    return Ok(Found::InChunk(payload));
                }
            } else {
                self.keep(head)?;
                self.check(without_return(&self.carry).len())?;
                *input = rest;
                self.ended += 1;
                if !is_blank(&self.carry) {
                    self.spent = true;
                    return Ok(Found::InCarry);
                }
                self.carry.clear();
            }
        }
    }

    /// Steps over a byte order mark at the start of the stream, which chunks may cut.
    fn skip_mark(&mut self, input: &mut &[u8]) -> Result<()> {
        while let Some(seen) = self.mark {
            let Some((byte, rest)) = input.split_first() else {
                return Ok(());
            };
            if *byte == BOM[seen] {
                *input = rest;
                self.mark = Some(seen + 1).filter(|seen| *seen < BOM.len());
            } else {
                self.mark = None;
                self.keep(&BOM[..seen])?;
            }
        }
        Ok(())
    }

    /// Copies the start of a line, unless it is too large already.
    fn keep(&mut self, bytes: &[u8]) -> Result<()> {
        let length = self.carry.len().saturating_add(bytes.len());
        let last = bytes.last().or(self.carry.last());
        // One more byte may be the return of the line end.
        let payload = length - usize::from(length > self.limit && last == Some(&b'\r'));
        self.check(payload)?;
        if length > self.carry.capacity() {
            // Doubling keeps the cost linear, and the bound keeps the doubling from passing it.
            let room = (self.carry.capacity() * 2).clamp(length, (self.limit + 1).max(length));
            self.carry.reserve_exact(room - self.carry.len());
        }
        self.carry.extend_from_slice(bytes);
        Ok(())
    }

    fn check(&mut self, payload: usize) -> Result<()> {
        if payload <= self.limit {
            return Ok(());
        }
        // The reader has stopped, so what it kept is of no more use.
        self.carry = Vec::new();
        self.cut = true;
        let error = too_large(self.limit).on_line(self.ended + 1);
        Err(stop(&mut self.stopped, error))
    }

    fn release(&mut self) {
        if std::mem::take(&mut self.spent) {
            self.carry.clear();
            if self.carry.capacity() > KEEP {
                self.carry.shrink_to(KEEP);
            }
        }
    }
}

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

impl<'c> Frames<'_, 'c> {
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

fn stop(stopped: &mut Option<Error>, error: Error) -> Error {
    stopped.get_or_insert(error).clone()
}

fn too_large(limit: usize) -> Error {
    let (limit, seen) = (limit as u64, limit as u64 + 1);
    Error::new(
        Code::FrameTooLarge,
        format!("a frame of at most {limit} bytes"),
    )
    .with_found("a larger one")
    .with_detail(Detail::Size { limit, seen })
}

fn text(bytes: &[u8]) -> Result<&str> {
    simdutf8::compat::from_utf8(bytes).map_err(|broken| {
        let at = broken.valid_up_to();
        let error = Error::new(Code::InvalidUtf8, "UTF-8").at_offset(at);
        match bytes.get(at) {
            Some(byte) => error.with_found(&format!("the byte 0x{byte:02x}")),
            None => error,
        }
    })
}

#[inline]
fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Whether a line is a heartbeat.
#[inline]
fn is_blank(line: &[u8]) -> bool {
    match line.first() {
        None => true,
        Some(byte) if *byte > b' ' => false,
        Some(_) => line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')),
    }
}
