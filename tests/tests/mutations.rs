//! Every single-point mutation of the published schema gets the verdict, the rule and the place that belong to it.
//!
//! The generator walks the text of the schema and applies each operator wherever it applies. What an
//! operator has to be refused or allowed under stands in one table; an operator that means something
//! else at some places (a tag, a base, a declaration that another one hides) is a row of its own there.

#[path = "mutations/additions.rs"]
mod additions;
#[path = "mutations/annotation.rs"]
mod annotation;
#[path = "mutations/constraints.rs"]
mod constraints;
#[path = "mutations/members.rs"]
mod members;
#[path = "mutations/positions.rs"]
mod positions;
#[path = "mutations/table.rs"]
mod table;
#[path = "mutations/text.rs"]
mod text;
#[path = "mutations/unions.rs"]
mod unions;

use positions::{definition_of, positions};
use std::collections::BTreeMap;
use table::{Expected, OPERATORS};
use text::{at, parse, set, take, write};
use wirelock_codegen::evolution::{self, Change, Comparison, Level, Verdict};
use wirelock_codegen::json::Node;
use wirelock_codegen::wire::{self, Wire};

/// One edit of the schema.
pub(crate) struct Mutation {
    operator: &'static str,
    /// The place that it is about.
    at: String,
    edit: Box<dyn Fn(&mut Node)>,
}

/// The mutations of one generator.
#[derive(Default)]
pub(crate) struct Mutations(Vec<Mutation>);

impl Mutations {
    fn push(&mut self, operator: &'static str, at: &str, edit: impl Fn(&mut Node) + 'static) {
        self.0.push(Mutation {
            operator,
            at: at.to_owned(),
            edit: Box::new(edit),
        });
    }

    /// Another schema at a place.
    fn replace(&mut self, operator: &'static str, pointer: &str, text: &str) {
        let (place, new) = (pointer.to_owned(), parse(text));
        self.push(operator, pointer, move |schema| {
            *at(schema, &place) = new.clone();
        });
    }

    /// Another or a new value of one keyword.
    fn edit_member(&mut self, operator: &'static str, pointer: &str, name: &str, text: &str) {
        let (place, name, new) = (pointer.to_owned(), name.to_owned(), parse(text));
        self.push(operator, pointer, move |schema| {
            set(at(schema, &place), &name, new.clone());
        });
    }

    /// A keyword that is gone.
    fn drop_member(&mut self, operator: &'static str, pointer: &str, name: &str) {
        let (place, name) = (pointer.to_owned(), name.to_owned());
        self.push(operator, pointer, move |schema| {
            take(at(schema, &place), &name).expect("the member stands there");
        });
    }

    /// One more element of a list.
    fn push_to(&mut self, operator: &'static str, pointer: &str, name: &str, text: &str) {
        let (list, new) = (format!("{pointer}/{name}"), parse(text));
        self.push(operator, pointer, move |schema| {
            text::elements_mut(at(schema, &list)).push(new.clone());
        });
    }

    /// The schema at a place as one of two alternatives.
    fn wrap(&mut self, operator: &'static str, pointer: &str, keyword: &'static str, other: &str) {
        let (place, other) = (pointer.to_owned(), parse(other));
        self.push(operator, pointer, move |schema| {
            let place = at(schema, &place);
            let mut inner = place.clone();
            let description = take(&mut inner, "description");
            let branches = text::list(vec![inner, other.clone()]);
            *place = text::object(vec![(keyword, branches)]);
            if let Some(description) = description {
                set(place, "description", description);
            }
        });
    }
}

fn published() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schema/stream-json.schema.json"
    );
    std::fs::read_to_string(path).expect("the published schema is in the repository")
}

fn mutated(schema: &Node, mutation: &Mutation) -> (String, Wire) {
    let mut node = schema.clone();
    (mutation.edit)(&mut node);
    let text = write(&node);
    let new = wire::read("new.json", &text)
        .unwrap_or_else(|error| panic!("{} at {}: {error}", mutation.operator, mutation.at));
    (text, new)
}

/// Whether a pointer names the place of a mutation: at it, in it, the definition that holds it, or
/// a schema that takes that definition in and so says the same of its own place.
fn names(schema: &Node, place: &str, pointer: &str) -> bool {
    let below = |inner: &str, outer: &str| {
        inner == outer
            || inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.starts_with('/'))
    };
    let holder = definition_of(place);
    if below(pointer, place) || (!holder.is_empty() && below(pointer, &holder)) {
        return true;
    }
    if holder.is_empty() {
        return below(place, pointer);
    }
    // A reference without a word of its own has no place but the one that it leads to.
    let led_to = !definition_of(pointer).is_empty()
        && ["", "/items", "/additionalProperties"]
            .into_iter()
            .any(|below| takes_in(schema, &format!("{place}{below}"), &definition_of(pointer)));
    led_to
        || takes_in(schema, pointer, &holder)
        || takes_in(schema, &definition_of(pointer), &holder)
}

