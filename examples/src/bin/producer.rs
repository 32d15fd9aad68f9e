//! Writes a run on the standard output: `producer TEXT`.
//!
//! It ends with success also where its reader leaves early, and the run has its terminal line even
//! where this program panics or is told to end.

use stream_json::{Line, from_str};
use wirelock_examples::{number, run};
use wirelock_runtime::blocking::{Producer, Written};
use wirelock_runtime::framing::{Policy, Protocol};

fn main() -> anyhow::Result<()> {
    let answer = std::env::args().nth(1).unwrap_or_default();
    let interrupted: Line = from_str(
        r#"{"type":"result","subtype":"interrupted","session_id":"s-1","seq":0,"is_error":true}"#,
    )?;
    let producer = Producer::stdout(Protocol::of::<Line>(), Policy::default(), number)
        .last_words(move |_| interrupted);
    // SIGINT and SIGTERM.
    #[cfg(unix)]
    let producer = producer.on_signals(&[2, 15])?;
    for line in run(&answer)? {
        if producer.send(line)? != Written::More {
            break;
        }
    }
    Ok(())
}
