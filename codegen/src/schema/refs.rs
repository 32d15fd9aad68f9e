//! Schema resources: which `$id` owns which part of a document, and its anchors.

use super::{Resource as Public, SchemaId};
use std::collections::{BTreeMap, HashMap};

/// The resources of one document; the document itself is the first.
#[derive(Debug, Default)]
pub(super) struct Resources {
    all: Vec<Resource>,
    by_uri: HashMap<String, usize>,
}

#[derive(Debug)]
struct Resource {
    uri: String,
    pointer: String,
    root: SchemaId,
    anchors: HashMap<String, SchemaId>,
    dynamic_anchors: BTreeMap<String, SchemaId>,
}

impl Resources {
    pub(super) fn add(&mut self, uri: String, pointer: String, root: SchemaId) -> usize {
        let index = self.all.len();
        self.by_uri.entry(uri.clone()).or_insert(index);
        self.all.push(Resource {
            uri,
            pointer,
            root,
            anchors: HashMap::new(),
            dynamic_anchors: BTreeMap::new(),
        });
        index
    }

    /// Gives the document's own resource the address its `$id` states.
    pub(super) fn name(&mut self, index: usize, uri: String) {
        self.by_uri.entry(uri.clone()).or_insert(index);
        self.all[index].uri = uri;
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
    pub(super) fn finish(self, contains_evaluates: bool) -> Vec<Public> {
        let resources = self.all.into_iter();
        let public = |resource: Resource| Public {
            root: resource.root,
            dynamic_anchors: resource.dynamic_anchors,
            contains_evaluates,
        };
        resources.map(public).collect()
    }

    /// Whether an address is that of a resource already.
    pub(super) fn is_taken(&self, uri: &str) -> bool {
        self.by_uri.contains_key(uri)
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

    /// The pointer of a resource's root.
    pub(super) fn pointer(&self, index: usize) -> &str {
        &self.all[index].pointer
    }

    /// The root schema of a resource.
    pub(super) fn root(&self, index: usize) -> SchemaId {
        self.all[index].root
    }

    /// Joins an address to a resource's own, as far as embedded resources need it: an absolute
    /// address stands for itself, an absolute path replaces the path, anything else the last segment.
    pub(super) fn join(&self, from: usize, address: &str) -> String {
        let address = address.trim_end_matches('#');
        let has_scheme = address.split_once(':').is_some_and(|(scheme, _)| {
            scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        });
        if has_scheme {
            return address.to_owned();
        }
        let base = self.all[from].uri.as_str();
        let authority_end = base.find("://").map_or(0, |at| {
            base[at + 3..]
                .find('/')
                .map_or(base.len(), |slash| at + 3 + slash)
        });
        if address.starts_with('/') {
            return format!("{}{address}", &base[..authority_end]);
        }
        let folder = base
            .rfind('/')
            .filter(|slash| *slash >= authority_end)
            .map_or("", |slash| &base[..=slash]);
        format!("{folder}{}", address.trim_start_matches("./"))
    }
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
            .flatten();
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
