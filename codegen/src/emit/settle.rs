//! Settles a plan: equal items become one, all get names, and recursion is boxed.

use super::Untyped;
use super::names::{self, Scope};
use super::plan::{Context, Item, ItemId, Kind, Plan, Type};
use crate::wire::Wire;
use std::collections::{HashMap, HashSet};

/// Merges items that are called the same and have the same shape, however deep.
///
/// One definition that is met on two ways (with other documentation around it, say) would
/// otherwise give two types that nobody can tell apart.
pub(super) fn merge(plan: &mut Plan) {
    let mut classes: Vec<usize> = vec![0; plan.items.len()];
    let mut count = 0;
    loop {
        let mut known: HashMap<(usize, String), usize> = HashMap::new();
        let mut next = Vec::with_capacity(classes.len());
        for (index, item) in plan.items.iter().enumerate() {
            let key = (classes[index], shape(item, index, &classes));
            let fresh = known.len();
            next.push(*known.entry(key).or_insert(fresh));
        }
        classes = next;
        if known.len() == count {
            break;
        }
        count = known.len();
    }
    // The first item of each class stays, so that order is that of the schema.
    let mut first: HashMap<usize, ItemId> = HashMap::new();
    let mut kept = Vec::new();
    for (index, class) in classes.iter().enumerate() {
        first.entry(*class).or_insert_with(|| {
            kept.push(index);
            ItemId(kept.len() - 1)
        });
    }
    let target = |id: ItemId| {
        classes
            .get(id.0)
            .and_then(|class| first.get(class))
            .copied()
            .unwrap_or(id)
    };
    let mut change = |ty: &mut Type, _: bool| {
        if let Type::Named(id) = ty {
            *id = target(*id);
        }
    };
    for item in &mut plan.items {
        item.kind
            .types()
            .into_iter()
            .for_each(|ty| ty.visit(true, &mut change));
        item.context.parent = item.context.parent.map(target);
    }
    plan.notes
        .iter_mut()
        .for_each(|note| note.context.parent = note.context.parent.map(target));
    plan.roots
        .iter_mut()
        .for_each(|root| root.ty.visit(true, &mut change));
    plan.items = kept
        .into_iter()
        .filter_map(|index| plan.items.get(index).cloned())
        .collect();
}

/// What makes two items the same: what they are called and what they hold. Items without a name
/// of their own stay apart, so that one can change without renaming the other, unless they stand at
/// the same place of items that are the same; only constrained strings, which differ in nothing but
/// their constraints, are one where their members are called the same.
fn shape(item: &Item, index: usize, classes: &[usize]) -> String {
    let name = match (&item.called, &item.kind) {
        (Some(name), _) => format!("called {name}"),
        (None, Kind::Text(_)) => format!("text {}", item.context.part),
        (None, _) => match item.context.parent.and_then(|parent| classes.get(parent.0)) {
            Some(parent) => format!("part {} of {parent}", item.context.part),
            None => format!("item {index}"),
        },
    };
    let mut kind = item.kind.clone();
    let mut change = |ty: &mut Type, _: bool| {
        if let Type::Named(id) = ty {
            *id = ItemId(classes.get(id.0).copied().unwrap_or(usize::MAX));
        }
    };
    kind.types()
        .into_iter()
        .for_each(|ty| ty.visit(true, &mut change));
    format!("{name} {kind:?}")
}

/// Names all items: first those the schema calls something, then those named by their place.
pub(super) fn name(plan: &mut Plan, reserved: &[&str]) {
    let mut scope = Scope::types();
    for name in reserved {
        scope.take(name);
    }
    for index in by_declaration(plan) {
        if let Some(item) = plan.items.get_mut(index)
            && let Some(called) = &item.called
        {
            item.name = scope.take(&names::pascal(called));
        }
    }
    for index in 0..plan.items.len() {
        let name = match plan.items.get(index) {
            Some(item) if item.name.is_empty() => by_place(plan, item, &scope),
            _ => continue,
        };
        let name = scope.take(&name);
        if let Some(item) = plan.items.get_mut(index) {
            item.name = name;
        }
    }
    let named: Vec<String> = plan.items.iter().map(|item| item.name.clone()).collect();
    for item in &mut plan.items {
        if let Kind::Union(union) = &mut item.kind {
            name_arms(union, &named);
        }
    }
}

/// The items in the order of their declarations, so that which of two equal names gets a number
/// does not depend on where each is met first. Holders of the unknown come before all others: what
/// consumers match on keeps its name where a catch-all is referred to as an object, too.
fn by_declaration(plan: &Plan) -> Vec<usize> {
    let mut order: Vec<usize> = (0..plan.items.len()).collect();
    order.sort_by_key(|index| {
        let item = &plan.items[*index];
        let is_holder = matches!(&item.kind, Kind::Struct(shape) if shape.unknown_tags > 0);
        let declared = item.origins.first().map(|origin| {
            let (file, _) = origin.pointer.split_once('#').unwrap_or_default();
            (file, origin.position.line, origin.position.column)
        });
        (!is_holder, declared)
    });
    order
}

