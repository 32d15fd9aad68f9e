//! Different values for different takers, each out of a list of its own.

/// For each taker the index of its value in its list, so that no two take the same; `None` where
/// there is no such choice.
pub(super) fn matching<T>(
    lists: &[Vec<T>],
    same: impl Fn(&T, &T) -> bool + Copy,
) -> Option<Vec<usize>> {
    // Values that are the same in different lists get one number.
    let mut distinct: Vec<&T> = Vec::new();
    let mut numbered: Vec<Vec<usize>> = Vec::new();
    for list in lists {
        let number = |value| match distinct.iter().position(|other| same(other, value)) {
            Some(number) => number,
            None => {
                distinct.push(value);
                distinct.len() - 1
            }
        };
        numbered.push(list.iter().map(number).collect());
    }
    let mut taken: Vec<Option<usize>> = vec![None; distinct.len()];
    for taker in 0..lists.len() {
        if !take(
            taker,
            &numbered,
            &mut taken,
            &mut vec![false; distinct.len()],
        ) {
            return None;
        }
    }
    let mut chosen = vec![0; lists.len()];
    for (value, taker) in taken.iter().enumerate() {
        if let Some(taker) = taker {
            chosen[*taker] = numbered[*taker].iter().position(|other| other == &value)?;
        }
    }
    Some(chosen)
}

/// Finds a value for a taker, moving others where that frees one: an augmenting path.
fn take(
    taker: usize,
    lists: &[Vec<usize>],
    taken: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for value in &lists[taker] {
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

    #[test]
    fn others_move_where_that_frees_a_value() {
        let same = |one: &u8, other: &u8| one == other;
        assert_eq!(matching(&[vec![1, 2], vec![1]], same), Some(vec![1, 0]));
        assert_eq!(
            matching(&[vec![1, 2], vec![2, 3], vec![1]], same),
            Some(vec![1, 1, 0])
        );
        assert_eq!(matching(&[vec![1], vec![1]], same), None);
        assert_eq!(matching::<u8>(&[vec![]], same), None);
        assert_eq!(matching::<u8>(&[], same), Some(vec![]));
    }
}
