//! Kernels over attributes: arithmetic, the box around positions. Those that attributes share with other
//! arrays stand in [`array::kernels`](crate::array).

pub mod bounds;
pub mod combine;
