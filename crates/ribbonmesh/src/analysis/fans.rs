//! Vertices with several fans of faces.
use rayon::prelude::*;
use ribbonmesh_mesh::UnionFind;

/// Vertices whose faces are not connected across the edges at the vertex. `offsets` and ids: the faces of
/// each vertex, rows of VF. Takes O(d log d) for a vertex of d faces.
pub(super) fn vertices_of_several_fans(fv: &[u32], offsets: &[u32], faces: &[u32]) -> usize {
    let several = |pairs: &mut Vec<(u32, u32)>, v: usize| {
        let row = &faces[offsets[v] as usize..offsets[v + 1] as usize];
        row.len() > 1 && fans(v as u32, row, fv, pairs) > 1
    };
    let vertices = (0..offsets.len().saturating_sub(1)).into_par_iter();
    vertices.map_init(Vec::new, |pairs, v| usize::from(several(pairs, v))).sum()
}

/// Groups of the faces in `row` that share edges at `v`.
fn fans(v: u32, row: &[u32], fv: &[u32], pairs: &mut Vec<(u32, u32)>) -> usize {
    pairs.clear();
    for (i, &face) in (0..).zip(row) {
        let corners = &fv[3 * face as usize..][..3];
        for side in 0..3 {
            let (a, b) = (corners[side], corners[(side + 1) % 3]);
            if a == v {
                pairs.push((b, i));
            } else if b == v {
                pairs.push((a, i));
            }
        }
    }
    pairs.sort_unstable();
    let mut sets = UnionFind::new(row.len());
    for two in pairs.windows(2).filter(|two| two[0].0 == two[1].0) {
        sets.join(two[0].1, two[1].1);
    }
    sets.count()
}
