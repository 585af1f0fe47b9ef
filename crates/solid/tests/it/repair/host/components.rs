//! Components of few faces.
use crate::repair::host::links::Links;
use ribbonmesh_mesh::SidedUnionFind;

/// Sets of faces that are linked; their orientations agree. Linear.
pub(crate) fn connected(faces: usize, links: &Links) -> SidedUnionFind {
    let mut sets = SidedUnionFind::new(faces);
    for side in 0..3 * faces as u32 {
        if let Some(across) = links.across(side).filter(|&across| across > side) {
            sets.join(side / 3, across / 3, false);
        }
    }
    sets
}

/// The components of fewer than `below` faces, each with its faces, ascending. Linear but for sorting these
/// faces.
pub(crate) fn small(faces: &[[u32; 3]], links: &Links, below: u32) -> Vec<Vec<u32>> {
    let mut sets = connected(faces.len(), links);
    let roots: Vec<u32> = (0..faces.len() as u32).map(|face| sets.root(face).0).collect();
    let mut counts = vec![0; faces.len()];
    roots.iter().for_each(|&root| counts[root as usize] += 1);
    let mut found: Vec<(u32, u32)> =
        roots.into_iter().zip(0..).filter(|&(root, _)| counts[root as usize] < below).collect();
    found.sort_unstable();
    let components = found.chunk_by(|a, b| a.0 == b.0);
    components.map(|component| component.iter().map(|entry| entry.1).collect()).collect()
}