/// Whether the schema at a pointer leads to a definition by `$ref`, its own or that of a part.
fn takes_in(schema: &Node, pointer: &str, definition: &str) -> bool {
    let Some(node) = schema.pointer(pointer) else {
        return false;
    };
    let parts = ["allOf", "anyOf", "oneOf"]
        .into_iter()
        .filter_map(|keyword| node.get(keyword))
        .flat_map(Node::elements);
    std::iter::once(node).chain(parts).any(|part| {
        let target = part.get("$ref").and_then(Node::as_str);
        target.is_some_and(|target| {
            let target = target.trim_start_matches('#');
            target == definition || takes_in(schema, target, definition)
        })
    })
}

fn named<'a>(schema: &Node, place: &str, changes: &'a [Change]) -> Vec<&'a Change> {
    let origins = |change: &Change| [change.old.clone(), change.new.clone()];
    let at_place = |change: &&Change| {
        let mut origins = origins(change).into_iter().flatten();
        origins.any(|origin| names(schema, place, &origin.pointer))
    };
    changes.iter().filter(at_place).collect()
}

/// What is wrong with the verdict on one mutation, if anything.
fn fault(
    group: &str,
    schema: &Node,
    mutation: &Mutation,
    comparison: &Comparison,
) -> Option<String> {
    let operator = table::find(group, mutation.operator);
    let verdict = comparison.verdict();
    let weight = |expected: &Expected| match expected {
        Expected::Breaking(rules) | Expected::Elsewhere(rules) => (Verdict::Breaking, *rules),
        Expected::Additive(rules) | Expected::InMap(rules) => (Verdict::Additive, *rules),
        Expected::Same => (Verdict::Editorial, &[][..]),
    };
    let (expected, rules) = weight(&operator.expected);
    if verdict != expected {
        return Some(format!("the verdict is {verdict:?}"));
    }
    match operator.expected {
        Expected::Same => return None,
        Expected::Breaking(_) | Expected::Elsewhere(_) => {
            let at_place = match operator.expected {
                Expected::Elsewhere(_) => comparison.changes.iter().collect(),
                _ => named(schema, &mutation.at, &comparison.changes),
            };
            let mut found = at_place.iter();
            let claimed =
                found.any(|change| change.level == Level::Breaking && rules.contains(&change.rule));
            if !claimed {
                return Some("no rule of the operator fires at the place".to_owned());
            }
        }
        Expected::Additive(_) | Expected::InMap(_) => {
            let asks = matches!(operator.expected, Expected::Additive(_));
            let mut changes = comparison.changes.iter();
            let growth = changes
                .all(|change| rules.contains(&change.rule) && change.element.is_some() == asks);
            if !growth {
                return Some("something else than growth is claimed".to_owned());
            }
            if named(schema, &mutation.at, &comparison.changes).is_empty() {
                return Some("no finding names the place".to_owned());
            }
        }
    }
    None
}

/// How many spellings of one operator are tried at one place, unless all are asked for.
const SPELLINGS: usize = 2;

/// The mutations that are tried: every operator at every place that it applies to, with some of its
/// spellings, which take turns from place to place so that all of them are tried somewhere.
/// `WIRELOCK_ALL_MUTATIONS` asks for all spellings at all places.
fn chosen(mutations: Mutations) -> Vec<Mutation> {
    if std::env::var_os("WIRELOCK_ALL_MUTATIONS").is_some() {
        return mutations.0;
    }
    let mut groups: Vec<Vec<Mutation>> = Vec::new();
    let mut index: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for mutation in mutations.0 {
        let key = (mutation.operator, mutation.at.clone());
        let group = *index.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(mutation);
    }
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for mut group in groups {
        let turn = turns.entry(group[0].operator).or_default();
        let shift = *turn % group.len();
        group.rotate_left(shift);
        *turn += SPELLINGS;
        group.truncate(SPELLINGS);
        chosen.extend(group);
    }
    chosen
}

