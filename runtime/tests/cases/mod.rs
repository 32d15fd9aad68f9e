//! One case: a wire, how it is read, and what has to come out under every chunking.
#![allow(dead_code, reason = "each test uses its part")]

mod handed;

use serde_json::Value;
use std::fs;
use std::path::Path;
use wirelock_runtime::framing::{
    Declaration, Decoder, Event, Noise, Policy, Predicate, Protocol, RawItem, Step, Untyped,
};
use wirelock_runtime::{Code, Detail, Error, FinalLine, Kind, Reader, Result};

/// A wire, how it is read, and what has to come out.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) wire: Vec<u8>,
    pub(crate) spec: Value,
    expected: Expected,
}

impl Case {
    fn new(name: &str, wire: &[u8], spec: Value, expected: &Value) -> Self {
        Self {
            name: name.to_owned(),
            wire: wire.to_owned(),
            spec,
            expected: Expected::of(expected),
        }
    }

    pub(crate) fn fault(&self, read: &Read) -> Option<String> {
        let fault = self.expected.fault(read)?;
        Some(format!("{}: {fault}\n  {read:?}", self.name))
    }
}

/// The cases of `tests/stream`.
pub(crate) fn own() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/stream");
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder).expect("the fixtures") {
        let folder = entry.expect("a folder").path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let wire = fs::read(folder.join("wire.jsonl")).expect("a wire");
        let text = fs::read_to_string(folder.join("expected.json")).expect("what is expected");
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        for spec in expected["reads"].as_array().expect("a list of reads") {
            cases.push(Case::new(&name, &wire, spec.clone(), spec));
        }
    }
    cases
}

/// The cases that were handed in beside the repository; none where they are not present.
pub(crate) fn handed() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases/stream");
    let Ok(text) = fs::read_to_string(folder.join("cases.json")) else {
        println!("not present: {}", folder.display());
        return Vec::new();
    };
    let listed: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
    let mut cases = Vec::new();
    for case in &listed {
        let name = case["file"].as_str().expect("a file");
        let wire = fs::read(folder.join(name)).expect("a wire");
        for (spec, expected) in handed::variants(name, case) {
            cases.push(Case::new(name, &wire, spec, &expected));
        }
    }
    println!("{} handed cases", listed.len());
    cases
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Read {
    pub(crate) items: Vec<String>,
    pub(crate) skipped: Vec<Error>,
    pub(crate) terminal: bool,
    pub(crate) error: Option<Error>,
}

/// What has to come out; what is not stated is not asked.
pub(crate) struct Expected {
    items: usize,
    skipped: Option<usize>,
    end: Option<String>,
    error: Option<String>,
    places: [Option<u64>; 5],
    texts: [Option<String>; 3],
}

impl Expected {
    pub(crate) fn of(value: &Value) -> Self {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let number = |name: &str| value[name].as_u64();
        Self {
            items: number("items").expect("a count of items") as usize,
            skipped: number("skipped").map(|count| count as usize),
            end: text("end"),
            error: text("error"),
            places: ["line", "offset", "limit", "seen", "cut"].map(number),
            texts: ["hint", "path", "remote"].map(text),
        }
    }

    /// What differs, if anything does.
    pub(crate) fn fault(&self, read: &Read) -> Option<String> {
        if read.items.len() != self.items {
            return Some(format!("expected {} items", self.items));
        }
        if read.skipped.len() != self.skipped.unwrap_or(0) {
            return Some(format!("expected {:?} skipped lines", self.skipped));
        }
        let code = read.error.as_ref().map(|error| error.code().as_str());
        if code != self.error.as_deref() {
            return Some(format!("expected the error {:?}", self.error));
        }
        let Some(error) = &read.error else {
            let end = if read.terminal { "terminal" } else { "clean" };
            return (Some(end) != self.end.as_deref()).then(|| format!("expected {:?}", self.end));
        };
        let (limit, seen, cut, remote) = match error.detail() {
            Detail::Size { limit, seen } => (Some(*limit), Some(*seen), None, None),
            Detail::Cut { bytes } => (None, None, Some(*bytes), None),
            Detail::Remote(failure) => (None, None, None, Some(failure.code.clone())),
            _ => (None, None, None, None),
        };
        let offset = error.offset().map(|offset| offset as u64);
        let found = [error.line(), offset, limit, seen, cut];
        for (wanted, found) in self.places.iter().zip(found) {
            if wanted.is_some() && *wanted != found {
                return Some(format!("expected the numbers {:?}", self.places));
            }
        }
        let [hint, path, code] = &self.texts;
        let said = error.hint().unwrap_or_default();
        let fits = hint.as_ref().is_none_or(|hint| said.contains(&**hint))
            && path.as_ref().is_none_or(|path| *path == error.path())
            && code
                .as_ref()
                .is_none_or(|code| remote.as_ref() == Some(code));
        (!fits).then(|| format!("expected {:?}", self.texts))
    }
}

