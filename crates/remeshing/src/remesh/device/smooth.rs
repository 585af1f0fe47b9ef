//! Tangential smoothing.
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, HalfEdge, Parameter, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::features::kind::{CORNER, CURVE};
use ribbonmesh::features::triangle::{SLIVER, normal, quality};

/// Greatest step of a vertex, in least heights of its triangles: if no vertex moves by half a height, no
/// triangle loses its area.
const ROOM: f32 = 0.45;

/// Vertices per block: one per thread, since walks around vertices wait for memory most of the time.
pub const VERTICES: u32 = 128;

/// Weights of faces: by area.
pub const BY_AREA: u32 = 0;
/// Weights of faces: all the same.
pub const UNIFORM: u32 = 1;

/// Parameters of smoothing.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Smoothing {
    /// Part of the way that a vertex moves, 0 to 1.
    pub step: f32,
    /// [`BY_AREA`] or [`UNIFORM`].
    pub weights: u32,
    /// Whether vertices of curves move to the middle of their neighbours there, and not along the curve: 1
    /// or 0.
    pub round: u32,
}

/// Computes the new position of each of `n` vertices. A vertex moves towards the weighted mean of its
/// triangles' centres, in the plane of its normal (Botsch and Kobbelt 2004, section 4); a vertex of a curve
/// moves along the curve, towards the point that is equally far from its neighbours there. Needs half-edges
/// of vertices. About 100 bytes for each face at a vertex. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn smooth<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    smoothing: Smoothing,
    n: u32,
    y: ValuesMut<'a, Vertex, Vec3>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let p = values.x.get(v);
        let h = mesh.half_edge_at(v);
        let by = match (h, values.kind.get(v)) {
            (None, _) | (_, CORNER | JOINT) => Vec3::ZERO,
            (Some(h), CURVE) => on_curve(mesh, values, smoothing, h, p),
            (Some(h), _) => inside(mesh, values, smoothing, v, h, p),
        };
        y.set(v, p + by);
    });
}

/// The step `by`, shortened to the room that there is.
#[inline(always)]
fn limited(by: Vec3, room_squared: f32) -> Vec3 {
    let (length, most) = (sqrt(by.length_squared()), ROOM * sqrt(room_squared));
    if length > most { by * (most / length) } else { by }
}
/// The squared least height of a triangle with sides `a` and `b` and normal `n`; infinite for a sliver.
#[inline(always)]
fn height_squared(a: Vec3, b: Vec3, n: Vec3) -> f32 {
    let longest = a.length_squared().max(b.length_squared()).max((a - b).length_squared());
    if quality([Vec3::ZERO, a, b], n) > SLIVER { n.length_squared() / longest } else { f32::INFINITY }
}

#[inline(always)]
fn inside(
    mesh: DynamicView<'_>,
    values: Values<'_>,
    s: Smoothing,
    v: VertexId,
    h: HalfEdge,
    p: Vec3,
) -> Vec3 {
    let sized = values.has(SIZED);
    let size = |u: VertexId| if sized { values.size.get(u) } else { 0.0 };
    let own = size(v);
    let first = mesh.to(h);
    let (mut a, mut of_a) = (values.x.get(first) - p, size(first));
    let (mut sum, mut weights, mut around, mut room) = (Vec3::ZERO, 0.0, Vec3::ZERO, f32::INFINITY);
    let mut g = h;
    loop {
        // issued together with the loads of the positions, not after them
        let twin = mesh.twin(g.prev());
        let u = mesh.opposite(g);
        let (b, of_b) = (values.x.get(u) - p, size(u));
        let n = a.cross(b);
        around += n;
        room = room.min(height_squared(a, b, n));
        let mut weight = if s.weights == UNIFORM { 1.0 } else { sqrt(n.length_squared()) };
        if sized {
            let mean = own + of_a + of_b;
            weight /= mean * mean;
        }
        weights += weight;
        sum += weight * (a + b);
        (a, of_a) = (b, of_b);
        let Some(twin) = twin else { return Vec3::ZERO };
        g = twin;
        if g == h {
            break;
        }
    }
    let square = around.length_squared();
    if weights <= 0.0 || square <= 0.0 {
        return Vec3::ZERO;
    }
    let by = s.step / (3.0 * weights) * sum;
    limited(by - around * (by.dot(around) / square), room)
}

#[inline(always)]
fn on_curve(mesh: DynamicView<'_>, values: Values<'_>, s: Smoothing, h: HalfEdge, p: Vec3) -> Vec3 {
    let Some([a, b]) = values.marks.curve_neighbours(mesh, h) else { return Vec3::ZERO };
    let (a, b) = (values.x.get(a) - p, values.x.get(b) - p);
    let mut room = f32::INFINITY;
    mesh.star(h, |g| {
        let [c, d] = [values.x.get(mesh.to(g)) - p, values.x.get(mesh.opposite(g)) - p];
        room = room.min(height_squared(c, d, normal([Vec3::ZERO, c, d])));
        true
    });
    if s.round != 0 {
        return limited(s.step * 0.5 * (a + b), room);
    }
    let (to_a, to_b) = (sqrt(a.length_squared()), sqrt(b.length_squared()));
    let by = if to_a > to_b {
        a * (0.5 * (to_a - to_b) / to_a)
    } else if to_b > to_a {
        b * (0.5 * (to_b - to_a) / to_b)
    } else {
        Vec3::ZERO
    };
    limited(s.step * by, room)
}
