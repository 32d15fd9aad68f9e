//! The handed stream cases read through the generated types, whatever the chunks.

use serde_json::{Value, json};
use std::path::Path;
use stream_json::{Block, Line};
use wirelock_runtime::FinalLine;
use wirelock_runtime::framing::{Decoder, Event, Noise, Policy, Protocol, Step, Typed};

/// What a reader made of a stream.
#[derive(Debug, Default, PartialEq)]
struct Read {
    items: u64,
    unknown: u64,
    texts: String,
    skipped: u64,
    ended: bool,
    /// The outcome, by `is_error`.
    success: Option<bool>,
    error: Option<(String, Option<u64>)>,
}

fn read(protocol: Protocol<Typed<Line>>, policy: Policy, bytes: &[u8], chunk: usize) -> Read {
    let mut decoder = Decoder::new(protocol, policy);
    let mut read = Read::default();
    let mut chunks = bytes.chunks(chunk);
    let mut rest: &[u8] = &[];
    let mut finished = false;
    loop {
        let step = match finished {
            true => decoder.finish(),
            false => decoder.step(&mut rest),
        };
        match step {
            Ok(Step::NeedInput) => match chunks.next() {
                Some(next) => rest = next,
                None => finished = true,
            },
            Ok(Step::Event(Event::Skipped(_))) => read.skipped += 1,
            Ok(Step::Event(event)) => {
                read.items += 1;
                match event.into_item() {
                    Some(Line::Unknown(_)) => read.unknown += 1,
                    Some(Line::Assistant(line)) => {
                        for block in line.message.content {
                            if let Block::Text(block) = block {
                                read.texts.push_str(&block.text);
                            }
                        }
                    }
                    Some(Line::Result(line)) => read.success = Some(!line.is_error),
                    _ => {}
                }
            }
            Ok(Step::End) => {
                read.ended = true;
                return read;
            }
            Err(error) => {
                read.error = Some((error.code().as_str().to_owned(), error.line()));
                return read;
            }
        }
    }
}

/// What a case has to come to under some policy: the stated members, and those that follow.
fn variants(name: &str, case: &Value) -> Vec<(Policy, Value)> {
    let reader = &case["reader"];
    let policy = Policy {
        max_frame_bytes: case["options"]["max_frame_bytes"].as_u64(),
        ..Policy::default()
    };
    let rule = |rule| Policy {
        final_line: Some(rule),
        ..policy
    };
    match name.get(..2).unwrap_or_default() {
        "14" => {
            let skip = Policy {
                noise: Noise::SkipAndCount,
                ..policy
            };
            vec![
                (policy, reader.clone()),
                (skip, reader["skip_and_count"].clone()),
            ]
        }
        "22" => [
            ("allow", FinalLine::Allow),
            ("require-newline", FinalLine::RequireNewline),
        ]
        .map(|(name, word)| {
            let error = &reader["error"][name];
            (rule(word), json!({"items": 2, "error": error, "line": 3}))
        })
        .into(),
        "23" => vec![
            (rule(FinalLine::Allow), json!({"items": 3})),
            (
                rule(FinalLine::RequireNewline),
                json!({"items": 2, "error": "STREAM_TRUNCATED_LINE", "line": 3}),
            ),
        ],
        // The plain rule, which is the contract's.
        "32" => vec![(policy, json!({"items": 2}))],
        // Its first line lacks members that the contract requires.
        "43" => vec![(
            policy,
            json!({"items": 0, "error": "STREAM_ITEM_INVALID", "line": 1}),
        )],
        _ => {
            let mut expected = reader.clone();
            if expected["items"].is_null() {
                expected["items"] = json!(3);
            }
            vec![(policy, expected)]
        }
    }
}

#[test]
fn handed_cases_through_the_generated_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases/stream");
    let Ok(text) = std::fs::read_to_string(folder.join("cases.json")) else {
        println!("{} is not present, so nothing was tried", folder.display());
        return;
    };
    let cases: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
    let mut tried = 0;
    for case in cases.iter().filter(|case| case["mode"] == "item") {
        let name = case["file"].as_str().expect("a name");
        // It is about a pipe that stays open, which the drivers' tests have.
        if name.starts_with("05") {
            continue;
        }
        let bytes = std::fs::read(folder.join(name)).expect("the case is there");
        for (policy, expected) in variants(name, case) {
            let whole = read(Protocol::of::<Line>(), policy, &bytes, bytes.len().max(1));
            for chunk in [1, 2, 3, 7, 64] {
                let cut = read(Protocol::of::<Line>(), policy, &bytes, chunk);
                assert_eq!(cut, whole, "{name} in chunks of {chunk}");
            }
            let stated = |member: &str| expected[member].as_u64();
            assert_eq!(Some(whole.items), stated("items"), "{name}: {whole:?}");
            let code = whole.error.as_ref().map(|(code, _)| code.as_str());
            assert_eq!(code, expected["error"].as_str(), "{name}: {whole:?}");
            assert_eq!(whole.ended, code.is_none(), "{name}: {whole:?}");
            if let (Some(line), Some((_, at))) = (stated("line"), &whole.error) {
                assert_eq!(*at, Some(line), "{name}: {whole:?}");
            }
            if code.is_none() {
                assert_eq!(whole.success, Some(true), "{name}: the outcome");
            }
            for (member, found) in [("unknown", whole.unknown), ("skipped", whole.skipped)] {
                assert_eq!(found, stated(member).unwrap_or(0), "{name}: {member}");
            }
            if name.starts_with("21") {
                assert_eq!(whole.texts, "a\0b", "{name}");
            }
            tried += 1;
        }
    }
    assert!(tried >= 24, "{tried} cases were read");
}
