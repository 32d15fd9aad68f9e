//! Makes one sample: alternatives are chosen by style, members and elements by budget.

use super::height::{array_height, object_height};
use super::members::close_over;
use super::path::{Name, Step};
use super::random::Random;
use super::{SampleOptions, Samples, Style, number, text};
use crate::json::{self, Literal, Member, Value};
use crate::wire::make::{member, wrap};
use crate::wire::{Array, Node, NodeId, Scalar, Wire};

pub(super) struct Sampler<'a> {
    pub(super) wire: &'a Wire,
    pub(super) options: SampleOptions,
    pub(super) random: Random,
    pub(super) heights: &'a [Option<u32>],
    pub(super) made: usize,
    /// Whether the way to an element is still being followed.
    on_the_way: bool,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(samples: &'a Samples<'_>, options: &SampleOptions) -> Self {
        Self {
            wire: samples.wire,
            options: *options,
            random: Random::new(options.seed),
            heights: &samples.heights,
            made: 0,
            on_the_way: false,
        }
    }

    pub(super) fn style(&self) -> Style {
        let spent = self.made > self.options.size;
        if spent || self.on_the_way {
            Style::Minimal
        } else {
            self.options.style
        }
    }

    /// The recursion is bounded by `depth`, which every level takes one from.
    pub(super) fn value(
        &mut self,
        id: NodeId,
        way: &[Step],
        hint: &str,
        depth: u32,
    ) -> Option<json::Node> {
        self.made += 1;
        let node = self.wire.node(id);
        let outside = self.on_the_way;
        self.on_the_way |= !way.is_empty();
        let made = match way.split_first() {
            Some((Step::Value(value), _)) => literal(value),
            Some((Step::Variant(variant), _)) => {
                self.on_the_way = false;
                self.object(node, *variant, None, depth)
            }
            Some((
                Step::Member {
                    variant,
                    name,
                    place,
                },
                rest,
            )) => self.object(node, *variant, Some((name, *place, rest)), depth),
            Some((
                Step::Element {
                    array,
                    index,
                    place,
                },
                rest,
            )) => node
                .arrays
                .get(*array)
                .and_then(|array| self.array(array, Some((*index, *place, rest)), hint, depth)),
            None => self.free(id, hint, depth),
        };
        self.on_the_way = outside;
        made
    }

    /// A value where nothing is asked for.
    fn free(&mut self, id: NodeId, hint: &str, depth: u32) -> Option<json::Node> {
        if self.wire.is_any(id) {
            return Some(self.anything(depth));
        }
        let node = self.wire.node(id);
        let mut choices = self.choices(node, depth);
        if choices.is_empty() {
            return None;
        }
        match self.style() {
            Style::Minimal => choices.sort_by_key(|(height, _)| *height),
            // What holds most comes last in the order of the model.
            Style::Maximal => choices.reverse(),
            Style::Random => {
                let chosen = self.random.below(choices.len());
                choices.swap(0, chosen);
            }
        }
        choices.into_iter().find_map(|(_, choice)| match choice {
            Choice::Null => Some(wrap(Value::Null)),
            Choice::Boolean(value) => Some(wrap(Value::Bool(value))),
            Choice::Number => self.number(node),
            Choice::String => self.string(node, hint),
            Choice::Array(at) => self.array(&node.arrays[at], None, hint, depth),
            Choice::Object(at) => self.object(node, at, None, depth),
        })
    }

    /// What may stand at a place within the depth, each with the height it needs.
    fn choices(&self, node: &Node, depth: u32) -> Vec<(u32, Choice)> {
        let mut found = Vec::new();
        if let Some(shape) = &node.boolean {
            found.extend(shape.allow_false.then_some((0, Choice::Boolean(false))));
            found.extend(shape.allow_true.then_some((0, Choice::Boolean(true))));
        }
        found.extend(node.number.is_some().then_some((0, Choice::Number)));
        found.extend(node.string.is_some().then_some((0, Choice::String)));
        for (at, array) in node.arrays.iter().enumerate() {
            found.extend(
                array_height(array, self.heights).map(|height| (height, Choice::Array(at))),
            );
        }
        for (at, variant) in node.objects.iter().enumerate() {
            if variant.is_catch_all() && !self.options.unknown {
                continue;
            }
            let height = object_height(self.wire.object(variant.object), self.heights);
            found.extend(height.map(|height| (height, Choice::Object(at))));
        }
        found.retain(|(height, _)| *height <= depth);
        // Null says least, so it is what is left where nothing else can be made.
        if node.null {
            found.insert(
                if self.style() == Style::Maximal {
                    0
                } else {
                    found.len()
                },
                (0, Choice::Null),
            );
        }
        found
    }

    fn number(&mut self, node: &Node) -> Option<json::Node> {
        let scalar = node.number.as_ref()?;
        if let Some(known) = self.known(scalar) {
            return literal(&known);
        }
        let style = self.style();
        let random = &mut self.random;
        let text = scalar
            .tails
            .iter()
            .find_map(|facts| number::number(facts, style, random))?;
        Some(wrap(Value::Number(text.into())))
    }

    fn string(&mut self, node: &Node, hint: &str) -> Option<json::Node> {
        let scalar = node.string.as_ref()?;
        if let Some(known) = self.known(scalar) {
            return literal(&known);
        }
        let style = self.style();
        let random = &mut self.random;
        let text = scalar
            .tails
            .iter()
            .find_map(|facts| text::string(facts, hint, style, random))?;
        Some(wrap(Value::String(text.into())))
    }

    /// A known value, where there are some and an unknown one is not to be tried.
    fn known<F>(&mut self, scalar: &Scalar<F>) -> Option<Literal> {
        let random = self.style() == Style::Random;
        let unknown =
            self.options.unknown && !scalar.tails.is_empty() && random && self.random.once_in(3);
        if scalar.known.is_empty() || unknown {
            return None;
        }
        let at = if random {
            self.random.below(scalar.known.len())
        } else {
            0
        };
        Some(scalar.known[at].value.clone())
    }

    fn array(
        &mut self,
        array: &Array,
        forced: Option<(usize, NodeId, &[Step])>,
        hint: &str,
        depth: u32,
    ) -> Option<json::Node> {
        let depth = depth.checked_sub(1)?;
        if let Some(values) = &array.values {
            return literal(values.first()?);
        }
        let must = usize::try_from(array.min_items)
            .ok()
            .filter(|count| *count <= 1000)?;
        let most = array
            .max_items
            .and_then(|max| usize::try_from(max).ok())
            .unwrap_or(usize::MAX);
        let counted: Vec<NodeId> = array
            .contains
            .iter()
            .flat_map(|contains| {
                std::iter::repeat_n(
                    contains.node,
                    usize::try_from(contains.min).unwrap_or(0).min(100),
                )
            })
            .collect();
        let usual = match self.style() {
            Style::Minimal => 0,
            Style::Maximal => array.prefix.len() + self.alternatives(array.items).clamp(1, 16),
            Style::Random => self.random.below(4),
        };
        // What has to be counted comes first, since the element that is asked for may not count.
        let after = |index: usize| match index.checked_sub(array.prefix.len()) {
            Some(_) => index.max(array.prefix.len() + counted.len()),
            None => index,
        };
        let forced_at = forced.as_ref().map(|(index, _, _)| after(*index));
        let count = usual
            .max(must)
            .max(counted.len() + array.prefix.len() * usize::from(!counted.is_empty()));
        let count = count.max(forced_at.map_or(0, |at| at + 1)).min(most);
        let mut elements: Vec<json::Node> = Vec::with_capacity(count);
        let mut seen = std::collections::HashSet::new();
        for at in 0..count {
            let place = array.prefix.get(at).copied().unwrap_or(array.items);
            let from_contains = at
                .checked_sub(array.prefix.len())
                .and_then(|at| counted.get(at));
            let mut made = None;
            // Later attempts differ only by chance, so a few are enough to tell.
            for attempt in 0..8 {
                let candidate = match (&forced, from_contains) {
                    (Some((_, place, rest)), _) if forced_at == Some(at) => {
                        self.step(*place, rest, hint, depth)
                    }
                    (_, Some(counted)) => self.value(*counted, &[], hint, depth),
                    _ => self.nth(place, at - array.prefix.len().min(at), hint, depth, attempt),
                };
                let fresh =
                    candidate.filter(|value| !array.unique || seen.insert(Literal::of(value)));
                if fresh.is_some() {
                    made = fresh;
                    break;
                }
                self.random.next();
            }
            match made {
                Some(element) => elements.push(element),
                // A value that already stands has not to stand twice.
                None if at >= must && forced_at == Some(at) && array.unique => break,
                None if at >= must && forced_at.is_none_or(|forced| forced < at) => break,
                None => return None,
            }
        }
        Some(wrap(Value::Array(elements)))
    }

    /// Goes on along the way; where it ends, the style holds again.
    fn step(&mut self, place: NodeId, rest: &[Step], hint: &str, depth: u32) -> Option<json::Node> {
        let outside = std::mem::replace(&mut self.on_the_way, !rest.is_empty());
        let made = self.value(place, rest, hint, depth);
        self.on_the_way = outside;
        made
    }

    /// An element of a full array shows one alternative after the other.
    fn nth(
        &mut self,
        place: NodeId,
        at: usize,
        hint: &str,
        depth: u32,
        attempt: u32,
    ) -> Option<json::Node> {
        let node = self.wire.node(place);
        if self.style() == Style::Maximal
            && attempt == 0
            && at < self.alternatives(place)
            && !self.wire.is_any(place)
        {
            let variants = node
                .objects
                .iter()
                .enumerate()
                .filter(|(_, variant)| self.options.unknown || !variant.is_catch_all());
            let variant = variants.map(|(at, _)| at).nth(at);
            if let Some(variant) = variant {
                self.made += 1;
                return self.object(node, variant, None, depth);
            }
            let known = node.string.as_ref().and_then(|scalar| scalar.known.get(at));
            if let Some(known) = known.filter(|_| node.objects.is_empty()) {
                return literal(&known.value);
            }
        }
        let hint = if attempt == 0 {
            hint.to_owned()
        } else {
            format!("{hint}{attempt}")
        };
        self.value(place, &[], &hint, depth)
    }

    fn alternatives(&self, place: NodeId) -> usize {
        let node = self.wire.node(place);
        let known = node
            .objects
            .iter()
            .filter(|variant| self.options.unknown || !variant.is_catch_all())
            .count();
        known.max(node.string.as_ref().map_or(0, |scalar| scalar.known.len()))
    }

    fn object(
        &mut self,
        node: &Node,
        variant: usize,
        forced: Option<(&Name, NodeId, &[Step])>,
        depth: u32,
    ) -> Option<json::Node> {
        let depth = depth.checked_sub(1)?;
        let variant = node.objects.get(variant)?;
        let object = self.wire.object(variant.object);
        if let Some(values) = &object.values {
            return literal(values.first()?);
        }
        let most = object
            .max_properties
            .and_then(|max| usize::try_from(max).ok())
            .unwrap_or(usize::MAX);
        let forced_name = match &forced {
            Some((Name::Field(name), _, _)) => Some(name.clone()),
            Some((Name::Pattern(at), _, _)) => Some(text::matching(
                &object.patterns.get(*at)?.pattern,
                0,
                &mut self.random,
            )?),
            Some((Name::Any, _, _)) => Some(self.free_name(object, 0)?),
            None => None,
        };
        let mut chosen = self.chosen(object, forced_name.as_deref(), most, depth);
        close_over(object, &mut chosen);
        let mut members: Vec<Member> = Vec::new();
        for (name, field) in &object.fields {
            if !chosen.contains(name) {
                continue;
            }
            let made = match &forced {
                Some((_, place, rest)) if forced_name.as_ref() == Some(name) => {
                    self.step(*place, rest, name, depth)
                }
                _ => self.value(field.node, &[], name, depth),
            };
            match made {
                Some(value) => members.push(member(name, value)),
                None if field.required || forced_name.as_ref() == Some(name) => return None,
                None => {}
            }
        }
        // A member that no field of the shape declares: by pattern, by any name, by a conditional part.
        if let (Some((_, place, rest)), Some(name)) = (&forced, &forced_name)
            && !object.fields.contains_key(name)
        {
            let value = self.step(*place, rest, name, depth)?;
            members.push(member(name, value));
        }
        // What another member asks for need not be declared.
        for name in chosen
            .iter()
            .filter(|name| !object.fields.contains_key(*name))
        {
            if members.iter().all(|member| *member.name != **name) {
                let value = self.value(object.rest, &[], name, depth)?;
                members.push(member(name, value));
            }
        }
        self.further_members(object, &mut members, most, depth);
        let enough =
            usize::try_from(object.min_properties).is_ok_and(|least| members.len() >= least);
        enough.then(|| wrap(Value::Object(members)))
    }
}

/// A literal's text is JSON by construction.
fn literal(value: &Literal) -> Option<json::Node> {
    json::parse(value.text()).ok()
}

/// One of the alternatives of a place.
enum Choice {
    Null,
    Boolean(bool),
    Number,
    String,
    Array(usize),
    Object(usize),
}
