//! The one place where the tool meets the library: thin calls, with errors made into sentences.

use crate::baseline::{Named, Revision};
use crate::beside::SchemaText;
use anyhow::{Result, anyhow, bail};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use wirelock_codegen::audit::{Audit, Options};
use wirelock_codegen::emit::{self, File, Untyped};
use wirelock_codegen::evolution::{
    self, Answers, Change, Comparison, Drafts, Fault, GoldenReport, Level, prove, rules,
};
use wirelock_codegen::json::Source;
use wirelock_codegen::report::{Coverage, GoldenLine, MissingGolden, Problem, ProblemKind};
use wirelock_codegen::schema::{Document, file_of, pointer_prefix};
use wirelock_codegen::wire::{self, Element, SchemaFault, Wire};

/// A schema that was read.
pub(crate) struct Schema {
    document: Document,
    /// The further files that belong to it: their paths in its folder, and their texts.
    others: Vec<Named>,
    /// Shared with the report, some formats of which show the whole of it.
    wire: Arc<Wire>,
}

impl Schema {
    /// What messages call it.
    pub(crate) fn name(&self) -> &str {
        self.document.source.name()
    }

    fn text(&self) -> &str {
        self.document.source.text()
    }

    pub(crate) fn wire(&self) -> Arc<Wire> {
        Arc::clone(&self.wire)
    }

    /// All its files, as messages name them.
    pub(crate) fn sources(&self) -> Vec<Named> {
        let own = (self.name().to_owned(), self.text().to_owned());
        let others = self.others.iter().map(|(path, text)| {
            let (name, _) = file_of(&pointer_prefix(path), self.name());
            (name, text.clone())
        });
        std::iter::once(own).chain(others).collect()
    }
}

/// Reads a schema.
pub(crate) fn read(schema: &SchemaText) -> Result<Schema> {
    let SchemaText { name, text, .. } = schema;
    let mut files = |path: &str| schema.load(path);
    let document = Document::read_with(Source::new(name, text), schema.path(), &mut files)?;
    let wire = Arc::new(wire::build(&document)?);
    let others = schema.others();
    let others = others.map(|(path, text)| (path.to_owned(), text.to_owned()));
    Ok(Schema {
        document,
        others: others.collect(),
        wire,
    })
}

/// Lays a contract out for the audit of recordings.
pub(crate) fn audit(schema: &Schema, options: &Options) -> Result<Audit> {
    Ok(Audit::new(&schema.wire, options)?)
}

/// Compares two schemas.
pub(crate) fn compare(old: &Schema, new: &Schema) -> Comparison {
    evolution::compare(&old.wire, &new.wire)
}

/// Answers what a comparison leaves open: whether the same documents are valid. The comparison has
/// to be as it came, without types and settings.
pub(crate) fn answers(comparison: &Comparison, old: &Schema, new: &Schema) -> Answers {
    fn revision(schema: &Schema) -> evolution::Revision<'_> {
        evolution::Revision {
            document: &schema.document,
            wire: &schema.wire,
        }
    }
    evolution::answer(revision(old), revision(new), comparison, prove::Search)
}

/// Adds the names of generated types that moved. The changes are sorted when levels are applied.
pub(crate) fn compare_types(comparison: &mut Comparison, old: &Schema, new: &Schema) {
    let moved = evolution::generated_api(&old.wire, &new.wire);
    comparison.changes.extend(moved);
}

/// A finding about generated types that executing a consumer gave.
pub(crate) fn types_change(message: String, subject: String) -> Change {
    evolution::executed(message, subject)
}

/// The Rust type of a line of a contract; nothing where it describes several documents.
pub(crate) fn root_type(schema: &Schema) -> Result<Option<String>> {
    let emitted = emit::rust(&schema.wire, &emit_options(schema, schema.name()))?;
    match emitted.roots.as_slice() {
        [root] => Ok(Some(root.clone())),
        _ => Ok(None),
    }
}

