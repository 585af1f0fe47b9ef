//! Components, orientability, boundary loops.
use super::sides::Sides;
use ribbonmesh_device::NONE;
use ribbonmesh_mesh::{SidedUnionFind, UnionFind};

/// Components of faces connected across edges.
pub(super) struct Components {
    /// Number of components.
    pub count: usize,
    /// Whether all faces can be oriented consistently. Meaningless if an edge has more than two sides of
    /// faces.
    pub orientable: bool,
}

/// Two faces with a common edge are in one component. Nearly linear in the faces.
pub(super) fn components(sides: &Sides) -> Components {
    let mut sets = SidedUnionFind::new(sides.fv.len() / 3);
    let mut orientable = true;
    // the first side that is this edge
    let mut first = vec![NONE; sides.ev.len() / 2];
    for (i, &edge) in sides.fe.iter().enumerate() {
        let seen = &mut first[edge as usize];
        if *seen == NONE {
            *seen = i as u32;
        } else {
            let same_direction = sides.forward(*seen as usize) == sides.forward(i);
            orientable &= sets.join(i as u32 / 3, *seen / 3, same_direction);
        }
    }
    Components { count: sets.count(), orientable }
}

/// Closed walks along boundary edges of a manifold, where each vertex has none or two of them. Nearly linear
/// in the mesh.
pub(super) fn boundary_loops(vertices: usize, sides: &Sides, boundary: &[u32]) -> usize {
    let mut sets = UnionFind::new(vertices);
    let mut on_boundary = vec![false; vertices];
    for (ends, _) in sides.ev.chunks_exact(2).zip(boundary).filter(|(_, flag)| **flag != 0) {
        for &v in ends {
            on_boundary[v as usize] = true;
        }
        sets.join(ends[0], ends[1]);
    }
    let others = on_boundary.iter().filter(|flag| !**flag).count();
    sets.count() - others
}
