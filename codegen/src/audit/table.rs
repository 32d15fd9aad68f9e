//! The tables: a wire view laid out so that one pass over the bytes of a line judges it.

use super::text::Text;
use crate::json::{Decimal, Literal};
use crate::maps::{HashMap, HashSet};
use wirelock_runtime::Key;

/// Index of a [`Place`] in [`Table::places`]; that of its node in the wire view.
pub(super) type PlaceId = u32;
/// Index of a [`Shape`] in [`Table::shapes`]; that of its object in the wire view.
pub(super) type ShapeId = u32;

/// Everything that a line is held against.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) places: Vec<Place>,
    pub(super) shapes: Vec<Shape>,
    /// Where a line starts; several only where the schema has no root of its own.
    pub(super) roots: Vec<PlaceId>,
    /// Patterns and formats, each once.
    pub(super) texts: Vec<Text>,
    /// Members of a line that the rules of a run ask for, by name.
    pub(super) marks: HashMap<Box<str>, u8>,
}

/// What may stand at one place.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Anything may, so that nothing is looked at.
    pub(super) any: bool,
    pub(super) null: bool,
    /// Whether `false` and `true` may.
    pub(super) booleans: [bool; 2],
    pub(super) numbers: Option<Numbers>,
    pub(super) strings: Option<Strings>,
    pub(super) arrays: Vec<Array>,
    /// For each array what must not hold beside it; empty where nothing excludes anything.
    pub(super) arrays_apart: Vec<Branches>,
    pub(super) objects: Choice,
    /// Scalar alternatives that cannot be put together, as places of their own.
    pub(super) scalars_apart: Vec<(PlaceId, Branches)>,
    /// What constrains `null`, booleans and named values beyond being listed.
    pub(super) others: Vec<(About, Rule)>,
}

/// The `oneOf` branches behind an alternative: the number of the `oneOf`, and of the branch.
pub(super) type Branches = Vec<(u32, u32)>;

/// Which of the listed values a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Null,
    Boolean,
    Number,
    String,
}

#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub(super) known: HashSet<Literal>,
    pub(super) tails: Vec<NumberTail>,
    /// Every number that may stand here is an integer.
    pub(super) whole: bool,
}

#[derive(Debug)]
pub(super) struct NumberTail {
    pub(super) integer: bool,
    /// The bounds, where they are whole and nothing else is asked of an integer.
    pub(super) small: Option<(i64, i64)>,
    pub(super) minimum: Option<(Decimal, bool)>,
    pub(super) maximum: Option<(Decimal, bool)>,
    pub(super) multiple_of: Vec<Decimal>,
    pub(super) excluded: HashSet<Literal>,
    pub(super) rules: Vec<Rule>,
}

#[derive(Debug, Default)]
pub(super) struct Strings {
    /// Any string may stand here.
    pub(super) any: bool,
    pub(super) known: Words,
    pub(super) tails: Vec<StringTail>,
}

#[derive(Debug)]
pub(super) struct StringTail {
    pub(super) min: u64,
    pub(super) max: u64,
    /// Indices of [`Table::texts`].
    pub(super) patterns: Vec<usize>,
    pub(super) formats: Vec<usize>,
    pub(super) excluded: Words,
    pub(super) rules: Vec<Rule>,
}

/// One alternative among arrays.
#[derive(Debug)]
pub(super) struct Array {
    pub(super) prefix: Vec<PlaceId>,
    pub(super) items: PlaceId,
    pub(super) contains: Vec<(PlaceId, u64, u64)>,
    pub(super) min: u64,
    pub(super) max: u64,
    pub(super) unique: bool,
    pub(super) values: Option<HashSet<Literal>>,
    pub(super) rules: Vec<Rule>,
}

