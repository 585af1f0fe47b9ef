//! Target lengths beside boundary edges that may not be split.
//!
//! A triangle at an edge of length L that stays has another side of at least L / 2, whatever remeshing does.
//! Where the target is much shorter, splitting that side makes a triangle that is nearer to the edge and has
//! such a side again, without an end. Therefore a target length at a vertex is at least three quarters of the
//! length of each edge there that stays: that edge itself would not be split for such a target. Away from the
//! edge, target lengths fall off by [`SLOPE`] per length.
//!
//! Where target lengths differ from vertex to vertex anyway, they are raised to these beside such edges, and
//! stay as they are elsewhere.
use super::values::{HELD, SIZED, Values};
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{self, Each, Out, ValuesMut, Vec3, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};

/// Decrease of target lengths per length. With an edge of length L at 3 / 4 L, the other sides of its
/// triangle are not split up to L / (1 + 4 / 3 SLOPE) = 0.71 L.
pub const SLOPE: f32 = 0.3;

/// Least target length at an edge that stays, as a part of the edge: with this target it need not be split.
const SHARE: f32 = 0.75;

/// Computes the least target length at each vertex: the common one, or 0 where these differ, or three
/// quarters of the length of a boundary edge that stays if that is greater. `held[0]` counts those longer
/// than 4/3 of the target length, `held[1]` is the greatest length of one, as the bits of an `f32`. Needs
/// half-edges of vertices.
#[kernel(threads = 256)]
pub fn hold_lengths<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    lengths: ValuesMut<'a, Vertex, f32>,
    held: Out<'a, u32>,
) {
    let v = VertexId::new(v);
    // lengths that fall off from such edges are computed anew
    let differ = values.has(SIZED) && !values.has(HELD);
    let (mut most, p) = (if differ { 0.0 } else { values.length }, values.x.get(v));
    if let Some(h) = mesh.half_edge_at(v) {
        mesh.neighbours(h, |u, side| {
            if mesh.twin(side).is_none() && values.stays(v, u) {
                let length = sqrt((values.x.get(u) - p).length_squared());
                most = most.max(SHARE * length);
                // counts each edge once
                if mesh.from(side) == v {
                    atomic::fetch_max(held, 1, length.to_bits(), Order::Relaxed, Scope::Device);
                    let target = if differ { values.target(v, u) } else { values.length };
                    if length > 4.0 / 3.0 * target {
                        atomic::fetch_add(held, 0, 1, Order::Relaxed, Scope::Device);
                    }
                }
            }
            true
        });
    }
    lengths.set(v, most);
}

/// Raises lengths so that they fall by at most [`SLOPE`] per length from a vertex to its neighbours; one step
/// of this. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn fall_off<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    x: device::Values<'a, Vertex, Vec3>,
    from: device::Values<'a, Vertex, f32>,
    to: ValuesMut<'a, Vertex, f32>,
) {
    let v = VertexId::new(v);
    let (p, mut most) = (x.get(v), from.get(v));
    if let Some(h) = mesh.half_edge_at(v) {
        mesh.neighbours(h, |u, _| {
            most = most.max(from.get(u) - SLOPE * sqrt((x.get(u) - p).length_squared()));
            true
        });
    }
    to.set(v, most);
}

/// Raises each length to at least the other one.
#[kernel(threads = 256)]
pub fn at_least<'a>(v: Each, least: device::Values<'a, Vertex, f32>, lengths: ValuesMut<'a, Vertex, f32>) {
    let v = VertexId::new(v);
    lengths.set(v, lengths.get(v).max(least.get(v)));
}
