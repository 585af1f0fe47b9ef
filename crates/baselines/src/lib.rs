//! Baselines for measurements: the methods with which the thesis compares its queries and applications (4.4,
//! 4.5), and passes of a paper. Applications use none of it.
//!
//! * [`Pde`]: Parallel Directed Edges, half-edges in arrays, and the eight queries of thesis Table 2.1, one
//!   thread per element.
//! * [`PdeFlow`], [`PdeGeodesic`], [`PdeDenoise`]: applications of 4.5 over them.
//! * [`hard_wired_normals`]: vertex normals of indexed triangles, one thread per face, sums by atomics.
//! * [`IndexedSurface`]: edge splits and collapses of Chentanez and others 2016, the paper on grid-free
//!   surface tracking.
//! * [`atomic_normals`]: the same with the faces' vertices from a patch (Listing 4.1).
//!
//! ```
//! use ribbonmesh::{Device, Op};
//! use ribbonmesh_baselines::Pde;
//!
//! # fn main() -> Result<(), ribbonmesh_baselines::PdeError> {
//! let pde = Pde::new(&Device::auto(), 4, &[[0, 1, 2], [0, 2, 3]])?;
//! let rows = pde.query(Op::FF)?.values().read()?;
//! assert_eq!(rows, [u32::MAX, u32::MAX, 1, 0, u32::MAX, u32::MAX]);
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, asm_experimental_arch))]

pub mod denoise;
mod each;
pub mod flow;
pub mod geodesic;
mod half_edges;
pub mod improve;
pub mod normals;
pub mod queries;

#[cfg(not(target_arch = "nvptx64"))]
mod host;

pub use each::THREADS;
pub use half_edges::HalfEdges;
#[cfg(not(target_arch = "nvptx64"))]
pub use half_edges::HalfEdgesArguments;

#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    Improved, IndexedSurface, IndexedTriangles, Pde, PdeDenoise, PdeError, PdeFlow, PdeGeodesic, PdeResult,
    atomic_normals, hard_wired_normals,
};

ribbonmesh::device::ptx!();
