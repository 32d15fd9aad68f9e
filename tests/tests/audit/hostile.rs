//! Streams that were made to break readers: hostile lines, and hostile ways to begin and to end.

/// The first line of a run.
pub(super) const INIT: &[u8] = br#"{"type":"system","session_id":"s","seq":0,"subtype":"init","cwd":"/w","milk_version":"1","agent":{"name":"a","provider":"p"},"capabilities":["stream_v1"]}"#;
/// A line of a run.
pub(super) const TEXT: &[u8] = br#"{"type":"assistant","session_id":"s","seq":1,"message":{"role":"assistant","content":[{"type":"text","text":"t"}]}}"#;
/// The last line of a run.
pub(super) const RESULT: &[u8] =
    br#"{"type":"result","session_id":"s","seq":2,"subtype":"success","is_error":false}"#;

/// Lines as a stream.
pub(super) fn lines(lines: &[&[u8]]) -> Vec<u8> {
    lines
        .iter()
        .flat_map(|line| [*line, b"\n"])
        .collect::<Vec<_>>()
        .concat()
}

/// The text line with another text in place of a part of it.
fn text_with(part: &str, other: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(TEXT).expect("text");
    let (before, after) = text.split_once(part).expect("the part");
    [before.as_bytes(), other, after.as_bytes()].concat()
}

/// The text line with a free-form part.
fn free(value: &[u8]) -> Vec<u8> {
    let member = [b"\"seq\":1,\"extension\":", value].concat();
    text_with("\"seq\":1", &member)
}

fn nested(depth: usize) -> Vec<u8> {
    [b"[".repeat(depth), b"]".repeat(depth)].concat()
}