fn by_place(plan: &Plan, item: &Item, scope: &Scope) -> String {
    let own = names::pascal(&item.context.part);
    if matches!(item.kind, Kind::Text(_)) && scope.is_free(&own) {
        return own;
    }
    match item.context.parent.and_then(|id| plan.items.get(id.0)) {
        // An item that was met before the item around it was named goes by its own part alone.
        Some(parent) if !parent.name.is_empty() => format!("{}{own}", parent.name),
        _ => own,
    }
}

/// Arms are named by their tags; where there are none, by their type.
fn name_arms(union: &mut super::plan::Union, named: &[String]) {
    let mut scope = Scope::with(&["Unknown"]);
    let mut unknown: HashSet<String> = HashSet::new();
    for arm in &mut union.arms {
        if arm.is_unknown {
            let name = names::pascal(&arm.name);
            unknown.insert(name.clone());
            scope.take(&name);
            arm.name = name;
        }
    }
    for arm in union.arms.iter_mut().filter(|arm| !arm.is_unknown) {
        let name = if arm.name.is_empty() {
            by_type(&arm.ty, named)
        } else {
            names::pascal(&arm.name)
        };
        arm.name = scope.take(&name);
    }
}

fn by_type(ty: &Type, named: &[String]) -> String {
    match ty {
        Type::Named(id) => named
            .get(id.0)
            .cloned()
            .unwrap_or_else(|| "Value".to_owned()),
        Type::Boxed(inner) | Type::Nullable(inner) => by_type(inner, named),
        Type::Map(_) => "Map".to_owned(),
        _ => "Object".to_owned(),
    }
}

/// What is typed loosely, by the names of the types.
pub(super) fn untyped(plan: &Plan, wire: &Wire) -> Vec<Untyped> {
    let place = |context: &Context| match context.parent.and_then(|id| plan.items.get(id.0)) {
        Some(item) => format!("{}.{}", item.name, context.part),
        None => context.part.clone(),
    };
    let mut untyped: Vec<Untyped> = plan
        .notes
        .iter()
        .map(|note| Untyped {
            place: place(&note.context),
            reason: note.reason.clone(),
            origin: note.origin.clone(),
            is_value: note.is_value,
        })
        .collect();
    // What could not be read at all is no less loose for standing where no type comes from it.
    for undecided in &wire.undecided {
        let is_told = |place: &Untyped| {
            let at = place.origin.as_ref().map(|origin| &origin.pointer);
            at == Some(&undecided.origin.pointer)
        };
        if !untyped.iter().any(is_told) {
            untyped.push(Untyped {
                place: undecided.keyword.clone(),
                reason: format!("it is not checked: {}", undecided.why),
                origin: Some(undecided.origin.clone()),
                is_value: false,
            });
        }
    }
    // One declaration may be met on several ways; its first place stands for it.
    untyped.sort_by(|left, right| (&left.place, &left.reason).cmp(&(&right.place, &right.reason)));
    untyped.dedup_by(|left, right| (&left.place, &left.reason) == (&right.place, &right.reason));
    untyped
}

/// Boxes what an item holds by value and what leads back to it.
pub(super) fn box_recursion(plan: &mut Plan) {
    let inline: Vec<Vec<usize>> = plan
        .items
        .iter()
        .map(|item| inline_references(&item.kind))
        .collect();
    let components = components(&inline);
    for (index, item) in plan.items.iter_mut().enumerate() {
        for ty in item.kind.types() {
            ty.visit(true, &mut |ty, by_value| {
                let Type::Named(id) = ty else { return };
                let recursive = components.get(id.0) == components.get(index)
                    && (id.0 != index || inline[index].contains(&index));
                if by_value && recursive {
                    *ty = Type::Boxed(Box::new(Type::Named(*id)));
                }
            });
        }
    }
}

fn inline_references(kind: &Kind) -> Vec<usize> {
    kind.references()
        .into_iter()
        .filter(|(_, inline)| *inline)
        .map(|(id, _)| id.0)
        .collect()
}

/// The number of the strongly connected component of each node (Tarjan, without recursion).
fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = edges.len();
    let (mut order, mut low, mut component) =
        (vec![NONE; count], vec![0; count], vec![NONE; count]);
    let (mut stack, mut next) = (Vec::new(), 0);
    for root in 0..count {
        if order[root] != NONE {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
            }
            if let Some(target) = edges[node].get(edge).copied() {
                calls.push((node, edge + 1));
                if order[target] == NONE {
                    calls.push((target, 0));
                } else if component[target] == NONE {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = node;
                    if member == node {
                        break;
                    }
                }
            }
            if let Some((caller, _)) = calls.last() {
                low[*caller] = low[*caller].min(low[node]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn cycles_share_a_component_and_chains_do_not() {
        let found = components(&[vec![1], vec![2], vec![0, 3], vec![4], vec![], vec![5]]);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[1], found[2]);
        assert!(found[3] != found[2] && found[4] != found[3] && found[5] != found[4]);
    }
}
