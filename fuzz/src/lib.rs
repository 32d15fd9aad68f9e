//! The properties that are fuzzed, as functions of bytes, so that a test can call them as well.

use std::sync::OnceLock;
use wirelock_codegen::audit::{Audit, Options, Part};
use wirelock_runtime::framing::{Declaration, Decoder, Event, Lines, Policy, Predicate, Step};
use wirelock_runtime::{Error, FinalLine};

/// The frames of a wire, and the error that ends them, are the same for every chunking; so are the
/// items of a decoder.
///
/// The first byte says how the wire is cut, and whether lines have a small bound or a large one.
///
/// # Panics
/// They are not.
pub fn framing(data: &[u8]) {
    let Some((size, wire)) = data.split_first() else {
        return;
    };
    let limit = [64, 1 << 20][usize::from(*size & 1)];
    let whole = frames(wire, wire.len(), limit);
    for size in [1, usize::from(*size) + 1] {
        assert_eq!(frames(wire, size, limit), whole);
    }
    let items = decoded(wire, wire.len());
    assert_eq!(decoded(wire, 1), items);
    assert_eq!(decoded(wire, usize::from(*size) + 1), items);
}

type Cut = (Vec<(String, u64)>, Option<Error>);

fn frames(wire: &[u8], size: usize, limit: u64) -> Cut {
    let mut lines = Lines::new(limit, FinalLine::Allow);
    let mut found = Vec::new();
    for mut chunk in wire.chunks(size.max(1)) {
        loop {
            match lines.next(&mut chunk) {
                Ok(Some(frame)) => found.push((frame.text.to_owned(), frame.line)),
                Ok(None) => break,
                Err(error) => return (found, Some(error)),
            }
        }
    }
    finished(lines, found)
}

fn finished(mut lines: Lines, mut found: Vec<(String, u64)>) -> Cut {
    match lines.finish() {
        Ok(last) => {
            found.extend(last.map(|frame| (frame.text.to_owned(), frame.line)));
            (found, None)
        }
        Err(error) => (found, Some(error)),
    }
}

fn decoded(wire: &[u8], size: usize) -> (Vec<String>, Option<Error>) {
    let terminal = Predicate::members(r#"{"t":1}"#).expect("an object");
    let protocol = Declaration::item()
        .terminal(terminal)
        .declare()
        .expect("it has a terminal");
    let mut decoder = Decoder::new(protocol, Policy::default());
    let mut items = Vec::new();
    let mut chunks = wire.chunks(size.max(1));
    let (mut chunk, mut finished): (&[u8], bool) = (&[], false);
    loop {
        let step = match finished {
            true => decoder.finish(),
            false => decoder.step(&mut chunk),
        };
        match step {
            Ok(Step::NeedInput) => match chunks.next() {
                Some(next) => chunk = next,
                None => finished = true,
            },
            Ok(Step::Event(event)) => {
                let item = Event::into_item(event);
                items.extend(item.map(|item| item.as_str().to_owned()));
            }
            Ok(Step::End) => return (items, None),
            Err(error) => return (items, Some(error)),
        }
    }
}

/// The audit of a recording ends, and blocks of it are reported as the whole is.
///
/// # Panics
/// They are not.
pub fn audit(data: &[u8]) {
    static AUDIT: OnceLock<Audit> = OnceLock::new();
    let audit = AUDIT.get_or_init(|| {
        let schema = include_str!("../../schema/stream-json.schema.json");
        let wire = wirelock_codegen::wire::read("stream-json", schema).expect("a schema");
        let options = Options {
            strict: true,
            max_frame_bytes: Some(4096),
            ..Options::default()
        };
        Audit::new(&wire, &options).expect("a contract")
    });
    let whole = audit.check(data);
    let mut findings = Vec::new();
    let mut out = |finding| findings.push(finding);
    let mut recording = audit.recording();
    let lines: Vec<&[u8]> = data.split_inclusive(|byte| *byte == b'\n').collect();
    for (index, line) in lines.iter().enumerate() {
        let part = Part {
            first: index == 0,
            last: index + 1 == lines.len(),
        };
        recording.add(audit.block(line, part), &mut out);
    }
    let totals = recording.finish(&mut out);
    assert_eq!((findings, totals), whole);
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_properties_hold_for_a_few_wires() {
        for wire in [
            &b""[..],
            b"\x03{\"t\":1}\n",
            b"\x00\xEF\xBB\xBF{}\n\n\r\n{\"t\":2}\n\xff",
            b"\x09{\"type\":\"result\",\"session_id\":\"s\",\"seq\":0}\n{",
        ] {
            super::framing(wire);
            super::audit(wire);
        }
    }
}
