//! Queries restricted to a predicate on the source element (thesis 4.1, 4.3.2.1).
use crate::Block;
use crate::patch::Elements;

impl Block {
    /// Whether some owned element is active, `active(id)`: a block where none is has nothing to do and leaves
    /// before it queries. Collective, with barriers; the same answer in the whole block.
    #[inline(always)]
    pub fn active(&self, elements: Elements<'_>, active: impl Fn(u32) -> bool) -> bool {
        self.any(elements.owned, |l| active(elements.first + l))
    }
    /// Runs `f(l)` for the owned elements with `active(id)`, in parallel, no barrier. `l` is the local index.
    #[inline(always)]
    pub fn for_active_nosync(&self, elements: Elements<'_>, active: impl Fn(u32) -> bool, f: impl Fn(u32)) {
        self.for_each_nosync(elements.owned, |l| {
            if active(elements.first + l) {
                f(l)
            }
        });
    }
}
