//! Choice among faces with the same vertices.
use crate::repair::check::NONE;
use crate::repair::duplicates::duplicates;
use crate::repair::edges::Edges;
use ribbonmesh_mesh::UnionFind;

/// Faces with the same vertices that are dropped. Lists ascend.
#[derive(Default)]
pub(crate) struct Doubled {
    /// Faces that are dropped because another stays, each with that one.
    pub duplicates: Vec<[u32; 2]>,
    /// Faces that are all dropped, since they cancel each other.
    pub folded: Vec<u32>,
}

/// A set of faces with the same vertices, as many of one orientation as of the other.
struct Fold {
    /// Its faces, ascending.
    faces: Vec<u32>,
    /// Number of edges at which an even number of other faces, at least two, meet the set, minus the number
    /// of edges at which an odd number does.
    met: i32,
}

/// Decides which faces with the same vertices stay. The first face of the orientation that more of them have
/// stays. If both orientations have the same number, the faces enclose nothing: if they are a fold of a
/// surface, which closes without them, all are dropped; otherwise the first stays, as for a sheet that has a
/// face on both sides. Sets of faces that share edges are a fold if at least half of them are met by pairs of
/// other faces. Linear.
pub(crate) fn doubled(edges: &Edges, faces: &[[u32; 3]]) -> Doubled {
    let mut found = Doubled::default();
    let mut pairs = duplicates(edges, faces);
    pairs.sort_unstable_by_key(|&[face, first]| (first, face));
    let mut folds: Vec<Fold> = vec![];
    for same in pairs.chunk_by(|a, b| a[1] == b[1]) {
        let all: Vec<u32> = std::iter::once(same[0][1]).chain(same.iter().map(|pair| pair[0])).collect();
        let along = |face: &u32| turns_like(faces[*face as usize], faces[all[0] as usize]);
        let count = all.iter().filter(|face| along(face)).count();
        if 2 * count == all.len() {
            folds.push(Fold { faces: all, met: 0 });
            continue;
        }
        let majority = 2 * count > all.len();
        let kept = all.iter().copied().find(|face| along(face) == majority).unwrap_or(all[0]);
        found.duplicates.extend(all.iter().filter(|&&face| face != kept).map(|&face| [face, kept]));
    }
    if !folds.is_empty() {
        settle(folds, edges, faces.len(), &mut found);
    }
    found.duplicates.sort_unstable();
    found.folded.sort_unstable();
    found
}

/// Whether two faces with the same vertices have the same orientation.
fn turns_like(face: [u32; 3], other: [u32; 3]) -> bool {
    let [a, b, c] = face;
    [[a, b, c], [b, c, a], [c, a, b]].contains(&other)
}

/// Part of a face that is dropped or belongs to no set.
const ITSELF: u32 = NONE;
const NOTHING: u32 = NONE - 1;

/// Decides which sets of faces are dropped.
fn settle(mut folds: Vec<Fold>, edges: &Edges, faces: usize, found: &mut Doubled) {
    let mut part: Vec<u32> = vec![ITSELF; faces];
    found.duplicates.iter().for_each(|pair| part[pair[0] as usize] = NOTHING);
    for (number, fold) in (0..).zip(&folds) {
        fold.faces.iter().for_each(|&face| part[face as usize] = NOTHING);
        part[fold.faces[0] as usize] = number;
    }
    let at_folds = edges.pick(|edge| {
        let parts = || edge.sides().map(|side| part[side as usize / 3]);
        let of_folds: Vec<u32> = parts().filter(|&part| part < NOTHING).collect();
        let others = parts().filter(|&part| part == ITSELF).count();
        (!of_folds.is_empty()).then_some((of_folds, others))
    });
    let mut sets = UnionFind::new(folds.len());
    for (of_folds, others) in at_folds {
        for &fold in &of_folds {
            folds[fold as usize].met += match others {
                0 => 0,
                others if others.is_multiple_of(2) => 1,
                _ => -1,
            };
            sets.join(of_folds[0], fold);
        }
    }
    let mut met: Vec<i64> = vec![0; folds.len()];
    for (index, fold) in (0..).zip(&folds) {
        let root = sets.root(index) as usize;
        met[root] += if fold.met > 0 { 1 } else { -1 };
    }
    for (index, fold) in (0..).zip(&mut folds) {
        let root = sets.root(index) as usize;
        let all = std::mem::take(&mut fold.faces);
        if met[root] >= 0 {
            found.folded.extend(all);
        } else {
            found.duplicates.extend(all[1..].iter().map(|&face| [face, all[0]]));
        }
    }
}
