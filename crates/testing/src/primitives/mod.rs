//! Test kernels: every primitive of a block, so that a suite can compare both machines with plain Rust.

pub mod atomics;
pub mod collectives;
pub mod diffuse;
pub mod follow;
pub mod forms;
pub mod loops;
pub mod memory;
pub mod misuse;
pub mod per_patch;
pub mod resident;

use ribbonmesh::device::{In, Parameter};

/// Parts of an array, one per block.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Parts<'a> {
    /// The first index of each part, and the end.
    pub starts: In<'a, u32>,
    /// The longest.
    pub most: u32,
}
impl Parts<'_> {
    /// First index and length of a block's part.
    #[inline(always)]
    pub fn of(&self, block: u32) -> (u32, u32) {
        let start = self.starts.get(block);
        (start, self.starts.get(block + 1) - start)
    }
}
