//! Kernels over attributes: permutation, arithmetic, reductions.
//!
//! Values are seen as rows of scalars: `width` of them per element, one after the other.

pub mod bounds;
pub mod combine;
pub mod extreme;
pub mod permute;
pub mod sum;

/// Lanes that go through a tile side by side in a reduction; a power of two. Fixed, so that sums are added in the
/// same order on every machine.
pub const LANES: u32 = 128;
