//! Kernels over arrays of numbers.
use crate::device::arrange::{ListRowsTypes, RowLengthsTypes, SplitTypes};

/// Numbers that there are kernels for: `f32` and `f64`.
#[doc(hidden)]
pub trait Numbers: ribbonmesh_multigrid::Numbers + SplitTypes + RowLengthsTypes + ListRowsTypes {}
impl<R: ribbonmesh_multigrid::Numbers + SplitTypes + RowLengthsTypes + ListRowsTypes> Numbers for R {}
