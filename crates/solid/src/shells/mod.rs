//! The shells of a mesh: its parts that are connected across vertices.
//!
//! | to | see |
//! |---|---|
//! | measure shells | [`Shells::of`] |
//! | measure a surface | [`area_and_volume`] |
//! | drop some, or turn them around | [`drop_shells`], [`turn_shells`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Surface};
//! use ribbonmesh_mesh::shapes;
//! use ribbonmesh_solid::shells::{Shells, drop_shells};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut two = shapes::icosphere(2)?;
//! let mut small = shapes::icosphere(1)?;
//! small.positions.iter_mut().for_each(|p| *p = 0.1 * *p + glam::DVec3::X * 3.0);
//! two.append(&small)?;
//! let mut surface = Surface::new(&Device::cpu(), &two, &MeshOptions::default())?;
//! let shells = Shells::of(&mut surface)?;
//! assert!(shells.is_closed && shells.volumes.len() == 2);
//! let gone: Vec<bool> = shells.volumes.iter().map(|volume| *volume < 0.1).collect();
//! drop_shells(&mut surface, &shells, &gone)?;
//! assert_eq!(surface.download()?.faces.len(), 320);
//! # Ok(())
//! # }
//! ```
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;

#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod run;

#[cfg(not(target_arch = "nvptx64"))]
pub use run::{Shells, area_and_volume, drop_shells, turn_shells};
