//! The patches around a patch.
use crate::view::MOST_NEIGHBOURS;
use ribbonmesh::device::{Arena, Block, In, MeshView, NONE, Patch, PatchRow, Shared};

/// The patches that own elements of a patch's ribbon, ascending, in shared memory.
#[derive(Clone, Copy)]
pub struct Neighbours<'b> {
    patches: Shared<'b, u32>,
    beyond: Shared<'b, u32>,
}

impl<'b> Neighbours<'b> {
    /// Carves its shared memory.
    #[inline(always)]
    pub fn layout(arena: &'b Arena) -> Self {
        Self { patches: arena.take(MOST_NEIGHBOURS), beyond: arena.take(1) }
    }
    /// Finds them; returns their number, or [`MOST_NEIGHBOURS`]` + 1` if there are more. Collective, ends
    /// with a barrier.
    #[inline(always)]
    pub fn collect(&self, block: &Block, mesh: MeshView<'_>, p: &Patch<'_>) -> u32 {
        block.for_each_nosync(MOST_NEIGHBOURS, |i| self.patches.set(i, NONE));
        block.for_each(1, |_| self.beyond.set(0, 0));
        let each = |kind: u32, n: u32, ribbon: In<'_, u32>| {
            block.for_each_nosync(n, |i| self.add(owner(mesh, kind, ribbon.get(i))));
        };
        each(0, p.counts.v_all - p.v.owned, p.v.ribbon);
        each(1, p.counts.e_all - p.e.owned, p.e.ribbon);
        each(2, p.counts.f_all - p.f.owned, p.f.ribbon);
        block.sync();
        block.sort(self.patches, MOST_NEIGHBOURS);
        let n = block.count_where(MOST_NEIGHBOURS, |i| self.patches.get(i) != NONE);
        n + self.beyond.get(0)
    }
    #[inline(always)]
    fn add(&self, patch: u32) {
        let mut i = 0;
        while i < MOST_NEIGHBOURS {
            let before = self.patches.compare_exchange(i, NONE, patch);
            if before == NONE || before == patch {
                return;
            }
            i += 1;
        }
        self.beyond.fetch_or(0, 1);
    }
    /// Patch `i`.
    #[inline(always)]
    pub fn get(&self, i: u32) -> u32 {
        self.patches.get(i)
    }
    /// Its index among them, of `n`: one that is there.
    #[inline(always)]
    pub fn find(&self, patch: u32, n: u32) -> u32 {
        let (mut low, mut high) = (0, n);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.patches.get(middle) <= patch {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The patch of a static mesh that owns the element of a kind with this id: a binary search over the first
/// ids of all patches. Of patches that own none and the one after them, it is the last.
#[inline(always)]
pub fn owner(mesh: MeshView<'_>, kind: u32, id: u32) -> u32 {
    let (mut low, mut high) = (0, mesh.patches);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if first_of(mesh, kind, middle) <= id {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
/// The id of the first element of a kind that a patch of a static mesh owns.
#[inline(always)]
pub fn first_of(mesh: MeshView<'_>, kind: u32, patch: u32) -> u32 {
    mesh.rows.get(PatchRow::WORDS * patch + ribbonmesh::device::patch_row::word::FIRST + kind)
}
