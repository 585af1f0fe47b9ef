//! Velocities that depend on the surface.
use super::rank::{VERTICES, star};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, Values, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::features::triangle::normal;

/// Computes velocities along the normals of vertices, which are the means of the normals of the faces by
/// area: outwards if the speed is positive. Needs half-edges of vertices. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn along_normals<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    n: u32,
    speed: f32,
    velocities: ValuesMut<'a, Vertex, Vec3>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let mut velocity = Vec3::ZERO;
        if let Some(h) = mesh.half_edge_at(v) {
            let n = star(mesh, x, h).normals;
            let length = sqrt(n.length_squared());
            if length > 0.0 {
                velocity = n * (speed / length);
            }
        }
        velocities.set(v, velocity);
    });
}

/// Computes velocities against the mean curvature normal, `speed` times the mean of the principal curvatures:
/// by cotangents and mixed areas (Meyer, Desbrun, Schröder and Barr 2003, equations 8 and 4.4). Vertices of
/// the boundary do not move. Needs half-edges of vertices. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn by_curvature<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    n: u32,
    speed: f32,
    velocities: ValuesMut<'a, Vertex, Vec3>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        velocities.set(v, curvature_normal(mesh, x, v) * (-0.5 * speed));
    });
}

/// The sum of the principal curvatures times the outer normal.
#[inline(always)]
fn curvature_normal(mesh: DynamicView<'_>, x: Values<'_, Vertex, Vec3>, v: VertexId) -> Vec3 {
    let Some(h) = mesh.half_edge_at(v) else { return Vec3::ZERO };
    let p = x.get(v);
    let (mut sum, mut area) = (Vec3::ZERO, 0.0);
    let mut a = x.get(mesh.to(h)) - p;
    let mut g = h;
    loop {
        let twin = mesh.twin(g.prev());
        let b = x.get(mesh.opposite(g)) - p;
        let twice = sqrt(normal([Vec3::ZERO, a, b]).length_squared());
        if twice > 0.0 {
            // cotangents of the angles at a and at b
            let (at_a, at_b) = (a.dot(a - b) / twice, b.dot(b - a) / twice);
            sum -= at_b * a + at_a * b;
            area += if a.dot(b) < 0.0 {
                0.25 * twice
            } else if at_a < 0.0 || at_b < 0.0 {
                0.125 * twice
            } else {
                0.125 * (a.length_squared() * at_b + b.length_squared() * at_a)
            };
        }
        a = b;
        let Some(twin) = twin else { return Vec3::ZERO };
        g = twin;
        if g == h {
            break;
        }
    }
    if area > 0.0 { sum / (2.0 * area) } else { Vec3::ZERO }
}
