//! Cuts of faces that cannot be oriented. What is decided about them is decided about *patches*: sets of
//! faces that agree across their edges.
use crate::repair::linked::Side;
use std::collections::VecDeque;

/// Edges at which faces cannot be oriented.
#[derive(Default)]
pub(crate) struct Cuts {
    /// The sides, of which each is the lesser one at its edge; ascending.
    pub sides: Vec<Side>,
    /// Components that have such edges.
    pub components: u64,
}

/// Finds the edges where joining patches across edges at which they disagree is a contradiction.
/// `disagreeing`: the lesser sides of these edges, ascending; `patches`: the least faces of the two patches
/// of each.
///
/// Breadth-first from the first such edge of each component, so that a patch is turned if it is an odd number
/// of edges away. Linear in these edges but for a sort.
pub(crate) fn cuts(disagreeing: Vec<Side>, patches: &[[u32; 2]]) -> Cuts {
    const UNSEEN: u8 = 2;
    let mut labels = patches.as_flattened().to_vec();
    labels.sort_unstable();
    labels.dedup();
    let number = |label: u32| labels.partition_point(|other| *other < label) as u32;
    let ends: Vec<[u32; 2]> = patches.iter().map(|pair| pair.map(number)).collect();
    // the neighbours of each patch
    let mut starts = vec![0_usize; labels.len() + 1];
    ends.iter().flatten().for_each(|&patch| starts[patch as usize + 1] += 1);
    (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
    let mut neighbours = vec![0; 2 * ends.len()];
    let mut cursors = starts.clone();
    for [a, b] in ends.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
        neighbours[cursors[a as usize]] = b;
        cursors[a as usize] += 1;
    }
    let mut turned = vec![UNSEEN; labels.len()];
    let mut component = vec![0_u32; labels.len()];
    for (number, &[first, _]) in (0..).zip(&ends) {
        if turned[first as usize] != UNSEEN {
            continue;
        }
        turned[first as usize] = 0;
        component[first as usize] = number;
        let mut next = VecDeque::from([first]);
        while let Some(patch) = next.pop_front() {
            for &other in &neighbours[starts[patch as usize]..starts[patch as usize + 1]] {
                if turned[other as usize] == UNSEEN {
                    turned[other as usize] = turned[patch as usize] ^ 1;
                    component[other as usize] = number;
                    next.push_back(other);
                }
            }
        }
    }
    let mut found = Cuts::default();
    let mut cut = vec![];
    for (side, &[a, b]) in disagreeing.into_iter().zip(&ends) {
        if turned[a as usize] == turned[b as usize] {
            found.sides.push(side);
            cut.push(component[a as usize]);
        }
    }
    cut.sort_unstable();
    cut.dedup();
    found.components = cut.len() as u64;
    found
}
