//! Schema resources: which address owns which part of which file, and its anchors.

use super::dialect::Dialect;
use super::files::path_in_folder;
use super::{Resource as Public, SchemaId};
use crate::maps::HashMap;
use std::collections::BTreeMap;

/// The resources of one document; the document itself is the first.
#[derive(Debug, Default)]
pub(super) struct Resources {
    all: Vec<Resource>,
    by_uri: HashMap<String, usize>,
}

#[derive(Debug)]
pub(super) struct Resource {
    /// What its `$id` says, seen from where it stands.
    pub(super) uri: String,
    /// Where it would lie in the document's folder; nothing where its address is a URL of its own.
    pub(super) path: Option<String>,
    /// The file it stands in.
    pub(super) file: usize,
    /// The pointer of its root.
    pub(super) pointer: String,
    pub(super) root: SchemaId,
    pub(super) dialect: Dialect,
    anchors: HashMap<String, SchemaId>,
    dynamic_anchors: BTreeMap<String, SchemaId>,
}

impl Resources {
    /// Adds the resource that a file is, or that an address inside one begins.
    pub(super) fn add(
        &mut self,
        uri: String,
        path: Option<String>,
        file: usize,
        pointer: String,
        root: SchemaId,
        dialect: Dialect,
    ) -> usize {
        let index = self.all.len();
        self.by_uri.entry(uri.clone()).or_insert(index);
        self.all.push(Resource {
            uri,
            path,
            file,
            pointer,
            root,
            dialect,
            anchors: HashMap::default(),
            dynamic_anchors: BTreeMap::new(),
        });
        index
    }

    /// Gives a file's own resource the address its `$id` states.
    pub(super) fn name(&mut self, index: usize, uri: String) {
        self.by_uri.entry(uri.clone()).or_insert(index);
        self.all[index].uri = uri;
    }

    pub(super) fn get(&self, index: usize) -> &Resource {
        &self.all[index]
    }

    /// Whether the name was free, or named this schema already.
    pub(super) fn add_anchor(&mut self, index: usize, name: &str, id: SchemaId) -> bool {
        let anchors = &mut self.all[index].anchors;
        *anchors.entry(name.to_owned()).or_insert(id) == id
    }

    /// Names a schema by a dynamic anchor; `""` is what `$recursiveAnchor` declares.
    pub(super) fn add_dynamic_anchor(&mut self, index: usize, name: &str, id: SchemaId) {
        let anchors = &mut self.all[index].dynamic_anchors;
        anchors.entry(name.to_owned()).or_insert(id);
    }

    /// What a reader of the document sees of the resources.
    pub(super) fn finish(self) -> Vec<Public> {
        let resources = self.all.into_iter();
        let public = |resource: Resource| Public {
            root: resource.root,
            dynamic_anchors: resource.dynamic_anchors,
            contains_evaluates: resource.dialect.contains_evaluates(),
            #[cfg(feature = "evolution")]
            states_no_dialect: resource.dialect == super::dialect::Dialect::Unstated,
            file: resource.file,
        };
        resources.map(public).collect()
    }

    /// Whether an address is that of another resource already.
    pub(super) fn is_taken(&self, uri: &str, by: usize) -> bool {
        self.by_uri.get(uri).is_some_and(|index| *index != by)
    }

    /// The resource that an address names, seen from another.
    pub(super) fn find(&self, from: usize, address: &str) -> Option<usize> {
        if address.is_empty() {
            return Some(from);
        }
        self.by_uri.get(&self.join(from, address)).copied()
    }

    pub(super) fn anchor(&self, index: usize, name: &str) -> Option<SchemaId> {
        self.all[index].anchors.get(name).copied()
    }

    /// The innermost resource around a place, where nothing inside it is read yet.
    pub(super) fn around(&self, home: usize, pointer: &str) -> usize {
        let resources = self.all.iter().enumerate().skip(home);
        let holds = |resource: &Resource| {
            let below = pointer.strip_prefix(&resource.pointer);
            below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
        };
        resources
            .filter(|(_, resource)| resource.file == self.all[home].file && holds(resource))
            .max_by_key(|(_, resource)| resource.pointer.len())
            .map_or(home, |(index, _)| index)
    }

    /// An address in a resource as it is seen from everywhere (RFC 3986, section 5.2).
    pub(super) fn join(&self, from: usize, address: &str) -> String {
        join(&self.all[from].uri, address)
    }

    /// The path in the document's folder that a relative address names in a resource.
    pub(super) fn path(&self, from: usize, address: &str) -> Option<String> {
        path_in_folder(self.all[from].path.as_ref()?, address)
    }
}

fn join(base: &str, address: &str) -> String {
    if has_scheme(address) {
        return address.to_owned();
    }
    let scheme_end = base.find("://").map_or(0, |at| at + 1);
    let authority_end = match scheme_end {
        0 => 0,
        end => base[end + 2..]
            .find('/')
            .map_or(base.len(), |slash| end + 2 + slash),
    };
    if address.starts_with("//") {
        return format!("{}{address}", &base[..scheme_end]);
    }
    let (host, path) = base.split_at(authority_end);
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let joined = if address.starts_with('/') {
        address.to_owned()
    } else if address.starts_with('?') {
        format!("{path}{address}")
    } else if path.is_empty() && !host.is_empty() {
        format!("/{address}")
    } else {
        let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
        format!("{folder}{address}")
    };
    format!("{host}{}", without_dots(&joined))
}

/// Takes `.` and `..` out of a path. What climbs above a path without a root keeps its `..`, so
/// that it is the address of nothing inside.
fn without_dots(path: &str) -> String {
    let (path, query) = match path.find('?') {
        Some(at) => path.split_at(at),
        None => (path, ""),
    };
    let rooted = path.starts_with('/');
    let mut names: Vec<&str> = Vec::new();
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        match part {
            "." | ".." => {
                let can_climb = names.last().is_some_and(|name| !matches!(*name, "" | ".."));
                if part == ".." && can_climb {
                    names.pop();
                } else if part == ".." && !rooted {
                    names.push("..");
                }
                if is_last {
                    names.push("");
                }
            }
            name => names.push(name),
        }
    }
    format!("{}{query}", names.join("/"))
}

/// Whether an address begins with a scheme, and is therefore no path.
pub(super) fn has_scheme(address: &str) -> bool {
    address.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Undoes percent-encoding; bytes that give no UTF-8 leave the text as it was.
pub(super) fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let digits = (bytes[index] == b'%')
            .then(|| text.get(index + 1..index + 3))
            .flatten()
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                index += 3;
            }
            None => {
                out.push(bytes[index]);
                index += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{join, percent_decode};

    #[test]
    fn addresses_are_joined_as_the_standard_says() {
        let base = "http://a/b/c/d?q";
        for (address, expected) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("urn:x:y", "urn:x:y"),
        ] {
            assert_eq!(join(base, address), expected, "{address}");
        }
        assert_eq!(join("http://a", "g"), "http://a/g");
        assert_eq!(join("", "x/../g"), "g");
        assert_eq!(join("", "../g"), "../g");
        assert_eq!(join("x/y.json", "../../g"), "../g");
    }

    #[test]
    fn a_sign_is_no_hexadecimal_digit() {
        assert_eq!(percent_decode("%3C%2b%+1%4"), "<+%+1%4");
    }
}
