//! How items of one contract are read and written: by generated types, as text, or as what a function
//! makes of the text.

use super::Predicate;
use crate::{Decode, Encode, Item, Kind, Reader, Result};
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// How items of one contract are read, and which of them end a run.
pub trait Decodes {
    /// One item.
    type Item;

    /// Reads an item from its text.
    ///
    /// # Errors
    /// The text is no JSON, or no item.
    fn decode(&self, text: &str) -> Result<Self::Item>;

    /// Whether the item ends its run.
    fn is_terminal(&self, item: &Self::Item) -> bool;
}

/// How items of one contract are read and written, and which of them begin and end a run.
pub trait Codec: Decodes {
    /// Appends the text of an item.
    fn encode(&self, item: &Self::Item, out: &mut String);

    /// Whether a run may begin with the item.
    fn is_first(&self, item: &Self::Item) -> bool;
}

/// Items of a generated type.
pub struct Typed<T> {
    terminal: Option<Test<T>>,
    item: PhantomData<fn() -> T>,
}

type Test<T> = Arc<dyn Fn(&T) -> bool + Send + Sync>;

impl<T: Item> Typed<T> {
    pub(super) fn new() -> Self {
        Self {
            terminal: None,
            item: PhantomData,
        }
    }

    pub(super) fn terminal_when(&mut self, test: Test<T>) {
        self.terminal = Some(test);
    }
}

impl<T: Item> Decodes for Typed<T> {
    type Item = T;

    fn decode(&self, text: &str) -> Result<T> {
        crate::from_str(text)
    }

    fn is_terminal(&self, item: &T) -> bool {
        match &self.terminal {
            Some(test) => test(item),
            None => item.is_terminal(),
        }
    }
}

impl<T: Item> Codec for Typed<T> {
    fn encode(&self, item: &T, out: &mut String) {
        item.encode(out);
    }

    fn is_first(&self, item: &T) -> bool {
        item.is_first()
    }
}

impl<T> Clone for Typed<T> {
    fn clone(&self) -> Self {
        Self {
            terminal: self.terminal.clone(),
            item: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Typed<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(std::any::type_name::<T>())
    }
}

/// What a function makes of the text of each item, while it is there: by it types that borrow their text
/// are read without a copy of it. See [`Protocol::reading`](super::Protocol::reading).
pub struct Reading<U> {
    decode: Read<U>,
    terminal: Test<U>,
}

type Read<U> = Arc<dyn Fn(&str) -> Result<U> + Send + Sync>;

impl<U> Reading<U> {
    pub(super) fn new(decode: Read<U>, terminal: Test<U>) -> Self {
        Self { decode, terminal }
    }
}

impl<U> Decodes for Reading<U> {
    type Item = U;

    fn decode(&self, text: &str) -> Result<U> {
        (self.decode)(text)
    }

    fn is_terminal(&self, item: &U) -> bool {
        (self.terminal)(item)
    }
}

impl<U> Clone for Reading<U> {
    fn clone(&self) -> Self {
        Self {
            decode: Arc::clone(&self.decode),
            terminal: Arc::clone(&self.terminal),
        }
    }
}

impl<U> fmt::Debug for Reading<U> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Reading<{}>", std::any::type_name::<U>())
    }
}

/// The text of an item: one JSON value that is known to be JSON.
///
/// ```
/// use wirelock_runtime::framing::RawItem;
/// let item = RawItem::new(r#"{ "n": 1 }"#).unwrap();
/// assert_eq!(item.as_str(), r#"{"n":1}"#);
/// assert!(RawItem::new(r#"{"n":1,"n":2}"#).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawItem(Box<str>);

impl RawItem {
    /// An item of that text, without the whitespace between its tokens.
    ///
    /// # Errors
    /// The text is not one JSON value, or an object that names a member twice.
    pub fn new(text: &str) -> Result<Self> {
        check(text)?;
        Ok(Self(crate::scan::compact(text.trim()).into()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Encode for RawItem {
    fn encode(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

impl<'de> Decode<'de> for RawItem {
    fn decode(reader: &mut Reader<'de>) -> Result<Self> {
        Self::new(&reader.raw()?)
    }
}

type Check = Arc<dyn Fn(&str) -> Result<()> + Send + Sync>;

/// Items as text, for a contract that is known at run time only.
#[derive(Clone)]
pub struct Untyped {
    pub(super) first: Option<Predicate>,
    pub(super) terminal: Option<Predicate>,
    pub(super) check: Option<Check>,
}

impl Decodes for Untyped {
    type Item = RawItem;

    fn decode(&self, text: &str) -> Result<RawItem> {
        check(text)?;
        if let Some(check) = &self.check {
            check(text)?;
        }
        // A document stands on several lines, and an item is written on one.
        if memchr::memchr(b'\n', text.as_bytes()).is_some() {
            return Ok(RawItem(crate::scan::compact(text.trim()).into()));
        }
        Ok(RawItem(text.into()))
    }

    fn is_terminal(&self, item: &RawItem) -> bool {
        matches(self.terminal.as_ref(), item).unwrap_or(false)
    }
}

impl Codec for Untyped {
    fn encode(&self, item: &RawItem, out: &mut String) {
        item.encode(out);
    }

    fn is_first(&self, item: &RawItem) -> bool {
        matches(self.first.as_ref(), item).unwrap_or(true)
    }
}

impl fmt::Debug for Untyped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Untyped")
            .field("first", &self.first)
            .field("terminal", &self.terminal)
            .finish_non_exhaustive()
    }
}

fn matches(predicate: Option<&Predicate>, item: &RawItem) -> Option<bool> {
    predicate.map(|predicate| predicate.matches(&item.0))
}

/// Whether the text is one JSON value. An item's own members are the declared ones, so none of
/// them may stand twice; what lies below is kept as it was written.
fn check(text: &str) -> Result<()> {
    let mut reader = Reader::new(text);
    if reader.kind()? == Kind::Object {
        let mut names = HashSet::new();
        let mut first = true;
        reader.begin_object()?;
        while let Some(name) = reader.next_key(&mut first)? {
            if names.contains(&name) {
                return Err(reader.duplicate(&name));
            }
            reader.skip_value()?;
            names.insert(name);
        }
    } else {
        reader.skip_value()?;
    }
    reader.end()
}
