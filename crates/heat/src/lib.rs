//! Geodesic distances by the heat method, which solves systems of a surface's Laplacian.
//!
//! | to | see |
//! |---|---|
//! | give a surface the distances from some vertices | [`heat_distances`] |
//! | compute distances from sources, again and again on one mesh | [`HeatMethod`], [`HeatOptions`] |
//! | carry vectors over a surface; have logarithmic maps, or distances with a sign | [`VectorHeat`], [`VectorOptions`] |
//! | solve systems of a Laplacian | [`Poisson`] |
//! | let functions diffuse | [`Diffusion`] |
//! | choose iterations or a factorization | [`Solver`], [`Chosen`] |
//!
//! ```
//! use ribbonmesh::mesh::shapes;
//! use ribbonmesh::{Device, MeshOptions, Surface};
//! use ribbonmesh_heat::{HeatMethod, HeatOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sphere = shapes::icosphere(4)?;
//! let surface = Surface::new(&Device::auto(), &sphere, &MeshOptions::default())?;
//! let mut method = HeatMethod::new(&surface, &HeatOptions::default())?;
//! let (distances, report) = method.distances(&[0])?;
//! assert_eq!(report.reached, sphere.positions.len());
//! // the other pole is π away
//! let farthest = distances.read()?.into_iter().fold(0.0, f64::max);
//! assert!((farthest - std::f64::consts::PI).abs() < 0.1);
//! # Ok(())
//! # }
//! ```
//!
//! Any triangles will do, since the Laplacian is that of an intrinsic Delaunay triangulation of the tufted
//! cover (`ribbonmesh-intrinsic`). **Deterministic**: the same bits in every run on a machine.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]

#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod device;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    diffusion::Diffusion,
    heat::{HeatMethod, heat_distances, insert_distances, insert_distances_as},
    options::{Chosen, HeatOptions, HeatReport, Solver, VectorOptions},
    poisson::Poisson,
    vector_heat::{LogarithmicMap, SignedDistances, VectorHeat},
};

ribbonmesh::device::ptx!();
