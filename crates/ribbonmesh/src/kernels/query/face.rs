//! FV and FE; and FF on meshes whose edges have at most two faces.
use crate::device::query::{Ahead, Ef, EfLayout, FeWindow, Fv, FvLayout, Ids, IdsLayout, Reach, Run};
use crate::device::{Arena, Block, Counts, MeshView, Out, ResolveRibbon, kernel};
use crate::kernels::query::or_none;

/// The three edges of every face, in the order of its sides.
#[kernel(threads = 128)]
pub fn write_fe<'a>(block: &Block, mesh: MeshView<'a>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let run = Run { out: values, base: 3 * p.f.first, n: 3 * p.f.owned };
    let window = FeWindow::new(&p, &run);
    block.for_each_nosync(run.quads(), |g| {
        run.put(g, window.entries(window.load(g)), |fe| p.e.global(fe >> 2))
    });
}

fn fv_memory<'b>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, FvLayout<'b>) {
    (Ids::layout(arena, counts.v_near), Fv::layout(arena, counts, Reach::Owned))
}
/// The three vertices of every face, in the order of the input.
#[kernel(threads = 128, shared = fv_memory(arena, &mesh.max))]
pub fn write_fv<'a>(block: &Block, mesh: MeshView<'a>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let (ids, memory) = fv_memory(block.arena(), &p.counts);
    let run = Run { out: values, base: 3 * p.f.first, n: 3 * p.f.owned };
    let window = FeWindow::new(&p, &run);
    let fv = Fv::from_layout(&p, memory);
    let ids = Ids::new(p.v, p.counts.v_near, ids);
    let stage = || {
        ids.around(block, || {
            Fv::stage_nosync(block, &p, memory, Reach::Owned);
        });
        block.sync();
    };
    block.for_each_ahead_nosync::<[u32; 3], 2>(
        run.quads(),
        |g| window.load(g),
        stage,
        |g, words| {
            run.put(g, window.entries(words), |fe| ids.global(fv.tail(fe)));
        },
    );
}

fn ff_memory<'b>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, EfLayout<'b>) {
    (Ids::layout(arena, counts.f_all), Ef::layout(arena, counts.e_of_f))
}
/// For every face the three faces across its sides.
#[kernel(threads = 128, shared = ff_memory(arena, &mesh.max))]
pub fn write_ff<'a>(block: &Block, mesh: MeshView<'a>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let (ids, memory) = ff_memory(block.arena(), &p.counts);
    let run = Run { out: values, base: 3 * p.f.first, n: 3 * p.f.owned };
    let window = FeWindow::new(&p, &run);
    let ids = Ids::new(p.f, p.counts.f_all, ids);
    let (ef, face) = (Ef::of_owned_faces(block, &p, memory, ids), or_none(ids));
    block.for_each_nosync(run.quads(), |g| {
        run.put(g, window.entries(window.load(g)), |fe| face(ef.across(fe)));
    });
}