/// An assertion over other places.
#[derive(Debug)]
pub(super) enum Rule {
    If(PlaceId, PlaceId, PlaceId),
    Not(PlaceId),
    All(Vec<PlaceId>),
    Any(Vec<PlaceId>),
    One(Vec<PlaceId>),
    /// The place holds for an object that has the member.
    With(Box<str>, PlaceId),
}

/// Which object alternatives a value can take.
#[derive(Debug, Default)]
pub(super) enum Choice {
    #[default]
    None,
    One(Alternative),
    /// The member of that name leaves fewer.
    Tagged(Box<Dispatch>),
    Several(Vec<(Alternative, Branches)>),
}

/// An object alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alternative {
    pub(super) shape: ShapeId,
    /// It takes what no other alternative knows.
    pub(super) catch_all: bool,
}

/// What is left of the alternatives by what one member says.
#[derive(Debug)]
pub(super) struct Dispatch {
    pub(super) name: Box<str>,
    /// The same in quotes with its colon and the quote of a string behind it.
    pub(super) head: Box<str>,
    pub(super) by_value: HashMap<Box<str>, Choice>,
    pub(super) other_string: Choice,
    pub(super) other_type: Choice,
    pub(super) absent: Choice,
}

impl Dispatch {
    /// What a text leaves.
    pub(super) fn of(&self, text: &str) -> &Choice {
        self.by_value.get(text).unwrap_or(&self.other_string)
    }
}

/// The shape of an object.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) slots: Vec<Slot>,
    /// The names of the slots.
    pub(super) keys: Vec<Key<Box<str>>>,
    pub(super) index: HashMap<Box<str>, u32>,
    /// How many slots have to be filled.
    pub(super) required: usize,
    pub(super) patterns: Vec<(usize, PlaceId)>,
    pub(super) rest: PlaceId,
    /// Nothing is asked of its members.
    pub(super) free: bool,
    /// It declares members, so that none may stand twice.
    pub(super) declares: bool,
    /// A member that it does not declare is unknown.
    pub(super) closed: bool,
    pub(super) names: Option<PlaceId>,
    pub(super) min: u64,
    pub(super) max: u64,
    /// Slots that ask for other slots.
    pub(super) dependent: Vec<(u32, Vec<u32>)>,
    pub(super) values: Option<HashSet<Literal>>,
    pub(super) rules: Vec<Rule>,
}

/// A member that a shape has something to say of.
#[derive(Debug)]
pub(super) struct Slot {
    /// What may stand there; `None`: what patterns and the rest say.
    pub(super) place: Option<PlaceId>,
    pub(super) required: bool,
    /// The contract knows the member.
    pub(super) known: bool,
    /// What the rules of a run call the member, where it is the line's own.
    pub(super) mark: Option<u8>,
}

impl Shape {
    /// The slot of a name.
    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        self.index.get(name).map(|index| *index as usize)
    }
}

/// A set of strings; most are of a few.
#[derive(Debug)]
pub(super) enum Words {
    Few(Vec<Box<str>>),
    Many(HashSet<Box<str>>),
}

impl Default for Words {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl FromIterator<Box<str>> for Words {
    fn from_iter<I: IntoIterator<Item = Box<str>>>(words: I) -> Self {
        let words: HashSet<Box<str>> = words.into_iter().collect();
        match words.len() {
            0..=8 => Self::Few(words.into_iter().collect()),
            _ => Self::Many(words),
        }
    }
}

impl Words {
    #[inline]
    pub(super) fn contains(&self, word: &str) -> bool {
        match self {
            Self::Few(words) => words.iter().any(|one| **one == *word),
            Self::Many(words) => words.contains(word),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Few(words) if words.is_empty())
    }

    /// The words in order.
    pub(super) fn sorted(&self) -> Vec<&str> {
        let mut words: Vec<&str> = match self {
            Self::Few(words) => words.iter().map(|word| &**word).collect(),
            Self::Many(words) => words.iter().map(|word| &**word).collect(),
        };
        words.sort_unstable();
        words
    }
}
