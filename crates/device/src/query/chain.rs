//! Queries beyond a patch (thesis 4.3.2.1): the patches that a block still needs are collected, made unique
//! and processed by the whole block one after the other.
use crate::patch::MeshView;
use crate::{Arena, Block, NONE, Shared};

/// Words of the set: 32 patches each.
const WORDS: u32 = 128;

/// A set of patches in shared memory: those that own vertices whose queries a block needs.
///
/// It holds a window of patch numbers at a time, as bits; the patches beyond are collected in a further
/// round, so that nothing limits the number of patches.
#[derive(Clone, Copy)]
pub struct Chain<'b> {
    bits: Shared<'b, u32>,
    next: Shared<'b, u32>,
}

/// The set to which an iteration adds the vertices that it needs; borrowed from the block and the mesh.
#[derive(Clone, Copy)]
pub struct Want<'a> {
    chain: Chain<'a>,
    mesh: MeshView<'a>,
    base: u32,
}
impl Want<'_> {
    /// Asks for the patch that owns the vertex, which has a face.
    #[inline(always)]
    pub fn vertex(&self, v: u32) {
        let p = self.mesh.owner_of_vertex(v);
        if p < self.base {
            return;
        }
        let at = p - self.base;
        if at < 32 * WORDS {
            self.chain.bits.fetch_or(at / 32, 1 << (at % 32));
        } else {
            self.chain.next.fetch_min(0, p);
        }
    }
}

impl<'a> Chain<'a> {
    /// Carves its shared memory: half a kilobyte.
    #[inline(always)]
    pub fn layout(arena: &'a Arena) -> Self {
        Self { bits: arena.take(WORDS), next: arena.take(1) }
    }
    /// Runs `f(p)`, uniform code that ends with a barrier, for every patch that owns a vertex named by
    /// `wants(i, want)` for some `i < n`, once each, in ascending order. Collective.
    #[inline(always)]
    pub fn for_each_patch(
        self,
        block: &Block,
        mesh: MeshView<'a>,
        n: u32,
        wants: impl Fn(u32, Want<'a>),
        mut f: impl FnMut(u32),
    ) {
        let mut base = 0;
        loop {
            block.for_each_nosync(WORDS, |w| self.bits.set(w, 0));
            block.for_each(1, |_| self.next.set(0, NONE));
            block.for_each(n, |i| wants(i, Want { chain: self, mesh, base }));
            let mut word = 0;
            while word < WORDS {
                let mut bits = self.bits.get(word);
                while bits != 0 {
                    f(base + 32 * word + bits.trailing_zeros());
                    bits &= bits - 1;
                }
                word += 1;
            }
            base = self.next.get(0);
            if base == NONE {
                return;
            }
            block.sync();
        }
    }
}

impl MeshView<'_> {
    /// The patch that owns a vertex, which has a face: a binary search over the patches' first ids.
    #[inline(always)]
    pub fn owner_of_vertex(&self, v: u32) -> u32 {
        let (mut low, mut high) = (0, self.patches);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.rows.get(20 * middle) <= v {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}
