//! The catalogue of codes: what each name that an audit or a reader of a stream tells stands for.

use super::Code;
use crate::about::About;
use wirelock_runtime as runtime;

/// What a code stands for, and how much it weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explained {
    /// The code.
    pub code: Code,
    /// How much an audit makes of it, in words: `error`, `note`, or which of them when; `reader
    /// alone` where readers of live streams tell it and recordings cannot have it.
    pub level: &'static str,
    /// What it stands for.
    pub about: About,
}

/// What a code stands for, by its name in reports; nothing for what is no code.
///
/// ```
/// use wirelock_codegen::audit::explained;
/// assert_eq!(explained("SEQ_GAP").unwrap().level, "note");
/// assert!(explained("NO_SUCH_CODE").is_none());
/// ```
#[must_use]
pub fn explained(code: &str) -> Option<&'static Explained> {
    CODES.iter().find(|row| row.code.as_str() == code)
}

const fn row(
    code: Code,
    level: &'static str,
    summary: &'static str,
    why: &'static str,
    instead: &'static str,
) -> Explained {
    Explained {
        code,
        level,
        about: About {
            summary,
            why,
            instead,
        },
    }
}

/// All codes, sorted by their names.
#[rustfmt::skip]
pub const CODES: &[Explained] = &[
    row(Code::AnsiEscape, "error, then note",
        "A line holds a raw escape character; the first one of a run is the error.", "A terminal that shows the line acts on it, and JSON writes it as `\\u001b`.",
        "Write logs to another stream, and let a JSON writer escape what strings hold."),
    row(Code::CapabilityMissing, "error",
        "The first line does not advertise the contract's capability.", "A consumer cannot tell which contract it reads.",
        "List the capability in the first line."),
    row(Code::CapabilityUnadvertised, "note",
        "A line stands only under a capability that the first line does not advertise.", "Consumers make ready for what was advertised.",
        "Advertise the capability in the first line, or leave the line out."),
    row(Code::DataAfterTerminal, "error",
        "Lines stand behind the last line that ends the run; told once, at the first of them.", "Consumers have stopped reading by then.",
        "Write the terminal line last."),
    row(Code::DuplicateTerminal, "error",
        "A run has ended already.", "One line alone says how a run ended.",
        "Write the terminal line once."),
    row(Code::InitNotFirst, "error",
        "A run begins with another line than the contract's first one.", "Consumers learn from it what they read.",
        "Write that line before all others."),
    row(Code::IntegerSpelling, "note in strict",
        "An integer is written as `1.0` or `1e3`.", "Many readers take it for no integer.",
        "Write it without fraction and exponent."),
    row(Code::SeqGap, "note",
        "The sequence number leaves some out, as relays may.", "Lines may be lost.",
        "Look for what dropped them, where nothing was meant to."),
    row(Code::SeqNotMonotonic, "error",
        "The sequence number does not grow.", "Consumers order lines by it, and drop those that they have seen.",
        "Count on from the line before."),
    row(Code::SessionIdChanged, "error",
        "The session is another one than that of the run.", "Lines of two runs are read as one.",
        "Keep one session to a run; with `--many-runs` another session begins a new run."),
    row(Code::Stream(runtime::Code::Aborted), "reader alone",
        "The reader was told to stop.", "What was read until then is no whole run.",
        "Read the stream anew, where the run is needed."),
    row(Code::Stream(runtime::Code::FrameTooLarge), "error",
        "The line is longer than the contract's bound, or `--max-frame-bytes`.", "Readers stop there to bound their memory.",
        "Split the item; the bound itself belongs to the contract."),
    row(Code::Stream(runtime::Code::IdleTimeout), "reader alone",
        "Nothing came for longer than the reader waits.", "A producer that hangs would hold its reader for ever.",
        "Let the producer write heartbeats, or the reader wait longer."),
    row(Code::Stream(runtime::Code::InvalidJson), "error",
        "The line is no JSON value, or an object with declared members names one twice.", "Nothing can be read of it.",
        "Write one value on one line, and logs to another stream."),
    row(Code::Stream(runtime::Code::InvalidUtf8), "error",
        "The line is no UTF-8.", "JSON text is UTF-8 and nothing else.",
        "Encode text before it is written, and cut it between characters."),
    row(Code::Stream(runtime::Code::Io), "reader alone",
        "Input or output failed.", "What was read until then is no whole run.",
        "Look at what the operating system says."),
    row(Code::Stream(runtime::Code::ItemInvalid), "error",
        "The item is not valid under the schema; in strict, also a text without its `format`.", "Consumers of the contract refuse it.",
        "Write what the message expects at its place."),
    row(Code::Stream(runtime::Code::LifetimeExceeded), "reader alone",
        "The stream lived longer than it may.", "A run that never ends would hold its reader for ever.",
        "End the run, or let the reader wait longer."),
    row(Code::Stream(runtime::Code::ProtocolError), "error",
        "An envelope stream holds what is no frame of the protocol, or a frame out of order.", "Readers stop there.",
        "Write the frames of the protocol in their order."),
    row(Code::Stream(runtime::Code::RemoteError), "error",
        "An envelope stream holds the frame of a producer's failure.", "The run did not end.",
        "See what the producer reports in it."),
    row(Code::Stream(runtime::Code::TerminalMissing), "error",
        "A run has no line that ends it.", "Nobody knows whether it succeeded or was cut off.",
        "Write the terminal line, also where a run fails."),
    row(Code::Stream(runtime::Code::Truncated), "error",
        "An envelope stream has no `end` frame.", "Nobody knows whether all of it came.",
        "Write the `end` frame last."),
    row(Code::Stream(runtime::Code::TruncatedLine), "error",
        "The last line has no line end, where the contract or `--final-line require-newline` wants one.", "It may have been cut off.",
        "End every line; `--final-line allow` takes it for a line."),
    row(Code::TsInvalid, "error",
        "The time is no RFC 3339 date and time.", "Consumers cannot place the line in time.",
        "Write it as `2026-12-01T08:30:00Z`."),
    row(Code::UnknownField, "note; error in strict",
        "A member that the contract does not know.", "Consumers pass over it: it is newer than the contract, or misspelled.",
        "Correct the name, or add the member to the contract."),
    row(Code::UnknownType, "note; error in strict",
        "An alternative of a union that the contract does not know.", "Consumers pass over it: it is newer than the contract, or misspelled.",
        "Correct the tag, or add the variant to the contract."),
    row(Code::UnknownValue, "note; error in strict",
        "A value of an open enum that the contract does not know.", "Consumers take it for any other: it is newer than the contract, or misspelled.",
        "Correct the value, or add it to the contract."),
];

