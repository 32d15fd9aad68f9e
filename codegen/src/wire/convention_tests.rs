//! What the check of conventions says about damaged contracts, and how elements are named.

use super::{SchemaFault, check_schema, elements, read};

const CONTRACT: &str = r##"{
  "oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"$ref": "#/$defs/other"}],
  "$defs": {
    "a": {"title": "A", "description": "A.", "type": "object", "required": ["type"], "properties": {
      "type": {"const": "a", "description": "Tag."},
      "list": {"type": "array", "items": {"$ref": "#/$defs/kind"}, "description": "List."},
      "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/kind"}, "description": "Map."}}},
    "b": {"title": "B", "description": "B.", "type": "object", "required": ["type"], "properties": {
      "type": {"const": "b", "description": "Tag."}}},
    "kind": {"title": "Kind", "description": "K.", "anyOf": [{"const": "x", "description": "X."}, {"type": "string"}]},
    "other": {"title": "Other", "description": "O.", "type": "object", "required": ["type"], "properties": {
      "type": {"type": "string", "not": {"enum": ["a", "b"]}, "description": "Tag."}}}
  }
}"##;

fn faults(from: &str, to: &str) -> Vec<SchemaFault> {
    let text = CONTRACT.replacen(from, to, 1);
    assert!(
        from.is_empty() || text != CONTRACT,
        "{from} stands in the contract"
    );
    check_schema(&read("s.json", &text).expect("a schema"))
}

#[test]
fn each_broken_convention_is_named_with_what_to_write() {
    assert_eq!(faults("", ""), []);
    for (from, to, message, help) in [
        (
            r#"["a", "b"]"#,
            r#"["a"]"#,
            "also takes the known",
            r#"add "b" to the list at /$defs/other/properties/type/not/enum"#,
        ),
        (
            r#"["a", "b"]"#,
            r#"["a", "b", "c"]"#,
            "which no variant carries",
            r#"remove "c""#,
        ),
        (r#""title": "B", "#, "", "`b` has no `title`", "add one"),
        (
            r#""title": "B""#,
            r#""title": "A""#,
            "share the title",
            "of its own",
        ),
        (
            r#", "description": "X.""#,
            "",
            "known value `a.list[]=x` has no description",
            "anyOf",
        ),
        (
            r#", "description": "Map.""#,
            "",
            "field `a.map` has no description",
            "say in",
        ),
        (r#""const": "b""#, r#""const": "a""#, "", "of its own"),
    ] {
        let found = faults(from, to);
        let hit = found
            .iter()
            .any(|fault| fault.message.contains(message) && fault.help.contains(help));
        assert!(hit, "{from} -> {to}: {found:#?}");
    }
}

#[test]
fn elements_are_declarations_named_by_their_first_place() {
    let wire = read("s.json", CONTRACT).expect("a schema");
    let names: Vec<String> = elements(&wire)
        .iter()
        .map(|element| element.subject.to_string())
        .collect();
    assert_eq!(
        names,
        [
            "a",
            "a.type",
            "a.list",
            "a.map",
            "b",
            "b.type",
            "a.list[]=x"
        ]
    );
}

#[test]
fn the_annotation_names_what_lines_declare() {
    let with = |annotation: &str| {
        let start =
            format!("{{ \"x-contract\": {{\"capability\": \"c_v1\", {annotation}}}, \"oneOf\"");
        let found = faults("{\n  \"oneOf\"", &start);
        let messages = found.into_iter().map(|fault| fault.message);
        messages.collect::<Vec<_>>()
    };
    assert_eq!(
        with(r#""session": "/type", "terminal": {"type": "a"}"#),
        [""; 0]
    );
    for (annotation, message) in [
        (
            r#""terminal": {"type": "a"}, "session": "/run""#,
            r#"`session` is "/run", and no line declares such a member"#,
        ),
        (
            r#""terminal": {"type": "a"}, "sequence": "/type""#,
            r#"`sequence` is "/type", which never is a number"#,
        ),
        (
            r#""terminal": {"type": "a"}, "timestamp": "/list/x""#,
            r#"`timestamp` is "/list/x", and no line declares such a member"#,
        ),
        (
            r#""terminal": {"type": "end"}"#,
            "no line can have the members of `terminal`",
        ),
        (
            r#""terminal": {"type": "a"}, "first": {"kind": "a"}"#,
            "no line can have the members of `first`",
        ),
    ] {
        assert_eq!(with(annotation), [message], "{annotation}");
    }
}