/// The wire as a whole, byte by byte, and cut at random.
pub(crate) fn chunkings(wire: &[u8]) -> Vec<(String, Vec<&[u8]>)> {
    let mut all = vec![
        ("whole".to_owned(), vec![wire]),
        ("byte by byte".to_owned(), wire.chunks(1).collect()),
    ];
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for round in 1..=24_u64 {
        let mut chunks = Vec::new();
        let mut rest = wire;
        while !rest.is_empty() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // From a few bytes to a few lines; chunks of nothing come, too.
            let length = (state % (1 + round * round)) as usize;
            let (chunk, tail) = rest.split_at(length.min(rest.len()));
            chunks.push(chunk);
            rest = tail;
        }
        all.push((format!("cut at random ({round})"), chunks));
    }
    all
}

/// Reads the chunks as the case asks.
pub(crate) fn read(spec: &Value, chunks: &[&[u8]]) -> Read {
    let mut decoder = Decoder::new(protocol(spec), policy(spec));
    let mut read = Read::default();
    for chunk in chunks {
        let mut rest = *chunk;
        while !matches!(take(&mut read, decoder.step(&mut rest)), Took::NeedsInput) {
            if decoder.is_over() && matches!(take(&mut read, decoder.step(&mut rest)), Took::Last) {
                return last(decoder, read);
            }
        }
        assert!(rest.is_empty(), "more is asked for, and there is some");
    }
    if let Some(code) = spec["stop"].as_str() {
        let code = match code {
            "STREAM_ABORTED" => Code::Aborted,
            _ => Code::IdleTimeout,
        };
        decoder.fail(Error::new(code, "more"));
    }
    while !matches!(take(&mut read, decoder.finish()), Took::Last) {}
    last(decoder, read)
}

impl Read {
    /// Takes what a driver hands out; `false`: it is the last.
    pub(crate) fn take(&mut self, event: Option<Result<Event<RawItem>>>) -> bool {
        let step = match event {
            Some(Ok(event)) => Ok(Step::Event(event)),
            Some(Err(error)) => Err(error),
            None => Ok(Step::End),
        };
        !matches!(take(self, step), Took::Last)
    }
}

enum Took {
    NeedsInput,
    Something,
    Last,
}

fn take(read: &mut Read, step: Result<Step<RawItem>>) -> Took {
    match step {
        Ok(Step::NeedInput) => return Took::NeedsInput,
        Ok(Step::End) => return Took::Last,
        Ok(Step::Event(Event::Item(item))) => read.items.push(item.as_str().to_owned()),
        Ok(Step::Event(Event::Terminal(item))) => {
            read.items.push(item.as_str().to_owned());
            read.terminal = true;
        }
        Ok(Step::Event(Event::Skipped(skipped))) => read.skipped.push(skipped.error),
        Err(error) => {
            read.error = Some(error);
            return Took::Last;
        }
    }
    Took::Something
}

/// A reader that has stopped says the same again, whatever comes.
fn last(mut decoder: Decoder<Untyped>, read: Read) -> Read {
    let again = [
        decoder.step(&mut &b"{}\n"[..]),
        decoder.finish(),
        decoder.step(&mut &b""[..]),
    ];
    for again in again {
        match &read.error {
            Some(error) => assert_eq!(again.unwrap_err(), *error),
            None => assert_eq!(again, Ok(Step::End)),
        }
    }
    assert_eq!(decoder.skipped(), read.skipped.len() as u64);
    read
}

/// What the case asks beyond its contract.
pub(crate) fn policy(spec: &Value) -> Policy {
    Policy {
        max_frame_bytes: spec["max_frame_bytes"].as_u64(),
        final_line: match spec["final_line"].as_str() {
            Some("require-newline") => Some(FinalLine::RequireNewline),
            Some("allow") => Some(FinalLine::Allow),
            _ => None,
        },
        noise: match spec["noise"].as_str() {
            Some("skip") => Noise::SkipAndCount,
            _ => Noise::Error,
        },
    }
}

pub(crate) fn protocol(spec: &Value) -> Protocol<Untyped> {
    let declaration = match spec["framing"].as_str() {
        Some("feed") => return Protocol::feed(),
        Some("envelope") => Declaration::envelope(),
        _ => Declaration::item(),
    };
    let declaration = match &spec["terminal"] {
        Value::Null => declaration,
        members => {
            let terminal = Predicate::members(&members.to_string()).expect("an object");
            declaration.terminal(match spec["without"].as_str() {
                Some(name) => terminal.without(name),
                None => terminal,
            })
        }
    };
    let shape = spec["shape"].clone();
    declaration
        .check(move |text| check(&shape, text))
        .declare()
        .expect("a declaration that proves something")
}

/// Whether the named members, where they stand, have the named types.
fn check(shape: &Value, text: &str) -> Result<()> {
    let Some(shape) = shape.as_object() else {
        return Ok(());
    };
    let mut reader = Reader::new(text);
    if reader.kind()? != Kind::Object {
        return Ok(());
    }
    let mut first = true;
    reader.begin_object()?;
    while let Some(name) = reader.next_key(&mut first)? {
        let kind = match reader.kind()? {
            Kind::Object => "object",
            Kind::String => "string",
            Kind::Number => "number",
            _ => "other",
        };
        if shape.get(&*name).is_some_and(|wanted| wanted != kind) {
            return Err(reader.unexpected("another type").within(name.into_owned()));
        }
        reader.skip_value()?;
    }
    Ok(())
}
