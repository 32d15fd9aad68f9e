//! Lines of a schema around a place, made safe to show, with the value at the place marked.

use super::{Place, Sources, visible_whole};
use crate::schema::file_of;

/// Some lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// What messages call the file.
    pub(super) file: String,
    /// The number of the first line, from 1.
    pub(super) first: u32,
    /// The lines, each with what a terminal would act on spelled out.
    pub(super) lines: Vec<String>,
    /// Which of the lines is marked.
    pub(super) marked: usize,
    /// Whether the marked line begins as it does in the file, so that columns in it are those there.
    pub(super) is_exact: bool,
    /// The bytes of that line that are marked; never empty.
    pub(super) span: std::ops::Range<usize>,
}

/// How many lines stand before the marked one.
const BEFORE: u32 = 1;
/// How many characters of a line are shown; a minified schema is one line.
const WIDTH: usize = 100;

/// The lines around a place of the old revision.
pub(super) fn of_old(sources: &Sources, place: &Place, name: &str) -> Option<Excerpt> {
    excerpt(&sources.old, place, name)
}

/// The lines around a place of the new revision.
pub(super) fn of_new(sources: &Sources, place: &Place, name: &str) -> Option<Excerpt> {
    excerpt(&sources.new, place, name)
}

fn excerpt(files: &[(String, String)], place: &Place, name: &str) -> Option<Excerpt> {
    let (file, _) = file_of(&place.pointer, name);
    let (_, text) = files.iter().find(|(name, _)| *name == file)?;
    let first = place.line.saturating_sub(BEFORE).max(1);
    let number = usize::try_from(first).ok()?;
    let count = usize::try_from(place.line - first + 1).ok()?;
    let lines: Vec<&str> = text.lines().skip(number - 1).take(count).collect();
    let (last, before) = lines.split_last()?;
    let column = usize::try_from(place.column).ok()?.saturating_sub(1);
    // The window begins early enough to show what the place belongs to.
    let skip = match last.chars().count() > WIDTH {
        true => column.saturating_sub(WIDTH / 4),
        false => 0,
    };
    let window: String = last.chars().skip(skip).take(WIDTH).collect();
    let at = byte_of(&window, column - skip);
    let length = value_length(&window[at..]);
    let (head, rest) = window.split_at(at);
    let (value, tail) = rest.split_at(length);
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let head = format!("{}{}", cut(skip > 0), visible_whole(head));
    let is_exact = head.chars().count() == column;
    let value = match value {
        // A place past the end of its line is still marked.
        "" => " ".into(),
        value => visible_whole(value),
    };
    let is_cut = last.chars().nth(skip + WIDTH).is_some();
    let mut lines: Vec<String> = before.iter().map(|line| start_of(line)).collect();
    lines.push(format!(
        "{head}{value}{}{}",
        visible_whole(tail),
        cut(is_cut)
    ));
    Some(Excerpt {
        file,
        first,
        is_exact,
        marked: lines.len() - 1,
        span: head.len()..head.len() + value.len(),
        lines,
    })
}

fn start_of(line: &str) -> String {
    let start: String = line.chars().take(WIDTH).collect();
    let cut = if start.len() < line.len() { "…" } else { "" };
    format!("{}{cut}", visible_whole(&start))
}

fn byte_of(text: &str, character: usize) -> usize {
    let mut offsets = text.char_indices().map(|(at, _)| at);
    offsets.nth(character).unwrap_or(text.len())
}

/// How much of a line a JSON value takes up: a string or a word whole, of an object or an array
/// what stands on this line, without a comma at its end.
fn value_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'"') => {
            let mut is_escaped = false;
            let end = bytes.iter().skip(1).position(|byte| {
                let ends = *byte == b'"' && !is_escaped;
                is_escaped = *byte == b'\\' && !is_escaped;
                ends
            });
            end.map_or(bytes.len(), |end| end + 2)
        }
        Some(b'{' | b'[') => balanced(bytes),
        _ => {
            let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\r');
            bytes.iter().position(ends).unwrap_or(bytes.len())
        }
    }
}

/// To the bracket that closes the first one; where that is on a later line, to the last character
/// that is no space.
fn balanced(bytes: &[u8]) -> usize {
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for (byte, at) in bytes.iter().zip(1..) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    bytes.trim_ascii_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, line: u32, column: u32) -> Excerpt {
        let sources = Sources {
            old: Vec::new(),
            new: vec![("s.json".to_owned(), text.to_owned())],
        };
        let place = Place {
            pointer: String::new(),
            line,
            column,
        };
        of_new(&sources, &place, "s.json").expect("an excerpt")
    }

    fn value(text: &str, line: u32, column: u32) -> String {
        let excerpt = marked(text, line, column);
        excerpt.lines[excerpt.marked][excerpt.span].to_owned()
    }

    #[test]
    fn the_value_is_marked_and_nothing_else() {
        assert_eq!(
            value("{\n \"a\": \"b\\\"c\", \"d\": 1\n}", 2, 7),
            "\"b\\\"c\""
        );
        assert_eq!(
            value("{\"a\": [1, \"]\", {}], \"b\": 2}", 1, 7),
            "[1, \"]\", {}]"
        );
        assert_eq!(value("{\"a\": {\n\"b\": 2}}", 1, 7), "{");
        assert_eq!(value("{\"a\": true}", 1, 7), "true");
        assert_eq!(value("{\"é\": 12, \"b\": 2}", 1, 7), "12");
        assert_eq!(value("{", 1, 9), " ");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!(
            "{{\"a\": \"{}\", \"b\": 12, \"c\": \"{}\"}}",
            "x".repeat(5000),
            "y".repeat(5000)
        );
        let column = u32::try_from(text.find("12").expect("there")).expect("small") + 1;
        let excerpt = marked(&text, 1, column);
        let line = &excerpt.lines[0];
        assert!(
            line.starts_with('…') && line.ends_with('…') && line.len() < 120,
            "{line}"
        );
        assert_eq!(&line[excerpt.span], "12");
        assert!(!excerpt.is_exact);
    }

    #[test]
    fn hostile_text_is_spelled_out_and_the_mark_stays_on_the_value() {
        let excerpt = marked("{\"\u{1b}[2J\u{202e}\": \"\u{7}\"}", 1, 11);
        let line = &excerpt.lines[0];
        assert_eq!(&line[excerpt.span.clone()], "\"\\u{7}\"", "{line}");
        assert!(!line.contains(['\u{1b}', '\u{202e}']), "{line}");
    }

    #[test]
    fn what_has_no_text_has_no_excerpt() {
        let place = Place {
            pointer: "other.json#/a".to_owned(),
            line: 1,
            column: 1,
        };
        assert_eq!(of_old(&Sources::default(), &place, "s.json"), None);
    }
}
