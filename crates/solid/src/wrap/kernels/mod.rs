//! The kernels.
pub mod cubes;
pub mod field;
pub mod parts;
pub mod project;

use crate::wrap::grid::{Grid, NODES};
use ribbonmesh::device::{In, Parameter};

/// State of a block without values whose nodes are all outside. States below [`INSIDE`] are slots: a block
/// with the slot `s` has the values from `NODES * s` on.
pub const OUTSIDE: u32 = u32::MAX;
/// State of a block without values whose nodes are all inside.
pub const INSIDE: u32 = u32::MAX - 1;

/// Values at the nodes of the blocks near the surface: positive outside, negative inside.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Values<'a> {
    /// The grid.
    pub grid: Grid,
    /// For each block its state.
    pub states: In<'a, u32>,
    /// The block of each slot.
    pub near: In<'a, u32>,
    /// The values.
    pub values: In<'a, f32>,
}

impl Values<'_> {
    /// The value at a node of a block that may be outside of the grid.
    #[inline(always)]
    pub fn of(&self, block: Option<u32>, node: u32) -> f32 {
        match block.map(|block| self.states.get(block)) {
            None | Some(OUTSIDE) => 1.0,
            Some(INSIDE) => -1.0,
            Some(slot) => self.values.get(NODES * slot + node),
        }
    }
}
