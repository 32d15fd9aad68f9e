//! What the command line names: files, patterns of files, standard input.

use anyhow::{Context as _, Result, bail};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    /// What findings call it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    pub(super) fn open(&self) -> Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Stdin => Box::new(std::io::stdin()),
            Self::File(path) => Box::new(open(path)?),
        })
    }
}

fn open(path: &Path) -> Result<File> {
    // A pipe may be named: recordings come through process substitution, too.
    let name = path.display();
    if path.is_dir() {
        bail!("{name}: this is a folder; name its files, as {name}/*.jsonl");
    }
    File::open(path).with_context(|| format!("{name}: it cannot be read"))
}

/// The recordings in the order in which they are named; those of a pattern by name.
pub(super) fn find(words: &[String]) -> Result<Vec<Input>> {
    let mut found = Vec::new();
    for word in words {
        // What is there is a file, also where its name looks like a pattern.
        if word == "-" {
            if found.contains(&Input::Stdin) {
                bail!("standard input can be read once");
            }
            found.push(Input::Stdin);
        } else if !word.contains(['*', '?', '[']) || Path::new(word).exists() {
            found.push(Input::File(word.into()));
        } else {
            let before = found.len();
            let paths = glob::glob(word).with_context(|| format!("{word}: it is no pattern"))?;
            for path in paths {
                let path = path.with_context(|| format!("{word}: a folder cannot be read"))?;
                if !path.is_dir() {
                    found.push(Input::File(path));
                }
            }
            if found.len() == before {
                bail!("{word}: no file has such a name");
            }
        }
    }
    Ok(found)
}

/// How many bytes there are to read, where that is known beforehand.
pub(super) fn bytes(inputs: &[Input]) -> Option<u64> {
    inputs.iter().try_fold(0, |sum, input| match input {
        Input::File(path) => {
            let metadata = std::fs::metadata(path).ok()?;
            metadata.is_file().then(|| sum + metadata.len())
        }
        Input::Stdin => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Input, find};

    #[test]
    fn patterns_are_sorted_and_names_are_taken_as_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.jsonl", "a.jsonl", "c[1].jsonl"] {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        let path = |name: &str| folder.path().join(name).display().to_string();
        let names = |words: &[String]| -> Vec<String> {
            let found = find(words).expect("found");
            found.iter().map(Input::name).collect()
        };
        assert_eq!(
            names(&["-".to_owned(), path("?.jsonl")]),
            ["-".to_owned(), path("a.jsonl"), path("b.jsonl")]
        );
        assert_eq!(names(&[path("c[1].jsonl")]), [path("c[1].jsonl")]);
        assert!(find(&[path("x*")]).is_err());
        assert!(find(&["-".to_owned(), "-".to_owned()]).is_err());
    }
}
