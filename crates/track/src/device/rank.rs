//! Ranks of vertices: the number of directions that are normal to the surface there (Brochu and Bridson 2009,
//! section 3.4; Jiao 2007).
//!
//! Rank 1 is a smooth vertex, 2 one on a ridge, 3 a corner: the number of eigenvalues of the sum of the
//! squares of the normals around, weighted by area, that are more than 0.03 of the largest.
use super::eigen::{Eigen, Symmetric, eigen};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, HalfEdge, Values, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::features::triangle::normal;

/// Ratio to the largest eigenvalue below which an eigenvalue belongs to a direction in the surface.
pub const SMALL: f32 = 0.03;

/// Vertices per block: one per thread, since walks around vertices wait for memory most of the time.
pub const VERTICES: u32 = 128;

/// Sums over the faces around a vertex.
#[derive(Clone, Copy)]
pub struct Star {
    /// The sum of the normals, twice the areas long.
    pub normals: Vec3,
    /// The sum of the squares of the unit normals, weighted by area.
    pub squares: Symmetric,
    /// The sum of areas, twice.
    pub area: f32,
    /// The sum of the vectors to the centres of the faces, three times, weighted by twice the areas.
    pub ways: Vec3,
    /// The squared least height of the faces.
    pub height: f32,
    /// Whether the vertex is on the boundary: then the sums may lack faces.
    pub open: bool,
}

/// Sums over the faces around the start of `h`, which ends at the boundary. About 100 bytes for each face.
#[inline(always)]
pub fn star(mesh: DynamicView<'_>, x: Values<'_, Vertex, Vec3>, h: HalfEdge) -> Star {
    let p = x.get(mesh.from(h));
    let mut sums = Star {
        normals: Vec3::ZERO,
        squares: Symmetric::default(),
        area: 0.0,
        ways: Vec3::ZERO,
        height: f32::INFINITY,
        open: false,
    };
    let mut a = x.get(mesh.to(h)) - p;
    let mut g = h;
    loop {
        // issued together with the loads of the positions, not after them
        let twin = mesh.twin(g.prev());
        let b = x.get(mesh.opposite(g)) - p;
        let n = normal([Vec3::ZERO, a, b]);
        let square = n.length_squared();
        let area = sqrt(square);
        sums.normals += n;
        if area > 0.0 {
            sums.squares.add_square(n, 1.0 / area);
        }
        sums.area += area;
        sums.ways += area * (a + b);
        let longest = a.length_squared().max(b.length_squared()).max((a - b).length_squared());
        sums.height = sums.height.min(if longest > 0.0 { square / longest } else { 0.0 });
        a = b;
        let Some(twin) = twin else {
            sums.open = true;
            return sums;
        };
        g = twin;
        if g == h {
            return sums;
        }
    }
}

/// Number of eigenvalues that are large.
#[inline(always)]
pub fn rank(eigen: &Eigen) -> u32 {
    let [a, b, c] = eigen.values;
    let least = SMALL * a.max(b).max(c);
    (a > least) as u32 + (b > least) as u32 + (c > least) as u32
}

/// Computes the rank of each of `n` vertices; 1 on the boundary, where the sums cover one side only. Needs
/// half-edges of vertices. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn find_ranks<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    n: u32,
    ranks: ValuesMut<'a, Vertex, u32>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let Some(h) = mesh.half_edge_at(v) else { return };
        let sums = star(mesh, x, h);
        ranks.set(v, if sums.open { 1 } else { rank(&eigen(sums.squares)) });
    });
}
