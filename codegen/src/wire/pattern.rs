//! ECMA-262 patterns, as JSON Schema has them, in the syntax of the `regex` family.

use regex_automata::meta::Regex;
use std::cell::RefCell;
use std::collections::HashMap;

/// Why a pattern has no equal in the other syntax.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It uses what no finite automaton does (look-around, back-references).
    #[error("{0} is beyond regular languages")]
    NotRegular(&'static str),
    /// It is no pattern.
    #[error("{0}")]
    Syntax(String),
}

/// What `\s` stands for in ECMA-262, as the inside of a class.
const SPACE: &str =
    r"\t\n\x0B\x0C\r \xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const NOT_SPACE: &str = r"\x00-\x08\x0E-\x1F!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}";

/// Whether an unanchored pattern matches a text.
///
/// # Errors
/// See [`translate`].
///
/// ```
/// use wirelock_codegen::wire::pattern::matches;
/// assert_eq!(matches(r"^x-\d+$", "x-12"), Ok(true));
/// assert_eq!(matches(r"^x-\d+$", "x-٣"), Ok(false), "digits are ASCII in ECMA-262");
/// assert!(matches("(?=a)", "a").is_err());
/// ```
pub fn matches(pattern: &str, text: &str) -> Result<bool, PatternError> {
    Ok(compile(pattern)?.is_match(text))
}

/// Compiles a pattern for matching.
///
/// # Errors
/// See [`translate`].
pub fn compile(pattern: &str) -> Result<Regex, PatternError> {
    let translated = translate(pattern)?;
    // A counted repetition of a large class can grow without bound, and schemas are untrusted.
    let config = Regex::config()
        .nfa_size_limit(Some(1 << 22))
        .hybrid_cache_capacity(1 << 20);
    Regex::builder()
        .configure(config)
        .build(&translated)
        .map_err(|error| PatternError::Syntax(error.to_string()))
}

/// Compiled patterns by their spelling: compiling costs a thousand times what matching does.
#[derive(Debug, Default)]
pub(crate) struct Patterns(RefCell<HashMap<String, Result<Regex, PatternError>>>);

impl Patterns {
    /// Whether an unanchored pattern matches a text; one that cannot be read matches nothing.
    pub(crate) fn matches(&self, pattern: &str, text: &str) -> bool {
        self.with(pattern, |compiled| {
            compiled.as_ref().is_ok_and(|regex| regex.is_match(text))
        })
    }

    /// Why a pattern cannot be read, where it cannot.
    pub(crate) fn check(&self, pattern: &str) -> Result<(), PatternError> {
        self.with(pattern, |compiled| {
            compiled.as_ref().map(|_| ()).map_err(Clone::clone)
        })
    }

    fn with<T>(&self, pattern: &str, ask: impl Fn(&Result<Regex, PatternError>) -> T) -> T {
        if let Some(compiled) = self.0.borrow().get(pattern) {
            return ask(compiled);
        }
        let compiled = compile(pattern);
        let answer = ask(&compiled);
        self.0.borrow_mut().insert(pattern.to_owned(), compiled);
        answer
    }
}

/// Spells an ECMA-262 pattern (with the `u` flag, lenient about identity escapes) so that the
/// `regex` family gives it the same language.
///
/// # Errors
/// [`PatternError::NotRegular`] for look-around and back-references, [`PatternError::Syntax`] for
/// what is no pattern.
pub fn translate(pattern: &str) -> Result<String, PatternError> {
    let mut translator = Translator {
        rest: pattern.chars().collect(),
        at: 0,
        out: String::with_capacity(pattern.len() + 8),
    };
    translator.run()?;
    let out = translator.out;
    match regex_automata::util::syntax::parse(&out) {
        Ok(_) => Ok(out),
        Err(error) => Err(PatternError::Syntax(
            error
                .to_string()
                .lines()
                .last()
                .unwrap_or_default()
                .trim()
                .to_owned(),
        )),
    }
}

/// A pattern as a conjunction of patterns, each of which has to match in a text or, where the flag
/// is set, must not: look-aheads right behind a leading `^` and look-behinds right before a final
/// `$` speak of the whole text, so they come apart. Any other pattern is the one part.
///
/// ```
/// use wirelock_codegen::wire::pattern::conjuncts;
/// let parts = conjuncts("^(?!x-)[a-z-]+$");
/// assert_eq!(parts, [("^(?:x-)".to_owned(), true), ("^[a-z-]+$".to_owned(), false)]);
/// ```
#[must_use]
pub fn conjuncts(pattern: &str) -> Vec<(String, bool)> {
    let mut parts = Vec::new();
    let mut rest = pattern.to_owned();
    if rest.contains("(?") && !has_top_level_choice(&rest) {
        while let Some((inside, negated, after)) = leading_look_ahead(&rest) {
            parts.push((format!("^(?:{inside})"), negated));
            rest = format!("^{after}");
        }
        while let Some((before, inside, negated)) = final_look_behind(&rest) {
            parts.push((format!("(?:{inside})$"), negated));
            rest = format!("{before}$");
        }
    }
    parts.push((rest, false));
    parts
}

