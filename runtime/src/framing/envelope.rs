//! The three frames of an envelope stream: data, a failure, the end.

use crate::{Code, Encode, Error, Failure, ObjectWriter, Reader, Result, write_string};
use std::borrow::Cow;

/// One frame of an envelope stream as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Envelope<'a> {
    /// The text of an item, and where in the line it begins.
    Data(&'a str, usize),
    /// The producer failed.
    Failed(Failure),
    /// The stream is whole.
    End,
}

/// Reads a frame; it is a closed object. [`Decoder`](super::Decoder) does this for readers.
///
/// ```
/// use wirelock_runtime::framing::{Envelope, read_envelope};
/// let frame = read_envelope(r#"{"type":"data","data":7}"#).unwrap();
/// assert_eq!(frame, Envelope::Data("7", 22));
/// assert!(read_envelope(r#"{"type":"ping"}"#).is_err());
/// ```
///
/// # Errors
/// The text is no JSON, or no frame.
pub fn read(text: &str) -> Result<Envelope<'_>> {
    read_frame(text).map_err(|error| {
        if error.code() == Code::InvalidJson {
            return error;
        }
        // What is no JSON further on is no envelope of this or any other protocol.
        let mut reader = Reader::new(text);
        match reader.skip_value().and_then(|_| reader.end()) {
            Ok(()) => protocol(error),
            Err(broken) => broken,
        }
    })
}

fn protocol(error: Error) -> Error {
    let found = error.found().unwrap_or_default();
    let wrong = Error::new(Code::ProtocolError, error.expected().to_owned()).with_found(found);
    match error.offset() {
        Some(offset) => wrong.at_offset(offset),
        None => wrong,
    }
}

fn read_frame(text: &str) -> Result<Envelope<'_>> {
    let mut reader = Reader::new(text);
    reader.begin_object()?;
    let (mut kind, mut data, mut failure) = (None, None, None);
    let mut first = true;
    while let Some(name) = reader.next_key(&mut first)? {
        match &*name {
            "type" => reader.member(&mut kind, "type", Reader::str)?,
            "data" => reader.member(&mut data, "data", |reader| {
                let at = reader.offset();
                Ok((reader.skip_value()?, at))
            })?,
            "error" => reader.member(&mut failure, "error", read_failure)?,
            other => return Err(reader.undeclared(other)),
        }
    }
    reader.end()?;
    match (reader.required(kind, "type")?.as_ref(), data, failure) {
        ("data", Some((text, at)), None) => Ok(Envelope::Data(text, at)),
        ("error", None, Some(failure)) => Ok(Envelope::Failed(failure)),
        ("end", None, None) => Ok(Envelope::End),
        (kind, ..) => Err(reader
            .shape("a frame `data` with `data`, `error` with `error`, or `end` alone")
            .with_found(kind)),
    }
}

fn read_failure(reader: &mut Reader<'_>) -> Result<Failure> {
    reader.begin_object()?;
    let (mut code, mut message, mut details, mut hint) = (None, None, None, None);
    let mut first = true;
    while let Some(name) = reader.next_key(&mut first)? {
        match &*name {
            "code" => reader.member(&mut code, "code", Reader::str)?,
            "message" => reader.member(&mut message, "message", Reader::str)?,
            "details" => reader.member(&mut details, "details", Reader::raw)?,
            "hint" => reader.member(&mut hint, "hint", Reader::str)?,
            other => return Err(reader.undeclared(other)),
        }
    }
    let mut failure = Failure::new(reader.required(code, "code")?);
    failure.message = message.map(Cow::into_owned);
    failure.details = details.map(Cow::into_owned);
    failure.hint = hint.map(Cow::into_owned);
    Ok(failure)
}

pub(super) const DATA: &str = r#"{"type":"data","data":"#;
pub(super) const END: &str = "{\"type\":\"end\"}\n";

/// Appends the frame of a failure, with its line end.
pub(super) fn write_failure(failure: &Failure, out: &mut String) {
    out.push_str(r#"{"type":"error","error":"#);
    let mut object = ObjectWriter::new(out);
    object.member("\"code\":", &failure.code);
    object.optional("\"message\":", &failure.message);
    object.optional("\"details\":", &failure.details.as_deref().map(Details));
    object.optional("\"hint\":", &failure.hint);
    object.end();
    out.push_str("}\n");
}

/// Details that are JSON stand as they are; the field is public, so other text becomes a string.
struct Details<'a>(&'a str);

impl Encode for Details<'_> {
    fn encode(&self, out: &mut String) {
        let mut reader = Reader::new(self.0);
        match reader.raw() {
            Ok(text) if reader.end().is_ok() => out.push_str(&text),
            _ => write_string(self.0, out),
        }
    }
}
