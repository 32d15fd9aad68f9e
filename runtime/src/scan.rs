//! The scanner: finds where strings, numbers and whole values end, and checks them on the way.

use crate::error::{Error, Result};
use crate::reader::{MAX_DEPTH, Reader};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The index of the first quote, backslash or control character from `from` on, else the length.
#[inline]
pub(crate) fn find_special(bytes: &[u8], from: usize) -> usize {
    let mut index = from;
    // Most strings end within these; longer ones are passed over in blocks, and the eight bytes at
    // a time then find where in the last block they end.
    let near = from + 16;
    while let Some(chunk) = bytes.get(index..).and_then(|rest| rest.first_chunk::<8>()) {
        let hits = special(u64::from_le_bytes(*chunk));
        if hits != 0 {
            return index + (hits.trailing_zeros() / 8) as usize;
        }
        index += 8;
        if index == near {
            index = skip_plain_blocks(bytes, index);
        }
    }
    while let Some(byte) = bytes.get(index) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1F) {
            break;
        }
        index += 1;
    }
    index
}

/// Steps over blocks without a quote, backslash or control character.
#[inline]
fn skip_plain_blocks(bytes: &[u8], from: usize) -> usize {
    let mut index = from;
    while let Some(block) = bytes.get(index..).and_then(|rest| rest.first_chunk::<32>()) {
        // Without a way out of it, this is a few comparisons of vectors.
        let mut any = false;
        for byte in block {
            any |= (*byte == b'"') | (*byte == b'\\') | (*byte < 0x20);
        }
        if any {
            break;
        }
        index += 32;
    }
    index
}

/// The high bit of each byte that is a quote, a backslash or a control character, and perhaps of
/// some above the first: borrows spoil only bytes above a true hit, so that the lowest is exact.
#[inline]
fn special(word: u64) -> u64 {
    let equal = |byte: u8| {
        let difference = word ^ (ONES * u64::from(byte));
        difference.wrapping_sub(ONES) & !difference
    };
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (equal(b'"') | equal(b'\\') | control) & HIGH
}

impl<'de> Reader<'de> {
    /// Steps over whitespace.
    #[inline]
    pub(crate) fn skip_space(&mut self) {
        // Most texts have none, and then this is one comparison.
        if self.byte().is_some_and(|byte| byte <= b' ') {
            self.skip_spaces();
        }
    }

