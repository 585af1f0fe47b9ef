//! Impact zones: vertices that move together.
use glam::{DMat3, DQuat, DVec3};
use ribbonmesh::mesh::UnionFind;

/// Sets of vertices.
pub struct Zones {
    vertices: UnionFind,
}
impl Zones {
    /// Makes a zone of each vertex.
    pub fn new(vertices: usize) -> Self {
        Self { vertices: UnionFind::new(vertices) }
    }
    /// Joins the zones of vertices.
    pub fn join(&mut self, [first, others @ ..]: [u32; 4]) {
        for v in others {
            self.vertices.join(first, v);
        }
    }
    /// The zones of more than one vertex, each ascending.
    pub fn all(&mut self) -> Vec<Vec<u32>> {
        let mut of_root: Vec<(u32, u32)> = self.vertices.roots().into_iter().zip(0..).collect();
        of_root.sort_unstable();
        let zones = of_root.chunk_by(|a, b| a.0 == b.0).filter(|zone| zone.len() > 1);
        zones.map(|zone| zone.iter().map(|(_, v)| *v).collect()).collect()
    }
}

/// The rigid motion with the momentum and the angular momentum of vertices of equal masses at `x` that move
/// by `ways` (Bridson, Fedkiw and Anderson 2002, section 7.5): the new position of each vertex.
pub fn rigid(x: &[DVec3], ways: &[DVec3]) -> Vec<DVec3> {
    let n = x.len() as f64;
    let [centre, way] = [x, ways].map(|all| all.iter().sum::<DVec3>() / n);
    let (mut inertia, mut momentum, mut size) = (DMat3::ZERO, DVec3::ZERO, 0.0);
    for (x, u) in x.iter().zip(ways) {
        let r = *x - centre;
        let square = r.length_squared();
        inertia += DMat3::from_diagonal(DVec3::splat(square)) - DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        momentum += r.cross(*u - way);
        size += square;
    }
    // no rotation about a line on which all of them are
    let turns = inertia.determinant() > 1e-9 * size * size * size;
    let spin = if turns { inertia.inverse() * momentum } else { DVec3::ZERO };
    let turn = if spin.is_finite() && spin.length_squared() < 1.0 {
        DQuat::from_xyzw(0.5 * spin.x, 0.5 * spin.y, 0.5 * spin.z, 1.0).normalize()
    } else {
        DQuat::IDENTITY
    };
    x.iter().map(|x| centre + way + turn * (*x - centre)).collect()
}
