//! Products of sparse matrices, and multigrid by smoothed aggregation, made on NVIDIA GPUs and CPUs.
//!
//! | to | see |
//! |---|---|
//! | have a matrix of rectangular blocks | [`Blocks`] |
//! | multiply two matrices, again for other numbers | [`Product`] |
//! | exchange rows and columns | [`Transposition`] |
//! | precondition conjugate gradients | [`Multigrid`], [`MultigridOptions`], [`Cycle`] |
//! | know the levels | [`Hierarchy`] |
//! | precondition matrices of surfaces with slivers | [`Schwarz`], [`Additive`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_multigrid::{Blocks, Product};
//!
//! # fn main() -> ribbonmesh_multigrid::Result<()> {
//! let device = Device::auto();
//! // [[2, 1], [0, 3]]
//! let starts = device.upload(&[0, 2, 3])?;
//! let columns = device.upload(&[0, 1, 1])?;
//! let values = device.upload(&[2.0, 1.0, 3.0])?;
//! let a = Blocks::new(2, [1, 1], starts, columns, values)?;
//! let square = Product::new(&a, &a)?.values(&a, &a)?;
//! assert_eq!(square.numbers().read()?, [4.0, 5.0, 9.0]);
//! # Ok(())
//! # }
//! ```
//!
//! **Deterministic.** Levels and cycles have the same bits in every run on a machine: columns of a row are
//! sorted, products are added in the order of columns, and independent sets are those of a hash of numbers.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]
// what kernels and the host share is the kernels' alone there
#![cfg_attr(target_arch = "nvptx64", allow(dead_code))]

mod device;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    blocks::{Blocks, Entries, Pattern},
    cycle::Cycle,
    error::{MultigridError, Result},
    hierarchy::{Hierarchy, LevelSize},
    lanes::Lanes,
    multigrid::{Modes, Multigrid, MultigridOptions},
    numbers::Numbers,
    product::Product,
    schwarz::{Additive, Schwarz, Words},
    transposition::Transposition,
};

ribbonmesh::device::ptx!();
