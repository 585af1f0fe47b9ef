//! One thread per element.
use ribbonmesh::device::Block;

/// Threads of a block, each with one element (thesis 4.4.1).
pub const THREADS: u32 = 256;

/// Runs `f` for the block's elements of `n`; the launch has [`blocks`]`(n)` blocks.
#[inline(always)]
pub fn each(block: &Block, n: u32, f: impl Fn(u32)) {
    let first = THREADS * block.index();
    let own = if n - first < THREADS { n - first } else { THREADS };
    block.for_each_nosync(own, |i| f(first + i));
}

/// Blocks that cover `n` elements.
#[cfg(not(target_arch = "nvptx64"))]
pub fn blocks(n: usize) -> u32 {
    n.div_ceil(THREADS as usize) as u32
}
