//! One fixture of each rule, to explain the rule by. They are compiled in, so that `explain` works
//! wherever the program is installed.

/// Two revisions between which a rule has a finding.
pub(super) struct Example {
    /// The name of the fixture.
    pub(super) case: &'static str,
    /// The schema before the change.
    pub(super) old: &'static str,
    /// The schema after it.
    pub(super) new: &'static str,
}

/// The example of a rule.
pub(super) fn of(rule: &str) -> Option<&'static Example> {
    let mut examples = EXAMPLES.iter();
    let (_, example) = examples.find(|(id, _)| *id == rule)?;
    Some(example)
}

macro_rules! examples {
    ($($rule:literal: $case:literal),* $(,)?) => {
        &[$((
            $rule,
            Example {
                case: $case,
                old: include_str!(concat!("../../../tests/evolution/", $rule, "/", $case, "/old.schema.json")),
                new: include_str!(concat!("../../../tests/evolution/", $rule, "/", $case, "/new.schema.json")),
            },
        )),*]
    };
}

/// Of each folder of fixtures the one that shows its rule best.
const EXAMPLES: &[(&str, Example)] = examples! {
    "capability-changed": "other-name",
    "comment-changed": "member",
    "constraint-narrowed": "minimum-raised",
    "constraint-widened": "maximum-raised",
    "default-changed": "other",
    "definition-added": "beside-others",
    "definition-removed": "referenced",
    "definition-renamed": "plain",
    "deprecated-changed": "set",
    "description-changed": "member",
    "discriminator-changed": "tag-of-another-name",
    "enum-closed": "tail-dropped",
    "enum-opened": "tail-added",
    "enum-value-added": "closed-enum",
    "enum-value-removed": "closed-enum",
    "enum-value-renamed": "closed-enum",
    "examples-changed": "member",
    "format-changed": "other",
    "framing-changed": "other-terminal",
    "freeform-structured": "anything-to-string",
    "generated-api-changed": "title-of-the-root",
    "known-values-introduced": "plain-string",
    "map-value-changed": "pattern-added",
    "nullability-changed": "gains-null",
    "object-closed": "additional-properties",
    "object-opened": "additional-properties",
    "open-enum-value-added": "const-branches",
    "pattern-changed": "added",
    "property-added": "open-object",
    "property-removed": "optional",
    "property-renamed": "plain",
    "required-added": "optional-to-required",
    "required-property-added": "new-and-required",
    "required-removed": "required-to-optional",
    "restructured": "definition-extracted",
    "title-changed": "member",
    "type-changed": "string-to-integer",
    "type-narrowed": "number-to-integer",
    "type-widened": "second-type",
    "unclaimed-change": "bound-inside-not",
    "union-closed": "catch-all-dropped",
    "union-introduced": "object-beside-another",
    "unknown-keyword": "misspelt-bound",
    "variant-added": "catch-all-with-its-list",
    "variant-added-untagged": "no-tag",
    "variant-removed": "closed-union",
    "variant-renamed": "closed-union",
};

#[cfg(test)]
mod tests {
    use super::EXAMPLES;
    use wirelock_codegen::evolution::rules::RULES;

    #[test]
    fn every_rule_has_an_example() {
        let ids: Vec<&str> = EXAMPLES.iter().map(|(id, _)| *id).collect();
        let rules: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(ids, rules);
    }
}
