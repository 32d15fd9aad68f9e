//! What moved between the Rust names of two revisions, element by element of the wire.
//!
//! Both plans are walked together from their roots: a field goes with the field of that wire name,
//! a variant with that of its tags, a value with its like. What has no counterpart is a change of
//! the wire, which is not told here.

mod members;
mod pairs;

use super::plan::{Field, Item, ItemId, Kind, MixedArm, Plan, Quiet, Root, Type, Union};
use super::{accessors, structs, types, unions};
use crate::json::Literal;
use crate::wire::{ObjectId, Origin, Subject, Wire};
use std::collections::{HashSet, VecDeque};

/// A revision: its wire view and the plan of its types.
pub(crate) struct Revision<'w> {
    wire: &'w Wire,
    plan: Plan,
    aliases: Vec<Option<String>>,
}

/// Something an old consumer could have written and that is written otherwise now.
#[derive(Debug)]
pub(crate) struct Moved {
    /// The element whose name or type it is.
    pub(crate) subject: Subject,
    /// One sentence.
    pub(crate) message: String,
    /// The declarations of the element, most specific first.
    pub(crate) old: Vec<Origin>,
    pub(crate) new: Vec<Origin>,
    /// Whether a change of the wire at this element would be the cause, and tell it better.
    pub(crate) follows_wire: bool,
}

impl<'w> Revision<'w> {
    pub(crate) fn of(wire: &'w Wire) -> Self {
        let plan = super::settled(
            wire,
            &super::Options::new("", "").root,
            super::RUNTIME_NAMES,
        );
        let aliases = super::alias_names(&plan);
        Self {
            wire,
            plan,
            aliases,
        }
    }
}

/// Compares the names of two revisions. `roots` are the pairs of indices that reading starts at;
/// `same` tells whether two object shapes are equal on the wire.
pub(crate) fn moved(
    old: &Revision<'_>,
    new: &Revision<'_>,
    roots: &[(usize, usize)],
    same: &dyn Fn(ObjectId, ObjectId) -> bool,
) -> Vec<Moved> {
    let mut walk = Walk {
        old,
        new,
        same,
        seen: HashSet::new(),
        queue: VecDeque::new(),
        moved: Vec::new(),
    };
    for pair in roots {
        walk.root(*pair);
    }
    while let Some((left, right, subject)) = walk.queue.pop_front() {
        walk.item(left, right, &subject);
    }
    walk.moved
}

struct Walk<'r, 'w> {
    old: &'r Revision<'w>,
    new: &'r Revision<'w>,
    same: &'r dyn Fn(ObjectId, ObjectId) -> bool,
    seen: HashSet<(ItemId, ItemId)>,
    queue: VecDeque<(ItemId, ItemId, Subject)>,
    moved: Vec<Moved>,
}

/// The declarations of an element in both revisions.
type Origins<'o> = (&'o [Origin], &'o [Origin]);