    #[cold]
    fn skip_spaces(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
            self.spaced = true;
        }
    }

    /// Steps over a string that begins here, checking its escapes.
    pub(crate) fn skip_string(&mut self) -> Result<()> {
        self.at += 1;
        loop {
            self.at = find_special(self.bytes(), self.at);
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.escape()?;
                }
                Some(_) => return Err(self.syntax("no raw control character in a string")),
                None => return Err(self.syntax("the end of the string")),
            }
        }
    }

    /// Steps over an escape that begins here and gives its character.
    pub(crate) fn escape(&mut self) -> Result<char> {
        let letter = self.bytes().get(self.at + 1).copied();
        let character = match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.syntax("an escape that JSON knows")),
        };
        self.at += 2;
        Ok(character)
    }

    fn unicode_escape(&mut self) -> Result<char> {
        let Some(unit) = self.hex_unit(self.at) else {
            return Err(self.syntax("four hexadecimal digits"));
        };
        let (code, length) = match unit {
            0xD800..=0xDBFF => match self.hex_unit(self.at + 6) {
                Some(low @ 0xDC00..=0xDFFF) => {
                    (0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), 12)
                }
                _ => return Err(self.syntax("a surrogate pair, not a lone surrogate")),
            },
            unit => (unit, 6),
        };
        match char::from_u32(code) {
            Some(character) => {
                self.at += length;
                Ok(character)
            }
            None => Err(self.syntax("a surrogate pair, not a lone surrogate")),
        }
    }

    /// The unit of a `\uXXXX` that begins at that byte.
    fn hex_unit(&self, at: usize) -> Option<u32> {
        let digits = self.bytes().get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| {
            Some(unit * 16 + char::from(*digit).to_digit(16)?)
        })
    }

    /// Steps over a number that begins here and gives its text.
    pub(crate) fn number_text(&mut self) -> Result<&'de str> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.skip_digits(),
            _ => return Err(self.syntax("a digit")),
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.need_digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.need_digits()?;
        }
        Ok(self.slice(start, self.at))
    }

    fn skip_digits(&mut self) {
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
    }

    fn need_digits(&mut self) -> Result<()> {
        match self.byte() {
            Some(b'0'..=b'9') => {
                self.skip_digits();
                Ok(())
            }
            _ => Err(self.syntax("a digit")),
        }
    }

    /// Steps over one of the words `true`, `false` and `null`.
    pub(crate) fn word(&mut self, word: &'static str) -> Result<()> {
        if self.bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(());
        }
        Err(self.syntax(word))
    }

    /// Steps over the value that comes next, whatever it is, and gives its text.
    ///
    /// # Errors
    /// What comes next is no JSON value, or is nested too deeply.
    pub fn skip_value(&mut self) -> Result<&'de str> {
        self.skip_space();
        let start = self.at;
        // One bit for each open bracket, set for objects: the depth limit makes it fit.
        let mut open: u128 = 0;
        let mut depth = 0;
        loop {
            self.skip_space();
            let entered = match self.byte() {
                Some(b'"') => self.skip_string().map(|()| false)?,
                Some(bracket @ (b'{' | b'[')) => {
                    if self.depth + depth >= MAX_DEPTH {
                        return Err(self.too_deep());
                    }
                    depth += 1;
                    open = (open << 1) | u128::from(bracket == b'{');
                    self.at += 1;
                    self.skip_space();
                    let close = if bracket == b'{' { b'}' } else { b']' };
                    self.byte() != Some(close)
                }
                Some(b't') => self.word("true").map(|()| false)?,
                Some(b'f') => self.word("false").map(|()| false)?,
                Some(b'n') => self.word("null").map(|()| false)?,
                Some(b'-' | b'0'..=b'9') => self.number_text().map(|_| false)?,
                _ => return Err(self.syntax("a JSON value")),
            };
            if entered {
                if open & 1 == 1 {
                    self.skip_name()?;
                }
                continue;
            }
            // A value has ended; close what ends with it, then find the next one.
            loop {
                if depth == 0 {
                    return Ok(self.slice(start, self.at));
                }
                self.skip_space();
                let object = open & 1 == 1;
                match self.byte() {
                    Some(b',') => {
                        self.at += 1;
                        if object {
                            self.skip_name()?;
                        }
                        break;
                    }
                    Some(b'}') if object => {}
                    Some(b']') if !object => {}
                    _ => return Err(self.syntax(if object { "`,` or `}`" } else { "`,` or `]`" })),
                }
                self.at += 1;
                open >>= 1;
                depth -= 1;
            }
        }
    }

    fn skip_name(&mut self) -> Result<()> {
        self.skip_space();
        if self.byte() != Some(b'"') {
            return Err(self.syntax("a member name"));
        }
        self.skip_string()?;
        self.colon()
    }

    pub(crate) fn colon(&mut self) -> Result<()> {
        if self.byte() == Some(b':') {
            self.at += 1;
            return Ok(());
        }
        self.skip_space();
        if self.byte() == Some(b':') {
            self.at += 1;
            return Ok(());
        }
        Err(self.syntax("`:`"))
    }

    pub(crate) fn too_deep(&self) -> Error {
        self.syntax("less nesting (the limit is 128 levels)")
    }
}

/// The text without the whitespace between its tokens; the text must be one JSON value.
pub(crate) fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut start = 0;
    let mut index = 0;
    let mut quoted = false;
    while let Some(byte) = bytes.get(index) {
        match byte {
            b'"' => quoted = !quoted,
            b'\\' => index += 1,
            b' ' | b'\t' | b'\n' | b'\r' if !quoted => {
                out.push_str(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
        index += 1;
    }
    out.push_str(&text[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::{compact, find_special};

    #[test]
    fn the_fast_scan_agrees_with_a_naive_one() {
        let naive = |bytes: &[u8]| {
            bytes
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1F))
                .unwrap_or(bytes.len())
        };
        let mut state = 1_u32;
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let byte = (state >> 24) as u8;
                    // Few hits, with their neighbours in value, so that borrows are provoked.
                    if state & 0xF00 == 0 {
                        [b'"', b'!', b'#', 0x1F, b' ', b'\\', b']', 0xFF][(byte & 7) as usize]
                    } else {
                        byte | 0x60
                    }
                })
                .collect();
            assert_eq!(find_special(&bytes, 0), naive(&bytes), "{bytes:?}");
        }
    }

    #[test]
    fn compact_leaves_strings_alone() {
        assert_eq!(
            compact("{ \"a b\\\" \" :\n[1 , 2]}"),
            "{\"a b\\\" \":[1,2]}"
        );
    }
}
