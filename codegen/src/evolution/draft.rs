//! Drafts a golden for each element that has none: a valid run that a person reviews and keeps.

use super::golden::{Validators, check_goldens, has_members, read_lines, set, unset};
use crate::json::{self, Literal, Value};
use crate::maps::IndexMap;
use crate::schema::Contract;
use crate::wire::{
    Element, ElementKey, Kind, NodeId, Reading, SampleOptions, Samples, Wire, canonical,
    published_schema, walk_document,
};
use std::collections::HashSet;

/// What was drafted and what could not be.
#[derive(Debug, Clone, Default)]
pub struct Drafts {
    /// Name and text of each new file.
    pub files: Vec<(String, String)>,
    /// Elements for which no valid document was found.
    pub failed: Vec<Element>,
}

/// Drafts goldens for the missing elements, one run a file.
///
/// Elements that can stand in the middle of a run share one file as far as one run can hold them;
/// what only the first or the last line can hold takes a file of its own, since those lines stand
/// once in a run. The frame around is taken from `existing` where that has a run, so that a draft
/// looks like its neighbours. Every file passes [`check_goldens`] before it is returned.
#[must_use]
pub fn draft(wire: &Wire, missing: &[Element], existing: &[(&str, &str)]) -> Drafts {
    let validators = Validators::new(wire);
    let mut drafter = Drafter {
        wire,
        validators: &validators,
        samples: Samples::new(wire),
        existing,
        drafts: Drafts::default(),
    };
    let mut pending: Vec<&Element> = missing.iter().collect();
    // What brings members with it goes first: its draft shows those as well.
    pending.sort_by_key(|element| match element.kind {
        Kind::Variant => 0,
        Kind::Field => 1,
        Kind::Value => 2,
    });
    let mut shown: HashSet<ElementKey> = HashSet::new();
    let mut body: Vec<(json::Node, &Element)> = Vec::new();
    let mut framed = Vec::new();
    for element in pending {
        if shown.contains(&element.key()) {
            continue;
        }
        match drafter.line(element) {
            Some((line, place)) => {
                shown.extend(
                    walk_document(wire, &line, &validators)
                        .exercised
                        .into_iter()
                        .map(|found| found.key),
                );
                match place {
                    Place::Middle => body.push((line, element)),
                    Place::First | Place::Last => framed.push((line, place, element)),
                }
            }
            None => drafter.drafts.failed.push(element.clone()),
        }
    }
    drafter.body_file(body);
    for (line, place, element) in framed {
        let run = match place {
            Place::First => drafter.run(Some(line), Vec::new(), None),
            _ => drafter.run(None, Vec::new(), Some(line)),
        };
        drafter.keep(run, &[element]);
    }
    drafter.drafts
}

/// Where in a run a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Middle,
    Last,
}

struct Drafter<'a> {
    wire: &'a Wire,
    validators: &'a Validators<'a>,
    samples: Samples<'a>,
    existing: &'a [(&'a str, &'a str)],
    drafts: Drafts,
}

