//! Alternatives that take one value, and the `oneOf`s whose branches exclude each other.

/// The branches behind an alternative: the number of the `oneOf` and that of its branch, the
/// outermost `oneOf` first.
type Branches<'a> = &'a [(u32, u32)];

/// Whether some of these alternatives, all of which take the value, holds.
///
/// A `oneOf` with two branches that hold is none that does, and takes all its alternatives with it.
/// Inner ones are asked first: what they refuse counts for no outer one.
pub(super) fn some_holds(mut alternatives: Vec<Branches<'_>>) -> bool {
    for owner in inner_first(&alternatives) {
        let branch = |one: &Branches<'_>| {
            let own = one.iter().find(|(other, _)| *other == owner);
            own.map(|(_, branch)| *branch)
        };
        let mut taken = alternatives.iter().filter_map(branch);
        let first = taken.next();
        if taken.any(|other| Some(other) != first) {
            alternatives.retain(|one| branch(one).is_none());
        }
    }
    !alternatives.is_empty()
}

/// The `oneOf`s, each before those that it stands in.
fn inner_first(alternatives: &[Branches<'_>]) -> Vec<u32> {
    let mut depths: Vec<(u32, usize)> = Vec::new();
    let depth = |depths: &[(u32, usize)], owner: u32| {
        let known = depths.iter().position(|(one, _)| *one == owner);
        known.map_or((None, 0), |index| (Some(index), depths[index].1))
    };
    // Paths that leave out what excludes nothing tell depths only together.
    loop {
        let mut grew = false;
        for path in alternatives {
            let mut least = 0;
            for (owner, _) in *path {
                let (index, known) = depth(&depths, *owner);
                let now = known.max(least);
                match index {
                    Some(index) if known < now => (depths[index].1, grew) = (now, true),
                    Some(_) => {}
                    None => {
                        depths.push((*owner, now));
                        grew = true;
                    }
                }
                least = now + 1;
            }
        }
        // `oneOf`s that stand in each other are no schema; the bound is for what is none.
        let most = depths.iter().map(|(_, depth)| *depth).max();
        if !grew || most.unwrap_or(0) > depths.len() {
            break;
        }
    }
    depths.sort_by_key(|(_, depth)| std::cmp::Reverse(*depth));
    depths.into_iter().map(|(owner, _)| owner).collect()
}

#[cfg(test)]
mod tests {
    use super::some_holds;

    #[test]
    fn inner_choices_are_settled_before_outer_ones() {
        let holds = |paths: &[&[(u32, u32)]]| some_holds(paths.to_vec());
        assert!(holds(&[&[]]));
        assert!(!holds(&[&[(0, 0)], &[(0, 1)]]));
        assert!(holds(&[&[(0, 0)], &[(0, 0)]]));
        assert!(holds(&[&[(0, 0)], &[(0, 1)], &[]]), "anyOf beside it");
        let inner: &[&[(u32, u32)]] = &[&[(0, 0)], &[(0, 1), (1, 0)], &[(0, 1), (1, 1)]];
        assert!(holds(inner), "the inner one refuses its branch");
        let short: &[&[(u32, u32)]] = &[&[(0, 0)], &[(1, 0)], &[(0, 1), (1, 1)]];
        assert!(holds(short), "also where a path leaves the outer one out");
        assert!(!holds(&[&[(0, 0), (1, 0)], &[(0, 0), (1, 1)]]));
    }
}
