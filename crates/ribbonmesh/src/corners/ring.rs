//! The stored ring, as kernels see it.
use crate::device::{In, Parameter};

/// Between chains, and after the last of a patch.
pub const BREAK: u16 = 0xffff;

/// The neighbours around each vertex, as chains.
///
/// The corners of a vertex, each from a next to a previous neighbour, are joined end to end where they can. A
/// vertex inside of a manifold surface has one closed chain, which has its first neighbour again at its end.
/// A vertex on the boundary has an open chain. Other vertices have several, with [`BREAK`] between them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct RingView<'a> {
    /// The index of the first entry of each vertex's chains.
    pub starts: In<'a, u32>,
    /// The chains, as local indices; the chains of a patch begin at a multiple of 8.
    pub chains: In<'a, u16>,
    /// Most entries of a patch.
    pub most: u32,
}
impl RingView<'_> {
    /// The index of the first entry of the chains of vertex `v`; the end of all chains if `v` is not below
    /// the number of vertices.
    #[inline(always)]
    pub fn start(&self, v: u32) -> u32 {
        if (v as usize) < self.starts.len() { self.starts.get(v) } else { self.chains.len() as u32 }
    }
}
