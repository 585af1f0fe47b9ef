//! Chains of neighbours around vertices, stored.
use crate::chain::{self, BREAK};
use ribbonmesh::device::query::{NO_LOCAL, Vf, VfLayout};
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, Quad, Shared, kernel, pack};

/// The stored chains of all patches, as kernels see them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RingView<'a> {
    /// Where each vertex's chains begin.
    pub starts: In<'a, u32>,
    /// The chains; those of a patch begin at a multiple of 8.
    pub chains: In<'a, u16>,
    /// Most entries of a patch.
    pub most: u32,
}
/// Memory for a patch's chains and where each vertex's begin.
pub type RingMemory = (Shared<Quad>, Shared<u32>);
impl RingView<'_> {
    /// Where the chains of vertex `v` begin, or those of all end.
    #[inline(always)]
    fn start(&self, v: u32) -> u32 {
        if (v as usize) < self.starts.len() { self.starts.get(v) } else { self.chains.len() as u32 }
    }
    /// Carves memory for a patch that has the most entries.
    #[inline(always)]
    pub fn layout(&self, arena: &Arena, vertices: u32) -> RingMemory {
        (arena.take(self.most / 8), arena.take(vertices + 1))
    }
    /// Loads the chains of the vertices from `first` on; no barrier.
    #[inline(always)]
    pub fn stage_nosync(&self, block: &Block, (first, owned): (u32, u32), memory: RingMemory) {
        let (chains, starts) = memory;
        let (base, end) = (self.start(first), self.start(first + owned));
        let from = self.chains.at(base).wide::<Quad>();
        block.for_each_ahead_nosync::<Quad, 2>(
            (end - base) / 8,
            |i| from.get(i),
            || block.for_each_nosync(owned + 1, |v| starts.set(v, self.start(first + v) - base)),
            |i, q| chains.set(i, q),
        );
    }
}
/// Where the chains of local vertex `v` begin and end.
#[inline(always)]
pub fn range(memory: RingMemory, v: u32) -> (u32, u32) {
    (memory.1.get(v), memory.1.get(v + 1))
}

type Memory = (VfLayout, Shared<u32>, Shared<u32>);
fn memory(arena: &Arena, counts: &Counts) -> Memory {
    (Vf::layout(arena, counts), arena.take(counts.vf), arena.take(counts.v_owned + 1))
}
/// The corners of a patch's owned vertices, joined; where each vertex's corners end and its entries begin; the number of
/// entries.
#[inline(always)]
fn chains_of_patch(block: &Block, mesh: MeshView<'_>, put: impl Fn(Vf, Shared<u32>, Shared<u32>, u32)) {
    let p = mesh.patch(block.index());
    let (layout, corners, starts) = memory(block.arena(), &p.counts);
    let vf = Vf::transpose(block, &p, layout, 0);
    block.for_each(p.v.owned, |v| {
        let (first, end) = corners_of(vf, v, corners);
        chain::join(corners, first, end);
        starts.set(v, chain::entries(corners, first, end, |_, _| ()));
    });
    let total = block.exclusive_scan(starts, p.v.owned);
    put(vf, corners, starts, total);
}
/// Writes the corners of `v` whose faces have three different vertices to its part of `corners`: from where to where.
#[inline(always)]
fn corners_of(vf: Vf, v: u32, corners: Shared<u32>) -> (u32, u32) {
    let first = vf.rows.start(v);
    let mut end = first;
    for f in vf.of(v) {
        let (a, b, c) = (vf.corner(f, 0), vf.corner(f, 1), vf.corner(f, 2));
        if a != NO_LOCAL && b != NO_LOCAL && c != NO_LOCAL {
            let (next, previous) = if v == a {
                (b, c)
            } else if v == b {
                (c, a)
            } else {
                (a, b)
            };
            corners.set(end, pack(next, previous));
            end += 1;
        }
    }
    (first, end)
}
/// The number of entries of each patch's chains. One block per patch.
#[kernel(threads = 128, shared = memory(arena, &mesh.max))]
pub fn ring_lengths<'a>(block: &Block, mesh: MeshView<'a>, lengths: Out<'a, u32>) {
    chains_of_patch(block, mesh, |_, _, _, total| {
        block.single_nosync(|| lengths.set(block.index(), total));
    });
}
/// The chains of each patch, from `bases[patch]` on, and where those of each vertex begin. `bases` ends with the end. One
/// block per patch.
#[kernel(threads = 128, shared = memory(arena, &mesh.max))]
pub fn ring_chains<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    bases: In<'a, u32>,
    starts: Out<'a, u32>,
    chains: Out<'a, u16>,
) {
    let v = mesh.patch(block.index()).v;
    let (base, end) = (bases.get(block.index()), bases.get(block.index() + 1));
    chains_of_patch(block, mesh, |vf, corners, at, total| {
        block.for_each_nosync(v.owned, |l| {
            let to = base + at.get(l);
            starts.set(v.first + l, to);
            // joined corners stay where they are: degenerate faces are not counted
            let first = vf.rows.start(l);
            let last = first + regular(vf, l);
            chain::entries(corners, first, last, |i, entry| chains.set(to + i, entry));
        });
        block.for_each_nosync(end - base - total, |i| chains.set(base + total + i, BREAK));
    });
    if block.index() + 1 == block.count() {
        let owned_end = v.first + v.owned;
        block.for_each_nosync(mesh.vertices - owned_end, |i| starts.set(owned_end + i, end));
    }
}
/// Faces of `v` with three different vertices.
#[inline(always)]
fn regular(vf: Vf, v: u32) -> u32 {
    let mut n = 0;
    for f in vf.of(v) {
        n += (vf.corner(f, 1) != NO_LOCAL && vf.corner(f, 2) != NO_LOCAL) as u32;
    }
    n
}
