//! Which alternatives of a place a `oneOf` holds apart: exactly one of its branches is to match.
//!
//! Branches that no document satisfies together need no such word. Where two may match at once,
//! "exactly one" is a constraint that no alternative expresses by itself, and which depends on what
//! else accepts the same document: `anyOf: [A, oneOf: [A, B]]` takes what `oneOf: [A, B]` refuses.
//! A place therefore keeps, for the alternatives concerned, the branches that led to them.

use super::scalars::Part;
use super::{Builder, unions};
use crate::json::Literal;
use crate::maps::{HashMap, HashSet, IndexMap};
use crate::schema::{SchemaError, SchemaId, TypeSet};
use crate::wire::{
    BooleanShape, HeldApart, Node, NodeId, Object, ObjectId, ScalarFacts, Separate, Tag,
};

/// Pairs of alternatives that are looked at for one document. What is not looked at any more
/// counts as overlapping, and the document as undecided.
const MAX_LOOKS: usize = 32_000_000;
/// What it costs to compare two shapes member by member, in looks.
const SHAPES: usize = 8;

/// The `oneOf` choices behind the alternatives of one place, type by type.
#[derive(Debug, Default)]
pub(super) struct Choices {
    pub(super) numbers: Vec<Path>,
    pub(super) strings: Vec<Path>,
    pub(super) arrays: Vec<Path>,
    pub(super) objects: Vec<Path>,
    pub(super) nulls: Vec<Path>,
    pub(super) booleans: Vec<(Path, BooleanShape)>,
    /// Whether scalar alternatives of different branches overlap.
    pub(super) overlap: bool,
}

impl Choices {
    /// Whether anything is left to be told by them when every place is known.
    pub(super) fn matter(&self) -> bool {
        self.overlap || !self.arrays.is_empty() || !self.objects.is_empty()
    }

    /// Whether `null` or one boolean stands on two branches of one `oneOf`.
    pub(super) fn constants_overlap(&self) -> bool {
        let holding = |value: bool| {
            let shapes = self.booleans.iter().filter(move |(_, shape)| {
                if value {
                    shape.allow_true
                } else {
                    shape.allow_false
                }
            });
            shapes.map(|(path, _)| path)
        };
        on_two_branches(self.nulls.iter())
            || on_two_branches(holding(false))
            || on_two_branches(holding(true))
    }
}

/// The branches taken, each with the schema of its `oneOf`.
pub(super) type Path = Vec<(SchemaId, u32)>;

/// Whether some two of these stand on different branches of one `oneOf`.
fn on_two_branches<'p>(paths: impl Iterator<Item = &'p Path>) -> bool {
    let mut taken: HashMap<SchemaId, u32> = HashMap::default();
    let mut choices = paths.flatten();
    choices.any(|(owner, branch)| *taken.entry(*owner).or_insert(*branch) != *branch)
}

/// Whether two alternatives stand on different branches of one `oneOf`.
pub(super) fn exclude_each_other(left: &Path, right: &Path) -> bool {
    left.iter().any(|(owner, branch)| {
        right
            .iter()
            .any(|(other, taken)| owner == other && branch != taken)
    })
}

/// Whether alternatives of different branches can hold for one scalar.
pub(super) fn overlap<F: ScalarFacts>(
    paths: &[Path],
    parts: &[Part<F>],
    looks: &mut Looks,
) -> bool {
    // Named values that branches share were taken out, so only what is open can overlap.
    let open: Vec<usize> = (0..parts.len())
        .filter(|index| parts[*index].values.is_none())
        .collect();
    open.iter().any(|left| {
        (0..parts.len()).any(|right| {
            // Two open parts are looked at once, from the left one.
            let again = parts[right].values.is_none() && right <= *left;
            !again
                && (!looks.take(parts[right].weight())
                    || exclude_each_other(&paths[*left], &paths[right])
                        && !parts[*left].disjoint(&parts[right]))
        })
    })
}

/// Takes out the named values that two branches of one `oneOf` share: exactly one has to match.
/// Gives whether a value was left although branches share it, because which of them hold for it
/// depends on a further choice inside.
pub(super) fn drop_shared<F>(paths: &[Path], parts: &mut [Part<F>]) -> bool {
    let mut holders: HashMap<&Literal, Vec<usize>> = HashMap::default();
    for (index, part) in parts.iter().enumerate() {
        for known in part.values.iter().flatten() {
            holders.entry(&known.value).or_default().push(index);
        }
    }
    let mut left = false;
    let mut shared: HashMap<usize, HashSet<Literal>> = HashMap::default();
    for (value, holders) in holders {
        let of = |index: &usize| &paths[*index];
        if holders.len() < 2 || !on_two_branches(holders.iter().map(of)) {
            continue;
        }
        if holders.iter().any(|index| paths[*index].len() > 1) {
            left = true;
            continue;
        }
        // One choice each: a holder goes where another branch of its own `oneOf` holds as well.
        let mut branches: HashMap<SchemaId, HashSet<u32>> = HashMap::default();
        for (owner, branch) in holders.iter().flat_map(of) {
            branches.entry(*owner).or_default().insert(*branch);
        }
        for index in &holders {
            if of(index).iter().any(|(owner, _)| branches[owner].len() > 1) {
                shared.entry(*index).or_default().insert(value.clone());
            }
        }
    }
    for (index, shared) in shared {
        if let Some(values) = &mut parts[index].values {
            values.retain(|known| !shared.contains(&known.value));
        }
    }
    left
}

