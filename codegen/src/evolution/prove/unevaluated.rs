//! `unevaluatedProperties` and `unevaluatedItems`: what the schemas in place looked at, as formulas.
//!
//! Which members count as evaluated depends on which branches hold, so the keyword becomes a tree
//! of decisions over the conditions of those branches. It needs to be right only where the rest of
//! its schema holds, since both stand in one conjunction.

use super::lower::Lowering;
use super::term::{Shape, Term};
use crate::schema::{SchemaId, Target};

/// Decisions that one keyword may unfold into.
const MAX_LEAVES: usize = 2_000;

/// What a schema evaluates, as far as it is known which branches hold.
#[derive(Clone, Default)]
struct Evaluated {
    names: Vec<String>,
    patterns: Vec<String>,
    all_members: bool,
    prefix: usize,
    all_items: bool,
    /// Items that satisfy one of these.
    items: Vec<Term>,
}

enum Tree {
    Own(Box<Evaluated>),
    All(Vec<Tree>),
    /// Exactly one of the conditions holds.
    One(Vec<(Term, Tree)>),
    /// Each condition holds or not.
    Each(Vec<(Term, Tree)>),
}

struct Unfolding<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    members: Option<Term>,
    items: Option<Term>,
    leaves: usize,
}

/// The formula of both keywords of a schema that has at least one of them.
pub(super) fn lower(lowering: &mut Lowering<'_>, id: SchemaId) -> Term {
    let document = lowering.document;
    let schema = document.schema(id);
    let mut path = Vec::new();
    let trees = match own(lowering, id, false, &mut path) {
        Ok(tree) => vec![tree],
        Err(why) => {
            let about = vec![lowering.terms.unlike_any()];
            return lowering.opaque(id, "unevaluatedProperties", why.to_owned(), about);
        }
    };
    let mut all = Vec::new();
    for (members, items) in [
        (schema.unevaluated_properties, None),
        (None, schema.unevaluated_items),
    ] {
        let mut term = |id: Option<SchemaId>| id.map(|id| lowering.schema(id));
        let (members, items) = (term(members), term(items));
        if members.is_none() && items.is_none() {
            continue;
        }
        let mut unfolding = Unfolding {
            lowering,
            members,
            items,
            leaves: 0,
        };
        let list: Vec<&Tree> = trees.iter().collect();
        match unfolding.unfold(&list, &Evaluated::default()) {
            Some(term) => all.push(term),
            None => {
                let keyword = if members.is_some() {
                    "unevaluatedProperties"
                } else {
                    "unevaluatedItems"
                };
                let why = "too many combinations of branches decide what is evaluated".to_owned();
                let mut about = Vec::new();
                trees
                    .iter()
                    .for_each(|tree| tree.tell(lowering, &mut about));
                about.extend(members.or(items));
                all.push(lowering.opaque(id, keyword, why, about));
            }
        }
    }
    lowering.terms.and(all)
}

/// What a schema evaluates; its own `unevaluated*` count where it is not the one asked about.
fn own(
    lowering: &mut Lowering<'_>,
    id: SchemaId,
    counts: bool,
    path: &mut Vec<SchemaId>,
) -> Result<Tree, &'static str> {
    if path.contains(&id) {
        return Err("a definition leads back to itself without a step into the value");
    }
    path.push(id);
    let scope = lowering.enter(id);
    let tree = lowering.seen_from(scope, |lowering| beside(lowering, id, counts, path))?;
    path.pop();
    Ok(tree)
}

/// What the keywords of one schema evaluate, those of the schemas in place included.
fn beside(
    lowering: &mut Lowering<'_>,
    id: SchemaId,
    counts: bool,
    path: &mut Vec<SchemaId>,
) -> Result<Tree, &'static str> {
    let document = lowering.document;
    let schema = document.schema(id);
    let mut evaluated = Evaluated {
        names: schema.properties.keys().cloned().collect(),
        patterns: schema
            .pattern_properties
            .iter()
            .map(|entry| entry.pattern.clone())
            .collect(),
        all_members: schema.additional_properties.is_some()
            || (counts && schema.unevaluated_properties.is_some()),
        prefix: schema.prefix_items.len(),
        all_items: schema.items.is_some() || (counts && schema.unevaluated_items.is_some()),
        items: Vec::new(),
    };
    if let Some(contains) = schema.contains
        && document.resource(id).contains_evaluates
    {
        evaluated.items.push(lowering.schema(contains));
    }
    let mut trees = vec![Tree::Own(Box::new(evaluated))];
    let dynamic = lowering.dynamic_target(id);
    for target in schema.reference.iter().chain(&dynamic) {
        match target {
            Target::Schema(target) => trees.push(own(lowering, *target, true, path)?),
            Target::External(_) => return Err("a schema beside it is not in this document"),
        }
    }
    for part in &schema.all_of {
        trees.push(own(lowering, *part, true, path)?);
    }
    let mut branches = |ids: &[SchemaId], lowering: &mut Lowering<'_>| {
        ids.iter()
            .map(|id| Ok((lowering.schema(*id), own(lowering, *id, true, path)?)))
            .collect::<Result<Vec<_>, &'static str>>()
    };
    if !schema.any_of.is_empty() {
        let branches = branches(&schema.any_of, lowering)?;
        let conditions: Vec<Term> = branches.iter().map(|(condition, _)| *condition).collect();
        let apart = lowering.terms.told_apart(&conditions);
        let all_apart = (0..conditions.len()).all(|one| (0..one).all(|other| apart(other, one)));
        trees.push(if all_apart {
            Tree::One(branches)
        } else {
            Tree::Each(branches)
        });
    }
    if !schema.one_of.is_empty() {
        trees.push(Tree::One(branches(&schema.one_of, lowering)?));
    }
    if let Some(conditional) = schema.conditional {
        let condition = lowering.schema(conditional.condition);
        let mut holds = vec![own(lowering, conditional.condition, true, path)?];
        if let Some(then) = conditional.then {
            holds.push(own(lowering, then, true, path)?);
        }
        let otherwise = match conditional.otherwise {
            Some(otherwise) => own(lowering, otherwise, true, path)?,
            None => Tree::All(Vec::new()),
        };
        trees.push(Tree::One(vec![
            (condition, Tree::All(holds)),
            (!condition, otherwise),
        ]));
    }
    for (name, dependent) in &schema.dependent.schemas {
        let condition = lowering.terms.has(name);
        let tree = own(lowering, *dependent, true, path)?;
        trees.push(Tree::Each(vec![(condition, tree)]));
    }
    Ok(Tree::All(trees))
}

