//! The gate and its peers: each from two texts to an answer for both directions.

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use wirelock_codegen::evolution::{self, prove};
use wirelock_codegen::{json::Source, schema::Document, wire};

/// What a checker said about one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    Yes,
    No,
    Unknown,
}

impl Said {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

/// The whole judgement of one pair: backward and forward.
pub(crate) type Judge = fn(&str, &str) -> Result<[Said; 2]>;

/// Everyone, the gate first; ratios are against the others.
pub(crate) const CHECKERS: [(&str, Judge); 4] = [
    ("wirelock", wirelock),
    ("prover", prover),
    ("canonical", canonical),
    ("jsoncompat", jsoncompat),
];

/// A checker by its name.
pub(crate) fn named(name: &str) -> Result<Judge> {
    let found = CHECKERS.iter().find(|(known, _)| *known == name);
    let names: Vec<&str> = CHECKERS.iter().map(|(name, _)| *name).collect();
    Ok(found
        .with_context(|| format!("{name} is none of {}", names.join(", ")))?
        .1)
}

/// Reads both, compares both wire views, and proves or refutes both directions.
pub(crate) fn wirelock(old: &str, new: &str) -> Result<[Said; 2]> {
    let old = Document::read(Source::new("old", old))?;
    let new = Document::read(Source::new("new", new))?;
    let comparison = evolution::compare(&wire::build(&old)?, &wire::build(&new)?);
    std::hint::black_box(&comparison);
    Ok(directions(&old, &new))
}

/// The two questions that the peers answer, without the comparison of what stands on the wire.
fn prover(old: &str, new: &str) -> Result<[Said; 2]> {
    let read = |name, text| Document::read(Source::new(name, text));
    Ok(directions(&read("old", old)?, &read("new", new)?))
}

fn directions(old: &Document, new: &Document) -> [Said; 2] {
    let said = |inclusion: prove::Inclusion| match inclusion {
        prove::Inclusion::Holds => Said::Yes,
        prove::Inclusion::Fails(_) => Said::No,
        prove::Inclusion::Open(_) => Said::Unknown,
    };
    prove::both(old, new).map(said)
}

/// The `jsonschema` crate's canonical module: normal forms, and whether one covers the other.
fn canonical(old: &str, new: &str) -> Result<[Said; 2]> {
    use jsonschema::CanonicalizationError as Error;
    use jsonschema::canonical::{CanonicalSchema, Containment, options};
    let read = |text: &str| -> Result<CanonicalSchema> {
        let value: Value = serde_json::from_str(text)?;
        let options = options().offline().should_validate_formats(false);
        Ok(options.canonicalize(&value)?)
    };
    let (old, new) = (read(old)?, read(new)?);
    let ask = |left: &CanonicalSchema, right: &CanonicalSchema| match right.covers(left) {
        Ok(Containment::Yes) => Ok(Said::Yes),
        Ok(Containment::No) => Ok(Said::No),
        Ok(Containment::Unknown) | Err(Error::UnsupportedOperand | Error::UnsupportedResult) => {
            Ok(Said::Unknown)
        }
        Err(error) => bail!(error),
    };
    Ok([ask(&old, &new)?, ask(&new, &old)?])
}

/// The check that its authors call sound, without the search for a document that follows a no; so
/// it does less than the others do.
fn jsoncompat(old: &str, new: &str) -> Result<[Said; 2]> {
    use jsoncompat::{Role, SchemaDocument, check_compat};
    let read = |text: &str| -> Result<SchemaDocument> {
        Ok(SchemaDocument::from_json(&serde_json::from_str(text)?)?)
    };
    let (old, new) = (read(old)?, read(new)?);
    let ask = |left: &SchemaDocument, right: &SchemaDocument| -> Result<Said> {
        let is_within = check_compat(right, left, Role::Serializer)?;
        Ok(if is_within { Said::Yes } else { Said::No })
    };
    Ok([ask(&old, &new)?, ask(&new, &old)?])
}