fn leading_look_ahead(pattern: &str) -> Option<(String, bool, String)> {
    let (body, negated) = match pattern.strip_prefix("^(?!") {
        Some(body) => (body, true),
        None => (pattern.strip_prefix("^(?=")?, false),
    };
    let end = closing(body)?;
    // A repeated group is none of those that stand by themselves.
    let after = &body[end + 1..];
    let is_repeated = after.starts_with(['*', '+', '?', '{']);
    (!is_repeated).then(|| (body[..end].to_owned(), negated, after.to_owned()))
}

fn final_look_behind(pattern: &str) -> Option<(String, String, bool)> {
    let body = pattern.strip_suffix(")$")?;
    let (at, negated) = match (body.rfind("(?<!"), body.rfind("(?<=")) {
        (Some(not), Some(is)) if is > not => (is, false),
        (Some(not), _) => (not, true),
        (None, is) => (is?, false),
    };
    let inside = &body[at + 4..];
    let is_whole = closing(&pattern[at + 4..]) == Some(inside.len());
    is_whole.then(|| (body[..at].to_owned(), inside.to_owned(), negated))
}

/// The offset of the parenthesis that closes a group whose inside starts here.
fn closing(text: &str) -> Option<usize> {
    let mut end = None;
    each_at_depth(text, |at, character, depth| {
        if character == ')' && depth < 0 && end.is_none() {
            end = Some(at);
        }
    });
    end
}

fn has_top_level_choice(pattern: &str) -> bool {
    let mut found = false;
    each_at_depth(pattern, |_, character, depth| {
        found |= character == '|' && depth == 0
    });
    found
}

/// Calls for each character that stands in no class and is not escaped, with the groups around it.
fn each_at_depth(text: &str, mut call: impl FnMut(usize, char, i32)) {
    let (mut depth, mut in_class, mut escaped) = (0, false, false);
    for (at, character) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match character {
            '\\' => escaped = true,
            ']' => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            other => {
                depth -= i32::from(other == ')');
                call(at, other, depth);
                if depth < 0 {
                    return;
                }
                depth += i32::from(other == '(');
            }
        }
    }
}

struct Translator {
    rest: Vec<char>,
    at: usize,
    out: String,
}

