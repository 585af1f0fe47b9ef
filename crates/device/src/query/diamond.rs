//! EVDiamond: an edge and the vertices opposite to it.
use super::Ahead;
use super::corners::FaceGroup;
use super::fv::{Fv, FvLayout, Reach};
use crate::patch::{Counts, Patch, hi, lo};
use crate::{Arena, Block, Shared};

/// Shared memory of [`Diamond`].
#[derive(Clone, Copy)]
pub struct DiamondLayout<'b> {
    fv: FvLayout<'b>,
    opposite: Shared<'b, u32>,
}

/// For each owned edge (v0, v1) of an edge-manifold mesh: v0, the vertex opposite in the face of
/// slot 0, v1, the vertex opposite in the face of slot 1; [`NO_LOCAL`](super::NO_LOCAL) where there is no
/// face. On any other mesh as [`Ef`](super::Ef).
#[derive(Clone, Copy)]
pub struct Diamond<'a> {
    fv: Fv<'a>,
    opposite: Shared<'a, u32>,
}
impl<'a> Diamond<'a> {
    /// Carves its shared memory: 4 bytes per edge and per owned edge.
    #[inline(always)]
    pub fn layout(arena: &'a Arena, counts: &Counts) -> DiamondLayout<'a> {
        DiamondLayout { fv: Fv::layout(arena, counts, Reach::All), opposite: arena.take(counts.e_owned) }
    }
    /// Finds them without atomics, through the slot bit of FE; loads of `ahead` are under way at its
    /// start. Collective, ends with a barrier.
    #[inline(always)]
    #[track_caller]
    pub fn by_slots(block: &Block, patch: &Patch<'a>, layout: DiamondLayout<'a>, ahead: impl Ahead) -> Self {
        block.expect_edge_manifold(patch);
        Self::of_two_sides(block, patch, layout, ahead)
    }
    /// The same for a mesh that the caller knows to have no edge of more than two sides: faces may be
    /// degenerate. Where an edge has more, some of its faces are missing.
    #[inline(always)]
    pub fn of_two_sides(
        block: &Block,
        patch: &Patch<'a>,
        layout: DiamondLayout<'a>,
        ahead: impl Ahead,
    ) -> Self {
        let (edges, opposite) = (patch.counts.e_owned, layout.opposite);
        let fv = Fv::from_layout(patch, layout.fv);
        let prepare = || {
            ahead.around(block, || {
                Fv::stage_nosync(block, patch, layout.fv, Reach::All);
                block.for_each_nosync(edges, |e| opposite.set(e, u32::MAX));
            });
            block.sync();
        };
        let slots = opposite.wide::<u16>();
        FaceGroup::for_each_nosync(block, patch, patch.counts.f_all, prepare, |_, fe| {
            let side = |a: u32, c: u32| {
                if a >> 2 < edges {
                    slots.set(a >> 1, fv.tail(c) as u16);
                }
            };
            side(fe[0], fe[2]);
            side(fe[1], fe[0]);
            side(fe[2], fe[1]);
        });
        block.sync();
        Self { fv, opposite }
    }
    /// The four entries of an owned edge.
    #[inline(always)]
    pub fn of(&self, edge: u32) -> [u32; 4] {
        let (ends, opposite) = (self.fv.ends(edge), self.opposite.get(edge));
        [lo(ends), lo(opposite), hi(ends), hi(opposite)]
    }
}
