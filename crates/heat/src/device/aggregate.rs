//! Kernels of aggregates: vertices between which heat flows much faster than it sinks.
use super::carried::{Carried, Planar};
use super::matrix::Rows;
use ribbonmesh::device::{Block, Each, In, NONE, Out, Parameter, kernel};
use ribbonmesh_linear::running;

/// Neighbours are strong if their entry is more than this by the geometric mean of both diagonal entries.
const STRONG: f64 = 0.25;

/// Bits of a vertex that look random, and differ for different vertices.
#[inline(always)]
fn scrambled(v: u32) -> u32 {
    let x = (v ^ (v >> 16)).wrapping_mul(0x7feb_352d);
    let x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// A round in which vertices without an aggregate join the root among their strong neighbours on which they
/// depend most, or become a root if their bits are the greatest of those of such neighbours. `to` gets the
/// root of each vertex, or `NONE`.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && scales.len() >= count as usize,
    from.len() >= count as usize && to.len() >= count as usize,
))]
pub fn join_strong<'a>(
    v: Each,
    time: f64,
    rows: Rows<'a>,
    scales: In<'a, f64>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let own = from.get(v);
    if own != NONE {
        to.set(v, own);
        return;
    }
    let (scale, bits) = (time * scales.get(v), scrambled(v));
    let (mut root, mut most, mut greatest) = (NONE, 0.0, true);
    rows.for_each(v, |w, weight| {
        let strength = scale * weight * scales.get(w);
        if strength > STRONG {
            let other = from.get(w);
            if other == w && strength > most {
                (root, most) = (w, strength);
            }
            greatest &= other != NONE || scrambled(w) < bits;
        }
    });
    to.set(v, if root == NONE && greatest { v } else { root });
}

/// Vertices without a root become one.
#[kernel(threads = 256, requires(roots.len() >= count as usize))]
pub fn join_none<'a>(v: Each, roots: Out<'a, u32>) {
    if roots.get(v) == NONE {
        roots.set(v, v);
    }
}

/// The aggregates of a shell.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Mates<'a> {
    /// The root of each vertex.
    pub roots: In<'a, u32>,
    /// The first place of each root's vertices, and the end.
    pub starts: In<'a, u32>,
    /// Vertices by places.
    pub places: In<'a, u32>,
    /// The number of each vertex in the shell, or `NONE`.
    pub locals: In<'a, u32>,
    /// How vectors turn from the plane of its root to that of each vertex; of vectors alone.
    pub turns: In<'a, Planar>,
}
impl Mates<'_> {
    /// Calls `f` with the vertices of an aggregate that are in the shell, and their numbers.
    #[inline(always)]
    fn for_each(&self, root: u32, mut f: impl FnMut(u32, u32)) {
        let (mut k, end) = (self.starts.get(root), self.starts.get(root + 1));
        while k < end {
            let v = self.places.get(k);
            let local = self.locals.get(v);
            if local != NONE {
                f(v, local);
            }
            k += 1;
        }
    }
}

/// For the first vertex of each aggregate of the shell 1 over the sum of the aggregate's entries in the
/// matrix, for a vector of the root's plane that is carried to all of its vertices; 0 for others. `leads`
/// gets a 1 for the first ones. `turns` has how vectors turn along the entries of rows.
#[kernel(for N in [f64, Planar], threads = 256, requires(
    list.len() >= count as usize && gains.len() >= count as usize && leads.len() >= count as usize,
))]
pub fn lead_aggregates<'a, N: Carried>(
    i: Each,
    time: f64,
    rows: Rows<'a>,
    turns: In<'a, Planar>,
    scales: In<'a, f64>,
    mates: Mates<'a>,
    list: In<'a, u32>,
    gains: Out<'a, f64>,
    leads: Out<'a, u32>,
) {
    let root = mates.roots.get(list.get(i));
    let (mut first, mut sum) = (NONE, 0.0);
    mates.for_each(root, |v, local| {
        first = if first == NONE { local } else { first };
        let scale = scales.get(v);
        sum += 1.0 / (scale * scale);
        let own = N::ONE.turned(mates.turns, v);
        rows.for_each_entry(v, |k, w, weight| {
            if mates.roots.get(w) == root && mates.locals.get(w) != NONE {
                sum -= time * weight * N::ONE.turned(mates.turns, w).turned(turns, k).dot(own);
            }
        });
    });
    let sound = first == i && sum > 0.0 && sum.is_finite();
    gains.set(i, if sound { 1.0 / sum } else { 0.0 });
    leads.set(i, (first == i) as u32);
}

/// z = r, and the mean of each aggregate once more: its vertices get the sum of √ of the diagonal times r, by
/// the sum of the aggregate's entries, times √ of the diagonal. The thread of the first vertex works for all
/// of an aggregate. Vectors are carried to the root and back. Blocks: tiles.
#[kernel(for N in [f64, Planar], threads = 256, requires(
    list.len() >= n as usize && leads.len() >= n as usize && gains.len() >= n as usize,
    r.len() >= n as usize && z.len() >= n as usize,
))]
pub fn add_means<'a, N: Carried>(
    block: &Block,
    n: u32,
    state: In<'a, f64>,
    mates: Mates<'a>,
    scales: In<'a, f64>,
    list: In<'a, u32>,
    leads: In<'a, u32>,
    gains: In<'a, f64>,
    r: In<'a, N>,
    z: Out<'a, N>,
) {
    if !running(state) {
        return;
    }
    block.for_each_of_tile(n, |i| {
        if leads.get(i) == 0 {
            return;
        }
        let (root, gain) = (mates.roots.get(list.get(i)), gains.get(i));
        let mut sum = N::ZERO;
        mates.for_each(root, |v, local| {
            let own = scales.get(v);
            if own > 0.0 {
                sum = sum.plus(1.0 / own, r.get(local).turned_back(mates.turns, v));
            }
        });
        mates.for_each(root, |v, local| {
            let own = scales.get(v);
            let by = if own > 0.0 { gain / own } else { 0.0 };
            z.set(local, r.get(local).plus(by, sum.turned(mates.turns, v)));
        });
    });
}
