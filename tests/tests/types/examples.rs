//! Small documents written by hand in the way of each schema's users.

/// The documents for a root of a schema.
pub(crate) fn of(schema: &str, root: Option<&str>) -> &'static [&'static str] {
    let found = EXAMPLES
        .iter()
        .find(|(name, of, _)| *name == schema && *of == root);
    found.map_or(&[], |(_, _, documents)| documents)
}

type Example = (&'static str, Option<&'static str>, &'static [&'static str]);

const EXAMPLES: &[Example] = &[(
    "cloudevents-1.0.1",
    None,
    &[
        r#"{"specversion":"1.0","type":"order.placed","source":"/shop","id":"a-1"}"#,
        r#"{"specversion":"1.0","type":"order.placed","source":"/shop","id":"a-2","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","data":{"items":[1,2.50]},"traceparent":"00-ab"}"#,
    ],
)];
