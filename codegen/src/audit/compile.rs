//! Wire view to tables.

use super::dispatch;
use super::table::{
    About, Array, NumberTail, Numbers, Place, Rule, Shape, Slot, StringTail, Strings, Table, Words,
};
use super::text::Text;
use crate::json::{Decimal, Literal};
use crate::maps::{HashMap, HashSet};
use crate::wire::{
    self, Bound, Known, Node, NodeId, NumberFacts, Object, ObjectId, Residual, Separate,
    StringFacts, Wire, is_closed_when_strict, names_beyond,
};
use wirelock_runtime::Key;

/// Lays a wire view out; the second part says what of it the tables do not hold.
pub(super) fn compile(wire: &Wire, marks: HashMap<Box<str>, u8>) -> (Table, Vec<String>) {
    let mut compiler = Compiler {
        wire,
        marks: &marks,
        texts: Vec::new(),
        known: HashMap::default(),
        unchecked: Vec::new(),
    };
    let places = (0..wire.nodes.len()).map(|index| NodeId(index as u32));
    let places = places.map(|id| compiler.place(id)).collect();
    let shapes = (0..wire.objects.len()).map(|index| ObjectId(index as u32));
    let shapes = shapes.map(|id| compiler.shape(id)).collect();
    let undecided = wire.undecided.iter().map(|open| {
        format!(
            "`{}` at {}: {}",
            open.keyword, open.origin.pointer, open.why
        )
    });
    compiler.unchecked.extend(undecided);
    let (texts, unchecked) = (compiler.texts, compiler.unchecked);
    let table = Table {
        places,
        shapes,
        roots: wire.roots.iter().map(|root| root.node.0).collect(),
        texts,
        marks,
    };
    (table, unchecked)
}

struct Compiler<'w> {
    wire: &'w Wire,
    marks: &'w HashMap<Box<str>, u8>,
    texts: Vec<Text>,
    /// Texts by whether they are formats, and their spelling; `None`: they cannot be checked.
    known: HashMap<(bool, String), Option<usize>>,
    unchecked: Vec<String>,
}

impl Compiler<'_> {
    fn place(&mut self, id: NodeId) -> Place {
        let node = self.wire.node(id);
        let mut place = Place {
            any: self.wire.is_any(id),
            null: node.null,
            objects: dispatch::choice(self.wire, node),
            ..Place::default()
        };
        if let Some(boolean) = &node.boolean {
            place.booleans = [boolean.allow_false, boolean.allow_true];
        }
        if let Some(scalar) = &node.number {
            place.numbers = Some(Numbers {
                known: literals(&scalar.known),
                tails: scalar.tails.iter().map(number_tail).collect(),
                whole: wire::is_integer_place(scalar),
            });
        }
        if let Some(scalar) = &node.string {
            let any = scalar.known.is_empty() && scalar.tails.iter().any(asks_nothing);
            let tails = scalar.tails.iter();
            let tails = tails.map(|facts| self.string_tail(facts)).collect();
            place.strings = Some(Strings {
                any,
                known: texts(scalar.known.iter().map(|known| &known.value)),
                tails,
            });
        }
        place.arrays = node.arrays.iter().map(|array| self.array(array)).collect();
        self.apart(node, &mut place);
        for residual in &node.others {
            let about = match residual.names.first().map(String::as_str) {
                Some("null") => About::Null,
                Some("boolean") => About::Boolean,
                Some(names) if names.starts_with('"') => About::String,
                _ => About::Number,
            };
            place
                .others
                .extend(rule(residual).map(|rule| (about, rule)));
        }
        place
    }

    fn apart(&self, node: &Node, place: &mut Place) {
        let arrays = |index: usize| {
            let held = node.held_apart.iter();
            let mut held = held.filter(move |held| held.what == Separate::Array(index));
            held.next().map(|held| held.branches.clone())
        };
        let branches: Vec<_> = (0..node.arrays.len()).map(arrays).collect();
        if branches.iter().any(Option::is_some) {
            let branches = branches.into_iter().map(Option::unwrap_or_default);
            place.arrays_apart = branches.collect();
        }
        for held in &node.held_apart {
            if let Separate::Scalars(id) = held.what {
                place.scalars_apart.push((id.0, held.branches.clone()));
            }
        }
    }

    fn array(&mut self, array: &wire::Array) -> Array {
        let contains = array.contains.iter();
        let contains = contains.map(|one| (one.node.0, one.min, one.max.unwrap_or(u64::MAX)));
        Array {
            prefix: array.prefix.iter().map(|id| id.0).collect(),
            items: array.items.0,
            contains: contains.collect(),
            min: array.min_items,
            max: array.max_items.unwrap_or(u64::MAX),
            unique: array.unique,
            values: array
                .values
                .as_ref()
                .map(|values| values.iter().cloned().collect()),
            rules: array.residual.iter().filter_map(rule).collect(),
        }
    }

    fn string_tail(&mut self, facts: &StringFacts) -> StringTail {
        StringTail {
            min: facts.min_length,
            max: facts.max_length.unwrap_or(u64::MAX),
            patterns: self.indices(&facts.patterns, false),
            formats: self.indices(&facts.formats, true),
            excluded: texts(facts.excluded.iter()),
            rules: facts.residual.iter().filter_map(rule).collect(),
        }
    }

    fn indices(&mut self, list: &[String], formats: bool) -> Vec<usize> {
        list.iter()
            .filter_map(|text| self.text(text, formats))
            .collect()
    }

    /// The index of a pattern or a format.
    fn text(&mut self, source: &str, is_format: bool) -> Option<usize> {
        let key = (is_format, source.to_owned());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let text = match is_format {
            true => Text::format(source),
            false => Text::pattern(source),
        };
        let index = match text {
            Ok(text) => {
                self.texts.push(text);
                Some(self.texts.len() - 1)
            }
            Err(why) => {
                self.unchecked.push(format!("{source:?}: {why}"));
                None
            }
        };
        self.known.insert(key, index);
        index
    }

    fn shape(&mut self, id: ObjectId) -> Shape {
        let object = self.wire.object(id);
        let closed = is_closed_when_strict(self.wire, id);
        let mut slots: Vec<Slot> = Vec::with_capacity(object.fields.len());
        let mut keys = Vec::with_capacity(object.fields.len());
        for (name, field) in &object.fields {
            keys.push(Key::from(name.as_str()));
            slots.push(Slot {
                place: Some(field.node.0),
                required: field.required,
                known: true,
                mark: self.marks.get(name.as_str()).copied(),
            });
        }
        let mut index: HashMap<Box<str>, u32> = HashMap::default();
        for (at, key) in keys.iter().enumerate() {
            index.insert(key.name().into(), at as u32);
        }
        let mut slot = |name: &str, known: bool| -> u32 {
            let next = slots.len() as u32;
            let at = *index.entry(name.into()).or_insert(next);
            if at == next {
                keys.push(Key::from(name));
                slots.push(Slot {
                    place: None,
                    required: false,
                    known,
                    mark: self.marks.get(name).copied(),
                });
            }
            at
        };
        if closed {
            for name in names_beyond(self.wire, object) {
                slot(&name, true);
            }
        }
        let dependent = object.dependent_required.iter();
        let dependent = dependent
            .map(|(name, needs)| {
                let needs = needs.iter().map(|name| slot(name, false)).collect();
                (slot(name, false), needs)
            })
            .collect();
        for residual in &object.residual {
            if let Some(Rule::With(name, _)) = rule(residual) {
                slot(&name, false);
            }
        }
        let patterns = object.patterns.iter();
        let patterns = patterns
            .filter_map(|field| Some((self.text(&field.pattern, false)?, field.node.0)))
            .collect();
        Shape {
            keys,
            required: slots.iter().filter(|slot| slot.required).count(),
            slots,
            index,
            patterns,
            rest: object.rest.0,
            free: self.is_free(object),
            declares: !self.wire.is_free_form(id),
            closed,
            names: object.names.map(|id| id.0),
            min: object.min_properties,
            max: object.max_properties.unwrap_or(u64::MAX),
            dependent,
            values: object
                .values
                .as_ref()
                .map(|values| values.iter().cloned().collect()),
            rules: object.residual.iter().filter_map(rule).collect(),
        }
    }

    fn is_free(&self, object: &Object) -> bool {
        object.fields.is_empty()
            && object.patterns.is_empty()
            && self.wire.is_any(object.rest)
            && object.names.is_none()
            && object.min_properties == 0
            && object.max_properties.is_none()
            && object.dependent_required.is_empty()
            && object.values.is_none()
            && object.residual.is_empty()
    }
}

