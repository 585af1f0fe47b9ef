//! Energies of the elements of a mesh, written once for any scalar: gradients and Hessians come from kernels,
//! minima from Newton's method and L-BFGS, on NVIDIA GPUs and CPUs.
//!
//! | to | see |
//! |---|---|
//! | write an energy | [`Energy`], [`Scalar`], [`energy_kernels!`] |
//! | know which elements there are | [`Edge`], [`Triangle`], [`FlatTriangle`], [`Tetrahedron`] |
//! | have energies of the library | [`Springs`], [`SymmetricDirichlet`], [`NeoHookean`], [`Arap`] |
//! | have values, gradients and matrices | [`Elements`], [`Potential`], [`Objective`] |
//! | have derivatives of the energy of a mesh by name | [`MeshEnergy`], [`SurfaceEnergy`] |
//! | find a minimum | [`newton`], [`quasi_newton`] |
//! | move supports, and have bodies move | [`carry`], [`Inertial`], [`Motion`] |
//! | deform a surface with handles | [`deform()`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_energies::{Elements, NewtonOptions, Potential, Springs, SpringsArguments, newton};
//!
//! # fn main() -> ribbonmesh_energies::Result<()> {
//! // a spring that hangs from a fixed point, with a weight
//! let device = Device::auto();
//! let elements = Elements::new(&device, 2, &[[0, 1]])?;
//! let rest = device.upload(&[1.0])?;
//! let springs = SpringsArguments { stiffness: 10.0, rest: rest.view() };
//! let loads = device.upload(&[0.0, 0.0, 0.0, 0.0, 0.0, -5.0])?;
//! let mut potential = Potential::new(&elements, springs)?.with_loads(&loads)?;
//! let fixed = device.upload(&[7, 0])?;
//! let mut x = device.upload(&[0.0, 0.0, 0.0, 0.3, 0.0, -0.9])?;
//! let report = newton(&mut potential, &fixed, &mut x, &NewtonOptions::default())?;
//! assert!(report.converged && (x.read()?[5] + 1.5).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! **Deterministic.** Each sum of derivatives is made by one thread, elements ascending: results have the
//! same bits in every run on a machine.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]

// the macro of energies names this crate so, here too
extern crate self as ribbonmesh_energies;

mod device;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod deform;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod of_mesh;

#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub use device::arap::Arap;
pub use device::derivatives::{First, Second, Variable};
pub use device::dirichlet::{SymmetricDirichlet, symmetric_dirichlet};
pub use device::energy::Energy;
pub use device::neo_hooke::NeoHookean;
pub use device::scalar::{Number, Scalar, cross, dot};
pub use device::shape::{Edge, FlatTriangle, Shape, Tetrahedron, Triangle};
pub use device::springs::Springs;

#[cfg(not(target_arch = "nvptx64"))]
pub use deform::{Deform, DeformOptions, DeformReport, Handles, deform};
#[cfg(not(target_arch = "nvptx64"))]
pub use device::arap::ArapArguments;
#[cfg(not(target_arch = "nvptx64"))]
pub use device::dirichlet::SymmetricDirichletArguments;
#[cfg(not(target_arch = "nvptx64"))]
pub use device::neo_hooke::NeoHookeanArguments;
#[cfg(not(target_arch = "nvptx64"))]
pub use device::springs::SpringsArguments;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    carry::carry,
    derive::Derivatives,
    elements::Elements,
    error::{EnergyError, Result},
    inertial::{Inertial, Motion, masses_of_tetrahedra},
    kernels::{EnergyKernels, Launch},
    newton::{Newton, NewtonOptions, newton},
    objective::{Objective, Potential},
    quasi_newton::{Metric, QuasiNewtonOptions, quasi_newton},
    report::{Ended, MinimumReport},
    solver::{Solver, Width},
};

#[cfg(not(target_arch = "nvptx64"))]
pub use of_mesh::{CompressedRows, MeshDerivatives, MeshEnergy, SurfaceEnergy, coordinates};

/// The items that [`energy_kernels!`] needs to make kernels.
#[doc(hidden)]
pub mod __private {
    pub use crate::device::energy::{gradients, hessians, steps, values};
    pub use ribbonmesh::device::{Block, In, Out, kernel};

    #[cfg(not(target_arch = "nvptx64"))]
    pub use crate::host::kernels::{EnergyKernels, Launch};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use ribbonmesh::Result as LaunchResult;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use ribbonmesh::device::launch::Reborrow;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use ribbonmesh::device::{BufferView as View, BufferViewMut as ViewMut};
}

ribbonmesh::device::ptx!();
