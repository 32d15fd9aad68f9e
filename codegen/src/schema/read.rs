//! Text to [`Document`]: walks the schema positions of a JSON document and reads each once.

use super::dialect::Dialect;
use super::files::{Files, NoFiles, pointer_prefix};
use super::refs::{Resources, percent_decode};
use super::{Document, Schema, SchemaError, SchemaId, Target};
use crate::json::{self, Node, Source, Value, child_pointer};
use crate::maps::HashMap;
use std::sync::Arc;

/// At most so many files make one document, and so many bytes; more of them is a mistake.
const MAX_FILES: usize = 1_000;
const MAX_BYTES: usize = 256 * 1024 * 1024;

/// What is under way while a document is read.
pub(super) struct Reader<'a> {
    folder: &'a mut dyn Files,
    /// The files read so far; the document itself is the first.
    files: Vec<File>,
    /// The file that is being read.
    pub(super) file: usize,
    by_path: HashMap<String, Option<usize>>,
    pub(super) schemas: Vec<Schema>,
    by_pointer: HashMap<Arc<str>, SchemaId>,
    /// Where the pointer of a child is put together, so that one that is known costs no memory.
    path: String,
    pub(super) resources: Resources,
    /// References as written, to be resolved when every schema is known.
    pub(super) references: Vec<PendingReference>,
    pub(super) unknown_vocabulary: Option<(String, SchemaId, u32)>,
}

struct File {
    /// What the pointers of its places begin with.
    prefix: String,
    path: String,
    source: Source,
    node: Arc<Node>,
    /// Its own resource.
    resource: usize,
}

#[derive(Clone)]
pub(super) struct PendingReference {
    pub(super) from: SchemaId,
    pub(super) resource: usize,
    pub(super) text: String,
    pub(super) at: u32,
    pub(super) dynamic: bool,
}

impl Document {
    /// Reads a schema document that stands alone: what it refers to beside itself stays unknown.
    ///
    /// # Errors
    /// The first fault of the text: no JSON, a keyword with a value it cannot have, a `$ref` into
    /// this document that leads nowhere, a `$schema` that names no supported dialect.
    pub fn read(source: Source) -> Result<Self, SchemaError> {
        Self::read_in("", source, &mut NoFiles)
    }

    /// Reads a schema document with the files beside it that its relative references name. `path`
    /// is its own in the folder that `files` gives. URLs and what leads out of the folder are
    /// never asked for.
    ///
    /// # Errors
    /// As [`Document::read`], also for the other files, and where one cannot be read.
    ///
    /// ```
    /// use wirelock_codegen::{json::Source, schema::Document};
    /// let text = r##"{"$ref": "b.json#/definitions/x"}"##;
    /// let mut files = |path: &str| match path {
    ///     "b.json" => Ok(Some(r#"{"definitions": {"x": {"type": 1}}}"#.to_owned())),
    ///     _ => Ok(None),
    /// };
    /// let error = Document::read_with(Source::new("a.json", text), "a.json", &mut files).unwrap_err();
    /// assert!(error.to_string().starts_with("b.json:1:32: "), "{error}");
    /// ```
    pub fn read_with(
        source: Source,
        path: &str,
        files: &mut dyn Files,
    ) -> Result<Self, SchemaError> {
        Self::read_in(path, source, files)
    }

