//! Kernels for all faces of the meshes that are combined.
pub mod places;
pub mod result;
pub mod sets;

/// A face without area.
pub const FLAT: u32 = 0;
/// A face that meets no other one.
pub const WHOLE: u32 = 1;
/// A face that meets another one.
pub const CUT: u32 = 2;

/// A face that is not in the result.
pub const DROPPED: u32 = 0;
/// A face of the result that is turned.
pub const TURNED: u32 = 2;
