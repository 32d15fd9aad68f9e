//! What the examples share: a small run of `stream_v1`, and what a reader makes of one.

mod outcome;

pub use outcome::{Actor, Outcome, Route, Tokens, ToolCall, ToolOutcome};

use stream_json::{Line, from_str};
use wirelock_runtime::Result;

/// The lines of a run that answers with a text. Their numbers are for the producer to give.
///
/// # Errors
/// A line breaks the contract, which a program would notice in its tests.
pub fn run(answer: &str) -> Result<Vec<Line>> {
    let text = stream_json::runtime::Encode::to_json(answer);
    [
        r#"{"type":"system","subtype":"init","session_id":"s-1","seq":0,"cwd":"/","milk_version":"1.0.0","agent":{"name":"echo","provider":"example"},"capabilities":["stream_v1"]}"#.to_owned(),
        format!(r#"{{"type":"assistant","session_id":"s-1","seq":0,"message":{{"role":"assistant","content":[{{"type":"text","text":{text}}}]}}}}"#),
        format!(r#"{{"type":"result","subtype":"success","session_id":"s-1","seq":0,"is_error":false,"result":{text}}}"#),
    ]
    .iter()
    .map(|line| from_str(line))
    .collect()
}

/// Gives a line its number.
pub fn number(line: &mut Line, seq: u64) {
    match line {
        Line::SystemInit(line) => line.seq = seq,
        Line::Assistant(line) => line.seq = seq,
        Line::Result(line) => line.seq = seq,
        // The runs of these examples have no other lines.
        _ => {}
    }
}
