//! Ids of ribbon elements, staged in shared memory.
use crate::patch::Elements;
use crate::{Arena, Block, In, ResolveRibbon, Shared};

/// Loads that a query has under way while it stages its own memory: `()` for none, or [`Ids`].
pub trait Ahead: Copy {
    /// Runs `stage`, which stores loaded values to shared memory; no barrier.
    fn around(self, block: &Block, stage: impl FnOnce());
}
impl Ahead for () {
    #[inline(always)]
    fn around(self, _: &Block, stage: impl FnOnce()) {
        stage()
    }
}

/// The ids of a patch's first ribbon elements in shared memory: one kind of [`ResolveRibbon`]. They are
/// loaded by the query that takes them as its [`Ahead`].
#[derive(Clone, Copy)]
pub struct Ids<'a> {
    first: u32,
    owned: u32,
    n: u32,
    from: In<'a, u32>,
    ribbon: Shared<'a, u32>,
}
/// Shared memory of [`Ids`].
#[derive(Clone, Copy)]
pub struct IdsLayout<'b>(Shared<'b, u32>);

impl<'a> Ids<'a> {
    /// Carves shared memory for the ids of the first `n` local elements: 4 bytes each.
    #[inline(always)]
    pub fn layout(arena: &'a Arena, n: u32) -> IdsLayout<'a> {
        IdsLayout(arena.take(n))
    }
    /// The ids of the first `n` local elements.
    #[inline(always)]
    pub fn new(elements: Elements<'a>, n: u32, layout: IdsLayout<'a>) -> Self {
        let Elements { first, owned, ribbon } = elements;
        Self { first, owned, n: n - owned, from: ribbon, ribbon: layout.0 }
    }
}
impl Ahead for Ids<'_> {
    #[inline(always)]
    fn around(self, block: &Block, stage: impl FnOnce()) {
        let store = |r: u32, id: u32| self.ribbon.set(r, id);
        block.for_each_ahead_nosync::<u32, 1>(self.n, |r| self.from.get(r), stage, store);
    }
}
impl ResolveRibbon for Ids<'_> {
    #[inline(always)]
    fn global(&self, l: u32) -> u32 {
        if l < self.owned { self.first + l } else { self.ribbon.get(l - self.owned) }
    }
}
