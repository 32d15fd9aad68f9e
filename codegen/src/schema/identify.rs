//! What gives a schema an address of its own: `$id`, anchors, and the dialect and vocabularies it states.

use super::dialect::Dialect;
use super::read::Reader;
use super::{SchemaError, SchemaId};
use crate::json::Node;

/// Vocabularies whose keywords are all read here.
const VOCABULARIES: [&str; 15] = [
    "https://json-schema.org/draft/2020-12/vocab/core",
    "https://json-schema.org/draft/2020-12/vocab/applicator",
    "https://json-schema.org/draft/2020-12/vocab/unevaluated",
    "https://json-schema.org/draft/2020-12/vocab/validation",
    "https://json-schema.org/draft/2020-12/vocab/meta-data",
    "https://json-schema.org/draft/2020-12/vocab/format-annotation",
    "https://json-schema.org/draft/2020-12/vocab/format-assertion",
    "https://json-schema.org/draft/2020-12/vocab/content",
    "https://json-schema.org/draft/2019-09/vocab/core",
    "https://json-schema.org/draft/2019-09/vocab/applicator",
    "https://json-schema.org/draft/2019-09/vocab/validation",
    "https://json-schema.org/draft/2019-09/vocab/meta-data",
    "https://json-schema.org/draft/2019-09/vocab/format",
    "https://json-schema.org/draft/2019-09/vocab/content",
    "https://json-schema.org/draft/2019-09/vocab/hyper-schema",
];

impl Reader<'_> {
    /// `$id`, anchors and vocabularies: what gives the schema an address of its own.
    pub(super) fn identify(
        &mut self,
        id: SchemaId,
        node: &Node,
        pointer: &str,
        outer: usize,
    ) -> Result<usize, SchemaError> {
        let mut resource = outer;
        let is_file_root = self.is_file_root(pointer);
        // Only the root of a resource may state a dialect, and its address is then in that dialect.
        let stated = match node.get("$schema") {
            Some(_) if !is_file_root => Dialect::stated(self.source(), node)?,
            _ => None,
        };
        let mut dialect = stated.unwrap_or(self.resources.get(outer).dialect);
        let hidden = dialect.reference_hides_siblings() && node.get("$ref").is_some();
        let keyword = dialect.id_keyword();
        // Beside a `$ref` an address is hidden too. That of a whole file is kept, as it moves nothing.
        let address = node.get(keyword).filter(|_| !hidden || is_file_root);
        // A member called `id` that holds no string is a mistake of its own only where it is a keyword.
        if let Some(value) = address {
            let text = self.string(value, keyword)?;
            let (address, fragment) = text.split_once('#').unwrap_or((&text, ""));
            if !address.is_empty() {
                let uri = self.resources.join(outer, address);
                if self.resources.is_taken(&uri, outer) {
                    let message = format!("two schemas have the address {uri:?}");
                    return Err(self
                        .error(value.at, message)
                        .help("references to it would be ambiguous; rename one"));
                }
                if is_file_root {
                    self.resources.name(outer, uri);
                } else {
                    let path = self.resources.path(outer, address);
                    let pointer = pointer.to_owned();
                    resource = self
                        .resources
                        .add(uri, path, self.file, pointer, id, dialect);
                }
            }
            if !fragment.is_empty() {
                self.anchor(resource, fragment, id, value)?;
            }
        }
        dialect = self.resources.get(resource).dialect;
        let known = |keyword: &str| node.get(keyword).filter(|_| dialect.knows(keyword));
        if let Some(value) = known("$anchor") {
            let name = self.string(value, "$anchor")?;
            self.anchor(resource, &name, id, value)?;
        }
        if let Some(value) = known("$dynamicAnchor") {
            let name = self.string(value, "$dynamicAnchor")?;
            self.anchor(resource, &name, id, value)?;
            self.resources.add_dynamic_anchor(resource, &name, id);
        }
        if let Some(value) = known("$recursiveAnchor")
            && self.boolean(value, "$recursiveAnchor")?
        {
            // `$recursiveRef: "#"` is `$dynamicRef` to the one anchor without a name.
            let root = self.resources.get(resource).root;
            self.resources.add_dynamic_anchor(resource, "", root);
        }
        if let Some(value) = known("$vocabulary") {
            for member in self.object(value, "$vocabulary")? {
                let required = self.boolean(&member.node, "$vocabulary")?;
                if required
                    && !VOCABULARIES.contains(&&*member.name)
                    && self.unknown_vocabulary.is_none()
                {
                    self.unknown_vocabulary = Some((member.name.to_string(), id, member.at));
                }
            }
        }
        Ok(resource)
    }

    fn anchor(
        &mut self,
        resource: usize,
        name: &str,
        id: SchemaId,
        value: &Node,
    ) -> Result<(), SchemaError> {
        if self.resources.add_anchor(resource, name, id) {
            return Ok(());
        }
        let message = format!("two schemas have the anchor {name:?}");
        Err(self
            .error(value.at, message)
            .help("references to it would be ambiguous; rename one"))
    }
}
