//! Types of a contract that is nothing like ours: every kind of shape compiles and behaves.
//!
//! `shapes/types.rs` is generated from the schema beside it; a test of the generator keeps it fresh.

#[rustfmt::skip]
#[allow(dead_code, unreachable_pub)]
#[path = "shapes/types.rs"]
mod types;

use stream_json::runtime::Nullable;
use stream_json::{Code, Encode, from_str};
use types::*;

fn read(text: &str) -> Result<Shapes, stream_json::Error> {
    from_str(text)
}

#[test]
fn documents_come_back() {
    for members in [
        r#""maps":{"a":[],"b":[{"left":{"right":null,"leaves":[{}]}}]}"#,
        r#""pair":["a",1.50]"#,
        r#""loose":["a",1,null]"#,
        r#""some":["a","b"]"#,
        r#""maybe":null"#,
        r#""mixed":null"#,
        r#""mixed":7"#,
        r#""mixed":false"#,
        r#""expression":[1,"x",[],{"op":"not","of":{"op":"and","all":[2]}}]"#,
        r#""choice":{"number":9}"#,
        r#""choice":{"name":"n"}"#,
        r#""color":"dark_red","level":3,"operator":"<=","always":true,"code":"äöü","share":0.75,"even":-4,"huge":123456789012345678901234567890"#,
        r#""type":"t","self":"s","extra":"e","foo-bar":"1","foo_bar":"2","größe":"3","":"4","reader":"5","first":"6","key":"7","out":"8""#,
        r#""numbered":{"v":2,"b":"x","more":[{}]}"#,
        r#""result":{"ok":true,"undeclared":{}}"#,
        r#""lists":[[],[[]]]"#,
        r#""anything":{"x":[1.0,"\u00e4"]},"beyond":"text""#,
    ] {
        let text = format!(r#"{{"map":{{"a":1,"b":-2}},{members}}}"#);
        let value = read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(value.to_json(), text);
        let again: Shapes = serde_json::from_str(&serde_json::to_string(&value).expect("JSON"))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        if !text.contains("12345678901234") {
            assert_eq!(again, value, "{text}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_at_its_place() {
    for (members, path) in [
        (r#""map":{"a":1.5}"#, "/map/a"),
        (r#""map":{"a":1,"a":1}"#, "/map"),
        (r#""pair":["a"]"#, "/pair"),
        (r#""pair":["a",1,2]"#, "/pair"),
        (r#""some":[]"#, "/some"),
        (r#""some":["a","b","c"]"#, "/some"),
        (r#""mixed":1.5"#, "/mixed"),
        (r#""mixed":{}"#, "/mixed"),
        (r#""choice":{"number":10}"#, "/choice"),
        (r#""choice":{"name":"n","number":1}"#, "/choice"),
        (r#""color":"blue""#, "/color"),
        (r#""level":4"#, "/level"),
        (r#""always":false"#, "/always"),
        (r#""code":"x""#, "/code"),
        (r#""code":"long!""#, "/code"),
        (r#""share":0.3"#, "/share"),
        (r#""share":1.25"#, "/share"),
        (r#""even":3"#, "/even"),
        (r#""huge":1e31"#, "/huge"),
        (r#""huge":0.5"#, "/huge"),
        (r#""numbered":{"v":3}"#, "/numbered/v"),
        (r#""numbered":{"v":1,"b":"x"}"#, "/numbered"),
        (r#""result":{"ok":true}"#, "/result"),
        (
            r#""expression":{"op":"not","of":[[{"op":"or"}]]}"#,
            "/expression/of/0/0/op",
        ),
        (r#""beyond":1"#, "/beyond"),
        (r#""never":null"#, "/never"),
    ] {
        let text = if members.starts_with(r#""map""#) {
            format!("{{{members}}}")
        } else {
            format!(r#"{{"map":{{}},{members}}}"#)
        };
        let error = read(&text).expect_err(&text);
        assert_eq!(error.path(), path, "{text}: {error}");
        let duplicate = text.contains(r#""a":1,"a""#);
        assert_eq!(
            error.code(),
            if duplicate {
                Code::InvalidJson
            } else {
                Code::ItemInvalid
            },
            "{text}: {error}"
        );
    }
}

#[test]
fn absent_null_and_a_value_are_three_things() {
    let maybe = |text: &str| read(text).expect(text).maybe;
    assert_eq!(maybe(r#"{"map":{}}"#), None);
    assert_eq!(maybe(r#"{"map":{},"maybe":null}"#), Some(Nullable::Null));
    assert_eq!(
        maybe(r#"{"map":{},"maybe":""}"#),
        Some(Nullable::Value(String::new()))
    );
}

#[test]
fn trials_that_multiply_are_stopped() {
    // Nested alternatives double the work with each level, and such a text costs nothing to make.
    let deep = format!(
        r#"{{"map":{{}},"expression":{}1{}}}"#,
        r#"{"op":"not","of":"#.repeat(120),
        "}".repeat(120)
    );
    assert!(read(&deep).is_ok());
}
