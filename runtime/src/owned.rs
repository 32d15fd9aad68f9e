//! From what borrows the text it was read from to what holds its own.

use std::borrow::Cow;

/// A type that may borrow, and what it becomes to outlive the text.
///
/// ```
/// use std::borrow::Cow;
/// use wirelock_runtime::IntoOwned;
/// let texts: Vec<Option<Cow<'_, str>>> = vec![Some(Cow::Borrowed("a")), None];
/// assert_eq!(texts.into_owned(), [Some("a".to_owned()), None]);
/// ```
pub trait IntoOwned {
    /// The same value, on its own.
    type Owned;

    /// The value with its own texts; what was borrowed is copied.
    fn into_owned(self) -> Self::Owned;
}

impl IntoOwned for Cow<'_, str> {
    type Owned = String;

    fn into_owned(self) -> String {
        Cow::into_owned(self)
    }
}

/// Types that never borrow.
#[macro_export]
#[doc(hidden)]
macro_rules! owned_already {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::IntoOwned for $type {
            type Owned = Self;

            fn into_owned(self) -> Self {
                self
            }
        }
    )*};
}

owned_already!(
    bool,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    crate::Null,
    crate::Never
);

impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;

    fn into_owned(self) -> Option<T::Owned> {
        self.map(T::into_owned)
    }
}

impl<T: IntoOwned> IntoOwned for Vec<T> {
    type Owned = Vec<T::Owned>;

    fn into_owned(self) -> Vec<T::Owned> {
        self.into_iter().map(T::into_owned).collect()
    }
}

impl<T: IntoOwned> IntoOwned for Box<T> {
    type Owned = Box<T::Owned>;

    fn into_owned(self) -> Box<T::Owned> {
        Box::new((*self).into_owned())
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: IntoOwned),*> IntoOwned for ($($name,)*) {
            type Owned = ($($name::Owned,)*);

            #[expect(non_snake_case, reason = "the places are called like their types")]
            fn into_owned(self) -> Self::Owned {
                let ($($name,)*) = self;
                ($($name.into_owned(),)*)
            }
        }
    )*};
}

tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}
