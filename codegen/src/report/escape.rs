//! Makes text from schemas, paths and goldens safe to show on a terminal.

use std::borrow::Cow;

/// The text with every character spelled out that a terminal would act on or not show, and with
/// the middle left out of names too long to read.
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
    match shorten(text) {
        Cow::Borrowed(text) => spelled_out(text),
        Cow::Owned(text) => Cow::Owned(spelled_out(&text).into_owned()),
    }
}

/// As [`visible`], with nothing left out: for text that a reader copies.
#[must_use]
pub fn visible_whole(text: &str) -> Cow<'_, str> {
    spelled_out(text)
}

/// The longest name that is shown whole, in characters.
const NAME_LIMIT: usize = 200;
/// How many characters of a longer name are shown at each of its ends.
const NAME_END: usize = 95;
/// The longest text that is shown whole, in characters.
const TEXT_LIMIT: usize = 8000;

/// Cuts each word that is longer than a name can be, and the text where it still is too long. What
/// a message says around a name stays.
fn shorten(text: &str) -> Cow<'_, str> {
    // No text has more characters than bytes, so most need no look at their words.
    if text.len() <= NAME_LIMIT {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(' ') {
        let word = piece.trim_end_matches(' ');
        cut(&mut out, word, NAME_LIMIT, NAME_END);
        out.push_str(&piece[word.len()..]);
    }
    let mut whole = String::with_capacity(out.len());
    cut(&mut whole, &out, TEXT_LIMIT, TEXT_LIMIT / 2);
    Cow::Owned(whole)
}

/// Appends a text, without its middle where it is longer than the limit.
fn cut(out: &mut String, text: &str, limit: usize, end: usize) {
    let count = text.chars().count();
    if count <= limit {
        out.push_str(text);
        return;
    }
    out.extend(text.chars().take(end));
    out.push('…');
    out.extend(text.chars().skip(count - end));
}

fn spelled_out(text: &str) -> Cow<'_, str> {
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

/// Text for XML and HTML, between tags and in quoted attributes. Control characters, which neither
/// takes, are the business of [`visible`].
pub(super) fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            character => out.push(character),
        }
    }
    out
}

/// One line of text for Markdown as GitHub reads it, that is no markup in any part of it.
///
/// Character references stand for what is syntax. What GitHub looks for in the rendered text (names
/// to notify, issues, addresses, emoji) is cut by an empty comment, which shows nothing.
pub(super) fn markdown_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut word = String::new();
    for character in text.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>' | '!' | '|'
            | '&' | '~' | '$' | '^' | '=' | '"' | '\'' => {
                out.push_str(&format!("&#{};", u32::from(character)));
            }
            '@' | '#' | ':' => out.push_str(&format!("&#{};<!-- -->", u32::from(character))),
            '.' if word.eq_ignore_ascii_case("www") => out.push_str("<!-- -->."),
            '-' if word.eq_ignore_ascii_case("gh") => out.push_str("<!-- -->-"),
            character => out.push(character),
        }
        if character.is_alphanumeric() {
            word.push(character);
        } else {
            word.clear();
        }
    }
    out
}

/// A path as a URI reference. A colon would make its first name a scheme.
pub(super) fn uri_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Soft hyphen, grapheme joiner, Arabic letter mark, Mongolian vowel separator.
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}'
            // Hangul fillers and Khmer inherent vowels, which are letters without any ink.
            | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{17b4}' | '\u{17b5}'
            // Zero width and direction marks; line and paragraph separators; bidi embeddings.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            // Invisible operators, bidi isolates, deprecated format characters.
            | '\u{2060}'..='\u{206f}'
            // Interlinear annotation, and two that XML does not take in any spelling.
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            // Tag characters, further variation selectors, and what is reserved beside them.
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_that_a_terminal_obeys_gets_through() {
        let every: String = ('\0'..='\u{2fff}')
            .chain('\u{f000}'..='\u{e0fff}')
            .collect();
        let shown = visible_whole(&every);
        assert!(!shown.chars().any(|character| character.is_control()));
        for hidden in [
            '\u{202a}',
            '\u{202e}',
            '\u{2066}',
            '\u{2069}',
            '\u{200f}',
            '\u{feff}',
            '\u{e0041}',
            '\u{e0fff}',
            '\u{115f}',
            '\u{1160}',
            '\u{3164}',
            '\u{ffa0}',
            '\u{34f}',
            '\u{ad}',
        ] {
            assert!(!shown.contains(hidden), "{:x}", hidden as u32);
        }
    }

    #[test]
    fn a_long_name_loses_its_middle_and_the_message_stays() {
        let name = "é".repeat(100_000);
        let shown = visible_lines(&format!("{name}: there is no such file; check the path"));
        assert!(shown.chars().count() < 250, "{shown}");
        assert!(
            shown.contains('…') && shown.ends_with("éé: there is no such file; check the path")
        );
        assert_eq!(visible(&"x".repeat(200)), "x".repeat(200));
        assert!(visible(&"a b".repeat(100_000)).chars().count() <= 8001);
        assert_eq!(visible_whole(&name), name);
    }

    #[test]
    fn composed_messages_keep_their_lines() {
        assert_eq!(visible_lines("a\n\tb\r\n"), "a\n\\tb\\r\n");
    }
}
