//! What each operator has to be met with.

pub(crate) enum Expected {
    /// Refused, under one of these rules at the place of the mutation.
    Breaking(&'static [&'static str]),
    /// Refused, under one of these rules at whatever place: what no document satisfies any more is
    /// gone from where it was named.
    Elsewhere(&'static [&'static str]),
    /// Allowed, and every finding is under one of these rules and asks for a golden.
    Additive(&'static [&'static str]),
    /// Allowed, and nothing is asked for: the map took the member before.
    InMap(&'static [&'static str]),
    /// No fact changed.
    Same,
}

pub(crate) struct Operator {
    pub(crate) group: &'static str,
    pub(crate) id: &'static str,
    pub(crate) expected: Expected,
    /// At least this many places are found.
    pub(crate) least: usize,
}

use Expected::{Additive, Breaking, Elsewhere, InMap, Same};

const fn row(group: &'static str, id: &'static str, expected: Expected, least: usize) -> Operator {
    Operator {
        group,
        id,
        expected,
        least,
    }
}

#[rustfmt::skip]
pub(crate) const OPERATORS: &[Operator] = &[
    row("members", "remove-property", Breaking(&["property-removed"]), 80),
    row("members", "remove-declaration", Breaking(&["property-removed"]), 80),
    row("members", "rename-property", Breaking(&["property-renamed"]), 80),
    row("members", "remove-tag", Breaking(&["property-removed"]), 20),
    row("members", "remove-tag-declaration", Breaking(&["property-removed"]), 20),
    row("members", "rename-tag-member", Breaking(&["property-renamed"]), 20),
    row("members", "remove-narrower-tag", Breaking(&["enum-opened", "constraint-narrowed"]), 40),
    row("members", "rename-narrower-tag", Breaking(&["enum-opened", "required-property-added"]), 20),
    row("members", "remove-hidden-tag", Same, 2),
    row("members", "rename-hidden-tag", Breaking(&["required-property-added"]), 1),
    row("members", "require", Breaking(&["required-added"]), 40),
    row("members", "unrequire", Breaking(&["required-removed"]), 50),
    row("members", "unrequire-twice", Same, 20),
    row("members", "retype", Breaking(&["type-changed"]), 500),
    row("members", "retype-tag", Breaking(&["type-changed", "variant-removed", "union-closed", "enum-opened"]), 300),
    row("members", "retype-variant", Breaking(&["variant-removed", "union-closed"]), 20),
    row("members", "integer-to-number", Breaking(&["type-widened"]), 13),
    row("members", "number-to-integer", Breaking(&["type-narrowed"]), 1),
    row("members", "free", Breaking(&["type-widened"]), 100),
    row("members", "free-tag", Breaking(&["type-widened", "enum-opened", "variant-removed", "constraint-narrowed"]), 40),
    row("members", "free-in-vain", Same, 2),
    row("members", "free-map", Breaking(&["map-value-changed"]), 2),
    row("members", "widen", Breaking(&["type-widened"]), 80),
    row("members", "widen-tag", Breaking(&["type-widened", "enum-opened"]), 20),
    row("members", "widen-in-vain", Same, 20),
    row("members", "forbid", Elsewhere(&["type-changed", "variant-removed", "constraint-narrowed", "object-closed"]), 80),
    row("members", "forbid-tag", Elsewhere(&["type-changed", "variant-removed", "union-closed"]), 40),
    row("members", "nullable", Breaking(&["nullability-changed"]), 300),
    row("members", "nullable-tag", Breaking(&["nullability-changed"]), 80),
    row("members", "nullable-in-vain", Same, 80),
    row("members", "add-default", Breaking(&["default-changed"]), 100),
    row("members", "default-of-element", Same, 6),
    row("members", "default-of-base", Breaking(&["default-changed"]), 3),
    row("members", "add-required-property", Breaking(&["required-property-added"]), 100),
    row("members", "require-undeclared", Breaking(&["required-property-added"]), 30),
    row("members", "narrow-dependent", Breaking(&["constraint-narrowed"]), 40),
    row("members", "retarget-enum", Breaking(&["enum-value-removed", "enum-value-renamed"]), 15),
    row("members", "retarget-object", Breaking(&["property-removed", "property-renamed"]), 10),
    row("members", "retarget-union", Breaking(&["variant-removed", "variant-renamed"]), 3),

    row("constraints", "narrow", Breaking(&["constraint-narrowed"]), 300),
    row("constraints", "relax", Breaking(&["constraint-widened"]), 5),
    row("constraints", "narrow-pattern", Breaking(&["pattern-changed"]), 80),
    row("constraints", "narrow-to-values", Breaking(&["enum-closed"]), 80),
    row("constraints", "know-values", Breaking(&["known-values-introduced"]), 60),
    row("constraints", "narrow-items", Breaking(&["enum-closed", "type-changed", "known-values-introduced", "enum-value-removed"]), 5),
    row("constraints", "narrow-if", Breaking(&["constraint-narrowed"]), 30),
    row("constraints", "format", Breaking(&["format-changed"]), 100),
    row("constraints", "close-object", Breaking(&["object-closed"]), 40),
    row("constraints", "close-base", Elsewhere(&["object-closed", "variant-removed", "union-closed"]), 6),
    row("constraints", "close-before-base", Elsewhere(&["object-closed", "variant-removed", "union-closed"]), 20),
    row("constraints", "map-value", Breaking(&["map-value-changed"]), 30),
    row("constraints", "type-further-members", Elsewhere(&["map-value-changed", "variant-removed", "union-closed"]), 30),
    row("constraints", "require-undeclared", Breaking(&["required-property-added"]), 10),
    row("constraints", "structure", Breaking(&["freeform-structured"]), 100),
    row("constraints", "untype", Breaking(&["type-widened"]), 50),
    row("constraints", "untype-hidden", Same, 1),
    row("constraints", "condition", Same, 40),
    row("constraints", "free", Breaking(&["type-widened"]), 5),
    row("constraints", "overlap-catch-all", Breaking(&["constraint-widened", "constraint-narrowed"]), 5),
    row("constraints", "drop-base", Breaking(&["property-removed", "required-removed"]), 20),
    row("constraints", "other-contains", Breaking(&["constraint-narrowed"]), 1),
    row("constraints", "list-more", Breaking(&["constraint-narrowed"]), 5),

    row("unions", "drop-variant", Breaking(&["variant-removed"]), 27),
    row("unions", "drop-variant-and-entry", Breaking(&["variant-removed"]), 27),
    row("unions", "drop-variant-and-definition", Breaking(&["variant-removed"]), 27),
    row("unions", "rename-variant", Breaking(&["variant-renamed"]), 27),
    row("unions", "rename-variant-alone", Breaking(&["variant-renamed"]), 27),
    row("unions", "open-tag", Breaking(&["enum-value-added"]), 27),
    row("unions", "drop-entry", Breaking(&["constraint-widened", "constraint-narrowed"]), 27),
    row("unions", "drop-catch-all", Breaking(&["union-closed"]), 5),
    row("unions", "close-enum", Breaking(&["enum-closed"]), 20),
    row("unions", "narrow", Breaking(&["constraint-narrowed"]), 30),
    row("unions", "narrow-pattern", Breaking(&["pattern-changed"]), 10),
    row("unions", "format", Breaking(&["format-changed"]), 10),
    row("unions", "nullable", Breaking(&["nullability-changed"]), 10),
    row("unions", "widen", Breaking(&["type-widened"]), 20),
    row("unions", "retype-tail", Breaking(&["type-widened", "enum-closed"]), 10),
    row("unions", "drop-value", Breaking(&["enum-value-removed"]), 40),
    row("unions", "rename-value", Breaking(&["enum-value-renamed"]), 40),
    row("unions", "retype-value", Breaking(&["enum-value-removed"]), 80),
    row("unions", "forget-values", Breaking(&["enum-value-removed"]), 10),

    row("annotation", "framing", Breaking(&["framing-changed"]), 18),
    row("annotation", "capability", Breaking(&["capability-changed"]), 10),

    row("additions", "add-property", Additive(&["property-added"]), 400),
    row("additions", "add-to-catch-all", Additive(&["property-added"]), 50),
    row("additions", "add-to-map-alike", InMap(&["property-added"]), 1),
    row("additions", "add-to-map-otherwise", Breaking(&["map-value-changed"]), 3),
    row("additions", "add-to-free-form", Breaking(&["freeform-structured"]), 100),
    row("additions", "add-value", Additive(&["open-enum-value-added"]), 30),
    row("additions", "add-variant", Additive(&["variant-added"]), 50),
    row("additions", "add-variant-unlisted", Breaking(&["variant-added-untagged"]), 25),
];

pub(crate) fn find(group: &str, id: &str) -> &'static Operator {
    let mut rows = OPERATORS
        .iter()
        .filter(|row| row.group == group && row.id == id);
    rows.next().unwrap_or_else(|| panic!("{id} has no row"))
}