/// Judges the mutations of a generator against the table.
fn check(name: &str, mutations: Mutations) {
    let schema = parse(&published());
    let old = wire::read("old.json", &write(&schema)).expect("the published schema is read");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for mutation in &mutations.0 {
        *counts.entry(mutation.operator).or_default() += 1;
    }
    let generated = mutations.0.len();
    let mutations = match name {
        "annotation" | "unions" => mutations.0,
        _ => chosen(mutations),
    };
    let total = mutations.len();
    for mutation in &mutations {
        let (_, new) = mutated(&schema, mutation);
        let comparison = evolution::compare(&old, &new);
        let mut why = fault(name, &schema, mutation, &comparison);
        let expected = &table::find(name, mutation.operator).expected;
        if name == "constraints"
            && matches!(expected, Expected::Breaking(_))
            && mutation.operator != "drop-base"
        {
            // A constraint that goes is refused like one that comes; a base brings members as well.
            let back = evolution::compare(&new, &old).verdict();
            why = why.or((back != Verdict::Breaking).then(|| format!("the way back is {back:?}")));
        }
        if let Some(why) = why {
            let said = comparison.changes.iter().map(|change| {
                let at = |origin: &Option<wire::Origin>| {
                    origin
                        .as_ref()
                        .map_or("-".to_owned(), |origin| origin.pointer.to_string())
                };
                format!(
                    "    {} {} ({} -> {}): {}",
                    change.rule,
                    change.subject,
                    at(&change.old),
                    at(&change.new),
                    change.message
                )
            });
            let said: Vec<String> = said.take(8).collect();
            let undecided: Vec<_> = comparison.undecided.iter().take(3).collect();
            faults.push(format!(
                "{} at {}: {why}\n{}\n    {undecided:?}",
                mutation.operator,
                mutation.at,
                said.join("\n")
            ));
        }
    }
    println!("{name}: {generated} mutations, {total} judged");
    for (operator, count) in &counts {
        println!("  {operator}: {count}");
    }
    for operator in OPERATORS.iter().filter(|operator| operator.group == name) {
        let count = counts.get(operator.id).copied().unwrap_or_default();
        assert!(
            count >= operator.least,
            "{} found {count} places and should find {}",
            operator.id,
            operator.least
        );
    }
    assert!(
        faults.is_empty(),
        "{} of {total}:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn members_keep_their_names_types_and_presence() {
    let schema = parse(&published());
    check("members", members::generate(&schema, &positions(&schema)));
}

#[test]
fn constraints_stay_as_they_are() {
    let schema = parse(&published());
    check(
        "constraints",
        constraints::generate(&schema, &positions(&schema)),
    );
}

#[test]
fn variants_and_known_values_stay() {
    let schema = parse(&published());
    check("unions", unions::generate(&schema, &positions(&schema)));
}

#[test]
fn the_annotation_is_part_of_the_contract() {
    check("annotation", annotation::generate(&parse(&published())));
}

#[test]
fn growth_is_allowed_where_the_contract_is_open() {
    let schema = parse(&published());
    check(
        "additions",
        additions::generate(&schema, &positions(&schema)),
    );
}

/// The goldens of the repository, by name.
fn goldens() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/golden");
    let entries = std::fs::read_dir(folder).expect("the goldens are in the repository");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|own| own == "jsonl"))
        .map(|path| {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (
                name,
                std::fs::read_to_string(path).expect("a golden is text"),
            )
        })
        .collect();
    files.sort();
    files
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect()
}

/// Every so many additions of one operator a golden is drafted as well, which costs far more.
const DRAFTED: usize = 13;

#[test]
fn growth_asks_for_a_golden_and_a_draft_is_one() {
    let schema = parse(&published());
    let old = wire::read("old.json", &write(&schema)).expect("the published schema is read");
    let files = goldens();
    let before = borrowed(&files);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut asked, mut drafted) = (0, 0);
    for mutation in chosen(additions::generate(&schema, &positions(&schema))) {
        let operator = table::find("additions", mutation.operator);
        if !matches!(operator.expected, Expected::Additive(_)) {
            continue;
        }
        let number = seen.entry(mutation.operator).or_default();
        *number += 1;
        let context = format!("{} at {}", mutation.operator, mutation.at);
        let (text, new) = mutated(&schema, &mutation);
        let changes = evolution::compare(&old, &new).changes;
        let proofs = evolution::prove_additions(&old, &new, &changes, &before, &before);
        assert_eq!(
            proofs.len(),
            changes.len(),
            "{context}: each finding asks for a golden"
        );
        assert!(
            proofs.iter().all(|proof| !proof.is_complete()),
            "{context}: no golden is new, so none can show it"
        );
        asked += 1;
        // What only a catch-all declares cannot stand in a golden.
        if mutation.operator == "add-to-catch-all" || *number % DRAFTED != 1 {
            continue;
        }
        let missing = evolution::check_goldens(&new, &text, &before).uncovered;
        assert!(!missing.is_empty(), "{context}: the addition is an element");
        let drafts = evolution::draft(&new, &missing, &before);
        assert!(drafts.failed.is_empty(), "{context}: {:?}", drafts.failed);
        let after: Vec<_> = before
            .iter()
            .copied()
            .chain(borrowed(&drafts.files))
            .collect();
        let proofs = evolution::prove_additions(&old, &new, &changes, &before, &after);
        assert!(
            proofs.iter().all(evolution::Proof::is_complete),
            "{context}: the draft shows it, {proofs:?}"
        );
        drafted += 1;
    }
    println!("{asked} additions ask for a golden, {drafted} were drafted");
    assert!(
        asked >= 100 && drafted >= 8,
        "{asked} asked, {drafted} drafted"
    );
}
