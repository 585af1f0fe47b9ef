//! Curves that are kept: feature edges and the boundary.
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{self, Block, Each, EdgeId, FaceId, In, Out, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{Diamond, DynamicView, MeshRef};
use ribbonmesh::features::Marks;
use ribbonmesh::features::find;
use ribbonmesh::features::kind::{CORNER, CURVE, FREE};
use ribbonmesh::features::triangle::{normal, quality};

/// Marks each of `n` edges whose faces' normals have an angle with a cosine below `cosine`; edges that have a
/// mark keep it. Counts at each vertex the marked edges and those on the boundary. If `thin` is 1, normals of
/// thin triangles count, too, as far as rounded positions allow. `marked[0]` and `marked[1]` get the numbers
/// of both kinds.
#[kernel(threads = 256)]
pub fn mark_edges<'a>(
    e: Each,
    mesh: DynamicView<'a>,
    x: device::Values<'a, Vertex, Vec3>,
    cosine: f32,
    thin: u32,
    marks: Marks<'a>,
    counts: Out<'a, u32>,
    marked: Out<'a, u32>,
) {
    let edge = EdgeId::new(e);
    if thin != 0
        && let Some(corners) = mesh.diamond(edge).and_then(|diamond| diamond.corners())
    {
        let [a, b, c, d] = corners.map(|v| x.get(v));
        if sharp([[a, b, c], [b, a, d]], cosine) {
            marks.set(edge, true);
        }
    }
    find::mark(mesh, edge, |v| x.get(v), cosine, marks, counts, marked);
}
/// Height, in diagonals of the box, below which a triangle's normal consists of rounding errors.
const FLAT: f32 = 2e-6;
/// Whether the normals of two triangles have an angle with a cosine below `cosine`; false if one has hardly
/// any height.
#[inline(always)]
pub fn sharp([t, u]: [[Vec3; 3]; 2], cosine: f32) -> bool {
    let (n, m) = (normal(t), normal(u));
    let high = |[a, b, c]: [Vec3; 3], n: Vec3| {
        let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
        n.length_squared() > FLAT * FLAT * longest
    };
    high(t, n) && high(u, m) && n.dot(m) < cosine * sqrt(n.length_squared()) * sqrt(m.length_squared())
}

/// Counts the ends of curves: adds to `found[2]` how many of `n` vertices have exactly one edge of curves.
/// `counts` has the number of these edges at each vertex.
#[kernel(threads = 256)]
pub fn count_loose<'a>(block: &Block, n: u32, counts: In<'a, u32>, found: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let loose = block.reduce(len, 0, |i| (counts.get(base + i) == 1) as u32, |a: u32, b| a + b);
        block.single_nosync(|| {
            if loose > 0 {
                atomic::fetch_add(found, 2, loose, Order::Relaxed, Scope::Device);
            }
        });
    });
}
/// Quality below which a triangle is long and thin.
pub const THIN: f32 = 0.05;
/// Adds to `found[3]` how many of `n` faces are long and thin.
#[kernel(threads = 256)]
pub fn count_thin<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    x: device::Values<'a, Vertex, Vec3>,
    found: Out<'a, u32>,
) {
    block.for_each_tile(n, |base, len| {
        let is_thin = |i: u32| {
            let corners = mesh.corners(FaceId::new(base + i)).map(|v| x.get(v));
            (quality(corners, normal(corners)) < THIN) as u32
        };
        let thin = block.reduce(len, 0, is_thin, |a: u32, b| a + b);
        block.single_nosync(|| {
            if thin > 0 {
                atomic::fetch_add(found, 3, thin, Order::Relaxed, Scope::Device);
            }
        });
    });
}

/// Boundary vertices become corners.
pub const KEEP: u32 = 0;
/// Boundary vertices become vertices of curves, and corners where the boundary turns.
pub const SLIDE: u32 = 1;
/// Boundary vertices become vertices of curves.
pub const ROUND: u32 = 2;

/// Finds the kind of each of `n` vertices. `counts` has the number of edges of curves at each vertex: without
/// such edges it is free; with two it is a vertex of a curve, unless the curve turns there by an angle with a
/// cosine below `cosine`; else it is a corner. Vertices without faces are corners. `kinds[0..3]` get the
/// number of vertices of each kind. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn classify<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    counts: In<'a, u32>,
    cosine: f32,
    boundary: u32,
    kinds: Out<'a, u32>,
) {
    let v = VertexId::new(v);
    let kind = match (mesh.half_edge_at(v), counts.get(v.index())) {
        (None, _) => CORNER,
        (Some(_), 0) => FREE,
        (Some(_), 3..) => CORNER,
        (Some(h), _) => {
            let open = mesh.on_boundary(h);
            let p = values.x.get(v);
            match values.marks.curve_neighbours(mesh, h) {
                Some([a, b]) if !open || boundary != KEEP => {
                    let turns = bends(p - values.x.get(a), values.x.get(b) - p, cosine);
                    if turns && !(open && boundary == ROUND) { CORNER } else { CURVE }
                }
                _ => CORNER,
            }
        }
    };
    find::count(v, kind, values.kind, kinds);
}

/// Resolves [`JOINT`]s at which two curves have become one on either side: each becomes a vertex of this
/// curve, or a corner where the curve turns by an angle with a cosine below `cosine`. `joints[0]` gets the
/// number of resolved joints, `joints[1]` that of the others. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn settle<'a>(v: Each, mesh: DynamicView<'a>, values: Values<'a>, cosine: f32, joints: Out<'a, u32>) {
    let v = VertexId::new(v);
    if let Some(h) = mesh.half_edge_at(v)
        && values.kind.get(v) == JOINT
    {
        let neighbours = values.marks.curve_neighbours(mesh, h);
        if let Some([a, b]) = neighbours {
            let p = values.x.get(v);
            let turns = bends(p - values.x.get(a), values.x.get(b) - p, cosine);
            values.kind.set(v, if turns { CORNER } else { CURVE });
        }
        atomic::fetch_add(joints, neighbours.is_none() as u32, 1, Order::Relaxed, Scope::Device);
    }
}
/// Whether the angle between two vectors has a cosine below `cosine`.
#[inline(always)]
fn bends(a: Vec3, b: Vec3, cosine: f32) -> bool {
    a.dot(b) < cosine * sqrt(a.length_squared() * b.length_squared())
}

/// Sets 1 for each of `n` edges that belongs to a curve, else 0.
#[kernel(threads = 256)]
pub fn mark_curves<'a>(e: Each, mesh: DynamicView<'a>, values: Values<'a>, marks: Out<'a, u32>) {
    let edge = EdgeId::new(e);
    let of_curve = |diamond: Diamond<_>| diamond.on_boundary() || values.marks.get(edge);
    marks.set(e, mesh.diamond(edge).is_some_and(of_curve) as u32);
}

/// Stores the ends of each of `n` edges, the second one twice.
#[kernel(threads = 256)]
pub fn segments<'a>(i: Each, mesh: DynamicView<'a>, edges: In<'a, u32>, ends: Out<'a, u32>) {
    if let Some(diamond) = mesh.diamond(EdgeId::new(edges.get(i))) {
        let [a, b] = diamond.ends();
        ends.set(3 * i, a.index());
        ends.set(3 * i + 1, b.index());
        ends.set(3 * i + 2, b.index());
    }
}
