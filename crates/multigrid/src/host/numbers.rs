//! Numbers that there are kernels for.
use crate::device::cycle::{
    MultiplyBlocksTypes, MultiplyFoursTypes, RelaxFoursTypes, RelaxRowsFoursTypes, RelaxRowsTypes, RelaxTypes,
};
use crate::device::dense::MultiplyDenseTypes;
use crate::device::domains::SolveDomainsTypes;
use crate::device::product::MultiplyRowsTypes;
use crate::device::rows::TransposeBlocksTypes;

/// Numbers of vectors and matrices: `f32` and `f64`.
pub trait Numbers:
    ribbonmesh_linear::Numbers
    + TransposeBlocksTypes
    + MultiplyRowsTypes<1, 1, 1>
    + MultiplyRowsTypes<3, 3, 3>
    + MultiplyRowsTypes<3, 3, 6>
    + MultiplyRowsTypes<6, 6, 6>
    + MultiplyRowsTypes<6, 3, 6>
    + MultiplyBlocksTypes<f32>
    + MultiplyBlocksTypes<f64>
    + RelaxRowsTypes<f32>
    + RelaxRowsTypes<f64>
    + RelaxTypes
    + MultiplyFoursTypes<f32>
    + MultiplyFoursTypes<f64>
    + RelaxRowsFoursTypes<f32>
    + RelaxRowsFoursTypes<f64>
    + RelaxFoursTypes
    + MultiplyDenseTypes
    + SolveDomainsTypes
{
}
impl Numbers for f32 {}
impl Numbers for f64 {}