impl Unfolding<'_, '_> {
    fn unfold(&mut self, rest: &[&Tree], known: &Evaluated) -> Option<Term> {
        let Some((first, rest)) = rest.split_first() else {
            return self.leaf(known);
        };
        match first {
            Tree::Own(own) => {
                let mut known = known.clone();
                known.names.extend(own.names.iter().cloned());
                known.patterns.extend(own.patterns.iter().cloned());
                known.all_members |= own.all_members;
                known.prefix = known.prefix.max(own.prefix);
                known.all_items |= own.all_items;
                known.items.extend(own.items.iter().copied());
                self.unfold(rest, &known)
            }
            Tree::All(trees) => {
                let list: Vec<&Tree> = trees.iter().chain(rest.iter().copied()).collect();
                self.unfold(&list, known)
            }
            Tree::One(branches) => {
                let mut all = Vec::new();
                for (condition, tree) in branches {
                    let list: Vec<&Tree> =
                        std::iter::once(tree).chain(rest.iter().copied()).collect();
                    let term = self.unfold(&list, known)?;
                    all.push(self.lowering.terms.or([!*condition, term]));
                }
                Some(self.lowering.terms.and(all))
            }
            Tree::Each(branches) => {
                let Some(((condition, tree), others)) = branches.split_first() else {
                    return self.unfold(rest, known);
                };
                let others = Tree::Each(others.iter().map(|(c, t)| (*c, t.share())).collect());
                let with: Vec<&Tree> = [tree, &others]
                    .into_iter()
                    .chain(rest.iter().copied())
                    .collect();
                let without: Vec<&Tree> = std::iter::once(&others)
                    .chain(rest.iter().copied())
                    .collect();
                let (with, without) = (self.unfold(&with, known)?, self.unfold(&without, known)?);
                let with = self.lowering.terms.or([!*condition, with]);
                let without = self.lowering.terms.or([*condition, without]);
                Some(self.lowering.terms.and([with, without]))
            }
        }
    }

    fn leaf(&mut self, known: &Evaluated) -> Option<Term> {
        self.leaves += 1;
        if self.leaves > MAX_LEAVES {
            return None;
        }
        let terms = &mut *self.lowering.terms;
        let mut all = Vec::new();
        if let Some(value) = self.members.filter(|_| !known.all_members) {
            let names = known.names.iter().map(String::as_str);
            let patterns = known.patterns.iter().map(String::as_str);
            all.push(terms.members_beside(names, patterns, value));
        }
        if let Some(value) = self.items.filter(|_| !known.all_items) {
            let value = terms.or(known.items.iter().copied().chain([value]));
            all.push(terms.atom(Shape::Items(known.prefix, value)));
        }
        Some(terms.and(all))
    }
}

impl Tree {
    /// All that makes up the tree, in order and with the ends of lists, so that equal trees tell
    /// the same and others do not.
    fn tell(&self, lowering: &mut Lowering<'_>, told: &mut Vec<Term>) {
        let branches = match self {
            Self::Own(own) => {
                for name in &own.names {
                    told.push(lowering.terms.has(name));
                }
                for pattern in &own.patterns {
                    told.push(lowering.terms.named(&format!("/{pattern}")));
                }
                told.extend(&own.items);
                let rest = format!("{} {} {}", own.all_members, own.prefix, own.all_items);
                told.push(lowering.terms.named(&rest));
                return;
            }
            Self::All(trees) => {
                trees.iter().for_each(|tree| tree.tell(lowering, told));
                told.push(lowering.terms.named("all"));
                return;
            }
            Self::One(branches) => {
                told.push(lowering.terms.named("one"));
                branches
            }
            Self::Each(branches) => {
                told.push(lowering.terms.named("each"));
                branches
            }
        };
        for (condition, tree) in branches {
            told.push(*condition);
            tree.tell(lowering, told);
        }
        told.push(lowering.terms.named("end"));
    }

    fn share(&self) -> Self {
        match self {
            Self::Own(own) => Self::Own(own.clone()),
            Self::All(trees) => Self::All(trees.iter().map(Self::share).collect()),
            Self::One(branches) => {
                Self::One(branches.iter().map(|(c, t)| (*c, t.share())).collect())
            }
            Self::Each(branches) => {
                Self::Each(branches.iter().map(|(c, t)| (*c, t.share())).collect())
            }
        }
    }
}
