//! The coarsest partition in which what is in one class leads to the same classes.

use crate::maps::IndexMap;

/// What leads to what, by number.
pub(super) struct Graph {
    /// What leads to each, one after the other, and where each begins.
    before: Vec<u32>,
    begins: Vec<u32>,
}

impl Graph {
    /// A graph of that many, with an edge from the second to the first of each pair.
    pub(super) fn new(total: u32, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut begins = vec![0; total as usize + 1];
        for (to, _) in &edges {
            begins[*to as usize + 1] += 1;
        }
        for index in 1..begins.len() {
            begins[index] += begins[index - 1];
        }
        Self {
            before: edges.into_iter().map(|(_, from)| from).collect(),
            begins,
        }
    }

    fn before(&self, at: u32) -> &[u32] {
        let (from, to) = (self.begins[at as usize], self.begins[at as usize + 1]);
        &self.before[from as usize..to as usize]
    }

    /// The class of each. `key` gives one number for equal ways to lead to classes; `spend` is told
    /// how many are looked at, and ends it where that is too much.
    ///
    /// All that is looked at in one round and was in one class is told apart by its keys. What was
    /// not looked at leads to what it led to before, so it still is one part; what was looked at has
    /// a key that names something split off, which no other one does. Of all parts the largest keeps
    /// the number of the class, so each is split off, and what leads to it looked at again, no more
    /// often than its class can be halved.
    pub(super) fn classes(
        &self,
        mut key: impl FnMut(&[u32], u32) -> u32,
        mut spend: impl FnMut(usize) -> Option<()>,
    ) -> Option<Vec<u32>> {
        let total = self.begins.len() - 1;
        let mut classes = vec![0_u32; total];
        let mut members: Vec<Vec<u32>> = vec![(0..).take(total).collect()];
        // Where each is among the members of its class.
        let mut places: Vec<usize> = (0..total).collect();
        let mut dirty: Vec<u32> = members[0].clone();
        let mut marked = vec![false; total];
        while !dirty.is_empty() {
            spend(dirty.len())?;
            // In the order in which they are met: numbers do not depend on how a map is laid out.
            let mut groups: IndexMap<u32, IndexMap<u32, Vec<u32>>> = IndexMap::default();
            for at in &dirty {
                let parts = groups.entry(classes[*at as usize]).or_default();
                parts.entry(key(&classes, *at)).or_default().push(*at);
            }
            let mut split_off = Vec::new();
            for (class, parts) in groups {
                let mut parts: Vec<Vec<u32>> = parts.into_values().collect();
                let mut rest = std::mem::take(&mut members[class as usize]);
                for at in parts.iter().flatten() {
                    let place = places[*at as usize];
                    rest.swap_remove(place);
                    if let Some(moved) = rest.get(place) {
                        places[*moved as usize] = place;
                    }
                }
                // The largest keeps the number: what was not looked at, or else the first of the others.
                let largest = parts.iter().map(Vec::len).enumerate();
                let largest = largest.max_by_key(|(at, count)| (*count, usize::MAX - at));
                if let Some((at, count)) = largest
                    && count > rest.len()
                {
                    std::mem::swap(&mut rest, &mut parts[at]);
                    for (place, at) in rest.iter().enumerate() {
                        places[*at as usize] = place;
                    }
                }
                members[class as usize] = rest;
                for part in parts.into_iter().filter(|part| !part.is_empty()) {
                    let fresh = u32::try_from(members.len()).unwrap_or(u32::MAX);
                    for (place, at) in part.iter().enumerate() {
                        places[*at as usize] = place;
                        split_off.push((*at, fresh));
                    }
                    members.push(part);
                }
            }
            for at in &dirty {
                marked[*at as usize] = false;
            }
            dirty.clear();
            for (at, class) in split_off {
                classes[at as usize] = class;
                for before in self.before(at) {
                    if !std::mem::replace(&mut marked[*before as usize], true) {
                        dirty.push(*before);
                    }
                }
            }
            dirty.sort_unstable();
        }
        Some(classes)
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use crate::maps::HashMap;

    /// Splits everything in every round until nothing changes.
    fn naive(next: &[Vec<u32>], colours: &[u32]) -> Vec<u32> {
        let mut classes = colours.to_vec();
        loop {
            let mut numbers = HashMap::default();
            let refined: Vec<u32> = (0..next.len())
                .map(|at| {
                    let to: Vec<u32> = next[at].iter().map(|to| classes[*to as usize]).collect();
                    let fresh = u32::try_from(numbers.len()).expect("few");
                    *numbers.entry((classes[at], to)).or_insert(fresh)
                })
                .collect();
            let count = |classes: &[u32]| classes.iter().collect::<crate::maps::HashSet<_>>().len();
            if count(&refined) == count(&classes) {
                return refined;
            }
            classes = refined;
        }
    }

    #[test]
    fn looking_again_at_what_changed_finds_what_looking_at_everything_finds() {
        let mut state = 7_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for total in 1..60_u32 {
            let next: Vec<Vec<u32>> = (0..total)
                .map(|_| (0..random(3)).map(|_| random(total)).collect())
                .collect();
            let colours: Vec<u32> = (0..total).map(|_| random(2)).collect();
            let mut edges = Vec::new();
            for (from, targets) in (0..).zip(&next) {
                edges.extend(targets.iter().map(|to| (*to, from)));
            }
            let mut numbers: HashMap<(u32, Vec<u32>), u32> = HashMap::default();
            let key = |classes: &[u32], at: u32| {
                let to = next[at as usize].iter();
                let to = to.map(|to| classes[*to as usize]).collect();
                let fresh = u32::try_from(numbers.len()).expect("few");
                *numbers.entry((colours[at as usize], to)).or_insert(fresh)
            };
            let found = Graph::new(total, edges).classes(key, |_| Some(()));
            let found = found.expect("no budget");
            let expected = naive(&next, &colours);
            for one in 0..total as usize {
                for other in 0..total as usize {
                    assert_eq!(
                        found[one] == found[other],
                        expected[one] == expected[other],
                        "{one} and {other} of {next:?} {colours:?}"
                    );
                }
            }
        }
    }
}
