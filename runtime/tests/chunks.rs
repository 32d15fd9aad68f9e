//! Random wires: the cutter against a naive one, and the room it takes.

use wirelock_runtime::framing::Lines;
use wirelock_runtime::{Code, Error, FinalLine};

/// Pieces that meet at their edges in every way that matters.
const PIECES: &[&[u8]] = &[
    b"\n",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\t",
    b"{}",
    b"abc",
    b"\"quoted text\"",
    b"\xEF\xBB\xBF",
    b"\xEF",
    b"\xBB",
    b"\xBF",
    "é".as_bytes(),
    "€".as_bytes(),
    "𝄞".as_bytes(),
    b"\xF0\x9D",
    b"\x84\x9E",
    b"\xFF",
    b"0123456789012345678901234567890123456789",
];

/// Frames with their lines, and the code and line of the error that ends them.
type Naive = (Vec<(String, u64)>, Option<(Code, u64)>);

#[derive(Debug, PartialEq)]
struct Cut {
    frames: Vec<(String, u64)>,
    error: Option<Error>,
}

#[test]
fn every_chunking_agrees_with_a_naive_cutter() {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    for _ in 0..4_000 {
        let mut wire = Vec::new();
        let pieces = if chance.below(2) == 0 {
            12
        } else {
            PIECES.len()
        };
        for _ in 0..chance.below(40) {
            wire.extend_from_slice(PIECES[chance.below(pieces)]);
        }
        let limit = [3, 8, 40, 1 << 20][chance.below(4)];
        let rule = [FinalLine::Allow, FinalLine::RequireNewline][chance.below(2)];
        let expected = naive(&wire, limit, rule);
        let whole = stepped(Lines::new(limit, rule), [&wire[..]].into_iter());
        same(&whole, &expected, &wire);
        for size in [1, 2, 3, 7, 64] {
            let chunks = wire.chunks(size);
            // The naive cutter does not tell all of an error, which has to be the same as well.
            assert_eq!(stepped(Lines::new(limit, rule), chunks), whole, "{wire:?}");
        }
        let mut chunks = Vec::new();
        let mut rest = &wire[..];
        while !rest.is_empty() {
            let (chunk, tail) = rest.split_at(chance.below(20).min(rest.len()));
            chunks.push(chunk);
            rest = tail;
        }
        let found = stepped(Lines::new(limit, rule), chunks.into_iter());
        assert_eq!(found, whole, "{wire:?}");
    }
}

fn same(found: &Cut, expected: &Naive, wire: &[u8]) {
    assert_eq!(found.frames, expected.0, "{wire:?}");
    let error = found.error.as_ref();
    let error = error.map(|error| (error.code(), error.line().unwrap_or(0)));
    assert_eq!(error, expected.1, "{wire:?}");
}

/// What the table of rules says, on the whole wire at once.
fn naive(wire: &[u8], limit: u64, rule: FinalLine) -> Naive {
    let wire = wire.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(wire);
    let mut frames = Vec::new();
    let lines: Vec<&[u8]> = wire.split(|byte| *byte == b'\n').collect();
    for (index, line) in lines.iter().enumerate() {
        let number = index as u64 + 1;
        let last = index + 1 == lines.len();
        let payload = match line.strip_suffix(b"\r") {
            Some(payload) if !last => payload,
            _ => line,
        };
        if payload.len() as u64 > limit {
            return (frames, Some((Code::FrameTooLarge, number)));
        }
        if payload.iter().all(|byte| b" \t\r".contains(byte)) {
            continue;
        }
        if last && rule == FinalLine::RequireNewline {
            return (frames, Some((Code::TruncatedLine, number)));
        }
        match std::str::from_utf8(payload) {
            Ok(text) => frames.push((text.to_owned(), number)),
            Err(_) => return (frames, Some((Code::InvalidUtf8, number))),
        }
    }
    (frames, None)
}

fn stepped<'a>(mut lines: Lines, chunks: impl Iterator<Item = &'a [u8]>) -> Cut {
    let mut frames = Vec::new();
    for chunk in chunks {
        let mut rest = chunk;
        loop {
            match lines.next(&mut rest) {
                Ok(Some(frame)) => frames.push((frame.text.to_owned(), frame.line)),
                Ok(None) => break,
                Err(error) => {
                    return Cut {
                        frames,
                        error: Some(error),
                    };
                }
            }
        }
        assert!(rest.is_empty(), "more is asked for, and there is some");
    }
    finished(lines, frames)
}

fn finished(mut lines: Lines, mut frames: Vec<(String, u64)>) -> Cut {
    loop {
        match lines.finish() {
            Ok(Some(frame)) => frames.push((frame.text.to_owned(), frame.line)),
            Ok(None) => {
                return Cut {
                    frames,
                    error: None,
                };
            }
            Err(error) => {
                return Cut {
                    frames,
                    error: Some(error),
                };
            }
        }
    }
}

#[test]
fn what_follows_a_line_in_its_chunk_is_no_reason_to_refuse_it() {
    for length in 1..200 {
        for character in ["x", "é", "€", "𝄞"] {
            let line = character.repeat(length);
            // Behind the line end there is no text from some byte on, or a character that is cut.
            for between in 0..70 {
                for broken in [&b"\xFF"[..], b"\xF0\x9D", b"\xFFyyy"] {
                    let mut wire = line.clone().into_bytes();
                    wire.push(b'\n');
                    wire.extend(std::iter::repeat_n(b'y', between));
                    wire.extend_from_slice(broken);
                    let mut lines = Lines::new(1 << 20, FinalLine::Allow);
                    let frame = lines.next(&mut &wire[..]).unwrap().unwrap();
                    assert_eq!((frame.text, frame.line), (&line[..], 1));
                }
            }
        }
    }
}

#[test]
fn an_endless_line_stops_at_the_crossing_chunk_and_takes_no_more_room_than_its_bound() {
    const LIMIT: usize = 1 << 20;
    let mut lines = Lines::new(LIMIT as u64, FinalLine::Allow);
    let chunk = [b'x'; 64 << 10];
    let mut read = 0;
    let error = loop {
        read += chunk.len();
        match lines.next(&mut &chunk[..]) {
            Ok(None) => assert!(lines.capacity() <= LIMIT + 1, "{}", lines.capacity()),
            Ok(Some(_)) => panic!("a frame without a line end"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.code(), Code::FrameTooLarge);
    // Sixteen chunks are the bound to the byte, and the next one crosses it.
    assert_eq!(read, LIMIT + chunk.len());
    assert_eq!(lines.capacity(), 0);
}

#[test]
fn one_large_frame_does_not_hold_its_room() {
    let mut lines = Lines::new(16 << 20, FinalLine::Allow);
    let large = vec![b'x'; 8 << 20];
    assert_eq!(lines.next(&mut &large[..]), Ok(None));
    assert!(lines.next(&mut &b"\n"[..]).unwrap().is_some());
    assert_eq!(lines.next(&mut &b"small"[..]), Ok(None));
    assert!(lines.capacity() <= 64 << 10, "{}", lines.capacity());
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
