//! Finite elements on a device: the matrix of a problem on tetrahedra of order 1, 2 and 3, on hexahedra or on
//! triangles, with an exact pattern, and its solution by conjugate gradients (Mueller-Roemer 2020, chapter
//! 4).
//!
//! | to | see |
//! |---|---|
//! | number the unknowns of a mesh | [`Space`] |
//! | know how long the rows of a matrix are | [`RowLengths`] |
//! | have a pattern and assemble matrices on it | [`Assembler`], [`Form`], [`Summation`] |
//! | have elements of your own | [`Element`], [`element_kernels!`] |
//! | multiply by a matrix, read it | [`Matrix`] |
//! | solve, with some unknowns fixed | [`ConjugateGradients`], [`Multigrid`] |
//! | have loads, and gradients of a solution | [`Space::integrals`], [`Space::gradients`], [`Space::on_host`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh::glam::Vec3;
//! use ribbonmesh_fem::{Assembler, ConjugateGradients, Form, SolveOptions, Space};
//! use ribbonmesh_volume::SimplexMesh;
//!
//! # fn main() -> Result<(), ribbonmesh_fem::FemError> {
//! // heat in two tetrahedra: 1 at vertex 3, 0 at vertex 4
//! let device = Device::auto();
//! let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z];
//! let mesh = SimplexMesh::tetrahedra(&device, &positions, &[[0, 1, 2, 3], [0, 2, 1, 4]])?;
//! let space = Space::tetrahedra(&mesh, 1)?;
//! let matrix = Assembler::new(&space)?.assemble::<f64>(Form::Laplacian { conductivity: 1.0 })?;
//!
//! // one bit for each unknown of a node that is fixed
//! let fixed = device.upload(&[0_u32, 0, 0, 1, 1])?;
//! let mut heat = device.upload(&[0.0, 0.0, 0.0, 1.0, 0.0])?;
//! let mut solver = ConjugateGradients::new(&matrix, &fixed)?;
//! let report = solver.solve(&device.zeros(5)?, &mut heat, &SolveOptions::default())?;
//! assert!(report.converged && (heat.read()?[0] - 0.5).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! **Functions** of order 2 and 3 are Bernstein polynomials: the coefficient of a vertex is the value there,
//! the coefficient of another node is a control value. An affine function has its own values at the points of
//! all nodes, [`Space::points`].
//!
//! **Deterministic.** Every row or entry is summed by one thread, cells ascending: a matrix has the same bits
//! every time on a machine.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

// the macro of elements names this crate so, here too
extern crate self as ribbonmesh_fem;

mod device;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
pub mod elasticity;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;

pub use device::bernstein::{Powers, binomial, power, powers};
pub use device::element::Element;
pub use device::heat::{HeatFlow1, HeatFlow2, HeatFlow3};
pub use device::hexahedra::{HexElasticity, HexLaplacian, HexMass, Jacobian, Trilinear};
pub use device::materials::{
    VariedElasticity1, VariedElasticity2, VariedElasticity3, VariedHexElasticity, WithMaterial,
};
pub use device::real::{Entry, Real, Vector};
pub use device::space::{Hexahedron, Shape, SpaceView, Tetrahedron, Triangle};
pub use device::tetrahedra::{Lame, Metric, TetElasticity, TetLaplacian, TetMass};
pub use device::triangles::{Cotangents, TriLaplacian, TriMass};

#[cfg(not(target_arch = "nvptx64"))]
pub use device::heat::{HeatFlow1Arguments, HeatFlow2Arguments, HeatFlow3Arguments};
#[cfg(not(target_arch = "nvptx64"))]
pub use device::materials::{
    VariedElasticity1Arguments, VariedElasticity2Arguments, VariedElasticity3Arguments,
    VariedHexElasticityArguments,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use device::space::SpaceViewArguments;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::assembler::{Assembler, Stage, Summation};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::error::{FemError, Result};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::form::Form;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::kernels::{ElementKernels, Launch};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::lengths::RowLengths;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::local::{Derivatives, HostField};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::matrix::{Blocks, Matrix, Storage};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::multigrid::Multigrid;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::pattern::Pattern;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::solve::{ConjugateGradients, SolveOptions, SolveReport};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::space::{CellShape, Space};
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh_multigrid::MultigridOptions;

/// The items that [`element_kernels!`] needs to make kernels.
#[doc(hidden)]
pub mod __private {
    pub use crate::device::assemble::{PartsView, data, entries, inline, matrices, nodes};
    pub use crate::device::matrix::{PatternView, ValuesView};
    pub use crate::device::real::Entry;
    pub use crate::device::space::SpaceView;
    pub use ribbonmesh::device::{Block, In, Out, Vec3, kernel, tiles};

    #[cfg(not(target_arch = "nvptx64"))]
    pub use crate::device::assemble::PartsViewArguments;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use crate::device::matrix::{PatternViewArguments, ValuesViewArguments};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use crate::host::kernels::{ElementKernels, Launch};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use ribbonmesh::Result as LaunchResult;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use ribbonmesh::device::launch::Reborrow;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use ribbonmesh::device::{BufferView as View, BufferViewMut as ViewMut};
}

ribbonmesh::device::ptx!();