/// Whether known variants and catch-alls fit each other, without which a comparison says nothing.
pub(crate) fn unions_fit(schema: &Schema) -> Result<()> {
    let faults = wire::check_unions(&schema.wire);
    if faults.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = faults
        .iter()
        .map(|fault| schema_fault(schema, fault))
        .collect();
    bail!("{}", lines.join("\nerror: "))
}

/// The capability that a schema names.
pub(crate) fn capability(schema: &Schema) -> Option<&str> {
    let contract = schema.wire.contract.as_ref()?;
    Some(&contract.capability)
}

/// Everything about a schema that breaks the conventions of a contract, as messages.
pub(crate) fn schema_faults(schema: &Schema) -> Vec<String> {
    wire::check_schema(&schema.wire)
        .iter()
        .map(|fault| schema_fault(schema, fault))
        .collect()
}

/// What keeps a schema from growing, as messages.
pub(crate) fn closed_sets(schema: &Schema) -> Vec<String> {
    let advice = wire::closed_sets(&schema.wire);
    advice
        .iter()
        .map(|advice| schema_fault(schema, advice))
        .collect()
}

fn schema_fault(schema: &Schema, fault: &SchemaFault) -> String {
    let position = fault.origin.position;
    let (file, _) = file_of(&fault.origin.pointer, schema.name());
    format!(
        "{file}:{}:{}: {} ({})",
        position.line, position.column, fault.message, fault.help
    )
}

/// Checks goldens against a schema.
pub(crate) fn check_goldens(schema: &Schema, goldens: &[Named]) -> GoldenReport {
    // The validator knows one text. Where a schema is several files, that is the one that the wire
    // view says them all in.
    if schema.others.is_empty() {
        return evolution::check_goldens(&schema.wire, schema.text(), &borrowed(goldens));
    }
    let whole = wire::published_schema(&schema.wire);
    evolution::check_goldens(&schema.wire, &whole, &borrowed(goldens))
}

/// The Rust types of a schema as the file of a module; `name` is what the file says they come from.
pub(crate) fn types(schema: &Schema, name: &str) -> Result<(String, Vec<Untyped>)> {
    let emitted = emit::rust(&schema.wire, &emit_options(schema, name).as_module())?;
    Ok((emitted.code, emitted.untyped))
}

/// The files of a package of Rust types.
pub(crate) fn package(schema: &Schema, name: &str) -> Result<(Vec<File>, Vec<Untyped>)> {
    Ok(emit::package(&schema.wire, &emit_options(schema, name))?)
}

/// The consumer that later revisions are held against; nothing where the schema declares no contract.
pub(crate) fn consumer(
    schema: &Schema,
    name: &str,
    package: emit::Package,
) -> Result<Option<File>> {
    Ok(emit::consumer(
        &schema.wire,
        &emit_options(schema, name),
        &package,
    )?)
}

/// Everything the contract names, for a reader.
pub(crate) fn catalog(schema: &Schema) -> String {
    emit::catalog(&schema.wire)
}

fn emit_options(schema: &Schema, name: &str) -> emit::Options {
    // A checkout may have turned line ends into those of its system; the schema is the same.
    let others = schema.others.iter();
    let others = others.map(|(path, text)| format!("\n{path}\n{text}"));
    let whole = format!("{}{}", schema.text(), others.collect::<String>());
    let digest = Sha256::digest(whole.replace("\r\n", "\n"));
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    emit::Options::new(name, format!("sha256:{hex}")).with_borrowed()
}

/// Drafts goldens for elements that none exercises.
pub(crate) fn draft_goldens(schema: &Schema, missing: &[Element], goldens: &[Named]) -> Drafts {
    evolution::draft(&schema.wire, missing, &borrowed(goldens))
}

