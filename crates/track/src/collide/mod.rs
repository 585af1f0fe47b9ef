//! Collisions of a triangle mesh whose vertices move along straight lines, from one time to another. The
//! crate finds all of them, and changes a motion so that none happens (R. Bridson, R. Fedkiw, J. Anderson,
//! *Robust treatment of collisions, contact and friction for cloth animation*, 2002; D. Harmon, E. Vouga, R.
//! Tamstorf, E. Grinspun, *Robust treatment of simultaneous collisions*, 2008; T. Brochu, R. Bridson, *Robust
//! topological operations for dynamic explicit surfaces*, 2009).
//!
//! | to | see |
//! |---|---|
//! | find what collides | [`collisions`], [`Moved`] |
//! | change a motion so that nothing does | [`keep_apart`], [`CollideOptions`] |
//! | decide about a vertex and a face, or two edges | [`narrow::first_contact`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh::glam::Vec3;
//! use ribbonmesh_track::collide::{CollideOptions, Moved, collisions, keep_apart};
//!
//! # fn main() -> Result<(), ribbonmesh_track::collide::CollideError> {
//! // a triangle falls through another one
//! let before = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [1., 1., 1.], [2., 1., 1.], [1., 2., 1.]].map(Vec3::from);
//! let mut after = before;
//! after[3..].iter_mut().for_each(|p| p.z = -1.0);
//! let device = Device::auto();
//! let (before, faces) = (device.upload(&before)?, device.upload(&[0, 1, 2, 3, 4, 5])?);
//! let mut after = device.upload(&after)?;
//! let found = collisions(Moved { before: &before, after: &after, faces: &faces })?;
//! assert!(!found.is_empty());
//! let report = keep_apart(&before, &mut after, &faces, &CollideOptions::default())?;
//! assert!(report.collisions > 0);
//! assert!(collisions(Moved { before: &before, after: &after, faces: &faces })?.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! **What counts.** A vertex and a face, or two edges, that have no common vertex, collide if they have a
//! common point at any time of the step, including its beginning and its end. Two elements that do not move
//! do not collide.
//!
//! **None is missed.** Planes between two elements prove that they do not collide: one plane from the
//! beginning of the step to some time, the next from then on, to the end. Signed distances of vertices from
//! such a plane are linear in time, so their signs at both ends decide; they are computed in double precision
//! with a bound of the error. If no planes are found, the two count as colliding: elements that pass each
//! other within about 2⁻⁴⁶ of their size, or that need more than 40 planes, may be reported although they do
//! not collide.
//!
//! **Cost.** A tree of boxes around the movements of faces, one search per face, a second one for each face
//! that collides. The response is computed on the host, to which positions are copied; without collisions
//! nothing is copied.

pub mod closest;
pub mod elements;
pub mod kernels;
pub mod narrow;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod apart;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod error;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod find;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod zones;

#[cfg(not(target_arch = "nvptx64"))]
pub use apart::{CollideOptions, CollideReport, keep_apart};
#[cfg(not(target_arch = "nvptx64"))]
pub use error::CollideError;
#[cfg(not(target_arch = "nvptx64"))]
pub use find::{Collision, Moved, colliding_faces, collisions};
