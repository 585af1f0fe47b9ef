//! EF on edge-manifold meshes: the slot bit of FE selects the entry for a face, so that no atomics are
//! needed.
use super::Ahead;
use super::corners::face_of;
use crate::patch::Patch;
use crate::{Arena, Block, Shared};

/// Shared memory of [`Ef`].
#[derive(Clone, Copy)]
pub struct EfLayout<'b>(Shared<'b, u64>);

/// M_EF = M_FE^T on an edge-manifold mesh: two entries per edge, [`NO_LOCAL`](super::NO_LOCAL) where there is
/// no face. On any other mesh the block records
/// [`StatusCode::NotEdgeManifold`](crate::StatusCode::NotEdgeManifold) and ends; a kernel that
/// `requires(mesh.edge_manifold() == true)` is refused before.
#[derive(Clone, Copy)]
pub struct Ef<'b> {
    faces: Shared<'b, u16>,
    shift: u32,
}
impl<'b> Ef<'b> {
    /// Carves its shared memory for the first `edges` edges: 4 bytes each.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, edges: u32) -> EfLayout<'b> {
        EfLayout(arena.take((2 * edges + 3).div_ceil(4)))
    }
    /// The faces of owned edges. `shift` (0 or 2) entries are left free before the first, see
    /// [`Run`](super::Run). Loads of
    /// `ahead` are under way at its start. Collective, ends with a barrier.
    #[inline(always)]
    #[track_caller]
    pub fn of_owned(
        block: &Block,
        patch: &Patch<'_>,
        layout: EfLayout<'b>,
        shift: u32,
        ahead: impl Ahead,
    ) -> Self {
        Self::by_slots(block, patch, layout, patch.counts.e_owned, shift, ahead)
    }
    /// The faces of the edges of owned faces, to find the face [`across`](Ef::across). Collective, ends with
    /// a barrier.
    #[inline(always)]
    #[track_caller]
    pub fn of_owned_faces(block: &Block, patch: &Patch<'_>, layout: EfLayout<'b>, ahead: impl Ahead) -> Self {
        Self::by_slots(block, patch, layout, patch.counts.e_of_f, 0, ahead)
    }
    #[inline(always)]
    #[track_caller]
    fn by_slots(
        block: &Block,
        patch: &Patch<'_>,
        layout: EfLayout<'b>,
        edges: u32,
        shift: u32,
        ahead: impl Ahead,
    ) -> Self {
        block.expect_edge_manifold(patch);
        let ef = Self { faces: layout.0.wide(), shift };
        let corners = 3 * patch.counts.f_all;
        let fe = patch.fe.wide::<u64>();
        let clear = || {
            let words = (2 * edges + shift).div_ceil(4);
            ahead.around(block, || block.for_each_nosync(words, |i| layout.0.set(i, u64::MAX)));
            block.sync();
        };
        block.for_each_ahead_nosync::<u64, 4>(
            corners.div_ceil(4),
            |q| fe.get(q),
            clear,
            |q, entries| {
                let one = |k: u32| {
                    let fe = (entries >> (16 * k)) as u32 & 0xffff;
                    if 4 * q + k < corners && fe >> 2 < edges {
                        ef.faces.set(shift + (fe >> 1), face_of(q, k) as u16);
                    }
                };
                one(0);
                one(1);
                one(2);
                one(3);
            },
        );
        block.sync();
        ef
    }
    /// The faces of an edge, by slot.
    #[inline(always)]
    pub fn of(&self, edge: u32) -> [u32; 2] {
        let at = self.shift + 2 * edge;
        [self.faces.get(at) as u32, self.faces.get(at + 1) as u32]
    }
    /// The face across the side with entry `fe` of FE.
    #[inline(always)]
    pub fn across(&self, fe: u32) -> u32 {
        self.faces.get(self.shift + ((fe >> 1) ^ 1)) as u32
    }
    /// Four entries, from a multiple of 4 on, the free ones before the first counted.
    #[inline(always)]
    pub fn quad(&self, g: u32) -> u64 {
        self.faces.wide::<u64>().get(g)
    }
}
