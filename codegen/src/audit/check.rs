//! One pass over the bytes of an item: whether it is valid, and what in it the contract does not know.

use super::apart;
use super::table::{About, Alternative, Choice, Dispatch, Place, PlaceId, Rule, Table};
use crate::maps::HashMap;
use memchr::memchr2;
use wirelock_runtime::{Error, Reader};

/// Why a value is refused.
#[derive(Debug)]
pub(super) enum Fail {
    /// It is no JSON, or names a member twice.
    Broken(Error),
    /// It does not fit.
    No(No),
}

/// Where a value does not fit, and why; small, because unions are tried one alternative after the
/// other, and most of what is refused there is of no interest.
#[derive(Debug, Clone, Copy)]
pub(super) struct No {
    pub(super) at: usize,
    pub(super) why: Why,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Why {
    /// The JSON type may not stand here.
    Type(PlaceId),
    /// The value is none of those that may.
    Value(PlaceId),
    /// The slot of the shape is required.
    Missing(u32, usize),
    /// No alternative of the place takes the object or the array.
    Alternative,
    /// Two branches of a `oneOf` take it.
    Exclusive,
    /// A keyword with its bound.
    Bound(&'static str, u64),
    /// A keyword.
    Keyword(&'static str),
}

pub(super) type Outcome = Result<(), Fail>;

impl From<Error> for Fail {
    fn from(error: Error) -> Self {
        Self::Broken(error)
    }
}

/// Something that the contract does not know, or that only the strict reading refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) at: usize,
    /// How many containers are around it.
    pub(super) level: u32,
    pub(super) what: Unknown,
}

impl Found {
    /// How a number is written makes nothing unknown.
    pub(super) fn is_spelling(&self) -> bool {
        self.what == Unknown::Spelling
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    Field,
    Value,
    Type,
    /// A text that has not this format, by its index.
    Format(usize),
    /// A whole number that is written with a fraction or an exponent.
    Spelling,
}

/// Where the value of a marked member stands.
pub(super) type Mark = Option<(usize, usize)>;

/// Choices within choices go no deeper than a text does, unless a schema asks for itself about the
/// same value; that has no answer, and is refused.
const MAX_TRIALS: u32 = 300;

enum Memo<'de> {
    Fails(No),
    Passes(Reader<'de>, Vec<Found>),
}

/// The state of one item's check.
pub(super) struct Check<'t, 'de> {
    pub(super) table: &'t Table,
    pub(super) text: &'de str,
    /// Whether formats assert something.
    pub(super) formats: bool,
    pub(super) found: Vec<Found>,
    pub(super) marks: Vec<Mark>,
    pub(super) level: u32,
    /// Above 0 nothing is noted as unknown: below what is unknown itself, and below conditions.
    pub(super) quiet: u32,
    /// How many choices are being tried around here.
    trial: u32,
    /// What is known of containers inside of nested trials, without which those would multiply.
    memo: HashMap<(PlaceId, bool, usize), Memo<'de>>,
}

impl<'t, 'de> Check<'t, 'de> {
    /// The check of a text; `found` and `marks` are buffers that are used again.
    pub(super) fn new(
        table: &'t Table,
        text: &'de str,
        formats: bool,
        mut found: Vec<Found>,
        mut marks: Vec<Mark>,
    ) -> Self {
        found.clear();
        marks.clear();
        marks.resize(table.marks.len(), None);
        Self {
            table,
            text,
            formats,
            found,
            marks,
            level: 0,
            quiet: 0,
            trial: 0,
            memo: HashMap::default(),
        }
    }

    /// Judges the whole text.
    pub(super) fn run(&mut self) -> Outcome {
        let mut reader = Reader::new(self.text);
        match self.table.roots.as_slice() {
            [root] => self.place(&mut reader, *root)?,
            roots => {
                let choice = Several {
                    count: roots.len(),
                    why: Why::Keyword("the definitions"),
                    branches: &|_| &[],
                    // A document is one of the definitions, and not of several at once.
                    objects: false,
                };
                self.several(&mut reader, &choice, &|check, reader, index| {
                    check.place(reader, roots[index])
                })?;
            }
        }
        Ok(reader.end()?)
    }

    pub(super) fn place(&mut self, reader: &mut Reader<'de>, id: PlaceId) -> Outcome {
        let place = &self.table.places[id as usize];
        if place.any && (self.level > 0 || self.marks.is_empty()) {
            reader.skip_value()?;
            return Ok(());
        }
        match reader.next_byte() {
            Some(b'{' | b'[') if self.trial > 1 => self.remembered(reader, id, place),
            Some(b'{') => self.objects(reader, id, place),
            Some(b'[') => self.arrays(reader, id, place),
            _ => self.scalar(reader, id, place),
        }
    }

    fn remembered(&mut self, reader: &mut Reader<'de>, id: PlaceId, place: &'t Place) -> Outcome {
        let key = (id, self.quiet > 0, reader.offset());
        match self.memo.get(&key) {
            Some(Memo::Fails(no)) => return Err(Fail::No(*no)),
            Some(Memo::Passes(end, found)) => {
                self.found.extend_from_slice(found);
                *reader = end.clone();
                return Ok(());
            }
            None => {}
        }
        let before = self.found.len();
        let outcome = match reader.next_byte() {
            Some(b'{') => self.objects(reader, id, place),
            _ => self.arrays(reader, id, place),
        };
        let memo = match &outcome {
            Ok(()) => Memo::Passes(reader.clone(), self.found[before..].to_vec()),
            Err(Fail::No(no)) => Memo::Fails(*no),
            Err(Fail::Broken(_)) => return outcome,
        };
        self.memo.insert(key, memo);
        outcome
    }

    fn objects(&mut self, reader: &mut Reader<'de>, id: PlaceId, place: &'t Place) -> Outcome {
        match self.chosen(reader, &place.objects)? {
            Choice::One(alternative) => self.alternative(reader, *alternative),
            Choice::Several(list) => {
                let choice = Several {
                    count: list.len(),
                    why: Why::Alternative,
                    branches: &|index| &list[index].1,
                    objects: true,
                };
                self.several(reader, &choice, &|check, reader, index| {
                    check.alternative(reader, list[index].0)
                })
            }
            _ => {
                let none = matches!(place.objects, Choice::None);
                let why = if none {
                    Why::Type(id)
                } else {
                    Why::Alternative
                };
                refuse(reader.offset(), why)
            }
        }
    }

    /// What tags leave of a choice. Mostly they stand first, one behind the other.
    fn chosen(
        &self,
        reader: &mut Reader<'de>,
        mut choice: &'t Choice,
    ) -> Result<&'t Choice, Error> {
        let mut ahead = reader.offset() + 1;
        while let Choice::Tagged(dispatch) = choice {
            let value = self.tag_at(ahead, &dispatch.head);
            choice = match value {
                Some(value) => {
                    ahead += dispatch.head.len() + value.len() + 2;
                    dispatch.of(value)
                }
                None => self.tag(reader.clone(), dispatch)?,
            };
        }
        Ok(choice)
    }

    /// The text of a tag that stands at that byte, written as usual; its end is checked later.
    fn tag_at(&self, at: usize, head: &str) -> Option<&'de str> {
        let rest = self.text.get(at..)?.strip_prefix(head)?;
        let end = memchr2(b'"', b'\\', rest.as_bytes())?;
        (rest.as_bytes()[end] == b'"').then(|| &rest[..end])
    }

    /// The same wherever the tag stands.
    fn tag(&self, mut reader: Reader<'de>, dispatch: &'t Dispatch) -> Result<&'t Choice, Error> {
        reader.begin_object()?;
        let mut first = true;
        while let Some(name) = reader.next_key(&mut first)? {
            if *name != *dispatch.name {
                reader.skip_value()?;
            } else if reader.next_byte() == Some(b'"') {
                return Ok(dispatch.of(&reader.str()?));
            } else {
                return Ok(&dispatch.other_type);
            }
        }
        Ok(&dispatch.absent)
    }