#[cfg(test)]
mod tests {
    use super::{CODES, explained};
    use std::path::Path;

    /// The names of codes that a source file spells, as `=> "NAME"`.
    fn spelled(file: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(path).expect("a source file");
        let name = |line: &str| {
            let (_, rest) = line.split_once("=> \"")?;
            let (name, _) = rest.split_once('"')?;
            let is_code = |byte: u8| byte.is_ascii_uppercase() || byte == b'_' || byte == b'8';
            name.bytes().all(is_code).then(|| name.to_owned())
        };
        text.lines().filter_map(name).collect()
    }

    #[test]
    fn every_code_that_an_audit_or_a_reader_tells_is_explained_and_nothing_else_is() {
        let mut names = spelled("src/audit/finding.rs");
        assert!(names.contains(&"SEQ_GAP".to_owned()), "{names:?}");
        let streams = spelled("../runtime/src/error.rs");
        assert!(
            streams.contains(&"STREAM_INVALID_UTF8".to_owned()),
            "{streams:?}"
        );
        names.extend(streams);
        names.sort();
        let rows: Vec<&str> = CODES.iter().map(|row| row.code.as_str()).collect();
        assert_eq!(rows, names, "the rows are sorted, one for each code");
        for row in CODES {
            assert_eq!(explained(row.code.as_str()), Some(row));
        }
    }
}
