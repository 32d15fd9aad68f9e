//! Rust names from whatever a schema calls things: valid, unique, and the same on every run.

use std::collections::HashSet;

/// Names that generated code writes without a path; a type of that name would shadow them.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Drop",
    "Eq",
    "Err",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Hash",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// Words that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["self", "super", "crate", "Self", "_"];

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// The name of a type or variant: `tool_use` is `ToolUse`.
pub(super) fn pascal(text: &str) -> String {
    let mut name = String::new();
    for word in words(text) {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            name.extend(first.to_uppercase());
            // A word in capitals (`ID`, `MCP`) is a word; `words` has split every other one.
            let rest = letters.as_str();
            let shout = word.chars().count() > 1 && !word.chars().any(char::is_lowercase);
            if shout {
                name.push_str(&rest.to_lowercase())
            } else {
                name.push_str(rest)
            }
        }
    }
    start_with_letter(name, "Value")
}

/// The name of a field: `toolUse` is `tool_use`. Keywords stay as they are, see [`ident`].
pub(super) fn snake(text: &str) -> String {
    let words: Vec<String> = words(text).iter().map(|word| word.to_lowercase()).collect();
    let name = start_with_letter(words.join("_"), "field");
    if NEVER_RAW.contains(&name.as_str()) {
        name + "_"
    } else {
        name
    }
}

/// The same name in capitals, for a constant.
pub(super) fn constant(text: &str) -> String {
    snake(text).to_uppercase()
}

/// An identifier, raw where the name is a keyword.
pub(super) fn ident(name: &str) -> proc_macro2::Ident {
    let span = proc_macro2::Span::call_site();
    if KEYWORDS.contains(&name) {
        proc_macro2::Ident::new_raw(name, span)
    } else {
        proc_macro2::Ident::new(name, span)
    }
}

/// Names given so far in one scope.
#[derive(Debug, Default)]
pub(super) struct Scope(HashSet<String>);

impl Scope {
    /// A scope in which some names are taken.
    pub(super) fn with(taken: &[&str]) -> Self {
        Self(taken.iter().map(|name| (*name).to_owned()).collect())
    }

    /// A scope for types.
    pub(super) fn types() -> Self {
        Self::with(PRELUDE)
    }

    /// The name itself, or the first of `name_`, `name2`, `name3` .. that is free.
    pub(super) fn take(&mut self, name: &str) -> String {
        let first = if NEVER_RAW.contains(&name) {
            format!("{name}_")
        } else {
            name.to_owned()
        };
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let candidates = std::iter::once(first.clone()).chain(numbered);
        for candidate in candidates {
            if self.0.insert(candidate.clone()) {
                return candidate;
            }
        }
        first
    }

    /// Whether a name is free.
    pub(super) fn is_free(&self, name: &str) -> bool {
        !self.0.contains(name)
    }
}

/// Names for many wire names at once. Those that already are what they become get their name
/// first, so that a neighbour with an odd spelling never takes it, wherever that stands.
pub(super) fn unique<'a>(
    wire: impl Iterator<Item = &'a str> + Clone,
    case: fn(&str) -> String,
    mut scope: Scope,
) -> Vec<String> {
    let mut names = vec![String::new(); wire.clone().count()];
    for exact in [true, false] {
        for (index, text) in wire.clone().enumerate() {
            let name = case(text);
            if (name == text) != exact {
                continue;
            }
            if let Some(slot) = names.get_mut(index) {
                *slot = scope.take(&name);
            }
        }
    }
    names
}

/// The words of a name: split at what is no letter or digit, and where case says so.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before: Option<char> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if is_coded(letter) {
            // A word of its own that no other character comes to.
            flush(&mut word, &mut words);
            words.push(format!("u{:x}", u32::from(letter)));
            before = None;
            continue;
        }
        let Some(spelled) = spell(letter) else {
            flush(&mut word, &mut words);
            before = None;
            continue;
        };
        if spelled.chars().count() > 1 && !letter.is_alphanumeric() {
            // An operator is a word of its own: `>=` is `GreaterEqual`.
            flush(&mut word, &mut words);
            words.push(spelled.to_owned());
            before = None;
            continue;
        }
        let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
        let starts = letter.is_uppercase()
            && before.is_some_and(|before| !before.is_uppercase() || next_is_lower);
        if starts {
            flush(&mut word, &mut words);
        }
        word.push(letter);
        before = Some(letter);
    }
    flush(&mut word, &mut words);
    words
}