    fn read_in(path: &str, source: Source, files: &mut dyn Files) -> Result<Self, SchemaError> {
        let mut reader = Reader {
            folder: files,
            files: Vec::new(),
            file: 0,
            by_path: HashMap::default(),
            schemas: Vec::new(),
            by_pointer: HashMap::default(),
            path: String::new(),
            resources: Resources::default(),
            references: Vec::new(),
            unknown_vocabulary: None,
        };
        reader.add_file(path.to_owned(), source)?;
        let open = reader.resolve_references()?;
        let node = reader.files[0].node.clone();
        let definitions = ["$defs", "definitions"]
            .iter()
            .flat_map(|keyword| {
                let members = node.get(keyword).map(Node::members).unwrap_or_default();
                members.iter().map(move |member| (keyword, member))
            })
            .filter_map(|(keyword, member)| {
                let pointer = child_pointer(&child_pointer("", keyword), &member.name);
                let id = reader.by_pointer.get(pointer.as_str())?;
                Some((member.name.to_string(), *id))
            })
            .collect();
        let source = &reader.files[0].source;
        let contract = match node.get("x-contract") {
            Some(annotation) => Some(super::contract::read(source, annotation)?),
            None => None,
        };
        let Reader {
            schemas,
            unknown_vocabulary,
            resources,
            files,
            references,
            ..
        } = reader;
        let unevaluated = schemas.iter().any(|schema| {
            schema.unevaluated_items.is_some() || schema.unevaluated_properties.is_some()
        });
        let node = whole(&files);
        let mut sources = files.into_iter().map(|file| file.source);
        let mut document = Self {
            unevaluated,
            source: sources.next().unwrap_or_else(|| Source::new("", "")),
            other_sources: sources.collect(),
            node,
            schemas,
            root: SchemaId(0),
            definitions,
            contract,
            resources: resources.finish(),
            unknown_vocabulary,
            open,
            loops: crate::maps::HashSet::default(),
        };
        document.cut_loops(&references);
        Ok(document)
    }

    /// A reference that leads back to its own schema for the same value is not followed: what it
    /// would mean is unknown, and no consumer has to guard against walking in circles.
    fn cut_loops(&mut self, references: &[PendingReference]) {
        let loops = self.references_in_loops();
        if loops.is_empty() {
            return;
        }
        for id in self.references_that_add_nothing(&loops) {
            self.schemas[id.0 as usize].reference = None;
        }
        let loops: crate::maps::HashSet<SchemaId> = loops.into_iter().collect();
        for reference in references {
            let is_gone = self.schema(reference.from).reference.is_none() && !reference.dynamic;
            if !loops.contains(&reference.from) || is_gone {
                continue;
            }
            let why = format!(
                "the reference {:?} leads back to itself for the same value, and validators differ on what that means",
                reference.text
            );
            let external = Target::External(reference.text.clone());
            let schema = &mut self.schemas[reference.from.0 as usize];
            match &mut schema.dynamic_reference {
                Some((_, target)) if reference.dynamic => *target = external,
                _ => schema.reference = Some(external),
            }
            self.open.insert(reference.from, why);
            self.loops.insert(reference.from);
        }
    }
}

/// All files as one value, for the question whether two documents are the same text.
fn whole(files: &[File]) -> Arc<Node> {
    let [main, others @ ..] = files else {
        return Arc::new(Node {
            value: Value::Null,
            at: 0,
        });
    };
    if others.is_empty() {
        return main.node.clone();
    }
    let others = others.iter().map(|file| json::Member {
        name: file.path.as_str().into(),
        at: 0,
        node: (*file.node).clone(),
    });
    let others = Node {
        value: Value::Object(others.collect()),
        at: 0,
    };
    Arc::new(Node {
        value: Value::Array(vec![(*main.node).clone(), others]),
        at: 0,
    })
}

