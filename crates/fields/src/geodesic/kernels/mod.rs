//! Kernels of geodesic distances.
pub mod band;
pub mod flat_ring;
pub mod levels;
pub mod paths;
pub mod prepare;
pub mod propagate;
pub mod window;

use ribbonmesh::device::{Block, Out, Parameter, Quad, StatusCode, Vec3};

/// Vertices of a list that a block takes at a time.
pub const CHUNK: u32 = 256;

/// Status: distances still changed after the most iterations allowed. First detail: their number.
pub const NOT_SETTLED: u32 = StatusCode::User as u32;

/// The sign bit of a distance in a state.
const SIGN: u32 = 1 << 31;

/// The coordinates in a state.
#[inline(always)]
fn place(state: Quad) -> Vec3 {
    let [x, y, z, _] = state.0;
    Vec3::new(f32::from_bits(x), f32::from_bits(y), f32::from_bits(z))
}

/// Vertices in the order of their levels.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Ordered<'a> {
    /// For each vertex: its id, the start of its row in the ring, the number of the row's [`Quad`]s, its
    /// level.
    pub vertices: Out<'a, Quad>,
    /// Start of each level, and the end of the last.
    pub limits: Out<'a, u32>,
}

/// Number of elements that the block takes of `n`, chunk by chunk; [`nth`] tells which.
#[inline(always)]
fn share(block: &Block, n: u32) -> u32 {
    let (chunks, blocks) = (n.div_ceil(CHUNK), block.count());
    let mine = chunks / blocks + (block.index() < chunks % blocks) as u32;
    // the last chunk may be shorter
    let last = mine > 0 && (mine - 1) * blocks + block.index() == chunks - 1;
    mine * CHUNK - if last { chunks * CHUNK - n } else { 0 }
}
/// The block's `i`-th element.
#[inline(always)]
fn nth(block: &Block, i: u32) -> u32 {
    (i / CHUNK * block.count() + block.index()) * CHUNK + i % CHUNK
}
