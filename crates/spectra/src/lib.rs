//! The lowest eigenvalues and eigenfunctions of a surface's Laplacian, by a block method with multigrid.
//!
//! | to | see |
//! |---|---|
//! | have the lowest eigenpairs of a surface | [`spectrum()`], [`SpectrumOptions`], [`Spectrum`] |
//! | describe vertices by heat that stays, or by waves | [`Spectrum::heat_kernel`], [`Spectrum::wave_kernel`] |
//! | measure distances by all eigenfunctions at once | [`Spectrum::distances`], [`Distance`] |
//! | have those of another matrix | [`Problem`], [`lowest`] |
//!
//! ```
//! use ribbonmesh::mesh::shapes;
//! use ribbonmesh::{Device, MeshOptions, Surface};
//! use ribbonmesh_spectra::{SpectrumOptions, spectrum};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sphere = Surface::new(&Device::auto(), &shapes::icosphere(4)?, &MeshOptions::default())?;
//! let found = spectrum(&sphere, &SpectrumOptions { count: 9, ..SpectrumOptions::default() })?;
//! // 0, three times 2, five times 6
//! let values = found.values();
//! assert_eq!(values[0], 0.0);
//! assert!((values[3] - 2.0).abs() < 0.01 && (values[8] - 6.0).abs() < 0.05);
//! # Ok(())
//! # }
//! ```
//!
//! **Deterministic**: the same bits in every run on a machine.
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
    functions::Distance,
    laplacian::SurfaceProblem,
    lobpcg::{Found, lowest},
    options::{SpectrumOptions, SpectrumReport, SpectrumTimes},
    problem::{LANES, Problem},
    solid::{FreeMotions, Solid, SolidProblem},
    spectrum::{Spectrum, insert_columns, spectrum},
};

ribbonmesh::device::ptx!();