impl Drafter<'_> {
    /// A strictly valid line that exercises the element, from the middle of a run where possible.
    fn line(&self, element: &Element) -> Option<(json::Node, Place)> {
        let places = [Place::Middle, Place::Last, Place::First];
        let roots = || self.wire.roots.iter().map(|root| root.node);
        places.into_iter().find_map(|place| {
            let line = roots().find_map(|root| self.line_at(root, element, place))?;
            Some((line, place))
        })
    }

    fn line_at(&self, root: NodeId, element: &Element, place: Place) -> Option<json::Node> {
        let first = |variant: usize| self.place_of(root, variant) == place;
        let way = self.samples.way_to(root, &element.key(), &first)?;
        // Fuller and stranger samples follow only where the plain one does not do.
        let full = SampleOptions {
            depth: 100,
            ..SampleOptions::maximal()
        };
        let plain = [full, SampleOptions::minimal()];
        let by_chance = (0..24).map(SampleOptions::random);
        plain.into_iter().chain(by_chance).find_map(|options| {
            let line = self.samples.along(&way, &options)?;
            let walk = walk_document(self.wire, &line, self.validators);
            let exercised = walk
                .exercised
                .iter()
                .any(|found| found.key == element.key());
            (exercised && self.validators.accepts(Reading::Strict, &line)).then_some(line)
        })
    }

    fn place_of(&self, root: NodeId, variant: usize) -> Place {
        let Some(contract) = &self.wire.contract else {
            return Place::Middle;
        };
        let tags = self
            .wire
            .node(root)
            .objects
            .get(variant)
            .map(|variant| variant.tags.as_slice())
            .unwrap_or_default();
        let is = |members: &IndexMap<String, Literal>| {
            !members.is_empty()
                && members.iter().all(|(name, value)| {
                    tags.iter()
                        .any(|tag| tag.name == *name && tag.values.contains(value))
                })
        };
        match (is(&contract.first), is(&contract.terminal)) {
            (true, _) => Place::First,
            (_, true) => Place::Last,
            _ => Place::Middle,
        }
    }

    /// One file for all lines from the middle of runs, or one each where they do not fit together.
    fn body_file(&mut self, body: Vec<(json::Node, &Element)>) {
        if body.is_empty() {
            return;
        }
        let elements: Vec<&Element> = body.iter().map(|(_, element)| *element).collect();
        let lines: Vec<json::Node> = body.iter().map(|(line, _)| line.clone()).collect();
        let run = self.run(None, lines, None);
        if self.keep_if_valid(&run, &elements) {
            return;
        }
        for (line, element) in body {
            let run = self.run(None, vec![line], None);
            self.keep(run, &[element]);
        }
    }

    /// A run around the given lines, in canonical bytes.
    fn run(
        &self,
        first: Option<json::Node>,
        body: Vec<json::Node>,
        last: Option<json::Node>,
    ) -> String {
        let mut lines = Vec::new();
        if let Some(contract) = &self.wire.contract {
            lines.extend(first.or_else(|| self.frame(&contract.first)));
            if let Some(first) = lines.first_mut() {
                advertise(contract, first, &body);
            }
            lines.extend(body);
            lines.extend(last.or_else(|| self.frame(&contract.terminal)));
            let session = lines
                .first()
                .zip(contract.session.as_ref())
                .and_then(|(first, at)| first.pointer(at).cloned());
            for (number, line) in lines.iter_mut().enumerate() {
                if let Some(pointer) = &contract.sequence {
                    set(
                        line,
                        pointer,
                        wrap(Value::Number(number.to_string().into())),
                    );
                }
                if let (Some(pointer), Some(session)) = (&contract.session, &session) {
                    set(line, pointer, session.clone());
                }
            }
        } else {
            lines.extend(first.into_iter().chain(body).chain(last));
        }
        lines
            .iter()
            .map(|line| canonical(self.wire, line, self.validators) + "\n")
            .collect()
    }

    /// A first or last line: that of the shortest existing golden, else a minimal sample.
    fn frame(&self, members: &IndexMap<String, Literal>) -> Option<json::Node> {
        // Where any line may begin a run, one that ends it may not.
        let contract = self.wire.contract.as_ref();
        let fits = |node: &json::Node| {
            let ends = contract.is_some_and(|contract| {
                *members != contract.terminal && has_members(node, &contract.terminal)
            });
            !ends && has_members(node, members) && self.validators.accepts(Reading::Strict, node)
        };
        let mut by_length: Vec<&(&str, &str)> = self.existing.iter().collect();
        by_length.sort_by_key(|(_, text)| text.len());
        let known = by_length
            .into_iter()
            .flat_map(|(_, text)| read_lines(text))
            .filter_map(|line| line.node);
        let mut fitting = known.filter(|node| fits(node));
        let known = fitting.next().map(|line| {
            // The time of another run would stand beside times of this one, where it may be left out.
            let Some(pointer) = contract.and_then(|contract| contract.timestamp.as_ref()) else {
                return line;
            };
            let mut timeless = line.clone();
            unset(&mut timeless, pointer);
            match self.validators.accepts(Reading::Strict, &timeless) {
                true => timeless,
                false => line,
            }
        });
        known.or_else(|| {
            let samples = (0..16).map(SampleOptions::random);
            let root = self.wire.roots.first()?.node;
            let wire = self.wire;
            // The variant is found by its own element, so that minimal samples of it can be made.
            let keys: Vec<ElementKey> = wire
                .node(root)
                .objects
                .iter()
                .map(|variant| (Kind::Variant, variant.origin.pointer.clone()))
                .collect();
            let minimal = keys.iter().filter_map(|key| {
                let way = self.samples.way_to(root, key, &|_| true)?;
                self.samples.along(&way, &SampleOptions::minimal())
            });
            let any = samples.filter_map(|options| self.samples.any(root, &options));
            let found: Vec<json::Node> = minimal.chain(any).collect();
            let as_asked = found.iter().map(|node| {
                // Where no variant has these values, a member that is any string may have them.
                let mut node = node.clone();
                for (name, value) in members {
                    let value = json::parse(value.text()).ok();
                    let pointer = json::child_pointer("", name);
                    value
                        .into_iter()
                        .for_each(|value| set(&mut node, &pointer, value));
                }
                node
            });
            found
                .iter()
                .cloned()
                .chain(as_asked)
                .find(|node| fits(node))
        })
    }

    fn keep(&mut self, run: String, elements: &[&Element]) {
        if !self.keep_if_valid(&run, elements) {
            self.drafts
                .failed
                .extend(elements.iter().map(|element| (*element).clone()));
        }
    }

    fn keep_if_valid(&mut self, run: &str, elements: &[&Element]) -> bool {
        let name = self.name(elements);
        let report = check_goldens(self.wire, &published_schema(self.wire), &[(&name, run)]);
        let shows = |element: &&Element| {
            report
                .uncovered
                .iter()
                .all(|missing| missing.key() != element.key())
        };
        let valid = report.faults.is_empty() && elements.iter().all(shows);
        if valid {
            self.drafts.files.push((name, run.to_owned()));
        }
        valid
    }

    /// A name that says what the file shows and that no file has yet.
    fn name(&self, elements: &[&Element]) -> String {
        let subject = elements
            .first()
            .map(|element| element.subject.to_string())
            .unwrap_or_default();
        let mut slug = String::new();
        for character in subject.chars().take(80) {
            if character.is_ascii_alphanumeric() {
                slug.push(character.to_ascii_lowercase());
            } else if !slug.ends_with('-') && !slug.is_empty() {
                slug.push('-');
            }
        }
        let slug = slug.trim_end_matches('-');
        let stem = if slug.is_empty() {
            "draft".to_owned()
        } else {
            format!("draft-{slug}")
        };
        let taken = |name: &str| {
            self.existing
                .iter()
                .any(|(known, _)| known.rsplit('/').next() == Some(name))
                || self.drafts.files.iter().any(|(known, _)| known == name)
        };
        let numbered = (2..).map(|number| format!("{stem}-{number}.jsonl"));
        let mut names = std::iter::once(format!("{stem}.jsonl")).chain(numbered);
        names.find(|name| !taken(name)).unwrap_or_default()
    }
}

