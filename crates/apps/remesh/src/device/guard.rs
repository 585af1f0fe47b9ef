//! Taking back moves that turn faces.
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, In, NONE, Out, kernel};
use ribbonmesh_dynamic::DynamicView;
use ribbonmesh_features::triangle::{SLIVER, normal, quality, within};

/// Faces may turn by 72°.
const TURN: f32 = 0.3;

/// `held[v] = 1` for the vertices of those of `n` faces that the way from `x` to `y` turns, or makes slivers of.
#[kernel(threads = 256)]
pub fn find_turned<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    x: In<'a, Vec3>,
    y: In<'a, Vec3>,
    held: Out<'a, u32>,
) {
    block.for_each_of_tile(n, |f| {
        let [a, b, c, _] = mesh.corners(f);
        if a == NONE {
            return;
        }
        let (old, new) = ([x.get(a), x.get(b), x.get(c)], [y.get(a), y.get(b), y.get(c)]);
        let (before, after) = (normal(old), normal(new));
        if quality(old, before) > SLIVER && (!within(before, after, TURN) || quality(new, after) < SLIVER) {
            atomic::store(held, a, 1, Order::Relaxed, Scope::Device);
            atomic::store(held, b, 1, Order::Relaxed, Scope::Device);
            atomic::store(held, c, 1, Order::Relaxed, Scope::Device);
        }
    });
}

/// `y[v] = x[v]` for those of `n` vertices that are held.
#[kernel(threads = 256)]
pub fn hold<'a>(block: &Block, n: u32, x: In<'a, Vec3>, y: Out<'a, Vec3>, held: In<'a, u32>) {
    block.for_each_of_tile(n, |v| {
        if held.get(v) != 0 {
            y.set(v, x.get(v));
        }
    });
}
