//! Lines changed by chance: bytes lost, swapped and put in, names said twice or in another spelling,
//! members in another order, whitespace between tokens.

/// A small generator, so that a failure comes back on every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound.max(1)
    }
}

/// What is put in or stands in for a byte: what JSON is made of, what it refuses, and no UTF-8.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"0",
    b"-",
    b".5",
    b"e9",
    b"1.0",
    b"1e400",
    b"18446744073709551616",
    b" ",
    b"\t",
    b"\n",
    b"\x01",
    b"\x7f",
    b"\\u00e4",
    b"\\ud83d\\ude00",
    b"\\ud800",
    b"\\udc00x",
    b"\\u12",
    b"null",
    b"true",
    b"[[]]",
    b"{\"a\":{}}",
    b"\"x\":1,",
    b",\"seq\":7",
    b"\"type\":\"user\",",
    b"\"subtype\":3,",
    "\u{e4}\u{20ac}\u{1f95b}".as_bytes(),
    b"\xff",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\xf0\x9f",
];

/// The line with up to three changes.
pub(crate) fn mutated(line: &[u8], random: &mut Random) -> Vec<u8> {
    let mut line = line.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(line.len() + 1);
        let length = line.len().saturating_sub(at).min(random.below(12));
        let piece = PIECES[random.below(PIECES.len())];
        match random.below(8) {
            0 => drop(line.drain(at..at + length)),
            1 => drop(line.splice(at..at, piece.iter().copied())),
            2 => drop(line.splice(at..at + length.min(1), piece.iter().copied())),
            3 => {
                // A part of the line stands once more, somewhere.
                let part = line[at..at + length].to_vec();
                let to = random.below(line.len() + 1);
                line.splice(to..to, part);
            }
            4 => spaced(&mut line, random),
            5 => spelled_otherwise(&mut line, random),
            6 => turned(&mut line, random),
            _ => said_twice(&mut line, random),
        }
    }
    line
}

/// Whitespace behind some tokens; inside strings it changes what they say.
fn spaced(line: &mut Vec<u8>, random: &mut Random) {
    let mut out = Vec::with_capacity(line.len() * 2);
    for byte in line.iter() {
        out.push(*byte);
        if matches!(byte, b',' | b':' | b'{' | b'[' | b'}' | b']') && random.below(3) == 0 {
            out.push([b' ', b'\t', b'\r', b'\n'][random.below(4)]);
        }
    }
    *line = out;
}

/// A letter as an escape, which in a name or a tag says the same.
fn spelled_otherwise(line: &mut Vec<u8>, random: &mut Random) {
    let letters: Vec<usize> = (0..line.len())
        .filter(|at| line[*at].is_ascii_lowercase())
        .collect();
    let Some(at) = letters.get(random.below(letters.len())) else {
        return;
    };
    let escape = format!("\\u{:04X}", line[*at]);
    line.splice(*at..=*at, escape.into_bytes());
}

/// The members of the line itself in another order, where it is an object.
fn turned(line: &mut Vec<u8>, random: &mut Random) {
    let Some(mut members) = members(line) else {
        return;
    };
    let by = random.below(members.len());
    members.rotate_left(by);
    *line = object(&members);
}

/// One member of the line once more.
fn said_twice(line: &mut Vec<u8>, random: &mut Random) {
    let Some(mut members) = members(line) else {
        return;
    };
    let again = members[random.below(members.len())].clone();
    let to = random.below(members.len() + 1);
    members.insert(to, again);
    *line = object(&members);
}

/// The members of an object as text, each with its name.
fn members(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let inner = line.strip_prefix(b"{")?.strip_suffix(b"}")?;
    let (mut members, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_i32, false);
    let mut at = 0;
    while let Some(byte) = inner.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth -= 1,
            b',' if !quoted && depth == 0 => {
                members.push(inner[start..at].to_vec());
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    members.push(inner.get(start..)?.to_vec());
    Some(members)
}

fn object(members: &[Vec<u8>]) -> Vec<u8> {
    [b"{".as_slice(), &members.join(&b','), b"}"].concat()
}
