//! The reader accepts what `serde_json` accepts, and reads the same values from it.

use serde_json::Value;
use wirelock_runtime::{Encode, Json, from_str};

/// A small generator, so that a failure comes back on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"a\"",
    "\"b\"",
    "\"\"",
    "\"\\u00e4\\n\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\udc00\"",
    "\"\\u12\"",
    "\"\\q\"",
    "\"ä€😀\"",
    "\"\t\"",
    "1",
    "-0",
    "01",
    "1.5",
    "1.",
    ".5",
    "1e3",
    "1E-2",
    "1e",
    "-",
    "+1",
    "true",
    "false",
    "null",
    "nul",
    " ",
    "\n",
    "\r",
    "\t",
    "\u{b}",
    "\u{feff}",
    "\"",
    "\\",
    "0.10",
    "12345678901234567890",
    "x",
];

fn agree(text: &str) {
    let (ours, theirs) = (from_str::<Json>(text), serde_json::from_str::<Value>(text));
    if theirs
        .as_ref()
        .is_err_and(|error| error.to_string().starts_with("number out of range"))
    {
        // Numbers keep their text here, so that none is too large to hold.
        return;
    }
    assert_eq!(
        ours.is_ok(),
        theirs.is_ok(),
        "{text:?}: {ours:?} and {theirs:?}"
    );
    if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
        let compact: Value =
            serde_json::from_str(ours.get()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(compact, theirs, "{text:?}");
        // What `serde` gives is the same value as the text, apart from names that stand twice.
        let bridged =
            serde_json::to_value(&ours).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        if !has_long_number(text) {
            assert_eq!(bridged, theirs, "{text:?}");
        }
        assert!(!ours.to_json().contains(['\n', '\r']), "{text:?}");
    }
}

/// `serde_json` rounds numbers of more digits than a float holds its own way.
fn has_long_number(text: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .any(|digits| digits.len() > 16)
}

#[test]
fn on_pieces_in_any_order() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..60_000 {
        let count = 1 + random.below(9);
        let text: String = (0..count)
            .map(|_| PIECES[random.below(PIECES.len())])
            .collect();
        agree(&text);
    }
}

#[test]
fn on_documents_with_one_byte_changed() {
    let document = r#"{"a":[1,-2.5e3,{"b":"x\"\\\u00e4\ud83d\ude00y"},null,true,false,"äöü"],"c":{},"d":[],"":0}"#;
    for at in 0..document.len() {
        for byte in [
            "", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "e", ".", "-", " ", "u", "\u{1}",
        ] {
            if !document.is_char_boundary(at) || !document.is_char_boundary(at + 1) {
                continue;
            }
            agree(&format!("{}{byte}{}", &document[..at], &document[at + 1..]));
        }
    }
}

#[test]
fn on_depth() {
    for depth in 120..135 {
        agree(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        agree(&format!(
            "{}1{}",
            r#"{"a":"#.repeat(depth),
            "}".repeat(depth)
        ));
    }
}

#[test]
fn strings_are_written_with_the_escapes_of_serde_json() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let letters: Vec<char> = ('\0'..'\u{300}')
        .chain(['€', '🥛', '\u{2028}', '\u{feff}'])
        .collect();
    for length in 0..400 {
        let text: String = (0..length)
            .map(|_| letters[random.below(letters.len())])
            .collect();
        let written = serde_json::to_string(&text).expect("a string");
        assert_eq!(text.to_json(), written);
        assert_eq!(
            from_str::<String>(&written).ok().as_ref(),
            Some(&text),
            "{written}"
        );
    }
}
