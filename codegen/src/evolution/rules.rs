//! The catalogue: every kind of change, its weight, and what to say about it. Sorted by id.

use super::Level;

/// One kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Stable id.
    pub id: &'static str,
    /// Weight, unless the contract's settings say otherwise.
    pub level: Level,
    /// What the change is, in one sentence.
    pub summary: &'static str,
    /// Why it weighs what it weighs.
    pub why: &'static str,
    /// What to do instead, or what the change asks for.
    pub instead: &'static str,
}

const fn breaking(
    id: &'static str,
    summary: &'static str,
    why: &'static str,
    instead: &'static str,
) -> Rule {
    Rule {
        id,
        level: Level::Breaking,
        summary,
        why,
        instead,
    }
}

const fn additive(
    id: &'static str,
    summary: &'static str,
    why: &'static str,
    instead: &'static str,
) -> Rule {
    Rule {
        id,
        level: Level::Additive,
        summary,
        why,
        instead,
    }
}

const fn editorial(id: &'static str, summary: &'static str, why: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Editorial,
        summary,
        why,
        instead: "Nothing is asked for.",
    }
}

/// All rules, sorted by id.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    breaking("capability-changed", "The capability, or what it gates, is another.",
        "The capability is the name under which consumers rely on this contract.",
        "Write a superseding record and start the new capability beside the old one."),
    editorial("comment-changed", "A `$comment` is another.", "Comments are for authors of the schema."),
    breaking("constraint-narrowed", "Fewer values are allowed than before.",
        "Producers that keep to the old contract write values that the new one refuses.",
        "Leave the bound as it is, or add a new optional field with the stricter one."),
    breaking("constraint-widened", "More values are allowed than before.",
        "Consumers of the old contract meet values that it promised never to see.",
        "Add a new optional field that takes the wider range."),
    breaking("default-changed", "The value that stands for an absent field is another.",
        "Absent fields change their meaning for everyone who relies on the default.",
        "Keep the default; add a new optional field where another meaning is needed."),
    additive("definition-added", "A definition is new, in a schema whose root says nothing.",
        "Nothing that was there refers to it.", "Nothing is asked for: it stands at no place of a document yet."),
    breaking("definition-removed", "A definition is gone, in a schema whose root says nothing.",
        "Consumers validate or generate from definitions by name.",
        "Keep the definition; mark it `deprecated` where nobody should start using it."),
    editorial("definition-renamed", "A definition has another name and the same content.",
        "Names of definitions do not stand on the wire."),
    editorial("deprecated-changed", "`deprecated` was set or lifted.", "It advises, and constrains nothing."),
    editorial("description-changed", "A description is another.",
        "Meaning is part of the contract and only a person can judge it, so it is shown."),
    breaking("discriminator-changed", "The members that tell the variants of a union apart are others.",
        "Consumers choose a variant by its tags.", "Keep the tags and add variants under new values of them."),
    breaking("enum-closed", "A set of values that was open admits only the known ones.",
        "Values that were allowed are refused.", "Keep the open tail of the enum."),
    breaking("enum-opened", "A closed set of values admits others.",
        "Consumers that handle every value of the closed set meet one they do not know.",
        "Add a new optional field with an open enum."),
    breaking("enum-value-added", "A closed enum has a new value.",
        "Consumers that handle every value of the closed set meet one they do not know.",
        "Only an open enum grows: `anyOf` of the known values and `{\"type\": \"string\"}`."),
    breaking("enum-value-removed", "A known value is gone.",
        "Producers write it and consumers wait for it, also where an open tail still admits it.",
        "Keep the value; say in its description that it is no longer written."),
    breaking("enum-value-renamed", "A known value has another name.",
        "Old consumers do not know the new name, old producers write the old one.",
        "Keep the old value and add the new one to an open enum."),
    editorial("examples-changed", "`examples` are others.", "Examples illustrate, and constrain nothing."),
    breaking("format-changed", "The `format`, or the encoding of a string's content, is another.",
        "Consumers parse the value by its format.", "Add a new optional field with the other format."),
    breaking("framing-changed", "The stream's framing is another.",
        "First and terminal item, sequence, session and line ends are what readers prove completeness by.",
        "Write a superseding record and start a new capability."),
    breaking("freeform-structured", "A free-form place declares members or types.",
        "Anything could stand there, and what stood there may not fit.",
        "Add a new optional field with the structure and leave the free-form place alone."),
    breaking("generated-api-changed", "A name in the generated Rust types moved, or a consumer of them no longer works.",
        "Consumers written against the old types no longer compile, or no longer run.",
        "Keep the `title` that gave the type its name, and what the consumer of the base relies on."),
    breaking("known-values-introduced", "A plain value became an enum with known values.",
        "Old values get a meaning they did not have, and consumers get another type.",
        "Add a new optional field with the open enum."),
    breaking("map-value-changed", "What the unnamed members of a map may be is other than before.",
        "Members that were allowed are refused, or the other way round.",
        "Name the new member where no map or pattern types it, or give it the map's own type."),
    breaking("nullability-changed", "A place gained or lost `null`.",
        "Absent, null and empty are three things, and consumers handle the ones they were promised.",
        "Leave the field out where there is no value, or add a new optional field."),
    breaking("object-closed", "An object no longer admits members that it does not name.",
        "Documents with further members, which consumers were to ignore, are refused.",
        "Leave objects open: no `additionalProperties: false`."),
    breaking("object-opened", "A closed object admits members that it does not name.",
        "Consumers that rely on the closed set of members meet others.",
        "Name the members that are new; that alone is growth."),
    additive("open-enum-value-added", "An open enum knows a new value.",
        "Consumers ignore values they do not know.", "Add a golden in which the value stands."),
    breaking("pattern-changed", "A string's pattern describes another language.",
        "Strings that were allowed are refused, or the other way round.", "Add a new optional field with the other pattern."),
    additive("property-added", "An object has a new optional field.",
        "Consumers ignore fields they do not know.", "Add a golden in which the field stands."),
    breaking("property-removed", "A field is gone.",
        "Consumers read it, and old producers still write it.", "Keep the field; mark it `deprecated`."),
    breaking("property-renamed", "A field has another name.",
        "For consumers the old field is gone.", "Keep the old field and add the new one beside it."),
    breaking("required-added", "An optional field became required.",
        "Documents without it were valid.", "Leave it optional; producers may always write it."),
    breaking("required-property-added", "A new field is required from the start.",
        "No document written before has it.", "Add it as an optional field."),
    breaking("required-removed", "A required field became optional.",
        "Consumers rely on it being there.", "Keep it required."),
    editorial("restructured", "The schema is spelled in another way, and the wire is the same.",
        "Layout, order and references do not stand on the wire."),
    editorial("title-changed", "A title is another.", "Titles name things for people and in generated code."),
    breaking("type-changed", "A value has another type.",
        "Nothing that reads the old type reads the new one.", "Add a new optional field of the other type."),
    breaking("type-narrowed", "A value may be of fewer types than before.",
        "Values of the lost type were allowed.", "Leave the types as they are."),
    breaking("type-widened", "A value may be of more types than before.",
        "Consumers meet a type that they were promised not to.", "Add a new optional field of the wider type."),
    breaking("unclaimed-change", "The wire changed in a way that no rule claims.",
        "What no rule allows is refused.", "Report it: a rule is missing."),
    breaking("union-closed", "An open union lost its catch-all.",
        "Variants that are not known were admitted, and are refused.", "Keep the catch-all branch."),
    breaking("union-introduced", "One object became a union of variants.",
        "Consumers read one shape, and get another type.", "Add a new optional field that holds the union."),
    editorial("unknown-keyword", "A keyword of no standard vocabulary is new or other.",
        "It constrains nothing; where it was meant to, it is a typing error."),
    additive("variant-added", "A union has a new variant that its tag or type tells apart or, where no tags tell the others apart, its required members.",
        "Consumers ignore variants they do not know.", "Add a golden in which the variant stands."),
    breaking("variant-added-untagged", "A union has a new alternative that cannot be told from the others.",
        "Consumers take documents of the new alternative for one they know, or the catch-all refuses it.",
        "Give it a tag value of its own, add that to the catch-all's list, and keep to what the catch-all requires."),
    breaking("variant-removed", "A variant is gone.",
        "Producers write it and consumers wait for it, also where a catch-all still admits it.",
        "Keep the variant; say in its description that it is no longer written."),
    breaking("variant-renamed", "A variant has another tag.",
        "Old consumers do not know the new tag, old producers write the old one.",
        "Keep the old variant and add the new one beside it."),
];

/// The rule of that id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES
        .binary_search_by(|rule| rule.id.cmp(id))
        .ok()
        .map(|index| &RULES[index])
}

#[cfg(test)]
mod tests {
    use super::{RULES, find};

    #[test]
    fn ids_are_sorted_unique_and_found() {
        assert!(RULES.windows(2).all(|pair| pair[0].id < pair[1].id));
        assert!(RULES.iter().all(|rule| find(rule.id) == Some(rule)));
        assert_eq!(find("no-such-rule"), None);
    }
}
