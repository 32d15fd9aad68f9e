//! The three readings of small schemas, judged by the validator and compared with the walk.

use super::{Validators, compile, instance};
use crate::json;
use crate::wire::{
    Matcher as _, Reading, SampleOptions, Start, canonical, published_schema, read, sample,
    walk_document,
};

/// Which readings take a document: `P`ublished, `S`trict, `O`pen.
fn readings(schema: &str, document: &str) -> String {
    let wire = read("s.json", schema).expect(schema);
    let validators = Validators::new(&wire);
    let node = json::parse(document).expect(document);
    let all = [
        (Reading::Published, 'P'),
        (Reading::Strict, 'S'),
        (Reading::Open, 'O'),
    ];
    all.into_iter()
        .filter(|(reading, _)| validators.accepts(*reading, &node))
        .map(|(_, name)| name)
        .collect()
}

#[test]
fn each_reading_takes_what_it_should() {
    let object = r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#;
    let closed =
        r#"{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}"#;
    let map = r#"{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}"#;
    let pattern = r#"{"type":"object","patternProperties":{"^x-":{"type":"string"}}}"#;
    let open_enum = r#"{"anyOf":[{"enum":["a","b"]},{"type":"string"}]}"#;
    let closed_enum = r#"{"enum":["a","b"]}"#;
    let format = r#"{"type":"string","format":"date-time"}"#;
    let tagged = r#"{"oneOf":[{"type":"object","properties":{"t":{"const":"a"},"n":{"type":"integer"}},"required":["t"]},{"type":"object","properties":{"t":{"const":"b"}},"required":["t"]}]}"#;
    let untagged = r#"{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"type":"object","properties":{"b":{"type":"integer"}}}]}"#;
    let conditional = r#"{"type":"object","properties":{"a":{"type":"integer"}},"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}},"required":["b"]}}}"#;
    let exclusive = r#"{"oneOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}"#;
    let nested = r#"{"anyOf":[{"type":"object","required":["c"],"properties":{"c":{},"a":{},"b":{}}},{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{}}},{"type":"object","required":["b"],"properties":{"b":{}}}]}]}"#;
    for (schema, document, expected) in [
        (object, r#"{"a":1}"#, "PSO"),
        (object, r#"{"a":1,"z":1}"#, "PO"),
        (object, r#"{"a":"1"}"#, ""),
        (closed, r#"{"a":1,"z":1}"#, "O"),
        (map, r#"{"a":1,"z":"1"}"#, "PSO"),
        (map, r#"{"z":1}"#, ""),
        (pattern, r#"{"x-a":"1"}"#, "PSO"),
        (pattern, r#"{"x-a":"1","z":1}"#, "PO"),
        (r#"{"type":"object"}"#, r#"{"z":1}"#, "PSO"),
        (open_enum, r#""b""#, "PSO"),
        (open_enum, r#""c""#, "PO"),
        (open_enum, "1", ""),
        (closed_enum, r#""c""#, ""),
        (format, r#""2026-01-02T03:04:05Z""#, "PSO"),
        (format, r#""noon""#, "PO"),
        (tagged, r#"{"t":"a","n":1}"#, "PSO"),
        (tagged, r#"{"t":"c"}"#, "O"),
        (tagged, r#"{"t":"a","n":"1"}"#, ""),
        (untagged, r#"{"a":1}"#, "PSO"),
        (untagged, r#"{"a":1,"b":1}"#, "PSO"),
        (untagged, r#"{"a":1,"c":1}"#, "PO"),
        (conditional, r#"{"a":1,"b":1}"#, "PSO"),
        (conditional, r#"{"a":1}"#, ""),
        (conditional, r#"{"a":1,"b":1,"c":1}"#, "PO"),
        (exclusive, r#"{"a":1}"#, "PSO"),
        (exclusive, r#"{"b":1}"#, "O"),
        (nested, r#"{"a":1}"#, "PSO"),
        (nested, r#"{"a":1,"b":1}"#, "O"),
        (nested, r#"{"a":1,"b":1,"c":1}"#, "PSO"),
    ] {
        assert_eq!(readings(schema, document), expected, "{schema} {document}");
    }
}

/// Schemas of every keyword the emitter writes.
const SCHEMAS: [&str; 13] = [
    r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":{"type":"boolean"},"minItems":1,"maxItems":5}"#,
    r#"{"type":"array","items":{"type":"integer","minimum":0,"maximum":9},"contains":{"const":3},"minContains":2,"maxContains":3,"uniqueItems":false}"#,
    r#"{"type":"array","items":{"enum":[1,2,"x",null,true]},"uniqueItems":true,"maxItems":4}"#,
    r#"{"type":"object","properties":{"a":{"type":"number","exclusiveMinimum":0,"multipleOf":0.5}},"propertyNames":{"maxLength":4},"minProperties":1,"maxProperties":3}"#,
    r#"{"type":"object","properties":{"a":{},"b":{},"c":{}},"dependentRequired":{"a":["b","c"]}}"#,
    r#"{"type":"string","pattern":"^[a-c]+$","minLength":2,"maxLength":4,"not":{"enum":["ab","cc"]}}"#,
    r#"{"type":["string","null","integer","object"],"minimum":3,"minLength":1,"required":["x"]}"#,
    r#"{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"],"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"]},"else":{"required":["y"]}}"#,
    r##"{"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["v"]}}}"##,
    r#"{"type":"object","not":{"required":["a","b"]},"properties":{"a":{},"b":{},"c":{}}}"#,
    r#"{"anyOf":[{"const":{"a":[1]}},{"const":[1,2]},{"type":"number","allOf":[{"multipleOf":2},{"multipleOf":3}]}]}"#,
    r#"{"oneOf":[{"type":"array","maxItems":2},{"type":"array","items":{"type":"integer"}}]}"#,
    r#"{"oneOf":[{"type":"integer"},{"type":"number","minimum":5}]}"#,
];

#[test]
fn a_schema_and_what_is_emitted_from_it_agree_and_the_readings_nest() {
    let mut valid = 0;
    for schema in SCHEMAS {
        let wire = read("s.json", schema).expect(schema);
        let original = compile(schema, false).expect(schema);
        let emitted = compile(&published_schema(&wire), false).expect(schema);
        let validators = Validators::new(&wire);
        let accepts =
            |reading, node: &json::Node| validators.matches(reading, Start::Document, node);
        let fixed = [
            "null",
            "true",
            "0",
            "-1.5",
            "6",
            "\"\"",
            "\"ab\"",
            "[]",
            "[3,3]",
            "[1,2]",
            "{}",
            "{\"a\":[1]}",
            "{\"a\":1,\"b\":2}",
            "{\"k\":\"a\"}",
        ];
        let fixed = fixed.into_iter().map(|text| json::parse(text).expect(text));
        let root = wire.roots[0].node;
        let sampled = (0..200).filter_map(|seed| {
            let options = SampleOptions {
                unknown: seed % 2 == 0,
                ..SampleOptions::random(seed)
            };
            sample(&wire, root, &options)
        });
        for node in fixed.chain(sampled) {
            let value = instance(&node).expect("a value");
            let (left, right) = (original.is_valid(&value), emitted.is_valid(&value));
            assert_eq!(left, right, "{schema} {value}");
            let (strict, open) = (
                accepts(Reading::Strict, &node),
                accepts(Reading::Open, &node),
            );
            assert!(
                left || !strict,
                "strict is inside published: {schema} {value}"
            );
            assert!(open || !left, "published is inside open: {schema} {value}");
            let unknown = walk_document(&wire, &node, &validators).unknown;
            assert!(
                !strict || unknown.is_empty(),
                "{schema} {value} {unknown:?}"
            );
            valid += usize::from(left);
        }
    }
    assert!(valid > 1000, "{valid}");
}

#[test]
fn canonical_bytes_order_declared_members_and_keep_the_rest() {
    let schema = r#"{"oneOf":[
        {"type":"object","properties":{"n":{"type":"integer"},"t":{"const":"a"},"x":{"type":"number"},"free":{}},"required":["t"]},
        {"type":"object","properties":{"id":{"type":"integer"},"t":{"type":"string","not":{"enum":["a"]}}},"required":["t"]}]}"#;
    let wire = read("s.json", schema).expect("a schema");
    let validators = Validators::new(&wire);
    for (document, expected) in [
        (
            r#"{ "z" : 1.0, "x": 1.0, "n" :2.0, "t":"a", "b":{"y":1,"x":[ 2.50 ]}}"#,
            r#"{"t":"a","n":2,"x":1.0,"z":1.0,"b":{"y":1,"x":[2.50]}}"#,
        ),
        (r#"{"n":1e2,"t":"a"}"#, r#"{"t":"a","n":100}"#),
        (r#"{"n":-0,"t":"a"}"#, r#"{"t":"a","n":0}"#),
        (
            r#"{"z":1,"id":3.0,"t":"new"}"#,
            r#"{"t":"new","id":3,"z":1}"#,
        ),
        (
            r#"{"t":"a","free":{"b":1,"a":"\u00e9\/\u007f\u0001"}}"#,
            "{\"t\":\"a\",\"free\":{\"b\":1,\"a\":\"é/\u{7f}\\u0001\"}}",
        ),
        (r#"[ 1 ]"#, "[1]"),
    ] {
        let node = json::parse(document).expect(document);
        assert_eq!(canonical(&wire, &node, &validators), expected);
    }
}
