//! The kernels.
use crate::chain::{self, BREAK};
use crate::corner::{Angle, Area, Max, Weighting};
use crate::rows::{Rows, RowsLayout};
use crate::stage::{Normals, Positions};
use glam::Vec3;
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, Quad, Shared, kernel};

fn memory(arena: &Arena, counts: &Counts) -> (RowsLayout, Shared<f32>) {
    (Rows::layout(arena, counts), Positions::layout(arena, counts))
}
/// The normals of a patch's owned vertices from FE and EV.
#[inline(always)]
fn fused<W: Weighting>(block: &Block, mesh: MeshView<'_>, x: In<'_, Vec3>, normals: Out<'_, Vec3>) {
    let p = mesh.patch(block.index());
    let (layout, words) = memory(block.arena(), &p.counts);
    let positions = Positions::new(words, p.v);
    let rows = Rows::transpose(block, &p, layout, || {
        Positions::stage_nosync(block, x, p.v, p.counts.v_near, words, || ());
    });
    let normals = Normals::new(rows.free, normals, p.v.first, p.v.owned);
    block.for_each_nosync(p.v.owned, |v| normals.set(v, rows.normal::<W>(positions, v).unwrap_or(Vec3::NAN)));
    // apart, so that what `f64` needs does not weigh on the loop above
    block.for_each(p.v.owned, |v| {
        if !normals.done(v) {
            normals.set(v, rows.careful_normal::<W>(positions, v));
        }
    });
    normals.write_nosync(block, mesh.vertices);
}

/// A stored ring as kernels see it.
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
impl RingView<'_> {
    /// Where the chains of vertex `v` begin, or those of all end.
    #[inline(always)]
    fn start(&self, v: u32) -> u32 {
        if (v as usize) < self.starts.len() { self.starts.get(v) } else { self.chains.len() as u32 }
    }
}
fn memory_with_ring(
    arena: &Arena,
    counts: &Counts,
    entries: u32,
) -> (Shared<Quad>, Shared<f32>, Shared<Quad>) {
    let chains = arena.take(entries / 8);
    (chains, Positions::layout(arena, counts), arena.take(Normals::quads(counts.v_owned)))
}
/// The normals of a patch's owned vertices from their stored chains.
#[inline(always)]
fn fused_with_ring<W: Weighting>(
    block: &Block,
    mesh: MeshView<'_>,
    ring: RingView<'_>,
    x: In<'_, Vec3>,
    normals: Out<'_, Vec3>,
) {
    let p = mesh.patch(block.index());
    let (base, end) = (ring.start(p.v.first), ring.start(p.v.first + p.v.owned));
    let (chains, words, room) = memory_with_ring(block.arena(), &p.counts, end - base);
    let normals = Normals::new(room.wide(), normals, p.v.first, p.v.owned);
    let from = ring.chains.at(base).wide::<Quad>();
    let load = |v: u32| [ring.start(p.v.first + v) - base, ring.start(p.v.first + v + 1) - base];
    let positions = Positions::new(words, p.v);
    let stage = || {
        Positions::stage_nosync(block, x, p.v, p.counts.v_near, words, || {
            let n = (end - base) / 8;
            block.for_each_ahead_nosync::<Quad, 2>(n, |i| from.get(i), || (), |i, q| chains.set(i, q));
        });
        block.sync();
    };
    block.for_each_ahead_nosync::<[u32; 2], 2>(p.v.owned, load, stage, |v, [start, end]| {
        normals.set(v, chain::normal::<W>(positions, v, chains.wide(), start, end).unwrap_or(Vec3::NAN));
    });
    block.for_each(p.v.owned, |v| {
        if !normals.done(v) {
            let [start, end] = load(v);
            normals.set(v, chain::careful_normal::<W>(positions, v, chains.wide(), start, end));
        }
    });
    normals.write_nosync(block, mesh.vertices);
}

macro_rules! kernels { ($($w:ident $plain:ident $ringed:ident $doc:literal;)*) => { $(
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ". One block per patch.")]
    #[kernel(threads = 128, shared = memory(arena, &mesh.max))]
    pub fn $plain<'a>(block: &Block, mesh: MeshView<'a>, x: In<'a, Vec3>, normals: Out<'a, Vec3>) {
        fused::<$w>(block, mesh, x, normals)
    }
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ", from a stored ring. One block per patch.")]
    #[kernel(threads = 128, shared = memory_with_ring(arena, &mesh.max, ring.most))]
    pub fn $ringed<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        ring: RingView<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
    ) {
        fused_with_ring::<$w>(block, mesh, ring, x, normals)
    }
)* } }
kernels! {
    Area normals_by_area normals_by_area_with_ring "by area";
    Angle normals_by_angle normals_by_angle_with_ring "by angle";
    Max normals_by_max normals_by_max_with_ring "as by Max";
}

fn ring_memory(arena: &Arena, counts: &Counts) -> (RowsLayout, Shared<u32>) {
    (Rows::layout(arena, counts), arena.take(counts.v_owned + 1))
}
/// The chains of a patch: its joined rows, where each vertex's entries begin, and their number.
#[inline(always)]
fn chains_of_patch(block: &Block, mesh: MeshView<'_>) -> (Rows, Shared<u32>, u32) {
    let p = mesh.patch(block.index());
    let (layout, starts) = ring_memory(block.arena(), &p.counts);
    let rows = Rows::transpose(block, &p, layout, || ());
    block.for_each(p.v.owned, |v| {
        let (start, end) = rows.range(v);
        chain::join(rows.corners(), start, end);
        starts.set(v, chain::entries(rows.corners(), start, end, |_, _| ()));
    });
    let total = block.exclusive_scan(starts, p.v.owned);
    (rows, starts, total)
}
/// The number of entries of each patch's chains.
#[kernel(threads = 128, shared = ring_memory(arena, &mesh.max))]
pub fn ring_lengths<'a>(block: &Block, mesh: MeshView<'a>, lengths: Out<'a, u32>) {
    let (_, _, total) = chains_of_patch(block, mesh);
    block.single_nosync(|| lengths.set(block.index(), total));
}
/// The chains of each patch, from `bases[patch]` on, and where those of each vertex begin. `bases` ends with the end.
#[kernel(threads = 128, shared = ring_memory(arena, &mesh.max))]
pub fn ring_chains<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    bases: In<'a, u32>,
    starts: Out<'a, u32>,
    chains: Out<'a, u16>,
) {
    let v = mesh.patch(block.index()).v;
    let (rows, at, total) = chains_of_patch(block, mesh);
    let (base, end) = (bases.get(block.index()), bases.get(block.index() + 1));
    block.for_each_nosync(v.owned, |l| {
        let (first, last) = rows.range(l);
        let to = base + at.get(l);
        starts.set(v.first + l, to);
        chain::entries(rows.corners(), first, last, |i, entry| chains.set(to + i, entry));
    });
    block.for_each_nosync(end - base - total, |i| chains.set(base + total + i, BREAK));
    if block.index() + 1 == block.count() {
        let owned_end = v.first + v.owned;
        block.for_each_nosync(mesh.vertices - owned_end, |i| starts.set(owned_end + i, end));
    }
}
