//! Kernels over attributes: arithmetic, the box around positions. Kernels that attributes share with other
//! arrays are in [`array::kernels`](crate::array).

pub mod bounds;
pub mod combine;
