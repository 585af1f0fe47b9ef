//! Kernels over arrays of numbers.
use crate::device::arrange::SplitTypes;

/// Numbers that there are kernels for: `f32` and `f64`.
#[doc(hidden)]
pub trait Numbers: ribbonmesh_linear::Numbers + SplitTypes {}
impl<R: ribbonmesh_linear::Numbers + SplitTypes> Numbers for R {}
