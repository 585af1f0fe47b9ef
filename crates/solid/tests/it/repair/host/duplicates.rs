//! Duplicate faces.
use crate::repair::host::edges::{Edge, Edges, before, start};
use rayon::prelude::*;

/// Finds the faces with the three vertices of an earlier one in any order, ascending, each with the first of
/// these. Takes O(k log k) for an edge of k sides.
pub(crate) fn duplicates(edges: &Edges, faces: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut found: Vec<[u32; 2]> = edges.pick(|edge| at(&edge, faces)).into_iter().flatten().collect();
    found.par_sort_unstable();
    found
}

/// The duplicates of which `edge` has the two lesser vertices, so that each face is examined once.
fn at(edge: &Edge<'_>, faces: &[[u32; 3]]) -> Option<Vec<[u32; 2]>> {
    if edge.len() < 2 {
        return None;
    }
    let third = |side: u32| start(faces, before(side));
    let greatest = |side: &u32| third(*side) > edge.ends[1];
    if let Some([a, b]) = edge.pair() {
        return (greatest(&a) && third(a) == third(b)).then(|| vec![[b / 3, a / 3]]);
    }
    let mut by_third: Vec<[u32; 2]> =
        edge.sides().filter(greatest).map(|side| [third(side), side / 3]).collect();
    by_third.sort_unstable();
    let same = by_third.chunk_by(|a, b| a[0] == b[0]);
    let pairs = same.flat_map(|same| same[1..].iter().map(|later| [later[1], same[0][1]]));
    Some(pairs.collect())
}
