//! The one-document form of a run: the item that ends it, alone, as one indented JSON document.

use super::protocol::MAX_FRAME_BYTES;
use super::{Codec, Decodes, Policy, Protocol, hint};
use crate::{Code, Detail, Error, Result};

/// Appends the item that ends a run as a document of its own: two spaces a level, members in their
/// order, one line end at the end.
///
/// ```
/// use wirelock_runtime::framing::{Declaration, Predicate, RawItem, write_document};
/// let terminal = Predicate::members(r#"{"type":"result"}"#).unwrap();
/// let protocol = Declaration::item().terminal(terminal).declare().unwrap();
/// let item = RawItem::new(r#"{"type":"result","turns":[]}"#).unwrap();
/// let mut out = String::new();
/// write_document(&protocol, &item, &mut out).unwrap();
/// assert_eq!(out, "{\n  \"type\": \"result\",\n  \"turns\": []\n}\n");
/// ```
///
/// # Errors
/// The item does not end a run, or is larger than a frame may be; nothing is appended then.
pub fn write_document<C: Codec>(
    protocol: &Protocol<C>,
    item: &C::Item,
    out: &mut String,
) -> Result<()> {
    is_terminal(protocol, item)?;
    let mut compact = String::new();
    protocol.codec.encode(item, &mut compact);
    let start = out.len();
    indent(&compact, out);
    let written = bounded(protocol, &Policy::default(), out.len() - start);
    if written.is_err() {
        out.truncate(start);
    } else {
        out.push('\n');
    }
    written
}

/// Reads such a document, however it is indented. One byte order mark may stand before it.
///
/// ```
/// use wirelock_runtime::framing::{Declaration, Policy, Predicate, read_document};
/// let terminal = Predicate::members(r#"{"type":"result"}"#).unwrap();
/// let protocol = Declaration::item().terminal(terminal).declare().unwrap();
/// let read = |text: &str| read_document(&protocol, Policy::default(), text.as_bytes());
/// assert_eq!(read("{\n  \"type\": \"result\"\n}\n").unwrap().as_str(), r#"{"type":"result"}"#);
/// let error = read("{\"type\": \"step\"}").unwrap_err();
/// assert_eq!(error.code().as_str(), "STREAM_TERMINAL_MISSING");
/// ```
///
/// # Errors
/// The document is too large, no UTF-8, no JSON, no item, or one that does not end a run. Errors
/// count lines of the document.
pub fn read_document<C: Decodes>(
    protocol: &Protocol<C>,
    policy: Policy,
    bytes: &[u8],
) -> Result<C::Item> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bounded(protocol, &policy, bytes.trim_ascii_end().len())?;
    let placed = |error: Error| match error.offset() {
        Some(offset) => {
            let before = bytes.get(..offset).unwrap_or(bytes);
            let ends = before.iter().filter(|byte| **byte == b'\n').count();
            error.on_line(1 + ends as u64)
        }
        None => error,
    };
    let text = simdutf8::compat::from_utf8(bytes).map_err(|broken| {
        placed(Error::new(Code::InvalidUtf8, "UTF-8").at_offset(broken.valid_up_to()))
    })?;
    let item = protocol.codec.decode(text);
    let item = item.map_err(|error| placed(hint::explain(error, text)))?;
    is_terminal(protocol, &item)?;
    Ok(item)
}

fn is_terminal<C: Decodes>(protocol: &Protocol<C>, item: &C::Item) -> Result<()> {
    if !protocol.ending.has_terminal() || protocol.codec.is_terminal(item) {
        return Ok(());
    }
    Err(Error::new(Code::TerminalMissing, "the item that ends a run").with_found("another item"))
}

fn bounded<C>(protocol: &Protocol<C>, policy: &Policy, bytes: usize) -> Result<()> {
    let (limit, _) = protocol.limits(policy, MAX_FRAME_BYTES);
    if bytes as u64 <= limit {
        return Ok(());
    }
    let detail = Detail::Size {
        limit,
        seen: limit + 1,
    };
    let expected = format!("a document of at most {limit} bytes");
    Err(Error::new(Code::FrameTooLarge, expected).with_detail(detail))
}

/// Appends a JSON text that has no whitespace between its tokens, indented.
fn indent(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        (0..depth).for_each(|_| out.push_str("  "));
    };
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => {
                while let Some(byte) = bytes.get(at) {
                    at += if *byte == b'\\' { 2 } else { 1 };
                    if *byte == b'"' {
                        break;
                    }
                }
                out.push_str(text.get(start..at).unwrap_or_default());
            }
            b'{' | b'[' => {
                out.push(char::from(*byte));
                if let Some(close @ (b'}' | b']')) = bytes.get(at) {
                    out.push(char::from(*close));
                    at += 1;
                } else {
                    depth += 1;
                    line(out, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                line(out, depth);
                out.push(char::from(*byte));
            }
            b',' => {
                out.push(',');
                line(out, depth);
            }
            b':' => out.push_str(": "),
            // Outside of strings there is ASCII alone.
            other => out.push(char::from(*other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::indent;

    #[test]
    fn indented_text_is_what_serde_json_writes() {
        // Members are sorted here, because the reference sorts them.
        for text in [
            r#"{"\\":null,"a":[1,{"b":[]},"x,{\"y\"}:"],"c":{},"d":-1.5}"#,
            "[[[]],[[true]]]",
            r#""é\\""#,
            "{}",
        ] {
            let mut out = String::new();
            indent(text, &mut out);
            let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(out, serde_json::to_string_pretty(&value).expect("written"));
        }
    }
}
