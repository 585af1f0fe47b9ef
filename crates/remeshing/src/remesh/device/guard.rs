//! Taking back moves that turn faces.
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Each, FaceId, Values, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::DynamicView;
use ribbonmesh::features::triangle::{SLIVER, normal, quality, within};

/// Cosine of the angle by which a face may turn: 72°.
const TURN: f32 = 0.3;

/// Whether the move of a face's corners turns it, or makes a sliver of it. A face that is a sliver before may
/// become anything.
#[inline(always)]
pub fn turns(old: [Vec3; 3], new: [Vec3; 3]) -> bool {
    let (before, after) = (normal(old), normal(new));
    quality(old, before) > SLIVER && (!within(before, after, TURN) || quality(new, after) < SLIVER)
}

/// Sets `held[v] = 1` for the vertices of each of `n` faces that the move from `x` to `y` turns or makes a
/// sliver.
#[kernel(threads = 256)]
pub fn find_turned<'a>(
    f: Each,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    y: Values<'a, Vertex, Vec3>,
    held: ValuesMut<'a, Vertex, u32>,
) {
    let Some(corners) = mesh.living_corners(FaceId::new(f)) else { return };
    if turns(corners.map(|v| x.get(v)), corners.map(|v| y.get(v))) {
        for v in corners {
            atomic::store(held.memory(), v.index(), 1, Order::Relaxed, Scope::Device);
        }
    }
}

/// Sets `y[v] = x[v]` for each of `n` vertices that is held.
#[kernel(threads = 256)]
pub fn hold<'a>(
    v: Each,
    x: Values<'a, Vertex, Vec3>,
    y: ValuesMut<'a, Vertex, Vec3>,
    held: Values<'a, Vertex, u32>,
) {
    let v = VertexId::new(v);
    if held.get(v) != 0 {
        y.set(v, x.get(v));
    }
}