/// Lines with their names, each of which may stand anywhere in a run.
pub(super) fn hostile_lines() -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, line: Vec<u8>| all.push((name.to_owned(), line));
    add("a mark", [b"\xEF\xBB\xBF", TEXT].concat());
    add("a mark alone", b"\xEF\xBB\xBF".to_vec());
    add("NUL bytes before", [b"\0\0\0", TEXT].concat());
    add("a NUL byte behind", [TEXT, b"\0"].concat());
    add("NUL bytes alone", vec![0; 40]);
    add("a return within", [b"\r", TEXT].concat());
    add("returns before the line end", [TEXT, b"\r\r\r"].concat());
    add("a form feed alone", b"\x0c".to_vec());
    add("a vertical tab before", [b"\x0b", TEXT].concat());
    add("a space of another kind", "\u{a0}".into());
    add(
        "a line separator between tokens",
        [TEXT, "\u{2028}".as_bytes()].concat(),
    );
    add(
        "a next line between tokens",
        [TEXT, "\u{85}".as_bytes()].concat(),
    );
    add("a record separator before", [b"\x1e", TEXT].concat());
    add("an escape character before", [b"\x1b[0m", TEXT].concat());
    add("an escape character behind", [TEXT, b"\x1b[0m"].concat());
    add(
        "text of sixteen bits",
        TEXT.iter().flat_map(|byte| [*byte, 0]).collect(),
    );
    add("spaces around", [b" \t ", TEXT, b" \t \r"].concat());
    add("something behind", [TEXT, b" x"].concat());
    add("a comma behind", [TEXT, b","].concat());
    add("another object behind", [TEXT, b"{}"].concat());
    add("a comment", [b"/* c */", TEXT].concat());
    add("half of it", TEXT[..TEXT.len() / 2].to_vec());
    for value in [
        "null", "17", "true", "\"x\"", "[]", "[{}]", "{}", "NaN", "'x'", "{", "}", "\"", "tru",
    ] {
        add(value, value.into());
    }
    for number in [
        "1e400",
        "-1e400",
        "1e-400",
        "-0",
        "-0.0",
        "01",
        "+1",
        "1.",
        ".5",
        "1e",
        "0x10",
        "Infinity",
        "-",
        "18446744073709551615",
        "18446744073709551616",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "-1",
        "1.0",
        "1e0",
        "10e-1",
        "1.5",
        "1E+2",
        "\"1\"",
        "null",
        "1e99999999999999999999",
        "0.1e1",
        "1000000000000000000000e-21",
    ] {
        add(
            &format!("{number} as a number of a line"),
            text_with("\"seq\":1", format!("\"seq\":{number}").as_bytes()),
        );
        add(
            &format!("{number} in a free-form part"),
            free(number.as_bytes()),
        );
    }
    add(
        "a number of many digits",
        free("7".repeat(20_000).as_bytes()),
    );
    add(
        "a number of many digits of a line",
        text_with(
            "\"seq\":1",
            format!("\"seq\":{}", "7".repeat(20_000)).as_bytes(),
        ),
    );
    add(
        "a number with many zeros",
        text_with(
            "\"seq\":1",
            format!("\"seq\":1.{}", "0".repeat(20_000)).as_bytes(),
        ),
    );
    for escape in [
        r"\ud800",
        r"\udc00",
        r"\udc00\ud800",
        r"\ud800\u0041",
        r"\ud800x",
        r"\ud83d\ude00",
        r"\u0000",
        r"\u001b[0m",
        r"\x41",
        r"\u12",
        r"\u00G0",
        r"\",
        r"\'",
        r"\/",
        r"\ud800\n",
    ] {
        add(
            &format!("{escape} in a text"),
            text_with(":\"t\"", format!(":\"{escape}\"").as_bytes()),
        );
        add(
            &format!("{escape} in a free-form part"),
            free(format!("[\"{escape}\"]").as_bytes()),
        );
        add(
            &format!("{escape} in a name"),
            free(format!("{{\"{escape}\":1}}").as_bytes()),
        );
        add(
            &format!("{escape} in an unknown name"),
            text_with("\"seq\":1", format!("\"seq\":1,\"{escape}\":1").as_bytes()),
        );
    }
    for (name, bytes) in [
        ("a byte that is none", &b"\xff"[..]),
        ("half a character", b"\xc3"),
        ("too long a zero", b"\xc0\x80"),
        ("a surrogate", b"\xed\xa0\x80"),
        ("a pair of surrogates", b"\xed\xa0\xbd\xed\xb8\x80"),
        ("beyond the last character", b"\xf4\x90\x80\x80"),
        ("a tail alone", b"\x80"),
        ("three of four bytes", b"\xf0\x9f\x98"),
        ("a noncharacter", b"\xef\xbf\xbf"),
        ("a tab", b"\t"),
        ("a NUL", b"\0"),
        ("a unit separator", b"\x1f"),
        ("a delete", b"\x7f"),
        ("an escape character", b"\x1b[31m"),
        ("a return", b"\r"),
    ] {
        add(
            &format!("{name} in a text"),
            text_with(":\"t\"", &[b":\"", bytes, b"\""].concat()),
        );
        add(
            &format!("{name} in a free-form part"),
            free(&[b"\"", bytes, b"\""].concat()),
        );
        add(
            &format!("{name} in an unknown member"),
            text_with(
                "\"seq\":1",
                &[b"\"seq\":1,\"", bytes, b"\":\"", bytes, b"\""].concat(),
            ),
        );
        add(
            &format!("{name} between tokens"),
            text_with("\"seq\":1", &[b"\"seq\":", bytes, b"1"].concat()),
        );
        add(&format!("{name} at the end"), [TEXT, bytes].concat());
    }
    for twice in [
        r#""seq":1,"seq":1"#,
        r#""seq":1,"s\u0065q":1"#,
        r#""seq":1,"x":1,"x":2"#,
        r#""seq":1,"extension":{"x":1,"x":2}"#,
        r#""seq":1,"type":"assistant""#,
        r#""seq":1,"":1,"":2"#,
        r#""seq":1,"x":1,"\u0078":2"#,
        r#""seq":1,"x":{"y":1,"y":2}"#,
        r#""seq":1,"extension":1,"extension":2"#,
    ] {
        add(twice, text_with("\"seq\":1", twice.as_bytes()));
    }
    add(
        "a member of a member twice",
        text_with(
            "\"role\":\"assistant\"",
            br#""role":"assistant","role":"user""#,
        ),
    );
    add(
        "an unknown member of a member twice",
        text_with(
            "\"role\":\"assistant\"",
            br#""role":"assistant","z":1,"z":2"#,
        ),
    );
    add(
        "a member of a block twice",
        text_with(":\"t\"", br#":"t","text":"u""#),
    );
    for depth in [124, 125, 126, 127, 128, 129, 10_000] {
        add(&format!("nested {depth} deep"), free(&nested(depth)));
        add(
            &format!("nested {depth} deep and open"),
            free(&b"[".repeat(depth)),
        );
        add(
            &format!("objects nested {depth} deep"),
            free(&[b"{\"a\":".repeat(depth), b"1".to_vec(), b"}".repeat(depth)].concat()),
        );
        add(
            &format!("an unknown member nested {depth} deep"),
            text_with(
                "\"seq\":1",
                &[b"\"seq\":1,\"u\":", &*nested(depth)].concat(),
            ),
        );
        add(&format!("alone, nested {depth} deep"), nested(depth));
    }
    add(
        "a text of two mebibytes",
        text_with(":\"t\"", format!(":\"{}\"", "é".repeat(1 << 20)).as_bytes()),
    );
    add(
        "a text of two mebibytes of escapes",
        text_with(
            ":\"t\"",
            format!(":\"{}\"", r"\u00e9".repeat(1 << 18)).as_bytes(),
        ),
    );
    add(
        "many members",
        text_with(
            "\"seq\":1",
            format!(
                "\"seq\":1{}",
                (0..20_000)
                    .map(|n| format!(",\"m{n}\":{n}"))
                    .collect::<String>()
            )
            .as_bytes(),
        ),
    );
    for (part, other) in [
        ("\"type\":\"assistant\"", "\"type\":17"),
        ("\"type\":\"assistant\"", "\"type\":null"),
        ("\"type\":\"assistant\",", ""),
        ("\"type\":\"assistant\"", "\"type\":\"\""),
        ("\"type\":\"assistant\"", "\"type\":\"Assistant\""),
        ("\"type\":\"assistant\"", r#""\u0074ype":"assist\u0061nt""#),
        ("\"type\":\"assistant\"", "\"type\":[\"assistant\"]"),
        ("\"session_id\":\"s\"", "\"session_id\":\"\""),
        ("\"session_id\":\"s\",", ""),
        ("\"session_id\":\"s\"", "\"session_id\":null"),
        ("\"seq\":1", "\"seq\":1,\"ts\":\"2020-01-01T00:00:00Z\""),
        ("\"seq\":1", "\"seq\":1,\"ts\":\"yesterday\""),
        ("\"seq\":1", "\"seq\":1,\"ts\":null"),
        ("\"seq\":1", "\"seq\":1,\"ts\":17"),
        ("\"seq\":1", "\"seq\":1,\"parent_tool_use_id\":null"),
        ("[{\"type\":\"text\",\"text\":\"t\"}]", "[]"),
        ("[{\"type\":\"text\",\"text\":\"t\"}]", "{}"),
        ("[{\"type\":\"text\",\"text\":\"t\"}]", "[null]"),
        ("\"text\":\"t\"", "\"txt\":\"t\""),
        ("\"type\":\"text\"", "\"type\":\"video\""),
        ("\"type\":\"text\"", "\"typ\":\"text\""),
        ("\"role\":\"assistant\"", "\"role\":\"judge\""),
        ("\"role\":\"assistant\"", "\"role\":7"),
        ("\"role\":\"assistant\",", ""),
    ] {
        add(
            &format!("{other:?} for {part}"),
            text_with(part, other.as_bytes()),
        );
    }
    for line in [
        r#"{"type":"news"}"#,
        r#"{"type":"news","session_id":"s","seq":1}"#,
        r#"{"type":"news","session_id":"s"}"#,
        r#"{"type":"system","session_id":"s","seq":1}"#,
        r#"{"type":"system","session_id":"s","seq":1,"subtype":"news"}"#,
        r#"{"type":"system","session_id":"s","seq":1,"subtype":7}"#,
        r#"{"type":"system","session_id":"s","seq":1,"subtype":"init"}"#,
        r#"{"type":"result","session_id":"s","seq":1,"subtype":"success"}"#,
        r#"{"type":"result","session_id":"s","seq":1,"subtype":"won","is_error":true}"#,
        r#"{"is_error":false,"subtype":"success","seq":1,"session_id":"s","type":"result"}"#,
        r#"{"type":"stream_event","session_id":"s","seq":1,"event":{"type":"news"}}"#,
        r#"{"type":"stream_event","session_id":"s","seq":1,"event":{}}"#,
        r#"{"type":"stream_event","session_id":"s","seq":1,"event":{"type":"content_block_delta","index":-1,"delta":{"type":"text_delta","text":"t"}}}"#,
        r#"{"type":"user","session_id":"s","seq":1,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":0}]}}"#,
    ] {
        add(line, line.into());
    }
    all
}

/// Whole streams with their names, for readers whose frames have at most `bound` bytes.
pub(super) fn hostile_streams(bound: usize) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, wire: Vec<u8>| all.push((name.to_owned(), wire));
    let run = lines(&[INIT, TEXT, RESULT]);
    add("nothing", Vec::new());
    add("a mark alone", b"\xEF\xBB\xBF".to_vec());
    add("two marks", [b"\xEF\xBB\xBF\xEF\xBB\xBF", &*run].concat());
    add("half a mark", [b"\xEF\xBB", &*run].concat());
    add(
        "a mark behind a blank line",
        [b"\n\xEF\xBB\xBF", &*run].concat(),
    );
    add("blank lines", b"\n \n\t\n\r\n\r\r\n\n".to_vec());
    add(
        "returns for line ends",
        run.iter()
            .map(|byte| if *byte == b'\n' { b'\r' } else { *byte })
            .collect(),
    );
    add(
        "line ends before returns",
        run.iter()
            .flat_map(|byte| {
                if *byte == b'\n' {
                    &b"\n\r"[..]
                } else {
                    std::slice::from_ref(byte)
                }
                .to_vec()
            })
            .collect(),
    );
    add("the end twice", [&*run, RESULT, b"\n"].concat());
    add(
        "the end twice in one line",
        [&run[..run.len() - 1], RESULT, b"\n"].concat(),
    );
    add(
        "blank lines behind the end",
        [&*run, b"\n\n \n\t\r\n"].concat(),
    );
    add(
        "blank lines behind the end, and data",
        [&*run, b"\n\n \n\t\r\n", TEXT, b"\n"].concat(),
    );
    add(
        "garbage behind the end",
        [&*run, b"\x00\xff garbage"].concat(),
    );
    add(
        "half a line behind the end",
        [&*run, b"{\"type\":"].concat(),
    );
    add("no line end at the end", run[..run.len() - 1].to_vec());
    add(
        "a return at the end",
        [&run[..run.len() - 1], b"\r"].concat(),
    );
    add("half the last line", run[..run.len() - 20].to_vec());
    add(
        "half a character at the end",
        [&run[..run.len() - 20], b"\xc3"].concat(),
    );
    add(
        "blank lines and no line end",
        [&lines(&[INIT]), &b"\n\n  "[..]].concat(),
    );
    add("an end alone", lines(&[RESULT]));
    add(
        "every two bytes a line end",
        run.chunks(2)
            .flat_map(|two| [two, b"\n"].concat())
            .collect(),
    );
    add(
        "a line over three lines",
        lines(&[INIT, &TEXT[..20], &TEXT[20..50], &TEXT[50..], RESULT]),
    );
    add(
        "an array of lines",
        [b"[", INIT, b",\n", TEXT, b",\n", RESULT, b"]\n"].concat(),
    );
    for length in [bound - 1, bound, bound + 1] {
        let pad = length - free(b"\"\"").len();
        let line = free(format!("\"{}\"", "x".repeat(pad)).as_bytes());
        assert_eq!(line.len(), length);
        add(
            &format!("a line of {length} bytes"),
            lines(&[INIT, &line, RESULT]),
        );
        add(
            &format!("{length} spaces"),
            lines(&[INIT, &b" ".repeat(length), RESULT]),
        );
        add(
            &format!("{length} bytes without a line end"),
            [&lines(&[INIT]), &*b"x".repeat(length)].concat(),
        );
    }
    all
}