/// How many pairs may still be looked at.
pub(super) struct Looks {
    left: usize,
    /// Whether something was left to guess because the budget was spent.
    pub(super) spent: bool,
}

impl Default for Looks {
    fn default() -> Self {
        Self {
            left: MAX_LOOKS,
            spent: false,
        }
    }
}

impl Looks {
    /// Takes a look of that weight; `false` where the budget has none left.
    fn take(&mut self, weight: usize) -> bool {
        self.left = self.left.saturating_sub(weight);
        self.spent |= self.left == 0;
        self.left > 0
    }
}

impl Builder<'_> {
    /// The scalar alternatives of a place, each as a place of its own; none where there is only one.
    pub(super) fn scalars_apart(
        &mut self,
        alternatives: &[super::alternatives::Alternative],
    ) -> Result<Vec<HeldApart>, SchemaError> {
        let scalars = alternatives.iter();
        let scalars = scalars.filter(|alternative| alternative.types.overlaps(TypeSet::SCALARS));
        if scalars.clone().count() < 2 {
            return Ok(Vec::new());
        }
        let mut numbering = Numbering::default();
        let mut apart = Vec::new();
        for alternative in scalars {
            apart.push(HeldApart {
                what: Separate::Scalars(self.scalars_of(alternative)),
                branches: numbering.path(&alternative.choices),
            });
        }
        Ok(apart)
    }

    /// The scalars of one alternative as a place of their own.
    pub(super) fn scalars_of(&mut self, alternative: &super::alternatives::Alternative) -> NodeId {
        let mut items = alternative.items.clone();
        items.push(super::expand::Item::Scalars);
        self.place_of(items)
    }
}

/// Numbers the `oneOf`s of a place in the order they are met.
#[derive(Default)]
struct Numbering(HashMap<SchemaId, u32>);

impl Numbering {
    fn path(&mut self, path: &Path) -> Vec<(u32, u32)> {
        let number = |(owner, branch): &(SchemaId, u32)| {
            let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
            (*self.0.entry(*owner).or_insert(next), *branch)
        };
        path.iter().map(number).collect()
    }
}

/// The array alternatives of a place that a `oneOf` holds apart.
pub(super) fn arrays_apart(node: &Node, paths: &[Path], looks: &mut Looks) -> Vec<HeldApart> {
    if paths.len() < 2 {
        return Vec::new();
    }
    let shorter = |low: usize, high: usize| {
        let most = node.arrays[low].max_items;
        most.is_some_and(|most| most < node.arrays[high].min_items)
    };
    let disjoint = |left: usize, right: usize| shorter(left, right) || shorter(right, left);
    let groups = Groups {
        loose: (0..paths.len()).collect(),
        ..Groups::default()
    };
    held_apart(paths, &groups, looks, disjoint, Separate::Array)
}

/// The object alternatives of a place that a `oneOf` holds apart.
pub(super) fn objects_apart(
    nodes: &[Node],
    node: &Node,
    objects: &[Object],
    living: &[(ObjectId, Path)],
    looks: &mut Looks,
) -> Vec<HeldApart> {
    if living.len() < 2 {
        return Vec::new();
    }
    let tags: HashMap<ObjectId, &[Tag]> = node
        .objects
        .iter()
        .map(|variant| (variant.object, variant.tags.as_slice()))
        .collect();
    let tags: Vec<&[Tag]> = living
        .iter()
        .map(|(object, _)| tags.get(object).copied().unwrap_or_default())
        .collect();
    let paths: Vec<Path> = living.iter().map(|(_, path)| path.clone()).collect();
    let shape = |index: usize| &objects[living[index].0.0 as usize];
    let disjoint = |left: usize, right: usize| {
        tags_differ(tags[left], tags[right]) || unions::disjoint(nodes, shape(left), shape(right))
    };
    let groups = Groups::by_first_tag(&tags);
    held_apart(&paths, &groups, looks, disjoint, |index| {
        Separate::Object(living[index].0)
    })
}

/// Alternatives by the values of their first tag: most unions are told apart by that, and looking
/// at each pair would cost the square of their size.
#[derive(Default)]
struct Groups {
    /// Those that share a value; an alternative with several values is in several groups.
    keyed: Vec<Vec<usize>>,
    /// Those that may meet any other.
    loose: Vec<usize>,
}

