//! Recordings in blocks that begin and end with lines, so that each can be read on its own.
//!
//! Threads take blocks in turn; a large file is cut, and small ones are a block each. What is held
//! is a block for each thread, and of a line that is too large no more than shows that it is.

use super::inputs::Input;
use memchr::{memchr, memrchr};
use std::io::Read;
use std::sync::Arc;
use wirelock_codegen::audit::Part;

/// Large enough that taking a block costs nothing beside reading it.
const BLOCK: usize = 1 << 20;

/// What a thread gets to do.
pub(super) enum Task {
    Block {
        name: Arc<str>,
        bytes: Vec<u8>,
        part: Part,
    },
    /// The input, or the rest of it, cannot be read.
    Unreadable(String),
}

pub(super) struct Feed<'i> {
    inputs: std::slice::Iter<'i, Input>,
    open: Option<Open>,
    /// The largest line with its line end, so that a longer one is seen to be too large.
    longest: usize,
    number: u64,
    spare: Vec<Vec<u8>>,
}

/// The input that is being read.
struct Open {
    name: Arc<str>,
    source: Box<dyn Read + Send>,
    first: bool,
    /// The start of a line whose end was not in the block.
    carry: Vec<u8>,
    /// The last block was cut in a line that is too large.
    skips: bool,
}

impl<'i> Feed<'i> {
    pub(super) fn new(inputs: &'i [Input], max_frame_bytes: u64) -> Self {
        Self {
            inputs: inputs.iter(),
            open: None,
            // A return and one byte more than the bound.
            longest: usize::try_from(max_frame_bytes)
                .map_or(usize::MAX, |most| most.saturating_add(2)),
            number: 0,
            spare: Vec::new(),
        }
    }

    /// The next task with its number in the order of the recordings.
    pub(super) fn next(&mut self) -> Option<(u64, Task)> {
        let task = self.task()?;
        self.number += 1;
        Some((self.number - 1, task))
    }

    /// Takes the buffer of a block that was read.
    pub(super) fn give_back(&mut self, mut bytes: Vec<u8>) {
        bytes.clear();
        // A long line is no reason to keep its room.
        bytes.shrink_to(2 * BLOCK);
        self.spare.push(bytes);
    }

    fn task(&mut self) -> Option<Task> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => {
                let input = self.inputs.next()?;
                match input.open() {
                    Ok(source) => Open {
                        name: input.name().into(),
                        source,
                        first: true,
                        carry: Vec::new(),
                        skips: false,
                    },
                    Err(error) => return Some(Task::Unreadable(format!("{error:#}"))),
                }
            }
        };
        let mut bytes = self.spare.pop().unwrap_or_default();
        let last = match open.fill(&mut bytes, self.longest) {
            Ok(last) => last,
            // What was read before stays audited.
            Err(error) => {
                return Some(Task::Unreadable(format!(
                    "{}: it cannot be read: {error}",
                    open.name
                )));
            }
        };
        let part = Part {
            first: std::mem::take(&mut open.first),
            last,
        };
        let name = Arc::clone(&open.name);
        self.open = (!last).then_some(open);
        Some(Task::Block { name, bytes, part })
    }
}

impl Open {
    /// Fills a block, and says whether it is the last one.
    fn fill(&mut self, bytes: &mut Vec<u8>, longest: usize) -> std::io::Result<bool> {
        bytes.append(&mut self.carry);
        if std::mem::take(&mut self.skips) {
            loop {
                bytes.clear();
                if self.read(bytes, BLOCK)? {
                    // The rest of the line that was too large ends the recording.
                    let end = memchr(b'\n', bytes).unwrap_or(bytes.len());
                    bytes.drain(..end);
                    return Ok(true);
                }
                // Its line end stays, and counts it.
                if let Some(end) = memchr(b'\n', bytes) {
                    bytes.drain(..end);
                    break;
                }
            }
        }
        let mut wanted = BLOCK;
        loop {
            if self.read(bytes, wanted)? {
                return Ok(true);
            }
            if let Some(end) = memrchr(b'\n', bytes) {
                self.carry.extend_from_slice(&bytes[end + 1..]);
                bytes.truncate(end + 1);
                return Ok(false);
            }
            if bytes.len() > longest {
                self.skips = true;
                return Ok(false);
            }
            wanted = bytes.len().saturating_mul(2);
        }
    }

    /// Reads until there are that many bytes; whether the input has ended.
    fn read(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> std::io::Result<bool> {
        let missing = wanted.saturating_sub(bytes.len()) as u64;
        let read = (&mut self.source).take(missing).read_to_end(bytes)?;
        Ok((read as u64) < missing)
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Feed, Input, Task};

    /// The blocks of a file with that text.
    fn blocks(text: &[u8], longest: u64) -> Vec<Vec<u8>> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let inputs = [Input::File(file.path().to_owned())];
        let mut feed = Feed::new(&inputs, longest);
        let mut blocks = Vec::new();
        while let Some((number, task)) = feed.next() {
            let Task::Block { bytes, part, .. } = task else {
                panic!("the file can be read")
            };
            assert_eq!(number as usize, blocks.len());
            assert_eq!(part.first, number == 0);
            blocks.push(bytes);
            if part.last {
                assert!(feed.next().is_none());
                break;
            }
        }
        blocks
    }

    #[test]
    fn blocks_end_with_lines_and_hold_everything() {
        let text = b"0123456789abcde\n".repeat(BLOCK / 5);
        let all = blocks(&text, 100);
        assert!(all.len() > 2);
        assert!(
            all.iter()
                .all(|block| block.ends_with(b"\n") && block.len() <= BLOCK + 16)
        );
        assert_eq!(all.concat(), text);
        assert_eq!(blocks(b"", 100), [b""]);
        assert_eq!(blocks(b"x", 100), [b"x"]);
    }

    #[test]
    fn of_a_line_that_is_too_large_no_more_is_held_than_shows_it() {
        let mut text = vec![b'x'; 7 * BLOCK];
        text.extend(b"\nnext\n");
        let all = blocks(&text, 10);
        let lengths: Vec<usize> = all.iter().map(Vec::len).collect();
        assert_eq!(
            lengths,
            [BLOCK, 6],
            "the second one is its line end and the next line"
        );
        // Within the bound the whole line is one block.
        assert_eq!(blocks(&text, 8 << 20).concat(), text);
        text.truncate(7 * BLOCK);
        assert_eq!(blocks(&text, 10).concat().len(), BLOCK);
    }
}
