//! What is known to differ from the validator, and what the wire view leaves open.

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
