//! Vertices within k edges of a vertex, ring after ring (thesis 4.3.2.1): VV of the last ring, which may need
//! the patches around.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::query::{Chain, Vv, VvLayout};
use crate::device::{
    Arena, Block, Counts, Each, In, MeshView, Out, Parameter, Patch, ResolveRibbon, Shared, kernel,
};

/// A row per vertex: the vertices of all rings so far.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Rings<'a> {
    /// The first index of each row.
    pub starts: In<'a, u32>,
    /// Length of each row.
    pub lengths: In<'a, u32>,
    /// The first index of the last ring in each row.
    pub last: In<'a, u32>,
    /// The entries.
    pub values: In<'a, u32>,
}
impl Rings<'_> {
    /// The last ring of vertex `v`.
    #[inline(always)]
    fn last_ring(&self, v: u32) -> impl Iterator<Item = u32> + use<'_> {
        let start = self.starts.get(v);
        let rings = *self;
        (start + self.last.get(v)..start + self.lengths.get(v)).map(move |k| rings.values.get(k))
    }
}

fn memory<'b>(arena: &'b Arena, counts: &Counts) -> (Chain<'b>, VvLayout<'b>) {
    (Chain::layout(arena), Vv::layout(arena, counts))
}
/// Runs `f(l, patch, vv, u)` for owned vertices `l` and the vertices of their last rings: `u` is local to
/// `patch`.
#[inline(always)]
fn for_each_of_last_ring(
    block: &Block,
    mesh: MeshView<'_>,
    p: &Patch<'_>,
    rings: Rings<'_>,
    (chain, memory): (Chain<'_>, VvLayout<'_>),
    f: impl Fn(u32, &Patch<'_>, Vv<'_>, u32),
) {
    let wants = |l: u32, want: crate::device::query::Want<'_>| {
        for u in rings.last_ring(p.v.first + l) {
            want.vertex(u);
        }
    };
    chain.for_each_patch(block, mesh, p.v.owned, wants, |q| {
        let q = mesh.patch(q);
        let vv = Vv::transpose(block, &q, memory, 0);
        block.for_each(p.v.owned, |l| {
            for u in rings.last_ring(p.v.first + l) {
                let u = u.wrapping_sub(q.v.first);
                if u < q.v.owned {
                    f(l, &q, vv, u);
                }
            }
        });
    });
}

fn bound_memory<'b>(arena: &'b Arena, counts: &Counts) -> (Shared<'b, u32>, (Chain<'b>, VvLayout<'b>)) {
    (arena.take(counts.v_owned), memory(arena, counts))
}
/// An upper bound of each row's length with one ring more; adds the sum to `total`.
#[kernel(threads = 128, shared = bound_memory(arena, &mesh.max))]
pub fn k_ring_bound<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    rings: Rings<'a>,
    bounds: Out<'a, u32>,
    total: Out<'a, u64>,
) {
    let p = mesh.patch(block.index());
    // the memory is shared with other patches' queries: as much as the largest needs
    let (sums, memory) = bound_memory(block.arena(), &mesh.max);
    block.for_each(p.v.owned, |l| sums.set(l, rings.lengths.get(p.v.first + l)));
    for_each_of_last_ring(block, mesh, &p, rings, memory, |l, _, vv, u| {
        sums.set(l, sums.get(l).saturating_add(vv.rows.len(u)));
    });
    block.for_each_nosync(p.v.owned, |l| bounds.set(p.v.first + l, sums.get(l)));
    let sum = block.reduce(p.v.owned, 0u64, |l| sums.get(l) as u64, |a, b| a + b);
    block.single_nosync(|| {
        atomic::fetch_add(total, 0, sum, Relaxed, Device);
    });
}

/// The rows with one ring more, each where `starts` says.
#[kernel(threads = 128, shared = memory(arena, &mesh.max))]
pub fn k_ring_extend<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    rings: Rings<'a>,
    starts: In<'a, u32>,
    lengths: Out<'a, u32>,
    last: Out<'a, u32>,
    values: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    let memory = memory(block.arena(), &mesh.max);
    block.for_each(p.v.owned, |l| {
        let v = p.v.first + l;
        let (from, to, n) = (rings.starts.get(v), starts.get(v), rings.lengths.get(v));
        lengths.set(v, n);
        last.set(v, n);
        let mut k = 0;
        while k < n {
            values.set(to + k, rings.values.get(from + k));
            k += 1;
        }
    });
    for_each_of_last_ring(block, mesh, &p, rings, memory, |l, q, vv, u| {
        let v = p.v.first + l;
        let (start, mut n) = (starts.get(v), lengths.get(v));
        for w in vv.of(u) {
            let w = q.v.global(w);
            let mut k = 0;
            while k < n && values.get(start + k) != w {
                k += 1;
            }
            if k == n && w != v {
                values.set(start + n, w);
                n += 1;
            }
        }
        lengths.set(v, n);
    });
}

/// `lengths[v]` = `offsets[v + 1] - offsets[v]`, and `last[v]` = 0: the first ring is VV.
#[kernel(threads = 256)]
pub fn k_ring_first<'a>(v: Each, offsets: In<'a, u32>, lengths: Out<'a, u32>, last: Out<'a, u32>) {
    lengths.set(v, offsets.get(v + 1) - offsets.get(v));
    last.set(v, 0);
}

/// Moves the rows to where `offsets` says.
#[kernel(threads = 256)]
pub fn k_ring_gather<'a>(v: Each, rings: Rings<'a>, offsets: In<'a, u32>, values: Out<'a, u32>) {
    let (from, to) = (rings.starts.get(v), offsets.get(v));
    let mut k = 0;
    while k < rings.lengths.get(v) {
        values.set(to + k, rings.values.get(from + k));
        k += 1;
    }
}
