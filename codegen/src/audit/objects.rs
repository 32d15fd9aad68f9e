//! Objects and arrays of an item against their shapes.

use super::check::{Check, Fail, Outcome, Unknown, Why, refuse};
use super::scalars::literal;
use super::table::{Array, Rule, Shape, ShapeId};
use crate::json::{self, Literal};
use crate::maps::HashSet;
use std::borrow::Cow;
use wirelock_runtime::Reader;

/// So many undeclared names are compared one by one before they are hashed.
const FEW: usize = 16;

impl<'t, 'de> Check<'t, 'de> {
    pub(super) fn object(&mut self, reader: &mut Reader<'de>, id: ShapeId) -> Outcome {
        let shape = &self.table.shapes[id as usize];
        let outermost = self.level == 0 && !self.marks.is_empty();
        if shape.free && !outermost {
            reader.skip_value()?;
            return Ok(());
        }
        let at = reader.offset();
        let start = (!shape.rules.is_empty()).then(|| reader.clone());
        reader.begin_object()?;
        self.level += 1;
        let mut seen = Seen::default();
        let mut extra = Extra::default();
        let (mut first, mut count, mut filled, mut guess) = (true, 0_u64, 0, 0);
        loop {
            let expected = reader.expect_member(&mut first, &shape.keys, guess);
            let (slot, name) = match expected {
                Some(index) => (Some(index), Cow::Borrowed(shape.keys[index].name())),
                None => match reader.next_key(&mut first)? {
                    Some(name) => (shape.slot(&name), name),
                    None => break,
                },
            };
            count += 1;
            let value_at = if outermost { reader.offset() } else { 0 };
            let twice = match slot {
                Some(index) => !seen.insert(index),
                None => shape.declares && !extra.insert(&name),
            };
            if twice && shape.declares {
                return Err(Fail::Broken(reader.duplicate(&name)));
            }
            if let Some(names) = shape.names {
                self.name(names, &name, reader.offset())?;
            }
            match slot.map(|index| (index, &shape.slots[index])) {
                Some((index, slot)) => {
                    guess = index + 1;
                    filled += usize::from(slot.required && !twice);
                    match slot.place {
                        Some(place) => self.place(reader, place)?,
                        None => self.further(reader, shape, &name, slot.known)?,
                    }
                }
                None => self.further(reader, shape, &name, false)?,
            }
            if outermost {
                let mark = match slot {
                    Some(index) => shape.slots[index].mark,
                    None => self.table.marks.get(&*name).copied(),
                };
                if let Some(mark) = mark {
                    self.marks[usize::from(mark)] = Some((value_at, reader.offset()));
                }
            }
        }
        self.level -= 1;
        if filled < shape.required {
            let slots = shape.slots.iter().enumerate();
            let mut missing = slots.filter(|(index, slot)| slot.required && !seen.has(*index));
            let slot = missing.next().map_or(0, |(index, _)| index);
            return refuse(at, Why::Missing(id, slot));
        }
        self.whole_object(shape, id, start, at, reader, count, &seen)
    }

