//! What the examples share: a small run of `stream_v1`, and what a reader makes of one.

use stream_json::{Block, Line, from_str};
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

/// What a reader makes of a run.
#[derive(Debug, Default)]
pub struct Summary {
    /// The texts of the assistant, one after another.
    pub text: String,
    /// Whether the run succeeded. Only `is_error` decides that, whatever the subtype says.
    pub success: bool,
}

impl Summary {
    /// Takes a line in. What it does not know it passes over.
    pub fn take(&mut self, line: &Line) {
        match line {
            Line::Assistant(line) => {
                for block in &line.message.content {
                    if let Block::Text(block) = block {
                        self.text.push_str(&block.text);
                    }
                }
            }
            Line::Result(line) => self.success = !line.is_error,
            _ => {}
        }
    }
}
