//! References that lead back to themselves without a step into the document.

use super::{Document, Schema, SchemaId, Target};

impl Document {
    /// The schemas with a reference that takes part in a loop: whoever follows it comes back to
    /// the same schema for the same value. No dialect says what such a schema accepts.
    ///
    /// Schemas alone form a tree, so every loop has a reference in it, and without those that join
    /// two schemas of one strongly connected component there is no loop left.
    pub(super) fn references_in_loops(&self) -> Vec<SchemaId> {
        let refers =
            |schema: &Schema| schema.reference.is_some() || schema.dynamic_reference.is_some();
        if !self.schemas.iter().any(refers) {
            return Vec::new();
        }
        let component = components(self.schemas.len(), &|id| self.in_place(SchemaId(id)));
        let loops = |id: SchemaId| {
            let home = component[id.0 as usize];
            let targets = self.reference_targets(id);
            targets
                .iter()
                .any(|target| component[target.0 as usize] == home)
        };
        let all = (0..self.schemas.len()).filter_map(|id| Some(SchemaId(u32::try_from(id).ok()?)));
        all.filter(|id| loops(*id)).collect()
    }

    /// Those of some looping references that add nothing: a schema that asks, by `allOf` alone, that
    /// it hold itself asks for no more than the rest of it says. Validators that do not run in
    /// circles agree on that one form. What is evaluated on the way round is another matter, so a loop
    /// with `unevaluated*` in it is none of these.
    pub(super) fn references_that_add_nothing(&self, loops: &[SchemaId]) -> Vec<SchemaId> {
        let component = components(self.schemas.len(), &|id| self.in_place(SchemaId(id)));
        let home = |id: &SchemaId| component[id.0 as usize];
        let all = (0..self.schemas.len()).filter_map(|id| Some(SchemaId(u32::try_from(id).ok()?)));
        let targets: Vec<SchemaId> = all.flat_map(|id| self.reference_targets(id)).collect();
        let adds_nothing = |id: &&SchemaId| {
            let schema = self.schema(**id);
            let Some(Target::Schema(target)) = &schema.reference else {
                return false;
            };
            let from = &self.schema(*target).pointer;
            let Some(way) = schema.pointer.strip_prefix(&**from) else {
                return false;
            };
            let steps: Vec<&str> = way.split('/').skip(1).collect();
            let by_all_of = !steps.is_empty()
                && steps.chunks(2).all(|step| {
                    matches!(step, ["allOf", index] if index.bytes().all(|byte| byte.is_ascii_digit()))
                });
            // Who enters the loop in its middle comes round to where it entered, not to the target.
            let entered = targets
                .iter()
                .any(|other| other != target && home(other) == home(id));
            let alone = loops.iter().filter(|other| home(other) == home(id)).count() == 1;
            let plain = !self.schemas.iter().zip(&component).any(|(other, home)| {
                *home == component[id.0 as usize]
                    && (other.unevaluated_items.is_some() || other.unevaluated_properties.is_some())
            });
            by_all_of && alone && !entered && plain && schema.dynamic_reference.is_none()
        };
        loops.iter().filter(adds_nothing).copied().collect()
    }

    /// Where the references of a schema may lead, whatever the dynamic scope.
    fn reference_targets(&self, id: SchemaId) -> Vec<SchemaId> {
        let schema = self.schema(id);
        let mut targets = Vec::new();
        let dynamic = schema.dynamic_reference.as_ref();
        for target in schema
            .reference
            .iter()
            .chain(dynamic.map(|(_, target)| target))
        {
            if let Target::Schema(target) = target {
                targets.push(*target);
            }
        }
        if let Some((name, _)) = dynamic
            && self.is_dynamic(id)
        {
            let declared = self.resources.iter();
            targets.extend(declared.filter_map(|one| one.dynamic_anchors.get(name).copied()));
        }
        targets
    }

    /// The schemas that a schema applies to the value it is itself applied to.
    fn in_place(&self, id: SchemaId) -> Vec<SchemaId> {
        let schema = self.schema(id);
        let mut next = self.reference_targets(id);
        next.extend(
            schema
                .all_of
                .iter()
                .chain(&schema.any_of)
                .chain(&schema.one_of),
        );
        next.extend(schema.not);
        if let Some(conditional) = schema.conditional {
            next.push(conditional.condition);
            next.extend(conditional.then);
            next.extend(conditional.otherwise);
        }
        next.extend(schema.dependent.schemas.iter().map(|(_, schema)| *schema));
        next
    }
}

/// The strongly connected component of each node (Tarjan, with a stack of its own, because chains
/// of references are as long as a schema makes them). A node that reaches itself only by an edge
/// to itself shares its component with no other, and that edge joins it to itself.
fn components(count: usize, next: &dyn Fn(u32) -> Vec<SchemaId>) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; count];
    let mut lowest = vec![UNSEEN; count];
    let mut component = vec![UNSEEN; count];
    let (mut time, mut found) = (0, 0);
    let mut open: Vec<usize> = Vec::new();
    for start in 0..count {
        if order[start] != UNSEEN {
            continue;
        }
        let children = |node: usize| next(u32::try_from(node).unwrap_or(u32::MAX)).into_iter();
        let mut path = vec![(start, children(start))];
        order[start] = time;
        lowest[start] = time;
        time += 1;
        open.push(start);
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            if let Some(child) = rest.next() {
                let child = child.0 as usize;
                if order[child] == UNSEEN {
                    order[child] = time;
                    lowest[child] = time;
                    time += 1;
                    open.push(child);
                    path.push((child, children(child)));
                } else if component[child] == UNSEEN {
                    lowest[node] = lowest[node].min(order[child]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[node]);
            }
            if lowest[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}
