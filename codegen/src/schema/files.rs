//! Further files of a schema: where their text comes from, and which references may name one.

use super::refs::{has_scheme, percent_decode};

/// Gives the text of the files beside a schema. The reader itself opens nothing, and asks only for
/// paths inside the folder.
pub trait Files {
    /// The text of the file at a path below the folder: names joined by `/`, none of them empty, `.`
    /// or `..`. Nothing where there is no such file, or where links lead to one outside the folder.
    ///
    /// # Errors
    /// Why a file that is there cannot be read, as a sentence for the one who runs the tool.
    fn load(&mut self, path: &str) -> Result<Option<String>, String>;
}

impl<F: FnMut(&str) -> Result<Option<String>, String>> Files for F {
    fn load(&mut self, path: &str) -> Result<Option<String>, String> {
        self(path)
    }
}

/// A schema that stands alone.
pub(super) struct NoFiles;

impl Files for NoFiles {
    fn load(&mut self, _: &str) -> Result<Option<String>, String> {
        Ok(None)
    }
}

/// The path inside the folder that a relative address names, seen from the file at `base`.
///
/// Nothing for what is no relative path (a URL, a path from the root, a query) and for whatever
/// leads out of the folder. Names are taken apart before they are decoded, so that an encoded
/// slash hides no step, and checked after, so that encoded dots hide none either.
pub(super) fn path_in_folder(base: &str, address: &str) -> Option<String> {
    if has_scheme(address) || address.starts_with('/') || address.contains(['?', '\\']) {
        return None;
    }
    let mut names: Vec<String> = base.split('/').map(str::to_owned).collect();
    names.pop();
    for name in address.split('/') {
        let name = percent_decode(name);
        match name.as_str() {
            "." => {}
            ".." => {
                names.pop()?;
            }
            "" => return None,
            _ if name.contains(['/', '\\', ':']) || name.contains(char::is_control) => return None,
            _ => names.push(name),
        }
    }
    (!names.is_empty()).then(|| names.join("/"))
}

/// What the pointers of a file's places begin with. Those of the document itself begin with
/// nothing or `/`, which no path does. [`file_of`] takes it apart again.
///
/// ```
/// use wirelock_codegen::schema::{file_of, pointer_prefix};
/// assert_eq!(pointer_prefix("b.json"), "b.json#");
/// assert_eq!(file_of(&pointer_prefix("a#b.json"), "x/main.json").0, "x/a#b.json");
/// ```
#[must_use]
pub fn pointer_prefix(path: &str) -> String {
    format!("{}#", path.replace('%', "%25").replace('#', "%23"))
}

/// The file that a pointer leads into, and the pointer inside it; `document` is what messages call
/// the document. In a pointer, the path of a further file and `#` stand in front.
///
/// ```
/// use wirelock_codegen::schema::file_of;
/// assert_eq!(file_of("/a", "x/main.json"), ("x/main.json".to_owned(), "/a"));
/// assert_eq!(file_of("b.json#/a", "x/main.json"), ("x/b.json".to_owned(), "/a"));
/// ```
#[must_use]
pub fn file_of<'p>(pointer: &'p str, document: &str) -> (String, &'p str) {
    match pointer.split_once('#') {
        Some((path, below)) if !pointer.starts_with('/') => {
            let path = path.replace("%23", "#").replace("%25", "%");
            let folder = document.rfind(['/', ':']).map_or("", |at| &document[..=at]);
            (format!("{folder}{path}"), below)
        }
        _ => (document.to_owned(), pointer),
    }
}

#[cfg(test)]
mod tests {
    use super::path_in_folder;

    #[test]
    fn only_paths_inside_the_folder_are_files() {
        let from = |base: &str, address: &str| path_in_folder(base, address);
        assert_eq!(from("a.json", "b.json").as_deref(), Some("b.json"));
        assert_eq!(from("a.json", "./x/../b.json").as_deref(), Some("b.json"));
        assert_eq!(from("x/a.json", "../b.json").as_deref(), Some("b.json"));
        assert_eq!(
            from("x/a.json", "b%20c.json").as_deref(),
            Some("x/b c.json")
        );
        for outside in [
            "../b.json",
            "x/../../b.json",
            "%2e%2e/b.json",
            ".%2E/b.json",
            "x%2f..%2f..%2fb.json",
            "..%5cb.json",
            "..\\b.json",
            "/etc/passwd",
            "//host/b.json",
            "file:///etc/passwd",
            "https://example.com/b.json",
            "C:/b.json",
            "x/C:/b.json",
            "b.json?x",
            "b%00.json",
            "x//b.json",
            "x/",
            ".",
        ] {
            assert_eq!(from("a.json", outside), None, "{outside}");
        }
    }
}