/// Whether any string satisfies the facts; formats assert something in the strict reading.
fn asks_nothing(facts: &StringFacts) -> bool {
    let bare = StringFacts {
        content: facts.content.clone(),
        ..StringFacts::default()
    };
    *facts == bare
}

fn number_tail(facts: &NumberFacts) -> NumberTail {
    let end = |bound: &Option<Bound>, lower: bool, open: i64| match bound {
        None => Some(open),
        Some(bound) => {
            let bound = bound.clone().for_integers(lower);
            let value = bound.value.to_text().parse().ok();
            value.filter(|_| !bound.exclusive)
        }
    };
    let rules: Vec<Rule> = facts.residual.iter().filter_map(rule).collect();
    let plain = facts.multiple_of.is_empty() && facts.excluded.is_empty() && rules.is_empty();
    let ends = end(&facts.minimum, true, i64::MIN).zip(end(&facts.maximum, false, i64::MAX));
    let pair = |bound: &Option<Bound>| -> Option<(Decimal, bool)> {
        let bound = bound.as_ref()?;
        Some((bound.value.clone(), bound.exclusive))
    };
    NumberTail {
        integer: facts.integer,
        small: ends.filter(|_| plain),
        minimum: pair(&facts.minimum),
        maximum: pair(&facts.maximum),
        multiple_of: facts.multiple_of.clone(),
        excluded: facts.excluded.iter().cloned().collect(),
        rules,
    }
}

fn literals(known: &[Known]) -> HashSet<Literal> {
    known.iter().map(|known| known.value.clone()).collect()
}

fn texts<'l>(literals: impl Iterator<Item = &'l Literal>) -> Words {
    literals
        .filter_map(|literal| literal.as_string().map(Into::into))
        .collect()
}

/// What a residual asserts. What the wire view holds for undecided asserts nothing here, and is
/// told as unchecked; formats of named values assert nothing in any reading.
fn rule(residual: &Residual) -> Option<Rule> {
    if residual.undecided {
        return None;
    }
    let all = || residual.nodes.iter().map(|id| id.0).collect();
    match (residual.keyword, residual.nodes.as_slice()) {
        ("if", [test, then, otherwise]) => Some(Rule::If(test.0, then.0, otherwise.0)),
        ("not", [node]) => Some(Rule::Not(node.0)),
        ("allOf", _) => Some(Rule::All(all())),
        ("anyOf", _) => Some(Rule::Any(all())),
        ("oneOf", _) => Some(Rule::One(all())),
        ("dependentSchemas", [node]) => {
            let name = residual.names.first()?;
            Some(Rule::With(name.as_str().into(), node.0))
        }
        _ => None,
    }
}
