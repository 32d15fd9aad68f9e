//! A named text and the translation of byte offsets into lines and columns.

/// One text that was read, with what is needed to name a place in it.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// Characters before every [`STRIDE`]th byte; none where each byte is one. They are here because a minified document is one long line and
    /// thousands of places in it are asked for.
    characters: Vec<u32>,
}

const STRIDE: usize = 256;

/// A place in a source, both counted from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Source {
    /// Takes a text over; `name` is what messages call it (a path, mostly).
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
        let line_starts = std::iter::once(0)
            .chain(newlines.map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX)))
            .collect();
        let mut count = 0;
        let counted = if text.is_ascii() {
            &[]
        } else {
            text.as_bytes()
        };
        let characters = counted
            .chunks(STRIDE)
            .map(|chunk| {
                let before = count;
                count += characters_in(chunk);
                before
            })
            .collect();
        Self {
            name: name.into(),
            text,
            line_starts,
            characters,
        }
    }

    /// What messages call this source.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte offset; offsets past the end give the end.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let line = self
            .line_starts
            .partition_point(|start| *start <= offset)
            .max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.characters_before(end) - self.characters_before(start.min(end));
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: column + 1,
        }
    }

    fn characters_before(&self, offset: usize) -> u32 {
        let chunk = offset / STRIDE;
        let counted = self.characters.get(chunk).copied();
        // The end of a text whose length fills its last chunk lies past the last checkpoint.
        let (from, before) = match counted {
            Some(before) => (chunk * STRIDE, before),
            None => match self.characters.last() {
                Some(before) => ((self.characters.len() - 1) * STRIDE, *before),
                None => return u32::try_from(offset).unwrap_or(u32::MAX),
            },
        };
        before + characters_in(&self.text.as_bytes()[from..offset])
    }
}

/// How many characters begin in these bytes; a continuation byte belongs to the one before it.
fn characters_in(bytes: &[u8]) -> u32 {
    let count = bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Position, Source};

    #[test]
    fn columns_count_characters_however_long_the_line_is() {
        let line = "é".repeat(700);
        let source = Source::new("s", format!("{line}\n{line}"));
        let at = |line, column| Position { line, column };
        assert_eq!(source.position(0), at(1, 1));
        assert_eq!(source.position(2), at(1, 2));
        assert_eq!(source.position(1398), at(1, 700));
        assert_eq!(source.position(1401), at(2, 1));
        assert_eq!(source.position(2801), at(2, 701));
        assert_eq!(source.position(9999), at(2, 701));
        assert_eq!(Source::new("s", "x".repeat(256)).position(256), at(1, 257));
        assert_eq!(Source::new("s", "").position(0), at(1, 1));
    }
}
