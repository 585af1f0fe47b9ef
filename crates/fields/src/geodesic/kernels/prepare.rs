//! Kernels before and after a run.
use super::Ordered;
use crate::geodesic::stored::{BREAK, RingView};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope};
use ribbonmesh::device::{Block, In, NONE, Out, Parameter, Quad, TILE, Vec3, kernel, math};

/// Finds the largest finite coordinate, without its sign: `largest[0]`, 0 before.
#[kernel(threads = 256)]
pub fn largest_coordinate<'a>(block: &Block, n: u32, positions: In<'a, Vec3>, largest: Out<'a, f32>) {
    block.for_each_tile(n, |base, len| {
        let of = |i: u32| {
            let p = positions.get(base + i).abs();
            let finite = |x: f32| if x.is_finite() { x } else { 0.0 };
            finite(p.x).max(finite(p.y)).max(finite(p.z))
        };
        let most = block.reduce(len, 0.0, of, f32::max);
        block.single_nosync(|| {
            atomic::fetch_max(largest, 0, most, Relaxed, Scope::Device);
        });
    });
}

/// Initial data of a run: the state of all vertices, and the first level, the sources.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Start<'a> {
    /// For each vertex, its index in the input.
    pub inputs: In<'a, u32>,
    /// The sources, as indices in the input, ascending.
    pub sources: In<'a, u32>,
    /// Coordinates.
    pub positions: In<'a, Vec3>,
    /// A power of two: positions and distances in the state are those of the mesh times this.
    pub scale: f32,
}

/// Adds up the lengths of the edges around the vertices of each tile in `sums`, followed by their number.
#[kernel(threads = 256)]
pub fn edge_lengths<'a>(
    block: &Block,
    n: u32,
    ring: RingView<'a>,
    positions: In<'a, Vec3>,
    scale: f32,
    sums: Out<'a, f32>,
) {
    block.for_each_tile(n, |base, len| {
        let around = |i: u32| {
            let (v, mut sum) = (base + i, [0f32; 2]);
            let row = ring.rows.get(v);
            let mut q = 0;
            while q < (row >> 32) as u32 {
                for id in ring.entries.get(row as u32 + q).0 {
                    let edge = (positions.get(id & !BREAK) - positions.get(v)) * scale;
                    let length = math::sqrt(edge.dot(edge));
                    if length.is_finite() {
                        sum = [sum[0] + length, sum[1] + 1.0];
                    }
                }
                q += 1;
            }
            Pair(sum)
        };
        let both = block.reduce(len, Pair([0.0; 2]), around, |a, b| Pair([a.0[0] + b.0[0], a.0[1] + b.0[1]]));
        block.single_nosync(|| {
            sums.set(2 * (base / TILE), both.0[0]);
            sums.set(2 * (base / TILE) + 1, both.0[1]);
        });
    });
}
#[repr(transparent)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Pair([f32; 2]);

/// Sets the states, `seen` and the first level. `count[0]`, 0 before, counts the sources.
#[kernel(threads = 256)]
pub fn begin<'a>(
    block: &Block,
    n: u32,
    start: Start<'a>,
    ring: RingView<'a>,
    first: Out<'a, Quad>,
    second: Out<'a, Quad>,
    seen: Out<'a, u32>,
    ordered: Ordered<'a>,
    waits: Out<'a, u32>,
    count: Out<'a, u32>,
) {
    block.for_each_of_tile(n, |v| {
        let input = start.inputs.get(v);
        let (mut below, mut above) = (0, start.sources.len() as u32);
        while below < above {
            let middle = (below + above) / 2;
            if start.sources.get(middle) < input {
                below = middle + 1;
            } else {
                above = middle;
            }
        }
        let source = below < start.sources.len() as u32 && start.sources.get(below) == input;
        let p = start.positions.get(v) * start.scale;
        let state = |distance: f32| Quad([p.x, p.y, p.z, distance].map(f32::to_bits));
        if source {
            // with the sign: the neighbours have not read this distance yet
            first.set(v, state(-0.0));
            second.set(v, state(-0.0));
            seen.set(v, BREAK);
            let at = atomic::fetch_add(count, 0, 1, Relaxed, Scope::Device);
            let row = ring.rows.get(v);
            waits.set(at, v);
            ordered.vertices.set(at, Quad([v, row as u32, (row >> 32) as u32, 0]));
        } else {
            first.set(v, state(f32::INFINITY));
            second.set(v, state(f32::INFINITY));
            seen.set(v, NONE);
        }
    });
}

/// Writes the distances in the mesh's own units. `unscale` is the reciprocal of [`Start::scale`].
#[kernel(threads = 256)]
pub fn finish<'a>(block: &Block, n: u32, unscale: f32, state: In<'a, Quad>, distances: Out<'a, f32>) {
    block.for_each_of_tile(n, |v| {
        let distance = f32::from_bits(state.get(v).0[3] & !(1 << 31));
        distances.set(v, distance * unscale);
    });
}
