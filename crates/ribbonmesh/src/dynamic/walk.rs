//! Faces of a cavity as the first walk around them finds them, kept for recording the cavity.
use crate::device::{Arena, Shared};
use crate::dynamic::phases::CHUNK;

/// Faces of a cavity that are kept; if a cavity has more, its faces are read from the mesh.
pub const KEPT: u32 = 16;

/// The faces of the cavities of a chunk of candidates: half-edges, and which of their sides are on the loop.
#[derive(Clone, Copy)]
pub struct Walks<'b> {
    half_edges: Shared<'b, u32>,
    loops: Shared<'b, u32>,
}
impl<'b> Walks<'b> {
    /// Carves the memory.
    #[inline(always)]
    pub fn take(arena: &'b Arena) -> Self {
        Self { half_edges: arena.take(KEPT * CHUNK), loops: arena.take(2 * CHUNK) }
    }
    /// Two pieces of [`CHUNK`] words or more, for a phase without walks.
    #[inline(always)]
    pub fn scratch(self) -> [Shared<'b, u32>; 2] {
        [self.half_edges, self.loops]
    }
    /// The walk of candidate `i` of the chunk.
    #[inline(always)]
    pub fn of(self, i: u32) -> Walk<'b> {
        Walk { walks: self, i }
    }
}

/// The faces of one cavity.
#[derive(Clone, Copy)]
pub struct Walk<'b> {
    walks: Walks<'b>,
    i: u32,
}
impl Walk<'_> {
    /// Keeps the half-edge by which face `k` is named.
    #[inline(always)]
    pub fn put(&self, k: u32, h: u32) {
        if k < KEPT {
            self.walks.half_edges.set(k * CHUNK + self.i, h);
        }
    }
    /// Half-edge `k`, for `k` below [`KEPT`].
    #[inline(always)]
    pub fn get(&self, k: u32) -> u32 {
        self.walks.half_edges.get(k * CHUNK + self.i)
    }
    /// Keeps which sides are on the loop: bit `3 k + j` for side `j` of face `k`, from its half-edge on.
    #[inline(always)]
    pub fn put_loop(&self, bits: u64) {
        self.walks.loops.set(self.i, bits as u32);
        self.walks.loops.set(CHUNK + self.i, (bits >> 32) as u32);
    }
    /// These bits.
    #[inline(always)]
    pub fn loop_bits(&self) -> u64 {
        self.walks.loops.get(self.i) as u64 | (self.walks.loops.get(CHUNK + self.i) as u64) << 32
    }
}
