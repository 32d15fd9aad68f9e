//! The schemas, one for each thing that dialects may differ in, and the documents they are tried on.

/// Schemas by a title; each is tried in each dialect.
pub(super) const SCHEMAS: &[(&str, &str)] = &[
    ("const", r#"{"const":1}"#),
    ("const-null", r#"{"const":null}"#),
    ("enum", r#"{"enum":[1,"a",null,[1],{"a":1}]}"#),
    ("contains", r#"{"contains":{"type":"integer"}}"#),
    ("contains-none", r#"{"type":"array","contains":false}"#),
    (
        "min-contains",
        r#"{"contains":{"type":"integer"},"minContains":2}"#,
    ),
    (
        "max-contains",
        r#"{"contains":{"type":"integer"},"maxContains":1}"#,
    ),
    (
        "min-contains-zero",
        r#"{"contains":{"type":"integer"},"minContains":0}"#,
    ),
    (
        "bounds-of-contains-alone",
        r#"{"minContains":2,"maxContains":3,"type":"array"}"#,
    ),
    (
        "if-then-else",
        r#"{"if":{"type":"integer"},"then":{"minimum":5},"else":{"type":"string"}}"#,
    ),
    ("if-alone", r#"{"if":false}"#),
    ("then-alone", r#"{"then":false,"else":false}"#),
    (
        "if-hidden",
        r##"{"$ref":"#/definitions/a","if":{"type":"integer"},"then":false,"definitions":{"a":{"type":["integer","string"]}}}"##,
    ),
    ("property-names", r#"{"propertyNames":{"maxLength":1}}"#),
    ("property-names-false", r#"{"propertyNames":false}"#),
    (
        "prefix-items",
        r#"{"prefixItems":[{"type":"integer"},{"type":"string"}]}"#,
    ),
    (
        "prefix-items-and-items",
        r#"{"prefixItems":[{"type":"integer"}],"items":{"type":"string"}}"#,
    ),
    ("items", r#"{"items":{"type":"integer"}}"#),
    ("items-false", r#"{"items":false}"#),
    (
        "tuple",
        r#"{"items":[{"type":"integer"},{"type":"string"}]}"#,
    ),
    (
        "tuple-closed",
        r#"{"items":[{"type":"integer"}],"additionalItems":false}"#,
    ),
    (
        "tuple-rest",
        r#"{"items":[{"type":"integer"}],"additionalItems":{"type":"string"}}"#,
    ),
    ("tuple-empty", r#"{"items":[],"additionalItems":false}"#),
    ("additional-items-alone", r#"{"additionalItems":false}"#),
    (
        "additional-items-beside-items",
        r#"{"items":{"type":"integer"},"additionalItems":false}"#,
    ),
    (
        "additional-items-beside-prefix",
        r#"{"prefixItems":[{}],"additionalItems":false}"#,
    ),
    (
        "exclusive-boolean",
        r#"{"minimum":1,"exclusiveMinimum":true}"#,
    ),
    (
        "exclusive-boolean-false",
        r#"{"maximum":7,"exclusiveMaximum":false}"#,
    ),
    ("exclusive-boolean-alone", r#"{"exclusiveMaximum":true}"#),
    ("exclusive-number", r#"{"exclusiveMinimum":1}"#),
    (
        "exclusive-number-both",
        r#"{"minimum":1,"exclusiveMinimum":0,"maximum":7,"exclusiveMaximum":7}"#,
    ),
    (
        "dependencies",
        r#"{"dependencies":{"a":["b"],"c":{"required":["d"]}}}"#,
    ),
    ("dependencies-false", r#"{"dependencies":{"a":false}}"#),
    ("dependent-required", r#"{"dependentRequired":{"a":["b"]}}"#),
    (
        "dependent-schemas",
        r#"{"dependentSchemas":{"a":{"required":["b"]},"c":false}}"#,
    ),
    (
        "unevaluated-properties",
        r#"{"properties":{"a":{}},"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-typed",
        r#"{"properties":{"a":{}},"unevaluatedProperties":{"type":"string"}}"#,
    ),
    (
        "unevaluated-properties-all-of",
        r#"{"allOf":[{"properties":{"a":{}}}],"properties":{"b":{}},"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-any-of",
        r#"{"anyOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}}}],"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-one-of",
        r#"{"oneOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}],"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-if",
        r#"{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"properties":{"b":{}}},"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-nested",
        r#"{"allOf":[{"properties":{"a":{}},"unevaluatedProperties":false}],"properties":{"b":{}}}"#,
    ),
    (
        "unevaluated-properties-cousin",
        r#"{"allOf":[{"properties":{"a":{}}},{"unevaluatedProperties":false}]}"#,
    ),
    (
        "unevaluated-properties-pattern",
        r#"{"patternProperties":{"^a":{}},"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-additional",
        r#"{"allOf":[{"additionalProperties":true}],"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-not",
        r#"{"not":{"properties":{"a":{"const":2}},"required":["a"]},"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-dependent",
        r#"{"properties":{"a":{}},"dependentSchemas":{"a":{"properties":{"b":{}}}},"unevaluatedProperties":false}"#,
    ),
    (
        "unevaluated-properties-ref",
        r##"{"$ref":"#/definitions/x","properties":{"b":{}},"unevaluatedProperties":false,"definitions":{"x":{"properties":{"a":{}}}}}"##,
    ),
    ("unevaluated-items", r#"{"unevaluatedItems":false}"#),
    (
        "unevaluated-items-prefix",
        r#"{"prefixItems":[{"type":"integer"}],"unevaluatedItems":false}"#,
    ),
    (
        "unevaluated-items-tuple",
        r#"{"items":[{"type":"integer"}],"unevaluatedItems":false}"#,
    ),
    (
        "unevaluated-items-additional",
        r#"{"items":[{}],"additionalItems":{"type":"integer"},"unevaluatedItems":false}"#,
    ),
    (
        "unevaluated-items-items",
        r#"{"items":{"type":"integer"},"unevaluatedItems":false}"#,
    ),
    (
        "unevaluated-items-contains",
        r#"{"contains":{"type":"integer"},"unevaluatedItems":false}"#,
    ),
    (
        "unevaluated-items-contains-typed",
        r#"{"contains":{"type":"integer"},"unevaluatedItems":{"type":"string"}}"#,
    ),
    (
        "unevaluated-items-all-of",
        r#"{"allOf":[{"prefixItems":[{}]}],"unevaluatedItems":{"type":"string"}}"#,
    ),
    (
        "ref-alone",
        r##"{"$ref":"#/definitions/a","definitions":{"a":{"type":"string"}}}"##,
    ),
    (
        "ref-with-siblings",
        r##"{"$ref":"#/definitions/a","minLength":2,"definitions":{"a":{"type":"string"}}}"##,
    ),
    (
        "ref-with-properties",
        r##"{"properties":{"a":{"$ref":"#/definitions/a","maximum":0}},"definitions":{"a":{"type":"integer"}}}"##,
    ),
    (
        "ref-in-all-of",
        r##"{"allOf":[{"$ref":"#/definitions/a"},{"minLength":2}],"definitions":{"a":{"type":"string"}}}"##,
    ),
    (
        "ref-defs",
        r##"{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}"##,
    ),
    (
        "ref-root",
        r##"{"type":["object","integer"],"additionalProperties":{"$ref":"#"}}"##,
    ),
    (
        "ref-of-ref",
        r##"{"properties":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"type":"integer"}}}"##,
    ),
    (
        "ref-unmarked",
        r##"{"properties":{"a":{"$ref":"#/x-parts/0"}},"x-parts":[{"type":"integer"}]}"##,
    ),
    (
        "ref-into-properties",
        r##"{"properties":{"a":{"type":"integer"},"b":{"$ref":"#/properties/a"}}}"##,
    ),
    (
        "ref-strange",
        r##"{"properties":{"a":{"$ref":"#/definitions/Row%3CCol%3E"},"b":{"$ref":"#/definitions/a%20b"},"c":{"$ref":"#/definitions/x~1y~0z"},"d":{"$ref":"#/definitions/%C3%A9"}},"definitions":{"Row<Col>":{"type":"integer"},"a b":{"type":"string"},"x/y~z":{"type":"null"},"é":{"type":"array"}}}"##,
    ),
    (
        "ref-percent",
        r##"{"properties":{"a":{"$ref":"#/definitions/p%2525q"}},"definitions":{"p%25q":{"type":"integer"},"p%2525q":{"type":"string"}}}"##,
    ),
    (
        "property-named-ref",
        r#"{"properties":{"$ref":{"type":"string"},"a":{"type":"integer"}}}"#,
    ),
    ("ref-in-enum", r##"{"enum":[{"$ref":"#/nowhere"},1]}"##),
    (
        "id",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$ref":"item.json"}},"definitions":{"i":{"$id":"item.json","type":"integer"}}}"##,
    ),
    (
        "id-draft4",
        r##"{"id":"http://x.test/root.json","properties":{"a":{"$ref":"item.json"}},"definitions":{"i":{"id":"item.json","type":"integer"}}}"##,
    ),
    (
        "id-relative-climb",
        r##"{"$id":"http://x.test/a/b/root.json","properties":{"a":{"$ref":"../item.json"}},"definitions":{"i":{"$id":"http://x.test/a/item.json","type":"integer"}}}"##,
    ),
    (
        "id-base-of-pointer",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$ref":"item.json#/definitions/x"}},"definitions":{"x":{"type":"string"},"i":{"$id":"item.json","definitions":{"x":{"type":"integer"}}}}}"##,
    ),
    (
        "id-local-ref",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$ref":"item.json"}},"definitions":{"x":{"type":"string"},"i":{"$id":"item.json","properties":{"b":{"$ref":"#/definitions/x"}},"definitions":{"x":{"type":"integer"}}}}}"##,
    ),
    (
        "id-urn",
        r##"{"$id":"urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed","properties":{"a":{"$ref":"urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed#/definitions/a"}},"definitions":{"a":{"type":"integer"}}}"##,
    ),
    (
        "id-fragment",
        r##"{"properties":{"a":{"$ref":"#foo"}},"definitions":{"i":{"$id":"#foo","type":"integer"}}}"##,
    ),
    (
        "id-fragment-draft4",
        r##"{"properties":{"a":{"$ref":"#foo"}},"definitions":{"i":{"id":"#foo","type":"integer"}}}"##,
    ),
    (
        "id-beside-ref",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$id":"sub/","$ref":"item.json"}},"definitions":{"i":{"$id":"item.json","type":"integer"},"j":{"$id":"sub/item.json","type":"string"}}}"##,
    ),
    (
        "property-named-id",
        r#"{"properties":{"id":{"type":"string"},"$id":{"type":"string"},"$anchor":{"type":"integer"}}}"#,
    ),
    (
        "anchor",
        r##"{"properties":{"a":{"$ref":"#foo"}},"definitions":{"i":{"$anchor":"foo","type":"integer"}}}"##,
    ),
    (
        "anchor-in-resource",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$ref":"item.json#foo"}},"definitions":{"x":{"$anchor":"foo","type":"string"},"i":{"$id":"item.json","definitions":{"y":{"$anchor":"foo","type":"integer"}}}}}"##,
    ),
    (
        "dynamic-ref-alone",
        r##"{"type":["object","integer"],"$dynamicAnchor":"n","additionalProperties":{"$dynamicRef":"#n"}}"##,
    ),
    (
        "dynamic-ref-to-anchor",
        r##"{"properties":{"a":{"$dynamicRef":"#n"}},"definitions":{"i":{"$anchor":"n","type":"integer"}}}"##,
    ),
    (
        "dynamic-ref-to-pointer",
        r##"{"properties":{"a":{"$dynamicRef":"#/definitions/i"}},"definitions":{"i":{"$dynamicAnchor":"n","type":"integer"}}}"##,
    ),
    (
        "dynamic-ref-extends",
        r##"{"$id":"http://x.test/strict.json","$ref":"tree.json","$dynamicAnchor":"n","unevaluatedProperties":false,"definitions":{"t":{"$id":"tree.json","$dynamicAnchor":"n","type":"object","properties":{"a":{"$dynamicRef":"#n"}}}}}"##,
    ),
    (
        "dynamic-ref-overridden",
        r##"{"$id":"http://x.test/root.json","$ref":"list.json","definitions":{"s":{"$dynamicAnchor":"n","type":"string"},"l":{"$id":"list.json","type":"array","items":{"$dynamicRef":"#n"},"definitions":{"d":{"$dynamicAnchor":"n"}}}}}"##,
    ),
    (
        "dynamic-ref-by-path",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$ref":"ints.json"},"b":{"$ref":"strings.json"}},"definitions":{"i":{"$id":"ints.json","$ref":"list.json","definitions":{"s":{"$dynamicAnchor":"n","type":"integer"}}},"j":{"$id":"strings.json","$ref":"list.json","definitions":{"s":{"$dynamicAnchor":"n","type":"string"}}},"l":{"$id":"list.json","type":"array","items":{"$dynamicRef":"#n"},"definitions":{"d":{"$dynamicAnchor":"n"}}}}}"##,
    ),
    (
        "recursive-ref",
        r##"{"type":["object","integer"],"additionalProperties":{"$recursiveRef":"#"}}"##,
    ),
    (
        "recursive-ref-extends",
        r##"{"$id":"http://x.test/strict.json","$recursiveAnchor":true,"$ref":"tree.json","unevaluatedProperties":false,"definitions":{"t":{"$id":"tree.json","$recursiveAnchor":true,"type":"object","properties":{"a":{"$recursiveRef":"#"}}}}}"##,
    ),
    (
        "recursive-ref-without-anchor",
        r##"{"$id":"http://x.test/strict.json","$recursiveAnchor":true,"$ref":"tree.json","unevaluatedProperties":false,"definitions":{"t":{"$id":"tree.json","$recursiveAnchor":false,"type":"object","properties":{"a":{"$recursiveRef":"#"}}}}}"##,
    ),
    (
        "embedded-draft7",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$ref":"old.json"}},"definitions":{"o":{"$id":"old.json","$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"type":"integer"}],"additionalItems":false,"prefixItems":[{"type":"string"}]}}}"##,
    ),
    (
        "embedded-2020",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$ref":"new.json"}},"definitions":{"o":{"$id":"new.json","$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","prefixItems":[{"type":"integer"}],"items":false,"additionalItems":{"type":"string"}}}}"##,
    ),
    (
        "embedded-siblings",
        r##"{"$id":"http://x.test/root.json","properties":{"a":{"$ref":"new.json"}},"definitions":{"o":{"$id":"new.json","$schema":"https://json-schema.org/draft/2019-09/schema","allOf":[{"$ref":"#/$defs/x","maximum":5}],"$defs":{"x":{"type":"integer"}}}}}"##,
    ),
    ("type-integer", r#"{"type":"integer"}"#),
    ("type-list", r#"{"type":["integer","null"]}"#),
    ("multiple-of", r#"{"multipleOf":0.5,"type":"number"}"#),
    ("required", r#"{"required":["a"]}"#),
    ("boolean-schemas", r#"{"properties":{"a":true,"b":false}}"#),
    (
        "additional-properties",
        r#"{"properties":{"a":{}},"patternProperties":{"^b":{"type":"integer"}},"additionalProperties":false}"#,
    ),
    (
        "combinators",
        r#"{"oneOf":[{"type":"integer"},{"minimum":2}],"not":{"enum":[7]},"anyOf":[{"maximum":100},{"type":"string"}]}"#,
    ),
    (
        "unique-items",
        r#"{"uniqueItems":true,"minItems":1,"maxItems":3}"#,
    ),
    ("format", r#"{"format":"date-time"}"#),
    (
        "content",
        r#"{"contentEncoding":"base64","contentMediaType":"application/json"}"#,
    ),
    (
        "content-schema",
        r#"{"contentMediaType":"application/json","contentSchema":{"type":"integer"}}"#,
    ),
    (
        "open-api",
        r#"{"type":"string","nullable":true,"discriminator":{"propertyName":"a"},"example":1,"xml":{"name":"x"},"externalDocs":{"url":"x"},"readOnly":true}"#,
    ),
    (
        "annotations",
        r#"{"type":"integer","title":"t","description":"d","default":"x","x-other":{"type":"string"}}"#,
    ),
    (
        "old-annotations",
        r#"{"type":"integer","examples":[1],"$comment":"c","deprecated":true,"writeOnly":true}"#,
    ),
    (
        "vocabulary",
        r#"{"type":"integer","$vocabulary":{"https://x.test/v":false}}"#,
    ),
];

/// Documents that meet both sides of what the schemas say.
pub(super) const INSTANCES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "1",
    "2",
    "5",
    "7",
    "-1",
    "0.5",
    "1.5",
    "100",
    "101",
    "1e3",
    r#""""#,
    r#""a""#,
    r#""ab""#,
    r#""eyJ9""#,
    r#""5""#,
    r#""2020-01-01T00:00:00Z""#,
    "[]",
    "[1]",
    "[1,2]",
    "[1,2,3]",
    "[1,1]",
    "[1,2,3,4]",
    r#"["a"]"#,
    r#"["a","b"]"#,
    r#"[1,"a"]"#,
    r#"["a",1]"#,
    r#"["a",1,2]"#,
    r#"[1,"a",null]"#,
    "[null]",
    "[[]]",
    "[{}]",
    "{}",
    r#"{"a":1}"#,
    r#"{"a":2}"#,
    r#"{"a":"x"}"#,
    r#"{"a":7}"#,
    r#"{"a":-1}"#,
    r#"{"a":null}"#,
    r#"{"a":[]}"#,
    r#"{"a":[1]}"#,
    r#"{"a":["x"]}"#,
    r#"{"a":[1,"x"]}"#,
    r#"{"a":["x",1]}"#,
    r#"{"a":[1,1]}"#,
    r#"{"a":{}}"#,
    r#"{"a":{"a":1}}"#,
    r#"{"a":{"b":1}}"#,
    r#"{"a":{"b":"x"}}"#,
    r#"{"a":{"a":{"b":1}}}"#,
    r#"{"a":{"a":{}}}"#,
    r#"{"b":1}"#,
    r#"{"b":"x"}"#,
    r#"{"b":[1]}"#,
    r#"{"b":["x"]}"#,
    r#"{"a":1,"b":1}"#,
    r#"{"a":1,"b":"x"}"#,
    r#"{"a":2,"b":2}"#,
    r#"{"c":1}"#,
    r#"{"c":null}"#,
    r#"{"c":1,"d":1}"#,
    r#"{"d":1}"#,
    r#"{"d":[]}"#,
    r#"{"aa":1}"#,
    r#"{"bb":"x"}"#,
    r#"{"bb":1}"#,
    r#"{"z":1}"#,
    r#"{"a":1,"z":1}"#,
    r#"{"a":1,"b":1,"z":"x"}"#,
    r#"{"$ref":1}"#,
    r##"{"$ref":"#/nowhere"}"##,
    r#"{"id":1}"#,
    r#"{"$id":1}"#,
    r#"{"id":"x","$anchor":"y"}"#,
];

/// Rows that may differ.
pub(super) struct Differs {
    pub(super) title: &'static str,
    /// In which dialects; in all where none is named.
    dialects: &'static [&'static str],
    pub(super) why: &'static str,
}

impl Differs {
    /// Whether this is about a row.
    pub(super) fn is(&self, title: &str, dialect: &str) -> bool {
        self.title == title && (self.dialects.is_empty() || self.dialects.contains(&dialect))
    }
}

/// Rows that differ, with the reason. The last ones are about what is emitted alone: the wire view
/// itself has the constraint, as a residual or as the mark of a union that is exclusive.
pub(super) const DIFFER: &[Differs] = &[
    Differs {
        title: "content",
        dialects: &["draft6", "draft7"],
        why: "the crate asserts content keywords where a validator may annotate",
    },
    Differs {
        title: "content-schema",
        dialects: &["draft6", "draft7"],
        why: "the crate asserts content keywords where a validator may annotate",
    },
    Differs {
        title: "recursive-ref",
        dialects: &["none"],
        why: "without `$schema` the older spelling is read, since 2020-12 has no meaning for it",
    },
    Differs {
        title: "if-then-else",
        dialects: &[],
        why: "what constrains null and booleans beyond their type is not emitted",
    },
    Differs {
        title: "unevaluated-properties-not",
        dialects: &[],
        why: "what constrains null and booleans beyond their type is not emitted",
    },
    Differs {
        title: "unevaluated-properties-one-of",
        dialects: &[],
        why: "that scalars stand in two branches of a `oneOf` is not emitted beside objects",
    },
    Differs {
        title: "combinators",
        dialects: &[],
        why: "that scalars stand in two branches of a `oneOf` is not emitted beside objects",
    },
];

/// Rows whose wire view leaves something open.
pub(super) const UNDECIDED: &[&str] = &[
    "dynamic-ref-by-path 2020-12",
    "dynamic-ref-by-path none",
    "unevaluated-items-contains 2019-09",
    "unevaluated-items-contains 2020-12",
    "unevaluated-items-contains none",
    "unevaluated-items-contains-typed 2019-09",
    "unevaluated-items-contains-typed 2020-12",
    "unevaluated-items-contains-typed none",
    "unevaluated-properties-any-of 2019-09",
    "unevaluated-properties-any-of 2020-12",
    "unevaluated-properties-any-of none",
    "unevaluated-properties-dependent 2019-09",
    "unevaluated-properties-dependent 2020-12",
    "unevaluated-properties-dependent none",
    "unevaluated-properties-if 2019-09",
    "unevaluated-properties-if 2020-12",
    "unevaluated-properties-if none",
];
