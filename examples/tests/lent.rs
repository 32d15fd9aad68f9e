//! Types that borrow the text of a stream read what the owned ones read, and fail where they fail.

use std::path::{Path, PathBuf};
use stream_json::borrowed;
use stream_json::{Encode as _, Line, from_str};
use wirelock_runtime::blocking::ItemReader;
use wirelock_runtime::framing::{Event, Policy, Protocol, Reading};
use wirelock_runtime::{Code, Error};

fn goldens() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/golden");
    let entries = std::fs::read_dir(folder).expect("the goldens");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| path.extension().is_some_and(|kind| kind == "jsonl"))
        .collect()
}

/// What is wanted of a line that does not stay: its canonical text, and whether it ends the run.
struct Told {
    text: String,
    is_last: bool,
}

fn lent() -> Protocol<Reading<Told>> {
    let read = |text: &str| {
        let line: borrowed::Line<'_> = from_str(text)?;
        Ok(Told {
            text: line.to_json(),
            is_last: matches!(line, borrowed::Line::Result(_)),
        })
    };
    Protocol::of::<Line>().reading(read, |told| told.is_last)
}

/// The texts of the items, which of them was the last, and the error.
type Outcome = (Vec<String>, bool, Option<Error>);

fn outcome<T>(
    events: impl Iterator<Item = Result<Event<T>, Error>>,
    text: impl Fn(&T) -> String,
) -> Outcome {
    let mut outcome = (Vec::new(), false, None);
    for event in events {
        match event {
            Ok(event) => {
                outcome.1 = matches!(event, Event::Terminal(_));
                outcome.0.extend(event.into_item().as_ref().map(&text));
            }
            Err(error) => {
                outcome.2 = Some(error);
                break;
            }
        }
    }
    outcome
}

fn both(wire: &[u8]) -> Outcome {
    let policy = Policy::default();
    let owned = ItemReader::new(wire, Protocol::of::<Line>(), policy);
    let owned = outcome(owned, |line| line.to_json());
    let told = outcome(ItemReader::new(wire, lent(), policy), |told| {
        told.text.clone()
    });
    assert_eq!(told, owned);
    owned
}

#[test]
fn a_stream_is_read_without_a_copy_of_its_texts() {
    let goldens = goldens();
    assert!(goldens.len() > 5);
    for golden in goldens {
        let wire = std::fs::read(&golden).expect("a golden");
        let (items, has_ended, error) = both(&wire);
        assert!(!items.is_empty() && has_ended, "{}", golden.display());
        assert_eq!(error, None);
        // What is cut off is told by both in the same way.
        let cut = wire.len() - wire.len() / 3;
        let (_, has_ended, error) = both(&wire[..cut]);
        assert!(!has_ended && error.is_some(), "{}", golden.display());
        // So is a line of the wrong shape, with its place.
        let text = String::from_utf8(wire).expect("text");
        let broken = text.replacen("\"session_id\":", "\"session_id\":17,\"session\":", 1);
        let (_, has_ended, error) = both(broken.as_bytes());
        let error = error.expect("an error");
        assert!(!has_ended && error.line().is_some(), "{}", golden.display());
        assert_eq!(error.code(), Code::ItemInvalid, "{error}");
    }
}