    fn alternative(&mut self, reader: &mut Reader<'de>, alternative: Alternative) -> Outcome {
        if !alternative.catch_all {
            return self.object(reader, alternative.shape);
        }
        self.note(reader.offset(), Unknown::Type);
        let before = self.quiet;
        self.quiet += 1;
        let outcome = self.object(reader, alternative.shape);
        self.quiet = before;
        outcome
    }

    fn arrays(&mut self, reader: &mut Reader<'de>, id: PlaceId, place: &'t Place) -> Outcome {
        match place.arrays.as_slice() {
            [] => refuse(reader.offset(), Why::Type(id)),
            [array] => self.array(reader, array),
            arrays => {
                let apart = |index: usize| place.arrays_apart.get(index);
                let choice = Several {
                    count: arrays.len(),
                    why: Why::Alternative,
                    branches: &|index| apart(index).map_or(&[], Vec::as_slice),
                    objects: false,
                };
                self.several(reader, &choice, &|check, reader, index| {
                    check.array(reader, &arrays[index])
                })
            }
        }
    }

    /// Tries alternatives from the same place on.
    pub(super) fn several(
        &mut self,
        reader: &mut Reader<'de>,
        choice: &Several<'_>,
        run: &dyn Fn(&mut Self, &mut Reader<'de>, usize) -> Outcome,
    ) -> Outcome {
        let at = reader.offset();
        let base = self.found.len();
        let mut passed: Vec<(usize, Vec<Found>)> = Vec::new();
        let mut end = None;
        let mut furthest: Option<No> = None;
        for index in 0..choice.count {
            let mut rest = reader.clone();
            let outcome = self.trying(|check| run(check, &mut rest, index));
            match outcome {
                Ok(()) => {
                    let found = self.found.split_off(base);
                    if found.iter().all(Found::is_spelling) && (choice.branches)(index).is_empty() {
                        // Nothing is unknown, and nothing can exclude it.
                        self.found.extend(found);
                        *reader = rest;
                        return Ok(());
                    }
                    passed.push((index, found));
                    end = Some(rest);
                }
                Err(Fail::No(no)) => {
                    self.found.truncate(base);
                    if furthest.is_none_or(|other| no.at > other.at) {
                        furthest = Some(no);
                    }
                }
                Err(broken) => return Err(broken),
            }
        }
        let Some(end) = end else {
            // Where an alternative got further than the start, that one was meant.
            let deeper = furthest.filter(|no| no.at > at || choice.count == 1);
            return Err(Fail::No(deeper.unwrap_or(No {
                at,
                why: choice.why,
            })));
        };
        let branches = passed.iter().map(|(index, _)| (choice.branches)(*index));
        if !apart::some_holds(branches.collect()) {
            return refuse(at, Why::Exclusive);
        }
        let found = self.least(&passed, choice.objects);
        self.found.extend(found);
        *reader = end;
        Ok(())
    }

    /// What is unknown under alternatives that all hold: a member is known where one of those
    /// declares it that know everything further inside.
    fn least(&self, passed: &[(usize, Vec<Found>)], objects: bool) -> Vec<Found> {
        let own = |one: &Found| {
            one.is_spelling() || one.what == Unknown::Field && one.level == self.level + 1
        };
        if objects {
            let mut inside = passed.iter().filter(|(_, found)| found.iter().all(own));
            if let Some((_, first)) = inside.next() {
                let rest: Vec<_> = inside.collect();
                let in_all = |one: &&Found| rest.iter().all(|(_, found)| found.contains(one));
                return first.iter().filter(in_all).copied().collect();
            }
        }
        let weight = |found: &[Found]| found.iter().filter(|one| !one.is_spelling()).count();
        let fewest = passed.iter().min_by_key(|(_, found)| weight(found));
        fewest.map(|(_, found)| found.clone()).unwrap_or_default()
    }

    /// Runs something that may fail halfway, inside of one more trial.
    fn trying<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.level, self.quiet, self.trial);
        self.trial += 1;
        let result = run(self);
        (self.level, self.quiet, self.trial) = before;
        result
    }

    /// Whether a place takes what comes next; nothing is noted of it.
    pub(super) fn holds(&mut self, id: PlaceId, start: &Reader<'de>) -> Result<bool, Error> {
        let outcome = self.trying(|check| {
            check.quiet += 1;
            if check.trial > MAX_TRIALS {
                return refuse(0, Why::Keyword("$ref"));
            }
            check.place(&mut start.clone(), id)
        });
        match outcome {
            Ok(()) => Ok(true),
            Err(Fail::No(_)) => Ok(false),
            Err(Fail::Broken(error)) => Err(error),
        }
    }

    /// Whether an assertion over other places holds for what begins at `start`.
    pub(super) fn rule(
        &mut self,
        rule: &Rule,
        start: &Reader<'de>,
        has: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Error> {
        Ok(match rule {
            Rule::If(test, then, otherwise) => {
                let branch = if self.holds(*test, start)? {
                    then
                } else {
                    otherwise
                };
                self.holds(*branch, start)?
            }
            Rule::Not(id) => !self.holds(*id, start)?,
            Rule::With(name, id) => !has(name) || self.holds(*id, start)?,
            Rule::All(ids) => self.count(ids, start)? == ids.len(),
            Rule::Any(ids) => self.count(ids, start)? > 0,
            Rule::One(ids) => self.count(ids, start)? == 1,
        })
    }

    fn count(&mut self, ids: &[PlaceId], start: &Reader<'de>) -> Result<usize, Error> {
        let mut count = 0;
        for id in ids {
            count += usize::from(self.holds(*id, start)?);
        }
        Ok(count)
    }

    /// Rules about listed values; `raw` is the value's text.
    pub(super) fn others(
        &mut self,
        place: &'t Place,
        about: About,
        raw: &'de str,
        at: usize,
    ) -> Outcome {
        for (of, rule) in &place.others {
            if *of == about && !self.rule(rule, &Reader::new(raw), &|_| false)? {
                return refuse(at, Why::Keyword(rule.keyword()));
            }
        }
        Ok(())
    }

    pub(super) fn note(&mut self, at: usize, what: Unknown) {
        if self.quiet == 0 {
            self.found.push(Found {
                at,
                level: self.level,
                what,
            });
        }
    }
}

/// Alternatives of one kind at a place.
pub(super) struct Several<'a> {
    pub(super) count: usize,
    /// What is said where none holds.
    pub(super) why: Why,
    /// The `oneOf` branches of each.
    pub(super) branches: &'a dyn Fn(usize) -> &'a [(u32, u32)],
    /// They are objects, whose members may be known by any of them.
    pub(super) objects: bool,
}

pub(super) fn refuse(at: usize, why: Why) -> Outcome {
    Err(Fail::No(No { at, why }))
}

impl Rule {
    /// The keyword behind it.
    pub(super) fn keyword(&self) -> &'static str {
        match self {
            Self::If(..) => "if",
            Self::Not(_) => "not",
            Self::All(_) => "allOf",
            Self::Any(_) => "anyOf",
            Self::One(_) => "oneOf",
            Self::With(..) => "dependentSchemas",
        }
    }
}
