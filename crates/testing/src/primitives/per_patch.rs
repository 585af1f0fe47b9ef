//! Kernels of one closure, one for each query.
use ribbonmesh::device::query::{Fv, Ve, Vf, VfLayout, Vv, VvLayout};
use ribbonmesh::device::{
    Arena, Block, Counts, Edge, Ev, Face, Patch, PatchQuery, PerPatch, Values, ValuesMut, Vec3, Vertex,
    kernel,
};

/// A third of the area of each vertex's faces.
#[kernel]
pub fn vertex_areas<'a>(
    patch: PerPatch<'_, 'a, Vf>,
    x: Values<'a, Vertex, Vec3>,
    areas: ValuesMut<'a, Vertex, f32>,
) {
    patch.for_each_vertex(|v, faces| {
        let mut sum = 0.0;
        for f in faces {
            let [a, b, c] = f.corners().map(|w| x.get(w));
            sum += (b - a).cross(c - a).length();
        }
        areas.set(v, sum / 6.0);
    });
}

/// The mean of each vertex's neighbours; the vertex itself where there is none.
#[kernel]
pub fn neighbour_means<'a>(
    patch: PerPatch<'_, 'a, Vv>,
    x: Values<'a, Vertex, Vec3>,
    means: ValuesMut<'a, Vertex, Vec3>,
) {
    patch.for_each_vertex(|v, neighbours| {
        let n = neighbours.len() as f32;
        let mut sum = Vec3::ZERO;
        for u in neighbours {
            sum += x.get(u);
        }
        means.set(v, if n > 0.0 { sum / n } else { x.get(v) });
    });
}

/// The length of all edges of each vertex, and the sum of their ids.
#[kernel]
pub fn edge_sums<'a>(
    patch: PerPatch<'_, 'a, Ve>,
    x: Values<'a, Vertex, Vec3>,
    lengths: ValuesMut<'a, Vertex, f32>,
    ids: ValuesMut<'a, Vertex, u32>,
) {
    patch.for_each_vertex(|v, edges| {
        let (mut length, mut sum) = (0.0, 0u32);
        for e in edges {
            let [a, b] = e.ends().map(|w| x.get(w));
            length += a.distance(b);
            sum = sum.wrapping_add(e.id().index());
        }
        lengths.set(v, length);
        ids.set(v, sum);
    });
}

/// The centre of each face.
#[kernel]
pub fn face_centres<'a>(
    patch: PerPatch<'_, 'a, Fv<'a>>,
    x: Values<'a, Vertex, Vec3>,
    centres: ValuesMut<'a, Face, Vec3>,
) {
    patch.for_each_face(|f, corners| {
        let [a, b, c] = corners.map(|v| x.get(v));
        centres.set(f, (a + b + c) / 3.0);
    });
}

/// The ids of each edge's ends.
#[kernel]
pub fn edge_ends<'a>(patch: PerPatch<'_, 'a, Ev>, ends: ValuesMut<'a, Edge, [u32; 2]>) {
    patch.for_each_edge(|e, [a, b]| ends.set(e, [a.index(), b.index()]));
}

/// The neighbours and the faces of each vertex.
#[derive(Clone, Copy)]
pub struct NeighboursAndFaces<'b> {
    neighbours: Vv<'b>,
    faces: Vf<'b>,
}
impl<'b, 'a> PatchQuery<'b, 'a> for NeighboursAndFaces<'b> {
    type Layout = (VvLayout<'b>, VfLayout<'b>);
    fn carve(arena: &'b Arena, counts: &Counts) -> Self::Layout {
        (Vv::layout(arena, counts), Vf::layout(arena, counts))
    }
    fn ask(block: &'b Block, patch: &Patch<'a>, (vv, vf): Self::Layout) -> Self {
        let neighbours = Vv::transpose(block, patch, vv, 0);
        Self { neighbours, faces: Vf::transpose(block, patch, vf, 0) }
    }
}

/// The number of neighbours minus the number of faces of each vertex: 0 inside, 1 on a boundary.
#[kernel]
pub fn open_sides<'a>(patch: PerPatch<'_, 'a, NeighboursAndFaces<'_>>, open: ValuesMut<'a, Vertex, i32>) {
    let NeighboursAndFaces { neighbours, faces } = patch.query();
    let v = patch.patch().v;
    patch.block().for_each_nosync(v.owned, |l| {
        open.memory().set(v.first + l, neighbours.rows.len(l) as i32 - faces.rows.len(l) as i32);
    });
}