/// What the goldens say about a change.
#[derive(Default)]
pub(crate) struct Evidence {
    /// For each change: the golden line that proves it.
    pub(crate) proofs: Vec<Option<GoldenLine>>,
    /// Additions without a golden.
    pub(crate) missing: Vec<MissingGolden>,
    /// Goldens that do not stand as they have to.
    pub(crate) problems: Vec<Problem>,
    /// What all goldens together exercise.
    pub(crate) coverage: Option<Coverage>,
}

/// Looks for the golden of each addition, and for what was done to the goldens of the base.
pub(crate) fn prove_goldens(
    old: &Schema,
    new: &Schema,
    changes: &[Change],
    base: &Revision,
    now: &Revision,
) -> Evidence {
    let mut evidence = Evidence {
        proofs: vec![None; changes.len()],
        ..Evidence::default()
    };
    let old_goldens = extended(base, now);
    let asks = |change: &Change| change.level == Level::Additive && change.element.is_some();
    let (indices, additions): (Vec<usize>, Vec<Change>) = changes
        .iter()
        .cloned()
        .enumerate()
        .filter(|(_, change)| asks(change))
        .unzip();
    let proofs = evolution::prove_additions(
        &old.wire,
        &new.wire,
        &additions,
        &borrowed(old_goldens),
        &borrowed(&now.goldens),
    );
    for proof in &proofs {
        let (Some(change), Some(index)) = (additions.get(proof.change), indices.get(proof.change))
        else {
            continue;
        };
        let pointer = change
            .new
            .as_ref()
            .map(|origin| origin.pointer.clone())
            .unwrap_or_default();
        match &proof.golden {
            Some((file, line)) => evidence.proofs[*index] = Some(GoldenLine { file: now.shown(file), line: *line }),
            None => evidence.missing.push(MissingGolden {
                subject: change.subject.clone(),
                pointer: pointer.to_string(),
                message: "no golden line that is new in this change exercises it; `draft-golden` writes a candidate to review".to_owned(),
            }),
        }
        for member in &proof.missing {
            evidence.missing.push(MissingGolden {
                subject: member.clone(),
                pointer: pointer.to_string(),
                message: format!("it came with {} and no golden line that is new in this change holds it; `draft-golden` writes a candidate to review", change.subject),
            });
        }
    }
    evidence.problems = altered_goldens(new, base, now);
    let goldens = check_goldens(new, &now.goldens);
    evidence.coverage = Some(Coverage {
        goldens: now.goldens.len(),
        lines: goldens.lines,
        exercised: goldens.covered,
        elements: goldens.covered + goldens.uncovered.len(),
    });
    evidence.problems.extend(
        goldens
            .faults
            .iter()
            .map(|fault| golden_problem(ProblemKind::GoldenInvalid, now, fault)),
    );
    evidence
}

/// What was done to the goldens of the base.
pub(crate) fn altered_goldens(new: &Schema, base: &Revision, now: &Revision) -> Vec<Problem> {
    let moved = evolution::check_append_only(
        new.wire.contract.as_ref(),
        &borrowed(extended(base, now)),
        &borrowed(&now.goldens),
    );
    let problem = |fault| golden_problem(ProblemKind::GoldenAltered, now, fault);
    moved.iter().map(problem).collect()
}

/// The goldens that a change may only extend. Those of a superseded capability move to its folder.
fn extended<'r>(base: &'r Revision, now: &Revision) -> &'r [Named] {
    match base.capability == now.capability {
        true => &base.goldens,
        false => &[],
    }
}

fn golden_problem(kind: ProblemKind, revision: &Revision, fault: &Fault) -> Problem {
    Problem {
        kind,
        message: format!("{} ({})", fault.message, fault.help),
        file: revision.shown(&fault.file),
        line: Some(fault.line),
        column: fault.column,
    }
}

/// The rule of that id.
pub(crate) fn known_rule(id: &str) -> Result<&'static rules::Rule> {
    rules::find(id)
        .ok_or_else(|| anyhow!("there is no rule {id:?}; the command `rules` lists them all"))
}

fn borrowed(files: &[Named]) -> Vec<(&str, &str)> {
    files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect()
}
