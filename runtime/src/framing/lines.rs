//! Bytes to frames one by one: lines with their bounds, checked for UTF-8 once, whatever the chunks.

use crate::{Code, Detail, Error, FinalLine, Result};
use memchr::memchr;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A carry buffer that one large frame has grown is given back down to this.
const KEEP: usize = 64 << 10;

/// So many bytes are checked for UTF-8 in one step.
const BLOCK: usize = 64;

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
}

/// A frame, nothing, or an error, of what is not usual. It has another layout than what it becomes:
/// with the same one, usual frames would be copied through memory as well, and wait for it.
#[derive(Default)]
struct Unusual<'a> {
    line: u64,
    text: Option<&'a str>,
    error: Option<Error>,
}

impl Unusual<'_> {
    fn error(error: Error) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }
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
    // A call would hand each frame over in memory, and its caller would wait for it.
    #[expect(clippy::inline_always, reason = "see above")]
    #[inline(always)]
    pub fn next<'s, 'c: 's>(&'s mut self, input: &mut &'c [u8]) -> Result<Option<Frame<'s>>> {
        let end = memchr(b'\n', input);
        if let Some(text) = self.usual(input, end) {
            let line = self.ended;
            return Ok(Some(Frame { text, line }));
        }
        let unusual = self.unusual(input, end);
        match (unusual.text, unusual.error) {
            (Some(text), _) => Ok(Some(Frame {
                text,
                line: unusual.line,
            })),
            (None, None) => Ok(None),
            (None, Some(error)) => Err(error),
        }
    }

    /// The line up to that line end, where nothing but the line itself has to be looked at.
    #[inline(always)]
    fn usual<'c>(&mut self, input: &mut &'c [u8], end: Option<usize>) -> Option<&'c str> {
        let end = end?;
        let payload = without_return(input.get(..end)?);
        if payload.len() > self.limit
            || *payload.first()? <= b' '
            || !self.carry.is_empty()
            || self.mark.is_some()
            || self.skips
            || self.stopped.is_some()
        {
            return None;
        }
        let text = start_of(input, payload.len())?;
        *input = input.get(end + 1..)?;
        self.ended += 1;
        Some(text)
    }

    /// What is not usual: heartbeats, parts of lines, and the ends of streams. The first line end
    /// has been looked for already.
    #[inline(never)]
    fn unusual<'s, 'c: 's>(&'s mut self, input: &mut &'c [u8], end: Option<usize>) -> Unusual<'s> {
        let bytes = match self.find(input, end) {
            Ok(Found::InChunk(bytes)) => bytes,
            Ok(Found::InCarry) => without_return(&self.carry),
            Ok(Found::Nowhere) => return Unusual::default(),
            Err(error) => return Unusual::error(error),
        };
        match text(bytes) {
            Ok(text) => Unusual {
                line: self.ended,
                text: Some(text),
                error: None,
            },
            Err(error) => Unusual::error(stop(&mut self.stopped, error.on_line(self.ended))),
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

    fn find<'a>(&mut self, input: &mut &'a [u8], end: Option<usize>) -> Result<Found<'a>> {
        if let Some(error) = &self.stopped {
            return Err(error.clone());
        }
        self.release();
        let before = input.len();
        self.skip_mark(input)?;
        let mut end = end.map(|end| end - (before - input.len()));
        loop {
            let Some(at) = end else {
                if !self.skips {
                    self.keep(input)?;
                }
                *input = &[];
                return Ok(Found::Nowhere);
            };
            let (head, rest) = (&input[..at], &input[at + 1..]);
            if std::mem::take(&mut self.skips) {
                *input = rest;
                self.ended += 1;
            } else if self.carry.is_empty() {
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
            end = memchr(b'\n', input);
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

/// That many bytes of a chunk, where they are text.
///
/// What is no whole block costs as much as several that are, so the last block is filled up with
/// what follows in the chunk. That is never a reason to refuse: where it is no text, or may end
/// within a character, the bytes that were asked for are looked at alone.
#[inline(always)]
fn start_of(chunk: &[u8], bytes: usize) -> Option<&str> {
    let blocks = chunk.get(..bytes.next_multiple_of(BLOCK));
    if let Some(blocks) = blocks
        && blocks.last().is_some_and(u8::is_ascii)
        && let Ok(text) = simdutf8::basic::from_utf8(blocks)
    {
        return text.get(..bytes);
    }
    simdutf8::basic::from_utf8(chunk.get(..bytes)?).ok()
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
