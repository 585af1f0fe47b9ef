//! Sparse matrices on NVIDIA GPUs and CPUs, with compound entries and many layouts (Mueller-Roemer 2020,
//! chapter 5).
//!
//! | to | see |
//! |---|---|
//! | choose what a matrix consists of | `f32`, `f64`, [`Complex`], [`Quaternion`], [`DualQuaternion`], [`DenseBlock`] of 2 to 6 rows; [`Entry`] and [`entry_kernels!`] for a type of your own |
//! | make one on the host | [`Csr::from_triplets`], [`Csr::from_parts`], [`read_market`] |
//! | have it on a device | [`SparseMatrix::new`]; [`SparseMatrix::from_buffers`] and [`SparseMatrix::from_slices`] for arrays that are already there |
//! | choose its layout | [`Layout`], [`Schedule`], [`Variant`], [`SparseMatrix::with_variant`] |
//! | have the fastest layout found | [`tune`](tune()), [`Winners`]; [`Variant::guess`] without measuring |
//! | multiply | [`SparseMatrix::multiply`], [`multiply_scaled`](SparseMatrix::multiply_scaled), [`multiply_many`](SparseMatrix::multiply_many) |
//! | exchange rows and columns | [`Csr::adjoint`], [`SparseMatrix::adjoint`] |
//! | work with vectors | [`Vector`] |
//! | multiply two matrices | [`SparseMatrix::product_with`]; [`SparseMatrix::to_rows`] and `ribbonmesh_multigrid` |
//! | solve a system | [`ConjugateGradients`], with [`Preconditioner::Multigrid`] |
//! | write a file | [`write_market`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_sparse::{CgOptions, ConjugateGradients, Csr, SparseMatrix, Vector};
//!
//! # fn main() -> ribbonmesh_sparse::Result<()> {
//! // entries at the same place are summed
//! let triplets = [(0, 0, 2.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0), (1, 1, 1.0)];
//! let matrix = Csr::<f64>::from_triplets(2, 2, &triplets)?;
//!
//! let device = Device::auto();
//! let on_device = SparseMatrix::new(&device, &matrix)?;
//! let layout = on_device.variant().layout.vector;
//! let b = Vector::upload(&device, &[3.0, 0.0], layout)?;
//! let mut x = on_device.domain()?;
//! let report = ConjugateGradients::new(&on_device, CgOptions::default())?.solve(&b, &mut x)?;
//! assert!(report.true_residual < 1e-6);
//!
//! let mut y = on_device.range()?;
//! on_device.multiply(&x, &mut y)?;
//! assert!((y.download()?[0] - 3.0).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! **Deterministic.** Results have the same bits in every run on a machine. Schedules of a thread for each
//! row add the products of a row in the order of its entries. A GPU fuses products and sums, a CPU does not,
//! so machines differ in the last bits.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod device;
pub use device::entry::{Complex, DenseBlock, DualQuaternion, Element, Entry, Quaternion, Real};
#[cfg(not(target_arch = "nvptx64"))]
pub use device::family::Launched;
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    cg::{CgOptions, CgOutcome, CgReport, ConjugateGradients, Preconditioner},
    class::{MatrixClass, RowStatistics},
    csr::Csr,
    error::{Result, SparseError},
    layout::{Inner, Layout, Outer, Schedule, Variant, VectorLayout},
    market::{
        Field, Format, MarketEntries, MarketEntry, MarketError, MarketErrorKind, MarketMatrix, MarketOptions,
        Symmetry, parse_market, read_market, write_market,
    },
    matrix::{SliceParts, SliceValues, SparseMatrix},
    tune::{Measured, TuneOptions, Tuned, tune},
    vector::Vector,
    winners::{Winner, Winners, WinnersError},
};

/// The kernels that [`entry_kernels!`] names.
#[doc(hidden)]
pub mod kernels {
    pub use crate::device::multiply::{
        Chunks, THREADS, add_pieces, adjoint, capacity, multiply_balanced, multiply_rows,
    };
    pub use crate::device::solve::{Iterate, update};
    pub use crate::device::stored::{Operands, Read, Stored, Written};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use crate::device::{
        multiply::ChunksArguments,
        solve::IterateArguments,
        stored::{OperandsArguments, StoredArguments},
    };
    pub use ribbonmesh::device::{Block, In, Out, kernel, tiles};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use ribbonmesh::{
        Device, Result,
        device::{BufferView, BufferViewMut},
    };
    pub use ribbonmesh_linear::Scalars;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use ribbonmesh_linear::ScalarsArguments;
}

ribbonmesh::device::ptx!();
