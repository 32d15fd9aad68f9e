//! Recordings to decode, made here from a seed: the goldens with other texts, and session updates of
//! the Agent Client Protocol.

use anyhow::{Context as _, Result};
use std::fmt::Write as _;
use std::path::Path;

/// Members that hold words, which change from run to run.
const TEXTS: [&str; 9] = [
    "text",
    "thinking",
    "result",
    "body",
    "reason",
    "partial_json",
    "prompt",
    "summary",
    "description",
];

/// Our goldens again and again, as runs of their own: shapes and proportions are theirs, sessions
/// and texts are not.
pub(crate) fn stream(bytes: usize) -> Result<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/golden");
    let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let paths: Result<Vec<_>, _> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut paths = paths?;
    // What each comes to stands beside them.
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    paths.sort();
    let runs: Result<Vec<String>, _> = paths.iter().map(std::fs::read_to_string).collect();
    let runs = runs?;
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut wire = String::with_capacity(bytes + (64 << 10));
    while wire.len() < bytes {
        for run in &runs {
            let session = format!("\"sess_{:08x}\"", random.next() >> 32);
            for line in run.lines() {
                retell(line, &session, &mut random, &mut wire);
                wire.push('\n');
            }
        }
    }
    Ok(wire.into_bytes())
}

/// What an agent streams to its client: mostly chunks of text, with tool calls among them.
pub(crate) fn updates(bytes: usize) -> Result<Vec<u8>> {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let mut wire = String::with_capacity(bytes + (64 << 10));
    let mut number = 0_u64;
    while wire.len() < bytes {
        number += 1;
        let (turn, call) = (number / 400, number / 3);
        let (lines, part) = (random.below(4000), random.below(200));
        let text = random.text(12);
        let update = match random.below(20) {
            0..=8 => format!(r#""agent_message_chunk","content":{{"type":"text","text":{text}}}"#),
            9..=12 => format!(
                r#""agent_thought_chunk","content":{{"type":"text","text":{text}}},"messageId":"msg_{number}""#
            ),
            13 => {
                let text = random.text(40);
                format!(r#""user_message_chunk","content":{{"type":"text","text":{text}}}"#)
            }
            14 | 15 => format!(
                r#""tool_call","toolCallId":"call_{call:06}","title":{text},"kind":"read","status":"pending","locations":[{{"path":"/srv/app/src/part_{part}.rs","line":{lines}}}],"rawInput":{{"path":"/srv/app/src/part_{part}.rs","limit":{lines},"options":{{"follow":true}}}}"#
            ),
            16 | 17 => {
                let text = random.text(60);
                format!(
                    r#""tool_call_update","toolCallId":"call_{call:06}","status":"completed","content":[{{"type":"content","content":{{"type":"text","text":{text}}}}}],"rawOutput":{{"lines":{lines},"truncated":false}}"#
                )
            }
            18 => {
                let (old, new) = (random.text(30), random.text(30));
                format!(
                    r#""tool_call_update","toolCallId":"call_{call:06}","content":[{{"type":"diff","path":"/srv/app/src/part_{part}.rs","oldText":{old},"newText":{new}}}],"_meta":{{"turn":{turn}}}"#
                )
            }
            _ => {
                let other = random.text(8);
                format!(
                    r#""plan","entries":[{{"content":{text},"priority":"high","status":"in_progress"}},{{"content":{other},"priority":"low","status":"pending"}}]"#
                )
            }
        };
        writeln!(
            wire,
            r#"{{"sessionId":"sess_{turn:08x}","update":{{"sessionUpdate":{update}}}}}"#
        )?;
    }
    Ok(wire.into_bytes())
}

/// Appends a line with another session, and with other words of about the same length.
fn retell(line: &str, session: &str, random: &mut Random, wire: &mut String) {
    let mut rest = line;
    // What stands before `:"` is a name where it is one of ours; inside a string it has escapes.
    while let Some(colon) = rest.find("\":\"") {
        let (head, value) = rest.split_at(colon + 2);
        let name = head
            .get(..colon)
            .and_then(|head| head.rsplit('"').next())
            .unwrap_or_default();
        let escapes = value.match_indices('"').skip(1).map(|(at, _)| at);
        let is_end = |at: &usize| {
            let before = value.as_bytes().get(..*at).unwrap_or_default();
            before
                .iter()
                .rev()
                .take_while(|byte| **byte == b'\\')
                .count()
                % 2
                == 0
        };
        let end = escapes
            .into_iter()
            .find(is_end)
            .map_or(value.len(), |at| at + 1);
        let (text, after) = value.split_at(end);
        wire.push_str(head);
        if name == "session_id" {
            wire.push_str(session);
        } else if TEXTS.contains(&name) && text.len() > 2 {
            let words = 1 + text.len() / 6 + random.below(4);
            let plain = text.is_ascii() && !text.contains('\\');
            wire.push_str(&if plain {
                random.words(words, &PLAIN)
            } else {
                random.text(words)
            });
        } else {
            wire.push_str(text);
        }
        rest = after;
    }
    wire.push_str(rest);
}

/// A small generator, so that every run has the same recording.
struct Random(u64);

const PLAIN: [&str; 12] = [
    "the",
    "tree",
    "holds",
    "two",
    "changes",
    "that",
    "were",
    "committed",
    "by",
    "hand,",
    "open",
    "again",
];
/// As JSON text has them.
const OTHERS: [&str; 6] = [r#"\"quoted\""#, r"a\\path", r"line\n", "größer", "€5", "🥛"];

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    /// So many words as a JSON string.
    fn words(&mut self, count: usize, from: &[&str]) -> String {
        let words: Vec<&str> = (0..count).map(|_| from[self.below(from.len())]).collect();
        format!("\"{}\"", words.join(" "))
    }

    /// A JSON string of up to so many words, of which one in thirty is no ASCII or needs an escape.
    fn text(&mut self, most: usize) -> String {
        let count = 1 + self.below(most.max(1));
        let mut words = Vec::with_capacity(count);
        for _ in 0..count {
            words.push(match self.below(30) {
                0 => OTHERS[self.below(OTHERS.len())],
                _ => PLAIN[self.below(PLAIN.len())],
            });
        }
        format!("\"{}\"", words.join(" "))
    }
}