impl Groups {
    fn by_first_tag(tags: &[&[Tag]]) -> Self {
        let closed = |tags: &[Tag]| tags.first().filter(|tag| !tag.values.is_empty()).cloned();
        let name = tags
            .iter()
            .find_map(|tags| closed(tags))
            .map(|tag| tag.name);
        let mut keyed: IndexMap<Literal, Vec<usize>> = IndexMap::default();
        let mut loose = Vec::new();
        for (index, tags) in tags.iter().enumerate() {
            match closed(tags).filter(|tag| Some(&tag.name) == name.as_ref()) {
                Some(tag) => {
                    for value in tag.values {
                        keyed.entry(value).or_default().push(index);
                    }
                }
                None => loose.push(index),
            }
        }
        Self {
            keyed: keyed.into_values().collect(),
            loose,
        }
    }

    /// Every two alternatives that may meet.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let keyed = self.keyed.iter().flat_map(|group| {
            two_of(group).chain(
                group
                    .iter()
                    .flat_map(|one| self.loose.iter().map(move |other| (*one, *other))),
            )
        });
        keyed.chain(two_of(&self.loose))
    }
}

fn two_of(group: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    (0..group.len())
        .flat_map(move |left| (left + 1..group.len()).map(move |right| (group[left], group[right])))
}

/// The alternatives that another branch of one of their `oneOf`s may overlap with, each with those
/// of its branches, and the alternatives beside them that take some of the same documents.
fn held_apart(
    paths: &[Path],
    groups: &Groups,
    looks: &mut Looks,
    disjoint: impl Fn(usize, usize) -> bool,
    what: impl Fn(usize) -> Separate,
) -> Vec<HeldApart> {
    let contested = contested(paths);
    if contested.is_empty() {
        return Vec::new();
    }
    // What may still be marked: the branches of each alternative that stand beside others.
    let mut open: Vec<Vec<SchemaId>> = paths
        .iter()
        .map(|path| {
            let owners = path.iter().map(|(owner, _)| *owner);
            owners.filter(|owner| contested.contains(owner)).collect()
        })
        .collect();
    let mut marked: Vec<Vec<SchemaId>> = vec![Vec::new(); paths.len()];
    let mut waiting = open.iter().filter(|owners| !owners.is_empty()).count();
    for (left, right) in groups.pairs() {
        if waiting == 0 {
            break;
        }
        if !looks.take(1) {
            // Nothing is lost by taking the rest for overlapping, except the answer.
            for (marked, open) in marked.iter_mut().zip(&mut open) {
                marked.append(open);
            }
            break;
        }
        let fresh: Vec<SchemaId> = paths[left]
            .iter()
            .filter(|(owner, branch)| {
                let other = paths[right].iter().find(|(other, _)| other == owner);
                other.is_some_and(|(_, taken)| taken != branch)
                    && (open[left].contains(owner) || open[right].contains(owner))
            })
            .map(|(owner, _)| *owner)
            .collect();
        if fresh.is_empty() || looks.take(SHAPES) && disjoint(left, right) {
            continue;
        }
        for side in [left, right] {
            let before = open[side].len();
            for owner in &fresh {
                if let Some(at) = open[side].iter().position(|one| one == owner) {
                    marked[side].push(open[side].remove(at));
                }
            }
            waiting -= usize::from(before > 0 && open[side].is_empty());
        }
    }
    if marked.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let mut beside = vec![false; paths.len()];
    let mut waiting = marked.iter().filter(|owners| owners.is_empty()).count();
    for (left, right) in groups.pairs() {
        if waiting == 0 {
            break;
        }
        for (one, other) in [(left, right), (right, left)] {
            if marked[one].is_empty() && !marked[other].is_empty() && !beside[one] {
                beside[one] = !(looks.take(SHAPES) && disjoint(one, other));
                waiting -= usize::from(beside[one]);
            }
        }
    }
    let mut numbering = Numbering::default();
    let mut apart = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        if beside[index] || !marked[index].is_empty() {
            let mut path = path.clone();
            path.retain(|(owner, _)| marked[index].contains(owner));
            apart.push(HeldApart {
                what: what(index),
                branches: numbering.path(&path),
            });
        }
    }
    apart
}

/// The `oneOf`s with alternatives on more than one branch.
fn contested(paths: &[Path]) -> HashSet<SchemaId> {
    let mut taken: HashMap<SchemaId, u32> = HashMap::default();
    let mut contested = HashSet::default();
    for (owner, branch) in paths.iter().flatten() {
        if *taken.entry(*owner).or_insert(*branch) != *branch {
            contested.insert(*owner);
        }
    }
    contested
}

/// Whether one tag has other values in each; most unions are told apart by that.
fn tags_differ(left: &[Tag], right: &[Tag]) -> bool {
    left.iter().zip(right).any(|(one, other)| {
        one.name == other.name
            && !one.values.is_empty()
            && !other.values.is_empty()
            && !one.values.iter().any(|value| other.values.contains(value))
    })
}
