//! Ids of ribbon elements, staged in shared memory.
use crate::patch::Elements;
use crate::{Arena, Block, ResolveRibbon, Shared};

/// The ids of a patch's first ribbon elements in shared memory: one kind of [`ResolveRibbon`].
#[derive(Clone, Copy)]
pub struct Ids {
    first: u32,
    owned: u32,
    ribbon: Shared<u32>,
}
/// Shared memory of [`Ids`].
#[derive(Clone, Copy)]
pub struct IdsLayout(Shared<u32>);

impl Ids {
    /// Shared memory for the ids of the first `n` local elements: 4 bytes each.
    #[inline(always)]
    pub fn layout(arena: &Arena, n: u32) -> IdsLayout {
        IdsLayout(arena.take(n))
    }
    /// The value, before [`Ids::fill_nosync`] fills its memory.
    #[inline(always)]
    pub fn from_layout(elements: Elements<'_>, layout: IdsLayout) -> Self {
        Self { first: elements.first, owned: elements.owned, ribbon: layout.0 }
    }
    /// Loads the ids of the ribbon elements among the first `n`; no barrier.
    #[inline(always)]
    pub fn fill_nosync(&self, block: &Block, elements: Elements<'_>, n: u32) {
        block.for_each_nosync(n - self.owned, |r| self.ribbon.set(r, elements.ribbon.get(r)));
    }
    /// Both.
    #[inline(always)]
    pub fn stage_nosync(block: &Block, elements: Elements<'_>, n: u32, layout: IdsLayout) -> Self {
        let ids = Self::from_layout(elements, layout);
        ids.fill_nosync(block, elements, n);
        ids
    }
}
impl ResolveRibbon for Ids {
    #[inline(always)]
    fn global(&self, l: u32) -> u32 {
        if l < self.owned { self.first + l } else { self.ribbon.get(l - self.owned) }
    }
}
