//! Patterns against texts that they match and do not match.

use super::{matches, translate};

#[test]
fn languages_are_those_of_ecma_262() {
    for (pattern, yes, no) in [
        (r"^[a-z]+$", "abc", "abC"),
        (r"^\w+$", "a_1", "é"),
        (r"^[\w.-]+$", "a.b-c", "a b"),
        (r"^\/a\-b$", "/a-b", "a-b"),
        (r"^.$", "é", "\u{2028}"),
        (r"^[^\]\\]$", "a", "]"),
        (r"^[[&~]$", "[", "a"),
        (r"^a{2,3}$", "aaa", "aaaa"),
        (r"^{x}$", "{x}", "x"),
        (r"^\u0041\x42$", "AB", "ab"),
        (r"^\ud83d\ude00$", "😀", "x"),
        (r"^(?<year>\d{4})$", "2026", "26"),
        (r"^[^]$", "\n", ""),
        (r"^[\d-]+$", "1-2", "a"),
        (r"^\s\S$", "\u{a0}x", "xx"),
        (r"a|b$", "xa", "bx"),
        (r"^\p{L}\P{L}[\p{Nd}x]$", "é1٣", "a1l"),
        (r"^\p{Script=Greek}+$", "λόγος", "logos"),
    ] {
        assert_eq!(
            matches(pattern, yes),
            Ok(true),
            "{pattern} on {yes:?}: {:?}",
            translate(pattern)
        );
        assert_eq!(
            matches(pattern, no),
            Ok(false),
            "{pattern} on {no:?}: {:?}",
            translate(pattern)
        );
    }
    let parts = |pattern| {
        let parts = super::conjuncts(pattern).into_iter();
        parts
            .map(|(part, not)| format!("{}{part}", if not { "!" } else { "" }))
            .collect::<Vec<_>>()
    };
    assert_eq!(parts(r"^(?!(a|b)\))(?=.c)x|$"), [r"^(?!(a|b)\))(?=.c)x|$"]);
    assert_eq!(
        parts(r"^(?!(a|b)\))(?=.c)x$"),
        [r"!^(?:(a|b)\))", "^(?:.c)", "^x$"]
    );
    assert_eq!(parts("^a+(?<!b[)]|c)$"), ["!(?:b[)]|c)$", "^a+$"]);
    assert_eq!(parts("^(?=a)*b"), ["^(?=a)*b"]);
    for pattern in [
        r"(?=a)",
        r"(?!a)",
        r"(?<=a)",
        r"(a)\1",
        r"[a",
        r"a\",
        r"(",
        r"\u12",
        "(?i)a",
        "a{99999}{99999}",
    ] {
        assert!(matches(pattern, "a").is_err(), "{pattern}");
    }
}

#[test]
fn properties_are_those_of_ecma_262() {
    for known in [
        "L",
        "Uppercase_Letter",
        "gc=Nd",
        "Script=Greek",
        "White_Space",
    ] {
        assert!(translate(&format!(r"\p{{{known}}}")).is_ok(), "{known}");
    }
    // The other syntax takes these too, and means something by them.
    for unknown in ["Greek", "lu", "digit", "script=Greek", "x=L", ""] {
        assert!(
            translate(&format!(r"\p{{{unknown}}}")).is_err(),
            "{unknown}"
        );
    }
}