fn flush(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// What stands for a character in a name; `None` for what separates words.
fn spell(letter: char) -> Option<&'static str> {
    Some(match letter {
        '+' => "plus",
        '*' => "star",
        '<' => "less",
        '>' => "greater",
        '=' => "equal",
        '!' => "not",
        '%' => "percent",
        '&' => "and",
        '|' => "or",
        '^' => "caret",
        '~' => "tilde",
        '?' => "question",
        '@' => "at",
        letter if is_plain(letter) => "x",
        _ => return None,
    })
}

/// Letters that stay themselves in a Rust name.
///
/// Rust takes two spellings of one text for the same name, and warns of letters that stand for
/// others. So these are letters of living scripts that neither normalise to others nor combine
/// with one another, and whose case changes letter by letter.
fn is_plain(letter: char) -> bool {
    match letter {
        letter if letter.is_ascii() => letter.is_ascii_alphanumeric(),
        '\u{D7}' | '\u{F7}' | '\u{130}' | '\u{131}' | '\u{132}' | '\u{133}' | '\u{13F}'
        | '\u{140}' | '\u{149}' | '\u{17F}' | '\u{387}' | '\u{390}' | '\u{3A2}' | '\u{3B0}' => false,
        // Latin, Greek, Cyrillic, Armenian.
        '\u{C0}'..='\u{17F}' | '\u{386}'..='\u{3CE}' | '\u{400}'..='\u{481}' | '\u{48A}'..='\u{52F}'
        | '\u{531}'..='\u{556}' | '\u{561}'..='\u{586}'
        // Hebrew, Arabic, Devanagari, Thai.
        | '\u{5D0}'..='\u{5EA}' | '\u{620}'..='\u{64A}' | '\u{904}'..='\u{939}'
        | '\u{93E}'..='\u{94C}' | '\u{E01}'..='\u{E30}'
        // Kana, Han, Hangul.
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => true,
        _ => false,
    }
}

/// Characters that mean something but cannot stand in a name: they are written by their number.
fn is_coded(letter: char) -> bool {
    let is_mark = matches!(letter, '\u{300}'..='\u{36F}');
    let is_pictograph = matches!(letter, '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}');
    !is_plain(letter)
        && !letter.is_ascii()
        && (letter.is_alphanumeric() || is_mark || is_pictograph)
}

fn start_with_letter(name: String, empty: &str) -> String {
    match name.chars().next() {
        None => empty.to_owned(),
        Some(first) if syn::parse_str::<proc_macro2::Ident>(&format!("{first}x")).is_ok() => name,
        Some(_) if empty.starts_with(char::is_uppercase) => format!("N{name}"),
        Some(_) => format!("n{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Scope, ident, pascal, snake, unique};

    #[test]
    fn types_and_fields_follow_rust() {
        for (text, expected) in [
            ("tool_use", "ToolUse"),
            ("system/init", "SystemInit"),
            ("MCPServer", "McpServer"),
            ("agentInfo", "AgentInfo"),
            ("ID", "Id"),
            ("self", "Self"),
            ("", "Value"),
            ("2d", "N2d"),
            (">=", "GreaterEqual"),
            ("größe", "Größe"),
            ("名前", "名前"),
            ("\u{212a}", "U212a"),
            ("e\u{301}", "EU301"),
            ("\u{1f600}", "U1f600"),
            ("-", "Value"),
        ] {
            assert_eq!(pascal(text), expected, "{text}");
        }
        for (text, expected) in [
            ("toolUseID", "tool_use_id"),
            ("_meta", "meta"),
            ("self", "self_"),
            ("$ref", "ref"),
            ("X-Header", "x_header"),
            ("", "field"),
        ] {
            assert_eq!(snake(text), expected, "{text}");
        }
        assert_eq!(ident("type").to_string(), "r#type");
    }

    #[test]
    fn collisions_are_told_apart_and_an_exact_name_keeps_its_own() {
        let names = unique(
            ["foo-bar", "foo_bar", "fooBar"].into_iter(),
            snake,
            Scope::with(&["extra"]),
        );
        assert_eq!(names, ["foo_bar2", "foo_bar", "foo_bar3"]);
        assert_eq!(
            unique(["extra"].into_iter(), snake, Scope::with(&["extra"])),
            ["extra2"]
        );
        assert_eq!(Scope::types().take("Self"), "Self_");
        assert_eq!(Scope::types().take("Result"), "Result2");
        let mut scope = Scope::types();
        assert_eq!([scope.take("Self"), scope.take("Self")], ["Self_", "Self2"]);
    }
}