impl Translator {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest.get(self.at + ahead).copied()
    }

    fn run(&mut self) -> Result<(), PatternError> {
        while let Some(character) = self.peek(0) {
            self.at += 1;
            match character {
                '\\' => self.escape(false)?,
                '[' => self.class()?,
                '.' => self.out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
                '^' => self.out.push_str(r"\A"),
                '$' => self.out.push_str(r"\z"),
                '(' => self.group()?,
                '{' if !self.is_count() => self.out.push_str(r"\{"),
                ']' => self.out.push_str(r"\]"),
                '}' if !self.out_in_count() => self.out.push_str(r"\}"),
                other => self.out.push(other),
            }
        }
        Ok(())
    }

    fn group(&mut self) -> Result<(), PatternError> {
        if self.peek(0) != Some('?') {
            self.out.push_str("(?:");
            return Ok(());
        }
        match (self.peek(1), self.peek(2)) {
            (Some('='), _) | (Some('!'), _) => Err(PatternError::NotRegular("a look-ahead")),
            (Some('<'), Some('=' | '!')) => Err(PatternError::NotRegular("a look-behind")),
            (Some(':'), _) => {
                self.at += 2;
                self.out.push_str("(?:");
                Ok(())
            }
            (Some('<'), _) => {
                // Nothing here captures, so a name serves nobody.
                while self.peek(0).is_some_and(|character| character != '>') {
                    self.at += 1;
                }
                self.at += 1;
                self.out.push_str("(?:");
                Ok(())
            }
            _ => Err(PatternError::Syntax(
                "`(?` begins no group of ECMA-262".to_owned(),
            )),
        }
    }

    /// Whether what follows a `{` is a repetition count.
    fn is_count(&self) -> bool {
        let body: String = self.rest[self.at..]
            .iter()
            .take_while(|character| **character != '}')
            .collect();
        let closed = self.rest.len() > self.at + body.chars().count();
        let (low, high) = body.split_once(',').unwrap_or((&body, "0"));
        let digits = |text: &str| text.chars().all(|character| character.is_ascii_digit());
        closed && !low.is_empty() && digits(low) && digits(high)
    }

    /// Whether the output so far ends inside a repetition count.
    fn out_in_count(&self) -> bool {
        let open = self.out.rfind('{');
        open.is_some_and(|open| {
            !self.out[..open].ends_with('\\')
                && self.out[open + 1..]
                    .chars()
                    .all(|character| character.is_ascii_digit() || character == ',')
        })
    }

    fn class(&mut self) -> Result<(), PatternError> {
        let negated = self.peek(0) == Some('^');
        if negated {
            self.at += 1;
        }
        if self.peek(0) == Some(']') {
            // `[]` matches nothing and `[^]` anything, which other syntaxes read differently.
            self.at += 1;
            self.out.push_str(if negated {
                r"[\x00-\x{10FFFF}]"
            } else {
                r"[a&&b]"
            });
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        loop {
            let Some(character) = self.peek(0) else {
                return Err(PatternError::Syntax("a class is not closed".to_owned()));
            };
            self.at += 1;
            match character {
                ']' => break,
                '\\' => self.escape(true)?,
                '-' => {
                    let first = self.out.ends_with('[') || self.out.ends_with("[^");
                    let last = self.peek(0) == Some(']');
                    self.out.push_str(if first || last { r"\-" } else { "-" });
                }
                '[' | '&' | '~' | '^' => {
                    self.out.push('\\');
                    self.out.push(character);
                }
                other => self.out.push(other),
            }
        }
        self.out.push(']');
        Ok(())
    }

    fn escape(&mut self, in_class: bool) -> Result<(), PatternError> {
        let Some(character) = self.peek(0) else {
            return Err(PatternError::Syntax(
                "a pattern ends with a backslash".to_owned(),
            ));
        };
        self.at += 1;
        let set = |out: &mut String, inside: &str, negated: bool| {
            if in_class && !negated {
                out.push_str(inside);
            } else {
                out.push_str(if negated { "[^" } else { "[" });
                out.push_str(inside);
                out.push(']');
            }
        };
        match character {
            'd' => set(&mut self.out, "0-9", false),
            'D' => set(&mut self.out, "0-9", true),
            'w' => set(&mut self.out, "A-Za-z0-9_", false),
            'W' => set(&mut self.out, "A-Za-z0-9_", true),
            's' => set(&mut self.out, SPACE, false),
            'S' => set(&mut self.out, NOT_SPACE, false),
            'b' if in_class => self.out.push_str(r"\x08"),
            'b' => self.out.push_str(r"(?-u:\b)"),
            'B' => return Err(PatternError::NotRegular("`\\B` over Unicode text")),
            'k' => return Err(PatternError::NotRegular("a back-reference")),
            '1'..='9' => return Err(PatternError::NotRegular("a back-reference")),
            '0' => self.literal(0),
            't' => self.literal(9),
            'n' => self.literal(10),
            'v' => self.literal(11),
            'f' => self.literal(12),
            'r' => self.literal(13),
            'c' => {
                let letter = self.peek(0).filter(char::is_ascii_alphabetic);
                let letter = letter
                    .ok_or_else(|| PatternError::Syntax("`\\c` takes a letter".to_owned()))?;
                self.at += 1;
                self.literal(letter as u32 % 32);
            }
            'x' => {
                let code = self.hex(2)?;
                self.literal(code);
            }
            'u' => {
                let code = self.unicode()?;
                self.literal(code);
            }
            'p' | 'P' => {
                let name = self.property()?;
                self.out.push_str(&format!("\\{character}{{{name}}}"));
            }
            other => self.literal(other as u32),
        }
        Ok(())
    }

    /// The name of a Unicode property in its braces: one of those that both syntaxes have, spelled
    /// as ECMA-262 spells it.
    fn property(&mut self) -> Result<String, PatternError> {
        let is_part = |part: &char| part.is_ascii_alphanumeric() || matches!(part, '_' | '=');
        let inside = self.rest[self.at..].iter().skip(1);
        let name: String = inside.take_while(|part| is_part(part)).collect();
        let end = name.len() + 1;
        if self.peek(0) != Some('{') || name.is_empty() || self.peek(end) != Some('}') {
            let why = "`\\p` takes the name of a Unicode property in braces";
            return Err(PatternError::Syntax(why.to_owned()));
        }
        if !property::is_known(&name) {
            let why = format!("`\\p{{{name}}}` is no property that is read here");
            return Err(PatternError::Syntax(why));
        }
        self.at += end + 1;
        Ok(name)
    }

    fn literal(&mut self, code: u32) {
        self.out.push_str(&format!("\\x{{{code:X}}}"));
    }

    fn hex(&mut self, digits: usize) -> Result<u32, PatternError> {
        let text: String = self.rest.iter().skip(self.at).take(digits).collect();
        let code = u32::from_str_radix(&text, 16)
            .ok()
            .filter(|_| text.len() == digits);
        self.at += digits;
        code.ok_or_else(|| {
            PatternError::Syntax(format!("an escape takes {digits} hexadecimal digits"))
        })
    }

    fn unicode(&mut self) -> Result<u32, PatternError> {
        if self.peek(0) == Some('{') {
            let digits = self.rest[self.at + 1..]
                .iter()
                .take_while(|character| **character != '}')
                .count();
            self.at += 1;
            let code = self.hex(digits)?;
            self.at += 1;
            return Ok(code);
        }
        let high = self.hex(4)?;
        if !(0xD800..0xDC00).contains(&high) {
            return Ok(high);
        }
        if self.peek(0) == Some('\\') && self.peek(1) == Some('u') {
            self.at += 2;
            let low = self.hex(4)?;
            if (0xDC00..0xE000).contains(&low) {
                return Ok(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
            }
        }
        Err(PatternError::Syntax(
            "a lone surrogate is no character".to_owned(),
        ))
    }
}

mod property;
#[cfg(test)]
mod tests;