impl<'r> Walk<'r, '_> {
    fn root(&mut self, (left, right): (usize, usize)) {
        let (old, new) = (self.old, self.new);
        let (Some(was), Some(is)) = (old.wire.roots.get(left), new.wire.roots.get(right)) else {
            return;
        };
        let types = (old.plan.roots.get(left), new.plan.roots.get(right));
        let (Some(Root { ty: left_type, .. }), Some(Root { ty: right_type, .. })) = types else {
            return;
        };
        let subject = Subject::root(was);
        let (was, is) = ([was.origin.clone()], [is.origin.clone()]);
        let origins = (was.as_slice(), is.as_slice());
        let names = (
            old.aliases.get(left).cloned().flatten(),
            new.aliases.get(right).cloned().flatten(),
        );
        if let (Some(was), Some(is)) = &names
            && was != is
        {
            self.renamed(&subject, "type", (was, is), origins);
        }
        if !self.types(left_type, right_type, &subject) {
            self.retyped(&subject, "type", (left_type, right_type), origins);
        }
    }

    /// Walks two types together; whether they are the same but for the items they name.
    fn types(&mut self, old: &Type, new: &Type, subject: &Subject) -> bool {
        match (old, new) {
            // The values are for the wire to compare, the type is the one that holds them.
            (Type::OneOf(_, old), new) => self.types(old, new, subject),
            (old, Type::OneOf(_, new)) => self.types(old, new, subject),
            (Type::Named(old), Type::Named(new)) => {
                if self.seen.insert((*old, *new)) {
                    self.queue.push_back((*old, *new, subject.clone()));
                }
                true
            }
            (Type::Boxed(old), Type::Boxed(new)) => self.types(old, new, subject),
            (Type::Boxed(old), new) => {
                self.types(old, new, subject);
                false
            }
            (old, Type::Boxed(new)) => {
                self.types(old, new, subject);
                false
            }
            (Type::Nullable(old), Type::Nullable(new)) => self.types(old, new, subject),
            (Type::List(old, ..), Type::List(new, ..)) => self.types(old, new, &subject.item()),
            (Type::Map(old), Type::Map(new)) => self.types(old, new, &subject.map_value()),
            (Type::Tuple(old), Type::Tuple(new)) => {
                let pairs = old.iter().zip(new).enumerate();
                let mut same = old.len() == new.len();
                for (index, (old, new)) in pairs {
                    same &= self.types(old, new, &subject.tuple(index));
                }
                same
            }
            (Type::Integer(old, _), Type::Integer(new, _)) => old == new,
            (Type::Number(..), Type::Number(..)) => true,
            (old, new) => old == new,
        }
    }

    fn item(&mut self, left: ItemId, right: ItemId, subject: &Subject) {
        let (old_plan, new_plan) = (&self.old.plan, &self.new.plan);
        let (Some(old), Some(new)) = (old_plan.items.get(left.0), new_plan.items.get(right.0))
        else {
            return;
        };
        let origins = (old.origins.as_slice(), new.origins.as_slice());
        if old.name != new.name {
            self.renamed(subject, "type", (&old.name, &new.name), origins);
        }
        match (&old.kind, &new.kind) {
            (Kind::Struct(was), Kind::Struct(is)) => self.structs((old, was), (new, is), subject),
            (Kind::Union(was), Kind::Union(is)) => self.unions((old, was), (new, is), subject),
            (Kind::Mixed(was), Kind::Mixed(is)) => self.mixed((old, was), (new, is), subject),
            (Kind::OpenEnum(was), Kind::OpenEnum(is))
            | (Kind::ClosedEnum(was), Kind::ClosedEnum(is)) => {
                let closed = matches!(old.kind, Kind::ClosedEnum(_));
                let names = |item: &Item, values: &[super::plan::EnumValue]| match closed {
                    true => super::enums::closed_names(item, values),
                    false => values.iter().map(|value| value.rust.clone()).collect(),
                };
                let (was_names, is_names) = (names(old, was), names(new, is));
                for (value, name) in was.iter().zip(&was_names) {
                    let counterpart = is.iter().zip(&is_names);
                    let mut counterpart = counterpart.filter(|(other, _)| other.wire == value.wire);
                    let Some((other, other_name)) = counterpart.next() else {
                        continue;
                    };
                    if name != other_name {
                        let paths = (path(old, name), path(new, other_name));
                        let origins = (as_slice(&value.origin), as_slice(&other.origin));
                        let subject = subject.value(&Literal::string(&value.wire));
                        self.renamed(&subject, "value", (&paths.0, &paths.1), origins);
                    }
                }
            }
            (Kind::Text(_), Kind::Text(_)) => {}
            (was, is) => self.tell(
                subject,
                format!(
                    "the Rust type {} was {} and is {} now",
                    code(&old.name),
                    kind_name(was),
                    kind_name(is)
                ),
                origins,
                true,
            ),
        }
    }

    fn unions(&mut self, old: (&Item, &Union), new: (&Item, &Union), subject: &Subject) {
        let ((old_item, was), (new_item, is)) = (old, new);
        let mut pairs = Vec::new();
        for (left, right) in pairs::of((self.old.wire, was), (self.new.wire, is), self.same) {
            let (Some(arm), Some(other)) = (was.arms.get(left), is.arms.get(right)) else {
                continue;
            };
            let subject = match was.node.0 {
                Some(node) => subject.variant(self.old.wire, node, left),
                None => subject.clone(),
            };
            let origins = (as_slice(&arm.origin), as_slice(&other.origin));
            if arm.name != other.name {
                let paths = (path(old_item, &arm.name), path(new_item, &other.name));
                self.renamed(&subject, "variant", (&paths.0, &paths.1), origins);
            }
            if !self.types(&arm.ty, &other.ty, &subject) {
                self.retyped(&subject, "variant", (&arm.ty, &other.ty), origins);
            }
            pairs.push((arm, other, subject));
        }
        let (left, right) = (unions::distinct(was), unions::distinct(is));
        for (arm, other, subject) in &pairs {
            if unions::converts(arm, &left) && !unions::converts(other, &right) {
                let message = format!(
                    "{} no longer turns into {} by `From`, because another variant holds the same type",
                    code(&rust(&self.old.plan, &arm.ty)),
                    code(&old_item.name)
                );
                let origins = (as_slice(&arm.origin), as_slice(&other.origin));
                self.tell(subject, message, origins, true);
            }
        }
        self.accessors((old_item, was), (new_item, is), subject);
    }

    fn accessors(&mut self, old: (&Item, &Union), new: (&Item, &Union), subject: &Subject) {
        let ((old_item, was), (_, is)) = (old, new);
        let now = accessors::shared(&self.new.plan, is);
        for field in accessors::shared(&self.old.plan, was) {
            if now
                .iter()
                .any(|other| other.wire == field.wire && other.rust == field.rust)
            {
                continue;
            }
            let declared = |plan: &Plan, union: &Union| -> Vec<Origin> {
                let shapes = union
                    .arms
                    .iter()
                    .filter_map(|arm| structs::of(plan, &arm.ty));
                let fields = shapes.flat_map(|shape| &shape.fields);
                fields
                    .filter(|other| other.wire == field.wire)
                    .flat_map(|other| other.origins.0.clone())
                    .collect()
            };
            let origins = (declared(&self.old.plan, was), declared(&self.new.plan, is));
            let message = format!(
                "the method {} is gone, because not every variant has {} any more",
                code(&format!("{}::{}", old_item.name, field.rust)),
                code(&field.wire)
            );
            let subject = subject.field(&field.wire);
            self.tell(&subject, message, (&origins.0, &origins.1), true);
        }
    }

    fn mixed(&mut self, old: (&Item, &[MixedArm]), new: (&Item, &[MixedArm]), subject: &Subject) {
        let ((old_item, was), (new_item, is)) = (old, new);
        for (index, arm) in was.iter().enumerate() {
            // Arms of one JSON type are counted: only arrays have several.
            let nth = was[..index]
                .iter()
                .filter(|other| other.json == arm.json)
                .count();
            let Some(other) = is.iter().filter(|other| other.json == arm.json).nth(nth) else {
                continue;
            };
            let origins = (old_item.origins.as_slice(), new_item.origins.as_slice());
            let same = self.types(&arm.ty, &other.ty, subject);
            if arm.name != other.name || !same {
                let message = format!(
                    "the variant {} was of type {} and is {} of type {} now",
                    code(&path(old_item, &arm.name)),
                    code(&rust(&self.old.plan, &arm.ty)),
                    code(&path(new_item, &other.name)),
                    code(&rust(&self.new.plan, &other.ty))
                );
                self.tell(subject, message, origins, true);
            }
        }
    }

    fn renamed(
        &mut self,
        subject: &Subject,
        what: &str,
        (old, new): (&str, &str),
        origins: Origins<'_>,
    ) {
        let message = format!("the Rust {what} {} is {} now", code(old), code(new));
        self.tell(subject, message, origins, false);
    }

    fn retyped(
        &mut self,
        subject: &Subject,
        what: &str,
        (old, new): (&Type, &Type),
        origins: Origins<'_>,
    ) {
        let message = format!(
            "the {what} was {} in Rust and is {} now",
            code(&rust(&self.old.plan, old)),
            code(&rust(&self.new.plan, new))
        );
        self.tell(subject, message, origins, true);
    }

    fn tell(
        &mut self,
        subject: &Subject,
        message: String,
        origins: Origins<'_>,
        follows_wire: bool,
    ) {
        self.moved.push(Moved {
            subject: subject.clone(),
            message,
            old: origins.0.to_vec(),
            new: origins.1.to_vec(),
            follows_wire,
        });
    }
}

fn as_slice(origin: &Quiet<Option<Origin>>) -> &[Origin] {
    origin.0.as_slice()
}

/// A name within a type, as Rust documentation spells it.
fn path(item: &Item, name: &str) -> String {
    format!("{}::{name}", item.name)
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn rust(plan: &Plan, ty: &Type) -> String {
    types::rust(plan, ty).to_string().replace(' ', "")
}

fn field_type(plan: &Plan, field: &Field) -> String {
    let ty = rust(plan, &field.ty);
    if field.required {
        ty
    } else {
        format!("Option<{ty}>")
    }
}

fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Struct(_) => "a struct",
        Kind::Union(_) => "an enum of variants",
        Kind::Mixed(_) => "an enum of JSON types",
        Kind::OpenEnum(_) => "an open enum",
        Kind::ClosedEnum(_) => "a closed enum",
        Kind::Text(_) => "a string",
    }
}
