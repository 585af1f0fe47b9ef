//! Tetrahedral meshes of the volumes that closed surfaces enclose, by isosurface stuffing (Labelle and
//! Shewchuk 2007).
//!
//! | to | see |
//! |---|---|
//! | fill a surface with tetrahedra | [`tetrahedralize`], [`TetrahedraOptions`], [`CellSize`] |
//! | have them as a volume mesh, or as lists | [`Tetrahedra`] |
//! | say what is inside where parts overlap | [`InsideRule`] |
//! | know how well tetrahedra are shaped, of any mesh | [`quality`](quality()), [`Quality`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Surface};
//! use ribbonmesh_mesh::shapes;
//! use ribbonmesh_volume::tetrahedra::{CellSize, TetrahedraOptions, tetrahedralize};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ball = Surface::new(&Device::auto(), &shapes::icosphere(4)?, &MeshOptions::default())?;
//! let tetrahedra = tetrahedralize(&ball, &TetrahedraOptions::new(CellSize::Length(0.2)))?;
//! let quality = tetrahedra.report().quality;
//! assert!(quality.least > 10.7 && quality.greatest < 164.8);
//! assert!((quality.volume - 4.19).abs() < 0.1);
//! let mesh = tetrahedra.to_mesh()?;
//! assert!(mesh.defects()?.is_sound());
//! # Ok(())
//! # }
//! ```
//!
//! **Deterministic.** Exact signs decide which points of the lattice are inside, and at which points its
//! edges are cut. All other arithmetic is exact, too, or has a single rounding. So the result has the same
//! bits in every run and on every machine.

mod device;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;

#[cfg(not(target_arch = "nvptx64"))]
pub use host::error::{Result, TetrahedraError};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::options::{CellSize, InsideRule, TetrahedraOptions};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::quality::{Quality, quality};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::report::TetrahedraReport;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::result::Tetrahedra;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::tetrahedralize::tetrahedralize;