impl Reader<'_> {
    /// Reads a file as one more resource; gives its index.
    fn add_file(&mut self, path: String, source: Source) -> Result<usize, SchemaError> {
        let node = json::parse(source.text()).map_err(|error| {
            let message = format!("this is no JSON document: {}", error.message);
            SchemaError::at(&source, error.at, message)
        })?;
        if !matches!(node.value, Value::Object(_) | Value::Bool(_)) {
            let message = format!(
                "a JSON Schema is an object or a boolean, and this is of type {}",
                node.type_name()
            );
            let error = SchemaError::at(&source, node.at, message);
            return Err(match node.value {
                Value::String(_) => error.help("put the schema itself here, not its name or path"),
                _ => error,
            });
        }
        let index = self.files.len();
        // A file of a folder is mostly written for the dialect of the one that names it.
        let dialect = match Dialect::stated(&source, &node)? {
            Some(dialect) => dialect,
            None if index == 0 => Dialect::Unstated,
            None => self.resources.get(0).dialect,
        };
        let prefix = match index {
            0 => String::new(),
            _ => pointer_prefix(&path),
        };
        let root = self.next_id();
        let own = (!path.is_empty()).then(|| path.clone());
        let resource = self.resources.add(
            path.clone(),
            own.clone(),
            index,
            prefix.clone(),
            root,
            dialect,
        );
        if let Some(own) = own {
            self.by_path.insert(own, Some(index));
        }
        let node = Arc::new(node);
        self.files.push(File {
            prefix: prefix.clone(),
            path,
            source,
            node: node.clone(),
            resource,
        });
        let outer = std::mem::replace(&mut self.file, index);
        self.schema(&node, prefix.into(), resource)?;
        self.file = outer;
        Ok(index)
    }

    fn next_id(&self) -> SchemaId {
        SchemaId(u32::try_from(self.schemas.len()).unwrap_or(u32::MAX))
    }

    /// The file at a path of the folder, read when it is first named.
    fn file_at(&mut self, path: &str, at: u32, text: &str) -> Result<Option<usize>, SchemaError> {
        if let Some(known) = self.by_path.get(path) {
            return Ok(*known);
        }
        let loaded = self.folder.load(path).map_err(|why| {
            self.error(
                at,
                format!("the reference {text:?} cannot be followed: {why}"),
            )
        })?;
        let Some(loaded) = loaded else {
            self.by_path.insert(path.to_owned(), None);
            return Ok(None);
        };
        let read: usize = self.files.iter().map(|file| file.source.text().len()).sum();
        if self.files.len() >= MAX_FILES || read + loaded.len() > MAX_BYTES {
            let message = format!(
                "the references lead to more than {MAX_FILES} files or {} MiB",
                MAX_BYTES >> 20
            );
            return Err(self.error(at, message));
        }
        // Its name for messages begins where that of the document does.
        let main = &self.files[0];
        let name = match main.source.name().strip_suffix(main.path.as_str()) {
            Some(folder) => format!("{folder}{path}"),
            None => path.to_owned(),
        };
        self.add_file(path.to_owned(), Source::new(name, loaded))
            .map(Some)
    }

    /// Whether a schema is the root of the file that is being read.
    pub(super) fn is_file_root(&self, pointer: &str) -> bool {
        self.files[self.file].prefix == pointer
    }

    pub(super) fn source(&self) -> &Source {
        &self.files[self.file].source
    }

    /// Reads the schema that these tokens lead to from a pointer, once.
    pub(super) fn child(
        &mut self,
        node: &Node,
        parent: &str,
        tokens: &[&str],
        resource: usize,
    ) -> Result<SchemaId, SchemaError> {
        self.path.clear();
        self.path.push_str(parent);
        for token in tokens {
            json::push_token(&mut self.path, token);
        }
        match self.by_pointer.get(self.path.as_str()) {
            Some(id) => Ok(*id),
            None => self.schema(node, self.path.as_str().into(), resource),
        }
    }

    /// Reads the schema at a place once; a second call gives the same id.
    fn schema(
        &mut self,
        node: &Node,
        pointer: Arc<str>,
        resource: usize,
    ) -> Result<SchemaId, SchemaError> {
        if let Some(id) = self.by_pointer.get(&pointer) {
            return Ok(*id);
        }
        let id = self.next_id();
        self.by_pointer.insert(pointer.clone(), id);
        let position = self.source().position(node.at);
        let within = u32::try_from(resource).unwrap_or(u32::MAX);
        let empty = Schema::empty(pointer, node.at, position, within);
        self.schemas.push(empty);
        match &node.value {
            Value::Bool(value) => self.schemas[id.0 as usize].always = Some(*value),
            Value::Object(_) => self.keywords(id, node, resource)?,
            _ => {
                let message = format!(
                    "a schema is an object or a boolean, and this is of type {}",
                    node.type_name()
                );
                return Err(self.error(node.at, message));
            }
        }
        Ok(id)
    }

    pub(super) fn error(&self, at: u32, message: impl Into<String>) -> SchemaError {
        SchemaError::at(self.source(), at, message)
    }

    /// References may lead to places that no keyword marks as schemas and to other files, and those
    /// may hold further references, so this goes on until none is left. Gives why some lead out.
    fn resolve_references(&mut self) -> Result<HashMap<SchemaId, String>, SchemaError> {
        let mut open = HashMap::default();
        let mut next = 0;
        let mut outside: Vec<PendingReference> = Vec::new();
        loop {
            while let Some(pending) = self.references.get(next).cloned() {
                next += 1;
                if let Some(why) = self.settle(&pending)? {
                    open.insert(pending.from, why);
                    outside.push(pending);
                }
            }
            // A file that was read meanwhile may have the address that an earlier reference names.
            let before = outside.len();
            for pending in std::mem::take(&mut outside) {
                match self.settle(&pending)? {
                    Some(_) => outside.push(pending),
                    None => {
                        open.remove(&pending.from);
                    }
                }
            }
            if outside.len() == before && next == self.references.len() {
                return Ok(open);
            }
        }
    }

    /// Resolves one reference into its schema; gives why where that leads out.
    fn settle(&mut self, pending: &PendingReference) -> Result<Option<String>, SchemaError> {
        self.file = self.resources.get(pending.resource).file;
        let text = &pending.text;
        let (target, why) = match self.resolve(pending.resource, text, pending.at)? {
            Ok(id) => (Target::Schema(id), None),
            Err(why) => (Target::External(text.clone()), Some(why)),
        };
        let schema = &mut self.schemas[pending.from.0 as usize];
        if pending.dynamic {
            let anchor = text.split_once('#').map_or("", |(_, fragment)| fragment);
            schema.dynamic_reference = Some((anchor.to_owned(), target));
        } else {
            schema.reference = Some(target);
        }
        Ok(why)
    }

    fn resolve(
        &mut self,
        resource: usize,
        text: &str,
        at: u32,
    ) -> Result<Result<SchemaId, String>, SchemaError> {
        let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
        let home = match self.resources.find(resource, address) {
            Some(home) => home,
            None => {
                let Some(path) = self.resources.path(resource, address) else {
                    // The same text names something else where the address around it is another.
                    let whole = self.resources.join(resource, address);
                    let whole = match whole == address {
                        true => String::new(),
                        false => format!(", to {whole:?}"),
                    };
                    return Ok(Err(format!(
                        "the reference {text:?} leads out of this document{whole}, and nothing is fetched"
                    )));
                };
                let Some(file) = self.file_at(&path, at, text)? else {
                    return Ok(Err(format!(
                        "the reference {text:?} leads to a file that is not in the folder of the schema, {path:?}"
                    )));
                };
                self.files[file].resource
            }
        };
        // A fragment is URI-encoded, but many documents write it plainly; take either.
        let decoded = percent_decode(fragment);
        for fragment in [decoded.as_str(), fragment] {
            if !fragment.is_empty() && !fragment.starts_with('/') {
                match self.resources.anchor(home, fragment) {
                    Some(id) => return Ok(Ok(id)),
                    None => continue,
                }
            }
            let base = self.resources.get(home);
            let (file, pointer) = (base.file, format!("{}{fragment}", base.pointer));
            if let Some(id) = self.by_pointer.get(pointer.as_str()) {
                return Ok(Ok(*id));
            }
            let node = self.files[file].node.clone();
            let below = pointer.strip_prefix(&self.files[file].prefix);
            if let Some(node) = below.and_then(|pointer| node.pointer(pointer)) {
                let around = self.resources.around(home, &pointer);
                let outer = std::mem::replace(&mut self.file, file);
                let id = self.schema(node, pointer.into(), around)?;
                self.file = outer;
                return Ok(Ok(id));
            }
        }
        let place = match self.files[self.resources.get(home).file].path.as_str() {
            path if self.resources.get(home).file != self.file => format!("{path:?}"),
            _ => "this document".to_owned(),
        };
        Err(self
            .error(
                at,
                format!("the reference {text:?} leads nowhere in {place}"),
            )
            .help("correct its spelling, or add what it names"))
    }
}
