//! Arrays: element by element, within bounds, or place by place.

use crate::error::Result;
use crate::reader::Reader;

impl<'de> Reader<'de> {
    /// Reads an array element by element.
    ///
    /// # Errors
    /// The next value is no array, or an element is refused.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.begin_array()?;
        let mut elements = Vec::new();
        while self.next_element(elements.is_empty())? {
            match read(self) {
                Ok(element) => elements.push(element),
                Err(error) => return Err(error.within(elements.len().to_string())),
            }
        }
        Ok(elements)
    }

    /// Reads an array whose length lies within bounds.
    ///
    /// # Errors
    /// The next value is no array, an element is refused, or there are too few or too many.
    pub fn list_within<T>(
        &mut self,
        min: usize,
        max: Option<usize>,
        read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let start = self.clone();
        let elements = self.list(read)?;
        if elements.len() < min || max.is_some_and(|max| elements.len() > max) {
            let expected = match max {
                Some(max) => format!("an array of {min} to {max} elements"),
                None => format!("an array of at least {min} elements"),
            };
            return Err(start.unexpected(expected));
        }
        Ok(elements)
    }

    /// Enters an array. Its elements follow by [`Reader::next_element`].
    ///
    /// # Errors
    /// The next value is no array, or is nested too deeply.
    #[inline]
    pub fn begin_array(&mut self) -> Result<()> {
        self.skip_space();
        if self.byte() != Some(b'[') {
            return Err(self.unexpected("an array"));
        }
        self.enter()
    }

    /// Whether another element comes; where none does, the array is left.
    ///
    /// # Errors
    /// What comes next is no JSON.
    #[inline]
    pub fn next_element(&mut self, first: bool) -> Result<bool> {
        self.skip_space();
        match self.byte() {
            Some(b']') => {
                self.leave();
                Ok(false)
            }
            Some(b',') if !first => {
                self.at += 1;
                Ok(true)
            }
            Some(_) if first => Ok(true),
            _ => Err(self.syntax("`,` or `]`")),
        }
    }

    /// Reads one place of a tuple.
    ///
    /// # Errors
    /// The array has ended, or the value is refused.
    pub fn place<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if !self.next_element(index == 0)? {
            return Err(self.shape(format!("an element {index}")));
        }
        read(self).map_err(|error| error.within(index.to_string()))
    }

    /// Leaves a tuple of that many places.
    ///
    /// # Errors
    /// Another element comes.
    pub fn end_tuple(&mut self, places: usize) -> Result<()> {
        if self.next_element(places == 0)? {
            return Err(self.shape(format!("an array of {places} elements")));
        }
        Ok(())
    }
}