    /// What is asked of an object beside its members one by one.
    #[expect(
        clippy::too_many_arguments,
        reason = "all of it is what the pass has left"
    )]
    #[inline]
    fn whole_object(
        &mut self,
        shape: &'t Shape,
        id: ShapeId,
        start: Option<Reader<'de>>,
        at: usize,
        reader: &Reader<'de>,
        count: u64,
        seen: &Seen,
    ) -> Outcome {
        if count < shape.min {
            return refuse(at, Why::Bound("minProperties", shape.min));
        }
        if count > shape.max {
            return refuse(at, Why::Bound("maxProperties", shape.max));
        }
        for (slot, needs) in &shape.dependent {
            if seen.has(*slot as usize)
                && let Some(missing) = needs.iter().find(|need| !seen.has(**need as usize))
            {
                return refuse(at, Why::Missing(id, *missing as usize));
            }
        }
        self.values(shape.values.as_ref(), at, reader)?;
        let has = |name: &str| {
            let slot = shape.slot(name);
            slot.is_some_and(|slot| seen.has(slot))
        };
        match start {
            Some(start) => self.rules(&shape.rules, &start, at, &has),
            None => Ok(()),
        }
    }

    /// A member that the shape does not name.
    fn further(
        &mut self,
        reader: &mut Reader<'de>,
        shape: &'t Shape,
        name: &str,
        known: bool,
    ) -> Outcome {
        let mut pending = None;
        for (pattern, place) in &shape.patterns {
            if !self.table.texts[*pattern].passes(name) {
                continue;
            }
            if let Some(earlier) = pending.replace(*place) {
                self.place(&mut reader.clone(), earlier)?;
            }
        }
        if let Some(place) = pending {
            return self.place(reader, place);
        }
        if shape.closed && !known {
            self.note(reader.offset(), Unknown::Field);
        }
        self.place(reader, shape.rest)
    }

    /// A member's name against what names have to be.
    fn name(&self, place: u32, name: &str, at: usize) -> Outcome {
        let quoted = Literal::string(name);
        let mut check = Check::new(
            self.table,
            quoted.text(),
            self.formats,
            Vec::new(),
            Vec::new(),
        );
        match check.place(&mut Reader::new(quoted.text()), place) {
            Err(Fail::No(_)) => refuse(at, Why::Keyword("propertyNames")),
            outcome => outcome,
        }
    }

    pub(super) fn array(&mut self, reader: &mut Reader<'de>, array: &'t Array) -> Outcome {
        let at = reader.offset();
        let start = reader.clone();
        let mut counts = vec![0_u64; array.contains.len()];
        reader.begin_array()?;
        self.level += 1;
        let mut length = 0_usize;
        while reader.next_element(length == 0)? {
            for ((place, ..), count) in array.contains.iter().zip(&mut counts) {
                *count += u64::from(self.holds(*place, reader)?);
            }
            let place = array.prefix.get(length).copied().unwrap_or(array.items);
            self.place(reader, place)?;
            length += 1;
        }
        self.level -= 1;
        if (length as u64) < array.min {
            return refuse(at, Why::Bound("minItems", array.min));
        }
        if length as u64 > array.max {
            return refuse(at, Why::Bound("maxItems", array.max));
        }
        for ((_, min, max), count) in array.contains.iter().zip(counts) {
            if count < *min || count > *max {
                return refuse(at, Why::Keyword("contains"));
            }
        }
        self.values(array.values.as_ref(), at, reader)?;
        if array.unique && !self.is_unique(at, reader) {
            return refuse(at, Why::Keyword("uniqueItems"));
        }
        self.rules(&array.rules, &start, at, &|_| false)
    }

    fn is_unique(&self, at: usize, reader: &Reader<'de>) -> bool {
        let end = reader.clone().offset();
        let Ok(node) = json::parse(&self.text[at..end]) else {
            return true;
        };
        let mut seen = HashSet::default();
        node.elements()
            .iter()
            .all(|element| seen.insert(Literal::of(element)))
    }

    fn values(
        &self,
        values: Option<&HashSet<Literal>>,
        at: usize,
        reader: &Reader<'de>,
    ) -> Outcome {
        let Some(values) = values else { return Ok(()) };
        let end = reader.clone().offset();
        match values.contains(&literal(&self.text[at..end])) {
            true => Ok(()),
            false => refuse(at, Why::Keyword("enum")),
        }
    }

    fn rules(
        &mut self,
        rules: &'t [Rule],
        start: &Reader<'de>,
        at: usize,
        has: &dyn Fn(&str) -> bool,
    ) -> Outcome {
        for rule in rules {
            if !self.rule(rule, start, has)? {
                return refuse(at, Why::Keyword(rule.keyword()));
            }
        }
        Ok(())
    }
}

/// Which slots are filled.
#[derive(Default)]
struct Seen {
    head: u128,
    more: Vec<u64>,
}

impl Seen {
    /// Fills a slot; `false` where it is filled already.
    fn insert(&mut self, slot: usize) -> bool {
        if slot < 128 {
            let before = self.head;
            self.head |= 1 << slot;
            return self.head != before;
        }
        let (word, bit) = ((slot - 128) / 64, 1 << (slot % 64));
        if self.more.len() <= word {
            self.more.resize(word + 1, 0);
        }
        let before = self.more[word];
        self.more[word] |= bit;
        self.more[word] != before
    }

    fn has(&self, slot: usize) -> bool {
        if slot < 128 {
            return self.head >> slot & 1 == 1;
        }
        let word = self.more.get((slot - 128) / 64);
        word.is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}

/// Names that no slot has.
#[derive(Default)]
struct Extra<'de> {
    few: Vec<Cow<'de, str>>,
    many: HashSet<Cow<'de, str>>,
}

impl<'de> Extra<'de> {
    /// Adds a name; `false` where it is there already.
    #[expect(
        clippy::ptr_arg,
        reason = "a name that is borrowed from the text stays borrowed"
    )]
    fn insert(&mut self, name: &Cow<'de, str>) -> bool {
        if self.few.len() < FEW {
            let new = !self.few.contains(name);
            if new {
                self.few.push(name.clone());
            }
            return new;
        }
        !self.few.contains(name) && self.many.insert(name.clone())
    }
}
