//! Makes text from schemas, paths and goldens safe to show on a terminal.

use std::borrow::Cow;

/// The text with every character spelled out that a terminal would act on or not show.
///
/// Schemas are untrusted: an escape sequence could repaint what was printed before, and a bidi
/// override could make a name read as another one.
///
/// ```
/// use wirelock_codegen::report::visible;
/// assert_eq!(visible("plain é"), "plain é");
/// assert_eq!(visible("a\u{1b}[2Jb\nc"), "a\\u{1b}[2Jb\\nc");
/// assert_eq!(visible("\u{202e}txt"), "\\u{202e}txt");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_hidden(character) {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// As [`visible`], but line ends stay: for messages that are composed of several lines.
#[must_use]
pub fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            // Zero width and direction marks; line and paragraph separators; bidi embeddings.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            // Invisible operators, bidi isolates, deprecated format characters.
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Tag characters.
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_that_a_terminal_obeys_gets_through() {
        let every: String = ('\0'..='\u{2fff}')
            .chain('\u{f000}'..='\u{e0fff}')
            .collect();
        let shown = visible(&every);
        assert!(!shown.chars().any(|character| character.is_control()));
        for hidden in [
            '\u{202a}',
            '\u{202e}',
            '\u{2066}',
            '\u{2069}',
            '\u{200f}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            assert!(!shown.contains(hidden), "{:x}", hidden as u32);
        }
    }

    #[test]
    fn composed_messages_keep_their_lines() {
        assert_eq!(visible_lines("a\n\tb\r\n"), "a\n\\tb\\r\n");
    }
}
