//! Documentation from a schema as Rust documentation, which nothing in it can break out of.

use crate::wire::Docs;
use proc_macro2::TokenStream;
use quote::quote;

/// `#[doc]` attributes for a piece of documentation, or for a fallback where there is none.
pub(super) fn attributes(docs: &Docs, fallback: &str) -> TokenStream {
    let text = docs
        .description
        .as_deref()
        .or(docs.title.as_deref())
        .filter(|text| !text.trim().is_empty());
    let mut lines = match text {
        Some(text) => lines(text),
        None => lines(fallback),
    };
    if docs.deprecated {
        lines.push(String::new());
        lines.push("Deprecated by the contract.".to_owned());
    }
    from_lines(&lines)
}

/// `#[doc]` attributes for lines that are safe already.
pub(super) fn from_lines(lines: &[String]) -> TokenStream {
    let lines = lines.iter().map(|line| {
        if line.is_empty() {
            String::new()
        } else {
            format!(" {line}")
        }
    });
    quote!(#(#[doc = #lines])*)
}

/// Text as lines of Markdown that renders as the text: no links, HTML, code blocks or tests.
pub(super) fn lines(text: &str) -> Vec<String> {
    // Indentation goes, because a block that is indented would be taken for code and run as a test.
    // Only what continues a list item is indented, as far as the item's own text.
    let mut lines: Vec<String> = Vec::new();
    let mut indent = 0;
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() {
            indent = 0;
            if lines.last().is_some_and(|last| !last.is_empty()) {
                lines.push(String::new());
            }
            continue;
        }
        let (markers, rest) = list_item(line);
        if markers.is_empty() {
            lines.push(format!("{:indent$}{}", "", escape(rest)));
        } else {
            indent = markers.len();
            lines.push(format!("{markers}{}", escape(rest)));
        }
    }
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The markers that a line begins with, each with one space behind it, and what follows them. More
/// space would make the rest code, which is run as a test.
fn list_item(line: &str) -> (String, &str) {
    let (mut markers, mut rest) = (String::new(), line);
    while let Some((marker, text)) = rest.split_once(' ') {
        let number = marker.trim_end_matches(['.', ')']);
        let is_number = marker.len() == number.len() + 1
            && (1..=9).contains(&number.len())
            && number.bytes().all(|digit| digit.is_ascii_digit());
        // A star is escaped and marks nothing.
        if !is_number && !matches!(marker, "-" | "+") {
            break;
        }
        markers.push_str(marker);
        markers.push(' ');
        rest = text.trim_start();
    }
    (markers, rest)
}

fn escape(line: &str) -> String {
    let mut escaped = String::new();
    // A line that quotes would take the next one with it.
    if line.starts_with('>') {
        escaped.push('\\');
    }
    let fence = line.starts_with("```") || line.starts_with("~~~");
    // An odd number of backquotes would leave the rest of the text in code.
    let odd = line.matches('`').count() % 2 == 1;
    let mut code = false;
    for letter in line.chars() {
        match letter {
            '`' if fence || odd => escaped.push_str("\\`"),
            '`' => {
                code = !code;
                escaped.push('`');
            }
            '~' if fence => escaped.push_str("\\~"),
            '[' | ']' | '<' | '*' | '\\' if !code => {
                escaped.push('\\');
                escaped.push(letter);
            }
            // Directional marks make code read otherwise than it runs, and compilers refuse them.
            letter if letter.is_control() || is_directional(letter) => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

fn is_directional(letter: char) -> bool {
    matches!(letter, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{061C}')
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn nothing_breaks_out_of_a_comment() {
        assert_eq!(
            lines("one\n\n\n    ```rust\n  panic!()\n```\n"),
            ["one", "", "\\`\\`\\`rust", "panic!()", "\\`\\`\\`"]
        );
        assert_eq!(
            lines("see [x](y) and <b> or `a[0]`"),
            ["see \\[x\\](y) and \\<b> or `a[0]`"]
        );
        assert_eq!(lines("a\u{202e}b\u{1b}c"), ["a b c"]);
        assert_eq!(lines("an odd ` one"), ["an odd \\` one"]);
        assert_eq!(lines("> a\nb"), ["\\> a", "b"]);
    }

    #[test]
    fn what_continues_a_list_item_is_indented_like_it() {
        let text =
            "Kinds:\n- one\nof them\n  - two\n 1) three\nmore\n\n    after\n1.5 is no item\nat all";
        let shown = [
            "Kinds:",
            "- one",
            "  of them",
            "- two",
            "1) three",
            "   more",
            "",
            "after",
            "1.5 is no item",
            "at all",
        ];
        assert_eq!(lines(text), shown);
        assert_eq!(lines("- 1. deep\nmore"), ["- 1. deep", "     more"]);
        assert_eq!(lines("-     far\nnear"), ["- far", "  near"]);
    }
}
