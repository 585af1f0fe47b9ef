//! FV, FE and FF. FF is for meshes whose edges have at most two faces.
use super::fixed::{Fixed, ids};
use super::{or_none, queries};
use crate::device::query::{self, Ahead, FeWindow, FvLayout, Reach, Run};
use crate::device::{Arena, Block, Counts, Out, Patch, ResolveRibbon};

queries! {
    /// The three edges of every face, in the order of its sides.
    Fe: Face to Edge, |c| c.e_of_f, |c| [0, c.f_owned];
    /// The three vertices of every face, in the order of the input.
    Fv: Face to Vertex, |c| c.v_near, |c| [c.e_of_f, c.f_owned];
    /// For every face the three faces across its sides.
    Ff: Face to Face, |c| c.f_all, |c| [0, c.f_all];
}

impl Fixed for Fe {
    type Row = [u32; 3];
    fn carve(_: &Arena, _: &Counts) {}
    #[inline(always)]
    fn rows<'a>(_: &'a Block, p: Patch<'a>, _: impl Ahead) -> impl Fn(u32) -> [u32; 3] {
        move |f| [0, 1, 2].map(|i| p.fe.get(3 * f + i) as u32 >> 2)
    }
    fn carve_all(_: &Arena, _: &Counts) {}
    #[inline(always)]
    fn write<'a>(block: &'a Block, p: Patch<'a>, values: Out<'a, u32>) {
        let run = entries(&p, values);
        let window = FeWindow::new(&p, &run);
        block.for_each_nosync(run.quads(), |g| {
            run.put(g, window.entries(window.load(g)), |fe| p.e.global(fe >> 2))
        });
    }
}
/// The entries of a patch: three a face.
#[inline(always)]
fn entries<'a>(p: &Patch<'_>, out: Out<'a, u32>) -> Run<'a> {
    Run { out, base: 3 * p.f.first, n: 3 * p.f.owned }
}

impl Fixed for Fv {
    type Row = [u32; 3];
    fn carve(arena: &Arena, counts: &Counts) {
        query::Fv::layout(arena, counts, Reach::Owned);
    }
    #[inline(always)]
    fn rows<'a>(block: &'a Block, p: Patch<'a>, ahead: impl Ahead) -> impl Fn(u32) -> [u32; 3] {
        let memory = query::Fv::layout(block.arena(), &p.counts, Reach::Owned);
        let fv = query::Fv::from_layout(&p, memory);
        stage(block, &p, memory, ahead);
        move |f| fv.of(f)
    }
    #[inline(always)]
    fn write<'a>(block: &'a Block, p: Patch<'a>, values: Out<'a, u32>) {
        let ids = ids::<Self>(block, &p);
        let memory = query::Fv::layout(block.arena(), &p.counts, Reach::Owned);
        let run = entries(&p, values);
        let window = FeWindow::new(&p, &run);
        let fv = query::Fv::from_layout(&p, memory);
        block.for_each_ahead_nosync::<[u32; 3], 2>(
            run.quads(),
            |g| window.load(g),
            || stage(block, &p, memory, ids),
            |g, words| {
                run.put(g, window.entries(words), |fe| ids.global(fv.tail(fe)));
            },
        );
    }
}
#[inline(always)]
fn stage<'a>(block: &'a Block, p: &Patch<'a>, memory: FvLayout<'a>, ahead: impl Ahead) {
    ahead.around(block, || {
        query::Fv::stage_nosync(block, p, memory, Reach::Owned);
    });
    block.sync();
}

impl Fixed for Ff {
    type Row = [u32; 3];
    fn carve(arena: &Arena, counts: &Counts) {
        query::Ef::layout(arena, counts.e_of_f);
    }
    #[inline(always)]
    fn rows<'a>(block: &'a Block, p: Patch<'a>, ahead: impl Ahead) -> impl Fn(u32) -> [u32; 3] {
        let ef =
            query::Ef::of_owned_faces(block, &p, query::Ef::layout(block.arena(), p.counts.e_of_f), ahead);
        move |f| [0, 1, 2].map(|i| ef.across(p.fe.get(3 * f + i) as u32))
    }
    #[inline(always)]
    fn write<'a>(block: &'a Block, p: Patch<'a>, values: Out<'a, u32>) {
        let (ids, memory) = (ids::<Self>(block, &p), query::Ef::layout(block.arena(), p.counts.e_of_f));
        let run = entries(&p, values);
        let window = FeWindow::new(&p, &run);
        let (ef, face) = (query::Ef::of_owned_faces(block, &p, memory, ids), or_none(ids));
        block.for_each_nosync(run.quads(), |g| {
            run.put(g, window.entries(window.load(g)), |fe| face(ef.across(fe)));
        });
    }
}
