//! Kernels over flat arrays. Values are seen as rows of a fixed number of words, or scalars, one row after
//! the other.

pub mod exchange;
pub mod extreme;
pub mod finish;
pub mod groups;
pub mod number;
pub mod ordered;
pub mod rows;
pub mod runs;
pub mod scan;
pub mod select;
pub mod sort;
pub mod sum;

/// Lanes that visit a tile side by side in a reduction; a power of two. Fixed, so that sums are added in the
/// same order on every machine.
pub const LANES: u32 = 128;
