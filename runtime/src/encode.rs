//! The trait that generated types write themselves with, in canonical form.

use crate::Map;
use crate::scan::find_special;

/// A type that writes itself as compact JSON: no whitespace, members in the schema's order.
pub trait Encode {
    /// Appends the value.
    fn encode(&self, out: &mut String);

    /// The value as JSON text.
    fn to_json(&self) -> String {
        let mut out = String::new();
        self.encode(&mut out);
        out
    }
}

/// Writes the members of one object.
#[derive(Debug)]
pub struct ObjectWriter<'a> {
    out: &'a mut String,
    first: bool,
}

impl<'a> ObjectWriter<'a> {
    /// Begins an object.
    pub fn new(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, first: true }
    }

    /// Writes members that are the same in every value; the text has no comma at either end.
    pub fn constant(&mut self, members: &'static str) {
        self.comma();
        self.out.push_str(members);
    }

    /// Writes a member; `name` is the quoted name with its colon.
    pub fn member(&mut self, name: &'static str, value: &(impl Encode + ?Sized)) {
        self.comma();
        self.out.push_str(name);
        value.encode(self.out);
    }

    /// Writes a member where it stands.
    pub fn optional(&mut self, name: &'static str, value: &Option<impl Encode>) {
        if let Some(value) = value {
            self.member(name, value);
        }
    }

    /// Writes undeclared members; one that carries a declared name is left out, because the
    /// declared member has been written and a name stands once.
    pub fn extra<T: Encode, K: AsRef<str>>(&mut self, members: &Map<T, K>, declared: &[&str]) {
        for (name, value) in members.iter() {
            if declared.contains(&name) {
                continue;
            }
            self.comma();
            write_string(name, self.out);
            self.out.push(':');
            value.encode(self.out);
        }
    }

    /// Ends the object.
    pub fn end(self) {
        self.out.push('}');
    }

    fn comma(&mut self) {
        if !std::mem::replace(&mut self.first, false) {
            self.out.push(',');
        }
    }
}

/// Appends a string with its quotes, with the escapes that JSON needs and no others.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let bytes = text.as_bytes();
    let mut start = 0;
    loop {
        let special = find_special(bytes, start);
        out.push_str(text.get(start..special).unwrap_or_default());
        let Some(byte) = bytes.get(special) else {
            break;
        };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x8 => out.push_str("\\b"),
            0xC => out.push_str("\\f"),
            control => {
                const HEX: [char; 16] = [
                    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
                ];
                out.push_str("\\u00");
                out.push(HEX[usize::from(control >> 4)]);
                out.push(HEX[usize::from(control & 15)]);
            }
        }
        start = special + 1;
    }
    out.push('"');
}

/// Appends an array.
pub fn write_list<T: Encode>(elements: &[T], out: &mut String) {
    out.push('[');
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        element.encode(out);
    }
    out.push(']');
}

impl Encode for str {
    fn encode(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl Encode for String {
    fn encode(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl Encode for std::borrow::Cow<'_, str> {
    fn encode(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl Encode for bool {
    fn encode(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, out: &mut String) {
        write_list(self, out);
    }
}

impl<T: Encode + ?Sized> Encode for Box<T> {
    fn encode(&self, out: &mut String) {
        (**self).encode(out);
    }
}

impl<T: Encode + ?Sized> Encode for &T {
    fn encode(&self, out: &mut String) {
        (**self).encode(out);
    }
}

macro_rules! tuples {
    ($(($first:ident $($name:ident)*))*) => {$(
        impl<$first: Encode, $($name: Encode),*> Encode for ($first, $($name,)*) {
            #[expect(non_snake_case, reason = "the places are called like their types")]
            fn encode(&self, out: &mut String) {
                let ($first, $($name,)*) = self;
                out.push('[');
                $first.encode(out);
                $(
                    out.push(',');
                    $name.encode(out);
                )*
                out.push(']');
            }
        }
    )*};
}

tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}
