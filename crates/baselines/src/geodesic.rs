//! Geodesic distances over directed edges by the front propagation of Romero Calla et al. 2019 (thesis
//! 4.5.2): one thread per vertex of a window of topological levels.
use crate::HalfEdges;
use crate::each::each;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, NONE, Out, Parameter, Vec3, kernel};

/// The distance that a triangle offers to the vertex from which `a` and `b` are seen, whose distances are
/// given: by a planar front (Kimmel and Sethian 1998), or along an edge where that does not pass through the
/// triangle.
#[inline(always)]
fn offered(a: Vec3, from_a: f32, b: Vec3, from_b: f32) -> f32 {
    let along = (from_a + sqrt(a.dot(a))).min(from_b + sqrt(b.dot(b)));
    let (aa, ab, bb) = (a.dot(a), a.dot(b), b.dot(b));
    let determinant = aa * bb - ab * ab;
    // the inverse of the matrix of products, times the determinant: bb, -ab, aa; false for an infinite
    // distance
    let usable = determinant > 0.0 && (from_a - from_b) * (from_a - from_b) < f32::MAX;
    if !usable {
        return along;
    }
    let ones = bb - 2.0 * ab + aa;
    let mixed = (bb - ab) * from_a + (aa - ab) * from_b;
    let times = bb * from_a * from_a - 2.0 * ab * from_a * from_b + aa * from_b * from_b;
    let root = mixed * mixed - ones * (times - determinant);
    if root < 0.0 {
        return along;
    }
    let distance = (mixed + sqrt(root)) / ones;
    // the front comes from between the two edges
    let (s, t) = (from_a - distance, from_b - distance);
    let passes = bb * s - ab * t < 0.0 && aa * t - ab * s < 0.0;
    if passes { distance.min(along) } else { along }
}

/// A window of levels.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Levels<'a> {
    /// Vertices by level.
    pub vertices: In<'a, u32>,
    /// The index of the window's first vertex.
    pub begin: u32,
    /// The end of the window's first level.
    pub first_end: u32,
    /// Number of vertices of the window.
    pub n: u32,
    /// A distance that changes by less than this part of itself is settled.
    pub tolerance: f32,
}

/// Updates the window's vertices in place; counts the vertices of its first level that are not settled.
#[kernel(threads = 256)]
pub fn pde_relax<'a>(
    block: &Block,
    mesh: HalfEdges<'a>,
    levels: Levels<'a>,
    positions: In<'a, Vec3>,
    distances: Out<'a, f32>,
    unsettled: Out<'a, u32>,
) {
    let bits = distances.wide::<u32>();
    let known = |v: u32| f32::from_bits(atomic::load(bits, v, Relaxed, Device));
    each(block, levels.n, |i| {
        let at = levels.begin + i;
        let v = levels.vertices.get(at);
        let (own, before) = (positions.get(v), known(v));
        let mut best = before;
        mesh.around(v, |half| {
            let a = mesh.targets.get(half);
            let (place, distance) = (positions.get(a) - own, known(a));
            if mesh.faces.get(half) == NONE {
                best = best.min(distance + sqrt(place.dot(place)));
                return;
            }
            let b = mesh.targets.get(mesh.nexts.get(half));
            best = best.min(offered(place, distance, positions.get(b) - own, known(b)));
        });
        let changed = best < before;
        if changed {
            atomic::store(bits, v, best.to_bits(), Relaxed, Device);
        }
        // false where there was no distance before
        let settled = !changed || before - best < levels.tolerance * best;
        if at < levels.first_end && !settled {
            atomic::fetch_add(unsettled, 0, 1, Relaxed, Device);
        }
    });
}
