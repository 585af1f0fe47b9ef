//! Curves that are kept: feature edges and the boundary.
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{self, Block, EdgeId, In, Out, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{Diamond, DynamicView, MeshRef};
use ribbonmesh::features::Marks;
use ribbonmesh::features::find;
use ribbonmesh::features::kind::{CORNER, CURVE, FREE};

/// Marks those of `n` edges whose faces' normals have an angle with a cosine below `cosine`, beside those that have a mark, and
/// counts at each vertex these and those on the boundary. `marked[0]` and `marked[1]` get the number of either.
#[kernel(threads = 256)]
pub fn mark_edges<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    x: device::Values<'a, Vertex, Vec3>,
    cosine: f32,
    marks: Marks<'a>,
    counts: Out<'a, u32>,
    marked: Out<'a, u32>,
) {
    block.for_each_of_tile(n, |e| {
        find::mark(mesh, EdgeId::new(e), |v| x.get(v), cosine, marks, counts, marked);
    });
}

/// What becomes of the boundary's vertices: corners.
pub const KEEP: u32 = 0;
/// What becomes of the boundary's vertices: those of curves, with corners where it turns.
pub const SLIDE: u32 = 1;
/// What becomes of the boundary's vertices: those of curves.
pub const ROUND: u32 = 2;

/// The kind of each of `n` vertices, by the edges of curves at it, of which `counts` has the number: none, free; two,
/// of a curve, unless it turns there by an angle with a cosine below `cosine`; else a corner. Vertices without faces
/// are corners. `kinds[0..3]` get the number of each kind. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn classify<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    n: u32,
    counts: In<'a, u32>,
    cosine: f32,
    boundary: u32,
    kinds: Out<'a, u32>,
) {
    block.for_each_of_tile(n, |v| {
        let v = VertexId::new(v);
        let kind = match (mesh.half_edge_at(v), counts.get(v.index())) {
            (None, _) => CORNER,
            (Some(_), 0) => FREE,
            (Some(h), _) => {
                let open = mesh.on_boundary(h);
                let p = values.x.get(v);
                match values.marks.curve_neighbours(mesh, h) {
                    Some([a, b]) if !open || boundary != KEEP => {
                        let (a, b) = (p - values.x.get(a), values.x.get(b) - p);
                        let turns = a.dot(b) < cosine * sqrt(a.length_squared() * b.length_squared());
                        if turns && !(open && boundary == ROUND) { CORNER } else { CURVE }
                    }
                    _ => CORNER,
                }
            }
        };
        find::count(v, kind, values.kind, kinds);
    });
}

/// 1 for each of `n` edges that belongs to a curve, else 0.
#[kernel(threads = 256)]
pub fn mark_curves<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    n: u32,
    marks: Out<'a, u32>,
) {
    block.for_each_of_tile(n, |e| {
        let edge = EdgeId::new(e);
        let of_curve = |diamond: Diamond<_>| diamond.on_boundary() || values.marks.get(edge);
        marks.set(e, mesh.diamond(edge).is_some_and(of_curve) as u32);
    });
}

/// The ends of each of `n` edges, the second one twice.
#[kernel(threads = 256)]
pub fn segments<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    edges: In<'a, u32>,
    segments: Out<'a, u32>,
) {
    block.for_each_of_tile(n, |i| {
        if let Some(diamond) = mesh.diamond(EdgeId::new(edges.get(i))) {
            let [a, b] = diamond.ends();
            segments.set(3 * i, a.index());
            segments.set(3 * i + 1, b.index());
            segments.set(3 * i + 2, b.index());
        }
    });
}
