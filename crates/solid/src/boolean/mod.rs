//! Booleans of meshes: union, intersection, difference, symmetric difference; exact.
//!
//! | to | see |
//! |---|---|
//! | combine meshes | [`boolean`], [`Operation`], [`BooleanOptions`], [`BooleanReport`] |
//! | combine surfaces on their device | [`boolean_surface`] |
//!
//! ```
//! use ribbonmesh::{Device, glam::DVec3};
//! use ribbonmesh_mesh::shapes;
//! use ribbonmesh_solid::boolean::{BooleanOptions, Operation, boolean};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ball = shapes::icosphere(3)?;
//! let mut other = ball.clone();
//! other.positions.iter_mut().for_each(|p| *p += DVec3::new(0.5, 0.0, 0.0));
//! let volume = |operation| -> Result<f64, ribbonmesh_solid::boolean::BooleanError> {
//!     let options = BooleanOptions { operation, ..BooleanOptions::default() };
//!     let (mesh, _) = boolean(&Device::auto(), &[ball.clone(), other.clone()], &options)?;
//!     Ok(mesh.volume().unwrap_or(0.0))
//! };
//! let parts = volume(Operation::Intersection)? + volume(Operation::Xor)?;
//! assert!((parts / volume(Operation::Union)? - 1.0).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod application;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod attach;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod attributes;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod draft;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod error;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod local;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod marked;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod mend;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
#[forbid(unsafe_code)]
mod on_grid;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod rounds;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod run;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod scene;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod sheets;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod snap;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod whole;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::{Boolean, BooleanChoice};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use application::{Report, combine};
#[cfg(not(target_arch = "nvptx64"))]
pub use error::BooleanError;
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use on_grid::on_grid;
#[cfg(not(target_arch = "nvptx64"))]
pub use run::{
    BooleanOptions, BooleanReport, INPUT_FACE, INPUT_MESH, Opening, Operation, boolean, boolean_surface,
};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use scene::middle;
