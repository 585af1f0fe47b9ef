//! Tests which points are inside a surface: generalised winding numbers, which holes and other defects change
//! little, and rays, exact for closed surfaces.
//!
//! | to | see |
//! |---|---|
//! | ask a surface about points | [`inside`], [`InsideOptions`], [`Method`] |
//! | ask about points on the device | [`inside_arrays`] |
//! | ask triangles in buffers, again and again | [`InsideTest`], [`Triangles`] |
//! | follow a ray through one triangle, in a kernel of another crate | [`crossing`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Surface, glam::DVec3};
//! use ribbonmesh_solid::inside::{InsideOptions, inside};
//! use ribbonmesh_mesh::shapes;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sphere = Surface::new(&Device::auto(), &shapes::icosphere(3)?, &MeshOptions::default())?;
//! let found = inside(&sphere, &[DVec3::ZERO, DVec3::new(0.0, 0.0, 3.0)], &InsideOptions::default())?;
//! assert_eq!(found.inside, [true, false]);
//! assert!((found.winding[0] - 1.0).abs() < 0.01 && found.winding[1].abs() < 0.01);
//! # Ok(())
//! # }
//! ```
//!
//! Both methods run as kernels over a bounding volume hierarchy, one thread for each point, on the GPU and on
//! the CPU.
//!
//! **Winding numbers** do not need a closed surface: the number is the part of all directions in which the
//! back of the surface is seen. Its error is about 0.01 with the default `beta`, and to single precision with
//! [`exact`](InsideOptions::exact). A point on the surface is between two numbers: it gets either, or the
//! mean.
//!
//! **Rays** decide every crossing by exact signs. A point p on the surface is treated as p + (ε, ε², ε³) for
//! an ε smaller than every number.

#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod angle;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod kernels;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod moments;
mod ray;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod run;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod solver;

pub use ray::crossing;

#[cfg(not(target_arch = "nvptx64"))]
pub use run::{Inside, InsideArrays, InsideOptions, InsideReport, Method, inside, inside_arrays};
#[cfg(not(target_arch = "nvptx64"))]
pub use solver::{Crossings, InsideTest, Triangles, checked_points};
