//! EE on edge-manifold meshes.
use super::Ahead;
use super::corners::FaceGroup;
use crate::patch::{Counts, Patch, hi, lo, pack};
use crate::{Arena, Block, Shared};

/// Shared memory of [`Ee`].
#[derive(Clone, Copy)]
pub struct EeLayout<'b>(Shared<'b, u64>);

/// M_EE = M_FE^T M_FE on an edge-manifold mesh: for each owned edge, the next and the previous
/// edge in the face of slot 0, then those in the face of slot 1; [`NO_LOCAL`](super::NO_LOCAL) where there is
/// no face.
///
/// An edge that shares two faces with another is there twice. On any other mesh as [`Ef`](super::Ef).
#[derive(Clone, Copy)]
pub struct Ee<'b>(Shared<'b, u64>);
impl<'b> Ee<'b> {
    /// Carves its shared memory: 8 bytes per owned edge.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, counts: &Counts) -> EeLayout<'b> {
        EeLayout(arena.take(counts.e_owned))
    }
    /// Finds them without atomics, through the slot bit of FE; loads of `ahead` are under way at its
    /// start. Collective, ends with a barrier.
    #[inline(always)]
    #[track_caller]
    pub fn by_slots(block: &Block, patch: &Patch<'_>, layout: EeLayout<'b>, ahead: impl Ahead) -> Self {
        block.expect_edge_manifold(patch);
        let (edges, pairs) = (patch.counts.e_owned, layout.0.wide::<u32>());
        let clear = || {
            ahead.around(block, || block.for_each_nosync(edges, |e| layout.0.set(e, u64::MAX)));
            block.sync();
        };
        FaceGroup::for_each_nosync(block, patch, patch.counts.f_all, clear, |_, fe| {
            let side = |a: u32, b: u32, c: u32| {
                if a >> 2 < edges {
                    pairs.set(a >> 1, pack(b >> 2, c >> 2));
                }
            };
            side(fe[0], fe[1], fe[2]);
            side(fe[1], fe[2], fe[0]);
            side(fe[2], fe[0], fe[1]);
        });
        block.sync();
        Self(layout.0)
    }
    /// The four entries of an owned edge.
    #[inline(always)]
    pub fn of(&self, edge: u32) -> [u32; 4] {
        let w = self.0.get(edge);
        let (a, b) = (w as u32, (w >> 32) as u32);
        [lo(a), hi(a), lo(b), hi(b)]
    }
}
