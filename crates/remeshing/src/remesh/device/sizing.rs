//! Target lengths by curvature (Dunyach, Vanderhaeghe, Barthe, Botsch, *Adaptive remeshing for real-time mesh
//! deformation*, 2013, section 3).
use super::values::Values;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{self, Each, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::features::kind::FREE;

/// Curvature that is not known.
pub const UNKNOWN: f32 = -1.0;

/// Computes the sum of the normals of each vertex's faces, by area, scaled to length 1; zero for a vertex
/// without normal. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn vertex_normals<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    x: device::Values<'a, Vertex, Vec3>,
    normals: ValuesMut<'a, Vertex, Vec3>,
) {
    let v = VertexId::new(v);
    let (p, h) = (x.get(v), mesh.half_edge_at(v));
    let mut sum = Vec3::ZERO;
    if let Some(h) = h {
        mesh.star(h, |g| {
            sum += (x.get(mesh.to(g)) - p).cross(x.get(mesh.opposite(g)) - p);
            true
        });
    }
    let length = sqrt(sum.length_squared());
    normals.set(v, if length > 0.0 { sum / length } else { Vec3::ZERO });
}

/// Computes the greatest normal curvature at each vertex, in 1 / length, over the directions of its edges;
/// [`UNKNOWN`] on curves and corners. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn curvatures<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    normals: device::Values<'a, Vertex, Vec3>,
    to: ValuesMut<'a, Vertex, f32>,
) {
    let v = VertexId::new(v);
    let (p, normal, h) = (values.x.get(v), normals.get(v), mesh.half_edge_at(v));
    let mut most = UNKNOWN;
    if let Some(h) = h
        && values.kind.get(v) == FREE
    {
        most = 0.0;
        mesh.neighbours(h, |u, _| {
            let d = values.x.get(u) - p;
            let square = d.length_squared();
            if square > 0.0 {
                most = most.max(2.0 * normal.dot(d).abs() / square);
            }
            true
        });
    }
    to.set(v, most);
}

/// Averages the known curvatures at each vertex and its neighbours. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn average<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    from: device::Values<'a, Vertex, f32>,
    to: ValuesMut<'a, Vertex, f32>,
) {
    let (mut sum, mut known) = (0.0, 0.0);
    let mut add = |value: f32| {
        if value >= 0.0 {
            sum += value;
            known += 1.0;
        }
    };
    let v = VertexId::new(v);
    add(from.get(v));
    if let Some(h) = mesh.half_edge_at(v) {
        mesh.neighbours(h, |u, _| {
            add(from.get(u));
            true
        });
    }
    to.set(v, if known > 0.0 { sum / known } else { UNKNOWN });
}

/// Computes the length of an edge that deviates from a circle of curvature κ by the tolerance ε, L² = 6 ε / κ
/// − 3 ε² (Dunyach et al., equation 1), between the shortest and the longest length; the longest where the
/// curvature is not known.
#[kernel(threads = 256)]
pub fn lengths<'a>(
    v: Each,
    curvatures: device::Values<'a, Vertex, f32>,
    tolerance: f32,
    shortest: f32,
    longest: f32,
    to: ValuesMut<'a, Vertex, f32>,
) {
    let v = VertexId::new(v);
    let k = curvatures.get(v);
    let square = if k > 0.0 { 6.0 * tolerance / k - 3.0 * tolerance * tolerance } else { f32::INFINITY };
    let length = if square > 0.0 { sqrt(square) } else { 0.0 };
    to.set(v, length.max(shortest).min(longest));
}

/// Limits lengths so that they grow by at most `slope` per length from a vertex to its neighbours; one step
/// of this. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn grade<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    x: device::Values<'a, Vertex, Vec3>,
    slope: f32,
    from: device::Values<'a, Vertex, f32>,
    to: ValuesMut<'a, Vertex, f32>,
) {
    let v = VertexId::new(v);
    let (p, h) = (x.get(v), mesh.half_edge_at(v));
    let mut least = from.get(v);
    if let Some(h) = h {
        mesh.neighbours(h, |u, _| {
            let d = x.get(u) - p;
            least = least.min(from.get(u) + slope * sqrt(d.length_squared()));
            true
        });
    }
    to.set(v, least);
}
