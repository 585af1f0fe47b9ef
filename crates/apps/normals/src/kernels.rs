//! Kernels of normals.
use crate::chain;
use crate::corner::{Angle, Area, Max, Weighting};
use crate::row;
use glam::Vec3;
use ribbonmesh::corners::{FlatCorners, Positions, RingView, Rows, RowsLayout, Vectors, sort_row};
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, Quad, Shared, kernel};

/// Most blocks of the careful kernels per multiprocessor. They stride over the patches, so that doubtful
/// ones, which come in groups, are spread over them.
#[cfg(not(target_arch = "nvptx64"))]
pub const CAREFUL: u32 = 4;

type Memory<'b> = (RowsLayout<'b>, Shared<'b, f32>, Shared<'b, u32>);
fn memory<'b>(arena: &'b Arena, counts: &Counts) -> Memory<'b> {
    (Rows::layout(arena, counts), Positions::layout(arena, counts), arena.take(1))
}
/// Computes the normals of a patch's owned vertices from FE and EV. Where `f32` is not precise enough, `how`
/// decides: `Careful` uses `f64`, `Fast` marks the patch in `doubts`. `memory`: `None` for memory of the
/// patch's own size.
#[inline(always)]
fn fused<W: Weighting>(
    block: &Block,
    mesh: MeshView<'_>,
    patch: u32,
    memory: Option<Memory<'_>>,
    x: In<'_, Vec3>,
    normals: Out<'_, Vec3>,
    how: How<'_>,
) {
    let p = mesh.patch(patch);
    let (layout, words, doubt) = match memory {
        Some(memory) => memory,
        None => self::memory(block.arena(), &p.counts),
    };
    let positions = Positions::new(words, p.v);
    let rows = Rows::transpose(block, &p, layout, || {
        block.for_each_nosync(1, |_| doubt.set(0, 0));
        Positions::stage_nosync(block, x, p.v, p.counts.v_near, words, || ());
    });
    let normals = Vectors::new(rows.free, normals, p.v.first, p.v.owned);
    block.for_each(p.v.owned, |v| {
        let (start, end) = rows.range(v);
        // a fixed order, so that the sum is the same every time
        sort_row(rows.corners(), start, end);
        let n = match (row::normal::<W>(rows.of(v), positions, v), how) {
            (Some(n), _) => n,
            (None, How::Careful) => row::careful_normal::<W>(rows.of(v), positions, v),
            (None, How::Fast(_)) => {
                doubt.fetch_or(0, 1);
                Vec3::ZERO
            }
        };
        normals.set(v, n)
    });
    normals.write_nosync(block, mesh, patch);
    if let How::Fast(doubts) = how {
        block.single_nosync(|| doubts.set(patch, doubt.get(0)));
    }
}

/// Treatment of vertices for which `f32` is not precise enough.
#[derive(Clone, Copy)]
enum How<'a> {
    /// Marks the patch's entry: the kernel needs no registers for `f64`.
    Fast(Out<'a, u32>),
    /// Computes in `f64`.
    Careful,
}

/// Runs `f` for the block's patches that have doubts; a block's patches are as far apart as there are blocks.
#[inline(always)]
fn each_doubtful(block: &Block, patches: u32, doubts: In<'_, u32>, f: impl Fn(u32)) {
    let (first, step) = (block.index(), block.count());
    if !block.any((patches - first).div_ceil(step), |i| doubts.get(first + i * step) != 0) {
        return;
    }
    // no barrier between two patches: the normals that are still read after the last barrier of a patch are
    // overwritten only after the first barrier of the next one
    let mut patch = first;
    while patch < patches {
        if doubts.get(patch) != 0 {
            f(patch);
        }
        patch += step;
    }
}

type RingMemory<'b> = (Shared<'b, Quad>, Shared<'b, f32>, Shared<'b, Quad>, Shared<'b, u32>);
fn memory_with_ring<'b>(arena: &'b Arena, counts: &Counts, entries: u32) -> RingMemory<'b> {
    let chains = arena.take(entries / 8);
    (chains, Positions::layout(arena, counts), arena.take(Vectors::quads(counts.v_owned)), arena.take(1))
}
/// Computes the normals of a patch's owned vertices from their stored chains; otherwise as [`fused`].
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
        // a vertex reads chains and positions that other threads have loaded
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
    // a thread writes normals, and reads the doubt, of vertices of other threads
    block.sync();
    normals.write_nosync(block, mesh, patch);
    if let How::Fast(doubts) = how {
        block.single_nosync(|| doubts.set(patch, doubt.get(0)));
    }
}

/// Computes the normals of all vertices of a mesh without patches; in `f64` where `f32` is not precise
/// enough.
#[inline(always)]
fn flat<W: Weighting>(block: &Block, corners: FlatCorners<'_>, x: In<'_, Vec3>, normals: Out<'_, Vec3>) {
    block.for_each_of_tile(normals.len() as u32, |v| {
        let around = corners.of(v);
        normals.set(
            v,
            match row::normal::<W>(around, x, v) {
                Some(n) => n,
                None => row::careful_normal::<W>(around, x, v),
            },
        );
    });
}

macro_rules! kernels { ($($w:ident $plain:ident $careful:ident $ringed:ident $careful_ringed:ident $flat:ident $doc:literal;)*) => { $(
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ". One block per patch; `doubts[patch]` tells whether the \
                     careful kernel must do it again.")]
    #[kernel(threads = 128, shared = memory(arena, &mesh.max))]
    pub fn $plain<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        doubts: Out<'a, u32>,
    ) {
        fused::<$w>(block, mesh, block.index(), None, x, normals, How::Fast(doubts))
    }
    #[doc = concat!("The patches with doubts, weighted ", $doc, ". At most [`CAREFUL`] blocks for each multiprocessor.")]
    #[kernel(threads = 128, shared = memory(arena, &mesh.max))]
    pub fn $careful<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        doubts: In<'a, u32>,
    ) {
        let memory = Some(memory(block.arena(), &mesh.max));
        each_doubtful(block, mesh.patches, doubts, |p| {
            fused::<$w>(block, mesh, p, memory, x, normals, How::Careful)
        })
    }
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ", from a stored ring. One block per patch; `doubts` as \
                     without.")]
    #[kernel(threads = 128, shared = memory_with_ring(arena, &mesh.max, ring.most))]
    pub fn $ringed<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        ring: RingView<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        doubts: Out<'a, u32>,
    ) {
        fused_with_ring::<$w>(block, (mesh, ring), block.index(), None, x, normals, How::Fast(doubts))
    }
    #[doc = concat!("The patches with doubts, weighted ", $doc, ", from a stored ring. At most [`CAREFUL`] blocks for each multiprocessor.")]
    #[kernel(threads = 128, shared = memory_with_ring(arena, &mesh.max, ring.most))]
    pub fn $careful_ringed<'a>(
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
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ", of a mesh without patches. Blocks: tiles.")]
    #[kernel(threads = 128)]
    pub fn $flat<'a>(block: &Block, corners: FlatCorners<'a>, x: In<'a, Vec3>, normals: Out<'a, Vec3>) {
        flat::<$w>(block, corners, x, normals)
    }
)* } }
kernels! {
    Area normals_by_area careful_by_area normals_by_area_with_ring careful_by_area_with_ring normals_by_area_flat "by area";
    Angle normals_by_angle careful_by_angle normals_by_angle_with_ring careful_by_angle_with_ring normals_by_angle_flat "by angle";
    Max normals_by_max careful_by_max normals_by_max_with_ring careful_by_max_with_ring normals_by_max_flat "as by Max";
}
