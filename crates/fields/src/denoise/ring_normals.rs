//! Kernels of vertex normals from a stored ring: for positions that move while the mesh stays.
use crate::denoise::chain;
use crate::normals::corner::{Angle, Area, Max, Weighting};
#[cfg(doc)]
use crate::normals::doubts::CAREFUL;
use crate::normals::doubts::{How, each_doubtful};
use glam::Vec3;
use ribbonmesh::corners::{Positions, RingView, Vectors};
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, Quad, Shared, kernel};

type RingMemory<'b> = (Shared<'b, Quad>, Shared<'b, f32>, Shared<'b, Quad>, Shared<'b, u32>);
fn memory_with_ring<'b>(arena: &'b Arena, counts: &Counts, entries: u32) -> RingMemory<'b> {
    let chains = arena.take(entries / 8);
    (chains, Positions::layout(arena, counts), arena.take(Vectors::quads(counts.v_owned)), arena.take(1))
}
/// The normals of a patch's owned vertices from their stored chains; in `f64` where `f32` is not precise
/// enough and `how` is careful. `memory`: the patch's own if none is given.
#[inline(always)]
fn fused_with_ring<W: Weighting>(
    block: &Block,
    (mesh, ring): (MeshView<'_>, RingView<'_>),
    patch: u32,
    memory: Option<RingMemory<'_>>,
    x: In<'_, Vec3>,
    normals: Out<'_, Vec3>,
    how: How<'_>,
) {
    let p = mesh.patch(patch);
    let (base, end) = (ring.start(p.v.first), ring.start(p.v.first + p.v.owned));
    let (chains, words, room, doubt) = match memory {
        Some(memory) => memory,
        None => memory_with_ring(block.arena(), &p.counts, end - base),
    };
    let normals = Vectors::new(room.wide(), normals, p.v.first, p.v.owned);
    let from = ring.chains.at(base).wide::<Quad>();
    let load = |v: u32| [ring.start(p.v.first + v) - base, ring.start(p.v.first + v + 1) - base];
    let positions = Positions::new(words, p.v);
    let stage = || {
        block.for_each_nosync(1, |_| doubt.set(0, 0));
        Positions::stage_nosync(block, x, p.v, p.counts.v_near, words, || {
            let n = (end - base) / 8;
            block.for_each_ahead_nosync::<Quad, 2>(n, |i| from.get(i), || (), |i, q| chains.set(i, q));
        });
        block.sync();
    };
    block.for_each_ahead_nosync::<[u32; 2], 2>(p.v.owned, load, stage, |v, [start, end]| {
        let n = match (chain::normal::<W>(positions, v, chains.wide(), start, end), how) {
            (Some(n), _) => n,
            (None, How::Careful) => chain::careful_normal::<W>(positions, v, chains.wide(), start, end),
            (None, How::Fast(_)) => {
                doubt.fetch_or(0, 1);
                Vec3::ZERO
            }
        };
        normals.set(v, n);
    });
    block.sync();
    normals.write_nosync(block, mesh, patch);
    if let How::Fast(doubts) = how {
        block.single_nosync(|| doubts.set(patch, doubt.get(0)));
    }
}

macro_rules! kernels { ($($w:ident $fast:ident $careful:ident $doc:literal;)*) => { $(
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ", from a stored ring. One block per patch; \
                     `doubts[patch]` tells whether the careful kernel must do it again.")]
    #[kernel(threads = 128, shared = memory_with_ring(arena, &mesh.max, ring.most))]
    pub fn $fast<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        ring: RingView<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        doubts: Out<'a, u32>,
    ) {
        fused_with_ring::<$w>(block, (mesh, ring), block.index(), None, x, normals, How::Fast(doubts))
    }
    #[doc = concat!("The patches with doubts, weighted ", $doc, ", from a stored ring. At most [`CAREFUL`] blocks for \
                     each multiprocessor.")]
    #[kernel(threads = 128, shared = memory_with_ring(arena, &mesh.max, ring.most))]
    pub fn $careful<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        ring: RingView<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        doubts: In<'a, u32>,
    ) {
        let memory = Some(memory_with_ring(block.arena(), &mesh.max, ring.most));
        each_doubtful(block, mesh.patches, doubts, |p| {
            fused_with_ring::<$w>(block, (mesh, ring), p, memory, x, normals, How::Careful)
        })
    }
)* } }
kernels! {
    Area normals_by_area_with_ring careful_by_area_with_ring "by area";
    Angle normals_by_angle_with_ring careful_by_angle_with_ring "by angle";
    Max normals_by_max_with_ring careful_by_max_with_ring "as by Max";
}
