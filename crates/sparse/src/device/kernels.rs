//! The kernels of the entry types of this crate.
use super::entry::{Complex, DenseBlock, DualQuaternion, Quaternion};

crate::entry_kernels! {
    f32:
    rows_f32 RowsF32,
    balanced_f32 BalancedF32,
    pieces_f32 PiecesF32,
    update_f32 UpdateF32,
    adjoint_f32 AdjointF32
}
crate::entry_kernels! {
    Complex<f32>:
    rows_complex_f32 RowsComplexF32,
    balanced_complex_f32 BalancedComplexF32,
    pieces_complex_f32 PiecesComplexF32,
    update_complex_f32 UpdateComplexF32,
    adjoint_complex_f32 AdjointComplexF32
}
crate::entry_kernels! {
    Quaternion<f32>:
    rows_quaternion_f32 RowsQuaternionF32,
    balanced_quaternion_f32 BalancedQuaternionF32,
    pieces_quaternion_f32 PiecesQuaternionF32,
    update_quaternion_f32 UpdateQuaternionF32,
    adjoint_quaternion_f32 AdjointQuaternionF32
}
crate::entry_kernels! {
    DualQuaternion<f32>:
    rows_dual_quaternion_f32 RowsDualQuaternionF32,
    balanced_dual_quaternion_f32 BalancedDualQuaternionF32,
    pieces_dual_quaternion_f32 PiecesDualQuaternionF32,
    update_dual_quaternion_f32 UpdateDualQuaternionF32,
    adjoint_dual_quaternion_f32 AdjointDualQuaternionF32
}
crate::entry_kernels! {
    DenseBlock<f32, 2>:
    rows_block2_f32 RowsBlock2F32,
    balanced_block2_f32 BalancedBlock2F32,
    pieces_block2_f32 PiecesBlock2F32,
    update_block2_f32 UpdateBlock2F32,
    adjoint_block2_f32 AdjointBlock2F32
}
crate::entry_kernels! {
    DenseBlock<f32, 3>:
    rows_block3_f32 RowsBlock3F32,
    balanced_block3_f32 BalancedBlock3F32,
    pieces_block3_f32 PiecesBlock3F32,
    update_block3_f32 UpdateBlock3F32,
    adjoint_block3_f32 AdjointBlock3F32
}
crate::entry_kernels! {
    DenseBlock<f32, 4>:
    rows_block4_f32 RowsBlock4F32,
    balanced_block4_f32 BalancedBlock4F32,
    pieces_block4_f32 PiecesBlock4F32,
    update_block4_f32 UpdateBlock4F32,
    adjoint_block4_f32 AdjointBlock4F32
}
crate::entry_kernels! {
    DenseBlock<f32, 5>:
    rows_block5_f32 RowsBlock5F32,
    balanced_block5_f32 BalancedBlock5F32,
    pieces_block5_f32 PiecesBlock5F32,
    update_block5_f32 UpdateBlock5F32,
    adjoint_block5_f32 AdjointBlock5F32
}
crate::entry_kernels! {
    DenseBlock<f32, 6>:
    rows_block6_f32 RowsBlock6F32,
    balanced_block6_f32 BalancedBlock6F32,
    pieces_block6_f32 PiecesBlock6F32,
    update_block6_f32 UpdateBlock6F32,
    adjoint_block6_f32 AdjointBlock6F32
}
crate::entry_kernels! {
    f64:
    rows_f64 RowsF64,
    balanced_f64 BalancedF64,
    pieces_f64 PiecesF64,
    update_f64 UpdateF64,
    adjoint_f64 AdjointF64
}
crate::entry_kernels! {
    Complex<f64>:
    rows_complex_f64 RowsComplexF64,
    balanced_complex_f64 BalancedComplexF64,
    pieces_complex_f64 PiecesComplexF64,
    update_complex_f64 UpdateComplexF64,
    adjoint_complex_f64 AdjointComplexF64
}
crate::entry_kernels! {
    Quaternion<f64>:
    rows_quaternion_f64 RowsQuaternionF64,
    balanced_quaternion_f64 BalancedQuaternionF64,
    pieces_quaternion_f64 PiecesQuaternionF64,
    update_quaternion_f64 UpdateQuaternionF64,
    adjoint_quaternion_f64 AdjointQuaternionF64
}
crate::entry_kernels! {
    DualQuaternion<f64>:
    rows_dual_quaternion_f64 RowsDualQuaternionF64,
    balanced_dual_quaternion_f64 BalancedDualQuaternionF64,
    pieces_dual_quaternion_f64 PiecesDualQuaternionF64,
    update_dual_quaternion_f64 UpdateDualQuaternionF64,
    adjoint_dual_quaternion_f64 AdjointDualQuaternionF64
}
crate::entry_kernels! {
    DenseBlock<f64, 2>:
    rows_block2_f64 RowsBlock2F64,
    balanced_block2_f64 BalancedBlock2F64,
    pieces_block2_f64 PiecesBlock2F64,
    update_block2_f64 UpdateBlock2F64,
    adjoint_block2_f64 AdjointBlock2F64
}
crate::entry_kernels! {
    DenseBlock<f64, 3>:
    rows_block3_f64 RowsBlock3F64,
    balanced_block3_f64 BalancedBlock3F64,
    pieces_block3_f64 PiecesBlock3F64,
    update_block3_f64 UpdateBlock3F64,
    adjoint_block3_f64 AdjointBlock3F64
}
crate::entry_kernels! {
    DenseBlock<f64, 4>:
    rows_block4_f64 RowsBlock4F64,
    balanced_block4_f64 BalancedBlock4F64,
    pieces_block4_f64 PiecesBlock4F64,
    update_block4_f64 UpdateBlock4F64,
    adjoint_block4_f64 AdjointBlock4F64
}
crate::entry_kernels! {
    DenseBlock<f64, 5>:
    rows_block5_f64 RowsBlock5F64,
    balanced_block5_f64 BalancedBlock5F64,
    pieces_block5_f64 PiecesBlock5F64,
    update_block5_f64 UpdateBlock5F64,
    adjoint_block5_f64 AdjointBlock5F64
}
crate::entry_kernels! {
    DenseBlock<f64, 6>:
    rows_block6_f64 RowsBlock6F64,
    balanced_block6_f64 BalancedBlock6F64,
    pieces_block6_f64 PiecesBlock6F64,
    update_block6_f64 UpdateBlock6F64,
    adjoint_block6_f64 AdjointBlock6F64
}