/// Advertises the capability of the contract and those that the lines of a run need.
fn advertise(contract: &Contract, first: &mut json::Node, body: &[json::Node]) {
    let Some(capabilities) = &contract.capabilities else {
        return;
    };
    let needed = capabilities.gates.iter().filter(|(_, gated)| {
        body.iter()
            .any(|line| gated.iter().any(|members| has_members(line, members)))
    });
    let needed = std::iter::once(&contract.capability).chain(needed.map(|(name, _)| name));
    let mut list = first
        .pointer(&capabilities.at)
        .map(|list| list.elements().to_vec())
        .unwrap_or_default();
    for name in needed {
        if list.iter().all(|element| element.as_str() != Some(name)) {
            list.push(wrap(Value::String(name.as_str().into())));
        }
    }
    set(first, &capabilities.at, wrap(Value::Array(list)));
}

fn wrap(value: Value) -> json::Node {
    json::Node { value, at: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::golden::tests::{borrowed, contract, files_of};
    use crate::wire::elements;

    #[test]
    fn drafts_fill_an_empty_folder_and_what_one_deleted_golden_leaves() {
        let (wire, text) = contract();
        let all = elements(&wire);
        let drafts = draft(&wire, &all, &[]);
        assert_eq!(drafts.failed, [], "every element can be drafted");
        let report = check_goldens(&wire, &text, &borrowed(&drafts.files));
        assert_eq!((report.faults, report.uncovered), (Vec::new(), Vec::new()));

        let goldens = files_of("schema/golden");
        for left_out in 0..goldens.len() {
            let mut kept = goldens.clone();
            kept.remove(left_out);
            let missing = check_goldens(&wire, &text, &borrowed(&kept)).uncovered;
            let drafts = draft(&wire, &missing, &borrowed(&kept));
            assert_eq!(drafts.failed, []);
            kept.extend(drafts.files);
            let report = check_goldens(&wire, &text, &borrowed(&kept));
            assert_eq!((report.faults, report.uncovered), (Vec::new(), Vec::new()));
        }
    }

    #[test]
    fn drafts_keep_a_time_that_must_stand_and_lines_that_no_tag_tells() {
        let text = r#"{"x-contract": {"capability": "m_v1", "terminal": {"k": "end"}, "timestamp": "/at"},
            "type": "object", "required": ["k", "at"],
            "properties": {"k": {"type": "string"}, "at": {"type": "string"}, "a": {"type": "integer"}}}"#;
        let wire = crate::wire::read("s.json", text).expect("a schema");
        let golden = r#"{"k":"end","at":"2026-01-01T00:00:00Z"}"#.to_owned() + "\n";
        for existing in [Vec::new(), vec![("g.jsonl", golden.as_str())]] {
            let missing = check_goldens(&wire, text, &existing).uncovered;
            let drafts = draft(&wire, &missing, &existing);
            assert_eq!(drafts.failed, []);
            assert!(!drafts.files.is_empty());
        }
    }
}
