//! Different values for different takers, each out of a list of its own.

use super::term::Map;
use std::hash::Hash;
use std::rc::Rc;

/// For each taker the index of its value in its list, so that no two take values of the same key;
/// `None` where there is no such choice. Takers may share a list.
pub(super) fn matching<'l, T, K: Hash + Eq>(
    lists: &'l [Rc<Vec<T>>],
    key: impl Fn(&'l T) -> K,
) -> Option<Vec<usize>> {
    // Values that are the same in different lists get one number.
    let mut numbers: Map<K, usize> = Map::default();
    let mut shared: Map<*const Vec<T>, Rc<Vec<usize>>> = Map::default();
    let mut numbered: Vec<Rc<Vec<usize>>> = Vec::new();
    for list in lists {
        let made = shared.entry(Rc::as_ptr(list)).or_insert_with(|| {
            let mut number = |value| {
                let next = numbers.len();
                *numbers.entry(key(value)).or_insert(next)
            };
            Rc::new(list.iter().map(&mut number).collect())
        });
        numbered.push(made.clone());
    }
    let mut taken: Vec<Option<usize>> = vec![None; numbers.len()];
    for taker in 0..lists.len() {
        // Most find a value that is free, and need not move anybody.
        let free = numbered[taker]
            .iter()
            .find(|value| taken[**value].is_none());
        match free {
            Some(value) => taken[*value] = Some(taker),
            None => {
                let mut seen = vec![false; numbers.len()];
                if !take(taker, &numbered, &mut taken, &mut seen) {
                    return None;
                }
            }
        }
    }
    let mut chosen = vec![0; lists.len()];
    for (value, taker) in taken.iter().enumerate() {
        if let Some(taker) = taker {
            chosen[*taker] = numbered[*taker].iter().position(|other| *other == value)?;
        }
    }
    Some(chosen)
}

/// Finds a value for a taker, moving others where that frees one: an augmenting path. It is no
/// longer than there are takers, whose number is bounded.
fn take(
    taker: usize,
    lists: &[Rc<Vec<usize>>],
    taken: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for value in lists[taker].iter() {
        if std::mem::replace(&mut seen[*value], true) {
            continue;
        }
        let is_free = match taken[*value] {
            None => true,
            Some(holder) => take(holder, lists, taken, seen),
        };
        if is_free {
            taken[*value] = Some(taker);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::matching;
    use std::rc::Rc;

    #[test]
    fn others_move_where_that_frees_a_value() {
        let choose = |lists: &[&[u8]]| {
            let lists: Vec<_> = lists.iter().map(|list| Rc::new(list.to_vec())).collect();
            matching(&lists, |value| *value)
        };
        assert_eq!(choose(&[&[1, 2], &[1]]), Some(vec![1, 0]));
        assert_eq!(choose(&[&[1, 2], &[2, 3], &[1]]), Some(vec![1, 1, 0]));
        assert_eq!(choose(&[&[1], &[1]]), None);
        assert_eq!(choose(&[&[]]), None);
        assert_eq!(choose(&[]), Some(vec![]));
    }

    #[test]
    fn takers_of_one_list_take_different_values() {
        let list = Rc::new((0..500).collect::<Vec<u32>>());
        let mut lists = vec![list; 500];
        let chosen = matching(&lists, |value| *value).expect("as many values as takers");
        let distinct: std::collections::HashSet<usize> = chosen.into_iter().collect();
        assert_eq!(distinct.len(), 500);
        lists.push(lists[0].clone());
        assert_eq!(matching(&lists, |value| *value), None);
    }
}
